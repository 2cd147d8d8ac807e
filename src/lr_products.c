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
 * per sample; its eight accumulators stay in registers over all samples.
 * Written once for 16-byte vectors (any machine) and once for 32-byte ones. */

#ifdef LR_HAS_VECTORS

typedef float f16 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float f32 __attribute__((vector_size(32), aligned(4), may_alias));

#define TILE(name, attribute, vec, number, lanes)                             \
    attribute static void name(const number *pack, const number *panel,       \
                               size_t n, number *out, size_t ld)              \
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
    }

TILE(tile_float_16, , f16, float, LR_FLOAT_LANES)
TILE(tile_double_16, , lr_v16, double, LR_DOUBLE_LANES)

#ifdef LR_HAS_WIDE
TILE(tile_float_32, LR_WIDE, f32, float, LR_FLOAT_LANES)
TILE(tile_double_32, LR_WIDE, lr_v32, double, LR_DOUBLE_LANES)
#endif

enum { FLOAT_16 = 8, DOUBLE_16 = 4 }; /* features of a 16-byte tile */

#else /* no vector extension: the same sums, one at a time */

#define TILE_PLAIN(name, number, lanes)                                       \
    static void name(const number *pack, const number *panel, size_t n,       \
                     number *out, size_t ld)                                  \
    {                                                                         \
        for (size_t t = 0; t < LR_TARGETS; t++) {                             \
            number sum = 0;                                                   \
            for (size_t i = 0; i < n; i++)                                    \
                sum += pack[i * lanes] * panel[i * LR_TARGETS + t];           \
            out[t * ld] = sum;                                                \
        }                                                                     \
    }

TILE_PLAIN(tile_float_16, float, LR_FLOAT_LANES)
TILE_PLAIN(tile_double_16, double, LR_DOUBLE_LANES)

enum { FLOAT_16 = 1, DOUBLE_16 = 1 };

#endif

/* One panel against all packs before the next one: the panel stays in the
 * first cache, the packs come from the second. */
#define PRODUCTS(name, number, lanes, narrow, step, broad)                    \
    void name(const number *pack, size_t count, size_t n,                     \
              const number *panel, size_t n_targets, number *out, size_t ld,  \
              lr_level level)                                                 \
    {                                                                         \
        void (*tile)(const number *, const number *, size_t, number *,        \
                     size_t) = narrow;                                        \
        size_t width = step;                                                  \
        if (lr_is_wide(level))                                                      \
            broad;                                                            \
        for (size_t t = 0; t < n_targets; t += LR_TARGETS)                    \
            for (size_t j = 0; j < count; j += width)                         \
                tile(pack + j / lanes * lanes * n + j % lanes, panel + t * n, \
                     n, out + t * ld + j, ld);                                \
    }

#ifdef LR_HAS_WIDE
#define BROAD(wider, features) tile = wider, width = features
#else
#define BROAD(wider, features) (void)0
#endif

PRODUCTS(lr_products_float, float, LR_FLOAT_LANES, tile_float_16, FLOAT_16,
         BROAD(tile_float_32, 16))
PRODUCTS(lr_products_double, double, LR_DOUBLE_LANES, tile_double_16,
         DOUBLE_16, BROAD(tile_double_32, 8))

/* Four sums side by side, so that additions need not wait for each other. */
double lr_dot(const double *a, const double *b, size_t n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    size_t i = 0;
#ifdef LR_HAS_VECTORS
    lr_v16 v0 = {0}, v1 = {0};
    for (; i + 4 <= n; i += 4) {
        v0 += *(const lr_v16 *)(a + i) * *(const lr_v16 *)(b + i);
        v1 += *(const lr_v16 *)(a + i + 2) * *(const lr_v16 *)(b + i + 2);
    }
    s0 = v0[0], s1 = v0[1], s2 = v1[0], s3 = v1[1];
#else
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
#endif
    for (; i < n; i++)
        s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

void lr_subtract(double *a, double scale, const double *b, size_t n)
{
    size_t i = 0;
#ifdef LR_HAS_VECTORS
    for (; i + 4 <= n; i += 4) {
        *(lr_v16 *)(a + i) -= scale * *(const lr_v16 *)(b + i);
        *(lr_v16 *)(a + i + 2) -= scale * *(const lr_v16 *)(b + i + 2);
    }
#endif
    for (; i < n; i++)
        a[i] -= scale * b[i];
}
