#include "components.h"

#include <math.h>
#include <string.h>

#include "lr_vector.h"

/* ---- eight vectors at a time ---------------------------------------------
 *
 * Each vector's sum is a chain of its own, in the order of the cells, so that
 * 16- and 32-byte vectors give the same bits. All chains are named: gcc -O2
 * keeps the entries of an array in memory, which takes three times as long. */

#if defined(LR_HAS_VECTORS)

#define EACH_NARROW(use) use(0) use(1) use(2) use(3)
#define EACH_WIDE(use) use(0) use(1)

#define OPEN_SUM(i) part s##i = ((const part *)out)[i];
#define ADD_CELL(i) s##i += u * at[i];
#define SHUT_SUM(i) ((part *)out)[i] = s##i;
#define OPEN_FACTOR(i) part f##i = ((const part *)w)[i];
#define ADD_ROW(i) at[i] += u * f##i;

/* The row x[i] that each cell u meets is `at`. */
#define EACH_CELL(c, x, pointer, use)                                         \
    if ((c)->row) {                                                           \
        for (size_t k = 0; k < (c)->count; k++) {                             \
            pointer at = (pointer)((x) + (size_t)(c)->row[k] * LR_VECTORS);   \
            double u = (c)->u[k];                                             \
            use                                                               \
        }                                                                     \
    } else {                                                                  \
        for (size_t k = 0; k < (c)->count; k++) {                             \
            pointer at = (pointer)((x) + ((c)->first + k) * LR_VECTORS);      \
            double u = (c)->u[k];                                             \
            use                                                               \
        }                                                                     \
    }

#define DOT_CELLS(each)                                                       \
    each(OPEN_SUM)                                                            \
    EACH_CELL(c, x, const part *, each(ADD_CELL))                             \
    each(SHUT_SUM)

#define ADD_CELLS(each)                                                       \
    each(OPEN_FACTOR)                                                         \
    EACH_CELL(c, y, part *, each(ADD_ROW))

static void dot_narrow(const lr_cells *c, const double *x, double *out)
{
    typedef lr_v16 part;
    DOT_CELLS(EACH_NARROW)
}

static void add_narrow(const lr_cells *c, const double *w, double *y)
{
    typedef lr_v16 part;
    ADD_CELLS(EACH_NARROW)
}

#ifdef LR_HAS_WIDE
LR_WIDE static void dot_wide(const lr_cells *c, const double *x, double *out)
{
    typedef lr_v32 part;
    DOT_CELLS(EACH_WIDE)
}

LR_WIDE static void add_wide(const lr_cells *c, const double *w, double *y)
{
    typedef lr_v32 part;
    ADD_CELLS(EACH_WIDE)
}
#endif

/* Two columns of a basis at a time: each row is read once for both. */

#define OPEN_PAIR(i)                                                          \
    part s##i = ((const part *)out)[i];                                       \
    part r##i = ((const part *)(out + LR_VECTORS))[i];
#define ADD_PAIR(i) s##i += u * at[i]; r##i += v * at[i];
#define SHUT_PAIR(i)                                                          \
    ((part *)out)[i] = s##i;                                                  \
    ((part *)(out + LR_VECTORS))[i] = r##i;
#define OPEN_FACTORS(i)                                                       \
    part f##i = ((const part *)w)[i];                                         \
    part g##i = ((const part *)(w + LR_VECTORS))[i];
#define LESS_PAIR(i) at[i] = (at[i] - u * f##i) - v * g##i;

#define DOT_PAIR(each)                                                        \
    each(OPEN_PAIR)                                                           \
    for (size_t k = 0; k < count; k++) {                                      \
        const part *at = (const part *)(x + k * LR_VECTORS);                  \
        double u = a[k], v = b[k];                                            \
        each(ADD_PAIR)                                                        \
    }                                                                         \
    each(SHUT_PAIR)

#define SUBTRACT_PAIR(each)                                                   \
    each(OPEN_FACTORS)                                                        \
    for (size_t k = 0; k < count; k++) {                                      \
        part *at = (part *)(x + k * LR_VECTORS);                              \
        double u = a[k], v = b[k];                                            \
        each(LESS_PAIR)                                                       \
    }

static void dot_pair_narrow(const double *a, const double *b, size_t count,
                            const double *x, double *out)
{
    typedef lr_v16 part;
    DOT_PAIR(EACH_NARROW)
}

static void less_pair_narrow(const double *a, const double *b, size_t count,
                             const double *w, double *x)
{
    typedef lr_v16 part;
    SUBTRACT_PAIR(EACH_NARROW)
}

#ifdef LR_HAS_WIDE
LR_WIDE static void dot_pair_wide(const double *a, const double *b,
                                  size_t count, const double *x, double *out)
{
    typedef lr_v32 part;
    DOT_PAIR(EACH_WIDE)
}

LR_WIDE static void less_pair_wide(const double *a, const double *b,
                                   size_t count, const double *w, double *x)
{
    typedef lr_v32 part;
    SUBTRACT_PAIR(EACH_WIDE)
}
#endif

#else

static void dot_narrow(const lr_cells *c, const double *x, double *out)
{
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

static void dot_pair_narrow(const double *a, const double *b, size_t count,
                            const double *x, double *out)
{
    lr_cells first = {count, 0, NULL, a}, second = {count, 0, NULL, b};
    dot_narrow(&first, x, out);
    dot_narrow(&second, x, out + LR_VECTORS);
}

static void less_pair_narrow(const double *a, const double *b, size_t count,
                             const double *w, double *x)
{
    double less[2 * LR_VECTORS];
    lr_cells first = {count, 0, NULL, a}, second = {count, 0, NULL, b};
    for (int t = 0; t < 2 * LR_VECTORS; t++)
        less[t] = -w[t];
    add_narrow(&first, less, x);
    add_narrow(&second, less + LR_VECTORS, x);
}

#endif

#ifndef LR_HAS_WIDE
#define dot_wide dot_narrow
#define add_wide add_narrow
#define dot_pair_wide dot_pair_narrow
#define less_pair_wide less_pair_narrow
#endif

void lr_dot_vectors(const lr_cells *cells, const double *x, double *out,
                    lr_level level)
{
    memset(out, 0, LR_VECTORS * sizeof(double));
    (lr_is_wide(level) ? dot_wide : dot_narrow)(cells, x, out);
}

void lr_add_vectors(const lr_cells *cells, const double *w, double *y,
                    lr_level level)
{
    (lr_is_wide(level) ? add_wide : add_narrow)(cells, w, y);
}

void lr_dot_basis(const lr_basis *b, size_t from, size_t to, const double *x,
                  double *out)
{
    int wide = lr_is_wide(b->level);
    const double *rows = x + from * LR_VECTORS;
    size_t c = 0;
    for (; c + 2 <= b->count; c += 2) {
        const double *u = b->columns + c * b->m + from;
        (wide ? dot_pair_wide : dot_pair_narrow)(u, u + b->m, to - from, rows,
                                                 out + c * LR_VECTORS);
    }
    if (c < b->count) {
        lr_cells last = {to - from, 0, NULL, b->columns + c * b->m + from};
        (wide ? dot_wide : dot_narrow)(&last, rows, out + c * LR_VECTORS);
    }
}

void lr_less_basis(const lr_basis *b, size_t from, size_t to, const double *w,
                   double *x)
{
    int wide = lr_is_wide(b->level);
    double *rows = x + from * LR_VECTORS, less[LR_VECTORS];
    size_t c = 0;
    for (; c + 2 <= b->count; c += 2) {
        const double *u = b->columns + c * b->m + from;
        (wide ? less_pair_wide : less_pair_narrow)(
            u, u + b->m, to - from, w + c * LR_VECTORS, rows);
    }
    if (c < b->count) {
        lr_cells last = {to - from, 0, NULL, b->columns + c * b->m + from};
        for (size_t t = 0; t < LR_VECTORS; t++)
            less[t] = -w[c * LR_VECTORS + t];
        (wide ? add_wide : add_narrow)(&last, less, rows);
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
