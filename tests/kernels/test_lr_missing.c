/* Expected differences against means over all cells and all pairs of cells. */
#include "lr_missing.h"

#include "check.h"
#include "lr_difference.h"
#include "random.h"

enum { CLASSES = 3 };

static double plain_difference(double a, double b, const lr_rule *rule)
{
    if (rule->category)
        return a != b ? rule->step : 0.0;
    double d = fabs(a - b);
    if (!rule->ramp)
        return d;
    d = (d - rule->ramp[0]) / (rule->ramp[1] - rule->ramp[0]);
    return d < 0.0 ? 0.0 : d > 1.0 ? 1.0 : d;
}

/* Does the value of sample i count for this table? A class without any value
 * stands for all. */
static int counts(const double *u, size_t n, const lr_scaling *s, size_t table,
                  size_t i)
{
    int any = 0;
    if (isnan(u[i]))
        return 0;
    if (!s->class_of || table == s->n_classes)
        return 1;
    for (size_t j = 0; j < n; j++)
        any |= !isnan(u[j]) && s->class_of[j] == (int)table;
    return !any || s->class_of[i] == (int)table;
}

/* Mean difference over the values that sample i stands for (its own one when
 * it is known) and the values of a table. */
static double by_loops(const double *u, size_t n, const lr_scaling *s,
                       const lr_rule *rule, size_t i, size_t table)
{
    double sum = 0.0, pairs = 0.0;
    for (size_t a = 0; a < n; a++) {
        int mine = isnan(u[i]) ? counts(u, n, s, lr_table_of(s, i), a) : a == i;
        for (size_t b = 0; b < n && mine; b++)
            if (counts(u, n, s, table, b)) {
                sum += plain_difference(u[a], u[b], rule);
                pairs += 1.0;
            }
    }
    return sum / pairs;
}

static int is_wanted(const double *u, size_t n, const lr_scaling *s,
                     size_t table)
{
    int wanted = 0;
    for (size_t i = 0; i < n; i++)
        wanted |= isnan(u[i]) && lr_table_of(s, i) == table;
    return wanted;
}

static void check_tables(size_t n, int kind)
{
    static const double ramp[] = {0.4, 2.5};
    lr_rule rule = {kind % 3 == 1, kind == 4 ? 0.25 : 1.0,
                    kind % 3 == 2 ? ramp : NULL};
    double *u = doubles(n);
    int *class_of = integers(n);
    for (size_t i = 0; i < n; i++) {
        u[i] = kind % 3 == 1 || kind == 3 ? (double)random_below(3)
                                          : 10.0 * random_unit() - 5.0;
        if (kind == 6) /* far from 0, all but one equal in their first digits */
            u[i] = i > 0 ? 1000.3 + 1e-6 * u[i] : 1060.0;
        if (i > 0 && random_below(3) == 0)
            u[i] = NAN;
        class_of[i] = random_below(CLASSES + 1) - 1;
    }
    lr_scaling s = {NULL, NULL, NULL, NULL, kind < 3 ? NULL : class_of,
                    CLASSES, NULL, NULL, NULL};
    size_t tables = lr_class_tables(&s);
    double *out = doubles(n * tables);
    double *scratch = doubles(lr_expected_scratch(n, tables));
    lr_expected_differences(u, n, &s, &rule, out, scratch);
    for (size_t t = 0; t < tables; t++)
        for (size_t i = 0; i < n && is_wanted(u, n, &s, t); i++)
            CHECK_NEAR(out[t * n + i], by_loops(u, n, &s, &rule, i, t), 1e-12);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n && isnan(u[i]); j++)
            if (isnan(u[j]))
                CHECK_SAME(out[lr_table_of(&s, j) * n + i],
                           out[lr_table_of(&s, i) * n + j]);
    free(u);
    free(scratch);
    free(class_of);
    free(out);
}

static void test_expected(void)
{
    random_seed(2);
    for (size_t n = 1; n <= 30; n++)
        for (int kind = 0; kind < 7; kind++)
            check_tables(n, kind);
    check_tables(150, 6); /* too many to be moved one by one */
}

/* By hand, u = 0, 1, missing, 4 (numbers), or the same as names. */
static void test_worked(void)
{
    double u[] = {0.0, 1.0, NAN, 4.0}, out[12];
    double *scratch = doubles(lr_expected_scratch(4, 3));
    lr_scaling s = {NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL};
    lr_rule number = {0, 1.0, NULL}, name = {1, 1.0, NULL};
    /* to 0, 1, 4: from 0: 5/3, from 1: 4/3, from 4: 7/3; all: 16/9 */
    lr_expected_differences(u, 4, &s, &number, out, scratch);
    CHECK_NEAR(out[0], 5.0 / 3.0, 1e-15);
    CHECK_NEAR(out[1], 4.0 / 3.0, 1e-15);
    CHECK_NEAR(out[2], 16.0 / 9.0, 1e-15);
    CHECK_NEAR(out[3], 7.0 / 3.0, 1e-15);
    /* three names: any of them differs from two of three */
    lr_expected_differences(u, 4, &s, &name, out, scratch);
    CHECK_NEAR(out[2], 2.0 / 3.0, 1e-15);
    CHECK_NEAR(out[3], 2.0 / 3.0, 1e-15);
    /* and where steps of the range, or the range, are no finite numbers */
    double tiny[] = {0.0, 1e-310, NAN, 4e-310}, huge[] = {-1e308, 0.0, NAN, 1e308};
    lr_expected_differences(tiny, 4, &s, &name, out, scratch);
    CHECK_NEAR(out[2], 2.0 / 3.0, 1e-15);
    lr_expected_differences(huge, 4, &s, &name, out, scratch);
    CHECK_NEAR(out[2], 2.0 / 3.0, 1e-15);
    /* classes a = {0, 1}, b = {missing, 4}: the missing one stands for 4 */
    int class_of[] = {0, 0, 1, 1};
    s.class_of = class_of;
    s.n_classes = 2;
    lr_expected_differences(u, 4, &s, &number, out, scratch);
    CHECK_SAME(out[4 + 1], 3.0); /* 1 to b */
    CHECK_SAME(out[4 + 2], 0.0); /* missing to b */
    /* 0 and missing of class a, missing and 4 of class b */
    static const double wanted[] = {0.0, 0.0, 4.0, 4.0, 4.0, 4.0, 0.0, 0.0};
    u[1] = NAN;
    lr_expected_differences(u, 4, &s, &number, out, scratch);
    CHECK_SAMES(out, wanted, 8);
    free(scratch);
}

/* Which of the two expected differences counts. */
static void test_difference(void)
{
    const double ramp[] = {1.0, 5.0};
    lr_rule number = {0, 1.0, NULL}, name = {1, 1.0, NULL};
    lr_rule weighted = {1, 0.25, NULL}, ramped = {0, 1.0, ramp};
    CHECK_SAME(lr_difference(1.0, 3.5, 7.0, 8.0, &number), 2.5);
    CHECK_SAME(lr_difference(3.5, 1.0, 7.0, 8.0, &number), 2.5);
    CHECK_SAME(lr_difference(1.0, 3.5, 7.0, 8.0, &name), 1.0);
    CHECK_SAME(lr_difference(1.0, 3.5, 7.0, 8.0, &weighted), 0.25);
    CHECK_SAME(lr_difference(2.0, 2.0, 7.0, 8.0, &name), 0.0);
    CHECK_SAME(lr_difference(1.0, 1.5, 7.0, 8.0, &ramped), 0.0);
    CHECK_SAME(lr_difference(1.0, 4.0, 7.0, 8.0, &ramped), 0.5);
    CHECK_SAME(lr_difference(1.0, 9.0, 7.0, 8.0, &ramped), 1.0);
    CHECK_SAME(lr_difference(NAN, 2.0, 7.0, 8.0, &number), 8.0);
    CHECK_SAME(lr_difference(2.0, NAN, 7.0, 8.0, &name), 7.0);
    CHECK_SAME(lr_difference(NAN, NAN, 7.0, 7.0, &name), 7.0);
}

int main(void)
{
    test_expected();
    test_worked();
    test_difference();
    return check_report();
}
