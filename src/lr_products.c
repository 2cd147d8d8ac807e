#include "lr_products.h"

#include <string.h>

#include "lr_vector.h"

static size_t whole(size_t count, size_t unit)
{
    return (count + unit - 1) / unit;
}

size_t lr_pack_size(size_t count, size_t n, size_t lanes)
{
    return whole(count, lanes) * lanes * n;
}

/* ---- packs and panels ---------------------------------------------------- */

#define PACK(name, number, lanes)                                             \
    void name(const double *columns, size_t count, size_t n, number *pack)    \
    {                                                                         \
        if (count % lanes)                                                    \
            memset(pack + count / lanes * lanes * n, 0,                       \
                   lanes * n * sizeof(number));                               \
        for (size_t j = 0; j < count; j++) {                                  \
            number *out = pack + j / lanes * lanes * n + j % lanes;           \
            const double *x = columns + j * n;                                \
            for (size_t i = 0; i < n; i++)                                    \
                out[i * lanes] = (number)x[i];                                \
        }                                                                     \
    }

PACK(lr_pack_floats, float, LR_FLOAT_LANES)
PACK(lr_pack_doubles, double, LR_DOUBLE_LANES)

#define PANEL(name, number)                                                   \
    void name(const double *const *vector, size_t n_targets, size_t n,        \
              number *panel)                                                  \
    {                                                                         \
        memset(panel, 0,                                                      \
               whole(n_targets, LR_TARGETS) * LR_TARGETS * n                  \
                   * sizeof(number));                                         \
        for (size_t t = 0; t < n_targets; t++) {                              \
            number *out = panel + t / LR_TARGETS * LR_TARGETS * n             \
                + t % LR_TARGETS;                                             \
            for (size_t i = 0; i < n; i++)                                    \
                out[i * LR_TARGETS] = (number)vector[t][i];                   \
        }                                                                     \
    }

PANEL(lr_panel_floats, float)
PANEL(lr_panel_doubles, double)

/* ---- register tiles: 4 targets x 2 vectors of features -------------------
 *
 * One tile loads two vectors of packed features and broadcasts four targets
 * per sample; its eight accumulators stay in registers over all samples. One
 * panel meets all packs before the next one: the panel stays in the first
 * cache, the packs come from the second. */

#define PRODUCTS(name, vec, number, lanes)                                    \
    static void name##_tile(const number *pack, const number *panel,          \
                            size_t n, number *out, size_t ld)                 \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(number) };                            \
        vec a0 = {0}, b0 = {0}, a1 = {0}, b1 = {0};                           \
        vec a2 = {0}, b2 = {0}, a3 = {0}, b3 = {0};                           \
        for (size_t i = 0; i < n; i++) {                                      \
            vec p = *(const vec *)pack, q = *(const vec *)(pack + W);         \
            a0 += p * panel[0]; b0 += q * panel[0];                           \
            a1 += p * panel[1]; b1 += q * panel[1];                           \
            a2 += p * panel[2]; b2 += q * panel[2];                           \
            a3 += p * panel[3]; b3 += q * panel[3];                           \
            pack += lanes;                                                    \
            panel += LR_TARGETS;                                              \
        }                                                                     \
        *(vec *)out = a0; *(vec *)(out + W) = b0;                             \
        out += ld;                                                            \
        *(vec *)out = a1; *(vec *)(out + W) = b1;                             \
        out += ld;                                                            \
        *(vec *)out = a2; *(vec *)(out + W) = b2;                             \
        out += ld;                                                            \
        *(vec *)out = a3; *(vec *)(out + W) = b3;                             \
    }                                                                         \
                                                                              \
    void name(const number *pack, size_t count, size_t n,                     \
              const number *panel, size_t n_targets, number *out, size_t ld)  \
    {                                                                         \
        enum { STEP = 2 * sizeof(vec) / sizeof(number) };                     \
        for (size_t t = 0; t < n_targets; t += LR_TARGETS)                    \
            for (size_t j = 0; j < count; j += STEP)                          \
                name##_tile(pack + j / lanes * lanes * n + j % lanes,         \
                            panel + t * n, n, out + t * ld + j, ld);          \
    }

PRODUCTS(lr_products_float, lr_floats, float, LR_FLOAT_LANES)
PRODUCTS(lr_products_double, lr_doubles, double, LR_DOUBLE_LANES)

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
