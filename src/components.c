#include "components.h"

#include <math.h>
#include <string.h>

#include "lr_vector.h"

/* ---- eight vectors at a time ---------------------------------------------
 *
 * Each vector's sum is a chain of its own, in the order of the cells, so that
 * vectors of any width give the same bits. */

/* The row that cell k of c meets. */
LR_INLINE size_t row_of(const lr_cells *c, size_t k)
{
    return (c->row ? (size_t)c->row[k] : c->first + k) * LR_VECTORS;
}

static void dot_cells(const lr_cells *c, const double *x, double *out)
{
    for (int t = 0; t < LR_VECTORS; t += LR_FOUR) {
        lr_four sum = lr_load_four(out + t);
        for (size_t k = 0; k < c->count; k++)
            lr_add_times(&sum, c->u[k], x + row_of(c, k) + t);
        lr_store_four(out + t, sum);
    }
}

void lr_dot_vectors(const lr_cells *c, const double *x, double *out)
{
    memset(out, 0, LR_VECTORS * sizeof(double));
    dot_cells(c, x, out);
}

/* sum += u * factor */
LR_INLINE void add_four(lr_four *sum, double u, const lr_four *factor)
{
    sum->a += u * factor->a;
    sum->b += u * factor->b;
    sum->c += u * factor->c;
    sum->d += u * factor->d;
}

void lr_add_vectors(const lr_cells *c, const double *w, double *y)
{
    for (int t = 0; t < LR_VECTORS; t += LR_FOUR) {
        lr_four factor = lr_load_four(w + t);
        for (size_t k = 0; k < c->count; k++) {
            double *at = y + row_of(c, k) + t;
            lr_four sum = lr_load_four(at);
            add_four(&sum, c->u[k], &factor);
            lr_store_four(at, sum);
        }
    }
}

/* Two columns at a time: the vectors are read, and written, half as often. */
static void dot_columns(const double *u, const double *v, size_t count,
                        const double *x, double *out)
{
    for (int t = 0; t < LR_VECTORS; t += LR_FOUR) {
        lr_four first = lr_load_four(out + t);
        lr_four second = lr_load_four(out + LR_VECTORS + t);
        for (size_t i = 0; i < count; i++) {
            lr_add_times(&first, u[i], x + i * LR_VECTORS + t);
            lr_add_times(&second, v[i], x + i * LR_VECTORS + t);
        }
        lr_store_four(out + t, first);
        lr_store_four(out + LR_VECTORS + t, second);
    }
}

void lr_dot_basis(const lr_basis *b, size_t from, size_t to, const double *x,
                  double *out)
{
    const double *u = b->columns + from;
    size_t c = 0;
    for (; c + 1 < b->count; c += 2)
        dot_columns(u + c * b->m, u + (c + 1) * b->m, to - from,
                    x + from * LR_VECTORS, out + c * LR_VECTORS);
    if (c < b->count) {
        lr_cells last = {to - from, from, NULL, u + c * b->m};
        dot_cells(&last, x, out + c * LR_VECTORS);
    }
}

static void add_columns(const double *u, const double *v, size_t count,
                        const double *w, double *x)
{
    for (int t = 0; t < LR_VECTORS; t += LR_FOUR) {
        lr_four first = lr_load_four(w + t);
        lr_four second = lr_load_four(w + LR_VECTORS + t);
        for (size_t i = 0; i < count; i++) {
            double *at = x + i * LR_VECTORS + t;
            lr_four sum = lr_load_four(at);
            add_four(&sum, u[i], &first);
            add_four(&sum, v[i], &second);
            lr_store_four(at, sum);
        }
    }
}

void lr_less_basis(const lr_basis *b, size_t from, size_t to, const double *w,
                   double *x)
{
    const double *u = b->columns + from;
    size_t c = 0;
    for (; c < b->count; c += 2) {
        double less[2 * LR_VECTORS];
        size_t some = c + 1 < b->count ? 2 : 1;
        for (size_t t = 0; t < some * LR_VECTORS; t++)
            less[t] = -w[c * LR_VECTORS + t];
        if (some == 2) {
            add_columns(u + c * b->m, u + (c + 1) * b->m, to - from, less,
                        x + from * LR_VECTORS);
        } else {
            lr_cells last = {to - from, from, NULL, u + c * b->m};
            lr_add_vectors(&last, less, x);
        }
    }
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
