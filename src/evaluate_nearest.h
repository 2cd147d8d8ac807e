#pragma once

#include "lr.h"

/* What the nearest training samples say of some test samples, in the first
 * c_1, c_2, ... features: squared distances grow feature by feature, one
 * addition each, so that a longer list starts from the shorter one's sums.
 *
 * Votes: training samples nearer than the k-th distance have one vote each,
 * those at it share the remaining votes of k equally. Of classes (`y` NULL) a
 * test sample gets, for k = 1, the share of the votes that its class has, else
 * 1 / m where its class is one of the m classes with most votes (within 1e-12),
 * 0 elsewhere. Of numbers it gets their mean by votes.
 * No training sample's place matters, but the order in which numbers are added:
 * give training samples by ascending y.
 *
 * train, test     [feature][sample], n_train and n_test samples a feature
 * counts          ascending numbers of features; the last is how many are read
 * label, truth    classes from 0; truth -1: not counted, >= n_classes: a class
 *                 that no training sample has
 * y               instead of classes: numbers; neither: the result is the
 *                 nearest training row from 0, of equally near ones the lower
 * first, rows     the test samples of this call
 * Cost: rows * n_train * (last count + number of counts). */
typedef struct {
    const double *train, *test;
    size_t n_train, n_test;
    const int *counts;
    size_t n_counts;
    const int *label, *truth;
    size_t n_classes;
    const double *y;
    size_t k;
} lr_nearest_task;

/* Of one thread.
 * distance        rows * n_train doubles
 * order           n_train doubles, for k > 1
 * votes           2 * n_classes doubles
 * mass            [count][class][2]: what was given to each class over all
 *                 test samples that count, as a sum and its rounding error; 0
 *                 at first. The sum of two is exact, so that neither the order
 *                 of the test samples nor of the threads matters. */
typedef struct {
    double *distance, *order, *votes, *mass;
} lr_nearest_buffer;

/* result          [count][n_test]: see above, 0 where not counted
 * shares          [count][class][n_test] or NULL: votes of each class / k; left
 *                 as they are where not counted. Of classes only. */
void lr_nearest_along(const lr_nearest_task *task, size_t first, size_t rows,
                      const lr_nearest_buffer *buffer, double *result,
                      double *shares);

/* Adds a number to a sum of two doubles without rounding. */
void lr_add_exactly(double sum[2], double value);
