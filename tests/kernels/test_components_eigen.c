/* Eigenvectors against their definition. */
#include "components_eigen.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "random.h"

enum { MOST = 40 };

/* A V = V values, V'V = I, values falling; `size` is that of A. */
static void check_eigen(const double *a, size_t n, double size)
{
    double copy[MOST * MOST], values[MOST], v[MOST * MOST], scratch[3 * MOST];
    memcpy(copy, a, n * n * sizeof(double));
    CHECK_INT(lr_symmetric_eigen(copy, n, 0, values, v, scratch), LR_OK);
    double residual = 0.0, skew = 0.0;
    for (size_t j = 0; j < n; j++) {
        if (j > 0)
            CHECK(values[j] <= values[j - 1]);
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0, dot = 0.0;
            for (size_t k = 0; k < n; k++) {
                sum += a[i + k * n] * v[k + j * n];
                dot += v[k + i * n] * v[k + j * n];
            }
            residual = fmax(residual, fabs(sum - values[j] * v[i + j * n]));
            skew = fmax(skew, fabs(dot - (i == j)));
        }
    }
    size_t first = n - (n + 1) / 2;
    double rows[MOST * MOST], again[MOST];
    memcpy(copy, a, n * n * sizeof(double));
    CHECK_INT(lr_symmetric_eigen(copy, n, first, again, rows, scratch), LR_OK);
    for (size_t j = 0; j < n; j++) {
        /* of the same sign, or of the other one */
        double same = 0.0, other = 0.0;
        for (size_t i = first; i < n; i++) {
            double x = rows[i - first + j * (n - first)];
            same = fmax(same, fabs(x - v[i + j * n]));
            other = fmax(other, fabs(x + v[i + j * n]));
        }
        CHECK_NEAR(again[j], values[j], 1e-14 * size);
        CHECK(fmin(same, other) <= 1e-12);
    }
    CHECK(residual <= 1e-14 * (double)n * size);
    CHECK(skew <= 1e-14 * (double)n);
}

static void test_random(void)
{
    double a[MOST * MOST];
    for (int trial = 0; trial < trials(200); trial++) {
        size_t n = 1 + random_below(MOST);
        double size = pow(10.0, (double)random_below(200) - 100.0);
        int rank = (int)random_below(3), zeros = random_below(2) == 0;
        for (size_t j = 0; j < n; j++)
            for (size_t i = j; i < n; i++) {
                double x = rank == 0 ? 1.0 : random_unit() - 0.5;
                if (zeros && random_below(3) > 0)
                    x = 0.0;
                a[i + j * n] = a[j + i * n] = x * size;
            }
        check_eigen(a, n, size * 10.0 * (double)n);
    }
}

/* diag(3, 3, 1), and [2 1; 1 2] with values 3 and 1 */
static void test_known(void)
{
    double a[9] = {3, 0, 0, 0, 1, 0, 0, 0, 3}, values[3], v[9], scratch[9];
    CHECK_INT(lr_symmetric_eigen(a, 3, 0, values, v, scratch), LR_OK);
    CHECK_SAME(values[0], 3.0);
    CHECK_SAME(values[1], 3.0);
    CHECK_SAME(values[2], 1.0);
    double b[4] = {2, 1, 1, 2};
    CHECK_INT(lr_symmetric_eigen(b, 2, 0, values, v, scratch), LR_OK);
    CHECK(fabs(values[0] - 3.0) < 1e-14 && fabs(values[1] - 1.0) < 1e-14);
    CHECK(fabs(fabs(v[0]) - sqrt(0.5)) < 1e-14);
}

int main(void)
{
    test_random();
    test_known();
    return check_report();
}
