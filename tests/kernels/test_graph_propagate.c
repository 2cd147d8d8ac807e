/* Columns of (I - a P)^-1, entries of H Y' and the admission of pairs, against
 * plain loops. */
#include "check.h"
#include "graph_walk.h"
#include "lr_products.h"
#include "random.h"

enum { MOST = 70 };

static void test_columns(size_t n, size_t columns, int sparse)
{
    double *s = doubles(n * n), root[MOST], a = 0.9;
    int *start = integers(n + 1), *row = integers(n * n), at = 0;
    double *weight = doubles(n * n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            s[i + j * n] = s[j + i * n] =
                random_below(3) == 0 || i + 1 == n || i == j ? 0.0
                                                             : random_unit();
    for (size_t j = 0; j < n; j++) {
        double degree = 0.0;
        start[j] = at;
        for (size_t i = 0; i < n; i++) {
            if (i != j)
                degree += s[i + j * n];
            if (i != j && s[i + j * n] > 0.0) {
                row[at] = (int)i;
                weight[at++] = s[i + j * n];
            }
        }
        root[j] = degree > 0.0 ? 1.0 / sqrt(degree) : 0.0;
    }
    start[n] = at;
    lr_graph graph = {n, sparse ? start : NULL, sparse ? row : NULL,
                      sparse ? weight : s};
    const void *mark = lr_memory_mark();
    run_control control = {.threads = 1, .level = LR_FASTEST};
    double *x = new_doubles(n * columns), *rhs = zero_doubles(n * columns);
    for (size_t t = 0; t < columns; t++)
        rhs[t % n + t * n] = 1.0;
    propagation task = {graph, root, a, rhs, columns, 500.0};
    propagated done = solve_propagation(&task, control, x);
    CHECK_INT(done.unfinished, 0);
    double worst = 0.0;
    for (size_t t = 0; t < columns; t++)
        for (size_t i = 0; i < n; i++) {
            double value = x[i + t * n];
            for (size_t j = 0; j < n; j++)
                if (j != i)
                    value -= a * root[i] * s[i + j * n] * root[j]
                        * x[j + t * n];
            worst = fmax(worst, fabs(value - (double)(i == t % n)));
        }
    CHECK(worst < 1e-11);
    /* the sample without an edge keeps its unit vector */
    if (columns >= n)
        CHECK_SAME(x[n - 1 + (n - 1) * n], 1.0);
    /* too few steps: it says so */
    task.most_steps = 1.0;
    done = solve_propagation(&task, control, x);
    CHECK(n < 9 || (done.unfinished > 0 && done.longest > 1e-13));
    lr_memory_reset(mark);
    free(weight);
    free(row);
    free(start);
    free(s);
}

static void test_entries(size_t n, size_t k, int both)
{
    const void *mark = lr_memory_mark();
    double *h = new_doubles(n * k), *y = new_doubles(n * k);
    double *maximum = doubles(n), *value = doubles(n * n), tau = 0.4;
    int *first = integers(n * n), *second = integers(n * n);
    for (size_t e = 0; e < n * k; e++) {
        h[e] = random_unit() - 0.5;
        y[e] = random_unit() - 0.5;
    }
    size_t at = 0, count = 0, wrong = 0;
    lr_product g = pack_product(h, y, n, k);
    lr_strong all = {tau, both, first, second, value};
    lr_strong counted = {tau, both, NULL, NULL, NULL};
    for (size_t row = 0; row < n; row += LR_TARGETS) {
        lr_row_maxima(&g, row, maximum);
        at += lr_strong_entries(&g, row, &all, at);
        count += lr_strong_entries(&g, row, &counted, 7);
    }
    CHECK_INT(at, count);
    size_t expected = 0;
    for (size_t i = 0; i < n; i++) {
        double largest = -HUGE_VAL;
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t t = 0; t < k; t++)
                sum += h[i + t * n] * y[j + t * n];
            largest = fmax(largest, sum);
            expected += j > i && (sum >= tau || (both && sum <= -tau));
        }
        wrong += !(fabs(largest - maximum[i]) < 1e-14);
    }
    for (size_t e = 0; e < at; e++) {
        double sum = 0.0;
        for (size_t t = 0; t < k; t++)
            sum += h[(size_t)first[e] + t * n]
                * y[(size_t)second[e] + t * n];
        wrong += !(fabs(sum - value[e]) < 1e-14) || first[e] >= second[e];
    }
    CHECK_INT(at, expected);
    CHECK_INT(wrong, 0);
    free(second);
    free(first);
    free(value);
    free(maximum);
    lr_memory_reset(mark);
}

/* Does the closure of the taken pairs contradict pair t? By brute force. */
static int contradicts(size_t n, const int *a, const int *b, const int *must,
                       const int *taken, size_t t)
{
    int group[MOST];
    for (size_t i = 0; i < n; i++)
        group[i] = (int)i;
    for (size_t pass = 0; pass < n; pass++)
        for (size_t u = 0; u < t; u++)
            if (taken[u] && must[u]) {
                int low = group[a[u]] < group[b[u]] ? group[a[u]] : group[b[u]];
                group[a[u]] = group[b[u]] = low;
            }
    if (!must[t])
        return group[a[t]] == group[b[t]];
    for (size_t u = 0; u < t; u++)
        if (taken[u] && !must[u]
            && ((group[a[u]] == group[a[t]] && group[b[u]] == group[b[t]])
                || (group[a[u]] == group[b[t]] && group[b[u]] == group[a[t]])))
            return 1;
    return 0;
}

static void test_admission(size_t n, size_t n_pairs)
{
    int *a = integers(n_pairs), *b = integers(n_pairs);
    int *must = integers(n_pairs), *taken = integers(n_pairs);
    int *scratch = integers(4 * n + 4 * n_pairs);
    size_t wrong = 0;
    a[0] = b[0] = must[0] = 0; /* gcc does not see the loop run */
    for (size_t t = 0; t < n_pairs; t++) {
        a[t] = random_below((int)n);
        b[t] = (a[t] + 1 + random_below((int)n - 1)) % (int)n;
        must[t] = random_below(3) == 0;
    }
    lr_admit_pairs(n, 1, n_pairs, a, b, must, taken, scratch);
    for (size_t t = 1; t < n_pairs; t++)
        wrong += taken[t] == contradicts(n, a, b, must, taken, t);
    CHECK_INT(taken[0], 1);
    CHECK_INT(wrong, 0);
    free(scratch);
    free(taken);
    free(must);
    free(b);
    free(a);
}

int main(void)
{
    for (size_t n = 3; n <= 67; n += 8)
        for (int sparse = 0; sparse < 2; sparse++) {
            random_seed(n);
            test_columns(n, 1, sparse);
            test_columns(n, 5, sparse);
        }
    random_seed(1);
    test_columns(9, 9, 0);
    for (size_t n = 1; n <= 13; n += 3) {
        random_seed(100 + n);
        test_entries(n, 1 + n % 5, 0);
        test_entries(n, 1 + n % 5, 1);
    }
    for (size_t n = 3; n <= 30; n += 3) {
        random_seed(200 + n);
        test_admission(n, 2 * n);
        test_admission(n, 60);
    }
    return check_report();
}
