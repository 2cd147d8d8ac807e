/* Bounded lists of the nearest samples, and lists merged from several threads.
 * */
#include "search_lists.h"

#include <string.h>

static void sift_down(lr_nearest *h, size_t root, size_t count, double d,
                      int row)
{
    size_t child;
    while ((child = 2 * root + 1) < count) {
        if (child + 1 < count
            && lr_is_nearer(h->distance[child], h->row[child],
                         h->distance[child + 1], h->row[child + 1]))
            child++;
        if (!lr_is_nearer(d, row, h->distance[child], h->row[child]))
            break;
        h->distance[root] = h->distance[child];
        h->row[root] = h->row[child];
        root = child;
    }
    h->distance[root] = d;
    h->row[root] = row;
}

static void sift_up(lr_nearest *h, size_t at, double d, int row)
{
    while (at > 0) {
        size_t parent = (at - 1) / 2;
        if (!lr_is_nearer(h->distance[parent], h->row[parent], d, row))
            break;
        h->distance[at] = h->distance[parent];
        h->row[at] = h->row[parent];
        at = parent;
    }
    h->distance[at] = d;
    h->row[at] = row;
}

void lr_nearest_offer(lr_nearest *list, double distance, int row)
{
    if (list->count < list->capacity)
        sift_up(list, list->count++, distance, row);
    else if (list->count > 0
             && lr_is_nearer(distance, row, list->distance[0], list->row[0]))
        sift_down(list, 0, list->count, distance, row);
}

void lr_nearest_sort(lr_nearest *list)
{
    for (size_t last = list->count; last-- > 1;) {
        double d = list->distance[last];
        int row = list->row[last];
        list->distance[last] = list->distance[0];
        list->row[last] = list->row[0];
        sift_down(list, 0, last, d, row);
    }
}

void lr_lists_clear(lr_lists *l)
{
    size_t lists = l->n_slots * l->rule.n_lists;
    memset(l->count, 0, lists * sizeof(int));
    for (size_t i = 0; i < lists; i++)
        l->limit[i] = l->k > 0 ? INFINITY : -INFINITY;
}

static lr_nearest heap_of(const lr_lists *l, size_t slot, size_t list)
{
    size_t at = slot * lr_lists_width(l) + list * l->k;
    lr_nearest heap = {l->distance + at, l->row + at,
                       l->rule.links && list == 1 ? l->k_group : l->k,
                       (size_t)l->count[slot * l->rule.n_lists + list]};
    return heap;
}

/* What a full list lets in; a little too large where distances are rounded, so
 * that rounding of the limit itself loses nothing. */
static double limit_of(const lr_lists *l, double farthest)
{
    if (!(l->unit > 0.0))
        return farthest;
    double reach = (l->squared ? sqrt(farthest) : farthest) + l->unit;
    return (l->squared ? reach * reach : reach) * (1.0 + 1e-12);
}

void lr_lists_bound(lr_lists *l, const lr_lists *others, size_t slot,
                    const double *distance)
{
    for (size_t list = 0; list < l->rule.n_lists; list++) {
        lr_nearest heap = heap_of(others, slot, list);
        double farthest = -INFINITY;
        for (size_t j = 0; j < heap.count; j++)
            farthest = fmax(farthest, distance[heap.row[j]]);
        l->limit[list * l->n_slots + slot] = limit_of(l, farthest);
    }
}

void lr_lists_put(lr_lists *l, size_t slot, size_t list, double distance,
                  int row)
{
    lr_nearest heap = heap_of(l, slot, list);
    if (l->unit > 0.0)
        distance = l->squared ? lr_rounded_square(distance, l->unit)
                              : lr_rounded(distance, l->unit);
    lr_nearest_offer(&heap, distance, row);
    l->count[slot * l->rule.n_lists + list] = (int)heap.count;
    if (heap.count > 0 && heap.count == heap.capacity)
        l->limit[list * l->n_slots + slot] = limit_of(l, heap.distance[0]);
}

/* Few samples are in the query's component: they are found by their numbers. */
static void offer_group(lr_lists *l, size_t slot, const lr_tile *t, size_t e)
{
    const lr_links *links = l->rule.links;
    int c = links->component[t->ends[e]], last = links->member_start[c + 1];
    size_t end_row = t->first_row + t->n_rows;
    int m = lr_lower_bound(links->member, links->member_start[c], last,
                           (int)t->first_row);
    const double *limit = l->limit + l->n_slots + slot;
    for (; m < last && (size_t)links->member[m] < end_row; m++) {
        int row = links->member[m];
        double distance = t->distance[e * t->ld + (size_t)row - t->first_row];
        if (distance <= *limit && row != t->ends[e]
            && lr_share_block(&l->rule, row, t->ends[e]))
            lr_lists_put(l, slot, 1, distance, row);
    }
}

/* Most rows are farther than the farthest that is kept, so that is tested
 * first, and constraints are looked up for the few that pass. */
void lr_lists_offer_end(lr_lists *l, size_t slot, const lr_tile *t, size_t e)
{
    const double *distance = t->distance + e * t->ld;
    const double *limit = l->limit + slot;
    const lr_list_rule *rule = &l->rule;
    const int *class_of = rule->class_of ? rule->class_of + t->first_row : NULL;
    int end = t->ends[e];
    for (size_t r = lr_tile_begin(t, e); r < t->n_rows; r++) {
        int list = class_of ? class_of[r] : 0;
        int row = (int)(t->first_row + r);
        if (list >= 0 && distance[r] <= limit[(size_t)list * l->n_slots]
            && row != end && lr_share_block(rule, end, row)
            && (!rule->links || lr_list_of(rule, end, row) == 0))
            lr_lists_put(l, slot, (size_t)list, distance[r], row);
    }
    if (rule->links)
        offer_group(l, slot, t, e);
}

/* The end points, in order, to the tile's rows from .. to - 1. */
static void offer_to_rows(lr_lists *l, const lr_tile *t, size_t from,
                          size_t to)
{
    const int *class_of = l->rule.class_of;
    for (size_t e = 0; e < t->n_ends; e++) {
        int end = t->ends[e], list = class_of ? class_of[end] : 0;
        if (list < 0)
            continue;
        const double *distance = t->distance + e * t->ld;
        const double *limit =
            l->limit + (size_t)list * l->n_slots + t->first_row;
        size_t r = lr_tile_begin(t, e);
        for (r = r < from ? from : r; r < to; r++)
            if (distance[r] <= limit[r]
                && lr_share_block(&l->rule, end, (int)(t->first_row + r)))
                lr_lists_put(l, t->first_row + r, (size_t)list, distance[r],
                             end);
    }
}

void lr_lists_offer(lr_lists *l, const lr_tile *t, lr_chunk chunk)
{
    for (size_t e = 0; e < t->n_ends; e++)
        if (lr_is_own_end(t, e, chunk))
            lr_lists_offer_end(l, t->half ? (size_t)t->ends[e]
                                          : t->first_slot + e, t, e);
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
    for (size_t list = 0; list < l->rule.n_lists; list++) {
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

void lr_distance_moments(const int *class_of, int end, const double *distance,
                         size_t n, double *mean, double *deviation)
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
}
