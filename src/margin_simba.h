#pragma once

#include "constraints.h"
#include "lr_difference.h"

/* Simba and Simba-Sc (Alg. 2.3 and 3.3 [Hijazi 2019]): stochastic gradient
 * ascent of margins in a space whose features are weighted, so that neighbours
 * are looked for again in every step, and for every start on its own.
 *
 * All starts take their steps together: what they ask of the same sample in the
 * same step uses one pass over the data. A weighted squared distance is
 *     sum_f (u_af - u_bf)^2 w_f^2
 * in column order, one addition each, so its bits depend neither on how starts
 * use the same pass, nor on threads nor on the instruction set. */

/* ---- the search ---------------------------------------------------------- */

/* Scaled samples, NaN = missing, twice: packed for the search, [block of
 * `width` samples][feature][width] with 0 beyond the last sample, and sample by
 * sample for the steps. width is a multiple of LR_SIMBA_ROWS. */
typedef struct {
    size_t n, p, width;
    const double *packed;
    const double *samples;     /* [n][p] */
    const int *run;            /* per feature, from lr_simba_runs() */
    const lr_scaling *scaling; /* `expected` set */
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
        const double *expected = d->scaling->expected[feature];
        ea = expected[lr_table_of(d->scaling, b) * d->n + a];
        eb = expected[lr_table_of(d->scaling, a) * d->n + b];
    }
    return lr_difference(lr_simba_sample(d, a)[feature],
                         lr_simba_sample(d, b)[feature], ea, eb, rule);
}

/* ---- the steps ----------------------------------------------------------- */

/* Part of a step: adds factor (u_a - u_b)^2 / sqrt(square) to the relative
 * change of each weight. */
typedef struct {
    int a, b;
    double factor, square; /* square: the weighted squared distance */
} lr_simba_part;

/* factor / the norm, to whose square `more` is added; a zero norm gives 0. */
static inline double lr_simba_factor(const lr_simba_part *part, double more)
{
    double norm = sqrt(part->square + more);
    return norm > 0.0 ? part->factor / norm : 0.0;
}

enum { LR_SIMBA_PARTS = 4 };

/* One start's weights and its present step. */
typedef struct {
    double *w, *squares; /* p each: weights and their squares */
    double *change;      /* p: relative changes of the weights */
    double largest;      /* of the squares */
    lr_simba_part parts[LR_SIMBA_PARTS];
    size_t n_parts;
} lr_simba_start;

/* Changes of the features from .. to - 1: sums over the parts. Cost: (to -
 * from) n_parts. */
void lr_simba_changes(const lr_simba_data *data, lr_simba_start *start,
                      size_t from, size_t to);

/* That of one feature. own_square: its w_f^2 where the distances of the parts
 * lack it, else 0. */
void lr_simba_change(const lr_simba_data *data, lr_simba_start *start,
                     size_t feature, double own_square);

/* w_f += w_f change_f for all features; their squares, and the largest. */
void lr_simba_update(lr_simba_start *start, size_t p);

/* w <- w^2 / max(w^2) (step 3), and its squares; 0 when all weights are. */
void lr_simba_normalise(lr_simba_start *start, size_t p);

/* What a step visits: samples with a class (`second` NULL), or pairs. */
typedef struct {
    const int *first, *second; /* samples */
    const int *class_of;       /* with samples: classes, -1 = unlabelled */
    const lr_links *links;     /* with pairs: NULL = hits among all samples */
    int both;                  /* with pairs: average the two directions? */
    const double *weight;      /* of each pair; NULL: 1 */
} lr_simba_visits;

/* Samples whose distances visit `v` needs: 1 or 2. */
size_t lr_simba_ask(const lr_simba_visits *visits, size_t v, int samples[2]);

/* The parts of a step from the distances of those samples, and its margin
 *     |x_n - miss|_w - |x_n - hit|_w         (2.25, 3.18)
 * where the miss of a pair is the hit of its other end. A zero norm, and a
 * sample that is not there, contribute 0. The step and the margin of a pair are
 * multiplied by its weight. */
double lr_simba_answer(const lr_simba_visits *visits, size_t v, size_t n,
                       const double *const distance[2], lr_simba_start *start);

/* Hit of an end point: nearest of its must-link group, else the nearest sample
 * that is not cannot-linked to it; links NULL: the nearest of all. -1: none. */
int lr_simba_hit(const double *distance, size_t n, int end,
                 const lr_links *links);

/* Margin of pair v from the hits of its ends (per sample, -1: none). */
double lr_simba_pair_margin(const lr_simba_data *data,
                            const lr_simba_visits *visits, size_t v,
                            const double *squares, const int *hit);
