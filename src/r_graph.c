#include <math.h>

#include "r_search.h"

/* How samples become neighbours; the order is that of `adjacency` in R. */
enum { KNN = 0, MUTUAL_KNN, EPSILON, FULL };

/* Edges nearer than epsilon, in chunks of R_alloc memory. */
enum { CHUNK_EDGES = 1 << 16 };

typedef struct edge_chunk {
    int first[CHUNK_EDGES], second[CHUNK_EDGES];
    double square[CHUNK_EDGES];
    size_t count;
    struct edge_chunk *next;
} edge_chunk;

typedef struct {
    int adjacency;
    lr_metric metric;
    size_t n;
    double features;        /* p, for the mean over features */
    const double *response; /* y of (10) [Doquire], NA where unknown; NULL */
    lr_lists lists;         /* for the adjacency or the self-tuning scale */
    double epsilon;
    edge_chunk *newest;
    size_t n_edges, most_edges;
    double *dense;
} graph_task;

/* Where both outputs are known they are the distance; else the mean over the
 * features: d^2 of (10) [Doquire & Verleysen 2013]. */
static void use_response(void *context, const lr_tile *tile, size_t from,
                         size_t to)
{
    const graph_task *g = (const graph_task *)context;
    for (size_t e = 0; e < tile->n_ends; e++) {
        double *d = tile->distance + e * tile->ld;
        double y = g->response[tile->ends[e]];
        for (size_t r = from; r < to; r++) {
            double v = y - g->response[tile->first_row + r];
            d[r] = ISNAN(v) ? d[r] / g->features : v * v;
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
        c = (edge_chunk *)R_alloc(1, sizeof(edge_chunk));
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
            if (v < g->epsilon && ++g->n_edges <= g->most_edges)
                keep_edge(g, tile->ends[e], (int)(tile->first_row + r),
                          squared(g, d[r]));
        }
    }
}

static void keep_all(const graph_task *g, const lr_tile *tile, lr_chunk chunk)
{
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        const double *d = tile->distance + e * tile->ld;
        size_t end = (size_t)tile->ends[e];
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++) {
            size_t row = tile->first_row + r;
            g->dense[row + end * g->n] = squared(g, d[r]);
            g->dense[end + row * g->n] = squared(g, d[r]);
        }
    }
}

static void use_tile(void *context, const lr_tile *tile, lr_chunk chunk)
{
    graph_task *g = (graph_task *)context;
    if (g->lists.k > 0)
        lr_lists_offer(&g->lists, tile, chunk);
    if (g->adjacency == FULL)
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

static void write_sparse(const graph_task *g, lr_weighting *weighting, SEXP out)
{
    lr_graph_edges edges =
        g->adjacency == EPSILON ? near_edges(g) : listed_edges(g);
    size_t most = 2 * edges.count;
    lr_graph_buffer buffer = {set_ints(out, 1, g->n + 1), new_ints(most),
                              new_doubles(most), new_ints(2 * most),
                              new_doubles(most)};
    size_t count =
        lr_join_edges(g->n, &edges, g->adjacency == MUTUAL_KNN, &buffer);
    lr_graph graph = {g->n, buffer.start, buffer.row, buffer.value};
    lr_weigh_edges(&graph, buffer.value, 0, g->n, weighting);
    memcpy(set_ints(out, 2, count), buffer.row, count * sizeof(int));
    memcpy(set_reals(out, 3, count), buffer.value, count * sizeof(double));
}

lr_graph read_graph(SEXP weights)
{
    if (Rf_isMatrix(weights))
        return (lr_graph){(size_t)Rf_nrows(weights), NULL, NULL, REAL(weights)};
    SEXP start = R_do_slot(weights, Rf_install("p"));
    return (lr_graph){(size_t)Rf_xlength(start) - 1, INTEGER(start),
                      INTEGER(R_do_slot(weights, Rf_install("i"))),
                      REAL(R_do_slot(weights, Rf_install("x")))};
}

/* Sum of the weights at each sample. */
SEXP r_graph_degrees(SEXP weights)
{
    lr_graph g = read_graph(weights);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)g.n));
    lr_degrees(&g, REAL(out));
    UNPROTECT(1);
    return out;
}

static void weigh_dense(const graph_task *g, lr_weighting *weighting)
{
    lr_graph graph = {g->n, NULL, NULL, g->dense};
    for (size_t c = 0; c < g->n; c++) {
        lr_weigh_edges(&graph, g->dense, c, c + 1, weighting);
        R_CheckUserInterrupt();
    }
}

/* A graph of the samples.
 * where: a neighbour_space
 * options: list(adjacency, weight, k, epsilon, sigma, t, response, most_edges)
 * returns list(edges: those nearer than epsilon; start, row, weight; full).
 * Of the last four a full graph has the last one only, the others the first
 * three, and none is there when there are more than most_edges edges. */
SEXP r_similarity_graph(SEXP where, SEXP options, SEXP control)
{
    pair_walk w = open_search(where, R_NilValue, control); /* protects one */
    w.half = 1;
    static const lr_list_rule plain = {1, NULL, NULL, NULL};
    graph_task g = {
        .adjacency = list_int(options, "adjacency"), .metric = w.metric,
        .n = w.n, .features = list_real(w.data, "p"),
        .response = real_or_null(list_element(options, "response")),
        .epsilon = list_real(options, "epsilon"),
        .most_edges = list_size(options, "most_edges"),
        .lists = allocate_lists(&w, &plain, list_size(options, "k"), 0)};
    const char *names[] = {"edges", "start", "row", "weight", "full", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    if (g.adjacency == FULL) {
        g.dense = set_real_matrix(out, 4, g.n, g.n);
        memset(g.dense, 0, g.n * g.n * sizeof(double));
    }
    w.change = g.response ? use_response : NULL;
    w.use = use_tile;
    w.collect = g.adjacency == EPSILON ? keep_near : NULL;
    w.context = &g;
    int lists_only = g.adjacency == KNN || g.adjacency == MUTUAL_KNN;
    if (lists_only && !w.change) {
        find_lists(&w, &g.lists, 0);
    } else {
        walk_pairs(&w, "Neighbours");
    }
    SET_VECTOR_ELT(out, 0, Rf_ScalarReal((double)g.n_edges));
    if (g.n_edges <= g.most_edges) {
        lr_weighting weighting = {(lr_weight)list_int(options, "weight"),
                                  list_real(options, "sigma"),
                                  list_real(options, "t"), NULL};
        if (weighting.kind == LR_SELF_TUNING)
            weighting.scale = tuning_scales(&g);
        if (g.adjacency == FULL)
            weigh_dense(&g, &weighting);
        else
            write_sparse(&g, &weighting, out);
    }
    UNPROTECT(2);
    return out;
}
