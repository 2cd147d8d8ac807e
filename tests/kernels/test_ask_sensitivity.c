/* The most sensitive pair against a walk through all pairs. */
#include "check.h"
#include "random.h"
#include "ask_sensitivity.h"

static double score_of(const lr_sensitivity *s, size_t i, size_t j)
{
    double sum = 0.0;
    for (size_t r = 0; r < s->q; r++)
        sum += fabs((s->v[i + r * s->n] - s->v[j + r * s->n])
                    * (s->g[i + r * s->n] - s->g[j + r * s->n]));
    return sum;
}

static void test_best_pair(size_t n, size_t q, int row, int levels)
{
    double *v = doubles(n * q), *g = doubles(n * q), *used = doubles(n * n);
    int *taken = integers(n * n);
    lr_sensitivity s = {n, q, v, g, used, 0};
    /* few levels make ties; some samples far out rule others out; below 0: a
     * circle, with ranges that differ */
    for (size_t i = 0; i < n * q; i++) {
        double turn = 6.3 * random_unit();
        v[i] = levels < 0 ? 9.0 + cos(turn)
            : levels      ? random_below(levels)
                          : random_unit();
        g[i] = levels < 0 ? 1e-3 * sin(turn)
            : levels      ? random_below(levels)
                          : random_unit();
        if (!levels && random_below(10) == 0)
            v[i] *= 5.0;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if ((taken[i + j * n] = random_below(4) == 0))
                used[s.n_used++] = (double)i * (double)n + (double)j + 1.0;
    double best = -1.0;
    for (int pass = 0; pass < 2; pass++) {
        int found = 0;
        for (size_t i = 0; i < n && !found; i++)
            for (size_t j = i + 1; j < n && !found; j++) {
                if (taken[i + j * n]
                    || (row >= 0 && (int)i != row && (int)j != row))
                    continue;
                double here = score_of(&s, i, j);
                if (pass == 0 && here > best)
                    best = here;
                if (pass == 1 && here >= best * (1.0 - 1e-10)) {
                    double *bound = doubles(n);
                    int first, second;
                    CHECK(lr_best_pair(&s, row, bound, &first, &second));
                    CHECK_INT(first, i);
                    CHECK_INT(second, j);
                    free(bound);
                    found = 1;
                }
            }
    }
    free(taken);
    free(used);
    free(g);
    free(v);
}

static void test_nothing_left(void)
{
    double v[3] = {0.0, 1.0, 2.0}, used[3] = {2.0, 3.0, 6.0}, bound[3];
    int first, second;
    lr_sensitivity s = {3, 1, v, v, used, 3};
    CHECK(!lr_best_pair(&s, -1, bound, &first, &second));
    CHECK(!lr_best_pair(&s, 1, bound, &first, &second));
    /* all scores are 0: the lowest pair that is left */
    double same[3] = {4.0, 4.0, 4.0};
    lr_sensitivity flat = {3, 1, same, same, used, 1};
    CHECK(lr_best_pair(&flat, -1, bound, &first, &second));
    CHECK_INT(first, 0);
    CHECK_INT(second, 2);
}

int main(void)
{
    for (size_t n = 4; n <= 150; n += 29)
        for (int levels = -3; levels <= 6; levels += 3) {
            random_seed(300 + n);
            test_best_pair(n, 1, -1, levels);
            test_best_pair(n, 2, -1, levels);
            test_best_pair(n, 1, (int)n / 2, levels);
        }
    test_nothing_left();
    return check_report();
}
