/* The search for neighbours, for all that need distances of samples: lists of
 * the nearest samples, or a walk over all distances with any use of them. */
#pragma once

#include "read_source.h"
#include "search_lists.h"

typedef struct {
    const feature_data *data;
    lr_metric metric;
    size_t n;          /* samples: the rows of all tiles */
    const int *block_of; /* of the samples, or NULL; for lists of neighbours */
    const int *ends;   /* end points, numbered from 0 */
    size_t n_ends;
    int half;          /* ends ascend; each pair once, as end < row */
    int whole_rows;    /* tiles are to hold all rows of their end points */
    int roots;         /* Euclidean tiles are to hold distances, not squares */
    double rounding;   /* 0, or the unit that distances are rounded to
                          (lr_rounded()), Manhattan ones in lists only */
    const double *response; /* y, NaN where unknown; NULL: none. Distances are
                          d^2 of (10) [Doquire & Verleysen 2013] */
    size_t most_ends;  /* of a pass; 0: as many as suit */
    size_t per_pass;   /* end points of a pass, known when tiles are used */
    double share;      /* of the progress line that distances take; the rest is
                          for `collect` */
    progress_line line;
    /* Called by threads with each complete tile, once for every chunk of it
     * (lr_is_own_end()); or NULL. */
    void (*use)(void *context, const lr_tile *tile, lr_chunk chunk);
    /* Called after that by one thread, once a tile: may call R. Or NULL. */
    void (*collect)(void *context, const lr_tile *tile);
    void *context;
} pair_walk;

void walk_pairs(pair_walk *walk, const char *task);

/* ---- lists of the nearest samples ---------------------------------------- */

/* Empty lists for the end points of a walk, or for all samples when it is a
 * half. */
lr_lists allocate_lists(const pair_walk *walk, const lr_list_rule *rule,
                        size_t k, size_t k_group);

/* What find_nearest() is asked for, and where its answer goes: of each end
 * point `width` places, its lists one below the other, each nearest first, rows
 * from 1, then 0 and `none` where there are no more. */
typedef struct {
    lr_list_rule rule;
    size_t k, k_group;
    size_t width;
    int *row;
    double *distance; /* NULL: not wanted */
    double none;
    /* Scaled values of some plain features, n each: the answer is for each of
     * them that without it, one after the other (Manhattan). NULL: none. */
    const double *without;
    size_t n_without;
} nearest_task;

void find_nearest(const pair_walk *walk, const nearest_task *task);

/* ---- all distances: search_walk.c ---------------------------------------- */

/* Of the end points to all samples (squared when Euclidean): n x ends. In a
 * half these are all samples, and each is 0 from itself. */
void copy_distances(pair_walk *walk, double *out);

/* Of all pairs of end points. */
double mean_distance(const pair_walk *walk);

/* Neighbours of each class strictly within a radius. */
typedef struct {
    const int *class_of;
    size_t n, n_classes;
    const double *radius; /* of all, or NULL: mean - sd / 2 of each */
    int *row;             /* n of each end point */
    int *start;           /* n_classes + 1 of each end point */
} radius_search;

/* Allocates `row` and `start`. */
void search_within(pair_walk *walk, radius_search *search);

/* ---- expected differences: search_dense_walk.c --------------------------- */

/* Numbers that the expected differences of all features with missing cells
 * take; 0: there are none, or they are too large to be kept. */
size_t expected_size(const feature_data *data);

/* They, one feature after the other. */
void expect_features(const feature_data *data, double *out);

/* Where those of each feature are among them: `expected` of lr_scaling. */
const double *const *expected_places(const feature_data *data,
                                     const double *all);
