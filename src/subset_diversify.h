#pragma once

#include "lr.h"

/* Greedy order of features by relevance[f] (1 - max r_fb^2 over the features b
 * chosen before f); of equal ones the lower number (methods: section 12, step
 * 7). Features with few entries are never expanded, and two of them cost the
 * samples in which both have one.
 *
 * A feature's worth never rises: the maximum is over ever more features, and
 * rounding keeps the order of 1 - r^2 and, as relevance is not negative, of the
 * product. So a chunk of features that has not been compared with the last
 * chosen ones is worth at most what it was worth before them, and only the
 * chunk worth most has to be compared: if it still is, its best feature is the
 * next one; of chunks worth the same the first. In the end each pair is
 * compared, but many at a time. */

enum { LR_DIVERSITY_CHUNK = 64 }; /* features that are compared together */

/* A feature in one of two forms; which one depends on its values alone.
 * Sparse:  the rows of the cells that differ from a common value, and that
 *          difference w by the length of the centred column; `mean` is the
 *          sum of these values by the square root of n.
 * Dense:   row is NULL; all n values, centred, by their length; mean 0. */
typedef struct {
    size_t count;
    const int *row; /* ascending */
    const double *value;
    double mean;
} lr_slim_column;

/* How many of n cells a sparse feature may have: r is then the difference of
 * two numbers of which the smaller is at most a quarter, so that rounding stays
 * what it is for dense ones. */
static inline int lr_is_slim(size_t count, size_t n)
{
    return count <= n / 4;
}

/* The form of a column from its n scaled cells u, of which `count` are not
 * `zero`, and all is 0 for a constant one.
 * row, value: `count` each when lr_is_slim(count, n), else value has n. */
lr_slim_column lr_slim_of(const double *u, size_t n, double zero, size_t count,
                          int *row, double *value);

/* Some consecutive features. The entries of the sparse ones are sorted by row:
 * those of row i have the places start[i] .. start[i + 1] - 1. */
typedef struct {
    size_t first, count;
    int *start;  /* n + 1 */
    int *column; /* per entry: number in the chunk */
    double *value;
    size_t seen; /* how many of the chosen features these are compared with */
    double most; /* the largest worth of one not yet chosen; -1: none */
    size_t best;
} lr_diversity_chunk;

typedef struct {
    size_t n, p;
    const lr_slim_column *columns; /* p */
    const double *relevance;       /* p */
    double *redundant; /* p: the largest squared correlation so far (above 1 -
                          1e-12: as 1), 0 at the start; INFINITY: chosen */
    lr_diversity_chunk *chunks;
} lr_diversity;

/* The largest squared correlation of each feature of a chunk that is not
 * chosen with `count` chosen ones, at most LR_DIVERSITY_CHUNK.
 * Cost: n a pair of dense features, else the entries that they share.
 * most: LR_DIVERSITY_CHUNK. */
void lr_diversity_compare(const lr_diversity *d,
                          const lr_diversity_chunk *chunk, const int *chosen,
                          size_t count, double *most);

/* Takes in what `strips` such calls found, one after the other, and finds the
 * best feature of the chunk, as far as its features are compared. */
void lr_diversity_best(const lr_diversity *d, lr_diversity_chunk *chunk,
                       const double *most, size_t strips);
