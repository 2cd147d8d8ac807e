/* One pass over a feature against looking at each cell. */
#include "read_scan.h"

#include <float.h>

#include "check.h"
#include "random.h"

/* The missing value of R is one of the many NaN: recognised by its bits. */
static double missing_value(void)
{
    unsigned long long bits = 0x7ff00000000007a2ULL;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static int is_missing(double x)
{
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) && (bits & 0xffffffffULL) == 0x7a2ULL;
}

static int never_missing(double x)
{
    (void)x;
    return 0;
}

static lr_summary look_at_each(const double *x, size_t n)
{
    lr_summary s = {NAN, NAN, 0, 0};
    for (size_t i = 0; i < n; i++) {
        if (is_missing(x[i])) {
            s.missing++;
        } else if (isnan(x[i]) || isinf(x[i])) {
            s.bad++;
        } else {
            if (isnan(s.minimum) || x[i] < s.minimum)
                s.minimum = x[i];
            if (isnan(s.maximum) || x[i] > s.maximum)
                s.maximum = x[i];
        }
    }
    return s;
}

static void check_summary(const double *x, size_t n)
{
    lr_summary got = lr_scan(x, n, n, is_missing), wanted = look_at_each(x, n);
    CHECK_SAME(got.minimum, wanted.minimum);
    CHECK_SAME(got.maximum, wanted.maximum);
    CHECK_INT(got.missing, wanted.missing);
    CHECK_INT(got.bad, wanted.bad);
}

/* Each special value alone in each place, then two of them. */
static void test_scan(void)
{
    double special[] = {NAN, INFINITY, -INFINITY, missing_value(), DBL_MAX,
                        -DBL_MAX, 5e-324};
    size_t kinds = sizeof special / sizeof *special;
    random_seed(1);
    for (size_t n = 1; n <= 20; n++) {
        double *x = doubles(n);
        for (size_t i = 0; i < n; i++)
            x[i] = 2.0 * random_unit() - 1.0;
        check_summary(x, n);
        for (size_t at = 0; at < n; at++)
            for (size_t a = 0; a < kinds; a++) {
                double kept = x[at];
                x[at] = special[a];
                check_summary(x, n);
                for (size_t b = 0; b < kinds; b++) {
                    size_t second = (at + 1 + (size_t)random_below((int)n)) % n;
                    double other = x[second];
                    x[second] = special[b];
                    check_summary(x, n);
                    x[second] = other;
                }
                x[at] = kept;
            }
        for (size_t a = 0; a < kinds; a++) {
            for (size_t i = 0; i < n; i++)
                x[i] = special[a];
            check_summary(x, n);
        }
        free(x);
    }
}

/* What is missing is the caller's to say: here every NaN is bad. */
static void test_never_missing(void)
{
    double x[] = {1.0, missing_value(), 3.0, NAN};
    lr_summary s = lr_scan(x, 4, 4, never_missing);
    CHECK_INT(s.missing, 0);
    CHECK_INT(s.bad, 2);
    CHECK_SAME(s.maximum, 3.0);
    s = lr_scan(x, 0, 0, is_missing);
    CHECK(isnan(s.minimum) && isnan(s.maximum));
}

/* Of one feature, on either side of another one. */
static void moments_of(const double *x, size_t count, size_t n, double *mean,
                       double *deviation)
{
    double other[40], means[LR_DOUBLES], deviations[LR_DOUBLES];
    for (size_t i = 0; i < count; i++)
        other[i] = i % 4 == 0 ? NAN : i % 4 == 1 ? 0.0 : 1e300 * random_unit();
    for (int side = 0; side < LR_DOUBLES; side++) {
        const double *beside[LR_DOUBLES];
        for (int l = 0; l < LR_DOUBLES; l++)
            beside[l] = l == side ? x : other;
        lr_moments(beside, count, n, means, deviations);
        CHECK_SAME(means[side], side > 0 ? *mean : means[0]);
        CHECK_SAME(deviations[side], side > 0 ? *deviation : deviations[0]);
        *mean = means[side];
        *deviation = deviations[side];
    }
}

static void test_moments(void)
{
    double mean, deviation, same_mean, same_deviation;
    double x[] = {1.0, NAN, 2.0, 4.0, NAN, 9.0};
    moments_of(x, 6, 6, &mean, &deviation);
    CHECK_SAME(mean, 4.0); /* 16 / 4; deviations -3, -2, 0, 5: 38 / 3 */
    CHECK_NEAR(deviation, sqrt(38.0 / 3.0), 1e-15);

    /* far from zero next to its spread: 1e9 + 0, 1, 2 */
    double far_away[] = {1e9, 1e9 + 1.0, 1e9 + 2.0};
    moments_of(far_away, 3, 3, &mean, &deviation);
    CHECK_SAME(mean, 1e9 + 1.0);
    CHECK_NEAR(deviation, 1.0, 1e-15);

    /* another power of two as the unit: the same digits, also where squares
     * are beyond the range of a double or its sum is */
    static const int powers[] = {-1060, -900, -600, -530, -400, -299,
                                 1,     299,  400,  507,  600,  1020};
    double complete[] = {1.0, 2.0, 4.0, 9.0};
    for (size_t p = 0; p < sizeof powers / sizeof *powers; p++)
        for (size_t n = 4; n <= 6; n += 2) {
            double y[6], *from = n == 4 ? complete : x;
            for (size_t i = 0; i < n; i++)
                y[i] = ldexp(from[i], powers[p]);
            moments_of(from, n, n, &mean, &deviation);
            moments_of(y, n, n, &same_mean, &same_deviation);
            CHECK_SAME(same_mean, ldexp(mean, powers[p]));
            CHECK_SAME(same_deviation, ldexp(deviation, powers[p]));
        }

    moments_of(x, 1, 1, &mean, &deviation);
    CHECK_SAME(mean, 1.0);
    CHECK(isnan(deviation));
    moments_of(x + 1, 1, 1, &mean, &deviation);
    CHECK(isnan(mean) && isnan(deviation));

    /* zeros between cells, after them, or not stored */
    double mixed[] = {0.0, 3.0, -0.1, NAN, 0.0, 7.3, 7.3}, stored[7];
    size_t count = 0;
    for (size_t i = 0; i < 7; i++)
        if (mixed[i] != 0.0)
            stored[count++] = mixed[i];
    moments_of(mixed, 7, 7, &mean, &deviation);
    moments_of(stored, count, 7, &same_mean, &same_deviation);
    CHECK_SAME(mean, same_mean);
    CHECK_SAME(deviation, same_deviation);
    CHECK_NEAR(mean, 17.5 / 6.0, 1e-15);
}

/* One addition for each cell, in their order, and zeros once for all. */
static void test_order_of_moments(void)
{
    random_seed(3);
    for (int t = 0; t < trials(4000); t++) {
        double x[40], sum = 0.0, zeros = 0.0, known = 0.0, mean, deviation;
        size_t n = 2 + (size_t)random_below(39);
        for (size_t i = 0; i < n; i++) {
            int kind = i > 1 ? random_below(6) : 2;
            x[i] = kind == 0 ? NAN : kind == 1 ? 0.0 : random_unit() - 0.3;
            known += kind > 0;
            zeros += kind == 1;
            sum += kind > 1 ? x[i] : 0.0;
        }
        double center = sum / known, rest = -center * zeros;
        double total = -center * rest;
        for (size_t i = 0; i < n; i++)
            if (!isnan(x[i]) && x[i] != 0.0) {
                double d = x[i] - center;
                rest += d;
                total += d * d;
            }
        moments_of(x, n, n, &mean, &deviation);
        CHECK_SAME(mean, center + rest / known);
        CHECK_SAME(deviation,
                   sqrt((total - rest * rest / known) / (known - 1.0)));
    }
}

/* Sample by sample, sparse or dense, the ranges are those of whole columns. */
static void test_samples(void)
{
    enum { P = 3, N = 4 };
    double minimum[P] = {NAN, NAN, NAN}, maximum[P] = {NAN, NAN, NAN};
    double entries[P] = {0};
    int missing[P] = {0}, bad[P] = {0}, several[P] = {0};
    lr_ranges r = {minimum, maximum, entries, missing, bad, several, 1};
    /* feature 0: 2, 5, -, 3; feature 1: NA, Inf, -4, -; feature 2: none */
    const int feature[] = {0, 1};
    const double first[] = {2.0, missing_value()}, second[] = {5.0, INFINITY};
    const double third[] = {-4.0}, fourth[] = {3.0};
    lr_scan_sample(&r, feature, first, 2, is_missing);
    lr_scan_sample(&r, feature, second, 2, is_missing);
    lr_scan_sample(&r, feature + 1, third, 1, is_missing);
    lr_scan_sample(&r, feature, fourth, 1, is_missing);
    CHECK_SAME(minimum[0], 2.0);
    CHECK(isnan(minimum[2]));
    CHECK(r.whole);
    lr_scan_zeros(&r, P, N);
    CHECK_SAME(minimum[0], 0.0);
    CHECK_SAME(maximum[0], 5.0);
    CHECK_SAME(minimum[1], -4.0);
    CHECK_SAME(maximum[1], 0.0);
    CHECK(missing[1] == 1 && bad[1] == 1);
    CHECK(several[0] == 1 && several[1] == 0 && several[2] == 0);
    CHECK_SAME(minimum[2], 0.0);
    CHECK_SAME(maximum[2], 0.0);

    /* a dense sample: no zeros are left */
    const double dense[] = {9.5, 1.0, 1.0};
    for (int j = 0; j < P; j++)
        minimum[j] = maximum[j] = NAN, entries[j] = 0.0;
    lr_scan_sample(&r, NULL, dense, P, is_missing);
    lr_scan_zeros(&r, P, 1);
    CHECK_SAME(minimum[0], 9.5);
    CHECK(!r.whole);
}

/* More than two different values, cell by cell and sample by sample, against
 * the values counted one by one. */
static void test_several(void)
{
    for (int t = 0; t < trials(2000); t++) {
        double x[12], low = NAN, high = NAN, entries = 0.0;
        int n = 1 + random_below(12), levels = 1 + random_below(4);
        int missing = 0, bad = 0, several = 0, seen[4] = {0}, different = 0;
        lr_ranges r = {&low, &high, &entries, &missing, &bad, &several, 1};
        for (int i = 0; i < n; i++) {
            int value = random_below(levels + 1) - 1;
            x[i] = value < 0 ? missing_value() : value - 1.0;
            if (value >= 0 && !seen[value])
                seen[value] = 1, different++;
            lr_scan_sample(&r, NULL, x + i, 1, is_missing);
        }
        lr_summary s = lr_scan(x, (size_t)n, (size_t)n, is_missing);
        CHECK_INT(lr_has_several(x, (size_t)n, &s), different > 2);
        CHECK_INT(several, different > 2);
    }
}

/* Stored cells against the same column written out. */
static void test_stored(void)
{
    for (int t = 0; t < trials(4000); t++) {
        double x[40], stored[40];
        int n = 1 + random_below(40), count = 0;
        int full = random_below(3) == 0;
        for (int i = 0; i < n; i++) {
            int kind = random_below(30);
            int there = full || random_below(3) > 0;
            x[i] = !there ? 0.0 : kind == 0 ? NAN : kind == 1 ? INFINITY
                : random_unit() + (t % 3) - 1.5;
            if (there)
                stored[count++] = x[i];
        }
        lr_is_missing rule = t % 2 ? is_missing : never_missing;
        lr_summary want = lr_scan(x, (size_t)n, (size_t)n, rule);
        lr_summary got = lr_scan(stored, (size_t)count, (size_t)n, rule);
        CHECK_SAME(got.minimum, want.minimum);
        CHECK_SAME(got.maximum, want.maximum);
        CHECK_INT(got.missing, want.missing);
        CHECK_INT(got.bad, want.bad);
    }
}

/* What is asked of the columns, column by column. */
static int fit_one_by_one(const int *start, int p, const int *row, int count,
                          int n)
{
    if (start[0] != 0 || start[p] != count)
        return 0;
    for (int j = 0; j < p; j++) {
        if (start[j] > start[j + 1] || start[j + 1] > count)
            return 0;
        for (int e = start[j]; e < start[j + 1]; e++)
            if (row[e] < 0 || row[e] >= n
                || (e > start[j] && row[e] <= row[e - 1]))
                return 0;
    }
    return 1;
}

/* Columns as they should be, and with one number changed. */
static void test_columns_fit(void)
{
    enum { N = 12, P = 9 };
    static const int values[] = {-2147483647, -1, 0, 1, 5, N - 1, N, 100,
                                 2147483647};
    int fit = 0, others = 0;
    for (int t = 0; t < trials(3000); t++) {
        int start[P + 1] = {0}, row[N * P + 1], count = 0;
        int kept = random_below(N + 1);
        for (int j = 0; j < P; j++) {
            for (int i = 0; i < N; i++)
                if (random_below(N) < kept)
                    row[count++] = i;
            start[j + 1] = count;
        }
        CHECK(lr_columns_fit(start, P, row, (size_t)count, N));
        int value = values[random_below(9)];
        if (count > 0 && t % 3 > 0)
            row[random_below(count)] = value;
        else
            start[random_below(P + 1)] = value;
        int want = fit_one_by_one(start, P, row, count, N);
        CHECK_INT(lr_columns_fit(start, P, row, (size_t)count, N), want);
        fit += want;
        others += !want;
    }
    CHECK(30 * fit > trials(3000) && 3 * others > trials(3000));
}

/* Of few values, some of them missing, against counting each. */
static void test_varied(void)
{
    enum { N = 12 };
    for (int t = 0; t < trials(2000); t++) {
        double x[N];
        size_t n = (size_t)random_below(N + 1), most = 0, known = 0;
        int values = 1 + random_below(4), common = random_below(3) > 0;
        for (size_t i = 0; i < n; i++) {
            int value = common && random_below(4) ? 0 : random_below(values);
            x[i] = random_below(8) ? value : missing_value();
            known += !isnan(x[i]);
        }
        for (size_t i = 0; i < n; i++) {
            size_t equal = 0;
            for (size_t j = 0; j < n; j++)
                equal += x[i] == x[j];
            most = equal > most ? equal : most;
        }
        double least = (double)random_below(6);
        CHECK_INT(lr_is_varied(x, n, least), (double)(known - most) >= least);
    }
}

int main(void)
{
    test_varied();
    test_columns_fit();
    test_stored();
    test_scan();
    test_several();
    test_never_missing();
    test_moments();
    test_order_of_moments();
    test_samples();
    return check_report();
}
