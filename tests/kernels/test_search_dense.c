/* Distances against one addition after the other, to the last bit. */
#include "search_dense.h"
#include "lr_missing.h"
#include "read_gather.h"

#include "check.h"
#include "random.h"

/* What a feature of the made-up data is. */
enum { PLAIN, CONSTANT, CATEGORY, GAPS, CATEGORY_GAPS, CONSTANT_GAPS, KINDS };

typedef struct {
    size_t n, p, stride;
    double *values, *center, *divisor;
    int *category, *missing;
} data;

static data make_data(size_t n, size_t p, int kinds)
{
    data d = {n, p, n + 3, doubles((n + 3) * p), doubles(p), doubles(p),
              integers(p), integers(p)};
    for (size_t i = 0; i < d.stride * p; i++)
        d.values[i] = NAN; /* what lies between the columns is not to be read */
    for (size_t j = 0; j < p; j++) {
        int kind = random_below(kinds);
        int gaps = kind >= GAPS;
        d.center[j] = random_unit();
        d.divisor[j] = 0.5 + random_unit();
        if (kind == CONSTANT || kind == CONSTANT_GAPS)
            d.divisor[j] = 0.0;
        d.category[j] = kind == CATEGORY || kind == CATEGORY_GAPS;
        d.missing[j] = 0;
        for (size_t i = 0; i < n; i++) {
            /* small whole numbers: ties and rounding in every sum */
            d.values[i + j * d.stride] = (double)random_below(7);
            if (gaps && i > 0 && random_below(3) == 0) {
                d.values[i + j * d.stride] = NAN;
                d.missing[j]++;
            }
        }
    }
    return d;
}

static void free_data(data *d)
{
    free(d->values);
    free(d->center);
    free(d->divisor);
    free(d->category);
    free(d->missing);
}

static double scaled(const data *d, size_t i, size_t j)
{
    double x = d->values[i + j * d->stride];
    return d->divisor[j] == 0.0 ? 0.0 : (x - d->center[j]) / d->divisor[j];
}

static double difference_of(const data *d, size_t j, double a, double b)
{
    return d->category[j] ? (a != b ? 1.0 : 0.0) : fabs(a - b);
}

/* The mean difference of cell i to the observed cells of its feature. */
static double mean_difference(const data *d, size_t i, size_t j)
{
    double sum = 0.0;
    size_t observed = 0;
    for (size_t r = 0; r < d->n; r++) {
        double b = scaled(d, r, j);
        if (isnan(b))
            continue;
        sum += difference_of(d, j, scaled(d, i, j), b);
        observed++;
    }
    return sum / (double)observed;
}

static double naive_difference(const data *d, size_t a, size_t b, size_t j)
{
    double ua = scaled(d, a, j), ub = scaled(d, b, j);
    if (!isnan(ua) && !isnan(ub))
        return difference_of(d, j, ua, ub);
    if (!isnan(ua))
        return mean_difference(d, a, j);
    if (!isnan(ub))
        return mean_difference(d, b, j);
    double sum = 0.0;
    size_t observed = 0;
    for (size_t r = 0; r < d->n; r++)
        if (!isnan(scaled(d, r, j))) {
            sum += mean_difference(d, r, j);
            observed++;
        }
    return sum / (double)observed;
}

static double naive_distance(const data *d, size_t a, size_t b,
                             lr_metric metric)
{
    double sum = 0.0;
    for (size_t j = 0; j < d->p; j++) {
        double v = naive_difference(d, a, b, j);
        sum += metric == LR_EUCLIDEAN ? v * v : v;
    }
    return sum;
}

/* Fills a tile of all rows, in so many chunks and rows from the last pack to
 * the first one. */
static void fill_tile(const lr_panel *panel, const lr_tile *tile)
{
    lr_pack *pack = (lr_pack *)buffer(1, sizeof(lr_pack));
    pack->gaps = (lr_pack_gaps *)buffer(1, sizeof(lr_pack_gaps));
    for (size_t s = 3; s-- > 0;)
        lr_pack_ends(panel, tile, (lr_chunk){s, 3});
    for (size_t row = tile->ld; row > 0; row -= LR_ROWS)
        lr_fill_rows(panel, tile, row - LR_ROWS, pack);
    free(pack->gaps);
    free(pack);
}

/* What a run of the kernel is given. */
typedef struct {
    lr_metric metric;
    lr_level level;
    size_t width; /* features in a block */
    int half;
} run;

/* Adds a block of features to a tile. */
static void fill_block(const lr_block *b, const lr_scaling *s, run how,
                       const lr_tile *tile)
{
    size_t size = lr_packed_size(tile->n_ends, b->count);
    double *scratch = doubles(b->n + lr_expected_scratch(b->n, 1));
    double **expected = (double **)buffer(b->count, sizeof(double *));
    const double **read = (const double **)buffer(b->count, sizeof(double *));
    unsigned char *gaps = (unsigned char *)buffer(size / LR_PARTNERS, 1);
    lr_panel panel = {b, s, how.metric, how.level, doubles(size), NULL, 1, 0,
                      doubles(size), read};
    for (size_t j = 0; j < b->count; j++) {
        expected[j] = NULL;
        read[j] = NULL;
        if (s->missing[b->first + j] == 0)
            continue;
        panel.gaps = gaps;
        panel.n_gapped++;
        read[j] = expected[j] = doubles(b->n + LR_BEHIND);
        lr_expected_feature(b, s, j, expected[j], scratch);
    }
    fill_tile(&panel, tile);
    for (size_t j = 0; j < b->count; j++)
        free(expected[j]);
    free(panel.packed);
    free(panel.packed_expected);
    free(expected);
    free(read);
    free(gaps);
    free(scratch);
}

/* All distances of some ends, features in blocks. */
static double *kernel_distances(const data *d, const int *ends, size_t n_ends,
                                run how, size_t *ld)
{
    lr_scaling s = {d->center, d->divisor, d->category, d->missing,
                    NULL,      0,          NULL,        NULL, NULL};
    size_t padded = (n_ends + LR_PARTNERS - 1) / LR_PARTNERS * LR_PARTNERS;
    *ld = (d->n + LR_ROWS - 1) / LR_ROWS * LR_ROWS;
    double *distance = doubles(padded * *ld);
    lr_tile tile = {ends, n_ends, 0, 0, d->n, how.half, distance, *ld};
    for (size_t i = 0; i < padded * *ld; i++)
        distance[i] = 0.0;
    for (size_t first = 0; first < d->p; first += how.width) {
        size_t count = d->p - first < how.width ? d->p - first : how.width;
        lr_block b = {d->values + first * d->stride, d->stride, d->n, first,
                      count, NULL};
        fill_block(&b, &s, how, &tile);
    }
    return distance;
}

/* `tolerance` 0: to the last bit. */
static void check_distances(const data *d, size_t n_ends, size_t width,
                            double tolerance)
{
    int *ends = integers(n_ends);
    for (size_t e = 0; e < n_ends; e++)
        ends[e] = random_below((int)d->n);
    for (int metric = LR_MANHATTAN; metric <= LR_EUCLIDEAN; metric++) {
        size_t ld;
        run how = {(lr_metric)metric, LR_PORTABLE, width, 0};
        double *portable = kernel_distances(d, ends, n_ends, how, &ld);
        double *wanted = doubles(d->n);
        for (size_t e = 0; e < n_ends; e++) {
            for (size_t i = 0; i < d->n; i++)
                wanted[i] = naive_distance(d, (size_t)ends[e], i,
                                           (lr_metric)metric);
            if (tolerance == 0.0)
                CHECK_SAMES(portable + e * ld, wanted, d->n);
            for (size_t i = 0; i < d->n && tolerance > 0.0; i++)
                CHECK_NEAR(portable[e * ld + i], wanted[i], tolerance);
        }
        for (int level = LR_FASTEST; level <= LR_MIDDLE; level++) {
            how.level = (lr_level)level;
            double *wide = kernel_distances(d, ends, n_ends, how, &ld);
            for (size_t e = 0; e < n_ends; e++)
                CHECK_SAMES(wide + e * ld, portable + e * ld, d->n);
            free(wide);
        }
        free(wanted);
        free(portable);
    }
    free(ends);
}

/* Every number of rows up to beyond two packs, every remainder of ends: all of
 * these about the ends of packs and tiles, some at the other numbers. */
static void test_sizes(void)
{
    random_seed(1);
    for (size_t n = 1; n <= 2 * LR_ROWS + 2; n++) {
        int at_border = (n + 2) % LR_ROWS <= 4;
        for (size_t n_ends = at_border ? 1 : 1 + n % 4; n_ends <= 9;
             n_ends += at_border ? 1 : 4) {
            data d = make_data(n, 1 + (n + n_ends) % 5, CATEGORY + 1);
            check_distances(&d, n_ends, d.p, 0.0);
            free_data(&d);
        }
    }
}

/* Runs of plain features longer than a pack, whole and in blocks. */
static void test_features(void)
{
    static const size_t counts[] = {255, 256, 257, 511, 512, 513, 600};
    random_seed(2);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        data d = make_data(67, counts[c], PLAIN + 1);
        check_distances(&d, 5, counts[c], 0.0);
        check_distances(&d, 5, 256, 0.0);
        check_distances(&d, 3, 100, 0.0);
        check_distances(&d, 1, 1, 0.0);
        free_data(&d);
    }
    data d = make_data(9, 700, CATEGORY + 1);
    check_distances(&d, 6, 700, 0.0);
    check_distances(&d, 6, 37, 0.0);
    free_data(&d);
}

/* Expected differences come from sorted sums here and from plain means in the
 * reference, so that their last bits differ. */
static void test_missing(void)
{
    random_seed(3);
    for (size_t n = 2; n <= 70; n += 17)
        for (size_t width = 1; width <= 24; width += 7) {
            data d = make_data(n, 24, KINDS);
            check_distances(&d, 1 + n % 9, width, 1e-12);
            free_data(&d);
        }
    /* runs longer than a pack with missing cells */
    data d = make_data(67, 2 * LR_GAPPED + 9, GAPS + 1);
    check_distances(&d, 6, d.p, 1e-12);
    free_data(&d);
}

/* As many gaps as a pack can have patches for: in each tile and feature one. */
static void test_all_patches(void)
{
    random_seed(6);
    data d = make_data(LR_ROWS, LR_GAPPED, PLAIN + 1);
    for (size_t j = 0; j < d.p; j++)
        for (size_t i = j % LR_TILE_ROWS; i < d.n; i += LR_TILE_ROWS) {
            d.values[i + j * d.stride] = NAN;
            d.missing[j]++;
        }
    check_distances(&d, 6, d.p, 1e-12);
    free_data(&d);
}

/* Where values are equal, rounding would put a mean of differences below 0. */
static void test_equal_values(void)
{
    random_seed(7);
    data d = make_data(9, 2, GAPS);
    int ends[9];
    for (int i = 0; i < 9; i++) {
        ends[i] = i;
        d.values[i] = i < 6 ? 0.6 : NAN;
    }
    d.center[0] = 0.0;
    d.divisor[0] = 1.0;
    d.category[0] = 0;
    d.missing[0] = 3;
    size_t ld;
    run how = {LR_MANHATTAN, LR_FASTEST, 2, 0};
    double *whole = kernel_distances(&d, ends, 9, how, &ld);
    for (size_t a = 0; a < 9; a++)
        for (size_t b = 0; b < a; b++)
            CHECK_SAME(whole[a * ld + b], whole[b * ld + a]);
    free(whole);
    free_data(&d);
}

/* The sum starts with what earlier blocks left, whatever the blocks. */
static void test_blocks_agree(void)
{
    random_seed(4);
    data d = make_data(130, 300, KINDS);
    int ends[] = {0, 64, 129, 7, 7};
    for (int metric = LR_MANHATTAN; metric <= LR_EUCLIDEAN; metric++) {
        size_t ld;
        run how = {(lr_metric)metric, LR_FASTEST, 300, 0};
        double *whole = kernel_distances(&d, ends, 5, how, &ld);
        static const size_t widths[] = {1, 7, 64, 255, 256, 299};
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            how.level = LR_PORTABLE;
            how.width = widths[w];
            double *parts = kernel_distances(&d, ends, 5, how, &ld);
            for (size_t e = 0; e < 5; e++)
                CHECK_SAMES(parts + e * ld, whole + e * ld, d.n);
            free(parts);
        }
        for (size_t e = 0; e < 5; e++)
            CHECK(whole[e * ld + (size_t)ends[e]] >= 0.0);
        CHECK_SAMES(whole + 3 * ld, whole + 4 * ld, d.n);
        free(whole);
    }
    free_data(&d);
}

/* A half holds the same distances wherever a row is beyond its end. */
static void test_half(void)
{
    random_seed(5);
    data d = make_data(140, 30, KINDS);
    int ends[70];
    size_t ld;
    for (int e = 0; e < 70; e++)
        ends[e] = 2 * e;
    run how = {LR_MANHATTAN, LR_FASTEST, 30, 0};
    double *whole = kernel_distances(&d, ends, 70, how, &ld);
    how.half = 1;
    double *half = kernel_distances(&d, ends, 70, how, &ld);
    for (size_t e = 0; e < 70; e++) {
        size_t begin = (size_t)ends[e] + 1;
        CHECK_SAMES(half + e * ld + begin, whole + e * ld + begin, d.n - begin);
    }
    free(whole);
    free(half);
    free_data(&d);
}

int main(void)
{
    test_sizes();
    test_features();
    test_missing();
    test_all_patches();
    test_equal_values();
    test_blocks_agree();
    test_half();
    return check_report();
}
