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

/* The same four sums of each column, as many at a time as a vector holds. */
void lr_dot_four(const double *const *column, const double *b, size_t n,
                 double *product)
{
    const double *c0 = column[0], *c1 = column[1];
    const double *c2 = column[2], *c3 = column[3];
    double sum[LR_DOTS][4];
    size_t whole = n - n % 4;
    for (size_t l = 0; l < 4; l += LR_DOUBLES) {
        lr_doubles s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (size_t i = l; i < whole; i += 4) {
            lr_doubles x = *(const lr_doubles *)(b + i);
            s0 += *(const lr_doubles *)(c0 + i) * x;
            s1 += *(const lr_doubles *)(c1 + i) * x;
            s2 += *(const lr_doubles *)(c2 + i) * x;
            s3 += *(const lr_doubles *)(c3 + i) * x;
        }
        *(lr_doubles *)(sum[0] + l) = s0;
        *(lr_doubles *)(sum[1] + l) = s1;
        *(lr_doubles *)(sum[2] + l) = s2;
        *(lr_doubles *)(sum[3] + l) = s3;
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
