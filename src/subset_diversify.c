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

/* ---- lists by row -------------------------------------------------------- */

void lr_diversity_list(const lr_diversity *d, lr_diversity_chunk *chunk)
{
    size_t n = d->n, *start = chunk->start, at = 0;
    memset(start, 0, (n + 1) * sizeof(size_t));
    chunk->listed = 0;
    for (size_t f = 0; f < chunk->count; f++) {
        const lr_slim_column *c = d->columns + chunk->first + f;
        if (!c->row)
            continue;
        chunk->listed++;
        for (size_t k = 0; k < c->count; k++)
            start[c->row[k] + 1]++;
    }
    chunk->left = chunk->listed;
    for (size_t i = 0; i < n; i++)
        start[i + 1] += start[i];
    /* each place is passed once, so start[i] ends as the beginning of row
     * i + 1, and is moved back */
    for (size_t f = 0; f < chunk->count; f++) {
        const lr_slim_column *c = d->columns + chunk->first + f;
        for (size_t k = 0; c->row && k < c->count; k++) {
            at = start[c->row[k]]++;
            chunk->column[at] = (int)f;
            chunk->value[at] = c->value[k];
        }
    }
    for (size_t i = n; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
}

/* Without the features that are chosen: they are compared with nothing. */
static void shorten(const lr_diversity *d, lr_diversity_chunk *chunk)
{
    const int *chosen = d->chosen + chunk->first;
    size_t from = 0, at = 0;
    for (size_t i = 0; i < d->n; i++) {
        size_t to = chunk->start[i + 1];
        for (size_t e = from; e < to; e++)
            if (!chosen[chunk->column[e]]) {
                chunk->column[at] = chunk->column[e];
                chunk->value[at++] = chunk->value[e];
            }
        from = to;
        chunk->start[i + 1] = at;
    }
    chunk->listed = chunk->left;
}

/* ---- correlations -------------------------------------------------------- */

static double gather(const lr_slim_column *sparse, const double *dense)
{
    double sum = 0.0;
    for (size_t k = 0; k < sparse->count; k++)
        sum += sparse->value[k] * dense[sparse->row[k]];
    return sum;
}

/* Adds the products of a sparse column with the sparse ones of a chunk. */
static void add_shared(const lr_diversity_chunk *chunk,
                       const lr_slim_column *last, double *sum)
{
    for (size_t k = 0; k < last->count; k++) {
        size_t to = chunk->start[last->row[k] + 1];
        double value = last->value[k];
        for (size_t e = chunk->start[last->row[k]]; e < to; e++)
            sum[chunk->column[e]] += value * chunk->value[e];
    }
}

/* r of `last` and another column, of which one is sparse; shared: of two. */
static double correlate(const lr_slim_column *last, const lr_slim_column *c,
                        double shared)
{
    if (last->row && c->row)
        return shared - last->mean * c->mean;
    return last->row ? gather(last, c->value) : gather(c, last->value);
}

static void take_in(const lr_diversity *d, size_t f, double r)
{
    double both = r * r > 1.0 - COPY ? 1.0 : r * r;
    if (both > d->redundant[f])
        d->redundant[f] = both;
}

/* The dense features of a chunk, two at a time, with a dense one. */
static void compare_dense(const lr_diversity *d,
                          const lr_diversity_chunk *chunk, const double *last)
{
    size_t waiting = d->p;
    double r[2];
    for (size_t f = chunk->first; f < chunk->first + chunk->count; f++) {
        if (d->chosen[f] || d->columns[f].row)
            continue;
        if (waiting == d->p) {
            waiting = f;
            continue;
        }
        lr_dot_two(d->columns[waiting].value, d->columns[f].value, last, d->n,
                   r);
        take_in(d, waiting, r[0]);
        take_in(d, f, r[1]);
        waiting = d->p;
    }
    if (waiting < d->p)
        take_in(d, waiting, lr_dot(d->columns[waiting].value, last, d->n));
}

static void compare(const lr_diversity *d, lr_diversity_chunk *chunk,
                    const lr_slim_column *last)
{
    double shared[LR_DIVERSITY_CHUNK] = {0.0};
    if (2 * chunk->left < chunk->listed)
        shorten(d, chunk);
    if (last->row)
        add_shared(chunk, last, shared);
    else
        compare_dense(d, chunk, last->value);
    for (size_t f = chunk->first; f < chunk->first + chunk->count; f++)
        if (!d->chosen[f] && (last->row || d->columns[f].row))
            take_in(d, f, correlate(last, d->columns + f,
                                    shared[f - chunk->first]));
}

void lr_diversity_update(const lr_diversity *d, lr_diversity_chunk *chunk,
                         const lr_slim_column *last)
{
    if (last)
        compare(d, chunk, last);
    chunk->most = -1.0;
    for (size_t f = chunk->first; f < chunk->first + chunk->count; f++) {
        double worth = d->relevance[f] * (1.0 - d->redundant[f]);
        if (!d->chosen[f] && worth > chunk->most) {
            chunk->most = worth;
            chunk->best = f;
        }
    }
}
