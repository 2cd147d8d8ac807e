#ifndef LR_MARGIN_SIMBA_SEARCH_H
#define LR_MARGIN_SIMBA_SEARCH_H

#include "lr_difference.h"
#include "lr_matrix.h"

/* Scaled samples, NaN = missing, twice: packed for the search, [block of
 * `width` samples][feature][width] with 0 beyond the last sample, and sample by
 * sample for the steps. width is a multiple of LR_SIMBA_ROWS. */
typedef struct {
    size_t n, p, width;
    const double *packed;
    const double *samples;     /* [n][p] */
    const int *run;            /* per feature, from lr_simba_runs() */
    const lr_scaling *scaling;
    const double *expected;    /* [feature with missing cells][table][n] */
    const size_t *expected_at; /* per feature: which of these */
    lr_level level;
} lr_simba_data;

enum { LR_SIMBA_ROWS = 16, LR_SIMBA_FEATURES = 256 };

/* Plain features from each one on, at most LR_SIMBA_FEATURES; 0 for one that
 * is not plain. */
void lr_simba_runs(const lr_scaling *scaling, size_t p, int *run);

/* Distances of one sample to all others with one start's weights. */
typedef struct {
    int sample;
    const double *squares; /* w_f^2, p */
    double *distance;      /* n rounded up to `width`, set by the search */
} lr_simba_query;

/* Answers queries for the rows from .. to - 1,
 * multiples of LR_SIMBA_ROWS. Cost: (to - from) p for each. */
void lr_simba_search(const lr_simba_data *data, const lr_simba_query *queries,
                     size_t n_queries, size_t from, size_t to);

/* Weighted squared distance of two samples. */
double lr_simba_distance(const lr_simba_data *data, const double *squares,
                         size_t a, size_t b);

static inline const double *lr_simba_sample(const lr_simba_data *d,
                                            size_t sample)
{
    return d->samples + sample * d->p;
}

/* Of a feature that is a category or has missing cells. */
static inline double lr_simba_difference(const lr_simba_data *d,
                                         size_t feature, const lr_rule *rule,
                                         size_t a, size_t b)
{
    double ea = 0.0, eb = 0.0;
    if (a == b)
        return 0.0; /* in a missing cell too: one unknown value is not two */
    if (d->scaling->missing[feature] > 0) {
        const double *expected = d->expected
            + d->expected_at[feature] * lr_class_tables(d->scaling) * d->n;
        ea = expected[lr_table_of(d->scaling, b) * d->n + a];
        eb = expected[lr_table_of(d->scaling, a) * d->n + b];
    }
    return lr_difference(lr_simba_sample(d, a)[feature],
                         lr_simba_sample(d, b)[feature], ea, eb, rule);
}

#endif
