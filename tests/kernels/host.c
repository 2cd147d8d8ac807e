/* The C library as the host of the walks (lr_host.h), and data for them: `host`
 * of sparse data is an lr_sparse_tile, that of a reader its n x p values. Memory
 * is of exactly the size that is asked for, so that the sanitizers see a step
 * beyond it. */
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
