/* Common definitions of kernels: plain C99, no R header, so that each module
 * compiles and is tested alone (tests/kernels).
 *
 * Kernels take const inputs, write to memory the caller owns, and allocate,
 * print and remember nothing. Indices count from 0. */
#pragma once

#include <stddef.h>

/* Distances and scores must have the same bits on every machine, so a
 * compiler must not fuse a multiplication with an addition. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

typedef enum {
    LR_OK = 0,
    LR_NOT_CONNECTED, /* no path between the two samples */
    LR_NOT_CONVERGED  /* an iteration came to no end */
} lr_status;

typedef enum { LR_MANHATTAN = 0, LR_EUCLIDEAN = 1 } lr_metric;

/* Are sums of squares compared, of which a distance is the root? */
static inline int lr_is_squared(lr_metric metric)
{
    return metric == LR_EUCLIDEAN;
}

/* Which version of a kernel runs: all give the same bits. LR_MIDDLE: not the
 * one for the widest vectors, where there are three. */
typedef enum { LR_PORTABLE = 0, LR_FASTEST = 1, LR_MIDDLE = 2 } lr_level;
