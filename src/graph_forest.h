#pragma once

#include "lr.h"

/* Similarities of pairs of features i < j, all positive, sorted by (i, j). */
typedef struct {
    size_t count;
    const int *first, *second;
    const double *similarity;
} lr_edges;

/* An edge by its number, sorted by its similarity. */
typedef struct {
    double similarity;
    int number;
} lr_ranked_edge;

/* A tree of p leaves as in R's hclust. */
typedef struct {
    int *merge;     /* 2 columns of p - 1 rows: -i a feature (from 1), m the
                       cluster of row m (from 1) */
    double *height; /* p - 1 */
    int *order;     /* p features (from 0) so that branches do not cross */
} lr_tree;

/* Single linkage on similarity: Kruskal's maximum spanning forest (methods:
 * section 6). Copies merge first, at height 0; then edges by falling
 * similarity (equal: lowest (i, j)), at height top - similarity; components
 * last, at height top, pairwise so that the tree stays shallow.
 * original  per feature the feature it is a copy of, itself when of none
 * top       the largest similarity of all
 * ints      scratch, 3 p of them; ranked: twice the edges
 * Returns the number of components. Cost: that of sorting the edges. */
size_t lr_forest(size_t p, const lr_edges *edges, const int *original,
                 double top, const lr_tree *tree, int *ints,
                 lr_ranked_edge *ranked);
