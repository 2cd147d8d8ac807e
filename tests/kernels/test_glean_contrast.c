/* Scatter between and within weighted groups against sums over all samples. */
#include "glean_sums.h"

#include <stdlib.h>

#include "check.h"
#include "random.h"

enum { N = 40, GROUPS = 4 };

/* Groups of which the last has no sample, and samples in none. */
static void draw_groups(int *label, double *weight, double *mass)
{
    for (int g = 0; g < GROUPS; g++)
        mass[g] = 0.0;
    for (size_t i = 0; i < N; i++) {
        label[i] = (int)random_below(GROUPS) - 1;
        weight[i] = label[i] < 0 ? 0.0 : random_unit();
        if (label[i] >= 0)
            mass[label[i]] += weight[i];
    }
}

static double mean_of(const double *u, const int *label, const double *weight,
                      int group)
{
    double sum = 0.0, total = 0.0;
    for (size_t i = 0; i < N; i++)
        if (group < 0 || label[i] == group) {
            sum += weight[i] * u[i];
            total += weight[i];
        }
    return sum / total;
}

/* Groups 0 .. 1 in one block and the others in another: as much as each block
 * alone. */
static void check_two_blocks(const double *u, const lr_groups *all,
                             const lr_entries *e)
{
    static const int start[] = {0, 2, GROUPS};
    lr_groups g = *all;
    double scratch[2 * GROUPS], between = 0.0, within = 0.0, got, inside;
    g.n_blocks = 2;
    g.block_start = start;
    for (int b = 0; b < 2; b++) {
        double total = 0.0, sum = 0.0;
        for (int i = 0; i < N; i++) {
            int here = g.label[i] >= start[b] && g.label[i] < start[b + 1];
            total += here ? g.weight[i] : 0.0;
            sum += here ? g.weight[i] * u[i] : 0.0;
        }
        for (int i = 0; i < N; i++) {
            if (g.label[i] < start[b] || g.label[i] >= start[b + 1])
                continue;
            double mean = mean_of(u, g.label, g.weight, g.label[i]);
            between += g.weight[i] * (mean - sum / total) * (mean - sum / total);
            within += g.weight[i] * (u[i] - mean) * (u[i] - mean);
        }
    }
    lr_group_contrast(&g, e, scratch, &got, &inside);
    CHECK_NEAR(got, between, 1e-12);
    CHECK_NEAR(inside, within, 1e-12);
}

static void check_column(const double *u)
{
    int label[N], row[N];
    double weight[N], mass[GROUPS], value[N], scratch[2 * GROUPS];
    double between = 0.0, within = 0.0, got_between, got_within;
    lr_entries e = {row, value, 0};
    draw_groups(label, weight, mass);
    for (size_t i = 0; i < N; i++)
        if (u[i] != 0.0) {
            row[e.count] = (int)i;
            value[e.count++] = u[i];
        }
    for (size_t i = 0; i < N; i++) {
        if (label[i] < 0)
            continue;
        double mean = mean_of(u, label, weight, label[i]);
        double away = mean - mean_of(u, label, weight, -1);
        between += weight[i] * away * away;
        within += weight[i] * (u[i] - mean) * (u[i] - mean);
    }
    static const int one_block[] = {0, GROUPS};
    lr_groups g = {GROUPS, label, weight, mass, 1, one_block};
    lr_group_contrast(&g, &e, scratch, &got_between, &got_within);
    CHECK_NEAR(got_between, between, 1e-12);
    CHECK_NEAR(got_within, within, 1e-12);
    check_two_blocks(u, &g, &e);
}

int main(void)
{
    double u[N];
    for (int trial = 0; trial < trials(200); trial++) {
        for (size_t i = 0; i < N; i++)
            u[i] = trial % 2 && random_below(3) > 0 ? 0.0
                                                    : random_unit() - 0.4;
        check_column(u);
    }
    /* groups {0, 2} and {5}, each with weight 1: means 1 and 5, of all 7 / 3 */
    int label[3] = {0, 0, 1}, rows[2] = {1, 2};
    double weight[3] = {1.0, 1.0, 1.0}, mass[2] = {2.0, 1.0};
    double two[2] = {2.0, 5.0}, scratch[4], between, within;
    static const int one_block[] = {0, 2};
    lr_groups g = {2, label, weight, mass, 1, one_block};
    lr_entries e = {rows, two, 2};
    lr_group_contrast(&g, &e, scratch, &between, &within);
    CHECK_NEAR(between, 2.0 * 16.0 / 9.0 + 64.0 / 9.0, 1e-14);
    CHECK_SAME(within, 2.0);
    return check_report();
}
