/* Features and numbers side by side: where the compiler knows vectors, kernels
 * are written with them. Where wider ones make whole calls 1.25 times as fast
 * it is compiled for these too; all give the same bits. */
#pragma once

#include "lr.h"

#include <stdint.h>

/* Features that go through the samples side by side. */
enum { LR_LANES = 8 };

/* Structs of doubles, one for each feature, to each member's lanes side by
 * side, or back: the rows of a matrix become the columns. */
static inline void lr_turn(const double *from, size_t rows, size_t columns,
                           double *to)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            to[c * rows + r] = from[r * columns + c];
}

/* LR_PLAIN: as a compiler that knows none (tests/kernels/Makefile). */
#if defined(__GNUC__) && !defined(LR_PLAIN)
#define LR_HAS_VECTORS
typedef double lr_v16 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double lr_v32 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double lr_v64 __attribute__((vector_size(64), aligned(8), may_alias));
#if defined(__x86_64__) || defined(__i386__)
#define LR_HAS_WIDE
#define LR_WIDE __attribute__((target("avx2")))
#define LR_WIDEST __attribute__((target("avx512f")))
#endif
typedef lr_v16 lr_doubles;
typedef float lr_floats __attribute__((vector_size(16), aligned(4), may_alias));
typedef float lr_f32 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float lr_f64 __attribute__((vector_size(64), aligned(4), may_alias));
/* of as many bytes: what comparisons of floats give, and their bits */
typedef int32_t lr_marks __attribute__((vector_size(16), aligned(4)));
typedef int32_t lr_m32 __attribute__((vector_size(32), aligned(4)));
typedef int32_t lr_m64 __attribute__((vector_size(64), aligned(4)));
#define LR_INLINE static inline __attribute__((always_inline))
#else
typedef double lr_doubles; /* a vector of one number */
typedef float lr_floats;
typedef int32_t lr_marks;
#define LR_INLINE static inline
#endif

/* Four vectors that stay in registers: LR_FOUR numbers. They are members by
 * name, as gcc -O2 keeps the entries of an array in memory, which takes three
 * times as long. */
typedef struct {
    lr_doubles a, b, c, d;
} lr_four;

enum {
    LR_DOUBLES = sizeof(lr_doubles) / sizeof(double),
    LR_FLOATS = sizeof(lr_floats) / sizeof(float),
    LR_FOUR = 4 * LR_DOUBLES /* divides LR_LANES */
};

LR_INLINE lr_four lr_load_four(const double *x)
{
    return (lr_four){*(const lr_doubles *)x,
                      *(const lr_doubles *)(x + LR_DOUBLES),
                      *(const lr_doubles *)(x + 2 * LR_DOUBLES),
                      *(const lr_doubles *)(x + 3 * LR_DOUBLES)};
}

LR_INLINE lr_four lr_zero_four(void)
{
    static const double zeros[LR_FOUR] = {0.0};
    return lr_load_four(zeros);
}

LR_INLINE void lr_store_four(double *x, lr_four g)
{
    *(lr_doubles *)x = g.a;
    *(lr_doubles *)(x + LR_DOUBLES) = g.b;
    *(lr_doubles *)(x + 2 * LR_DOUBLES) = g.c;
    *(lr_doubles *)(x + 3 * LR_DOUBLES) = g.d;
}

/* sum += x */
LR_INLINE void lr_add_four(lr_four *sum, lr_four x)
{
    sum->a += x.a;
    sum->b += x.b;
    sum->c += x.c;
    sum->d += x.d;
}

/* sum += weight * (from - x)^2 */
LR_INLINE void lr_add_squares_of(lr_four *sum, const lr_four *from,
                                 const double *x, double weight)
{
    lr_four g = lr_load_four(x);
    g.a = from->a - g.a;
    g.b = from->b - g.b;
    g.c = from->c - g.c;
    g.d = from->d - g.d;
    sum->a += weight * (g.a * g.a);
    sum->b += weight * (g.b * g.b);
    sum->c += weight * (g.c * g.c);
    sum->d += weight * (g.d * g.d);
}

/* Which vectors there are and may be used: 0 those of any machine, 1 those of
 * 32 bytes as well, 2 those of 64. */
static inline int lr_width(lr_level level)
{
#ifdef LR_HAS_WIDE
    if (level != LR_PORTABLE && __builtin_cpu_supports("avx2")
        && __builtin_cpu_supports("fma"))
        return level == LR_FASTEST && __builtin_cpu_supports("avx512f") ? 2 : 1;
#else
    (void)level;
#endif
    return 0;
}
