#pragma once

#include "markers.h"
#include "read_walk.h"

/* Of each feature in each cell of the design, and areas under the curve. */
typedef struct {
    double *mean, *square, *above; /* [cell][p] */
    double *auc;                   /* [n_auc][p] */
    double *other;                 /* [cell][p], with areas only */
} group_moments;

/* n_auc: 0 no areas, groups: the mean of each, groups^2: those of all pairs */
void walk_groups(const feature_data *data, const lr_group_design *design,
                 size_t n_auc, group_moments out);
