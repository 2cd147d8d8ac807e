#pragma once

#include "lr.h"

/* A symmetric weighted graph of n samples in compressed columns: the
 * neighbours of sample c are row[start[c]] .. row[start[c + 1] - 1],
 * ascending, never c itself. Sparse, or dense when `row` is NULL: then the
 * weight of (r, c) is at weight[r + c * n] and the diagonal is ignored.
 * `weight` NULL: every edge has weight 1. */
typedef struct {
    size_t n;
    const int *start; /* n + 1 */
    const int *row;
    const double *weight;
} lr_graph;
