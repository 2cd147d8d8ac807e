#include <math.h>
#include <string.h>

#include "class_lists.h"
#include "r_search.h"
#include "threads.h"

/* End points that share a pass when the distances of a pair serve both: small
 * against the samples, so that nearly half of the work is saved. */
enum { HALF_PASS = 256 };

typedef struct {
    lr_class_lists lists;
    int symmetric;
    size_t first_slot; /* of the pass's end points, when not symmetric */
    double *bound;     /* n_classes for each thread */
} class_search;

/* Each end point's lists are one thread's alone. */
static void offer_to_ends(panel_search *s, size_t first_row, size_t rows,
                          int threads)
{
    class_search *c = (class_search *)s->user;
    int n_ends = (int)s->n_ends;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int e = 0; e < n_ends; e++) {
        int thread = lr_own_thread();
        size_t slot = c->symmetric ? (size_t)s->ends[e]
                                   : c->first_slot + (size_t)e;
        lr_class_offer_end(&c->lists, slot, s->ends[e],
                        s->panel + (size_t)e * s->ld, first_row, rows,
                        c->bound + (size_t)thread * c->lists.n_classes);
    }
    (void)threads;
}

/* Each row's lists are one thread's alone; end points come in order. */
static void offer_to_rows(panel_search *s, size_t first_row, size_t rows,
                          int threads)
{
    class_search *c = (class_search *)s->user;
    size_t last = (size_t)s->ends[s->n_ends - 1];
    size_t skip = last >= first_row ? last + 1 - first_row : 0;
    if (skip >= rows)
        return; /* these are all end points of the pass or before it */
    int blocks = (int)((rows - skip + LR_ROWS - 1) / LR_ROWS);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int b = 0; b < blocks; b++) {
        size_t from = skip + (size_t)b * LR_ROWS;
        size_t count = rows - from < LR_ROWS ? rows - from : LR_ROWS;
        for (size_t e = 0; e < s->n_ends; e++)
            lr_class_offer_rows(&c->lists, s->ends[e],
                             s->panel + e * s->ld + from, first_row + from,
                             count);
    }
    (void)threads;
}

static void offer_panel(panel_search *s, size_t first_row, size_t rows)
{
    double work = 2.0 * (double)rows * (double)s->n_ends;
    int threads = team_size(&s->control, work);
    offer_to_ends(s, first_row, rows, threads);
    if (((class_search *)s->user)->symmetric)
        offer_to_rows(s, first_row, rows, threads);
}

static void allocate_class_lists(class_search *c, const lr_scaling *scaling,
                                 size_t n_slots, size_t k, int threads)
{
    lr_class_lists *l = &c->lists;
    size_t lists = n_slots * scaling->n_classes;
    l->class_of = scaling->class_of;
    l->n_classes = scaling->n_classes;
    l->n_slots = n_slots;
    l->k = k;
    l->distance = (double *)R_alloc(lists * k, sizeof(double));
    l->row = (int *)R_alloc(lists * k, sizeof(int));
    l->count = (int *)R_alloc(lists, sizeof(int));
    l->limit = (double *)R_alloc(lists, sizeof(double));
    c->bound = (double *)R_alloc((size_t)threads * l->n_classes,
                                 sizeof(double));
    lr_class_lists_clear(l);
}

/* Passes over all end points: against the rows from the first one of the pass
 * on when the pairs' distances serve both ends, else against all rows. */
static void run_passes(panel_search *s, const int *ends, size_t n_ends,
                       size_t per_pass, int half, size_t *first_slot,
                       const char *task)
{
    progress_line line =
        progress_begin(task, "samples", (double)n_ends, s->control.progress);
    for (size_t e = 0; e < n_ends; e += per_pass) {
        s->ends = ends + e;
        s->n_ends = n_ends - e < per_pass ? n_ends - e : per_pass;
        *first_slot = e;
        search_pass(s, half ? (size_t)ends[e] : 0, &line, (double)e,
                    (double)s->n_ends);
    }
    progress_end(&line);
}

/* A reader's data are costly to read again and again. */
static size_t half_pass(const panel_search *s)
{
    return s->source.layout == LAYOUT_READER ? 0 : HALF_PASS;
}

/* The k nearest samples of each end point (numbers from 1, ascending) in each
 * class (`class_of` of the scaling): list(row, distance), k x (classes x ends),
 * nearest first, 0 and NA where there are no more. `all`: every sample with a
 * class is an end point. Distances are squared when the metric is Euclidean,
 * and NULL unless `with_distance`. */
SEXP r_class_neighbours(SEXP data, SEXP scaling, SEXP ends, SEXP all, SEXP k,
                        SEXP metric, SEXP with_distance, SEXP control)
{
    panel_search s;
    class_search c;
    search_open(&s, data, scaling, (lr_metric)Rf_asInteger(metric), 0,
                control); /* protects one */
    size_t n_ends = (size_t)Rf_xlength(ends), classes = s.scaling.n_classes;
    size_t room = (size_t)Rf_asInteger(k);
    c.symmetric = Rf_asLogical(all);
    allocate_class_lists(&c, &s.scaling, c.symmetric ? s.source.n : n_ends,
                         room, s.control.threads);
    s.finished = offer_panel;
    s.user = &c;
    const int *rows = zero_based(ends);
    size_t per_pass =
        search_allocate(&s, n_ends, c.symmetric ? half_pass(&s) : 0);
    run_passes(&s, rows, n_ends, per_pass, c.symmetric, &c.first_slot,
               "Neighbours");

    const char *names[] = {"row", "distance", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    int columns = (int)(classes * n_ends), keep = Rf_asLogical(with_distance);
    SET_VECTOR_ELT(out, 0, Rf_allocMatrix(INTSXP, (int)room, columns));
    if (keep)
        SET_VECTOR_ELT(out, 1, Rf_allocMatrix(REALSXP, (int)room, columns));
    int *p_row = INTEGER(VECTOR_ELT(out, 0));
    double *p_distance = keep ? REAL(VECTOR_ELT(out, 1)) : NULL;
    for (size_t e = 0; e < n_ends; e++) {
        size_t slot = c.symmetric ? (size_t)rows[e] : e;
        lr_class_lists_sort(&c.lists, slot);
        for (size_t i = 0; i < classes * room; i++) {
            size_t at = slot * classes * room + i;
            int there = (int)(i % room)
                < c.lists.count[slot * classes + i / room];
            *p_row++ = there ? c.lists.row[at] + 1 : 0;
            if (keep)
                *p_distance++ = there ? c.lists.distance[at] : NA_REAL;
        }
    }
    UNPROTECT(2);
    return out;
}

/* ---- neighbours within a radius ------------------------------------------ */

typedef struct {
    lr_class_lists lists; /* only the classes of the samples */
    size_t first_slot;
    double *sum; /* per end point */
    lr_metric metric;
} distance_sums;

/* Distances themselves, where kernels keep squares. */
static void take_roots(panel_search *s, size_t rows)
{
    if (s->metric == LR_EUCLIDEAN)
        for (size_t e = 0; e < s->n_ends; e++)
            for (size_t r = 0; r < rows; r++)
                s->panel[e * s->ld + r] = sqrt(s->panel[e * s->ld + r]);
}

/* Samples below an end point were summed with that one. */
static void sum_panel(panel_search *s, size_t first_row, size_t rows)
{
    distance_sums *d = (distance_sums *)s->user;
    take_roots(s, rows);
    for (size_t e = 0; e < s->n_ends; e++) {
        double *sum = d->sum + d->first_slot + e;
        for (size_t r = 0; r < rows; r++)
            if (d->lists.class_of[first_row + r] >= 0
                && (int)(first_row + r) > s->ends[e])
                *sum += s->panel[e * s->ld + r];
    }
}

/* Mean distance of all pairs of end points (all samples with a class). */
SEXP r_mean_distance(SEXP data, SEXP scaling, SEXP ends, SEXP metric,
                     SEXP control)
{
    panel_search s;
    distance_sums d;
    search_open(&s, data, scaling, (lr_metric)Rf_asInteger(metric), 0,
                control); /* protects one */
    size_t n_ends = (size_t)Rf_xlength(ends);
    d.lists.class_of = s.scaling.class_of;
    d.sum = (double *)R_alloc(n_ends, sizeof(double));
    memset(d.sum, 0, n_ends * sizeof(double));
    s.finished = sum_panel;
    s.user = &d;
    size_t per_pass = search_allocate(&s, n_ends, half_pass(&s));
    run_passes(&s, zero_based(ends), n_ends, per_pass, 1, &d.first_slot,
               "Distances");
    double total = 0.0;
    for (size_t e = 0; e < n_ends; e++)
        total += d.sum[e];
    UNPROTECT(1);
    return Rf_ScalarReal(total / ((double)n_ends * ((double)n_ends - 1) / 2));
}

typedef struct {
    lr_class_lists lists; /* only the classes of the samples */
    size_t first_slot;
    const double *radius; /* of all, or NULL: mean - sd / 2 of each */
    int *row, *start;     /* what lr_within() gives, end after end */
} radius_search;

static void find_within(panel_search *s, size_t first_row, size_t rows)
{
    radius_search *r = (radius_search *)s->user;
    int *row = r->row, *start = r->start + r->first_slot * r->lists.n_classes;
    (void)first_row;
    take_roots(s, rows);
    for (size_t e = 0; e < s->n_ends; e++) {
        const double *distance = s->panel + e * s->ld;
        double mean, deviation, radius;
        if (r->radius) {
            radius = *r->radius;
        } else {
            lr_distance_moments(r->lists.class_of, s->ends[e], distance, rows,
                                &mean, &deviation);
            radius = mean - deviation / 2.0;
        }
        int before = start[0];
        lr_within(&r->lists, s->ends[e], distance, rows, radius, row + before,
                  start);
        for (size_t c = 0; c <= r->lists.n_classes; c++)
            start[c] += before;
        start += r->lists.n_classes;
    }
}

/* Neighbours strictly within `radius` (NULL: mean - sd / 2 of each end point's
 * distances): list(row, start), grouped by end point, then class; `start` has
 * one entry more than there are groups and counts from 0. */
SEXP r_neighbours_within(SEXP data, SEXP scaling, SEXP ends, SEXP radius,
                         SEXP metric, SEXP control)
{
    panel_search s;
    radius_search r;
    search_open(&s, data, scaling, (lr_metric)Rf_asInteger(metric), 1,
                control); /* protects one */
    size_t n_ends = (size_t)Rf_xlength(ends), classes = s.scaling.n_classes;
    r.lists.class_of = s.scaling.class_of;
    r.lists.n_classes = classes;
    r.radius = Rf_isNull(radius) ? NULL : REAL(radius);
    r.row = (int *)R_alloc(n_ends * s.source.n, sizeof(int));
    SEXP start = PROTECT(
        Rf_allocVector(INTSXP, (R_xlen_t)(n_ends * classes + 1)));
    r.start = INTEGER(start);
    r.start[0] = 0;
    s.finished = find_within;
    s.user = &r;
    size_t per_pass = search_allocate(&s, n_ends, 0);
    run_passes(&s, zero_based(ends), n_ends, per_pass, 0, &r.first_slot,
               "Neighbours");
    const char *names[] = {"row", "start", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    int count = r.start[n_ends * classes];
    SET_VECTOR_ELT(out, 0, Rf_allocVector(INTSXP, count));
    for (int i = 0; i < count; i++)
        INTEGER(VECTOR_ELT(out, 0))[i] = r.row[i] + 1;
    SET_VECTOR_ELT(out, 1, start);
    UNPROTECT(3);
    return out;
}
