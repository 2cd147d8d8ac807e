#pragma once

#include "margin_pairs.h"

/* Hits and misses of samples, in segments of one sample each. Samples are
 * numbered by their place in a list of the rows that are needed at all, so
 * that the values of one feature are together in cache. */
typedef struct {
    size_t n_segments;
    const int *owner;          /* place of each segment's sample */
    const int *start;          /* n_segments + 1, into neighbour */
    const int *neighbour;      /* places, ascending in each segment */
    const double *coefficient; /* of each segment: plus for misses, minus for
                                  hits, divided by what the mean asks for */
    const int *group;          /* of each segment: 0 hits, 1 misses */
    int square;                /* squared differences (Relief)? */
    const int *table;          /* per place, for expected differences */
    size_t n_places;
} lr_segments;

enum { LR_GROUP = 8 }; /* segments that are summed separately */

/* Purpose: sums[l] += sum over the segments s of
 *     coefficient_s sum over the neighbours j of s of |u_owner - u_j|
 * for LR_LANES plain features at once: Relief (Alg. 2.1), ReliefF (2.4) and
 * RReliefF [Hijazi 2019; Robnik-Sikonja & Kononenko 2003] differ only in the
 * coefficients.
 * u  [place][LR_LANES] scaled values
 * Cost: one difference per neighbour and feature. */
void lr_relief_plain(const lr_segments *segments, const double *u,
                     double *sums);

/* The same for one feature that is a category, ramped or has missing cells. */
void lr_relief_other(const lr_segments *segments, const lr_values *values,
                     double *sum);

/* Which segments a place is in: as their owner own[own_start[i]] .. of place i,
 * as a neighbour segment[start[i]] .., n_places + 1 starts each. */
typedef struct {
    const size_t *own_start;
    const int *own;
    const size_t *start;
    const int *segment;
} lr_memberships;

/* Scratch of a feature of sparse data. */
typedef struct {
    double *values;         /* n_places */
    double *part;           /* n_segments; 0 before and after, as is: */
    unsigned char *touched; /* n_segments / LR_GROUP, rounded up */
} lr_relief_buffer;

/* One feature of sparse data: scaled values of the places whose cells are
 * stored; the others have the scaled zero. */
typedef struct {
    size_t count;
    const int *place;
    const double *u;
    double zero;
} lr_stored_places;

/* The same for one plain feature of sparse data, to the last bit: a neighbour
 * that is zero as its owner is adds nothing. Places ascend.
 * Cost: the memberships of the places that are not zero, and one difference for
 * each neighbour in segments of their own. */
void lr_relief_stored(const lr_segments *segments, const lr_memberships *in,
                      const lr_stored_places *stored, lr_relief_buffer *buffer,
                      double *sum);

/* What STIR needs of the differences of all hits and of all misses. Deviations
 * are taken from the first one, so that equal differences have no spread. */
typedef struct {
    double first[2], deviation[2], square[2];
} lr_stir_sum;

/* Purpose: deviations of (2.40, 2.41, 2.45, 2.46) of LR_LANES plain features or
 * of one other; continued from earlier segments unless `fresh` (per group) is
 * set, for none. */
void lr_stir(const lr_segments *segments, const lr_values *values,
             const int *fresh, lr_stir_sum *sums);
