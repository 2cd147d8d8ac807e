/* Numbers for the tests of the C kernels: the same on every machine, so that a
 * failure can be repeated. */
#ifndef LR_RANDOM_H
#define LR_RANDOM_H

#include <stdlib.h>
#include <string.h>

static unsigned long long random_state = 1;

/* Starts again: each group of checks has numbers of its own. */
static inline void random_seed(unsigned long long seed)
{
    random_state = 0x9e3779b97f4a7c15ULL * (seed + 1);
}

static inline unsigned long long random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* From 0 to below 1. */
static inline double random_unit(void)
{
    return (double)(random_bits() >> 11) / 9007199254740992.0;
}

/* From 0 to n - 1. */
static inline int random_below(int n)
{
    return (int)(random_unit() * n);
}

/* All random trials are made by `sh tools/nightly`, which sets
 * LINKRANK_TRIALS=all; a change runs the first sixteenth of them, 12 at least. */
static inline int trials(int count)
{
    const char *all = getenv("LINKRANK_TRIALS");
    int few = count / 16 > 12 ? count / 16 : 12;
    return (all != NULL && strcmp(all, "all") == 0) || count < few
        ? count : few;
}

/* Memory of exactly this size, so that the sanitizers see a step beyond it;
 * never NULL for none. */
static inline void *buffer(size_t count, size_t size)
{
    void *memory = malloc(count * size > 0 ? count * size : 1);
    if (memory == NULL)
        abort();
    return memory;
}

static inline double *doubles(size_t count)
{
    return (double *)buffer(count, sizeof(double));
}

static inline int *integers(size_t count)
{
    return (int *)buffer(count, sizeof(int));
}

#endif
