/* Inner products of packed features with several targets at a time. */
#include "lr_products.h"

#include <string.h>

#include "lr_vector.h"

size_t lr_pack_size(size_t count, size_t n, size_t lanes)
{
    return (count + lanes - 1) / lanes * lanes * n;
}

#define NUMBER float
#define VECTOR lr_floats
#define LANES LR_FLOAT_LANES
#define NAMED(name) name##_floats
#include "lr_products_of.h"
#undef NUMBER
#undef VECTOR
#undef LANES
#undef NAMED

#define NUMBER double
#define VECTOR lr_doubles
#define LANES LR_DOUBLE_LANES
#define NAMED(name) name##_doubles
#include "lr_products_of.h"

/* ---- vectors ------------------------------------------------------------- */

/* Four sums, so that additions need not wait for each other. */
double lr_dot(const double *a, const double *b, size_t n)
{
    enum { STEP = 2 * LR_DOUBLES };
    double sum[4];
    size_t whole = n - n % 4;
    for (size_t l = 0; l < 4; l += STEP) {
        lr_doubles s = {0}, t = {0};
        for (size_t i = l; i < whole; i += 4) {
            s += *(const lr_doubles *)(a + i) * *(const lr_doubles *)(b + i);
            t += *(const lr_doubles *)(a + i + LR_DOUBLES) *
                *(const lr_doubles *)(b + i + LR_DOUBLES);
        }
        *(lr_doubles *)(sum + l) = s;
        *(lr_doubles *)(sum + l + LR_DOUBLES) = t;
    }
    for (size_t i = whole; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Of column k: its sums s and t go on, or are kept. */
#define ADD_COLUMN(k, s, t)                                                   \
    s += *(const lr_doubles *)(column[k] + i) * x;                            \
    t += *(const lr_doubles *)(column[k] + i + LR_DOUBLES) * y;
#define STORE_COLUMN(k, s, t)                                                 \
    *(lr_doubles *)(sum[k] + l) = s;                                          \
    *(lr_doubles *)(sum[k] + l + LR_DOUBLES) = t;

/* The same four sums of each column. */
void lr_dot_four(const double *const *column, const double *b, size_t n,
                 double *product)
{
    double sum[LR_DOTS][4];
    size_t whole = n - n % 4;
    for (size_t l = 0; l < 4; l += 2 * LR_DOUBLES) {
        lr_doubles s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        lr_doubles t0 = {0}, t1 = {0}, t2 = {0}, t3 = {0};
        for (size_t i = l; i < whole; i += 4) {
            lr_doubles x = *(const lr_doubles *)(b + i);
            lr_doubles y = *(const lr_doubles *)(b + i + LR_DOUBLES);
            ADD_COLUMN(0, s0, t0)
            ADD_COLUMN(1, s1, t1)
            ADD_COLUMN(2, s2, t2)
            ADD_COLUMN(3, s3, t3)
        }
        STORE_COLUMN(0, s0, t0)
        STORE_COLUMN(1, s1, t1)
        STORE_COLUMN(2, s2, t2)
        STORE_COLUMN(3, s3, t3)
    }
    for (size_t k = 0; k < LR_DOTS; k++) {
        double *s = sum[k];
        for (size_t i = whole; i < n; i++)
            s[0] += column[k][i] * b[i];
        product[k] = (s[0] + s[1]) + (s[2] + s[3]);
    }
}

void lr_subtract(double *a, double scale, const double *b, size_t n)
{
    size_t i = 0;
    for (; i + 2 * LR_DOUBLES <= n; i += 2 * LR_DOUBLES) {
        *(lr_doubles *)(a + i) -= scale * *(const lr_doubles *)(b + i);
        *(lr_doubles *)(a + i + LR_DOUBLES) -=
            scale * *(const lr_doubles *)(b + i + LR_DOUBLES);
    }
    for (; i < n; i++)
        a[i] -= scale * b[i];
}

void lr_products_columns(const double *columns, size_t count, size_t n,
                         double *pack, const double *panel, size_t n_targets,
                         double *out, size_t ld)
{
    for (size_t j = 0; j < count; j += LR_DOUBLE_LANES) {
        size_t left = count - j;
        size_t lanes = left < LR_DOUBLE_LANES ? left : LR_DOUBLE_LANES;
        lr_pack_doubles(columns + j * n, lanes, n, pack);
        lr_products_doubles(pack, lanes, n, panel, n_targets, out + j, ld);
    }
}
