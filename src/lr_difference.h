/* The difference of two cells of a feature that is not plain: a category, or
 * a feature with missing cells. */
#pragma once

#include <math.h>

#include "lr_matrix.h"

/* The values of LR_LANES plain features side by side, [place][LR_LANES], or of
 * one feature that is not plain, per place. */
typedef struct {
    const double *u;
    const double *expected; /* of the one: see lr_missing.h, by place; NULL when
                               nothing is missing */
    const lr_rule *rule;    /* and what its differences are; NULL: plain */
} lr_values;

static inline double lr_ramped(double d, const double *ramp)
{
    d = (d - ramp[0]) / (ramp[1] - ramp[0]);
    return d < 0.0 ? 0.0 : d > 1.0 ? 1.0 : d;
}

/* ua, ub: scaled values, NaN = missing; ea: expected difference of a to the
 * values that may replace b (lr_expected_differences); eb: of b to those of
 * a. For a missing cell that is the mean over its own values too. Of two
 * different samples: a sample's difference to itself is 0, which the callers
 * who may meet it look after. */
static inline double lr_difference(double ua, double ub, double ea, double eb,
                                   const lr_rule *rule)
{
    if (isnan(ua))
        return eb;
    if (isnan(ub))
        return ea;
    if (rule->category)
        return ua != ub ? rule->step : 0.0;
    double d = fabs(ua - ub);
    return rule->ramp ? lr_ramped(d, rule->ramp) : d;
}
