/* How many threads a region may use and has. The kernels themselves
 * start none. */
#define _POSIX_C_SOURCE 200809L

#include "lr_threads.h"

#include <stdlib.h>

#ifndef _WIN32
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#ifdef _OPENMP
#include <omp.h>
#endif

#include "check.h"

static int size_of_team(void)
{
#ifdef _OPENMP
    return omp_get_num_threads();
#else
    return 1;
#endif
}

static void test_limits(void)
{
    CHECK_INT(lr_most_threads(1, 0), 1);
    CHECK_INT(lr_most_threads(0, 0), 1);
    CHECK_INT(lr_most_threads(-3, 0), 1);
    CHECK_INT(lr_most_threads(64, 1), 1);
    int before = 1;
    for (int asked = 1; asked <= 64; asked *= 2) {
        int given = lr_most_threads(asked, 0);
        CHECK(given >= before && given <= asked);
        /* asking again for what was given gives it */
        CHECK_INT(lr_most_threads(given, 0), given);
        before = given;
    }
    CHECK(lr_most_threads(2, 64) >= lr_most_threads(2, 1));
}

static void test_work(void)
{
    /* nothing to gain from sharing little work */
    CHECK_INT(lr_num_threads(64, 0.0, 5e7), 1);
    CHECK_INT(lr_num_threads(64, 9.9e7, 5e7), 1);
    CHECK_INT(lr_num_threads(64, 1e8, 5e7), 2);
    CHECK_INT(lr_num_threads(3, 1e300, 5e7), 3);
    CHECK_INT(lr_num_threads(3, 0.0, 0.0), 3);
    CHECK_INT(lr_num_threads(1, 1e300, 5e7), 1);
}

typedef struct {
    int done[500], by[8], team[500];
} tally;

static void count_item(void *context, size_t item)
{
    tally *t = (tally *)context;
    t->done[item]++;
    t->team[item] = size_of_team();
    t->by[lr_own_thread()]++;
}

static void test_items(void)
{
    for (int team = 1; team <= lr_most_threads(4, 4); team++) {
        tally t = {{0}, {0}, {0}};
        int once = 0, sum = 0;
        lr_run_items(team, 500, count_item, &t);
        for (int i = 0; i < 500; i++)
            once += t.done[i] == 1 && t.team[i] == team;
        for (int i = 0; i < 8; i++)
            sum += t.by[i];
        CHECK_INT(once, 500);
        CHECK_INT(sum, 500);
        for (int i = team; i < 8; i++)
            CHECK_INT(t.by[i], 0);
    }
    tally none = {{0}, {0}, {0}};
    lr_run_items(2, 0, count_item, &none);
    CHECK_INT(none.by[0] + none.by[1], 0);
}

static void count_chunk(void *context, size_t from, size_t to)
{
    tally *t = (tally *)context;
    for (size_t i = from; i < to; i++)
        t->done[i]++;
    t->by[lr_own_thread()]++;
}

/* Every item once, in as many chunks as there are threads or items. */
static void test_chunks(void)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 500};
    for (int team = 1; team <= lr_most_threads(4, 4); team++)
        for (size_t c = 0; c < 6; c++) {
            tally t = {{0}, {0}, {0}};
            size_t once = 0, chunks = 0, count = counts[c];
            lr_run_chunks(team, count, count_chunk, &t);
            for (size_t i = 0; i < 500; i++)
                once += t.done[i] == (i < count ? 1 : 0);
            for (int i = 0; i < 8; i++)
                chunks += (size_t)t.by[i];
            CHECK_INT(once, 500);
            CHECK_INT(chunks, (size_t)team < count ? (size_t)team : count);
        }
}

typedef struct {
    size_t next;
    int taken[500];
} counter;

/* Takes numbers until none is left: each of them is one thread's alone. */
static void take_numbers(void *context, size_t item)
{
    counter *c = (counter *)context;
    size_t number;
    while ((number = lr_take_number(&c->next)) < 500)
        c->taken[number]++;
    (void)item;
}

static void test_numbers(void)
{
    for (int team = 1; team <= lr_most_threads(4, 4); team++) {
        counter c = {0, {0}};
        int once = 0;
        lr_run_items(team, (size_t)team, take_numbers, &c);
        for (int i = 0; i < 500; i++)
            once += c.taken[i] == 1;
        CHECK_INT(once, 500);
        CHECK_INT(c.next, 500 + (size_t)team);
    }
}

/* Threads beyond the items are not woken. */
static void test_few_items(void)
{
    tally t = {{0}, {0}, {0}};
    lr_run_items(lr_most_threads(4, 4), 1, count_item, &t);
    CHECK_INT(t.team[0], 1);
    CHECK_INT(t.done[0], 1);
}

#ifndef _WIN32
static void test_check_limit(void)
{
    setenv("_R_CHECK_LIMIT_CORES_", "true", 1);
    CHECK(lr_most_threads(64, 64) <= 2);
    unsetenv("_R_CHECK_LIMIT_CORES_");
}

/* A child has none of its parent's threads. */
static void test_fork(void)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(lr_most_threads(64, 64) == 1 ? 0 : 1);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

int main(void)
{
    lr_threads_init();
    test_limits();
    test_work();
    test_items();
    test_chunks();
    test_numbers();
    test_few_items();
#ifndef _WIN32
    test_check_limit();
    test_fork();
#endif
    return check_report();
}
