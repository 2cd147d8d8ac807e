/* Features and numbers side by side: where the compiler knows vectors, kernels
 * are written with them, twice where the processor may have wider ones. Both
 * give the same bits. */
#ifndef LR_VECTOR_H
#define LR_VECTOR_H

#include "lr.h"

/* Features that go through the samples side by side. */
enum { LR_LANES = 8 };

#if defined(__GNUC__)
#define LR_HAS_VECTORS
typedef double lr_v16 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double lr_v32 __attribute__((vector_size(32), aligned(8), may_alias));
#if defined(__x86_64__) || defined(__i386__)
#define LR_HAS_WIDE
#define LR_WIDE __attribute__((target("avx2")))
#endif
#endif

/* Are there wide vectors, and may they be used? */
static inline int lr_is_wide(lr_level level)
{
#ifdef LR_HAS_WIDE
    return level == LR_FASTEST && __builtin_cpu_supports("avx2");
#else
    (void)level;
    return 0;
#endif
}

#endif
