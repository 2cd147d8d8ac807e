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

/* Products of a, and of `other` unless it is NULL, with b: four sums each, so
 * that additions need not wait for each other. */
LR_INLINE void add_products(const double *a, const double *other,
                            const double *b, size_t n, double *product)
{
    enum { STEP = 2 * LR_DOUBLES };
    double sum[4], more[4];
    size_t whole = n - n % 4;
    for (size_t l = 0; l < 4; l += STEP) {
        lr_doubles s = {0}, t = {0}, u = {0}, v = {0};
        for (size_t i = l; i < whole; i += 4) {
            lr_doubles x = *(const lr_doubles *)(b + i);
            lr_doubles y = *(const lr_doubles *)(b + i + LR_DOUBLES);
            s += *(const lr_doubles *)(a + i) * x;
            t += *(const lr_doubles *)(a + i + LR_DOUBLES) * y;
            if (!other)
                continue;
            u += *(const lr_doubles *)(other + i) * x;
            v += *(const lr_doubles *)(other + i + LR_DOUBLES) * y;
        }
        *(lr_doubles *)(sum + l) = s;
        *(lr_doubles *)(sum + l + LR_DOUBLES) = t;
        *(lr_doubles *)(more + l) = u;
        *(lr_doubles *)(more + l + LR_DOUBLES) = v;
    }
    for (size_t i = whole; i < n; i++) {
        sum[0] += a[i] * b[i];
        more[0] += other ? other[i] * b[i] : 0.0;
    }
    product[0] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    if (other)
        product[1] = (more[0] + more[1]) + (more[2] + more[3]);
}

double lr_dot(const double *a, const double *b, size_t n)
{
    double product;
    add_products(a, NULL, b, n, &product);
    return product;
}

void lr_dot_two(const double *a, const double *other, const double *b,
                size_t n, double *product)
{
    add_products(a, other, b, n, product);
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
