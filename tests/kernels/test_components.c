/* Products with eight vectors against loops written out, to the last bit;
 * orthonormal vectors, remainders and transposed bases from their definitions. */
#include "components.h"

#include "check.h"
#include "random.h"

enum { V = LR_VECTORS };

static void fill(double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        x[i] = random_unit() - 0.4;
}

/* Every third row or so, at least `count` of them. */
static size_t some_rows(int *row, size_t count)
{
    int at = random_below(3);
    for (size_t k = 0; k < count; k++, at += 1 + random_below(3))
        row[k] = at;
    return (size_t)at + 1;
}

static void check_products(size_t count, size_t first, int sparse)
{
    int row[64];
    size_t n = sparse ? some_rows(row, count) : first + count;
    double *x = doubles(n * V), *u = doubles(count), *y = doubles(n * V);
    double *y_want = doubles(n * V), w[V], out[V], want[V] = {0};
    fill(x, n * V);
    fill(u, count);
    fill(w, V);
    lr_cells cells = {count, sparse ? 0 : first, sparse ? row : NULL, u};
    memcpy(y_want, x, n * V * sizeof(double));
    for (size_t t = 0; t < V; t++) {
        want[t] = 0.0;
        for (size_t k = 0; k < count; k++) {
            size_t i = sparse ? (size_t)row[k] : first + k;
            want[t] += u[k] * x[i * V + t];
            y_want[i * V + t] += u[k] * w[t];
        }
    }
    for (int level = LR_PORTABLE; level <= LR_FASTEST; level++) {
        memset(out, 0, sizeof out);
        memcpy(y, x, n * V * sizeof(double));
        lr_dot_vectors(&cells, 1, x, out, (lr_level)level);
        lr_add_vectors(&cells, 1, w, y, (lr_level)level);
        CHECK_SAMES(out, want, V);
        CHECK_SAMES(y, y_want, n * V);
    }
    double sum, squares, sum_want = 0.0, squares_want = 0.0;
    for (size_t k = 0; k < count; k++) {
        sum_want += u[k];
        squares_want += u[k] * u[k];
    }
    lr_sum_cells(&cells, &sum, &squares);
    CHECK_SAME(sum, sum_want);
    CHECK_SAME(squares, squares_want);
    free(x), free(u), free(y), free(y_want);
}

/* A cell that is 0 adds nothing: a column with and without its zeros. */
static void check_zeros(size_t n)
{
    int row[64];
    double dense[64], stored[64], x[64 * V], from_dense[V] = {0}, from_stored[V] = {0};
    size_t count = 0;
    fill(x, n * V);
    for (size_t i = 0; i < n; i++) {
        dense[i] = i % 3 ? 0.0 : random_unit() + 0.1;
        if (dense[i] != 0.0) {
            row[count] = (int)i;
            stored[count++] = dense[i];
        }
    }
    lr_cells all = {n, 0, NULL, dense}, some = {count, 0, row, stored};
    lr_dot_vectors(&all, 1, x, from_dense, LR_FASTEST);
    lr_dot_vectors(&some, 1, x, from_stored, LR_FASTEST);
    CHECK_SAMES(from_dense, from_stored, V);
}

/* Columns of a basis, in two chunks of rows, against loops. */
static void check_basis(size_t m, size_t count, lr_level level)
{
    size_t half = m / 3;
    double *columns = doubles(m * count), *x = doubles(m * V);
    double *y = doubles(m * V), *want = doubles(m * V);
    double *h = doubles(count * V), *h_want = doubles(count * V);
    fill(columns, m * count);
    fill(x, m * V);
    lr_basis basis = {columns, m, count};
    fill(h, count * V);
    memcpy(h_want, h, count * V * sizeof(double));
    memcpy(y, x, m * V * sizeof(double));
    memcpy(want, x, m * V * sizeof(double));
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < m; i++)
            for (size_t t = 0; t < V; t++)
                h_want[c * V + t] += columns[i + c * m] * x[i * V + t];
    lr_dot_basis(&basis, 0, half, x, h, level);
    lr_dot_basis(&basis, half, m, x, h, level);
    CHECK_SAMES(h, h_want, count * V);
    for (size_t c = 0; c < count; c++)
        for (size_t i = half; i < m; i++)
            for (size_t t = 0; t < V; t++)
                want[i * V + t] -= columns[i + c * m] * h[c * V + t];
    lr_less_basis(&basis, half, m, h, y, level);
    CHECK_SAMES(y, want, m * V);
    free(columns), free(x), free(y), free(want), free(h), free(h_want);
}

static void check_start(size_t width)
{
    double x[40 * V], again[40 * V];
    int inside = 1;
    lr_start_vectors(40, width, 1, again);
    lr_start_vectors(40, width, 0, x);
    CHECK(x[0] != again[0]);
    lr_start_vectors(40, width, 0, again);
    CHECK_SAMES(x, again, 40 * V);
    for (size_t i = 0; i < 40; i++)
        for (size_t t = 0; t < V; t++)
            inside = inside && fabs(x[i * V + t]) <= 1.0
                && (t < width) == (x[i * V + t] != 0.0);
    CHECK(inside);
}

/* ---- orthonormal vectors ------------------------------------------------- */

static double product(size_t n, const double *x, size_t a, size_t b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i * V + a] * x[i * V + b];
    return sum;
}

/* `copies`: vectors 2, 5, .. are a sum of the two before them. */
static void check_orthonormal(size_t n, size_t width, int copies, size_t rank)
{
    double x[64 * V], q[64 * V], r[V * V], off = 0.0, left = 0.0;
    memset(x, 0, sizeof(x));
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < width; t++)
            x[i * V + t] = copies && t % 3 == 2
                ? x[i * V + t - 1] - 2.0 * x[i * V + t - 2]
                : random_unit() - 0.5;
    memcpy(q, x, sizeof(x));
    CHECK_INT(lr_orthonormalize(n, width, 1e-12, q, r), rank);
    for (size_t a = 0; a < V; a++)
        for (size_t b = 0; b < V; b++)
            off = fmax(off, fabs(product(n, q, a, b) - (a == b && a < rank)));
    CHECK(off <= 1e-14);
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < width; t++) {
            double sum = 0.0;
            for (size_t a = 0; a < rank; a++)
                sum += q[i * V + a] * r[a + t * V];
            left = fmax(left, fabs(x[i * V + t] - sum));
        }
    CHECK(left <= 1e-14);
    for (size_t a = rank; a < V; a++)
        for (size_t t = 0; t < V; t++)
            CHECK(r[a + t * V] == 0.0);
}

/* ---- Ritz vectors -------------------------------------------------------- */

/* The last entries are 3 and 4, r = [1 2; 0 1]: (11, 4). */
static void check_residual(void)
{
    double vector[] = {9.0, 9.0, 3.0, 4.0}, r[V * V] = {0};
    r[0] = 1.0;
    r[V] = 2.0;
    r[1 + V] = 1.0;
    CHECK_NEAR(lr_ritz_residual(vector, 4, 2, r, 2), sqrt(137.0), 1e-14);
    CHECK_NEAR(lr_ritz_residual(vector, 4, 2, r, 1), 11.0, 1e-14);
    CHECK_SAME(lr_ritz_residual(vector, 4, 2, r, 0), 0.0);
}

static void check_rotate(size_t m, size_t k, size_t keep)
{
    double *basis = doubles(m * k), *s = doubles(k * keep);
    double *scratch = doubles(LR_ROTATED * k), *want = doubles(m * keep);
    fill(basis, m * k);
    fill(s, k * keep);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < keep; j++) {
            double sum = 0.0;
            for (size_t c = 0; c < k; c++)
                sum += basis[i + c * m] * s[c + j * k];
            want[i + j * m] = sum;
        }
    lr_rotate_basis(basis, m, k, s, keep, scratch);
    CHECK_SAMES(basis, want, m * keep);
    free(basis), free(s), free(scratch), free(want);
}

int main(void)
{
    random_seed(1);
    for (size_t count = 0; count < 20; count++) {
        check_products(count, 0, 0);
        check_products(count, 3, 0);
        check_products(count, 0, 1);
        check_zeros(count + 1);
    }
    for (size_t count = 0; count < 10; count++) {
        check_basis(10 + count, count, LR_PORTABLE);
        check_basis(10 + count, count, LR_FASTEST);
    }
    for (size_t width = 1; width <= V; width++)
        check_start(width);
    random_seed(2);
    for (size_t width = 1; width <= V; width++) {
        check_orthonormal(30, width, 0, width);
        check_orthonormal(30, width, 1, width - width / 3);
    }
    check_orthonormal(3, V, 0, 3);
    check_residual();
    check_rotate(1, 1, 1);
    check_rotate(9, 6, 4);
    check_rotate(5, 5, 5);
    return check_report();
}
