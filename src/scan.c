#include "scan.h"

#include <math.h>

enum { LANES = 8 };

static lr_summary scan_slowly(const double *x, size_t n,
                              lr_is_missing is_missing)
{
    lr_summary s = {NAN, NAN, 0, 0, -1};
    for (size_t i = 0; i < n; i++) {
        if (is_missing(x[i])) {
            s.missing++;
        } else if (!isfinite(x[i])) {
            if (s.bad++ == 0)
                s.first_bad = (int)i;
        } else {
            if (!(s.minimum <= x[i]))
                s.minimum = x[i];
            if (!(s.maximum >= x[i]))
                s.maximum = x[i];
        }
    }
    return s;
}

/* Independent lanes, so that the minimum does not wait for itself; x - x is 0
 * unless x is NaN or infinite. */
lr_summary lr_scan(const double *x, size_t n, lr_is_missing is_missing)
{
    double low[LANES], high[LANES], trouble[LANES];
    if (n < LANES)
        return scan_slowly(x, n, is_missing);
    for (int l = 0; l < LANES; l++) {
        low[l] = high[l] = x[l];
        trouble[l] = 0.0;
    }
    size_t whole = n - n % LANES;
    for (size_t i = 0; i < whole; i += LANES) {
        for (int l = 0; l < LANES; l++) {
            double v = x[i + l];
            low[l] = v < low[l] ? v : low[l];
            high[l] = v > high[l] ? v : high[l];
            trouble[l] += v - v;
        }
    }
    lr_summary s = {low[0], high[0], 0, 0, -1};
    double any = 0.0;
    for (int l = 0; l < LANES; l++) {
        s.minimum = low[l] < s.minimum ? low[l] : s.minimum;
        s.maximum = high[l] > s.maximum ? high[l] : s.maximum;
        any += trouble[l];
    }
    for (size_t i = whole; i < n; i++) {
        s.minimum = x[i] < s.minimum ? x[i] : s.minimum;
        s.maximum = x[i] > s.maximum ? x[i] : s.maximum;
        any += x[i] - x[i];
    }
    return any == 0.0 ? s : scan_slowly(x, n, is_missing);
}

void lr_moments(const double *x, size_t n, double *mean, double *squares)
{
    double sum = 0.0, rest = 0.0, total = 0.0;
    size_t observed = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            continue;
        sum += x[i];
        observed++;
    }
    *mean = sum / (double)observed;
    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]))
            continue;
        double d = x[i] - *mean;
        rest += d;
        total += d * d;
    }
    /* the second term takes back what rounding left in the mean */
    *squares = total - rest * rest / (double)observed;
    *mean += rest / (double)observed;
}
