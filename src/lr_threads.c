/* Teams of threads: how many a call may have, items and chunks for each. */
#include "lr_threads.h"

#ifdef _OPENMP

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <pthread.h>
#endif

/* The library's only variable. A child that was forked after the parent used
 * OpenMP would wait for ever for threads it does not have. */
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

int lr_most_threads(int requested, int processors)
{
    int n = requested;
    if (processors < 1)
        processors = omp_get_num_procs();
    if (forked || n < 1)
        return 1;
    if (n > processors)
        n = processors;
    if (n > omp_get_thread_limit())
        n = omp_get_thread_limit();
    if (n > 2 && check_limit())
        n = 2;
    return n;
}

int lr_own_thread(void)
{
    return omp_get_thread_num();
}

#else

void lr_threads_init(void) {}

int lr_most_threads(int requested, int processors)
{
    (void)requested;
    (void)processors;
    return 1;
}

int lr_own_thread(void)
{
    return 0;
}

#endif

/* ThreadSanitizer does not know the barriers of OpenMP, so it is informed that
 * the team begins after what came before it and ends before what comes
 * after. */
#if defined(__SANITIZE_THREAD__)
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define AFTER(address) __tsan_acquire(address)
#define BEFORE(address) __tsan_release(address)
#else
#define AFTER(address) (void)(address)
#define BEFORE(address) (void)(address)
#endif

void lr_run_items(int team, size_t count, lr_item use, void *context)
{
    long n = (long)count;
    char begin = 0, end = 0;
    if ((size_t)team > count)
        team = count > 0 ? (int)count : 1; /* to wake a thread takes time */
    BEFORE(&begin);
#ifdef _OPENMP
#pragma omp parallel num_threads(team)
#endif
    {
        AFTER(&begin);
#ifdef _OPENMP
#pragma omp for schedule(dynamic) nowait
#endif
        for (long i = 0; i < n; i++)
            use(context, (size_t)i);
        BEFORE(&end);
    }
    AFTER(&end);
    (void)team;
}

size_t lr_take_number(size_t *next)
{
    size_t number;
#ifdef _OPENMP
#pragma omp atomic capture
#endif
    number = (*next)++;
    return number;
}

typedef struct {
    lr_chunk_use use;
    void *context;
    size_t count, parts;
} chunks;

static void use_chunk(void *context, size_t part)
{
    const chunks *s = context;
    s->use(s->context, s->count * part / s->parts,
           s->count * (part + 1) / s->parts);
}

void lr_run_chunks(int team, size_t count, lr_chunk_use use, void *context)
{
    size_t parts = (size_t)team < count ? (size_t)team : count;
    chunks s = {use, context, count, parts};
    lr_run_items(team, parts, use_chunk, &s);
}

int lr_num_threads(int most, double work, double worthwhile)
{
    if (work < worthwhile * (double)most)
        most = (int)(work / worthwhile);
    return most < 1 ? 1 : most;
}
