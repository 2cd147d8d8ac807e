/* A feature as the samples whose scaled value is not that of a zero cell: what
 * sparse data hold of it. Dense columns become the same entries, so that the
 * kind of the data changes no bit. */
#pragma once

#include "lr_matrix.h"

/* w = u - zero, u the scaled value and `zero` that of a zero cell: a cell that
 * is not stored has w = 0 whatever the scale, and |u_a - u_b| = |w_a - w_b|. */
typedef struct {
    int *row;      /* ascending; owned by the caller, space for n */
    double *value; /* w, never 0 */
    size_t count;
} lr_entries;

/* How a feature's raw cells become w. */
typedef struct {
    double center, divisor; /* divisor not 0 */
    double zero;
} lr_shift;

/* `zero` is the scaled value of 0, or of the cell nearest to it in a feature
 * whose range leaves 0 out: then no w is far from the others. It depends on the
 * values alone, not on how they are stored. */
static inline lr_shift lr_shift_of(const lr_scaling *s, size_t feature,
                                   double minimum, double maximum)
{
    double nearest = minimum > 0.0 ? minimum : maximum < 0.0 ? maximum : 0.0;
    lr_shift shift = {s->center[feature], s->divisor[feature],
                      lr_scale_cell(s, feature, nearest)};
    return shift;
}

static inline double lr_shifted(const lr_shift *s, double x)
{
    return (x - s->center) / s->divisor - s->zero;
}

/* The entries of feature j of a block, from those of its cells that are stored,
 * or from its column when `stored` is NULL. */
void lr_entries_of_feature(const lr_shift *shift, const lr_block *block,
                           size_t j, lr_entries *entries);
