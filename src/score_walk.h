/* Scores that are quadratic forms of a feature, and sums over all features for
 * pairs of samples (score_forms.h). */
#pragma once

#include "read_walk.h"
#include "score_forms.h"

/* The order is that of `form_kinds` in R. */
enum { GRAPH = 0, SCATTER, CLASSES, DIFFERENT };

typedef struct {
    int kind;
    size_t at, count; /* columns of the result */
    lr_graph graph;
    lr_scatter scatter;
    lr_classes classes;
    const double *weight, *class_weight;
} form;

/* Fills in what follows from the others; returns the columns of all forms. */
size_t complete_forms(form *forms, size_t n_forms);

/* Adds to `out`, features x columns. */
void sum_forms(const feature_data *data, const form *forms, size_t n_forms,
               double *out);

/* Pairs of samples, numbers from 0. */
typedef struct {
    const int *first, *second;
    size_t count;
    double *value; /* is added to */
    int products;  /* or squared differences */
} pair_sums;

void sum_pairs(const feature_data *data, pair_sums *sums);
