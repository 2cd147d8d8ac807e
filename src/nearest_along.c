#include "nearest_along.h"

#include <string.h>

static void add_feature(const double *restrict train, size_t n, double value,
                        double *restrict distance)
{
    for (size_t i = 0; i < n; i++) {
        double d = value - train[i];
        distance[i] += d * d;
    }
}

static int least(const double *distance, size_t n)
{
    size_t best = 0;
    double smallest = distance[0];
    for (size_t i = 1; i < n; i++)
        if (distance[i] < smallest) {
            smallest = distance[i];
            best = i;
        }
    return (int)best;
}

void lr_nearest_along(const lr_nearest_task *t, size_t first, size_t rows,
                      double *distance, int *nearest)
{
    size_t at = 0, n = t->n_train;
    memset(distance, 0, rows * n * sizeof(double));
    for (size_t j = 0; at < t->n_counts; j++) {
        const double *train = t->train + j * n;
        const double *test = t->test + j * t->n_test + first;
        for (size_t r = 0; r < rows; r++)
            add_feature(train, n, test[r], distance + r * n);
        if ((size_t)t->counts[at] != j + 1)
            continue;
        for (size_t r = 0; r < rows; r++)
            nearest[at * t->n_test + first + r] = least(distance + r * n, n);
        at++;
    }
}
