#include "read_scan.h"

#include <math.h>

lr_summary lr_scan(const double *x, size_t n, lr_is_missing is_missing)
{
    lr_summary s = {NAN, NAN, 0, 0};
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            if (is_missing(x[i]))
                s.missing++;
            else
                s.bad++;
            continue;
        }
        if (!(s.minimum <= x[i]))
            s.minimum = x[i];
        if (!(s.maximum >= x[i]))
            s.maximum = x[i];
    }
    return s;
}

static void widen(lr_ranges *r, size_t feature, double x)
{
    if (!(r->minimum[feature] <= x))
        r->minimum[feature] = x;
    if (!(r->maximum[feature] >= x))
        r->maximum[feature] = x;
}

void lr_scan_sample(lr_ranges *r, const int *feature, const double *x,
                    size_t count, lr_is_missing is_missing)
{
    for (size_t e = 0; e < count; e++) {
        size_t j = feature ? (size_t)feature[e] : e;
        r->entries[j] += 1.0;
        if (isfinite(x[e])) {
            widen(r, j, x[e]);
            r->whole = r->whole && x[e] == floor(x[e]);
        } else if (is_missing(x[e])) {
            r->missing[j]++;
        } else {
            r->bad[j]++;
        }
    }
}

void lr_scan_zeros(lr_ranges *r, size_t p, size_t n)
{
    for (size_t j = 0; j < p; j++)
        if (r->entries[j] < (double)n)
            widen(r, j, 0.0);
}

lr_summary lr_scan_stored(const double *x, size_t count, size_t n,
                          lr_is_missing is_missing)
{
    lr_summary s = lr_scan(x, count, is_missing);
    if (count < n) {
        if (!(s.minimum <= 0.0))
            s.minimum = 0.0;
        if (!(s.maximum >= 0.0))
            s.maximum = 0.0;
    }
    return s;
}

/* ---- the columns of a sparse matrix -------------------------------------- */

/* How many rows are not above the one before. */
static size_t count_steps_back(const int *row, size_t count)
{
    size_t back = 0;
    for (size_t e = 1; e < count; e++)
        back += row[e] <= row[e - 1];
    return back;
}

/* Rows ascend within all columns when they step back nowhere but from one
 * column to the next; then the first and the last row of a column show whether
 * all are samples. */
int lr_columns_fit(const int *start, size_t p, const int *row, size_t count,
                   size_t n)
{
    size_t back = 0;
    if (start[0] != 0 || (size_t)start[p] != count)
        return 0;
    for (size_t j = 0; j < p; j++) {
        int from = start[j], to = start[j + 1];
        if (to < from || (size_t)to > count)
            return 0;
        if (to == from)
            continue;
        if (row[from] < 0 || (size_t)row[to - 1] >= n)
            return 0;
        back += from > 0 && row[from] <= row[from - 1];
    }
    return back == count_steps_back(row, count);
}

/* ---- moments ------------------------------------------------------------- */

/* Squares of numbers near the limits of the double range overflow or vanish:
 * those features are read in another unit, a power of two, which changes
 * no digit. */
static double choose_unit(const double *x, size_t n)
{
    double largest = 0.0;
    int exponent;
    for (size_t i = 0; i < n; i++)
        if (fabs(x[i]) > largest)
            largest = fabs(x[i]);
    if (largest == 0.0 || (largest > 1e-100 && largest < 1e100))
        return 1.0;
    frexp(largest, &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

void lr_moments(const double *x, size_t n, double *mean, double *deviation)
{
    double unit = choose_unit(x, n);
    double sum = 0.0, rest = 0.0, total = 0.0;
    size_t observed = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            continue;
        sum += x[i] * unit;
        observed++;
    }
    double center = sum / (double)observed;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            continue;
        double d = x[i] * unit - center;
        rest += d;
        total += d * d;
    }
    /* the second term takes back what rounding left in the mean */
    double squares = total - rest * rest / (double)observed;
    *mean = (center + rest / (double)observed) / unit;
    *deviation = sqrt(squares / ((double)observed - 1.0)) / unit;
}
