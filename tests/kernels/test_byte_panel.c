/* Nearest samples of dense data by rounded bytes and exact distances, against
 * all distances. */
#include "byte_panel.h"

#include "check.h"
#include "random.h"

enum { MOST = 90, FEATURES = 150, ROOM = MOST + 2 };

static double x[MOST * FEATURES], center[FEATURES], divisor[FEATURES];
static double minimum[FEATURES], maximum[FEATURES];
static unsigned char bytes[LR_BYTE_MOST_ROWS * 192], of_ends[MOST * 192];
static unsigned char tile[LR_BYTE_TILE * LR_BYTE_MOST_ROWS];
static double residual[LR_BYTE_MOST_ROWS], of_end[MOST], u[MOST * FEATURES];
static double bounds[2 * MOST], upper[MOST * MOST], low[MOST * ROOM];
static double high[MOST * ROOM];
static double limit[MOST];
static int sums[4 * MOST], n_upper[MOST], count[MOST], row_of[MOST * ROOM];

static void draw(int n, int p)
{
    int kind = random_below(4);
    for (int j = 0; j < p; j++) {
        minimum[j] = INFINITY;
        maximum[j] = -INFINITY;
        for (int i = 0; i < n; i++) {
            double v = random_unit();
            v = kind == 0 ? v : kind == 1 ? floor(4 * v) : kind == 2
                ? 1e6 * (v - 0.5) : j % 5 ? v * v * v * v : 7.0;
            x[i + j * n] = v;
        }
        for (int i = 1; i < n; i += 3) /* copies: ties */
            x[i + j * n] = x[(i * 7) % n + j * n];
        for (int i = 0; i < n; i++) {
            minimum[j] = fmin(minimum[j], x[i + j * n]);
            maximum[j] = fmax(maximum[j], x[i + j * n]);
        }
        center[j] = minimum[j];
        divisor[j] = maximum[j] - minimum[j];
    }
}

static double scaled(int i, int j, int n)
{
    return divisor[j] == 0.0 ? 0.0 : (x[i + j * n] - center[j]) / divisor[j];
}

static double distance_of(int a, int b, int n, int p)
{
    double sum = 0.0;
    for (int j = 0; j < p; j++)
        sum += fabs(scaled(a, j, n) - scaled(b, j, n));
    return sum;
}

static int same_list(const lr_byte_panel *panel, const lr_dense_cells *cells,
                     int e, int end, int k)
{
    double d[2][MOST];
    int rows[2][MOST], n = (int)cells->n;
    lr_candidate pairs[ROOM];
    lr_nearest want = {d[0], rows[0], (size_t)k, 0};
    lr_nearest got = {d[1], rows[1], (size_t)k, 0};
    for (int i = 0; i < n; i++)
        if (i != end)
            lr_nearest_offer(&want, distance_of(end, i, n, (int)cells->p), i);
    for (int i = 0; i < count[e]; i++) {
        pairs[i].end = e;
        pairs[i].row = row_of[e * ROOM + i];
    }
    lr_measure_pairs(panel, cells, pairs, (size_t)count[e]);
    for (int i = 0; i < count[e]; i++)
        lr_nearest_offer(&got, pairs[i].distance, pairs[i].row);
    lr_nearest_sort(&want);
    lr_nearest_sort(&got);
    return want.count == got.count
        && !memcmp(d[0], d[1], want.count * sizeof(double))
        && !memcmp(rows[0], rows[1], want.count * sizeof(int));
}

static void check_search(void)
{
    int n = 3 + random_below(MOST - 3), p = 1 + random_below(FEATURES);
    int n_ends = 1 + random_below(n), k = 1 + random_below(6), end[MOST] = {0};
    int block = 1 + random_below(40), wrong = 0;
    draw(n, p);
    lr_dense_cells cells = {x, (size_t)n, (size_t)p, center, divisor};
    lr_byte_panel panel = {(size_t)n_ends, ((size_t)p + 63) / 64 * 64, of_ends,
                           of_end, u, 0.0,
                           random_below(2) ? LR_PORTABLE : LR_FASTEST};
    lr_screen screen = {(size_t)n_ends, 1, (size_t)k, ROOM, upper, n_upper,
                        low, high, row_of, count, limit};
    for (int e = 0; e < n_ends; e++)
        end[e] = (e * 5 + 1) % n;
    lr_screen_rule rule = {end, NULL, NULL, NULL, NULL};
    lr_byte_panel_fill(&panel, &cells, end);
    lr_screen_clear(&screen);
    for (int row = 0; row < n; row += block) {
        int to = row + block < n ? row + block : n;
        lr_round_rows(&cells, (size_t)row, (size_t)to, panel.ld, bytes,
                      residual, tile);
        lr_rounded_rows samples = {(size_t)row, (size_t)to, bytes, residual};
        lr_byte_offer(&panel, &rule, &samples, bounds, sums, &screen);
    }
    lr_screen_finish(&screen);
    for (int e = 0; e < n_ends; e++)
        wrong += !same_list(&panel, &cells, e, end[e], k);
    CHECK_INT(wrong, 0);
}

static void check_ranges(void)
{
    lr_dense_cells cells = {x, 3, 1, center, divisor};
    minimum[0] = center[0] = 2.0;
    maximum[0] = 5.0;
    divisor[0] = 3.0;
    CHECK(lr_is_unit_range(&cells, minimum, maximum));
    divisor[0] = 2.0;
    CHECK(!lr_is_unit_range(&cells, minimum, maximum));
    divisor[0] = maximum[0] = 1e-300;
    minimum[0] = center[0] = 0.0;
    CHECK(!lr_is_unit_range(&cells, minimum, maximum));
    CHECK_INT(lr_byte_rows(64), LR_BYTE_MOST_ROWS);
    CHECK_INT(lr_byte_rows(1 << 15), LR_BYTE_UNIT);
    CHECK_INT(lr_byte_rows(1 << 13), 64);
}

int main(void)
{
    random_seed(31);
    for (int i = 0; i < 2000; i++)
        check_search();
    check_ranges();
    return check_report();
}
