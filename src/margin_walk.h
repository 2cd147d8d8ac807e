/* Margins of all features, block by block: each part is in the file that it
 * names. */
#pragma once

#include "margin_irelief.h"
#include "margin_labels.h"
#include "margin_permutations.h"
#include "margin_relief.h"
#include "margin_simba.h"
#include "read_walk.h"
#include "search_walk.h"

/* ---- margins of constraints: margin_walk.c ------------------------------- */

/* Cannot-linked pairs, in the order of the constraints: a list, or all pairs of
 * end points with different labels. */
typedef struct {
    const int *first, *second; /* end points, from 0; NULL with labels */
    const int *label;          /* of each end point, or NULL */
    size_t count;
    const double *weight;      /* of each; NULL: 1 */
    int both;                  /* directions */
} cannot_links;

/* A column for each end point, first places of other samples, then those of its
 * own component, nearest first; rows from 1, 0 for none. */
typedef struct {
    const int *ends; /* from 1 */
    const int *row;
    size_t n_ends, n_others, n_group;
    size_t k; /* of them become hits */
} end_neighbours;

/* sums: of each feature, zeros at first. Returns the number of pairs. */
double sum_pair_margins(const feature_data *data, const cannot_links *pairs,
                        const end_neighbours *near, lr_margin_sum *sums);

/* ---- Relief and STIR: margin_walk.c -------------------------------------- */

typedef struct {
    lr_segments segments;
    row_places places; /* of its samples */
} placed_segments;

/* Both add to what `sums` has, one for each feature. */
void sum_segments(const feature_data *data, const placed_segments *segments,
                  double *sums);
void segment_moments(const feature_data *data, const placed_segments *segments,
                     const int *fresh, lr_stir_sum *sums);

/* ---- I-Relief: margin_walk.c --------------------------------------------- */

/* One iteration. data: of the differences; walk: from the samples with a class
 * to all, where features are weighted too. v: zeros, one per feature; gamma:
 * one per end point. */
void irelief_step(const pair_walk *walk, const feature_data *data,
                  lr_irelief problem, double *v, double *gamma);

/* ---- margins of labels: margin_walk.c ------------------------------------ */

/* near: labelled samples, class by class; size: of each class; sums: of each
 * feature, zeros at first. */
void sum_label_margins(const feature_data *data, const end_neighbours *near,
                       const int *size, size_t n_classes, lr_label_sum *sums);

/* ---- relabelled samples: margin_walk.c ----------------------------------- */

typedef struct {
    size_t n;              /* samples of the data */
    size_t n_nodes, n_ends;
    const int *node;       /* samples of the constraints, from 0 */
    const int *end;        /* those in cannot-links, numbers of nodes */
    const lr_links *links; /* or NULL */
    const int *block;      /* per sample from 0, -1 = none; NULL: one block */
    size_t n_near, n_columns;
    const int *near;       /* n_near x n_columns, from 1, 0 = none: near to */
    const int *column_of;  /*   these samples, from 1 */
    size_t k;
} relabelled_ends;

/* samples: nodes x sets, the samples in their places, from 1; hit: k x (ends x
 * sets) samples, from 1, 0 = no more. */
void relabelled_hits(const relabelled_ends *ends, const int *samples,
                     size_t n_sets, int *hit);

typedef struct {
    lr_margin_pairs graph;  /* without end, hit and count, which differ: */
    size_t n_sets;
    const int *ends, *hits; /* samples, as relabelled_hits() has them */
} relabelled_pairs;

/* z: sets x features. */
void relabelled_margins(const feature_data *data,
                        const relabelled_pairs *pairs, double *z);

/* ---- Simba: margin_simba_walk.c ------------------------------------------ */

typedef struct {
    lr_simba_visits visits;
    size_t n_visits, n_starts;
    const int *order;     /* visits x starts, numbers from 1 */
    const int *samples;   /* of pairs, from 0 */
    size_t n_samples;
    const int *own;       /* features with neighbours of their own, from 0 */
    size_t n_own;
} simba_problem;

typedef struct {
    double *weight; /* of the best start, p */
    double *total;  /* of each start */
    double *trace;  /* visits x starts */
} simba_result;

/* Returns the best start, from 0: largest total, the first of equal ones. */
size_t run_simba(const feature_data *data, const simba_problem *problem,
                 simba_result *result);
