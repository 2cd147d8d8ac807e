/* Sets of features, step by step: each part is in the file that it names. */
#pragma once

#include "read_walk.h"
#include "subset_diversify.h"
#include "subset_forward.h"

/* ---- forward selection: subset_walk.c ------------------------------------ */

/* Pairs of `samples` samples. */
typedef struct {
    size_t samples;
    const int *rows;            /* of the data, from 1 */
    size_t count;     /* first < second from 1, sorted by second, kind, first */
    const int *first, *second, *must_link;
} subset_pairs;

typedef struct {
    double sigma;
    size_t steps;
    size_t patience; /* times that the score may rise; 0: never mind */
} subset_options;

/* The features, from 1, in order of entry, and the score with each; returns how
 * many there are. */
size_t select_features(const feature_data *data, const subset_pairs *pairs,
                       const subset_options *options, int *order,
                       double *error);

typedef struct {
    size_t count;
    const double *sigma;
    double *error; /* the score with each */
} subset_sigmas;

/* The scores of `count` features, from 1, ascending. */
void score_subset(const feature_data *data, const subset_pairs *pairs,
                  const int *features, size_t count, subset_sigmas *sigmas);

/* ---- an order without redundancy: subset_walk.c -------------------------- */

/* place: of the features in that order, from 1; value: what each step
 * maximised. */
void diversify(const some_features *some, const double *relevance, int *place,
               double *value);
