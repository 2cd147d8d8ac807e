#include "components.h"

#include <math.h>
#include <string.h>

/* ---- eight vectors at a time ---------------------------------------------
 *
 * Each vector's sum is a chain of its own, in the order of the cells, so that
 * 16- and 32-byte vectors give the same bits. */

#if defined(__GNUC__)

typedef double two __attribute__((vector_size(16), aligned(8), may_alias));
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

#define AT(c, k) ((c)->row ? (size_t)(c)->row[k] : (c)->first + (k))

#define KERNELS(suffix, attribute, vec)                                       \
    attribute static void dot_##suffix(const lr_cells *c, const double *x,    \
                                       double *out)                           \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(double), P = LR_VECTORS / W };        \
        vec sum[P] = {{0}};                                                   \
        for (size_t k = 0; k < c->count; k++) {                               \
            const vec *at = (const vec *)(x + AT(c, k) * LR_VECTORS);         \
            for (int i = 0; i < P; i++)                                       \
                sum[i] += c->u[k] * at[i];                                    \
        }                                                                     \
        for (int i = 0; i < P; i++)                                           \
            ((vec *)out)[i] = sum[i];                                         \
    }                                                                         \
    attribute static void add_##suffix(const lr_cells *c, const double *w,    \
                                       double *y)                             \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(double), P = LR_VECTORS / W };        \
        vec by[P];                                                            \
        for (int i = 0; i < P; i++)                                           \
            by[i] = ((const vec *)w)[i];                                      \
        for (size_t k = 0; k < c->count; k++) {                               \
            vec *at = (vec *)(y + AT(c, k) * LR_VECTORS);                     \
            for (int i = 0; i < P; i++)                                       \
                at[i] += c->u[k] * by[i];                                     \
        }                                                                     \
    }

KERNELS(narrow, , two)
#if defined(__x86_64__) || defined(__i386__)
#define LR_WIDE
KERNELS(wide, __attribute__((target("avx2"))), four)
#endif

#else

static void dot_narrow(const lr_cells *c, const double *x, double *out)
{
    for (int t = 0; t < LR_VECTORS; t++)
        out[t] = 0.0;
    for (size_t k = 0; k < c->count; k++) {
        size_t i = c->row ? (size_t)c->row[k] : c->first + k;
        for (int t = 0; t < LR_VECTORS; t++)
            out[t] += c->u[k] * x[i * LR_VECTORS + (size_t)t];
    }
}

static void add_narrow(const lr_cells *c, const double *w, double *y)
{
    for (size_t k = 0; k < c->count; k++) {
        size_t i = c->row ? (size_t)c->row[k] : c->first + k;
        for (int t = 0; t < LR_VECTORS; t++)
            y[i * LR_VECTORS + (size_t)t] += c->u[k] * w[t];
    }
}

#endif

static int is_wide(lr_level level)
{
#ifdef LR_WIDE
    return level == LR_FASTEST && __builtin_cpu_supports("avx2");
#else
    (void)level;
    return 0;
#endif
}

#ifndef LR_WIDE
#define dot_wide dot_narrow
#define add_wide add_narrow
#endif

void lr_dot_vectors(const lr_cells *cells, const double *x, double *out,
                    lr_level level)
{
    (is_wide(level) ? dot_wide : dot_narrow)(cells, x, out);
}

void lr_add_vectors(const lr_cells *cells, const double *w, double *y,
                    lr_level level)
{
    (is_wide(level) ? add_wide : add_narrow)(cells, w, y);
}

void lr_subtract_vectors(const double *w, size_t from, size_t to, double *y)
{
    for (size_t i = from; i < to; i++)
        for (size_t t = 0; t < LR_VECTORS; t++)
            y[i * LR_VECTORS + t] -= w[t];
}

void lr_sum_cells(const lr_cells *c, double *sum, double *squares)
{
    *sum = *squares = 0.0;
    for (size_t k = 0; k < c->count; k++) {
        *sum += c->u[k];
        *squares += c->u[k] * c->u[k];
    }
}

void lr_start_vectors(size_t n, size_t width, double *x)
{
    unsigned long long state = 88172645463325252ULL;
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
    for (int turn = 0; turn < 2; turn++)
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
    for (size_t i = 0; i < m; i++) {
        for (size_t c = 0; c < k; c++)
            scratch[c] = basis[i + c * m];
        for (size_t j = 0; j < keep; j++) {
            double sum = 0.0;
            for (size_t c = 0; c < k; c++)
                sum += scratch[c] * s[c + j * k];
            basis[i + j * m] = sum;
        }
    }
}
