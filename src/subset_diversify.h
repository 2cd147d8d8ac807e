#pragma once

#include "lr.h"

/* Greedy order of features by relevance[f] (1 - max r_fb^2 over the features b
 * chosen before f); of equal ones the lower number (methods: section 12, step
 * 7). Features with few entries are never expanded, and two of them cost the
 * samples in which both have one. */

enum { LR_DIVERSITY_CHUNK = 256 }; /* features that one item updates */

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

/* Some consecutive features and their entries, sorted by row. */
typedef struct {
    size_t first, count;
    size_t *start;  /* n + 1 */
    int *column;    /* per entry: number in the chunk */
    double *value;
    size_t listed, left; /* features in the lists; of these not yet chosen */
    double most;         /* the largest worth of one not yet chosen; -1: none */
    size_t best;
} lr_diversity_chunk;

typedef struct {
    size_t n, p;
    const lr_slim_column *columns; /* p */
    const double *relevance;       /* p */
    double *redundant; /* p: the largest squared correlation so far (above 1 -
                          1e-12: 1); 0 at the start */
    int *chosen;       /* p flags, 0 at the start */
    lr_diversity_chunk *chunks;
} lr_diversity;

/* Sorts the entries of a chunk by row; start, column and value are the
 * caller's. */
void lr_diversity_list(const lr_diversity *d, lr_diversity_chunk *chunk);

/* Compares the features of a chunk that are not chosen with `last`, chosen
 * before (NULL: none), and finds the best of them.
 * Cost: n a pair of dense features, else the entries that they share. */
void lr_diversity_update(const lr_diversity *d, lr_diversity_chunk *chunk,
                         const lr_slim_column *last);
