#include "graph_form.h"

#include <string.h>

/* ---- features side by side ------------------------------------------------
 *
 * The sums of LR_LANES features stay in registers over all edges: four vectors
 * of two doubles, or two of four. */

static inline int is_last_of_block(size_t c, size_t n)
{
    return c % LR_EDGE_BLOCK == LR_EDGE_BLOCK - 1 || c + 1 == n;
}

#ifdef LR_HAS_VECTORS

#define EDGE(vec, r, w)                                                       \
    do {                                                                      \
        const vec *b = (const vec *)(u + (size_t)(r) * LR_LANES);             \
        vec weight_ = {0};                                                    \
        weight_ += (w);                                                       \
        _Pragma("GCC unroll 4")                                               \
        for (int v = 0; v < V; v++) {                                         \
            vec d = a[v] - b[v];                                              \
            sum[v] += weight_ * (d * d);                                      \
        }                                                                     \
    } while (0)

/* The edges of sample c to those before it. */
#define EDGES_BEFORE(vec)                                                     \
    do {                                                                      \
        const double *w = g->row ? NULL : g->weight + c * g->n;               \
        for (size_t r = 0; w && r < c; r++)                                   \
            EDGE(vec, r, w[r]);                                               \
        int end = g->row ? g->start[c + 1] : 0;                               \
        for (int e = g->row ? g->start[c] : 0;                                \
             e < end && g->row[e] < (int)c; e++)                              \
            EDGE(vec, g->row[e], g->weight ? g->weight[e] : 1.0);             \
    } while (0)

#define FORM_GRAPH(vec)                                                       \
    do {                                                                      \
        enum { V = LR_LANES * sizeof(double) / sizeof(vec) };                 \
        vec total[V] = {{0}}, block[V] = {{0}};                               \
        for (size_t c = 0; c < g->n; c++) {                                   \
            vec a[V], sum[V] = {{0}};                                         \
            _Pragma("GCC unroll 4")                                           \
            for (int v = 0; v < V; v++)                                       \
                a[v] = ((const vec *)(u + c * LR_LANES))[v];                  \
            EDGES_BEFORE(vec);                                                \
            int last = is_last_of_block(c, g->n);                             \
            _Pragma("GCC unroll 4")                                           \
            for (int v = 0; v < V; v++) {                                     \
                block[v] += sum[v];                                           \
                if (last) {                                                   \
                    total[v] += block[v];                                     \
                    block[v] = (vec){0};                                      \
                }                                                             \
            }                                                                 \
        }                                                                     \
        memcpy(out, total, LR_LANES * sizeof(double));                        \
    } while (0)

static void form_graph_16(const lr_graph *g, const double *u, double *out)
{
    FORM_GRAPH(lr_v16);
}

#ifdef LR_HAS_WIDE
LR_WIDE static void form_graph_32(const lr_graph *g, const double *u,
                                  double *out)
{
    FORM_GRAPH(lr_v32);
}
#endif

#else /* no vector extension: the same sums */
static double lane_edges(const lr_graph *g, const double *u, size_t c)
{
    double sum = 0.0;
    size_t end = g->row ? (size_t)g->start[c + 1] : c;
    for (size_t e = g->row ? (size_t)g->start[c] : 0; e < end; e++) {
        size_t r = g->row ? (size_t)g->row[e] : e;
        if (r >= c)
            break;
        double w = !g->weight ? 1.0 : g->weight[g->row ? e : e + c * g->n];
        double d = u[c * LR_LANES] - u[r * LR_LANES];
        sum += w * (d * d);
    }
    return sum;
}

static void form_graph_16(const lr_graph *g, const double *u, double *out)
{
    for (int l = 0; l < LR_LANES; l++) {
        double block = 0.0;
        out[l] = 0.0;
        for (size_t c = 0; c < g->n; c++) {
            block += lane_edges(g, u + l, c);
            if (is_last_of_block(c, g->n)) {
                out[l] += block;
                block = 0.0;
            }
        }
    }
}

#endif

void lr_form_graph(const lr_graph *graph, const double *u, lr_level level,
                   double *out)
{
#ifdef LR_HAS_WIDE
    if (lr_is_wide(level)) {
        form_graph_32(graph, u, out);
        return;
    }
#endif
    (void)level;
    form_graph_16(graph, u, out);
}

/* ---- one sparse feature -------------------------------------------------- */

static size_t edge_blocks(size_t n)
{
    return (n + LR_EDGE_BLOCK - 1) / LR_EDGE_BLOCK;
}

size_t lr_sparse_scratch(size_t n)
{
    return n + edge_blocks(n);
}

/* The edges of sample c: those to samples before it are its own sum; a later
 * sample whose cell is zero is not listed, so c adds to the sum of that one. */
static void add_edges(const lr_graph *graph, const lr_sparse *f, size_t c,
                      double *sum, double *in_use)
{
    size_t begin = graph->row ? (size_t)graph->start[c] : 0;
    size_t end = graph->row ? (size_t)graph->start[c + 1] : graph->n;
    double own = 0.0;
    for (size_t a = begin; a < end; a++) {
        size_t r = graph->row ? (size_t)graph->row[a] : a;
        double w = !graph->weight ? 1.0
            : graph->weight[graph->row ? a : a + c * graph->n];
        double d = f->all[c] - f->all[r];
        if (r < c) {
            own += w * (d * d);
        } else if (r > c && f->all[r] == f->zero) {
            sum[r] += w * (d * d);
            in_use[r / LR_EDGE_BLOCK] = 1.0;
        }
    }
    sum[c] = own;
    in_use[c / LR_EDGE_BLOCK] = 1.0;
}

double lr_sparse_graph(const lr_graph *graph, const lr_sparse *f, double *work)
{
    size_t n = graph->n;
    double *sum = work, *in_use = work + n, total = 0.0;
    for (size_t e = 0; e < f->count; e++)
        if (f->u[e] != f->zero)
            add_edges(graph, f, (size_t)f->row[e], sum, in_use);
    for (size_t b = 0; b < edge_blocks(n); b++) {
        double block = 0.0;
        if (in_use[b] == 0.0)
            continue;
        size_t begin = b * LR_EDGE_BLOCK, end = begin + LR_EDGE_BLOCK;
        for (size_t c = begin; c < end && c < n; c++) {
            block += sum[c];
            sum[c] = 0.0;
        }
        in_use[b] = 0.0;
        total += block;
    }
    return total;
}
