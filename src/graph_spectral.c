#include "graph_spectral.h"

#include <math.h>
#include <string.h>

#include "lr_products.h"
#include "lr_union_find.h"

/* ---- products ------------------------------------------------------------ */

static void add_scaled(size_t n, double c, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] += c * x[i];
}

/* y += the sum of c_t times four columns, ld apart: y is read and written
 * once for the four. */
static void add_four(size_t n, const double *c, const double *x, size_t ld,
                     double *y)
{
    const double *x1 = x + ld, *x2 = x1 + ld, *x3 = x2 + ld;
    double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    for (size_t i = 0; i < n; i++)
        y[i] += (c0 * x[i] + c1 * x1[i]) + (c2 * x2[i] + c3 * x3[i]);
}

static void dot_four(size_t n, const double *x, size_t ld, const double *y,
                     double *out)
{
    const double *x1 = x + ld, *x2 = x1 + ld, *x3 = x2 + ld;
    double a[4] = {0.0, 0.0, 0.0, 0.0}, b[4] = {0.0, 0.0, 0.0, 0.0};
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        a[0] += x[i] * y[i];
        b[0] += x[i + 1] * y[i + 1];
        a[1] += x1[i] * y[i];
        b[1] += x1[i + 1] * y[i + 1];
        a[2] += x2[i] * y[i];
        b[2] += x2[i + 1] * y[i + 1];
        a[3] += x3[i] * y[i];
        b[3] += x3[i + 1] * y[i + 1];
    }
    if (i < n) {
        a[0] += x[i] * y[i];
        a[1] += x1[i] * y[i];
        a[2] += x2[i] * y[i];
        a[3] += x3[i] * y[i];
    }
    for (int t = 0; t < 4; t++)
        out[t] = a[t] + b[t];
}

static void dense_product(size_t n, const double *s, const double *x, double *y)
{
    size_t j = 0;
    memset(y, 0, n * sizeof(double));
    for (; j + 4 <= n; j += 4)
        add_four(n, x + j, s + j * n, n, y);
    for (; j < n; j++)
        add_scaled(n, x[j], s + j * n, y);
}

void lr_similarity_product(const lr_graph *graph, const double *x, double *y)
{
    if (!graph->row) {
        dense_product(graph->n, graph->weight, x, y);
        return;
    }
    /* S is symmetric: a column is a row */
    for (size_t j = 0; j < graph->n; j++) {
        double sum = 0.0;
        for (int e = graph->start[j]; e < graph->start[j + 1]; e++)
            sum += (graph->weight ? graph->weight[e] : 1.0) * x[graph->row[e]];
        y[j] = sum;
    }
}

void lr_laplacian_product(const lr_laplacian *l, const double *x, double *y)
{
    lr_similarity_product(&l->graph, x, y);
    for (size_t i = 0; i < l->graph.n; i++)
        y[i] = l->degree[i] * x[i] - y[i];
    for (size_t t = 0; t < l->n_edits; t++) {
        int a = l->first[t], b = l->second[t];
        double change = l->delta[t] * (x[a] - x[b]);
        y[a] += change;
        y[b] -= change;
    }
}

void lr_normalized_product(const lr_graph *graph, const double *root,
                           const double *x, double *y, double *scratch)
{
    for (size_t i = 0; i < graph->n; i++)
        scratch[i] = root[i] * x[i];
    lr_similarity_product(graph, scratch, y);
    for (size_t i = 0; i < graph->n; i++)
        y[i] *= root[i];
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

static void solve_forwards(size_t n, const double *r, double *x)
{
    size_t j = 0;
    for (; j + 4 <= n; j += 4) {
        double minus[4];
        for (size_t t = j; t < j + 4; t++) {
            x[t] /= r[t + t * n];
            for (size_t i = t + 1; i < j + 4; i++)
                x[i] -= r[i + t * n] * x[t];
            minus[t - j] = -x[t];
        }
        add_four(n - j - 4, minus, r + j * n + j + 4, n, x + j + 4);
    }
    for (; j < n; j++) {
        x[j] /= r[j + j * n];
        for (size_t i = j + 1; i < n; i++)
            x[i] -= r[i + j * n] * x[j];
    }
}

static void solve_backwards(size_t n, const double *r, double *x)
{
    size_t j = n;
    while (j % 4 != 0) {
        j--;
        x[j] = (x[j] - lr_dot(r + j * n + j + 1, x + j + 1, n - j - 1))
            / r[j + j * n];
    }
    while (j > 0) {
        double sums[4];
        j -= 4;
        dot_four(n - j - 4, r + j * n + j + 4, n, x + j + 4, sums);
        for (size_t t = j + 4; t-- > j;) {
            double value = x[t] - sums[t - j];
            for (size_t i = t + 1; i < j + 4; i++)
                value -= r[i + t * n] * x[i];
            x[t] = value / r[t + t * n];
        }
    }
}

void lr_cholesky_solve(size_t n, const double *factor, double *x)
{
    solve_forwards(n, factor, x);
    solve_backwards(n, factor, x);
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
        add_scaled(n, -weight[t], inverse->z + t * n, y);
}

/* ---- Lanczos and conjugate gradients ------------------------------------- */

void lr_project(size_t n, const double *columns, size_t k, double *x)
{
    size_t j = 0;
    for (; j + 4 <= k; j += 4) {
        double c[4];
        dot_four(n, columns + j * n, n, x, c);
        for (int t = 0; t < 4; t++)
            c[t] = -c[t];
        add_four(n, c, columns + j * n, n, x);
    }
    for (; j < k; j++)
        add_scaled(n, -lr_dot(columns + j * n, x, n), columns + j * n, x);
}

static void deflate(const lr_deflated *space, double *x)
{
    lr_project(space->n, space->deflate, space->n_deflate, x);
}

int lr_lanczos_step(const lr_deflated *space, double *basis, size_t at,
                    double *alpha, double *beta)
{
    size_t n = space->n;
    const double *v = basis + at * n;
    double *next = basis + (at + 1) * n;
    space->apply(space->context, v, next);
    *alpha = lr_dot(v, next, n);
    double before = sqrt(lr_dot(next, next, n));
    for (int pass = 0; pass < 2; pass++) {
        deflate(space, next);
        lr_project(n, basis, at + 1, next);
    }
    *beta = sqrt(lr_dot(next, next, n));
    /* what is left is rounding: no new direction */
    if (*beta <= 1e-14 * before || space->n_deflate + at + 1 >= n) {
        *beta = 0.0;
        memset(next, 0, n * sizeof(double));
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        next[i] /= *beta;
    return 1;
}

static void precondition(const lr_deflated *space, const double *diagonal,
                         const double *r, double *z)
{
    size_t n = space->n;
    if (!diagonal) {
        memcpy(z, r, n * sizeof(double));
        return;
    }
    for (size_t i = 0; i < n; i++)
        z[i] = r[i] / diagonal[i];
    deflate(space, z);
}

lr_status lr_conjugate_gradients(const lr_deflated *space,
                                 const double *diagonal, const double *rhs,
                                 double *x, lr_stop stop, double *scratch)
{
    size_t n = space->n;
    double *r = scratch, *z = r + n, *p = z + n, *ap = p + n;
    memcpy(r, rhs, n * sizeof(double));
    deflate(space, r);
    memset(x, 0, n * sizeof(double));
    precondition(space, diagonal, r, z);
    memcpy(p, z, n * sizeof(double));
    double rz = lr_dot(r, z, n);
    double limit = stop.tolerance * stop.tolerance * lr_dot(r, r, n);
    for (int step = 0; lr_dot(r, r, n) > limit; step++) {
        if (step >= stop.max_steps)
            return LR_NOT_CONVERGED;
        space->apply(space->context, p, ap);
        deflate(space, ap);
        double curvature = lr_dot(p, ap, n);
        if (!(curvature > 1e-14 * sqrt(lr_dot(p, p, n) * lr_dot(ap, ap, n))))
            return LR_NOT_CONVERGED;
        double a = rz / curvature;
        add_scaled(n, a, p, x);
        add_scaled(n, -a, ap, r);
        precondition(space, diagonal, r, z);
        double rz_new = lr_dot(r, z, n), b = rz_new / rz;
        rz = rz_new;
        for (size_t i = 0; i < n; i++)
            p[i] = z[i] + b * p[i];
    }
    deflate(space, x);
    return LR_OK;
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

int lr_graph_components(const lr_laplacian *l, double threshold,
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
    return number;
}
