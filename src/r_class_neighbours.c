#include <string.h>

#include "r_screen.h"

/* ---- nearest samples of each class --------------------------------------- */

void offer_tile(void *lists, const lr_tile *tile, lr_chunk chunk)
{
    lr_lists_offer((lr_lists *)lists, tile, chunk);
}

lr_lists allocate_lists(size_t n_lists, const int *class_of, size_t n_slots,
                        size_t k)
{
    size_t lists = n_slots * n_lists;
    lr_lists l = {class_of, n_lists, n_slots, k, NULL, NULL, NULL, NULL};
    l.distance = (double *)R_alloc(lists * k + 1, sizeof(double));
    l.row = (int *)R_alloc(lists * k + 1, sizeof(int));
    l.count = (int *)R_alloc(lists, sizeof(int));
    l.limit = (double *)R_alloc(lists, sizeof(double));
    lr_lists_clear(&l);
    return l;
}

static SEXP write_lists(lr_lists *l, const pair_walk *w, int with_distance)
{
    const char *names[] = {"row", "distance", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    size_t lists = l->n_lists;
    int columns = (int)(lists * w->n_ends), k = (int)l->k;
    SET_VECTOR_ELT(out, 0, Rf_allocMatrix(INTSXP, k, columns));
    if (with_distance)
        SET_VECTOR_ELT(out, 1, Rf_allocMatrix(REALSXP, k, columns));
    int *p_row = INTEGER(VECTOR_ELT(out, 0));
    double *p_distance = with_distance ? REAL(VECTOR_ELT(out, 1)) : NULL;
    for (size_t e = 0; e < w->n_ends; e++) {
        size_t slot = w->half ? (size_t)w->ends[e] : e;
        lr_lists_sort(l, slot);
        for (size_t i = 0; i < lists * l->k; i++) {
            size_t at = slot * lists * l->k + i;
            int there = (int)(i % l->k) < l->count[slot * lists + i / l->k];
            *p_row++ = there ? l->row[at] + 1 : 0;
            if (with_distance)
                *p_distance++ = there ? l->distance[at] : NA_REAL;
        }
    }
    UNPROTECT(1);
    return out;
}

/* The k nearest samples of each end point (numbers from 1, ascending) in each
 * class (`class_of` of the scaling): list(row, distance), k x (classes x ends),
 * nearest first, 0 and NA where there are no more. Distances are squared when
 * the metric is Euclidean.
 * options: list(k, all: is every sample with a class an end point?, metric,
 *               with_distance: else `distance` is NULL) */
SEXP r_class_neighbours(SEXP data, SEXP scaling, SEXP ends, SEXP options,
                        SEXP control)
{
    pair_walk w = open_pairs(data, scaling, ends,
                             list_element(options, "metric"),
                             control); /* protects one */
    lr_scaling s = read_scaling(scaling);
    w.half = list_int(options, "all");
    lr_lists lists = allocate_lists(s.n_classes, s.class_of,
                                    w.half ? w.n : w.n_ends,
                                    (size_t)list_int(options, "k"));
    int with_distance = list_int(options, "with_distance");
    if (!screen_lists(&w, data, scaling, NULL, &lists, !with_distance)) {
        w.use = offer_tile;
        w.context = &lists;
        plan_pairs(&w);
        walk_pairs(&w, "Neighbours");
    }
    SEXP out = write_lists(&lists, &w, with_distance);
    UNPROTECT(1);
    return out;
}

/* ---- mean distance ------------------------------------------------------- */

typedef struct {
    const int *class_of;
    double *sum; /* per end point, over the samples beyond it */
} distance_sums;

static void sum_tile(void *context, const lr_tile *tile, lr_chunk chunk)
{
    const distance_sums *d = (distance_sums *)context;
    const int *class_of = d->class_of + tile->first_row;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        const double *distance = tile->distance + e * tile->ld;
        double *sum = d->sum + tile->first_slot + e;
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++)
            if (class_of[r] >= 0)
                *sum += distance[r];
    }
}

/* Mean distance of all pairs of end points (all samples with a class). */
SEXP r_mean_distance(SEXP data, SEXP scaling, SEXP ends, SEXP metric,
                     SEXP control)
{
    pair_walk w = open_pairs(data, scaling, ends, metric, control); /* one */
    distance_sums d;
    d.class_of = read_scaling(scaling).class_of;
    d.sum = (double *)R_alloc(w.n_ends, sizeof(double));
    memset(d.sum, 0, w.n_ends * sizeof(double));
    w.half = 1;
    w.roots = 1;
    w.use = sum_tile;
    w.context = &d;
    plan_pairs(&w);
    walk_pairs(&w, "Distances");
    double total = 0.0, ends_count = (double)w.n_ends;
    for (size_t e = 0; e < w.n_ends; e++)
        total += d.sum[e];
    UNPROTECT(1);
    return Rf_ScalarReal(total / (ends_count * (ends_count - 1) / 2));
}

/* ---- neighbours within a radius ------------------------------------------ */

typedef struct {
    const int *class_of;
    size_t n, n_classes;
    const double *radius; /* of all, or NULL: mean - sd / 2 of each */
    int *row;             /* n of each end point */
    int *start;           /* n_classes + 1 of each end point */
} radius_search;

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

/* One list after the other. */
static SEXP write_within(const radius_search *r, size_t n_ends)
{
    const char *names[] = {"row", "start", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    size_t classes = r->n_classes;
    SEXP start = Rf_allocVector(INTSXP, (R_xlen_t)(n_ends * classes + 1));
    SET_VECTOR_ELT(out, 1, start);
    int *p_start = INTEGER(start), count = 0;
    for (size_t e = 0; e < n_ends; e++) {
        for (size_t c = 0; c < classes; c++)
            *p_start++ = count + r->start[e * (classes + 1) + c];
        count += r->start[e * (classes + 1) + classes];
    }
    *p_start = count;
    SET_VECTOR_ELT(out, 0, Rf_allocVector(INTSXP, count));
    int *p_row = INTEGER(VECTOR_ELT(out, 0));
    for (size_t e = 0; e < n_ends; e++)
        for (int i = 0; i < r->start[e * (classes + 1) + classes]; i++)
            *p_row++ = r->row[e * r->n + (size_t)i] + 1;
    UNPROTECT(1);
    return out;
}

/* Neighbours strictly within `radius` (NULL: mean - sd / 2 of each end point's
 * distances): list(row, start), grouped by end point, then class; `start` has
 * one entry more than there are groups and counts from 0. */
SEXP r_neighbours_within(SEXP data, SEXP scaling, SEXP ends, SEXP radius,
                         SEXP metric, SEXP control)
{
    pair_walk w = open_pairs(data, scaling, ends, metric, control); /* one */
    lr_scaling s = read_scaling(scaling);
    radius_search r = {s.class_of, w.n, s.n_classes,
                       Rf_isNull(radius) ? NULL : REAL(radius), NULL, NULL};
    r.row = (int *)R_alloc(w.n_ends * w.n, sizeof(int));
    r.start = (int *)R_alloc(w.n_ends * (s.n_classes + 1), sizeof(int));
    w.whole_rows = 1;
    w.roots = 1;
    w.use = find_within;
    w.context = &r;
    plan_pairs(&w);
    walk_pairs(&w, "Neighbours");
    SEXP out = write_within(&r, w.n_ends);
    UNPROTECT(1);
    return out;
}
