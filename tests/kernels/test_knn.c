/* Tiles of a distance matrix against a search from every sample in turn. */
#include "knn.h"

#include "check.h"
#include "random.h"

enum { N = 23, K = 3 };

static double distance[N][N];
static int class_of[N];

/* Few values, so that there are many ties. */
static void make_distances(void)
{
    random_seed(7);
    for (int i = 0; i < N; i++) {
        class_of[i] = i % 4 - 1; /* -1: takes no part */
        for (int j = 0; j < i; j++) {
            distance[i][j] = distance[j][i] = random_below(8);
        }
    }
}

static double list_distance[N * 3 * K];
static int list_row[N * 3 * K];
static lr_nearest lists[N * 3];
static double limit[N * 3];

static lr_neighbours empty_lists(lr_class_rule rule, size_t n_lists)
{
    for (size_t i = 0; i < N * n_lists; i++) {
        lr_nearest list = {list_distance + i * K, list_row + i * K, K, 0};
        lists[i] = list;
        limit[i] = INFINITY;
    }
    lr_neighbours nb = {N, rule, n_lists, class_of, lists, limit};
    return nb;
}

/* Offers all pairs in tiles of some size, shared in two parts. */
static void walk(const lr_neighbours *nb, size_t ends, size_t rows)
{
    static double cells[N * N];
    for (size_t e = 0; e < N; e += ends)
        for (size_t r = e; r < N; r += rows) {
            lr_tile tile = {e, ends < N - e ? ends : N - e, r,
                            rows < N - r ? rows : N - r, cells, rows};
            for (size_t a = 0; a < tile.n_ends; a++)
                for (size_t b = 0; b < tile.n_rows; b++)
                    cells[a * rows + b] = distance[e + a][r + b];
            size_t half_ends = tile.n_ends / 2, half_rows = tile.n_rows / 2;
            lr_offer_to_ends(nb, &tile, 0, half_ends);
            lr_offer_to_ends(nb, &tile, half_ends, tile.n_ends);
            lr_offer_to_rows(nb, &tile, 0, half_rows);
            lr_offer_to_rows(nb, &tile, half_rows, tile.n_rows);
        }
}

/* Does list number `list` of sample i take sample j? */
static int takes(lr_class_rule rule, int i, int list, int j)
{
    if (rule == LR_ANY_CLASS)
        return 1;
    if (class_of[i] < 0 || class_of[j] < 0)
        return 0;
    if (rule == LR_EACH_CLASS)
        return class_of[j] == list;
    return (class_of[i] != class_of[j]) == list;
}

static void check_lists(lr_class_rule rule, size_t n_lists)
{
    int wrong = 0;
    for (int i = 0; i < N; i++)
        for (size_t c = 0; c < n_lists; c++) {
            lr_nearest *list = lists + (size_t)i * n_lists + c;
            lr_nearest_sort(list);
            double last = -1.0;
            int last_row = -1;
            for (size_t k = 0; k < K; k++) {
                int best = -1;
                for (int j = 0; j < N; j++) {
                    double d = distance[i][j];
                    int after = d > last || (d == last && j > last_row);
                    if (j != i && takes(rule, i, (int)c, j) && after
                        && (best < 0 || d < distance[i][best]))
                        best = j;
                }
                int got = k < list->count ? list->row[k] : -1;
                wrong += got != best;
                if (best < 0)
                    break;
                last = distance[i][best];
                last_row = best;
            }
        }
    CHECK_INT(wrong, 0);
}

int main(void)
{
    static const size_t sizes[][2] = {{1, 1}, {4, 4}, {5, 8}, {8, 5}, {N, N}};
    make_distances();
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        lr_neighbours any = empty_lists(LR_ANY_CLASS, 1);
        walk(&any, sizes[s][0], sizes[s][1]);
        check_lists(LR_ANY_CLASS, 1);
        lr_neighbours two = empty_lists(LR_SAME_OR_OTHER, 2);
        walk(&two, sizes[s][0], sizes[s][1]);
        check_lists(LR_SAME_OR_OTHER, 2);
        lr_neighbours each = empty_lists(LR_EACH_CLASS, 3);
        walk(&each, sizes[s][0], sizes[s][1]);
        check_lists(LR_EACH_CLASS, 3);
    }
    return check_report();
}
