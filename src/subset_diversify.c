/* Redundancy of a feature with the ones chosen before it. */
#include "subset_diversify.h"

#include <math.h>
#include <string.h>

#include "graph_correlation.h"
#include "lr_products.h"

#define COPY 1e-12 /* 1 - r^2 below this is rounding: nothing new is in it */

/* ---- columns ------------------------------------------------------------- */

lr_slim_column lr_slim_of(const double *u, size_t n, double zero, size_t count,
                          int *row, double *value)
{
    lr_slim_column c = {n, NULL, value, 0.0};
    double sum = 0.0, squares = 0.0;
    if (!lr_is_slim(count, n)) {
        memcpy(value, u, n * sizeof(double));
        lr_standardize(value, n);
        return c;
    }
    c.count = 0;
    c.row = row;
    for (size_t i = 0; i < n; i++)
        if (u[i] != zero) {
            row[c.count] = (int)i;
            value[c.count] = u[i] - zero;
            sum += value[c.count++];
        }
    double mean = sum / (double)n;
    for (size_t k = 0; k < c.count; k++)
        squares += (value[k] - mean) * (value[k] - mean);
    squares += (double)(n - c.count) * mean * mean;
    double length = sqrt(squares);
    for (size_t k = 0; k < c.count; k++)
        value[k] = length > 0.0 ? value[k] / length : 0.0;
    c.mean = length > 0.0 ? mean / length * sqrt((double)n) : 0.0;
    return c;
}

/* ---- correlations -------------------------------------------------------- */

/* Products of a sparse column with dense ones: the sum of one need not wait
 * for those of the others. */
static void gather(const lr_slim_column *sparse, const double *const *dense,
                   double *sum)
{
    const double *a = dense[0], *b = dense[1], *c = dense[2], *d = dense[3];
    double of_a = 0.0, of_b = 0.0, of_c = 0.0, of_d = 0.0;
    for (size_t k = 0; k < sparse->count; k++) {
        double value = sparse->value[k];
        int i = sparse->row[k];
        of_a += value * a[i];
        of_b += value * b[i];
        of_c += value * c[i];
        of_d += value * d[i];
    }
    sum[0] = of_a;
    sum[1] = of_b;
    sum[2] = of_c;
    sum[3] = of_d;
}

static void take_in(double *most, int feature, double r)
{
    double *own = most + feature % LR_DIVERSITY_CHUNK;
    *own = fmax(*own, r * r);
}

/* Dense columns of some features (of the chunk: is_own) with others, of which
 * the dense ones are left out unless is_own; four at a time, at the end some of
 * them again. */
static void compare_dense(const lr_diversity *d, const int *some,
                          size_t n_some, const int *with, size_t n_with,
                          int is_own, double *most)
{
    int dense[LR_DIVERSITY_CHUNK];
    size_t count = 0;
    for (size_t k = 0; k < n_some; k++)
        if (!d->columns[some[k]].row)
            dense[count++] = some[k];
    for (size_t at = 0; at < count; at += LR_DOTS) {
        double r[LR_DOTS];
        const double *four[LR_DOTS];
        for (size_t l = 0; l < LR_DOTS; l++)
            four[l] = d->columns[dense[(at + l) % count]].value;
        for (size_t k = 0; k < n_with; k++) {
            const lr_slim_column *c = d->columns + with[k];
            if (c->row)
                gather(c, four, r);
            else if (is_own)
                lr_dot_four(four, c->value, d->n, r);
            else
                continue;
            for (size_t l = 0; l < LR_DOTS; l++)
                take_in(most, is_own ? dense[(at + l) % count] : with[k],
                        r[l]);
        }
    }
}

/* Sparse columns of the chunk with a sparse one. */
static void compare_sparse(const lr_diversity *d,
                           const lr_diversity_chunk *chunk,
                           const lr_slim_column *other, double *most)
{
    double sum[LR_DIVERSITY_CHUNK] = {0.0};
    for (size_t k = 0; k < other->count; k++) {
        int to = chunk->start[other->row[k] + 1];
        double value = other->value[k];
        for (int e = chunk->start[other->row[k]]; e < to; e++)
            sum[chunk->column[e]] += value * chunk->value[e];
    }
    for (size_t f = 0; f < chunk->count; f++) {
        const lr_slim_column *c = d->columns + chunk->first + f;
        if (c->row)
            take_in(most, (int)f, sum[f] - other->mean * c->mean);
    }
}

void lr_diversity_compare(const lr_diversity *d,
                          const lr_diversity_chunk *chunk, const int *chosen,
                          size_t count, double *most)
{
    int own[LR_DIVERSITY_CHUNK];
    size_t open = 0;
    memset(most, 0, LR_DIVERSITY_CHUNK * sizeof(double));
    for (size_t f = chunk->first; f < chunk->first + chunk->count; f++)
        if (d->redundant[f] < INFINITY)
            own[open++] = (int)f;
    compare_dense(d, own, open, chosen, count, 1, most);
    compare_dense(d, chosen, count, own, open, 0, most);
    for (size_t k = 0; k < count; k++)
        if (d->columns[chosen[k]].row)
            compare_sparse(d, chunk, d->columns + chosen[k], most);
}

void lr_diversity_best(const lr_diversity *d, lr_diversity_chunk *chunk,
                       const double *most, size_t strips)
{
    chunk->most = -1.0;
    for (size_t f = chunk->first; f < chunk->first + chunk->count; f++) {
        double *redundant = d->redundant + f;
        for (size_t k = 0; k < strips; k++)
            *redundant = fmax(*redundant, most[k * LR_DIVERSITY_CHUNK
                                               + f - chunk->first]);
        double left = *redundant > 1.0 - COPY ? 0.0 : 1.0 - *redundant;
        if (*redundant < INFINITY && d->relevance[f] * left > chunk->most) {
            chunk->most = d->relevance[f] * left;
            chunk->best = f;
        }
    }
}
