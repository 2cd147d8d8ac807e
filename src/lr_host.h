/* What a walk asks of the program around it: memory, a chance to interrupt, a
 * line of progress. r_host.c has them from R, tests/kernels/host.c from the C
 * library. Only the thread that began calls these, and an interrupt or an error
 * does not return. */
#pragma once

#include <string.h>

#include "lr.h"
#include "lr_threads.h"

/* ---- memory until the end of the call ------------------------------------ */

void *lr_allocate(size_t count, size_t size);

/* What is allocated after the mark can be given back before. */
const void *lr_memory_mark(void);
void lr_memory_reset(const void *mark);

static inline double *new_doubles(size_t count)
{
    return lr_allocate(count, sizeof(double));
}

static inline int *new_ints(size_t count)
{
    return lr_allocate(count, sizeof(int));
}

static inline size_t *new_sizes(size_t count)
{
    return lr_allocate(count, sizeof(size_t));
}

/* `count` structs: all bits 0, so that members not named are NULL or 0 */
static inline void *zero_structs(size_t count, size_t size)
{
    void *out = lr_allocate(count, size);
    memset(out, 0, count * size);
    return out;
}

static inline double *zero_doubles(size_t count)
{
    return zero_structs(count, sizeof(double));
}

static inline size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- interrupts, errors and progress ------------------------------------- */

void lr_check_interrupt(void);

/* Operations of a thread between two checks, a tenth of a second or less. A
 * step of propagation takes 64 n^2 / 4 of them in a dense graph, but is one. */
#define LR_PORTION 1e8

/* What cannot be; does not return. */
void lr_internal_error(const char *what);

/* ---- linear algebra of small matrices ------------------------------------ */

/* The `count` largest eigenvalues of a symmetric matrix, the largest first, and
 * their eigenvectors (n x count by columns, orthonormal).
 * a  n x n, both triangles; destroyed */
void lr_largest_eigen(double *a, size_t n, size_t count, double *values,
                      double *vectors);

typedef struct {
    const char *task, *unit;
    double total;
    long begin, shown; /* when the task began, and the line was written */
    double left;       /* seconds that it reported, -1 at first */
    int on, width;
} progress_line;

progress_line progress_begin(const char *task, const char *unit, double total,
                             int on);
/* Lets the user interrupt, and after two seconds shows how far we are. */
void progress_tick(progress_line *line, double done);
void progress_end(progress_line *line);

/* ---- how a call runs ----------------------------------------------------- */

/* run_control() in R. Nothing in it changes a result. */
typedef struct {
    int threads;        /* at most so many: scratch is made for each */
    double worthwhile;  /* work for which one more thread starts */
    lr_level level;
    int progress;
    double batch_bytes; /* what is held for a batch, where one is made */
} run_control;

/* Number of threads for `work` elementary operations (about 1e9 a second). */
static inline int team_size(const run_control *control, double work)
{
    return lr_num_threads(control->threads, work, control->worthwhile);
}
