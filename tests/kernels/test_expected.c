/* Expected differences against means over all cells and all pairs of cells. */
#include "expected.h"

#include "check.h"
#include "difference.h"
#include "random.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_sort(void)
{
    random_seed(1);
    for (int n = 0; n <= 70; n++)
        for (int kind = 0; kind < 4; kind++) {
            double *v = doubles((size_t)n), *wanted = doubles((size_t)n);
            for (int i = 0; i < n; i++)
                v[i] = wanted[i] = kind == 0 ? random_unit()
                    : kind == 1              ? (double)random_below(4)
                    : kind == 2              ? (double)i
                                             : (double)-i;
            lr_sort(v, (size_t)n);
            qsort(wanted, (size_t)n, sizeof(double), ascending);
            CHECK_SAMES(v, wanted, n);
            free(v);
            free(wanted);
        }
}

static double plain_difference(double a, double b, int category)
{
    return category ? (a != b ? 1.0 : 0.0) : fabs(a - b);
}

/* out[i]: mean over observed b of the difference to u[i]; returns the mean
 * over observed pairs (a, b), a = b included. */
static double by_loops(const double *u, size_t n, int category, double *out)
{
    double total = 0.0, observed = 0.0;
    for (size_t i = 0; i < n; i++)
        observed += !isnan(u[i]);
    for (size_t i = 0; i < n; i++) {
        out[i] = 0.0;
        for (size_t j = 0; j < n && !isnan(u[i]); j++)
            if (!isnan(u[j]))
                out[i] += plain_difference(u[i], u[j], category) / observed;
        total += out[i] / observed;
    }
    for (size_t i = 0; i < n; i++)
        if (isnan(u[i]))
            out[i] = total;
    return total;
}

static void test_expected(void)
{
    random_seed(2);
    for (size_t n = 1; n <= 40; n++)
        for (int t = 0; t < 6; t++) {
            int category = t % 2;
            double *u = doubles(n), *out = doubles(n), *wanted = doubles(n);
            double *scratch = doubles(2 * n + 1);
            for (size_t i = 0; i < n; i++) {
                u[i] = category || t == 2 ? (double)random_below(3)
                                          : 10.0 * random_unit() - 5.0;
                if (i > 0 && random_below(3) == 0)
                    u[i] = NAN;
            }
            double both =
                lr_expected_differences(u, n, category, out, scratch);
            CHECK_NEAR(both, by_loops(u, n, category, wanted), 1e-13);
            for (size_t i = 0; i < n; i++) {
                CHECK_NEAR(out[i], wanted[i], 1e-13);
                if (isnan(u[i]))
                    CHECK_SAME(out[i], both);
            }
            free(u);
            free(out);
            free(wanted);
            free(scratch);
        }
}

/* By hand, u = 0, 1, missing, 4 (numbers), or the same as names. */
static void test_worked(void)
{
    double u[] = {0.0, 1.0, NAN, 4.0}, out[4], scratch[9];
    /* to 0, 1, 4: from 0: 5/3, from 1: 4/3, from 4: 7/3; all: 16/9 */
    CHECK_NEAR(lr_expected_differences(u, 4, 0, out, scratch), 16.0 / 9.0,
               1e-15);
    CHECK_NEAR(out[0], 5.0 / 3.0, 1e-15);
    CHECK_NEAR(out[1], 4.0 / 3.0, 1e-15);
    CHECK_NEAR(out[2], 16.0 / 9.0, 1e-15);
    CHECK_NEAR(out[3], 7.0 / 3.0, 1e-15);
    /* three names: any of them differs from two of three */
    CHECK_NEAR(lr_expected_differences(u, 4, 1, out, scratch), 2.0 / 3.0,
               1e-15);
    CHECK_NEAR(out[3], 2.0 / 3.0, 1e-15);
}

/* Which of the two expected differences counts. */
static void test_difference(void)
{
    CHECK_SAME(lr_difference(1.0, 3.5, 7.0, 8.0, 0), 2.5);
    CHECK_SAME(lr_difference(3.5, 1.0, 7.0, 8.0, 0), 2.5);
    CHECK_SAME(lr_difference(1.0, 3.5, 7.0, 8.0, 1), 1.0);
    CHECK_SAME(lr_difference(2.0, 2.0, 7.0, 8.0, 1), 0.0);
    CHECK_SAME(lr_difference(NAN, 2.0, 7.0, 8.0, 0), 8.0);
    CHECK_SAME(lr_difference(2.0, NAN, 7.0, 8.0, 1), 7.0);
    CHECK_SAME(lr_difference(NAN, NAN, 7.0, 7.0, 1), 7.0);
}

int main(void)
{
    test_sort();
    test_expected();
    test_worked();
    test_difference();
    return check_report();
}
