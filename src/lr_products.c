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

/* Four sums side by side, so that additions need not wait for each other. */
double lr_dot(const double *a, const double *b, size_t n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++)
        s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

void lr_subtract(double *a, double scale, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] -= scale * b[i];
}
