/* Scaled cells side by side against the definition of a scaled cell. */
#include "read_gather.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "lr_missing.h"
#include "random.h"

static void test_gather(void)
{
    random_seed(4);
    enum { N = 11, P = 12 };
    double values[N * P], center[P], divisor[P];
    int category[P], missing[P];
    for (int i = 0; i < N * P; i++)
        values[i] = random_unit();
    for (int j = 0; j < P; j++) {
        center[j] = random_unit();
        divisor[j] = j == 5 ? 0.0 : 1.0 + random_unit();
        category[j] = missing[j] = 0;
    }
    /* the block starts at feature 3 of the data */
    lr_block b = {values + 3 * N, N, N, 3, P - 3, NULL};
    lr_scaling s = {center, divisor, category, missing, NULL, 0, NULL, NULL,
                    NULL};
    static const size_t features[] = {0, 2, 3, 4, 5, 6, 7, 8};
    static const int rows[] = {0, 4, 10};
    for (size_t count = 1; count <= LR_LANES; count++) {
        double *u = doubles(3 * LR_LANES);
        for (size_t i = 0; i < 3 * LR_LANES; i++)
            u[i] = NAN;
        lr_gather_plain(&b, &s, features, count, rows, 3, u);
        for (size_t i = 0; i < 3; i++)
            for (size_t l = 0; l < LR_LANES; l++) {
                size_t j = 3 + features[l];
                double x = values[j * N + (size_t)rows[i]];
                CHECK_SAME(u[i * LR_LANES + l],
                           l >= count || divisor[j] == 0.0
                               ? 0.0
                               : (x - center[j]) / divisor[j]);
            }
        free(u);
    }
}

/* Any number of cells, one of them missing; feature 1 is constant. */
static void test_cells(void)
{
    static const double x[] = {3.0, NAN, 0.1, -7.0, 2.5};
    static const double center[] = {0.3, 0.1}, divisor[] = {0.7, 0.0};
    lr_scaling s = {center, divisor, NULL, NULL, NULL, 0, NULL, NULL, NULL};
    for (size_t n = 0; n <= 5; n++) {
        double u[6] = {9, 9, 9, 9, 9, 9}, zeros[6] = {9, 9, 9, 9, 9, 9};
        lr_scale_cells(&s, 0, x, n, u);
        lr_scale_cells(&s, 1, x, n, zeros);
        for (size_t i = 0; i < 6; i++) {
            if (i == 1 && i < n)
                CHECK(isnan(u[i]));
            else
                CHECK_SAME(u[i], i < n ? (x[i] - 0.3) / 0.7 : 9.0);
            CHECK_SAME(zeros[i], i < n ? 0.0 : 9.0);
        }
    }
}

/* Feature 0 has missing cells, feature 1 is complete. */
static void test_single(void)
{
    enum { N = 6 };
    static const double values[2 * N] = {1, 4, NAN, 2, NAN, 3,
                                         0, 1, 5, 2, 7, 3};
    static const double center[] = {1, 0}, divisor[] = {2, 4};
    static const int category[] = {0, 0}, missing[] = {2, 0};
    static const int rows[] = {1, 2, 5};
    lr_block b = {values, N, N, 0, 2, NULL};
    lr_scaling s = {center, divisor, category, missing, NULL, 0, NULL, NULL,
                    NULL};
    double u[N], cells[N], expected[N], all[N], scratch[20 * N];
    CHECK_INT(lr_gather_single(&b, &s, 1, rows, 3, u, expected, scratch), 0);
    for (int i = 0; i < 3; i++)
        CHECK_SAME(u[i], values[N + rows[i]] / 4.0);
    CHECK_INT(lr_gather_single(&b, &s, 0, rows, 3, u, expected, scratch), 1);
    for (int i = 0; i < N; i++)
        cells[i] = (values[i] - 1.0) / 2.0;
    lr_rule rule = lr_rule_of(&s, 0);
    lr_expected_differences(cells, N, &s, &rule, all, scratch);
    for (int i = 0; i < 3; i++) {
        CHECK_SAME(expected[i], all[rows[i]]);
        if (rows[i] != 2)
            CHECK_SAME(u[i], cells[rows[i]]);
    }
    CHECK(isnan(u[1]));
}

int main(void)
{
    test_gather();
    test_cells();
    test_single();
    return check_report();
}
