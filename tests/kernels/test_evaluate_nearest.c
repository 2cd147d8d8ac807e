/* Nearest training samples in growing sets of features against a search that
 * starts anew for each. */
#include "evaluate_nearest.h"

#include "check.h"
#include "random.h"

static double distance_of(const lr_nearest_task *t, size_t row, size_t i,
                          size_t features)
{
    double sum = 0.0;
    for (size_t j = 0; j < features; j++) {
        double d =
            t->test[j * t->n_test + row] - t->train[j * t->n_train + i];
        sum += d * d;
    }
    return sum;
}

/* Weight of a training sample: how many are nearer, and as near. */
static double weight_of(const lr_nearest_task *t, size_t row, size_t i,
                        size_t features)
{
    double own = distance_of(t, row, i, features);
    size_t nearer = 0, same = 0;
    for (size_t other = 0; other < t->n_train; other++) {
        double d = distance_of(t, row, other, features);
        nearer += d < own;
        same += d == own;
    }
    if (nearer + same <= t->k)
        return 1;
    return nearer >= t->k ? 0 : (double)(t->k - nearer) / (double)same;
}

static double plain_share(const lr_nearest_task *t, size_t row,
                          size_t features)
{
    double votes[3] = {0, 0, 0}, most = 0, chosen = 0;
    for (size_t i = 0; i < t->n_train; i++)
        votes[t->label[i]] += weight_of(t, row, i, features);
    if (t->k == 1)
        return votes[t->truth[row]];
    for (int c = 0; c < 3; c++)
        most = votes[c] > most ? votes[c] : most;
    for (int c = 0; c < 3; c++)
        chosen += votes[c] >= most - 1e-12;
    return votes[t->truth[row]] >= most - 1e-12 ? 1 / chosen : 0;
}

static double plain_mean(const lr_nearest_task *t, size_t row, size_t features)
{
    double sum = 0;
    for (size_t i = 0; i < t->n_train; i++)
        sum += t->y[i] * weight_of(t, row, i, features);
    return sum / (double)t->k;
}

static void judge_all(const lr_nearest_task *t, double *result, double *mass,
                      double *shares)
{
    lr_nearest_buffer buffer = {doubles(4 * t->n_train), doubles(t->n_train),
                            doubles(6), mass};
    for (size_t row = 0; row < t->n_test; row += 4)
        lr_nearest_along(t, row, t->n_test - row < 4 ? t->n_test - row : 4,
                         &buffer, result, shares);
    free(buffer.distance);
    free(buffer.order);
    free(buffer.votes);
}

static void check_masses(const lr_nearest_task *t, const double *mass)
{
    for (size_t c = 0; c < t->n_counts; c++) {
        double all = 0;
        for (size_t j = 0; j < 6; j++)
            all += mass[6 * c + j];
        /* every test sample gives 1 in all */
        CHECK_NEAR(all, (double)t->n_test, 1e-12);
    }
}

static void check_shares(const lr_nearest_task *t, const double *shares)
{
    for (size_t c = 0; c < t->n_counts; c++)
        for (size_t row = 0; row < t->n_test; row++) {
            double votes[3] = {0, 0, 0};
            for (size_t i = 0; i < t->n_train; i++)
                votes[t->label[i]] +=
                    weight_of(t, row, i, (size_t)t->counts[c]);
            for (size_t j = 0; j < 3; j++)
                CHECK_NEAR(shares[(3 * c + j) * t->n_test + row],
                           votes[j] / (double)t->k, 1e-12);
        }
}

static void test_search(size_t n_train, size_t n_test, size_t features,
                        int values, size_t k)
{
    double *train = doubles(n_train * features);
    double *test = doubles(n_test * features);
    double *y = doubles(n_train);
    int *label = integers(n_train), *truth = integers(n_test);
    int counts[3] = {1, (int)(features + 1) / 2, (int)features};
    size_t n_counts = features > 2 ? 3 : 1;
    double *result = doubles(n_counts * n_test);
    double *shares = doubles(3 * n_counts * n_test);
    double mass[18] = {0};
    for (size_t i = 0; i < n_train * features; i++)
        train[i] = values ? random_below(values) : random_unit();
    for (size_t i = 0; i < n_test * features; i++)
        test[i] = values ? random_below(values) : random_unit();
    for (size_t i = 0; i < n_train; i++) {
        y[i] = random_unit();
        label[i] = random_below(3);
    }
    for (size_t i = 0; i < n_test; i++)
        truth[i] = random_below(3);
    lr_nearest_task t = {train, test, n_train, n_test, counts, n_counts,
                         label, truth, 3, NULL, k};
    judge_all(&t, result, mass, shares);
    check_shares(&t, shares);
    for (size_t c = 0; c < n_counts; c++)
        for (size_t row = 0; row < n_test; row++)
            CHECK_NEAR(result[c * n_test + row],
                       plain_share(&t, row, (size_t)counts[c]), 1e-12);
    check_masses(&t, mass);
    t.label = NULL;
    t.y = y;
    judge_all(&t, result, mass, NULL);
    for (size_t c = 0; c < n_counts; c++)
        for (size_t row = 0; row < n_test; row++)
            CHECK_NEAR(result[c * n_test + row],
                       plain_mean(&t, row, (size_t)counts[c]), 1e-12);
    free(train);
    free(test);
    free(y);
    free(label);
    free(truth);
    free(result);
    free(shares);
}

static void test_rows(void)
{
    double train[5] = {0, 1, 2, 1, 0}, test[2] = {1.5, 0}, result[2];
    int counts[1] = {1};
    lr_nearest_task t = {train, test, 5, 2, counts, 1, NULL, NULL, 0,
                         NULL, 1};
    judge_all(&t, result, NULL, NULL);
    CHECK_INT((int)result[0], 1); /* 1, 2 and 3 are as near */
    CHECK_INT((int)result[1], 0);
}

static void test_exact_sum(void)
{
    double forwards[2] = {0, 0}, backwards[2] = {0, 0};
    for (int i = 1; i <= 3000; i++) {
        lr_add_exactly(forwards, 1.0 / (1 + i % 97));
        lr_add_exactly(backwards, 1.0 / (1 + (3001 - i) % 97));
    }
    CHECK_SAME(forwards[0] + forwards[1], backwards[0] + backwards[1]);
}

int main(void)
{
    random_seed(5);
    test_search(1, 1, 1, 0, 1);
    test_search(17, 9, 6, 0, 1);
    test_search(30, 13, 7, 3, 1); /* many equal distances */
    test_search(30, 13, 7, 3, 4);
    test_search(30, 13, 4, 2, 30);
    test_search(41, 10, 5, 0, 12);
    test_rows();
    test_exact_sum();
    return check_report();
}
