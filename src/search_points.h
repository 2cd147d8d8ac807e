/* Nearest samples in few dimensions. The samples are put into leaves of near
 * ones, and a bundle of leaves meets all leaves behind its own, once for both
 * sides. A leaf that is farther away than all neighbours so far is left out.
 * Else distances are computed in floats up to a proven bound, and in doubles
 * only where the bound does not tell that they are too large.
 *
 * Bound. a and b are two samples less a centre in the bundle, rounded to
 * floats, A and B their squared lengths, D their squared distance, eta = 2^-24.
 * With f, the sum in floats of B / 2 - sum_j a_j b_j,
 *     D / 2 >= f + A / 2 - (1.6 p + 8) eta (A + B):
 * rounding a and b moves D by at most 6.1 eta (A + B), and a sum in floats of
 * p + 1 terms is within (p + 2) eta of the sum of their sizes, of which the
 * products have at most (A + B) / 2; B / 2 has such an error too. Double sums
 * add less than 1e-12 D. So with e = (2 p + 16) eta, which stands for all of
 * that, D is above a limit when f, begun with B (1/2 - e), is above
 * limit / 2 - A (1/2 - e). Floats that vanish: less than p 2^-124 (1 + extent)
 * where no coordinate differs by more than the extent. */
#pragma once

#include "search_lists.h"

enum {
    LR_LEAF = 64,    /* samples of a leaf */
    LR_LEAVES = 4,   /* of a bundle */
    LR_BUNDLE = LR_LEAF * LR_LEAVES,
    LR_POINTS = 64   /* most dimensions */
};

/* All samples, in order of leaves. */
typedef struct {
    size_t p, n_leaves;
    double extent;      /* largest difference of a coordinate */
    double *cells;      /* [leaf][dimension][LR_LEAF], 0 beyond the last */
    double *low, *high; /* [leaf][dimension]: where its samples are */
    int *sample;        /* [leaf][LR_LEAF] */
    int *count;         /* of each leaf */
    int *list;          /* that takes its samples, of whichever sample */
    double *reach;      /* [list][leaf]: not below the largest distance that one
                         * of its samples takes; infinite at first */
} lr_leaves;

/* Orders samples of coordinates u (n x p by columns) so that each LR_LEAF of
 * them are near each other, by halves along the dimension in which they vary
 * most.
 * Cost: p count log(count / LR_LEAF). */
void lr_order_points(const double *u, size_t n, size_t p, int *sample,
                     size_t count);

/* Fills in leaf number `leaf`, whose samples and count are there. */
void lr_fill_leaf(lr_leaves *leaves, size_t leaf, const double *u, size_t n);

/* Leaves whose samples are of one list, all but the last full; every array is
 * scratch of one thread and begins with a line of the cache. */
typedef struct {
    float packed[LR_BUNDLE * LR_POINTS]; /* [group of 4][dimension][4] */
    float least_own[LR_BUNDLE]; /* not above `own` */
    float limit[LR_BUNDLE];     /* a larger f is too far */
    float rows[LR_LEAF * LR_POINTS], half[LR_LEAF]; /* of the leaf:
                                   [dimension][LR_LEAF], LR_LEAF; */
    float row_limit[LR_LEAF];   /*   a larger f + least_own is too far */
    float screened[4 * LR_LEAF]; /* f of each of 4 samples */
    double own[LR_BUNDLE];      /* A (1/2 - e) */
    double low[LR_POINTS], high[LR_POINTS], centre[LR_POINTS];
    size_t first, n_leaves;     /* leaves, */
    size_t count;               /*   and their samples */
    int list;                   /* of the leaf that was met last, -1: none */
    double reach;               /* the largest distance that a list may take */
} __attribute__((aligned(64))) lr_bundle;

/* Prepares the bundle whose leaves are given. */
void lr_begin_bundle(lr_bundle *bundle, const lr_leaves *leaves);

/* Offers to each other the samples of the bundle and of a leaf behind it, or,
 * of one in it, the leaf's to the bundle's. No other thread writes to their
 * lists.
 * Cost: 2 LR_LEAF operations in floats for each sample and dimension. */
void lr_meet_leaf(lr_bundle *bundle, const lr_leaves *leaves, size_t leaf,
                  lr_lists *lists, lr_level level);
