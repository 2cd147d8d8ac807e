#pragma once

#include "constraints.h"

/* Significance of margins by relabelled samples (methods: 14). In a set every
 * sample of the constraints is replaced by another one; which of them are
 * joined or kept apart stays. */

/* ---- neighbours in one set ----------------------------------------------- */

/* links   of the constraints as given, without `side`; NULL: no neighbour is
 *         preferred or left out
 * block   of each sample, -1 = none, or NULL: neighbours in other blocks do not
 *         count
 * to      n: the sample that replaces each sample of the constraints
 * component  n: of each relabelled sample the component of the sample whose
 *         place it has, of several the last; -1 = no sample of the constraints
 *         became this one */
typedef struct {
    const lr_links *links;
    const int *block;
    int *to;
    int *component;
} lr_relabelled;

/* The k hits of sample `base`, relabelled: first members of its component, then
 * others that are not cannot-linked to it, each sample once, both nearest
 * first, except that a component whose other members are at most k in the order
 * of `links`, because all of them are hits. near the samples nearest to
 * to[base], nearest first: all of its block if
 *        its component has more than k other members, else k more than are
 *        joined to or kept from it
 * Returns how many there are. Cost: O(n_near log(links of a component)). */
size_t lr_relabelled_hits(const lr_relabelled *set, int base, const int *near,
                          size_t n_near, size_t k, int *hits);

/* ---- what the margins of all sets say ------------------------------------ */

/* Some of the sets: margin z of set b and feature f at z[f * n_sets + b]. */
typedef struct {
    size_t n_sets;
    const double *z;
} lr_set_margins;

/* All sets. The first chunk is one set, z_0, of the constraints as given. A
 * margin that is not farther from z_0 than `rounding` counts as equal. */
typedef struct {
    size_t n_chunks;
    const lr_set_margins *chunk;
    const double *rounding;
} lr_all_margins;

/* Of a feature over the sets: mean and standard deviation of z - z_0 (0 when it
 * is not more than rounding), and how many have a margin of at least z_0. */
typedef struct {
    double mean, deviation, at_least;
} lr_margin_spread;

lr_margin_spread lr_spread_of_margins(const lr_all_margins *all,
                                      size_t feature);

/* T = (z - mean) / deviation of each set is counted: count[i] goes up for each
 * set of the feature with threshold[i - 1] <= T < threshold[i], ascending, and
 * largest[b] is raised to T.
 * count    n_thresholds + 1
 * largest  one for each set. Cost: O(sets log n_thresholds). */
void lr_count_standardised(const lr_all_margins *all, size_t feature,
                           lr_margin_spread spread, const double *threshold,
                           size_t n_thresholds, double *count,
                           double *largest);
