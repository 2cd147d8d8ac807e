/* How many threads a region may use. The kernels themselves start none. */
#define _POSIX_C_SOURCE 200809L

#include "threads.h"

#include <stdlib.h>

#ifndef _WIN32
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "check.h"

static void test_limits(void)
{
    CHECK_INT(lr_num_threads(1, 1e300), 1);
    CHECK_INT(lr_num_threads(0, 1e300), 1);
    CHECK_INT(lr_num_threads(-3, 1e300), 1);
    /* nothing to gain from sharing little work */
    CHECK_INT(lr_num_threads(64, 0.0), 1);
    CHECK_INT(lr_num_threads(64, 1e4), 1);
    int before = 1;
    for (int asked = 1; asked <= 64; asked *= 2) {
        int given = lr_num_threads(asked, 1e300);
        CHECK(given >= before && given <= asked);
        /* asking again for what was given gives it */
        CHECK_INT(lr_num_threads(given, 1e300), given);
        before = given;
    }
}

#ifndef _WIN32
static void test_check_limit(void)
{
    setenv("_R_CHECK_LIMIT_CORES_", "true", 1);
    CHECK(lr_num_threads(64, 1e300) <= 2);
    unsetenv("_R_CHECK_LIMIT_CORES_");
}

/* A child has none of its parent's threads. */
static void test_fork(void)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(lr_num_threads(64, 1e300) == 1 ? 0 : 1);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

int main(void)
{
    lr_threads_init();
    test_limits();
#ifndef _WIN32
    test_check_limit();
    test_fork();
#endif
    return check_report();
}
