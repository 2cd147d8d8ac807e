/* The C library as the host of the walks (lr_host.h), and data for them: `host`
 * of sparse data is an lr_sparse_tile, that of a reader its n x p values. Memory
 * is of exactly the size that is asked for, so that the sanitizers see a step
 * beyond it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host.h"

typedef struct piece {
    struct piece *before;
    void *memory;
} piece;

static piece *newest;
int host_ticks, host_reads;
double host_done;

void *lr_allocate(size_t count, size_t size)
{
    piece *p = (piece *)malloc(sizeof(piece));
    void *memory = malloc(count * size > 0 ? count * size : 1);
    if (!p || !memory)
        abort();
    *p = (piece){newest, memory};
    newest = p;
    return memory;
}

const void *lr_memory_mark(void)
{
    return newest;
}

void lr_memory_reset(const void *mark)
{
    while (newest != mark) {
        piece *p = newest;
        newest = p->before;
        free(p->memory);
        free(p);
    }
}

void lr_check_interrupt(void)
{
    host_ticks++;
}

void lr_internal_error(const char *what)
{
    printf("internal error: %s\n", what);
    abort();
}

/* By rotations of pairs of columns until all are orthogonal (Jacobi): slow, and
 * near to the definition. */
void lr_largest_eigen(double *a, size_t n, size_t count, double *values,
                      double *vectors)
{
    double *v = zero_doubles(n * n);
    for (size_t i = 0; i < n; i++)
        v[i * (n + 1)] = 1.0;
    for (int sweep = 0; sweep < 30; sweep++)
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                double off = a[p + q * n], rise = a[q + q * n] - a[p + p * n];
                double theta = rise < 0.0 ? 0.5 * atan2(-2.0 * off, -rise)
                                          : 0.5 * atan2(2.0 * off, rise);
                double c = cos(theta), s = sin(theta);
                for (size_t k = 0; k < n && off != 0.0; k++) {
                    double x = a[k + p * n], y = a[k + q * n];
                    a[k + p * n] = c * x - s * y, a[k + q * n] = s * x + c * y;
                    x = v[k + p * n], y = v[k + q * n];
                    v[k + p * n] = c * x - s * y, v[k + q * n] = s * x + c * y;
                }
                for (size_t k = 0; k < n && off != 0.0; k++) {
                    double x = a[p + k * n], y = a[q + k * n];
                    a[p + k * n] = c * x - s * y, a[q + k * n] = s * x + c * y;
                }
            }
    for (size_t j = 0; j < count; j++) {
        size_t best = 0;
        for (size_t i = 1; i < n; i++)
            if (a[i * (n + 1)] > a[best * (n + 1)])
                best = i;
        values[j] = a[best * (n + 1)];
        memcpy(vectors + j * n, v + best * n, n * sizeof(double));
        a[best * (n + 1)] = -HUGE_VAL;
    }
}

progress_line progress_begin(const char *task, const char *unit, double total,
                             int on)
{
    return (progress_line){task, unit, total, 0, 0, -1.0, on, 0};
}

void progress_tick(progress_line *line, double done)
{
    (void)line;
    host_ticks++;
    host_done = done;
}

void progress_end(progress_line *line)
{
    line->width = 0;
}

const lr_sparse_tile *stored_cells(const feature_data *data,
                                   lr_sparse_tile *storage)
{
    if (!is_stored(data))
        return NULL;
    *storage = *(const lr_sparse_tile *)data->host;
    return storage;
}

const double *call_reader(const feature_data *data, size_t first, size_t count)
{
    const double *values = (const double *)data->host + first * data->n;
    double *block = (double *)lr_allocate(data->n * count, sizeof(double));
    memcpy(block, values, data->n * count * sizeof(double));
    host_reads++;
    return block;
}
