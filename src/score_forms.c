/* Quadratic forms of one feature or of LR_LANES, dense and sparse. */
#include "score_forms.h"

#include <math.h>
#include <string.h>

/* ==== along the edges of a graph ========================================== */

/* ---- features side by side ----------------------------------------------- */

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

void lr_form_graph(const lr_graph *g, const double *u, double *out)
{
    for (int l = 0; l < LR_LANES; l += LR_FOUR) {
        lr_four total = lr_zero_four();
        for (size_t begin = 0; begin < g->n; begin += LR_EDGE_BLOCK) {
            lr_four block = lr_zero_four();
            size_t end = begin + LR_EDGE_BLOCK;
            for (size_t c = begin; c < end && c < g->n; c++)
                if (!g->row || g->start[c] < g->start[c + 1])
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

/* ==== over samples ======================================================== */

/* ---- sums of squares -----------------------------------------------------
 *
 * Means are taken as differences from a value that is there, so that what is
 * constant has exactly variance 0: 0/0 and x/0 are then distinguished. */

/* The mean of `sum` deviations from `origin`, of `zeros` cells besides, and the
 * sum of squares about it: here dense and sparse data come together. */
static double mean_of(double origin, double sum, double zeros, double zero,
                      double count)
{
    return origin + (sum + zeros * (zero - origin)) / count;
}

static double squares_of(double sum, double zeros, double zero, double mean)
{
    double d = zero - mean;
    return sum + zeros * (d * d);
}

/* Adds d to the sums of the lanes, but for cells that are `zero`: without a
 * branch, as it cannot be foreseen which ones are. */
static inline void add_unless_zero(const double *restrict d,
                                   const double *restrict cell,
                                   const double *restrict zero,
                                   double *restrict sum)
{
    for (int l = 0; l < LR_LANES; l++) {
        double value = d[l]; /* read in either case: no branch */
        sum[l] += cell[l] != zero[l] ? value : 0.0;
    }
}

static void even_scatter(const lr_scatter *s, const double *u,
                         const double *zero, double *out)
{
    static const double ones[LR_LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
    double mean[LR_LANES], sum[LR_LANES] = {0.0}, others[LR_LANES] = {0.0};
    double d[LR_LANES], count = (double)s->n;
    for (size_t i = 0; i < s->n; i++) {
        const double *cell = u + i * LR_LANES;
        for (int l = 0; l < LR_LANES; l++)
            d[l] = cell[l] - u[l];
        add_unless_zero(d, cell, zero, sum);
        add_unless_zero(ones, cell, zero, others);
    }
    for (int l = 0; l < LR_LANES; l++) {
        mean[l] = mean_of(u[l], sum[l], count - others[l], zero[l], count);
        sum[l] = 0.0;
    }
    for (size_t i = 0; i < s->n; i++) {
        const double *cell = u + i * LR_LANES;
        for (int l = 0; l < LR_LANES; l++)
            d[l] = (cell[l] - mean[l]) * (cell[l] - mean[l]);
        add_unless_zero(d, cell, zero, sum);
    }
    for (int l = 0; l < LR_LANES; l++)
        out[l] = squares_of(sum[l], count - others[l], zero[l], mean[l]);
}

/* Adds weight (u - from), or its square, over the samples, SUM_BLOCK of them at
 * a time: the sums of blocks do not wait for each other. `width`: doubles from
 * a sample to the next one. */
enum { SUM_BLOCK = 16 };

static inline void add_weighted(const double *weight, const double *u,
                                size_t n, size_t width, const double *from,
                                int square, double *sum)
{
    for (size_t begin = 0; begin < n; begin += SUM_BLOCK) {
        size_t end = begin + SUM_BLOCK < n ? begin + SUM_BLOCK : n;
        double block[LR_LANES] = {0.0};
        for (size_t i = begin; i < end; i++) {
            double w = weight ? weight[i] : 1.0;
            for (size_t l = 0; l < width; l++) {
                double d = u[i * width + l] - from[l];
                block[l] += w * (square ? d * d : d);
            }
        }
        for (size_t l = 0; l < width; l++)
            sum[l] += block[l];
    }
}

/* Weights may differ by so much that none can be had as what the others leave
 * of their sum: every cell is visited, in sparse data too. */
static inline void weighted_scatter(const lr_scatter *s, const double *u,
                                    size_t width, double *out)
{
    double mean[LR_LANES] = {0.0}, sum[LR_LANES] = {0.0};
    if (s->center && s->center_count > 0) {
        const double *origin = u + s->center_first * width;
        add_weighted(s->center, u, s->n, width, origin, 0, sum);
        for (size_t l = 0; l < width; l++)
            mean[l] = origin[l] + sum[l] / s->center_sum;
    }
    memset(out, 0, width * sizeof(double));
    add_weighted(s->weight, u, s->n, width, mean, 1, out);
}

void lr_form_scatter(const lr_scatter *s, const double *u, const double *zero,
                     double *out)
{
    if (s->is_even)
        even_scatter(s, u, zero, out);
    else
        weighted_scatter(s, u, LR_LANES, out);
}

/* Adds the deviations of the samples from their class's `mean`, or their
 * squares, to `sum`, [class][LR_LANES], but for cells that are `zero`; `others`
 * (or NULL) counts the cells that are not. */
static void add_deviations(const lr_classes *c, const double *u,
                           const double *zero, const double *mean, double *sum,
                           double *others)
{
    static const double ones[LR_LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t i = 0; i < c->n; i++) {
        if (c->class_of[i] < 0)
            continue;
        size_t at = (size_t)c->class_of[i] * LR_LANES;
        const double *cell = u + i * LR_LANES;
        double d[LR_LANES];
        for (int l = 0; l < LR_LANES; l++)
            d[l] = cell[l] - mean[at + l];
        for (int l = 0; !others && l < LR_LANES; l++)
            d[l] *= d[l];
        add_unless_zero(d, cell, zero, sum + at);
        if (others)
            add_unless_zero(ones, cell, zero, others + at);
    }
}

/* Means, then sums of squares of the classes, [class][LR_LANES]. */
static void class_sums(const lr_classes *c, const double *u,
                       const double *zero, double *zeros, double *mean,
                       double *square)
{
    size_t size = c->n_classes * LR_LANES;
    memset(zeros, 0, size * sizeof(double));
    for (size_t k = 0; k < c->n_classes; k++)
        memcpy(mean + k * LR_LANES, u + c->first[k] * LR_LANES,
               LR_LANES * sizeof(double));
    memset(square, 0, size * sizeof(double));
    add_deviations(c, u, zero, mean, square, zeros);
    for (size_t at = 0; at < size; at++) {
        zeros[at] = c->count[at / LR_LANES] - zeros[at];
        mean[at] = mean_of(mean[at], square[at], zeros[at],
                           zero[at % LR_LANES], c->count[at / LR_LANES]);
    }
    memset(square, 0, size * sizeof(double));
    add_deviations(c, u, zero, mean, square, NULL);
    for (size_t at = 0; at < size; at++)
        square[at] = squares_of(square[at], zeros[at], zero[at % LR_LANES],
                                mean[at]);
}

static void combine_classes(const lr_classes *c, const double *mean,
                            const double *square, size_t width, double *out)
{
    for (size_t l = 0; l < width; l++) {
        double shift = 0.0, count = 0.0, origin = mean[l];
        double within = 0.0, between = 0.0;
        for (size_t k = 0; k < c->n_classes; k++) {
            shift += c->count[k] * (mean[k * width + l] - origin);
            count += c->count[k];
        }
        for (size_t k = 0; k < c->n_classes; k++) {
            double d = mean[k * width + l] - (origin + shift / count);
            between += c->count[k] * (d * d);
            within += c->coefficient[k] * square[k * width + l];
        }
        out[l] = within;
        out[width + l] = between;
    }
}

void lr_form_classes(const lr_classes *c, const double *u, const double *zero,
                     double *out, double *scratch)
{
    double *square = scratch + c->n_classes * LR_LANES;
    double *zeros = square + c->n_classes * LR_LANES;
    class_sums(c, u, zero, zeros, scratch, square);
    combine_classes(c, scratch, square, LR_LANES, out);
}

/* Weighted means of the classes (from the plain ones) and weighted sums of
 * squares about them. */
static void add_weighted_classes(const lr_classes *c, const double *weight,
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
void lr_form_different(const lr_classes *c, const double *weight,
                   const double *class_weight, const double *u,
                   const double *zero, double *out, double *scratch)
{
    size_t size = c->n_classes * LR_LANES;
    double *mean = scratch, *square = mean + size;
    double *weighted = square + size, *spread = weighted + size;
    class_sums(c, u, zero, spread + size, mean, square);
    memcpy(weighted, mean, size * sizeof(double));
    add_weighted_classes(c, weight, u, mean, class_weight, weighted, spread);
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

static double sparse_even(const lr_scatter *s, const lr_sparse *f)
{
    int first = f->count > 0 && f->row[0] == 0;
    double origin = first ? f->u[0] : f->zero;
    double sum = 0.0, zeros = (double)s->n;
    for (size_t e = 0; e < f->count; e++)
        if (f->u[e] != f->zero) {
            sum += f->u[e] - origin;
            zeros -= 1.0;
        }
    double mean = mean_of(origin, sum, zeros, f->zero, s->center_sum);
    sum = 0.0;
    for (size_t e = 0; e < f->count; e++) {
        double d = f->u[e] - mean;
        sum += f->u[e] == f->zero ? 0.0 : d * d;
    }
    return squares_of(sum, zeros, f->zero, mean);
}

double lr_sparse_scatter(const lr_scatter *s, const lr_sparse *f)
{
    double sum;
    if (s->is_even)
        return sparse_even(s, f);
    weighted_scatter(s, f->all, 1, &sum);
    return sum;
}

void lr_sparse_classes(const lr_classes *c, const lr_sparse *f, double *out,
                       double *scratch)
{
    double *mean = scratch, *square = mean + c->n_classes;
    double *zeros = square + c->n_classes;
    memset(square, 0, c->n_classes * sizeof(double));
    for (size_t k = 0; k < c->n_classes; k++) {
        mean[k] = f->zero;
        zeros[k] = c->count[k];
    }
    for (size_t e = 0; e < f->count; e++) {
        int k = c->class_of[f->row[e]];
        if (k >= 0 && (size_t)f->row[e] == c->first[k])
            mean[k] = f->u[e]; /* before any other cell of its class */
        if (k >= 0 && f->u[e] != f->zero) {
            square[k] += f->u[e] - mean[k];
            zeros[k] -= 1.0;
        }
    }
    for (size_t k = 0; k < c->n_classes; k++) {
        mean[k] = mean_of(mean[k], square[k], zeros[k], f->zero, c->count[k]);
        square[k] = 0.0;
    }
    for (size_t e = 0; e < f->count; e++) {
        int k = c->class_of[f->row[e]];
        if (k >= 0 && f->u[e] != f->zero)
            square[k] += (f->u[e] - mean[k]) * (f->u[e] - mean[k]);
    }
    for (size_t k = 0; k < c->n_classes; k++)
        square[k] = squares_of(square[k], zeros[k], f->zero, mean[k]);
    combine_classes(c, mean, square, 1, out);
}

/* ---- pairs of samples ---------------------------------------------------- */

void lr_add_pairs(const int *first, const int *second, size_t n_pairs,
                  const double *u, int products, double *value)
{
    for (size_t e = 0; e < n_pairs; e++) {
        const double *a = u + (size_t)first[e] * LR_LANES;
        const double *b = u + (size_t)second[e] * LR_LANES;
        for (int l = 0; l < LR_LANES; l++)
            value[e] += products ? a[l] * b[l] : (a[l] - b[l]) * (a[l] - b[l]);
    }
}
