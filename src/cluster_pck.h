#pragma once

#include "constraints.h"

/* PCK-means (Basu, Banerjee & Mooney 2004; Algorithm 1 [Berahmand 2020]):
 * k-means in which a sample pays for every must-link to a sample of another
 * cluster and every cannot-link to one of its own,
 *
 *   1/2 sum_i ||x_i - mu_c(i)||^2 + penalty * broken must-links
 *                                 + penalty * broken cannot-links,
 *
 * over the closure of the constraints. The closure is never listed: what a
 * sample pays follows from how many members of its component, and of those
 * cannot-linked to it, are in each cluster. */
typedef struct {
    size_t n, features, clusters;
    const double *x; /* [sample][feature] */
    const lr_links *links;
    size_t n_components;
    double penalty; /* what a broken link costs */
} lr_pck;

/* Owned by the caller. */
typedef struct {
    int *cluster;    /* per sample, -1 before it has one */
    double *centers; /* [cluster][feature] */
    int *members;    /* [component][cluster], counts */
    int *sizes;      /* per cluster */
    double *cost;    /* per cluster, scratch */
} lr_pck_state;

typedef struct {
    double objective;
    double broken_must, broken_cannot; /* pairs of the closure */
} lr_pck_value;

/* No sample has a cluster yet. */
void lr_pck_begin(const lr_pck *problem, lr_pck_state *state);

/* Gives every sample, in order, the cluster that costs it least, the others
 * being where they are (equal: the lower cluster); returns how many moved. A
 * cluster left empty takes the sample that is farthest from its own center.
 * Cost: n clusters (features + components cannot-linked to the sample's). */
size_t lr_pck_assign(const lr_pck *problem, lr_pck_state *state);

/* Centers become the means of their samples. */
void lr_pck_update(const lr_pck *problem, lr_pck_state *state);

lr_pck_value lr_pck_evaluate(const lr_pck *problem, const lr_pck_state *state);
