#include "threads.h"

#ifdef _OPENMP

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <pthread.h>
#endif

/* The one variable of the library: a child that was forked after the parent
 * used OpenMP would wait for ever for threads it does not have. */
static int forked = 0;

#ifndef _WIN32
static void after_fork(void)
{
    forked = 1;
}
#endif

void lr_threads_init(void)
{
#ifndef _WIN32
    pthread_atfork(NULL, NULL, after_fork);
#endif
}

/* R CMD check allows two cores at most. */
static int check_limit(void)
{
    const char *limit = getenv("_R_CHECK_LIMIT_CORES_");
    return limit != NULL && *limit != '\0' && strcmp(limit, "false") != 0
        && strcmp(limit, "FALSE") != 0;
}

int lr_num_threads(int requested, double work)
{
    const double worthwhile = 5e7; /* shorter shares do not pay */
    int n = requested;
    if (forked || n < 1)
        return 1;
    if (n > omp_get_num_procs())
        n = omp_get_num_procs();
    if (n > omp_get_thread_limit())
        n = omp_get_thread_limit();
    if (n > 2 && check_limit())
        n = 2;
    if (work / worthwhile < (double)n)
        n = (int)(work / worthwhile);
    return n < 1 ? 1 : n;
}

#else

void lr_threads_init(void) {}

int lr_num_threads(int requested, double work)
{
    (void)requested;
    (void)work;
    return 1;
}

#endif
