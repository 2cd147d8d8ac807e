#include "expected.h"

#include <math.h>

static void sift_down(double *v, size_t root, size_t n)
{
    double value = v[root];
    size_t child;
    while ((child = 2 * root + 1) < n) {
        if (child + 1 < n && v[child + 1] > v[child])
            child++;
        if (v[child] <= value)
            break;
        v[root] = v[child];
        root = child;
    }
    v[root] = value;
}

void lr_sort(double *v, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift_down(v, i, n);
    for (size_t last = n; last-- > 1;) {
        double top = v[0];
        v[0] = v[last];
        v[last] = top;
        sift_down(v, 0, last);
    }
}

/* Number of elements below `value` (or not above it, with `or_equal`). */
static size_t count_below(const double *sorted, size_t n, double value,
                          int or_equal)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < value || (or_equal && sorted[middle] == value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double expected_of(double value, const double *sorted,
                          const double *running, size_t observed, int category)
{
    size_t upto = count_below(sorted, observed, value, 1);
    if (category) {
        size_t below = count_below(sorted, observed, value, 0);
        return 1.0 - (double)(upto - below) / (double)observed;
    }
    double left = value * (double)upto - running[upto];
    double right = (running[observed] - running[upto])
        - value * (double)(observed - upto);
    return (left + right) / (double)observed;
}

double lr_expected_differences(const double *u, size_t n, int category,
                               double *out, double *scratch)
{
    double *sorted = scratch, *running = scratch + n;
    size_t observed = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(u[i]))
            sorted[observed++] = u[i];
    lr_sort(sorted, observed);
    running[0] = 0.0;
    for (size_t i = 0; i < observed; i++)
        running[i + 1] = running[i] + sorted[i];

    double total = 0.0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(u[i]))
            continue;
        out[i] = expected_of(u[i], sorted, running, observed, category);
        total += out[i];
    }
    double both = total / (double)observed;
    for (size_t i = 0; i < n; i++)
        if (isnan(u[i]))
            out[i] = both;
    return both;
}
