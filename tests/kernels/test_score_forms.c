/* Quadratic forms against sums over all pairs written out. */
#include "score_forms.h"

#include "check.h"
#include "read_gather.h"
#include "random.h"

enum { N = 17, P = 11, CLASSES = 3 };

static double x[N * P], center[P], divisor[P], u[N * LR_LANES];
static int category[P], missing[P], class_of[N];
static double weight[N], dense[N * N], all[N], zero[LR_LANES];

static void gather(const lr_block *block, const lr_scaling *s, size_t first,
                   size_t count)
{
    size_t features[LR_LANES];
    int rows[N];
    for (size_t l = 0; l < count; l++)
        features[l] = first + l;
    for (int i = 0; i < N; i++)
        rows[i] = i;
    lr_gather_plain(block, s, features, count, rows, N, u);
    for (size_t l = 0; l < LR_LANES; l++)
        zero[l] = l < count ? lr_scale_cell(s, first + l, 0.0) : 0.0;
}

/* Half of the cells 0; the last feature is constant. */
static void make_data(void)
{
    for (int j = 0; j < P; j++) {
        center[j] = 0.25;
        divisor[j] = j == P - 1 ? 0.0 : 2.0;
        for (int i = 0; i < N; i++)
            x[i + j * N] = random_unit() < 0.5 ? 0.0 : random_unit();
    }
    for (int i = 0; i < N; i++) {
        class_of[i] = i % 4 == 3 ? -1 : i % 4;
        weight[i] = i == 2 ? 0.0 : random_unit();
        for (int r = 0; r < i; r++) {
            double w = random_unit() < 0.6 ? 0.0 : random_unit();
            dense[r + i * N] = dense[i + r * N] = w;
        }
    }
}

static double scaled(int i, int j)
{
    return divisor[j] == 0.0 ? 0.0 : (x[i + j * N] - center[j]) / divisor[j];
}

/* The nonzero weights as a sparse graph. */
static lr_graph make_sparse(int *start, int *row, double *value)
{
    int count = 0;
    for (int c = 0; c < N; c++) {
        start[c] = count;
        for (int r = 0; r < N; r++)
            if (r != c && dense[r + c * N] > 0.0) {
                row[count] = r;
                value[count++] = dense[r + c * N];
            }
    }
    start[N] = count;
    lr_graph g = {N, start, row, value};
    return g;
}

static lr_sparse sparse_feature(int j, int *row, double *cell)
{
    lr_sparse f = {0, row, cell,
                   divisor[j] == 0.0 ? 0.0 : -center[j] / divisor[j], all};
    for (int i = 0; i < N; i++)
        all[i] = scaled(i, j);
    /* some zeros are stored, too */
    for (int i = 0; i < N; i++)
        if (x[i + j * N] != 0.0 || i % 5 == 1) {
            row[f.count] = i;
            cell[f.count++] = scaled(i, j);
        }
    return f;
}

static double pairs_form(int j, const double *w)
{
    double sum = 0.0;
    for (int a = 0; a < N; a++)
        for (int b = 0; b < a; b++) {
            double d = scaled(a, j) - scaled(b, j);
            sum += (w ? w[b + a * N] : dense[b + a * N] > 0.0) * d * d;
        }
    return sum;
}

static void test_graph(void)
{
    int start[N + 1], row[N * N], cells[N];
    double value[N * N], whole[LR_LANES], listed[LR_LANES], cell[N];
    double work[N + 2] = {0.0}, once[LR_LANES];
    CHECK(lr_sparse_scratch(N) == N + 2);
    lr_graph sparse = make_sparse(start, row, value);
    lr_graph full = {N, NULL, NULL, dense};
    lr_graph ones = {N, start, row, NULL};
    lr_scaling s = {center, divisor, category, missing, NULL, 0, NULL, NULL,
                    NULL};
    lr_block block = {x, N, N, 0, P, NULL};
    for (size_t first = 0; first < P; first += LR_LANES) {
        size_t count = P - first < LR_LANES ? P - first : LR_LANES;
        gather(&block, &s, first, count);
        lr_form_graph(&sparse, u, listed);
        lr_form_graph(&full, u, whole);
        lr_form_graph(&ones, u, once);
        for (size_t l = 0; l < count; l++) {
            int j = (int)(first + l);
            lr_sparse f = sparse_feature(j, cells, cell);
            double want = pairs_form(j, dense);
            CHECK_NEAR(listed[l], want, 1e-13);
            CHECK_NEAR(whole[l], want, 1e-13);
            CHECK_NEAR(once[l], pairs_form(j, NULL), 1e-13);
            CHECK_SAME(lr_sparse_graph(&sparse, &f, work), listed[l]);
            CHECK_SAME(lr_sparse_graph(&full, &f, work), whole[l]);
            CHECK_SAME(lr_sparse_graph(&ones, &f, work), once[l]);
        }
        for (size_t l = count; l < LR_LANES; l++)
            CHECK_SAME(listed[l], 0.0);
    }
    for (int i = 0; i < N + 2; i++)
        CHECK_SAME(work[i], 0.0);
}

/* More samples than a block of edges holds, each joined to the next three. */
static void test_long_graph(void)
{
    enum { LONG = 5 * LR_EDGE_BLOCK / 2 };
    static double cells[LONG * LR_LANES], whole[LONG], value[LONG];
    static double work[LONG + 3];
    static int start[LONG + 1], row[6 * LONG], stored[LONG];
    int count = 0;
    for (int c = 0; c < LONG; c++) {
        start[c] = count;
        for (int r = c - 3; r <= c + 3; r++)
            if (r != c && r >= 0 && r < LONG)
                row[count++] = r;
    }
    start[LONG] = count;
    lr_graph g = {LONG, start, row, NULL};
    lr_sparse f = {0, stored, value, 0.0, whole};
    for (int i = 0; i < LONG; i++) {
        whole[i] = random_unit() < 0.9 ? 0.0 : random_unit();
        for (int l = 0; l < LR_LANES; l++)
            cells[i * LR_LANES + l] = whole[i];
        if (whole[i] != 0.0) {
            stored[f.count] = i;
            value[f.count++] = whole[i];
        }
    }
    double want[LR_LANES], sum = 0.0;
    for (int c = 0; c < LONG; c++)
        for (int e = start[c]; e < start[c + 1]; e++)
            sum += (whole[c] - whole[row[e]]) * (whole[c] - whole[row[e]]);
    lr_form_graph(&g, cells, want);
    CHECK_NEAR(want[0], sum / 2.0, 1e-13);
    CHECK_SAME(lr_sparse_graph(&g, &f, work), want[0]);
}

static void test_scatter(void)
{
    int cells[N];
    double out[LR_LANES], cell[N], ones[N], sum = 0.0, mean = 0.0, want = 0.0;
    lr_scaling s = {center, divisor, category, missing, NULL, 0, NULL, NULL,
                    NULL};
    lr_block block = {x, N, N, 0, P, NULL};
    gather(&block, &s, 0, LR_LANES);
    for (int i = 0; i < N; i++) {
        sum += weight[i];
        mean += weight[i] * scaled(i, 3);
    }
    for (int i = 0; i < N; i++) {
        double d = scaled(i, 3) - mean / sum;
        want += weight[i] * d * d;
    }
    lr_scatter form = {N, weight, weight, sum, N - 1, 0, 0};
    lr_sparse f = sparse_feature(3, cells, cell);
    lr_form_scatter(&form, u, zero, out);
    CHECK_NEAR(out[3], want, 1e-14);
    CHECK_SAME(lr_sparse_scatter(&form, &f), out[3]);

    lr_scatter raw = {N, NULL, NULL, 0.0, 0, 0, 0};
    want = 0.0;
    for (int i = 0; i < N; i++)
        want += scaled(i, 3) * scaled(i, 3);
    lr_form_scatter(&raw, u, zero, out);
    CHECK_NEAR(out[3], want, 1e-14);
    CHECK_SAME(lr_sparse_scatter(&raw, &f), out[3]);

    mean = want = 0.0;
    for (int i = 0; i < N; i++) {
        ones[i] = 1.0;
        mean += scaled(i, 3) / N;
    }
    for (int i = 0; i < N; i++)
        want += (scaled(i, 3) - mean) * (scaled(i, 3) - mean);
    lr_scatter even = {N, NULL, ones, N, N, 0, 1};
    lr_form_scatter(&even, u, zero, out);
    CHECK_NEAR(out[3], want, 1e-14);
    CHECK_SAME(lr_sparse_scatter(&even, &f), out[3]);
}

/* Sums over pairs of one class, or of different ones. */
static double class_pairs(int j, int same, const double *w)
{
    double sum = 0.0;
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++) {
            if (a == b || class_of[a] < 0 || class_of[b] < 0
                || (class_of[a] == class_of[b]) != same)
                continue;
            double d = scaled(a, j) - scaled(b, j);
            sum += (w ? w[a] : 0.5) * d * d;
        }
    return sum;
}

static void test_classes(void)
{
    double count[CLASSES] = {0}, others[CLASSES], total = 0.0;
    double class_weight[CLASSES] = {0}, out[2 * LR_LANES], rest[2 * LR_LANES];
    double scratch[5 * CLASSES * LR_LANES], narrow[2], cell[N];
    size_t first[CLASSES] = {0, 1, 2};
    int cells[N];
    for (int i = 0; i < N; i++)
        if (class_of[i] >= 0) {
            count[class_of[i]] += 1.0;
            class_weight[class_of[i]] += weight[i];
            total += 1.0;
        }
    for (int c = 0; c < CLASSES; c++)
        others[c] = total - count[c];
    lr_classes form = {N, CLASSES, class_of, count, count, first};
    lr_classes across = {N, CLASSES, class_of, count, others, first};
    lr_scaling s = {center, divisor, category, missing, NULL, 0, NULL, NULL,
                    NULL};
    lr_block block = {x, N, N, 0, P, NULL};
    gather(&block, &s, 0, LR_LANES);
    lr_form_classes(&form, u, zero, out, scratch);
    lr_form_classes(&across, u, zero, rest, scratch);
    for (int j = 0; j < LR_LANES; j++) {
        double must = class_pairs(j, 1, NULL), cannot = class_pairs(j, 0, NULL);
        lr_sparse f = sparse_feature(j, cells, cell);
        CHECK_NEAR(out[j], must, 1e-13);
        CHECK_NEAR(rest[j] + total * rest[LR_LANES + j], cannot, 1e-13);
        lr_sparse_classes(&form, &f, narrow, scratch);
        for (int k = 0; k < 2; k++)
            CHECK_SAME(narrow[k], out[k * LR_LANES + j]);
        lr_sparse_classes(&across, &f, narrow, scratch);
        for (int k = 0; k < 2; k++)
            CHECK_SAME(narrow[k], rest[k * LR_LANES + j]);
    }
    lr_form_different(&form, weight, class_weight, u, zero, out, scratch);
    for (int j = 0; j < LR_LANES; j++)
        CHECK_NEAR(out[j], class_pairs(j, 0, weight), 1e-13);
}

/* 0.1 three times is not 0.3: what is constant has exactly no spread. */
static void test_no_spread(void)
{
    double cells[N], out[3 * LR_LANES], scratch[5 * CLASSES * LR_LANES];
    double count[CLASSES] = {5, 4, 4}, coefficient[CLASSES] = {1, 1, 1};
    size_t first[CLASSES] = {0, 1, 2};
    int rows[N];
    for (int i = 0; i < N; i++) {
        rows[i] = i;
        cells[i] = 0.1;
        zero[i % LR_LANES] = -7.0;
        for (int l = 0; l < LR_LANES; l++)
            u[i * LR_LANES + l] = 0.1;
    }
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += weight[i];
    lr_sparse f = {N, rows, cells, -7.0, cells};
    lr_scatter form = {N, weight, weight, sum, N - 1, 0, 0};
    lr_form_scatter(&form, u, zero, out);
    CHECK_SAME(out[0], 0.0);
    CHECK_SAME(lr_sparse_scatter(&form, &f), 0.0);
    lr_classes classes = {N, CLASSES, class_of, count, coefficient, first};
    lr_form_classes(&classes, u, zero, out, scratch);
    CHECK_SAME(out[0], 0.0);
    CHECK_SAME(out[LR_LANES], 0.0);
    lr_sparse_classes(&classes, &f, out, scratch);
    CHECK_SAME(out[0], 0.0);
    CHECK_SAME(out[1], 0.0);
}

static void test_levels_and_pairs(void)
{
    static const double codes[N] = {1, 2, 3, 9, 10, 1, 2, 3, 9, 10,
                                    1, 2, 3, 9, 10, 1, 2};
    static const int a[] = {0, 0, 3}, b[] = {5, 1, 4};
    double square[3] = {0.0}, product[3] = {0.0};
    lr_block block = {codes, N, N, 0, 1, NULL};
    for (double level = 1; level <= 10; level += LR_LANES) {
        lr_gather_levels(&block, 0, level, u);
        lr_add_pairs(a, b, 3, u, 0, square);
        lr_add_pairs(a, b, 3, u, 1, product);
    }
    CHECK_NEAR(square[0], 0.0, 0.0);
    CHECK_NEAR(square[1], 1.0, 1e-15);
    CHECK_NEAR(square[2], 1.0, 1e-15);
    CHECK_NEAR(product[0], 0.5, 1e-15);
    CHECK_NEAR(product[1], 0.0, 0.0);
}

int main(void)
{
    random_seed(5);
    make_data();
    test_graph();
    test_long_graph();
    test_scatter();
    test_classes();
    test_no_spread();
    test_levels_and_pairs();
    return check_report();
}
