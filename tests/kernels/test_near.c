/* Nearest points by rounded distances against a sort of all of them. */
#include "near.h"

#include <stdlib.h>

#include "check.h"
#include "random.h"

enum { N = 70, Q = 3, K = 7 };

static double x[N * Q];

static double square_of(size_t a, size_t b)
{
    double sum = 0.0;
    for (size_t k = 0; k < Q; k++) {
        double u = x[k * N + b] - x[k * N + a];
        sum += u * u;
    }
    return sum;
}

static double key_of(size_t a, size_t b, double unit)
{
    double d = sqrt(square_of(a, b));
    return d <= unit ? 0.0 : rint(d / unit);
}

/* The k-th of all others by (key, row), for each k. */
static void check_point(const lr_points *p, int end, double unit)
{
    double squares[LR_NEAR_ENDS * LR_NEAR_ROWS];
    lr_near others, group;
    lr_near_open(&others, K, unit);
    lr_near_open(&group, 0, unit);
    for (size_t first = 0; first < N; first += 33) {
        size_t count = N - first < 33 ? N - first : 33;
        lr_point_squares(p, &end, 1, first, count, squares);
        for (size_t j = 0; j < count; j++)
            CHECK_SAME(squares[j], square_of((size_t)end, first + j));
        lr_near_rows(&others, &group, NULL, end, squares, first, count);
    }
    CHECK_INT(others.count, K);
    for (size_t k = 0; k < K; k++) {
        double own = key_of((size_t)end, (size_t)others.row[k], unit);
        size_t before = 0;
        for (size_t j = 0; j < N; j++) {
            double key = key_of((size_t)end, j, unit);
            before += j != (size_t)end
                && (key < own || (key == own && (int)j < others.row[k]));
        }
        CHECK_INT(before, k);
    }
}

int main(void)
{
    lr_points p = {N, Q, x};
    for (int trial = 0; trial < 40; trial++) {
        /* from many ties to none */
        double unit = trial % 4 == 0 ? 0.5 : trial % 4 == 1 ? 0.05 : 1e-9;
        for (size_t i = 0; i < N * Q; i++)
            x[i] = trial % 4 == 3 ? (double)random_below(3) : random_unit();
        for (int end = 0; end < N; end++)
            check_point(&p, end, unit);
    }
    CHECK_SAME(lr_near_distance(4.0, 1e-9), 2.0);
    CHECK_SAME(lr_near_distance(1e-20, 1e-9), 0.0);
    return check_report();
}
