#ifndef LR_NEAREST_ALONG_H
#define LR_NEAREST_ALONG_H

#include "lr.h"

/* Nearest training sample of some test samples, in the first c_1, c_2, ...
 * features: squared distances grow feature by feature, one addition each, so
 * that a longer list starts from the shorter one's sums. Equally near: the
 * lower row.
 * train, test     [feature][sample], n_train and n_test samples a feature
 * first, rows     the test samples of this call
 * counts          ascending numbers of features; the last is how many are read
 * distance        rows * n_train doubles of scratch
 * nearest         [count][n_test] results (training rows from 0)
 * Cost: rows * n_train * (last count + number of counts). */
typedef struct {
    const double *train, *test;
    size_t n_train, n_test;
    const int *counts;
    size_t n_counts;
} lr_nearest_task;

void lr_nearest_along(const lr_nearest_task *task, size_t first, size_t rows,
                      double *distance, int *nearest);

#endif
