/* The order of neighbours, for all searches: nearer is the smaller distance,
 * and at equal distances the lower row. It is a total order, so that lists do
 * not depend on the order in which samples are compared. Distances that differ
 * by rounding only can be made equal first (lr_rounded_square()). */
#pragma once

#include <math.h>

static inline int lr_is_nearer(double distance, int row, double other_distance,
                               int other_row)
{
    return distance < other_distance
        || (distance == other_distance && row < other_row);
}

/* A distance rounded to whole units, 0 up to one unit: the last digits of
 * principal components depend on how these were computed, those of sums on
 * their order, and must not decide which sample is nearer. */
static inline double lr_rounded(double distance, double unit)
{
    return distance <= unit ? 0.0 : rint(distance / unit) * unit;
}

/* The same of its square. unit 0: as it is. */
static inline double lr_rounded_square(double square, double unit)
{
    if (!(unit > 0.0))
        return square;
    double d = lr_rounded(sqrt(square), unit);
    return d * d;
}
