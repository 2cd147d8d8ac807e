/* What is made of all distances of some samples. */
#include "search_walk.h"

/* ---- the distances themselves -------------------------------------------- */

static void copy_tile(void *context, const lr_tile *tile, lr_chunk chunk)
{
    double *out = (double *)context;
    for (size_t e = 0; e < tile->n_ends; e++)
        if (lr_is_own_end(tile, e, chunk))
            memcpy(out + (tile->first_slot + e) * tile->n_rows,
                   tile->distance + e * tile->ld,
                   tile->n_rows * sizeof(double));
}

void copy_distances(pair_walk *w, double *out)
{
    w->whole_rows = 1;
    w->use = copy_tile;
    w->context = out;
    walk_pairs(w, "Distances");
}

/* ---- mean and largest distance ------------------------------------------- */

typedef struct {
    const unsigned char *is_end; /* per sample */
    double *sum, *largest; /* per end point, over the end points beyond it */
} distance_summary;

static void sum_tile(void *context, const lr_tile *tile, lr_chunk chunk)
{
    const distance_summary *d = (distance_summary *)context;
    const unsigned char *is_end = d->is_end + tile->first_row;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        const double *distance = tile->distance + e * tile->ld;
        double *sum = d->sum + tile->first_slot + e;
        double *largest = d->largest + tile->first_slot + e;
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++) {
            if (!is_end[r])
                continue;
            *sum += distance[r];
            if (distance[r] > *largest)
                *largest = distance[r];
        }
    }
}

void summarize_distances(const pair_walk *walk, double *mean, double *largest)
{
    pair_walk w = *walk;
    unsigned char *is_end = (unsigned char *)zero_structs(w.n, 1);
    distance_summary d = {is_end, zero_doubles(w.n_ends),
                          zero_doubles(w.n_ends)};
    for (size_t e = 0; e < w.n_ends; e++)
        is_end[w.ends[e]] = 1;
    w.half = 1;
    w.roots = 1;
    w.use = sum_tile;
    w.context = &d;
    walk_pairs(&w, "Distances");
    double total = 0.0, ends_count = (double)w.n_ends;
    *largest = 0.0;
    for (size_t e = 0; e < w.n_ends; e++) {
        total += d.sum[e];
        if (d.largest[e] > *largest)
            *largest = d.largest[e];
    }
    *mean = total / (ends_count * (ends_count - 1) / 2);
}

/* ---- neighbours within a radius ------------------------------------------ */

static void find_within(void *context, const lr_tile *tile, lr_chunk chunk)
{
    const radius_search *r = (radius_search *)context;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        const double *distance = tile->distance + e * tile->ld;
        size_t slot = tile->first_slot + e;
        double mean, deviation, radius;
        if (r->radius) {
            radius = *r->radius;
        } else {
            lr_distance_moments(r->class_of, tile->ends[e], distance, r->n,
                                &mean, &deviation);
            radius = mean - deviation / 2.0;
        }
        lr_within(r->class_of, r->n_classes, tile->ends[e], distance, r->n,
                  radius, r->row + slot * r->n,
                  r->start + slot * (r->n_classes + 1));
    }
}

void search_within(pair_walk *w, radius_search *r)
{
    r->n = w->n;
    r->row = new_ints(w->n_ends * w->n);
    r->start = new_ints(w->n_ends * (r->n_classes + 1));
    w->whole_rows = 1;
    w->roots = 1;
    w->use = find_within;
    w->context = r;
    walk_pairs(w, "Neighbours");
}
