/* Products of cells with vectors and bases, the inner loops of principal
 * components. */
#include "components.h"

#include <math.h>
#include <string.h>

#include "lr_products.h"
#include "lr_vector.h"

/* ---- eight vectors at a time ---------------------------------------------
 *
 * Each vector's sum is a chain of its own, in the order of the cells, so that
 * vectors of any width give the same bits. */

/* Of four columns at a time the vectors are read, and written, once. */
#define PRODUCTS(name, attribute, vec)                                        \
    attribute static void dot_##name(const lr_cells *c, const double *x,      \
                                     double *out)                             \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(double) };                            \
        size_t n = c->count, first = c->first;                                \
        const double *u = c->u;                                               \
        const int *row = c->row;                                              \
        for (size_t t = 0; t < LR_VECTORS; t += 2 * W) {                      \
            vec a = *(vec *)(out + t), b = *(vec *)(out + t + W);             \
            for (size_t k = 0; k < n; k++) {                                  \
                size_t i = row ? (size_t)row[k] : first + k;                  \
                const double *at = x + i * LR_VECTORS + t;                    \
                a += u[k] * *(const vec *)at;                                 \
                b += u[k] * *(const vec *)(at + W);                           \
            }                                                                 \
            *(vec *)(out + t) = a; *(vec *)(out + t + W) = b;                 \
        }                                                                     \
    }                                                                         \
    attribute static void add_##name(const lr_cells *c, const double *w,      \
                                     double *y)                               \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(double) };                            \
        size_t n = c->count, first = c->first;                                \
        const double *u = c->u;                                               \
        const int *row = c->row;                                              \
        for (size_t t = 0; t < LR_VECTORS; t += 2 * W) {                      \
            vec a = *(const vec *)(w + t), b = *(const vec *)(w + t + W);     \
            for (size_t k = 0; k < n; k++) {                                  \
                size_t i = row ? (size_t)row[k] : first + k;                  \
                double *at = y + i * LR_VECTORS + t;                          \
                *(vec *)at += u[k] * a;                                       \
                *(vec *)(at + W) += u[k] * b;                                 \
            }                                                                 \
        }                                                                     \
    }                                                                         \
    attribute static void dot_four_##name(const lr_cells *c, const double *x, \
                                          double *out)                        \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(double), V = LR_VECTORS };            \
        const double *u0 = c[0].u, *u1 = c[1].u, *u2 = c[2].u, *u3 = c[3].u;  \
        for (size_t t = 0; t < V; t += 2 * W) {                               \
            const double *at = x + c->first * V + t;                          \
            double *o0 = out + t, *o1 = o0 + V, *o2 = o1 + V, *o3 = o2 + V;   \
            vec a0 = *(vec *)o0, b0 = *(vec *)(o0 + W);                       \
            vec a1 = *(vec *)o1, b1 = *(vec *)(o1 + W);                       \
            vec a2 = *(vec *)o2, b2 = *(vec *)(o2 + W);                       \
            vec a3 = *(vec *)o3, b3 = *(vec *)(o3 + W);                       \
            for (size_t k = 0; k < c->count; k++, at += V) {                  \
                vec p = *(const vec *)at, q = *(const vec *)(at + W);         \
                a0 += u0[k] * p; b0 += u0[k] * q;                             \
                a1 += u1[k] * p; b1 += u1[k] * q;                             \
                a2 += u2[k] * p; b2 += u2[k] * q;                             \
                a3 += u3[k] * p; b3 += u3[k] * q;                             \
            }                                                                 \
            *(vec *)o0 = a0; *(vec *)(o0 + W) = b0;                           \
            *(vec *)o1 = a1; *(vec *)(o1 + W) = b1;                           \
            *(vec *)o2 = a2; *(vec *)(o2 + W) = b2;                           \
            *(vec *)o3 = a3; *(vec *)(o3 + W) = b3;                           \
        }                                                                     \
    }                                                                         \
    attribute static void add_four_##name(const lr_cells *c, const double *w, \
                                          double *y)                          \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(double), V = LR_VECTORS };            \
        const double *u0 = c[0].u, *u1 = c[1].u, *u2 = c[2].u, *u3 = c[3].u;  \
        for (size_t t = 0; t < V; t += 2 * W) {                               \
            const double *w1 = w + V + t, *w2 = w1 + V, *w3 = w2 + V;         \
            double *at = y + c->first * V + t;                                \
            vec a0 = *(const vec *)(w + t), b0 = *(const vec *)(w + t + W);   \
            vec a1 = *(const vec *)w1, b1 = *(const vec *)(w1 + W);           \
            vec a2 = *(const vec *)w2, b2 = *(const vec *)(w2 + W);           \
            vec a3 = *(const vec *)w3, b3 = *(const vec *)(w3 + W);           \
            for (size_t k = 0; k < c->count; k++, at += V) {                  \
                vec a = *(const vec *)at, b = *(const vec *)(at + W);         \
                a += u0[k] * a0; b += u0[k] * b0;                             \
                a += u1[k] * a1; b += u1[k] * b1;                             \
                a += u2[k] * a2; b += u2[k] * b2;                             \
                a += u3[k] * a3; b += u3[k] * b3;                             \
                *(vec *)at = a; *(vec *)(at + W) = b;                         \
            }                                                                 \
        }                                                                     \
    }

PRODUCTS(16, , lr_doubles)

#ifdef LR_HAS_WIDE
PRODUCTS(32, LR_WIDE, lr_v32)
#endif

typedef void product(const lr_cells *c, const double *from, double *to);

/* By the width of vectors: dot and add, of one column and of LR_COLUMNS. */
static product *const products[][2][2] = {
    {{dot_16, dot_four_16}, {add_16, add_four_16}},
#ifdef LR_HAS_WIDE
    {{dot_32, dot_four_32}, {add_32, add_four_32}}
#endif
};

void lr_dot_vectors(const lr_cells *c, size_t columns, const double *x,
                    double *out, lr_level level)
{
    products[lr_width(level) > 0][0][columns > 1](c, x, out);
}

void lr_add_vectors(const lr_cells *c, size_t columns, const double *w,
                    double *y, lr_level level)
{
    products[lr_width(level) > 0][1][columns > 1](c, w, y);
}

/* The columns of a basis from number `at` on: LR_COLUMNS, or 1. */
static size_t next_columns(const lr_basis *b, size_t at, size_t from, size_t to,
                           lr_cells *cells)
{
    size_t some = at + LR_COLUMNS <= b->count ? LR_COLUMNS : 1;
    for (size_t c = 0; c < some; c++)
        cells[c] = (lr_cells){to - from, from, NULL,
                              b->columns + (at + c) * b->m + from};
    return some;
}

void lr_dot_basis(const lr_basis *b, size_t from, size_t to, const double *x,
                  double *out, lr_level level)
{
    lr_cells cells[LR_COLUMNS];
    for (size_t c = 0, some; c < b->count; c += some) {
        some = next_columns(b, c, from, to, cells);
        lr_dot_vectors(cells, some, x, out + c * LR_VECTORS, level);
    }
}

void lr_less_basis(const lr_basis *b, size_t from, size_t to, const double *w,
                   double *x, lr_level level)
{
    lr_cells cells[LR_COLUMNS];
    for (size_t c = 0, some; c < b->count; c += some) {
        double less[LR_COLUMNS * LR_VECTORS];
        some = next_columns(b, c, from, to, cells);
        for (size_t t = 0; t < some * LR_VECTORS; t++)
            less[t] = -w[c * LR_VECTORS + t];
        lr_add_vectors(cells, some, less, x, level);
    }
}

void lr_sum_cells(const lr_cells *c, double *sum, double *squares)
{
    *sum = *squares = 0.0;
    for (size_t k = 0; k < c->count; k++) {
        *sum += c->u[k];
        *squares += c->u[k] * c->u[k];
    }
}

void lr_start_vectors(size_t n, size_t width, size_t number, double *x)
{
    unsigned long long state =
        88172645463325252ULL ^ (number * 0x9e3779b97f4a7c15ULL);
    memset(x, 0, n * LR_VECTORS * sizeof(double));
    for (size_t i = 0; i < n; i++)
        for (size_t t = 0; t < width; t++) {
            state ^= state << 13; /* xorshift, Marsaglia 2003 */
            state ^= state >> 7;
            state ^= state << 17;
            x[i * LR_VECTORS + t] = (double)(state >> 11) / 4503599627370496.0
                - 1.0;
        }
}

/* ---- orthonormal vectors ------------------------------------------------- */

static double vector_product(size_t n, const double *x, size_t a, size_t b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i * LR_VECTORS + a] * x[i * LR_VECTORS + b];
    return sum;
}

static double vector_length(size_t n, const double *x, size_t a)
{
    double largest = 0.0, sum = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i * LR_VECTORS + a]));
    if (largest == 0.0)
        return 0.0;
    for (size_t i = 0; i < n; i++) {
        double v = x[i * LR_VECTORS + a] / largest;
        sum += v * v;
    }
    return largest * sqrt(sum);
}

/* Takes the vectors before `a` out of it, twice: the first time leaves rounding
 * behind. */
static void take_out(size_t n, size_t a, double *x, double *r)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t b = 0; b < a; b++) {
            double part = vector_product(n, x, b, a);
            r[b] += part;
            for (size_t i = 0; i < n; i++)
                x[i * LR_VECTORS + a] -= part * x[i * LR_VECTORS + b];
        }
}

size_t lr_orthonormalize(size_t n, size_t width, double least, double *x,
                         double *r)
{
    size_t rank = 0;
    memset(r, 0, LR_VECTORS * LR_VECTORS * sizeof(double));
    for (size_t t = 0; t < width; t++) {
        for (size_t i = 0; rank < t && i < n; i++)
            x[i * LR_VECTORS + rank] = x[i * LR_VECTORS + t];
        take_out(n, rank, x, r + t * LR_VECTORS);
        double length = vector_length(n, x, rank);
        if (!(length > least))
            continue;
        r[rank + t * LR_VECTORS] = length;
        for (size_t i = 0; i < n; i++)
            x[i * LR_VECTORS + rank] /= length;
        rank++;
    }
    for (size_t t = rank; t < LR_VECTORS; t++)
        for (size_t i = 0; i < n; i++)
            x[i * LR_VECTORS + t] = 0.0;
    return rank;
}

/* ---- Ritz vectors -------------------------------------------------------- */

double lr_ritz_residual(const double *vector, size_t k, size_t width,
                        const double *r, size_t next)
{
    double squares = 0.0;
    for (size_t row = 0; row < next; row++) {
        double sum = 0.0;
        for (size_t t = 0; t < width; t++)
            sum += r[row + t * LR_VECTORS] * vector[k - width + t];
        squares += sum * sum;
    }
    return sqrt(squares);
}

void lr_rotate_basis(double *basis, size_t m, size_t k, const double *s,
                     size_t keep, double *scratch)
{
    for (size_t i = 0; i < m; i += LR_ROTATED) {
        size_t rows = m - i < LR_ROTATED ? m - i : LR_ROTATED;
        for (size_t c = 0; c < k; c++)
            memcpy(scratch + c * rows, basis + i + c * m,
                   rows * sizeof(double));
        for (size_t j = 0; j < keep; j++) {
            double *sum = basis + i + j * m;
            memset(sum, 0, rows * sizeof(double));
            for (size_t c = 0; c < k; c++)
                lr_subtract(sum, -s[c + j * k], scratch + c * rows, rows);
        }
    }
}
