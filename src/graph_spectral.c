/* Degrees of a graph; products and solutions with its edited Laplacian. */
#include "graph_spectral.h"

#include <math.h>
#include <string.h>

#include "lr_products.h"
#include "lr_union_find.h"

enum { SAMPLES = 512 };

void lr_degrees(const lr_graph *graph, double *degree)
{
    size_t n = graph->n;
    for (size_t c = 0; c < n; c++) {
        double sum = 0.0;
        if (graph->row) {
            for (int e = graph->start[c]; e < graph->start[c + 1]; e++)
                sum += graph->weight ? graph->weight[e] : 1.0;
        } else {
            for (size_t r = 0; r < n; r++)
                sum += r == c ? 0.0 : graph->weight[r + c * n];
        }
        degree[c] = sum;
    }
}

/* ---- products ------------------------------------------------------------ */

/* out = rows from .. to - 1 of S x, some samples at a time: their vectors stay
 * in the cache for all rows of a dense S. */
static void block_products(const lr_graph *g, const double *x, size_t from,
                           size_t to, double *out, lr_level level)
{
    lr_basis rows = {g->weight + from * g->n, g->n, to - from};
    memset(out, 0, rows.count * LR_VECTORS * sizeof(double));
    for (size_t i = 0; !g->row && i < g->n; i += SAMPLES)
        lr_dot_basis(&rows, i, i + SAMPLES < g->n ? i + SAMPLES : g->n, x, out,
                     level);
    for (size_t j = from; g->row && j < to; j++) {
        size_t at = (size_t)g->start[j];
        lr_cells cells = {(size_t)g->start[j + 1] - at, 0, g->row + at,
                          g->weight + at};
        lr_dot_vectors(&cells, 1, x, out + (j - from) * LR_VECTORS, level);
    }
}

void lr_chebyshev_rows(const lr_chebyshev *s, size_t from, size_t to)
{
    double *sum = s->turned + from * LR_VECTORS;
    block_products(&s->graph, s->scaled, from, to, sum, s->level);
    for (size_t j = from; j < to; j++) {
        double root = s->root[j], less = s->shift[j] + s->center;
        const double *now = s->now + j * LR_VECTORS;
        double *next = s->before + j * LR_VECTORS;
        for (size_t t = 0; t < LR_VECTORS; t++, sum++) {
            next[t] = s->factor * (root * *sum - less * now[t]) - next[t];
            *sum = root * next[t];
        }
    }
}

/* ---- the shifted inverse ------------------------------------------------- */

void lr_shifted_laplacian(const lr_laplacian *l, double sigma, double ridge,
                          double *a)
{
    size_t n = l->graph.n;
    for (size_t j = 0; j < n; j++) {
        const double *s = l->graph.weight + j * n;
        double *column = a + j * n;
        for (size_t i = 0; i < n; i++)
            column[i] = ridge - s[i];
        column[j] = l->degree[j] - sigma + ridge;
    }
    for (size_t t = 0; t < l->n_edits; t++) {
        size_t i = (size_t)l->first[t], j = (size_t)l->second[t];
        size_t low = i > j ? i : j, column = i > j ? j : i;
        a[i + i * n] += l->delta[t];
        a[j + j * n] += l->delta[t];
        a[low + column * n] -= l->delta[t];
    }
}

void lr_cholesky_solve(size_t n, const double *factor, double *x)
{
    for (size_t j = 0; j < n; j++) {
        const double *below = factor + j * n + j + 1;
        x[j] /= below[-1];
        lr_subtract(x + j + 1, x[j], below, n - j - 1);
    }
    for (size_t j = n; j-- > 0;) {
        const double *below = factor + j * n + j + 1;
        x[j] = (x[j] - lr_dot(below, x + j + 1, n - j - 1)) / below[-1];
    }
}

void lr_inverse_product(const lr_inverse *inverse, const double *x, double *y,
                        double *scratch)
{
    size_t n = inverse->n, q = inverse->n_updates;
    double *difference = scratch, *weight = scratch + q;
    memcpy(y, x, n * sizeof(double));
    lr_cholesky_solve(n, inverse->factor, y);
    for (size_t t = 0; t < q; t++)
        difference[t] = y[inverse->first[t]] - y[inverse->second[t]];
    for (size_t t = 0; t < q; t++) {
        weight[t] = 0.0;
        for (size_t s = 0; s < q; s++)
            weight[t] += inverse->small[t + s * q] * difference[s];
    }
    for (size_t t = 0; t < q; t++)
        lr_subtract(y, weight[t], inverse->z + t * n, n);
}

/* ---- components ---------------------------------------------------------- */

typedef struct {
    const lr_laplacian *l;
    double threshold;
    int *parent, *edited; /* per sample; edited: is one of its pairs? */
    size_t count;         /* components */
} component_search;

/* Joins two samples whose edge, edits included, is heavier than the threshold.
 * The lowest sample represents its component. */
static void join(component_search *s, int i, int j, double weight)
{
    const lr_laplacian *l = s->l;
    for (size_t t = 0; s->edited[i] && t < l->n_edits; t++)
        if ((l->first[t] == i && l->second[t] == j)
            || (l->first[t] == j && l->second[t] == i))
            weight += l->delta[t];
    if (!(weight > s->threshold))
        return;
    int a = lr_root_of(s->parent, i), b = lr_root_of(s->parent, j);
    if (a == b)
        return;
    s->parent[a > b ? a : b] = a > b ? b : a;
    s->count--;
}

static double base_weight(const lr_graph *g, int i, int j)
{
    if (!g->row)
        return g->weight[(size_t)i + (size_t)j * g->n];
    for (int e = g->start[j]; e < g->start[j + 1]; e++)
        if (g->row[e] == i)
            return g->weight ? g->weight[e] : 1.0;
    return 0.0;
}

void lr_graph_components(const lr_laplacian *l, double threshold,
                         int *component, int *scratch)
{
    const lr_graph *g = &l->graph;
    int n = (int)g->n, number = 0;
    component_search s = {l, threshold, scratch, scratch + n, g->n};
    for (int i = 0; i < n; i++) {
        s.parent[i] = i;
        s.edited[i] = 0;
    }
    for (size_t t = 0; t < l->n_edits; t++)
        s.edited[l->first[t]] = s.edited[l->second[t]] = 1;
    for (int i = 0; i < n && s.count > 1; i++) {
        if (!g->row)
            for (int j = i + 1; j < n && s.count > 1; j++)
                join(&s, i, j, g->weight[(size_t)i * g->n + (size_t)j]);
        else
            for (int e = g->start[i]; e < g->start[i + 1]; e++)
                if (g->row[e] > i)
                    join(&s, i, g->row[e], g->weight ? g->weight[e] : 1.0);
    }
    /* edits may join pairs that had no edge */
    for (size_t t = 0; t < l->n_edits; t++)
        join(&s, l->first[t], l->second[t],
             base_weight(g, l->first[t], l->second[t]));
    for (int i = 0; i < n; i++) {
        int root = lr_root_of(s.parent, i);
        component[i] = root == i ? number++ : component[root];
    }
}
