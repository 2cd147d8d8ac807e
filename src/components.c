#include "components.h"

#include <math.h>
#include <string.h>

#if defined(__GNUC__)
typedef double two __attribute__((vector_size(16), aligned(8)));
#define LOAD(p) (*(const two *)(p))
#define STORE(p, v) (*(two *)(p) = (v))
#define BOTH(x) ((two){(x), (x)})
#endif

void lr_dot_vectors(const lr_cells *c, const double *x, double *out)
{
#if defined(__GNUC__)
    two a = BOTH(0.0), b = a, d = a, e = a;
    for (size_t k = 0; k < c->count; k++) {
        size_t i = c->row ? (size_t)c->row[k] : c->first + k;
        const double *at = x + i * LR_VECTORS;
        two u = BOTH(c->u[k]);
        a += u * LOAD(at);
        b += u * LOAD(at + 2);
        d += u * LOAD(at + 4);
        e += u * LOAD(at + 6);
    }
    STORE(out, a);
    STORE(out + 2, b);
    STORE(out + 4, d);
    STORE(out + 6, e);
#else
    for (int t = 0; t < LR_VECTORS; t++)
        out[t] = 0.0;
    for (size_t k = 0; k < c->count; k++) {
        size_t i = c->row ? (size_t)c->row[k] : c->first + k;
        for (int t = 0; t < LR_VECTORS; t++)
            out[t] += c->u[k] * x[i * LR_VECTORS + (size_t)t];
    }
#endif
}

void lr_add_vectors(const lr_cells *c, const double *w, double *y)
{
#if defined(__GNUC__)
    two a = LOAD(w), b = LOAD(w + 2), d = LOAD(w + 4), e = LOAD(w + 6);
    for (size_t k = 0; k < c->count; k++) {
        size_t i = c->row ? (size_t)c->row[k] : c->first + k;
        double *at = y + i * LR_VECTORS;
        two u = BOTH(c->u[k]);
        STORE(at, LOAD(at) + u * a);
        STORE(at + 2, LOAD(at + 2) + u * b);
        STORE(at + 4, LOAD(at + 4) + u * d);
        STORE(at + 6, LOAD(at + 6) + u * e);
    }
#else
    for (size_t k = 0; k < c->count; k++) {
        size_t i = c->row ? (size_t)c->row[k] : c->first + k;
        for (int t = 0; t < LR_VECTORS; t++)
            y[i * LR_VECTORS + (size_t)t] += c->u[k] * w[t];
    }
#endif
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
