#include "scatter.h"

#include <math.h>
#include <string.h>

/* ---- f'Lf ---------------------------------------------------------------
 *
 * The sums of LR_LANES features stay in registers over all edges: four vectors
 * of two doubles, or two of four. */

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

#define FORM_GRAPH(name, attribute, vec)                                      \
    attribute static void name(const lr_graph *g, const double *u,            \
                               double *out)                                   \
    {                                                                         \
        enum { V = LR_LANES * sizeof(double) / sizeof(vec) };                 \
        vec sum[V] = {{0}};                                                   \
        for (size_t c = 0; c < g->n; c++) {                                   \
            vec a[V];                                                         \
            _Pragma("GCC unroll 4")                                           \
            for (int v = 0; v < V; v++)                                       \
                a[v] = ((const vec *)(u + c * LR_LANES))[v];                  \
            if (!g->row) {                                                    \
                const double *w = g->weight + c * g->n;                       \
                for (size_t r = 0; r < c; r++)                                \
                    EDGE(vec, r, w[r]);                                       \
                continue;                                                     \
            }                                                                 \
            int end = g->start[c + 1];                                        \
            for (int e = g->start[c]; e < end && g->row[e] < (int)c; e++)     \
                EDGE(vec, g->row[e], g->weight ? g->weight[e] : 1.0);         \
        }                                                                     \
        memcpy(out, sum, LR_LANES * sizeof(double));                          \
    }

FORM_GRAPH(form_graph_16, , lr_v16)

#ifdef LR_HAS_WIDE
FORM_GRAPH(form_graph_32, LR_WIDE, lr_v32)
#endif

#else /* no vector extension: the same sums */
static void form_graph_16(const lr_graph *g, const double *u, double *out)
{
    for (int l = 0; l < LR_LANES; l++)
        out[l] = 0.0;
    for (size_t c = 0; c < g->n; c++) {
        size_t end = g->row ? (size_t)g->start[c + 1] : c;
        for (size_t e = g->row ? (size_t)g->start[c] : 0; e < end; e++) {
            size_t r = g->row ? (size_t)g->row[e] : e;
            if (r >= c)
                break;
            double w = !g->weight ? 1.0
                : g->weight[g->row ? e : e + c * g->n];
            for (int l = 0; l < LR_LANES; l++) {
                double d = u[c * LR_LANES + l] - u[r * LR_LANES + l];
                out[l] += w * (d * d);
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

/* ---- sums of squares -----------------------------------------------------
 *
 * Means are taken as differences from a value that is there, so that what is
 * constant has exactly no spread: 0/0 and x/0 are then told apart. */

static double weight_at(const double *weight, size_t i)
{
    return weight ? weight[i] : 1.0;
}

void lr_form_scatter(const lr_scatter *s, const double *u, double *out)
{
    double mean[LR_LANES] = {0.0}, sum[LR_LANES] = {0.0};
    if (s->center && s->center_count > 0) {
        const double *origin = u + s->center_first * LR_LANES;
        for (size_t i = 0; i < s->n; i++)
            for (int l = 0; l < LR_LANES; l++)
                sum[l] += s->center[i] * (u[i * LR_LANES + l] - origin[l]);
        for (int l = 0; l < LR_LANES; l++) {
            mean[l] = origin[l] + sum[l] / s->center_sum;
            sum[l] = 0.0;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        double w = weight_at(s->weight, i);
        for (int l = 0; l < LR_LANES; l++) {
            double d = u[i * LR_LANES + l] - mean[l];
            sum[l] += w * (d * d);
        }
    }
    memcpy(out, sum, sizeof sum);
}

/* Adds the deviations of the samples from their class's `mean`, or their
 * squares, to `sum`, [class][LR_LANES]. */
static void add_deviations(const lr_classes *c, const double *u,
                           const double *mean, int squares, double *sum)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->class_of[i] < 0)
            continue;
        size_t at = (size_t)c->class_of[i] * LR_LANES;
        double d[LR_LANES];
        for (int l = 0; l < LR_LANES; l++)
            d[l] = u[i * LR_LANES + l] - mean[at + l];
        for (int l = 0; l < LR_LANES; l++)
            sum[at + l] += squares ? d[l] * d[l] : d[l];
    }
}

/* Means, then sums of squares of the classes, [class][LR_LANES]. */
static void class_sums(const lr_classes *c, const double *u, double *mean,
                       double *square)
{
    size_t size = c->n_classes * LR_LANES * sizeof(double);
    for (size_t k = 0; k < c->n_classes; k++)
        memcpy(mean + k * LR_LANES, u + c->first[k] * LR_LANES,
               LR_LANES * sizeof(double));
    memset(square, 0, size);
    add_deviations(c, u, mean, 0, square);
    for (size_t k = 0; k < c->n_classes; k++)
        for (int l = 0; l < LR_LANES; l++)
            mean[k * LR_LANES + l] += square[k * LR_LANES + l] / c->count[k];
    memset(square, 0, size);
    add_deviations(c, u, mean, 1, square);
}

static void combine_classes(const lr_classes *c, const double *mean,
                            const double *square, size_t width, double *out)
{
    for (size_t l = 0; l < width; l++) {
        double shift = 0.0, count = 0.0, between = 0.0, origin = mean[l];
        for (size_t k = 0; k < c->n_classes; k++) {
            shift += c->count[k] * (mean[k * width + l] - origin);
            count += c->count[k];
        }
        for (size_t k = 0; k < c->n_classes; k++) {
            double d = mean[k * width + l] - (origin + shift / count);
            between += c->count[k] * (d * d);
        }
        for (size_t f = 0; f < c->n_forms; f++) {
            double sum = 0.0;
            for (size_t k = 0; k < c->n_classes; k++)
                sum += c->coefficient[k + f * c->n_classes]
                    * square[k * width + l];
            out[f * width + l] = sum;
        }
        out[c->n_forms * width + l] = between;
    }
}

void lr_form_classes(const lr_classes *c, const double *u, double *out,
                     double *scratch)
{
    double *square = scratch + c->n_classes * LR_LANES;
    class_sums(c, u, scratch, square);
    combine_classes(c, scratch, square, LR_LANES, out);
}

/* Weighted means of the classes (from the plain ones) and weighted sums of
 * squares about them. */
static void add_weighted(const lr_classes *c, const double *weight,
                         const double *u, const double *mean,
                         const double *class_weight, double *weighted,
                         double *spread)
{
    memset(spread, 0, c->n_classes * LR_LANES * sizeof(double));
    for (size_t i = 0; i < c->n; i++) {
        if (c->class_of[i] < 0 || !(weight[i] > 0.0))
            continue;
        size_t k = (size_t)c->class_of[i];
        for (int l = 0; l < LR_LANES; l++)
            weighted[k * LR_LANES + l] += weight[i] / class_weight[k]
                * (u[i * LR_LANES + l] - mean[k * LR_LANES + l]);
    }
    for (size_t i = 0; i < c->n; i++) {
        if (c->class_of[i] < 0)
            continue;
        size_t at = (size_t)c->class_of[i] * LR_LANES;
        for (int l = 0; l < LR_LANES; l++) {
            double d = u[i * LR_LANES + l] - weighted[at + l];
            spread[at + l] += weight[i] * (d * d);
        }
    }
}

/* For class a and every other class b: each sample i of a meets all of b,
 *   sum_j (u_i - u_j)^2 = SS_b + n_b (u_i - mu_b)^2,
 * and with the weighted mean m_a and sum of squares T_a of class a
 *   sum_i w_i (u_i - mu_b)^2 = T_a + W_a (m_a - mu_b)^2. */
void lr_form_apart(const lr_classes *c, const double *weight,
                   const double *class_weight, const double *u, double *out,
                   double *scratch)
{
    size_t size = c->n_classes * LR_LANES;
    double *mean = scratch, *square = mean + size;
    double *weighted = square + size, *spread = weighted + size;
    class_sums(c, u, mean, square);
    memcpy(weighted, mean, size * sizeof(double));
    add_weighted(c, weight, u, mean, class_weight, weighted, spread);
    for (int l = 0; l < LR_LANES; l++) {
        double sum = 0.0;
        for (size_t a = 0; a < c->n_classes; a++)
            for (size_t b = 0; b < c->n_classes; b++) {
                if (a == b)
                    continue;
                double d = weighted[a * LR_LANES + l] - mean[b * LR_LANES + l];
                sum += class_weight[a] * square[b * LR_LANES + l]
                    + c->count[b] * (spread[a * LR_LANES + l]
                                     + class_weight[a] * (d * d));
            }
        out[l] = sum;
    }
}

/* ---- one sparse feature -------------------------------------------------- */

double lr_sparse_graph(const lr_graph *graph, const lr_sparse *f, double *work)
{
    double sum = 0.0;
    size_t n = graph->n;
    for (size_t e = 0; e < f->count; e++)
        work[f->row[e]] = f->u[e] - f->zero;
    for (size_t e = 0; e < f->count; e++) {
        size_t c = (size_t)f->row[e];
        double u = work[c];
        if (u == 0.0)
            continue; /* a stored cell that equals the others */
        size_t begin = graph->row ? (size_t)graph->start[c] : 0;
        size_t end = graph->row ? (size_t)graph->start[c + 1] : n;
        for (size_t a = begin; a < end; a++) {
            size_t r = graph->row ? (size_t)graph->row[a] : a;
            double w = !graph->weight ? 1.0
                : graph->weight[graph->row ? a : a + c * n];
            double d = u - work[r];
            /* an edge between two nonzero cells comes twice */
            if (r != c && !(work[r] != 0.0 && r > c))
                sum += w * (d * d);
        }
    }
    for (size_t e = 0; e < f->count; e++)
        work[f->row[e]] = 0.0;
    return sum;
}

static double sparse_mean(const lr_scatter *s, const lr_sparse *f)
{
    double origin = f->zero, shift = 0.0;
    size_t weighty = 0;
    for (size_t e = 0; e < f->count; e++)
        weighty += s->center[f->row[e]] > 0.0;
    for (size_t e = 0; weighty == s->center_count && e < f->count; e++)
        if (s->center[f->row[e]] > 0.0)
            origin = f->u[e]; /* no zero cell has a say */
    for (size_t e = 0; e < f->count; e++)
        shift += s->center[f->row[e]] * (f->u[e] - origin);
    return origin + shift / s->center_sum;
}

double lr_sparse_scatter(const lr_scatter *s, const lr_sparse *f)
{
    double mean = 0.0, sum = 0.0, seen = 0.0;
    if (s->center && s->center_count > 0)
        mean = sparse_mean(s, f);
    for (size_t e = 0; e < f->count; e++) {
        double w = weight_at(s->weight, (size_t)f->row[e]);
        double d = f->u[e] - mean;
        sum += w * (d * d);
        seen += w;
    }
    double rest = f->zero - mean;
    double left = s->weight_sum - seen;
    return sum + (left > 0.0 ? left * (rest * rest) : 0.0);
}

void lr_sparse_classes(const lr_classes *c, const lr_sparse *f, double *out,
                       double *scratch)
{
    double *mean = scratch, *square = mean + c->n_classes;
    double *seen = square + c->n_classes;
    memset(scratch, 0, 3 * c->n_classes * sizeof(double));
    for (size_t e = 0; e < f->count; e++)
        if (c->class_of[f->row[e]] >= 0) {
            seen[c->class_of[f->row[e]]] += 1.0;
            mean[c->class_of[f->row[e]]] = f->u[e];
        }
    for (size_t k = 0; k < c->n_classes; k++)
        if (seen[k] < c->count[k])
            mean[k] = f->zero;
    for (size_t e = 0; e < f->count; e++)
        if (c->class_of[f->row[e]] >= 0)
            square[c->class_of[f->row[e]]] +=
                f->u[e] - mean[c->class_of[f->row[e]]];
    for (size_t k = 0; k < c->n_classes; k++) {
        mean[k] += square[k] / c->count[k];
        double rest = f->zero - mean[k];
        square[k] = (c->count[k] - seen[k]) * (rest * rest);
    }
    for (size_t e = 0; e < f->count; e++) {
        int k = c->class_of[f->row[e]];
        if (k >= 0)
            square[k] += (f->u[e] - mean[k]) * (f->u[e] - mean[k]);
    }
    combine_classes(c, mean, square, 1, out);
}

/* ---- pairs of samples ---------------------------------------------------- */

void lr_add_squares(const int *first, const int *second, size_t n_pairs,
                    const double *u, double *value)
{
    for (size_t e = 0; e < n_pairs; e++) {
        const double *a = u + (size_t)first[e] * LR_LANES;
        const double *b = u + (size_t)second[e] * LR_LANES;
        for (int l = 0; l < LR_LANES; l++)
            value[e] += (a[l] - b[l]) * (a[l] - b[l]);
    }
}

void lr_add_products(const int *first, const int *second, size_t n_pairs,
                     const double *u, double *value)
{
    for (size_t e = 0; e < n_pairs; e++) {
        const double *a = u + (size_t)first[e] * LR_LANES;
        const double *b = u + (size_t)second[e] * LR_LANES;
        for (int l = 0; l < LR_LANES; l++)
            value[e] += a[l] * b[l];
    }
}
