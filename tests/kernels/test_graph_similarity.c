/* Edges to compressed columns, weights and degrees, by hand. */
#include "check.h"
#include "graph_similarity.h"

static int first[] = {0, 1, 2, 2, 3};
static int second[] = {1, 0, 1, 0, 1};
static double square[] = {4.0, 4.0, 1.0, 9.0, 0.0};

static int start[6], row[10], scratch[20];
static double value[10], scratch_value[10];

static size_t join(size_t count, int mutual)
{
    lr_graph_edges edges = {first, second, square, count};
    lr_graph_buffer buffer = {start, row, value, scratch, scratch_value};
    return lr_join_edges(5, &edges, mutual, &buffer);
}

static void test_either(void)
{
    /* 0-1, 0-2, 1-2, 1-3; sample 4 has no edge */
    static const int want_start[] = {0, 2, 5, 7, 8, 8};
    static const int want_row[] = {1, 2, 0, 2, 3, 0, 1, 1};
    static const double want[] = {4, 9, 4, 1, 0, 9, 1, 0};
    CHECK_INT(join(5, 0), 8);
    CHECK_INTS(start, want_start, 6);
    CHECK_INTS(row, want_row, 8);
    CHECK_SAMES(value, want, 8);
}

static void test_mutual(void)
{
    static const int want_start[] = {0, 1, 2, 2, 2, 2};
    static const int want_row[] = {1, 0};
    CHECK_INT(join(5, 1), 2);
    CHECK_INTS(start, want_start, 6);
    CHECK_INTS(row, want_row, 2);
    CHECK_INT(join(0, 0), 0);
    CHECK_INT(start[5], 0);
}

static void test_weights(void)
{
    static const double scale[] = {1.0, 2.0, 3.0};
    double s[9] = {0, 4, 9, 4, 0, 1, 9, 1, 0};
    lr_graph dense = {3, NULL, NULL, s};
    lr_weighting tuning = {LR_SELF_TUNING, 1.0, 1.0, scale};
    double degree[3];
    lr_weigh_edges(&dense, s, 0, 3, &tuning);
    CHECK_SAME(s[0], 0.0);
    CHECK_SAME(s[1], exp(-4.0 / (2.0 * 1.0 * 2.0)));
    CHECK_SAME(s[2], exp(-9.0 / (2.0 * 1.0 * 3.0)));
    CHECK_SAME(s[5], exp(-1.0 / (2.0 * 2.0 * 3.0)));
    CHECK_SAME(s[1], s[3]);
    lr_degrees(&dense, degree);
    CHECK_SAME(degree[0], s[1] + s[2]);

    double five[5];
    join(5, 0);
    lr_weighting kinds[] = {{LR_HEAT, 1.0, 3.0, NULL},
                            {LR_GAUSSIAN, 2.0, 1.0, NULL},
                            {LR_INVERSE, 2.0, 1.0, NULL},
                            {LR_BINARY, 1.0, 1.0, NULL}};
    double want[] = {exp(-4.0 / 3.0), exp(-4.0 / 8.0), 1.0 / (4.0 / 4.0 + 1.0),
                     1.0};
    for (int k = 0; k < 4; k++) {
        double v[8];
        memcpy(v, value, sizeof v);
        lr_graph g = {5, start, row, v};
        lr_weigh_edges(&g, v, 0, 5, kinds + k);
        CHECK_SAME(v[0], want[k]);
        lr_degrees(&g, five);
        CHECK_SAME(five[4], 0.0);
        CHECK_SAME(five[2], v[5] + v[6]);
    }
}

static void test_scales(void)
{
    double some[] = {0.0, 3.0, 2.0}, none[] = {0.0, 0.0};
    lr_fix_scales(some, 3);
    CHECK_SAME(some[0], 2.0);
    CHECK_SAME(some[1], 3.0);
    lr_fix_scales(none, 2);
    CHECK_SAME(none[0], 1.0);
}

int main(void)
{
    test_either();
    test_mutual();
    test_weights();
    test_scales();
    return check_report();
}
