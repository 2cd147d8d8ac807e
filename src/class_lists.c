#include "class_lists.h"

#include <math.h>
#include <string.h>

#include "hits.h"

void lr_class_lists_clear(lr_class_lists *l)
{
    size_t lists = l->n_slots * l->n_classes;
    memset(l->count, 0, lists * sizeof(int));
    for (size_t i = 0; i < lists; i++)
        l->limit[i] = INFINITY;
}

static lr_nearest heap_of(const lr_class_lists *l, size_t slot, size_t c)
{
    size_t at = slot * l->n_classes + c;
    lr_nearest heap = {l->distance + at * l->k, l->row + at * l->k, l->k,
                       (size_t)l->count[at]};
    return heap;
}

/* Returns the new limit. */
static double offer(lr_class_lists *l, size_t slot, size_t c, double distance,
                    int row)
{
    lr_nearest heap = heap_of(l, slot, c);
    lr_nearest_offer(&heap, distance, row);
    l->count[slot * l->n_classes + c] = (int)heap.count;
    double *limit = l->limit + c * l->n_slots + slot;
    if (heap.count == heap.capacity)
        *limit = heap.distance[0];
    return *limit;
}

/* Most rows are farther than the farthest that is kept, so that is all that is
 * looked at first. */
void lr_class_offer_end(lr_class_lists *l, size_t slot, int end,
                     const double *distance, size_t first_row, size_t rows,
                     double *bound)
{
    const int *class_of = l->class_of + first_row;
    for (size_t c = 0; c < l->n_classes; c++)
        bound[c] = l->limit[c * l->n_slots + slot];
    for (size_t r = 0; r < rows; r++) {
        int c = class_of[r];
        if (c < 0 || distance[r] > bound[c])
            continue;
        int row = (int)(first_row + r);
        if (row != end)
            bound[c] = offer(l, slot, (size_t)c, distance[r], row);
    }
}

void lr_class_offer_rows(lr_class_lists *l, int end, const double *distance,
                      size_t first_row, size_t rows)
{
    if (l->class_of[end] < 0)
        return;
    size_t c = (size_t)l->class_of[end];
    double *limit = l->limit + c * l->n_slots + first_row;
    for (size_t r = 0; r < rows; r++)
        if (distance[r] <= limit[r] && (int)(first_row + r) != end)
            offer(l, first_row + r, c, distance[r], end);
}

void lr_class_lists_sort(lr_class_lists *l, size_t slot)
{
    for (size_t c = 0; c < l->n_classes; c++) {
        lr_nearest heap = heap_of(l, slot, c);
        lr_nearest_sort(&heap);
    }
}

void lr_within(const lr_class_lists *l, int end, const double *distance,
               size_t n, double radius, int *out, int *start)
{
    int count = 0;
    for (size_t c = 0; c < l->n_classes; c++) {
        start[c] = count;
        for (size_t r = 0; r < n; r++)
            if (l->class_of[r] == (int)c && distance[r] < radius
                && (int)r != end)
                out[count++] = (int)r;
    }
    start[l->n_classes] = count;
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
