/* Blocks of features from data of every layout, and the walks through them. */
#include "read_walk.h"

#include <limits.h>

#include "check.h"
#include "host.h"
#include "random.h"
#include "read_scan.h"

/* N samples and P features, in all layouts; a cell in three is 0. */
enum { N = 13, P = 29 };

typedef struct {
    double columns[N * P], rows[N * P];
    int integers[N * P];
    lr_sparse_tile tile;
    int start[P + 1], row[N * P];
    double value[N * P];
} table;

static void fill_table(table *t)
{
    int cells = 0;
    for (int j = 0; j < P; j++) {
        t->start[j] = cells;
        for (int i = 0; i < N; i++) {
            int v = random_below(3) == 0 ? 0 : random_below(90) + 1;
            t->columns[i + j * N] = t->rows[j + i * P] = v;
            t->integers[i + j * N] = v;
            if (v == 0)
                continue;
            t->row[cells] = i;
            t->value[cells++] = v;
        }
    }
    t->start[P] = cells;
    t->tile = (lr_sparse_tile){0, N, t->start, t->row, t->value};
}

static feature_data data_of(table *t, data_layout layout, int whole)
{
    feature_data d = {.n = N, .p = P, .layout = layout, .missing = NAN,
                      .per_call = 5, .control = {.threads = 1}};
    if (layout == LAYOUT_READER)
        d.host = t->columns;
    else if (is_stored(&d))
        d.host = &t->tile;
    else if (whole)
        d.integers = t->integers;
    else
        d.values = layout == LAYOUT_ROWS ? t->rows : t->columns;
    return d;
}

static void check_blocks(const table *t, const feature_data *d, size_t parts)
{
    feature_source source = source_open(d, parts == 1);
    if (parts > 1 && d->layout != LAYOUT_READER)
        source.per_block = 7;
    size_t seen = 0;
    for (size_t first = 0; first < P; first += source.per_block) {
        lr_block b = source_block(&source, first);
        CHECK_INT(b.first, first);
        for (size_t j = 0; j < b.count; j++, seen++)
            for (size_t i = 0; i < N; i++)
                CHECK_SAME(b.values[i + j * b.stride],
                           t->columns[i + (first + j) * N]);
    }
    CHECK_INT(seen, P);
}

static void test_blocks(void)
{
    static table t;
    random_seed(1);
    fill_table(&t);
    for (int layout = LAYOUT_COLUMNS; layout <= LAYOUT_MAPPED; layout++)
        for (size_t parts = 1; parts <= 2; parts++) {
            feature_data d = data_of(&t, (data_layout)layout, 0);
            check_blocks(&t, &d, parts);
        }
    feature_data d = data_of(&t, LAYOUT_COLUMNS, 1);
    check_blocks(&t, &d, 2);
    t.integers[3] = INT_MIN;
    feature_source source = source_open(&d, 0);
    CHECK(isnan(source_block(&source, 0).values[3]));
    lr_memory_reset(NULL);
}

/* Each feature that is wanted is used once, whatever the layout, and the host
 * hears of the progress to its end. */
static void count_feature(void *context, const lr_block *block, size_t j)
{
    ((int *)context)[block->first + j]++;
}

static void test_columns(void)
{
    static table t;
    static const int features[] = {4, 29, 11};
    random_seed(2);
    fill_table(&t);
    for (int layout = LAYOUT_COLUMNS; layout <= LAYOUT_MAPPED; layout++) {
        int used[P] = {0};
        feature_data d = data_of(&t, (data_layout)layout, 0);
        column_walk walk = {.data = &d, .work = 1.0, .use = count_feature,
                            .place = feature_places(P, features, 3),
                            .context = used};
        walk_columns(&walk);
        for (int j = 0; j < P; j++)
            CHECK_INT(used[j], j == 3 || j == 28 || j == 10);
        CHECK_SAME(host_done, (double)P);
    }
    lr_memory_reset(NULL);
}

static void test_copies(void)
{
    static table t;
    static const int features[] = {17, 2}, samples[] = {13, 1, 6};
    random_seed(3);
    fill_table(&t);
    double center[P], divisor[P], out[2 * N], scaled[3 * P];
    for (int j = 0; j < P; j++) {
        center[j] = random_unit();
        divisor[j] = j == 5 ? 0.0 : 1.0 + random_unit();
    }
    lr_scaling s = {.center = center, .divisor = divisor};
    feature_data d = data_of(&t, LAYOUT_SPARSE, 0);
    d.scaling = s;
    copy_features(&d, features, 2, 0, out);
    scale_samples(&d, samples, 3, scaled);
    for (int i = 0; i < N; i++) {
        CHECK_SAME(out[i], t.columns[i + 16 * N]);
        CHECK_SAME(out[N + i], t.columns[i + N]);
    }
    for (int j = 0; j < P; j++)
        for (int e = 0; e < 3; e++)
            CHECK_SAME(scaled[e + j * 3],
                       lr_scale_cell(&s, (size_t)j,
                                     t.columns[samples[e] - 1 + j * N]));
    lr_memory_reset(NULL);
}

/* Moments are those of each feature alone, and a copy is one wherever a feature
 * is asked for, for every layout, an odd number of features and several
 * threads: awkward features side by side disturb each other in no bit. */
static void make_awkward(table *t)
{
    static const double power[] = {1.0, 1e300, 1e-300, 1e150, 1e-160};
    for (int j = 0; j < P; j++)
        for (int at = t->start[j]; at < t->start[j + 1]; at++) {
            int i = t->row[at];
            double v = t->value[at] * power[j % 5];
            if (j % 7 == 3)
                v = NAN;
            if (j % 4 == 1 && i % 3 == 0)
                v = i == 0 ? NAN : -v;
            t->value[at] = t->columns[i + j * N] = t->rows[j + i * P] = v;
        }
}

static void check_moments(const table *t, const feature_data *d)
{
    double mean[P], deviation[P], m[LR_DOUBLES], s[LR_DOUBLES];
    feature_moments(d, mean, deviation);
    for (int j = 0; j < P; j++) {
        const double *x[LR_DOUBLES];
        for (int l = 0; l < LR_DOUBLES; l++)
            x[l] = t->columns + j * N;
        lr_moments(x, N, N, m, s);
        CHECK_SAME(mean[j], m[0]);
        CHECK_SAME(deviation[j], s[0]);
    }
}

static void check_copies(const table *t, const feature_data *d)
{
    static const int features[] = {P, 4, 9, P, 4, 1};
    double out[6 * N], all[P * N];
    for (int scaled = 0; scaled < 2; scaled++) {
        copy_features(d, features, 6, scaled, out);
        copy_features(d, NULL, P, scaled, all);
        for (int k = 0; k < 6; k++)
            for (int i = 0; i < N; i++) {
                size_t j = (size_t)features[k] - 1;
                double x = t->columns[i + (int)j * N];
                CHECK_SAME(out[i + k * N],
                           scaled ? lr_scale_cell(&d->scaling, j, x) : x);
                CHECK_SAME(all[i + (int)j * N], out[i + k * N]);
            }
    }
}

static void test_awkward(void)
{
    static table t;
    double center[P], divisor[P];
    random_seed(7);
    fill_table(&t);
    make_awkward(&t);
    for (int j = 0; j < P; j++) {
        center[j] = random_unit();
        divisor[j] = j == 8 ? 0.0 : 1.0 + random_unit();
    }
    for (int layout = LAYOUT_COLUMNS; layout <= LAYOUT_MAPPED; layout++)
        for (int threads = 1; threads <= 3; threads++) {
            feature_data d = data_of(&t, (data_layout)layout, 0);
            d.scaling = (lr_scaling){.center = center, .divisor = divisor};
            d.control.threads = threads;
            check_moments(&t, &d);
            check_copies(&t, &d);
        }
    lr_memory_reset(NULL);
}

/* Sums over the gathered lanes reach their own features, plain ones side by
 * side, the category alone, the constant one not at all. */
static void add_cells(void *context, const gathered *g)
{
    size_t n = *(const size_t *)context;
    double *sums = (double *)g->sums;
    size_t step = g->kind == SIDE_BY_SIDE ? LR_LANES : 1;
    for (size_t l = 0; l < g->count; l++)
        for (size_t i = 0; i < n; i++)
            sums[l] += g->values.u[i * step + l];
}

static void test_features(void)
{
    static table t;
    static const int wanted[] = {2, 0, 9, 13};
    random_seed(4);
    fill_table(&t);
    for (int layout = LAYOUT_COLUMNS; layout <= LAYOUT_MAPPED; layout++) {
        double center[P], divisor[P], sums[P] = {0.0};
        int category[P] = {0}, missing[P] = {0};
        for (int j = 0; j < P; j++) {
            center[j] = 0.0;
            divisor[j] = j == 8 ? 0.0 : 1.0;
        }
        category[20] = 1;
        row_places rows = needed_places(N, wanted, 2, wanted + 2, 2);
        CHECK_INT(rows.n_rows, 3);
        feature_data d = data_of(&t, (data_layout)layout, 0);
        d.scaling = (lr_scaling){.center = center, .divisor = divisor,
                                 .category = category, .missing = missing};
        feature_walk walk = {.data = &d, .rows = &rows, .work = 3.0,
                             .sums = sums, .size = sizeof(double),
                             .use = add_cells, .context = &rows.n_rows};
        run_features(&walk, "Sums");
        for (int j = 0; j < P; j++) {
            const double *x = t.columns + j * N;
            CHECK_SAME(sums[j], j == 8 ? 0.0 : x[1] + x[8] + x[12]);
        }
    }
    lr_memory_reset(NULL);
}

int main(void)
{
    test_blocks();
    test_columns();
    test_copies();
    test_awkward();
    test_features();
    return check_report();
}
