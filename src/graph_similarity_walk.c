#include <math.h>

#include "graph_walk.h"

/* Edges nearer than epsilon, in chunks. */
enum { CHUNK_EDGES = 1 << 16 };

typedef struct edge_chunk {
    int first[CHUNK_EDGES], second[CHUNK_EDGES];
    double square[CHUNK_EDGES];
    size_t count;
    struct edge_chunk *next;
} edge_chunk;

typedef struct {
    const graph_options *options;
    lr_metric metric;
    size_t n;
    double features; /* p, for the mean over features */
    lr_lists lists;  /* for the adjacency or the self-tuning scale */
    edge_chunk *newest;
    size_t n_edges;
} graph_task;

/* Where both outputs are known they are the distance; else the mean over the
 * features: d^2 of (10) [Doquire & Verleysen 2013]. */
static void use_response(void *context, const lr_tile *tile, size_t from,
                         size_t to)
{
    const graph_task *g = (const graph_task *)context;
    for (size_t e = 0; e < tile->n_ends; e++) {
        double *d = tile->distance + e * tile->ld;
        double y = g->options->response[tile->ends[e]];
        for (size_t r = from; r < to; r++) {
            double v = y - g->options->response[tile->first_row + r];
            d[r] = isnan(v) ? d[r] / g->features : v * v;
        }
    }
}

static double squared(const graph_task *g, double d)
{
    return g->metric == LR_EUCLIDEAN ? d : d * d;
}

static void keep_edge(graph_task *g, int first, int second, double square)
{
    edge_chunk *c = g->newest;
    if (!c || c->count == CHUNK_EDGES) {
        c = (edge_chunk *)lr_allocate(1, sizeof(edge_chunk));
        c->count = 0;
        c->next = g->newest;
        g->newest = c;
    }
    c->first[c->count] = first;
    c->second[c->count] = second;
    c->square[c->count++] = square;
}

static void keep_near(void *context, const lr_tile *tile)
{
    graph_task *g = (graph_task *)context;
    for (size_t e = 0; e < tile->n_ends; e++) {
        const double *d = tile->distance + e * tile->ld;
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++) {
            double v = g->metric == LR_EUCLIDEAN ? sqrt(d[r]) : d[r];
            if (v < g->options->epsilon
                && ++g->n_edges <= g->options->most_edges)
                keep_edge(g, tile->ends[e], (int)(tile->first_row + r),
                          squared(g, d[r]));
        }
    }
}

static void keep_all(const graph_task *g, const lr_tile *tile, lr_chunk chunk)
{
    double *dense = g->options->dense;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        const double *d = tile->distance + e * tile->ld;
        size_t end = (size_t)tile->ends[e];
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++) {
            size_t row = tile->first_row + r;
            dense[row + end * g->n] = squared(g, d[r]);
            dense[end + row * g->n] = squared(g, d[r]);
        }
    }
}

static void use_tile(void *context, const lr_tile *tile, lr_chunk chunk)
{
    graph_task *g = (graph_task *)context;
    if (g->lists.k > 0)
        lr_lists_offer(&g->lists, tile, chunk);
    if (g->options->adjacency == FULL)
        keep_all(g, tile, chunk);
}

/* ---- from what the walk has kept to list(start, row, weight) ------------- */

static lr_graph_edges allocate_edges(size_t count)
{
    return (lr_graph_edges){new_ints(count), new_ints(count),
                            new_doubles(count), 0};
}

static lr_graph_edges listed_edges(const graph_task *g)
{
    lr_graph_edges l = allocate_edges(g->n * g->lists.k);
    for (size_t i = 0; i < g->n; i++)
        for (int j = 0; j < g->lists.count[i]; j++) {
            size_t at = i * g->lists.k + (size_t)j;
            l.first[l.count] = (int)i;
            l.second[l.count] = g->lists.row[at];
            l.square[l.count++] = squared(g, g->lists.distance[at]);
        }
    return l;
}

static lr_graph_edges near_edges(const graph_task *g)
{
    lr_graph_edges l = allocate_edges(g->n_edges);
    for (const edge_chunk *c = g->newest; c; c = c->next) {
        memcpy(l.first + l.count, c->first, c->count * sizeof(int));
        memcpy(l.second + l.count, c->second, c->count * sizeof(int));
        memcpy(l.square + l.count, c->square, c->count * sizeof(double));
        l.count += c->count;
    }
    return l;
}

static const double *tuning_scales(const graph_task *g)
{
    double *scale = new_doubles(g->n);
    for (size_t i = 0; i < g->n; i++) {
        /* the k-th neighbour is the farthest one, on top of the heap */
        double d =
            g->lists.count[i] > 0 ? g->lists.distance[i * g->lists.k] : 0.0;
        scale[i] = g->metric == LR_EUCLIDEAN ? sqrt(d) : d;
    }
    lr_fix_scales(scale, g->n);
    return scale;
}

static lr_graph sparse_graph(const graph_task *g, lr_weighting *weighting)
{
    int adjacency = g->options->adjacency;
    lr_graph_edges edges =
        adjacency == EPSILON ? near_edges(g) : listed_edges(g);
    size_t most = 2 * edges.count;
    lr_graph_buffer buffer = {new_ints(g->n + 1), new_ints(most),
                              new_doubles(most), new_ints(2 * most),
                              new_doubles(most)};
    lr_join_edges(g->n, &edges, adjacency == MUTUAL_KNN, &buffer);
    lr_graph graph = {g->n, buffer.start, buffer.row, buffer.value};
    lr_weigh_edges(&graph, buffer.value, 0, g->n, weighting);
    return graph;
}

static lr_graph dense_graph(const graph_task *g, lr_weighting *weighting)
{
    double *dense = g->options->dense;
    lr_graph graph = {g->n, NULL, NULL, dense};
    for (size_t c = 0; c < g->n; c++) {
        lr_weigh_edges(&graph, dense, c, c + 1, weighting);
        lr_check_interrupt();
    }
    return graph;
}

size_t similarity_graph(const pair_walk *walk, const graph_options *options,
                        lr_graph *graph)
{
    static const lr_list_rule plain = {1, NULL, NULL, NULL};
    int adjacency = options->adjacency;
    pair_walk w = *walk;
    w.half = 1;
    graph_task g = {.options = options, .metric = w.metric, .n = w.n,
                    .features = (double)w.data->p,
                    .lists = allocate_lists(&w, &plain, options->k, 0)};
    w.change = options->response ? use_response : NULL;
    w.use = use_tile;
    w.collect = adjacency == EPSILON ? keep_near : NULL;
    w.context = &g;
    if ((adjacency == KNN || adjacency == MUTUAL_KNN) && !w.change)
        find_lists(&w, &g.lists, 0);
    else
        walk_pairs(&w, "Neighbours");
    if (g.n_edges <= options->most_edges) {
        lr_weighting weighting = options->weighting;
        if (weighting.kind == LR_SELF_TUNING)
            weighting.scale = tuning_scales(&g);
        *graph = adjacency == FULL ? dense_graph(&g, &weighting)
                                   : sparse_graph(&g, &weighting);
    }
    return g.n_edges;
}
