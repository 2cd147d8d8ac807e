/* Counting and placing of sparse cells, sample by sample. */
#include "read_transpose.h"

#include <string.h>

enum {
    FEATURES = 4096,      /* that are written side by side */
    CELLS_IN_CACHE = 1 << 19
};

static void count_cells(const lr_sample_cells *c, size_t from, size_t to,
                        int *start)
{
    memset(start, 0, (c->p + 1) * sizeof(int));
    for (int e = c->start[from]; e < c->start[to]; e++)
        start[c->feature[e] + 1]++;
    for (size_t j = 0; j < c->p; j++)
        start[j + 1] += start[j];
}

void lr_transpose_cells(const lr_sample_cells *c, size_t from, size_t to,
                   int *start, int *row, double *value, int *next,
                   int *cursor)
{
    size_t many = (size_t)(c->start[to] - c->start[from]) > CELLS_IN_CACHE;
    size_t step = many ? FEATURES : c->p;
    count_cells(c, from, to, start);
    memcpy(next, start, (c->p + 1) * sizeof(int));
    memcpy(cursor, c->start + from, (to - from) * sizeof(int));
    for (size_t first = 0; first < c->p; first += step) {
        size_t last = first + step;
        for (size_t i = from; i < to; i++) {
            int e = cursor[i - from], end = c->start[i + 1];
            for (; e < end && (size_t)c->feature[e] < last; e++) {
                int at = next[c->feature[e]]++;
                row[at] = (int)(i - from);
                value[at] = c->value[e];
            }
            cursor[i - from] = e;
        }
    }
}
