#include "lists.h"

#include <math.h>
#include <string.h>

#include "hits.h"

void lr_lists_clear(lr_lists *l)
{
    size_t lists = l->n_slots * l->n_lists;
    memset(l->count, 0, lists * sizeof(int));
    for (size_t i = 0; i < lists; i++)
        l->limit[i] = l->k > 0 ? INFINITY : -INFINITY;
}

static lr_nearest heap_of(const lr_lists *l, size_t slot, size_t list)
{
    size_t at = slot * l->n_lists + list;
    lr_nearest heap = {l->distance + at * l->k, l->row + at * l->k, l->k,
                       (size_t)l->count[at]};
    return heap;
}

void lr_lists_put(lr_lists *l, size_t slot, size_t list, double distance,
                  int row)
{
    lr_nearest heap = heap_of(l, slot, list);
    lr_nearest_offer(&heap, distance, row);
    l->count[slot * l->n_lists + list] = (int)heap.count;
    if (heap.count == heap.capacity)
        l->limit[list * l->n_slots + slot] = heap.distance[0];
}

/* Most rows are farther than the farthest that is kept, so that is all that is
 * looked at first. */
static void offer_to_end(lr_lists *l, const lr_tile *t, size_t e)
{
    size_t slot = t->half ? (size_t)t->ends[e] : t->first_slot + e;
    const double *distance = t->distance + e * t->ld;
    const double *limit = l->limit + slot;
    const int *class_of = l->class_of ? l->class_of + t->first_row : NULL;
    for (size_t r = lr_tile_begin(t, e); r < t->n_rows; r++) {
        int list = class_of ? class_of[r] : 0;
        int row = (int)(t->first_row + r);
        if (list >= 0 && distance[r] <= limit[(size_t)list * l->n_slots]
            && row != t->ends[e])
            lr_lists_put(l, slot, (size_t)list, distance[r], row);
    }
}

/* The end points, in order, to the tile's rows from .. to - 1. */
static void offer_to_rows(lr_lists *l, const lr_tile *t, size_t from,
                          size_t to)
{
    for (size_t e = 0; e < t->n_ends; e++) {
        int end = t->ends[e], list = l->class_of ? l->class_of[end] : 0;
        if (list < 0)
            continue;
        const double *distance = t->distance + e * t->ld;
        const double *limit =
            l->limit + (size_t)list * l->n_slots + t->first_row;
        size_t r = lr_tile_begin(t, e);
        for (r = r < from ? from : r; r < to; r++)
            if (distance[r] <= limit[r])
                lr_lists_put(l, t->first_row + r, (size_t)list, distance[r],
                             end);
    }
}

void lr_lists_offer(lr_lists *l, const lr_tile *t, lr_chunk chunk)
{
    for (size_t e = 0; e < t->n_ends; e++)
        if (lr_is_own_end(t, e, chunk))
            offer_to_end(l, t, e);
    if (!t->half)
        return;
    size_t last = t->first_row + t->n_rows;
    for (size_t b = t->first_row / LR_ROWS; b * LR_ROWS < last; b++) {
        size_t from = b * LR_ROWS, to = from + LR_ROWS;
        if (b % chunk.count == chunk.number)
            offer_to_rows(l, t, from < t->first_row ? 0 : from - t->first_row,
                          (to < last ? to : last) - t->first_row);
    }
}

void lr_lists_sort(lr_lists *l, size_t slot)
{
    for (size_t list = 0; list < l->n_lists; list++) {
        lr_nearest heap = heap_of(l, slot, list);
        lr_nearest_sort(&heap);
    }
}

void lr_within(const int *class_of, size_t n_classes, int end,
               const double *distance, size_t n, double radius, int *out,
               int *start)
{
    int count = 0;
    for (size_t c = 0; c < n_classes; c++) {
        start[c] = count;
        for (size_t r = 0; r < n; r++)
            if (class_of[r] == (int)c && distance[r] < radius && (int)r != end)
                out[count++] = (int)r;
    }
    start[n_classes] = count;
}

size_t lr_distance_moments(const int *class_of, int end,
                           const double *distance, size_t n, double *mean,
                           double *deviation)
{
    double sum = 0.0, squares = 0.0;
    size_t count = 0;
    for (size_t r = 0; r < n; r++)
        if (class_of[r] >= 0 && (int)r != end) {
            sum += distance[r];
            count++;
        }
    *mean = sum / (double)count;
    for (size_t r = 0; r < n; r++)
        if (class_of[r] >= 0 && (int)r != end) {
            double d = distance[r] - *mean;
            squares += d * d;
        }
    *deviation = sqrt(squares / ((double)count - 1.0));
    return count;
}
