#include "knn.h"

/* The list of sample `from` that takes sample `to`, or -1. */
static long list_of(const lr_neighbours *nb, size_t from, size_t to)
{
    if (nb->rule == LR_ANY_CLASS)
        return (long)from;
    int a = nb->class_of[from], b = nb->class_of[to];
    if (a < 0 || b < 0)
        return -1;
    size_t list = nb->rule == LR_EACH_CLASS ? (size_t)b : (size_t)(a != b);
    return (long)(from * nb->n_lists + list);
}

static void offer(const lr_neighbours *nb, size_t from, size_t to, double d)
{
    long at = list_of(nb, from, to);
    if (at < 0 || d > nb->limit[at])
        return;
    lr_nearest *list = nb->list + at;
    lr_nearest_offer(list, d, (int)to);
    if (list->count == list->capacity && list->capacity > 0)
        nb->limit[at] = list->distance[0];
}

void lr_offer_to_ends(const lr_neighbours *nb, const lr_tile *tile,
                      size_t from, size_t to)
{
    for (size_t e = from; e < to; e++) {
        const double *d = tile->distance + e * tile->ld;
        size_t end = tile->first_end + e;
        const double *limit = nb->limit + end * nb->n_lists;
        int single = nb->rule == LR_ANY_CLASS;
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++)
            if (!single || d[r] <= *limit)
                offer(nb, end, tile->first_row + r, d[r]);
    }
}

void lr_offer_to_rows(const lr_neighbours *nb, const lr_tile *tile,
                      size_t from, size_t to)
{
    int single = nb->rule == LR_ANY_CLASS;
    const double *limit = nb->limit + tile->first_row * nb->n_lists;
    for (size_t e = 0; e < tile->n_ends; e++) {
        const double *d = tile->distance + e * tile->ld;
        size_t end = tile->first_end + e, r = lr_tile_begin(tile, e);
        for (r = r < from ? from : r; r < to; r++)
            if (!single || d[r] <= limit[r])
                offer(nb, tile->first_row + r, end, d[r]);
    }
}
