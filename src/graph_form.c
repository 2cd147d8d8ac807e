#include "graph_form.h"

/* ---- features side by side ------------------------------------------------ */

/* The edges of sample c to those before it, for LR_FOUR features. */
LR_INLINE lr_four edges_before(const lr_graph *g, const double *u, size_t c)
{
    lr_four sum = lr_zero_four(), own = lr_load_four(u + c * LR_LANES);
    if (g->row) {
        for (int e = g->start[c]; e < g->start[c + 1] && g->row[e] < (int)c;
             e++)
            lr_add_squares_of(&sum, &own, u + (size_t)g->row[e] * LR_LANES,
                              g->weight ? g->weight[e] : 1.0);
        return sum;
    }
    for (size_t r = 0; r < c; r++)
        lr_add_squares_of(&sum, &own, u + r * LR_LANES,
                          g->weight[r + c * g->n]);
    return sum;
}

static inline int has_edges(const lr_graph *g, size_t c)
{
    return !g->row || g->start[c] < g->start[c + 1];
}

void lr_form_graph(const lr_graph *g, const double *u, double *out)
{
    for (int l = 0; l < LR_LANES; l += LR_FOUR) {
        lr_four total = lr_zero_four();
        for (size_t begin = 0; begin < g->n; begin += LR_EDGE_BLOCK) {
            lr_four block = lr_zero_four();
            size_t end = begin + LR_EDGE_BLOCK;
            for (size_t c = begin; c < end && c < g->n; c++)
                if (has_edges(g, c))
                    lr_add_four(&block, edges_before(g, u + l, c));
            lr_add_four(&total, block);
        }
        lr_store_four(out + l, total);
    }
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
