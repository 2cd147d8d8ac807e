/* Checks for the tests of the C kernels, in plain C99 so that they run without R.
 *
 *     #include "check.h"
 *     int main(void)
 *     {
 *         CHECK(n_groups > 0);
 *         CHECK_INT(n_groups, 3);
 *         return check_report();
 *     }
 *
 * A failed check prints where it stands and what it got, and the program goes on:
 * one run shows everything that is wrong. check_report() prints the line
 * `<n> passed, <m> failed` that the caller adds up, with `, <k> skipped` where
 * something was. */
#ifndef LR_CHECK_H
#define LR_CHECK_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int check_n_passed = 0;
static int check_n_failed = 0;
static int check_n_skipped = 0;

/* Flushed at once: what a failing check printed must survive a crash after it. */
#define CHECK_THAT(ok, ...)                              \
    do {                                                 \
        if (ok) {                                        \
            check_n_passed++;                            \
        } else {                                         \
            check_n_failed++;                            \
            printf("  %s:%d: ", __FILE__, __LINE__);     \
            printf(__VA_ARGS__);                         \
            printf("\n");                                \
            fflush(stdout);                              \
        }                                                \
    } while (0)

/* The same for what rests on bits, which differ where the processor keeps more
 * digits than a double has (x87): such checks are counted as skipped there. */
#if FLT_EVAL_METHOD == 2
#define CHECK_BITS(ok, ...)                              \
    do {                                                 \
        (void)(ok);                                      \
        check_n_skipped++;                               \
    } while (0)
#else
#define CHECK_BITS CHECK_THAT
#endif

/* A condition. */
#define CHECK(condition) CHECK_THAT(condition, "not true: %s", #condition)

/* Whole numbers of any type. */
#define CHECK_INT(got, want)                                             \
    do {                                                                 \
        long long check_got = (long long)(got);                          \
        long long check_want = (long long)(want);                        \
        CHECK_THAT(check_got == check_want, "%s is %lld instead of %lld",\
                   #got, check_got, check_want);                         \
    } while (0)

/* The same double to the last bit; a NaN meets any NaN, 0 does not meet -0. */
#define CHECK_SAME(got, want)                                            \
    do {                                                                 \
        double check_got = (got);                                        \
        double check_want = (want);                                      \
        CHECK_BITS(check_same_double(check_got, check_want),             \
                   "%s is %.17g instead of %.17g", #got, check_got,      \
                   check_want);                                          \
    } while (0)

/* A double up to `tolerance`, absolute. */
#define CHECK_NEAR(got, want, tolerance)                                 \
    do {                                                                 \
        double check_got = (got);                                        \
        double check_want = (want);                                      \
        CHECK_THAT(fabs(check_got - check_want) <= (tolerance),          \
                   "%s is %.17g instead of %.17g", #got, check_got,      \
                   check_want);                                          \
    } while (0)

/* `n` whole numbers, or `n` doubles to the last bit, of two arrays: one check
 * that names the first place where they differ. */
#define CHECK_INTS(got, want, n)                                         \
    do {                                                                 \
        size_t check_n = (size_t)(n), check_at = 0;                      \
        while (check_at < check_n &&                                     \
               (long long)(got)[check_at] == (long long)(want)[check_at])\
            check_at++;                                                  \
        CHECK_THAT(check_at == check_n, "%s[%lu] is %lld instead of %lld",\
                   #got, (unsigned long)check_at,                        \
                   (long long)(got)[check_at], (long long)(want)[check_at]);\
    } while (0)

#define CHECK_SAMES(got, want, n)                                        \
    do {                                                                 \
        size_t check_n = (size_t)(n), check_at = 0;                      \
        while (check_at < check_n &&                                     \
               check_same_double((got)[check_at], (want)[check_at]))     \
            check_at++;                                                  \
        CHECK_BITS(check_at == check_n, "%s[%lu] is %.17g instead of %.17g",\
                   #got, (unsigned long)check_at, (got)[check_at],       \
                   (want)[check_at]);                                    \
    } while (0)

static inline int check_same_double(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

/* Ends a test program: its closing line and its exit status. A program without
 * a single check has tested nothing and fails. */
static inline int check_report(void)
{
    if (check_n_passed + check_n_failed == 0)
        check_n_failed = 1;
    printf("%d passed, %d failed", check_n_passed, check_n_failed);
    if (check_n_skipped > 0)
        printf(", %d skipped", check_n_skipped);
    printf("\n");
    return check_n_failed > 0;
}

#endif
