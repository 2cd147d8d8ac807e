/* The greedy order of sparse and dense columns against the definition. */
#include "subset_diversify.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "random.h"

enum { N = 24 };

static double naive_correlation(const double *a, const double *b)
{
    double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < N; i++) {
        ma += a[i] / N;
        mb += b[i] / N;
    }
    for (int i = 0; i < N; i++) {
        ab += (a[i] - ma) * (b[i] - mb);
        aa += (a[i] - ma) * (a[i] - ma);
        bb += (b[i] - mb) * (b[i] - mb);
    }
    return aa > 1e-20 && bb > 1e-20 ? ab / sqrt(aa * bb) : 0.0;
}

/* Every third column dense, the others with up to N / 4 entries; copies, also
 * in another unit, and constant ones. */
static void fill(double *u, size_t p)
{
    for (size_t j = 0; j < p; j++) {
        double *x = u + j * N;
        for (int i = 0; i < N; i++)
            x[i] = j % 3 == 0 ? 5.0 + random_unit() : 2.0;
        for (int k = 0; j % 3 && k < N / 4; k++)
            x[random_below(N)] += random_unit();
        for (int i = 0; i < N; i++) {
            if (j % 11 == 7)
                x[i] = 3.0 * u[(j - 3) * N + (size_t)i] - 4.0;
            if (j % 13 == 5)
                x[i] = 0.0;
        }
    }
}

/* The value that most cells have; of a dense column none has it. */
static double common(const double *x)
{
    for (int i = 0; i < N; i++) {
        size_t same = 0;
        for (int k = 0; k < N; k++)
            same += x[k] == x[i];
        if (2 * same > N)
            return x[i];
    }
    return -1.0;
}

static lr_slim_column column_of(const double *x)
{
    size_t count = 0;
    double zero = common(x);
    for (int i = 0; i < N; i++)
        count += x[i] != zero;
    int slim = lr_is_slim(count, N);
    lr_slim_column c = lr_slim_of(x, N, zero, count, slim ? integers(N) : NULL,
                                  doubles(N));
    CHECK_INT(c.row != NULL, slim);
    return c;
}

static void list_by_row(const lr_diversity *d, lr_diversity_chunk *chunk)
{
    int at = 0;
    for (int i = 0; i < N; i++) {
        chunk->start[i] = at;
        for (size_t f = 0; f < chunk->count; f++) {
            const lr_slim_column *c = d->columns + chunk->first + f;
            for (size_t k = 0; c->row && k < c->count; k++)
                if (c->row[k] == i) {
                    chunk->column[at] = (int)f;
                    chunk->value[at++] = c->value[k];
                }
        }
    }
    chunk->start[N] = at;
}

static lr_diversity open_case(const double *u, double *relevance, size_t p)
{
    size_t n_chunks = (p + LR_DIVERSITY_CHUNK - 1) / LR_DIVERSITY_CHUNK;
    lr_slim_column *columns = malloc(p * sizeof *columns);
    lr_diversity d = {N, p, columns, relevance, doubles(p),
                      malloc(n_chunks * sizeof(lr_diversity_chunk))};
    for (size_t f = 0; f < p; f++) {
        columns[f] = column_of(u + f * N);
        d.redundant[f] = 0.0;
    }
    for (size_t k = 0; k < n_chunks; k++) {
        size_t first = k * LR_DIVERSITY_CHUNK, left = p - first;
        lr_diversity_chunk c = {
            first, left < LR_DIVERSITY_CHUNK ? left : LR_DIVERSITY_CHUNK,
            integers(N + 1), integers(N * LR_DIVERSITY_CHUNK),
            doubles(N * LR_DIVERSITY_CHUNK), 0, -1.0, 0};
        d.chunks[k] = c;
        list_by_row(&d, d.chunks + k);
        lr_diversity_best(&d, d.chunks + k, NULL, 0);
    }
    return d;
}

static void close_case(lr_diversity *d)
{
    for (size_t f = 0; f < d->p; f++) {
        free((void *)d->columns[f].row);
        free((void *)d->columns[f].value);
    }
    for (size_t k = 0; k * LR_DIVERSITY_CHUNK < d->p; k++) {
        free(d->chunks[k].start);
        free(d->chunks[k].column);
        free(d->chunks[k].value);
    }
    free((void *)d->columns);
    free(d->redundant), free(d->chunks);
}

/* The next feature; chunks are compared with up to three features, in two
 * strips, as soon as they lead. */
static size_t take_next(lr_diversity *d, const int *order, size_t count,
                        double *worth)
{
    double most[2 * LR_DIVERSITY_CHUNK];
    for (;;) {
        lr_diversity_chunk *lead = d->chunks;
        for (size_t k = 1; k * LR_DIVERSITY_CHUNK < d->p; k++)
            if (d->chunks[k].most > lead->most)
                lead = d->chunks + k;
        size_t left = count - lead->seen, first = left > 2 ? 2 : left;
        if (left == 0) {
            size_t best = lead->best;
            *worth = lead->most;
            d->redundant[best] = INFINITY;
            lr_diversity_best(d, lead, NULL, 0);
            return best;
        }
        lr_diversity_compare(d, lead, order + lead->seen, first, most);
        lr_diversity_compare(d, lead, order + lead->seen + first, left > 2,
                             most + LR_DIVERSITY_CHUNK);
        lead->seen += first + (left > 2);
        lr_diversity_best(d, lead, most, 2);
    }
}

static void check_order(size_t p)
{
    double *u = doubles(N * p), *relevance = doubles(p), *worst = doubles(p);
    double most = 0.0;
    int *order = integers(p);
    fill(u, p);
    for (size_t f = 0; f < p; f++) {
        relevance[f] = f % 5 == 0 ? 1e-4 : 1.0 - (double)f / (double)(2 * p);
        worst[f] = 0.0;
    }
    lr_diversity d = open_case(u, relevance, p);
    for (size_t step = 0; step < p; step++) {
        double want = -1.0;
        size_t got = take_next(&d, order, step, &most);
        for (size_t f = 0; f < p; f++)
            if (d.redundant[f] < INFINITY || f == got)
                want = fmax(want, relevance[f] * (1.0 - worst[f]));
        CHECK_NEAR(most, want, 1e-12);
        CHECK_NEAR(relevance[got] * (1.0 - worst[got]), want, 1e-12);
        for (size_t f = 0; f < p; f++) {
            double r = naive_correlation(u + f * N, u + got * N);
            worst[f] = fmax(worst[f], r * r > 1.0 - 1e-12 ? 1.0 : r * r);
        }
        order[step] = (int)got;
    }
    close_case(&d);
    free(u), free(relevance), free(worst), free(order);
}

int main(void)
{
    for (int trial = 0; trial < 6; trial++) {
        check_order(1);
        check_order(20 + (size_t)random_below(60));
    }
    check_order(LR_DIVERSITY_CHUNK + 40);
    return check_report();
}
