/* Sums of differences of one feature against sums over all pairs and edges. */
#include "glean_sums.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random.h"

/* More samples than edges of one sample go through in a portion. */
enum { N = 180 };

static void draw_column(double *u, int kind)
{
    for (size_t i = 0; i < N; i++) {
        u[i] = kind == 2 ? 0.0 : random_unit() - 0.3;
        if (kind == 1 && random_below(3) > 0)
            u[i] = 0.0;
        if (random_below(4) == 0)
            u[i] = (double)random_below(3);
    }
}

static lr_entries entries_of(const double *u, int *row, double *value)
{
    lr_entries e = {row, value, 0};
    for (size_t i = 0; i < N; i++)
        if (u[i] != 0.0) {
            row[e.count] = (int)i;
            value[e.count++] = u[i];
        }
    return e;
}

/* Edges with weights of both signs, each at its lower end; most are of the first
 * sample, whose number of edges is also 128, 129 and 127. */
static lr_edge_list draw_edges(int *start, int *row, double *weight,
                               double *degree, int trial)
{
    static double dense[N * N];
    memset(dense, 0, sizeof dense);
    for (size_t i = 1; i < N; i++) {
        for (int k = 0; k < 3; k++) {
            size_t j = 1 + (size_t)random_below(N - 1);
            if (j != i)
                dense[i + j * N] = dense[j + i * N] = random_unit() - 0.5;
        }
        if (i <= 127 + (size_t)trial % 3 || trial % 4 == 0)
            dense[i * N] = dense[i] = random_unit() - 0.5;
    }
    int at = 0;
    for (size_t j = 0; j < N; j++) {
        start[j] = at;
        degree[j] = 0.0;
        for (size_t i = 0; i < N; i++) {
            degree[j] += dense[i + j * N];
            if (i > j && dense[i + j * N] != 0.0) {
                row[at] = (int)i;
                weight[at++] = dense[i + j * N];
            }
        }
    }
    start[N] = at;
    lr_edge_list edges = {{N, start, row, weight}, degree};
    return edges;
}

/* Three blocks, the last of a single sample. */
static void check_blocks(const double *u, const lr_entries *e, double *scratch,
                         double *column)
{
    int block_of[N];
    size_t size[3] = {0, 0, 0}, next[4];
    double sum = 0.0, pairs = 0.0;
    for (size_t i = 0; i < N; i++) {
        block_of[i] = i == 7 ? 2 : random_below(2);
        size[block_of[i]]++;
    }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++)
            if (block_of[i] == block_of[j]) {
                sum += fabs(u[i] - u[j]);
                pairs++;
            }
    lr_blocks blocks = {3, block_of, size};
    CHECK_NEAR(lr_block_mean_difference(e, &blocks, scratch, column, next),
               sum / pairs, 1e-12);
}

int main(void)
{
    int row[N], start[N + 1], *edges = integers(N * N);
    double u[N], value[N], scratch[2 * N], column[N] = {0.0}, degree[N];
    uint32_t is_entry[N / 32 + 1] = {0};
    double *weight = doubles(N * N);
    for (int trial = 0; trial < trials(300); trial++) {
        double all = 0.0, sum = 0.0;
        draw_column(u, trial % 3);
        lr_entries e = entries_of(u, row, value);
        lr_edge_list list = draw_edges(start, edges, weight, degree,
                                       trial);
        for (size_t i = 0; i < N; i++)
            for (size_t j = 0; j < i; j++)
                all += fabs(u[i] - u[j]);
        for (size_t j = 0; j < N; j++)
            for (int k = start[j]; k < start[j + 1]; k++)
                sum += weight[k] * fabs(u[edges[k]] - u[j]);
        CHECK_NEAR(lr_mean_difference(&e, N, scratch),
                   2.0 * all / (N * (N - 1.0)), 1e-12);
        CHECK_NEAR(lr_edge_differences(&list, &e, column, is_entry), sum,
                   1e-12);
        check_blocks(u, &e, scratch, column);
        for (size_t i = 0; i < N; i++) {
            CHECK_SAME(column[i], 0.0);
            CHECK(is_entry[i / 32] == 0);
        }
    }
    /* 0, 1, 3: differences 1, 3, 2 */
    double three[2] = {1.0, 3.0};
    int rows[2] = {1, 2};
    lr_entries e = {rows, three, 2};
    CHECK_SAME(lr_mean_difference(&e, 3, scratch), 2.0);
    free(edges), free(weight);
    return check_report();
}
