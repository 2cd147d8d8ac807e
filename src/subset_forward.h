#pragma once

#include "lr.h"

/* The score of a feature subset (32-39) [Salmi et al. 2020],
 *     eps(F) = sum over pairs of (w_ij(F) - t_ij)^2,
 *     w_ij(F) = exp(-sum_{f in F} (u_if - u_jf)^2 / (2 sigma^2)),
 * and its forward selection: the kernel of F and a candidate f is the product
 * of w_ij(F) and e_ij = exp(-(u_if - u_jf)^2 / (2 sigma^2)).
 *
 * Two ways to the score of a candidate. The exact one is plain double
 * arithmetic with the library's exp(), one addition each in the order of the
 * lists: its value is the score. lr_subset_screen() scores LR_CANDIDATES
 * candidates side by side in single precision, and tells how far it may be
 * from that; only candidates that could be the best are then computed
 * exactly, so the order of the features, ties included, is that of the exact
 * scores alone. */

enum { LR_CANDIDATES = 16 }; /* candidates that meet the pairs together */

/* Pairs by column: partners i < j of sample j, first those that belong
 * together (target 1), then the others (target 0). */
typedef struct {
    size_t samples;
    const size_t *start;    /* samples + 1 */
    const size_t *must_end; /* per sample: first partner with target 0 */
    const int *partner;
} lr_pair_lists;

/* A feature as scaled values; a category differs by 0 or 1. */
typedef struct {
    const double *u;
    int category;
} lr_candidate;

/* w_ij e_ij of the pairs of samples from .. to - 1 with those before them, and
 * the sum over all lists of (w_ij - t_ij)^2, in their order: the two make
 * the exact score. `width` is 2 sigma^2; w and next have one entry per pair.
 * Cost: one exp() a pair. */
void lr_subset_product(const lr_pair_lists *pairs, lr_candidate f,
                       double width, const double *w, size_t from, size_t to,
                       double *next);
double lr_subset_sum(const lr_pair_lists *pairs, const double *w);

/* squares_ij += (u_if - u_jf)^2: of the set of all features so added
 * w_ij = exp(-squares_ij / width), for any width. */
void lr_subset_squares(const lr_pair_lists *pairs, lr_candidate f,
                       double *squares);

/* ---- screening ----------------------------------------------------------- */

/* A kernel is 2^(-(v_i - v_j)^2), v the scaled value less the middle of its
 * range, over sqrt(2 log 2) sigma. Returns the relative error of one in single
 * precision; INFINITY where the range is too wide for it, and every candidate
 * needs the exact score. `half`: half the largest range of a candidate's u over
 * sqrt(2) sigma. */
double lr_screen_error(double half);

/* v of some candidates, [sample][LR_CANDIDATES]; 0 beyond the last one.
 * Categories are left out as constants: they need the exact score. */
void lr_pack_candidates(const lr_candidate *f, size_t count, size_t samples,
                        double width, float *v);

/* Kernels in single precision; those too small to matter become 0. Returns
 * how much they could add to a score in all. */
double lr_narrow_kernels(const lr_pair_lists *pairs, const double *w,
                         float *narrow);

/* Scores of a pack less the number of pairs with target 1, and bounds of
 * their distance from the exact scores.
 * error         from lr_screen_error()
 * narrow, lost  from lr_narrow_kernels()
 * Cost: about 20 operations a pair and candidate, no exp(). */
typedef struct {
    const float *v, *narrow;
    double error, lost;
} lr_screen_pack;

void lr_subset_screen(const lr_pair_lists *pairs, const lr_screen_pack *pack,
                      lr_level level, double *score, double *bound);
