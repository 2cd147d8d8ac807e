/* Nearest training samples in growing sets of features against a search that
 * starts anew for each. */
#include "nearest_along.h"

#include "check.h"
#include "random.h"

static int plain_nearest(const lr_nearest_task *t, size_t row, size_t features)
{
    int best = -1;
    double least = 0.0;
    for (size_t i = 0; i < t->n_train; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < features; j++) {
            double d = t->test[j * t->n_test + row]
                - t->train[j * t->n_train + i];
            sum += d * d;
        }
        if (best < 0 || sum < least) {
            best = (int)i;
            least = sum;
        }
    }
    return best;
}

static void test_search(size_t n_train, size_t n_test, size_t features,
                        int values)
{
    double *train = doubles(n_train * features);
    double *test = doubles(n_test * features);
    int counts[3] = {1, (int)(features + 1) / 2, (int)features};
    size_t n_counts = features > 2 ? 3 : 1;
    int *nearest = integers(n_counts * n_test);
    double *distance = doubles(4 * n_train);
    for (size_t i = 0; i < n_train * features; i++)
        train[i] = values ? random_below(values) : random_unit();
    for (size_t i = 0; i < n_test * features; i++)
        test[i] = values ? random_below(values) : random_unit();
    lr_nearest_task t = {train, test, n_train, n_test, counts, n_counts};
    for (size_t row = 0; row < n_test; row += 4)
        lr_nearest_along(&t, row, n_test - row < 4 ? n_test - row : 4,
                         distance, nearest);
    for (size_t c = 0; c < n_counts; c++)
        for (size_t row = 0; row < n_test; row++)
            CHECK_INT(nearest[c * n_test + row],
                      plain_nearest(&t, row, (size_t)counts[c]));
    free(train);
    free(test);
    free(nearest);
    free(distance);
}

int main(void)
{
    random_seed(5);
    test_search(1, 1, 1, 0);
    test_search(17, 9, 6, 0);
    test_search(30, 13, 7, 3); /* many equal distances: the lower row */
    return check_report();
}
