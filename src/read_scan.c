/* Range and missing cells of one feature or of a sparse sample. */
#include "read_scan.h"

#include <math.h>
#include <string.h>

/* Cells are seen in lanes, so that a comparison need not wait for the one
 * before. trouble: 0 as long as all cells were finite, then NaN. */
enum { LANES = 8 };

typedef struct {
    double low[LANES], high[LANES], trouble[LANES];
} scan_lanes;

static inline void see(scan_lanes *s, int l, double x)
{
    double zero = x - x, finite = x - zero; /* both NaN unless x is finite */
    s->low[l] = finite < s->low[l] ? finite : s->low[l];
    s->high[l] = finite > s->high[l] ? finite : s->high[l];
    s->trouble[l] += zero;
}

static lr_summary join_lanes(const scan_lanes *s, double *trouble)
{
    double low = INFINITY, high = -INFINITY;
    *trouble = 0.0;
    for (int l = 0; l < LANES; l++) {
        low = s->low[l] < low ? s->low[l] : low;
        high = s->high[l] > high ? s->high[l] : high;
        *trouble += s->trouble[l];
    }
    int none = low > high;
    return (lr_summary){none ? NAN : low, none ? NAN : high, 0, 0};
}

lr_summary lr_scan(const double *x, size_t count, size_t n,
                   lr_is_missing is_missing)
{
    scan_lanes s;
    double trouble;
    size_t i = 0;
    for (int l = 0; l < LANES; l++) {
        s.low[l] = count < n ? 0.0 : INFINITY;
        s.high[l] = count < n ? 0.0 : -INFINITY;
        s.trouble[l] = 0.0;
    }
    for (; i + LANES <= count; i += LANES)
        for (int l = 0; l < LANES; l++)
            see(&s, l, x[i + (size_t)l]);
    for (; i < count; i++)
        see(&s, 0, x[i]);
    lr_summary summary = join_lanes(&s, &trouble);
    for (i = 0; trouble != 0.0 && i < count; i++)
        if (!isfinite(x[i]))
            *(is_missing(x[i]) ? &summary.missing : &summary.bad) += 1;
    return summary;
}

int lr_has_several(const double *x, size_t n, const lr_summary *summary)
{
    for (size_t i = 0; i < n; i++)
        if (isfinite(x[i]) && x[i] != summary->minimum
            && x[i] != summary->maximum)
            return 1;
    return 0;
}

/* A value beside two different ones before it is a third one. */
static void widen(lr_ranges *r, size_t feature, double x)
{
    if (r->minimum[feature] < r->maximum[feature] && x != r->minimum[feature]
        && x != r->maximum[feature])
        r->several[feature] = 1;
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

/* ---- the columns of a sparse matrix -------------------------------------- */

/* How many rows are not above the one before. */
static size_t count_steps_back(const int *row, size_t count)
{
    int back[LANES] = {0};
    size_t e = 1;
    for (; e + LANES <= count; e += LANES)
        for (int l = 0; l < LANES; l++)
            back[l] += row[e + (size_t)l] <= row[e + (size_t)l - 1];
    for (; e < count; e++)
        back[0] += row[e] <= row[e - 1];
    size_t sum = 0;
    for (int l = 0; l < LANES; l++)
        sum += (size_t)back[l];
    return sum;
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

/* Cell i of features side by side, and v where such a cell x is neither missing
 * nor 0, elsewhere 0. */
#ifdef LR_HAS_VECTORS
typedef long long marks __attribute__((vector_size(16), aligned(8)));
#define CELLS(x, i) ((lr_doubles){(x)[0][i], (x)[1][i]})
#define WHERE_NOT_0(v, x) ((lr_doubles)((marks)(v) & ((x < 0.0) | (x > 0.0))))
#else
#define CELLS(x, i) ((x)[0][i])
#define WHERE_NOT_0(v, x) (x < 0.0 || x > 0.0 ? (v) : 0.0)
#endif

typedef struct {
    lr_doubles sum, squares, count;
} cell_sums;

static cell_sums add_cells(const double *const *x, size_t count,
                           lr_doubles unit)
{
    lr_doubles zero = {0.0}, one = zero + 1.0;
    cell_sums s = {zero, zero, zero};
    for (size_t i = 0; i < count; i++) {
        lr_doubles cell = CELLS(x, i);
        s.sum += WHERE_NOT_0(cell * unit, cell);
        s.squares += cell * cell;
        s.count += WHERE_NOT_0(one, cell);
    }
    return s;
}

/* Squares of numbers near the limits of the double range overflow or vanish:
 * those features are read in another unit, a power of two, which changes
 * no digit. Takes missing cells off *known. */
static double choose_unit(const double *x, size_t n, double *known)
{
    double largest = 0.0;
    int exponent;
    for (size_t i = 0; i < n; i++) {
        *known -= isnan(x[i]) ? 1.0 : 0.0;
        if (fabs(x[i]) > largest)
            largest = fabs(x[i]);
    }
    if (largest == 0.0 || (largest > 1e-100 && largest < 1e100))
        return 1.0;
    frexp(largest, &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

/* Zeros are counted and not added one by one, so that it is the same whether
 * they are stored. */
void lr_moments(const double *const *x, size_t count, size_t n, double *mean,
                double *deviation)
{
    double units[LR_DOUBLES], known[LR_DOUBLES], squares[LR_DOUBLES];
    lr_doubles zero = {0.0}, unit = zero + 1.0;
    cell_sums s = add_cells(x, count, unit);
    int odd = 0;
    memcpy(squares, &s.squares, sizeof squares);
    for (int l = 0; l < LR_DOUBLES; l++) {
        known[l] = (double)n;
        units[l] = squares[l] > 1e-180 && squares[l] < 1e180
            ? 1.0 : choose_unit(x[l], count, known + l);
        odd = odd || units[l] != 1.0;
    }
    unit = *(lr_doubles *)units;
    if (odd)
        s = add_cells(x, count, unit);
    lr_doubles observed = *(lr_doubles *)known, center = s.sum / observed;
    lr_doubles rest = -center * (observed - s.count), total = -center * rest;
    for (size_t i = 0; i < count; i++) {
        lr_doubles cell = CELLS(x, i);
        lr_doubles d = WHERE_NOT_0(cell * unit - center, cell);
        rest += d;
        total += d * d;
    }
    /* the second term takes back what rounding left in the mean */
    *(lr_doubles *)squares = total - rest * rest / observed;
    *(lr_doubles *)mean = (center + rest / observed) / unit;
    for (int l = 0; l < LR_DOUBLES; l++)
        deviation[l] = sqrt(squares[l] / (known[l] - 1.0)) / units[l];
}

/* ---- nearly constant features -------------------------------------------- */

static size_t count_equal(const double *x, size_t n, double value)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += x[i] == value;
    return count;
}

int lr_is_varied(double *x, size_t n, double least)
{
    size_t known = 0, votes = 0, most = 0;
    double value = 0.0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]))
            x[known++] = x[i];
    /* the only value that more than half can have (Boyer and Moore) */
    for (size_t i = 0; i < known; i++) {
        if (votes == 0)
            value = x[i];
        votes = x[i] == value ? votes + 1 : votes - 1;
    }
    most = count_equal(x, known, value);
    if (2 * most <= known) {
        if (2.0 * least <= (double)known)
            return 1;
        for (size_t i = 0; i < known; i++) { /* a few cells */
            size_t equal = count_equal(x, known, x[i]);
            most = equal > most ? equal : most;
        }
    }
    return (double)(known - most) >= least;
}
