/* The difference of two cells of a feature that is not plain: a category, or
 * a feature with missing cells. */
#ifndef LR_DIFFERENCE_H
#define LR_DIFFERENCE_H

#include <math.h>

/* ua, ub: scaled values, NaN = missing; ea, eb: their expected differences to
 * a random observed value (lr_expected); for missing cells that of two random
 * values. */
static inline double lr_difference(double ua, double ub, double ea, double eb,
                                   int category)
{
    if (isnan(ua))
        return eb; /* b observed: E|u_b - V|; b missing too: E|V - V'| */
    if (isnan(ub))
        return ea;
    return category ? (double)(ua != ub) : fabs(ua - ub);
}

#endif
