#include "r_walk.h"
#include "lr_threads.h"
#include "margin_relief.h"

#include <R_ext/Utils.h>

/* Segments of hits and misses: list(owner, start, row, coefficient, group),
 * samples numbered from 1; coefficient or group may be NULL. */
static lr_segments read_segments(SEXP segments, size_t n,
                                 const lr_scaling *scaling, row_places *places)
{
    SEXP owner = list_element(segments, "owner");
    SEXP row = list_element(segments, "row");
    SEXP coefficient = list_element(segments, "coefficient");
    SEXP group = list_element(segments, "group");
    const int *start = INTEGER(list_element(segments, "start"));
    *places = places_open(n);
    places_mark(places, owner);
    places_mark(places, row);
    places_number(places, n);
    size_t count = (size_t)Rf_xlength(owner), total = (size_t)Rf_xlength(row);
    int *at_owner = new_ints(count);
    int *at_row = new_ints(total);
    int *table = new_ints(places->n_rows);
    for (size_t i = 0; i < count; i++)
        at_owner[i] = places->place[INTEGER(owner)[i] - 1];
    for (size_t i = 0; i < total; i++)
        at_row[i] = places->place[INTEGER(row)[i] - 1];
    for (size_t s = 0; s < count; s++) /* sums go by place: lr_relief_stored() */
        R_isort(at_row + start[s], start[s + 1] - start[s]);
    for (size_t i = 0; i < places->n_rows; i++)
        table[i] = (int)lr_table_of(scaling, (size_t)places->rows[i]);
    return (lr_segments){count, at_owner, start, at_row,
                         real_or_null(coefficient), int_or_null(group), 0,
                         table, places->n_rows};
}

/* One number per feature. */
static void add_segments(void *context, const gathered *f)
{
    const lr_segments *g = (const lr_segments *)context;
    if (f->kind == SIDE_BY_SIDE)
        lr_relief_plain(g, f->u, (double *)f->sums);
    else
        lr_relief_other(g, f->u, f->expected, &f->rule, (double *)f->sums);
}

/* ---- cells as they are stored -------------------------------------------- */

/* Scratch of a thread. */
typedef struct {
    double *u;
    int *place;
    lr_relief_buffer buffer;
} stored_buffer;

typedef struct {
    const lr_segments *segments;
    const lr_scaling *scaling;
    const row_places *places;
    lr_sparse_tile cells;
    lr_memberships in;
    stored_buffer *buffers;
    double *sums;
} stored_task;

/* Is it faster to find segments without a stored cell? If three cells in
 * ten are stored hardly any is left out. */
static int is_sparse(SEXP data, const lr_scaling *s, lr_sparse_tile *cells)
{
    size_t p = list_size(data, "p");
    if (!stored_cells(data, cells)
        || (double)cells->start[p] > 0.3 * (double)p * (double)cells->count)
        return 0;
    for (size_t j = 0; j < p; j++)
        if (!lr_is_plain(s, j))
            return 0;
    return 1;
}

/* Lists who[0 .. count - 1], segments in the order of the place that each is
 * of: entry e is of segment e, or of the one that `start` has it in. */
static int *list_by_place(const int *who, size_t count, const int *start,
                          size_t n_places, size_t *first)
{
    int *segment = new_ints(count + 1), s = 0;
    memset(first, 0, (n_places + 2) * sizeof(size_t));
    for (size_t e = 0; e < count; e++)
        first[who[e] + 2]++;
    for (size_t i = 0; i < n_places; i++)
        first[i + 2] += first[i + 1];
    for (size_t e = 0; e < count; e++) {
        while (start && (size_t)start[s + 1] <= e)
            s++;
        segment[first[who[e] + 1]++] = start ? s : (int)e;
    }
    return segment;
}

static void add_stored(void *context, const lr_block *block, size_t column)
{
    const stored_task *t = (const stored_task *)context;
    size_t j = block->first + column;
    if (lr_is_constant(t->scaling, j))
        return;
    stored_buffer *buffer = t->buffers + lr_own_thread();
    lr_stored_places stored = {0, buffer->place, buffer->u,
                               lr_scale_cell(t->scaling, j, 0.0)};
    for (int q = t->cells.start[j]; q < t->cells.start[j + 1]; q++) {
        int at = t->places->place[t->cells.row[q]];
        if (at < 0)
            continue;
        buffer->place[stored.count] = at;
        buffer->u[stored.count++] =
            lr_scale_cell(t->scaling, j, t->cells.value[q]);
    }
    lr_relief_stored(t->segments, &t->in, &stored, &buffer->buffer, t->sums + j);
}

static void sum_stored(SEXP data, stored_task *t, run_control control)
{
    const lr_segments *g = t->segments;
    size_t places = g->n_places, segments = g->n_segments + 1;
    size_t total = (size_t)g->start[g->n_segments];
    size_t *own_start = new_sizes(places + 2), *start = new_sizes(places + 2);
    t->in = (lr_memberships){
        own_start,
        list_by_place(g->owner, g->n_segments, NULL, places, own_start), start,
        list_by_place(g->neighbour, total, g->start, places, start)};
    t->buffers = (stored_buffer *)R_alloc((size_t)control.threads,
                                          sizeof(stored_buffer));
    for (int r = 0; r < control.threads; r++)
        t->buffers[r] = (stored_buffer){
            new_doubles(places), new_ints(places),
            {.values = new_doubles(places), .part = zero_doubles(segments),
             .touched = (unsigned char *)zero_structs(
                 segments / LR_GROUP + 1, 1)}};
    column_walk walk = {
        .data = data, .control = control, .task = "Margins",
        .work = (double)total, .use = add_stored, .context = t,
        .as_stored = 1};
    walk_columns(&walk);
}

/* ---- the entries --------------------------------------------------------- */

/* Sums begin with those of `before`, or 0 when it is NULL. */
static void continue_sums(SEXP out, SEXP before, size_t bytes)
{
    if (Rf_isNull(before))
        memset(REAL(out), 0, bytes);
    else
        memcpy(REAL(out), REAL(before), bytes);
}

static double work_of(const lr_segments *g)
{
    return (double)g->start[g->n_segments] + (double)g->n_places;
}

/* Sums of the segments' differences times their coefficients, one per feature,
 * added to `before` (NULL: 0). `square`: of squared differences. */
SEXP r_segment_sums(SEXP data, SEXP scaling, SEXP segments, SEXP square,
                    SEXP before, SEXP control)
{
    run_control c = read_control(control);
    lr_scaling s = read_scaling(scaling);
    row_places places;
    size_t p = list_size(data, "p");
    lr_segments g = read_segments(segments, list_size(data, "n"), &s, &places);
    g.square = Rf_asLogical(square);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)p));
    continue_sums(out, before, p * sizeof(double));
    stored_task stored = {
        .segments = &g, .scaling = &s, .places = &places, .sums = REAL(out)};
    if (is_sparse(data, &s, &stored.cells)) {
        sum_stored(data, &stored, c);
    } else {
        feature_walk walk = {
            .data = data, .scaling = &s, .rows = &places, .control = c,
            .work = work_of(&g), .sums = REAL(out), .size = sizeof(double),
            .use = add_segments, .context = &g};
        run_features(&walk, "Margins");
    }
    UNPROTECT(1);
    return out;
}

/* ---- STIR ---------------------------------------------------------------- */

typedef struct {
    const lr_segments *segments;
    const int *fresh;
} stir_task;

static void add_moments(void *context, const gathered *f)
{
    const stir_task *t = (const stir_task *)context;
    lr_stir_sum *sums = (lr_stir_sum *)f->sums;
    if (f->kind == SIDE_BY_SIDE)
        lr_stir_plain(t->segments, f->u, t->fresh, sums);
    else
        lr_stir_other(t->segments, f->u, f->expected, &f->rule, t->fresh, sums);
}

/* Of each feature the moments of hits and misses, a column in the order of
 * lr_stir_sum, continued from `before` (NULL: nothing yet). `fresh`: has no hit,
 * no miss been seen yet? */
SEXP r_segment_moments(SEXP data, SEXP scaling, SEXP segments, SEXP fresh,
                       SEXP before, SEXP control)
{
    enum { MOMENTS = sizeof(lr_stir_sum) / sizeof(double) };
    lr_scaling s = read_scaling(scaling);
    row_places places;
    size_t p = list_size(data, "p");
    lr_segments g = read_segments(segments, list_size(data, "n"), &s, &places);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, MOMENTS, (int)p));
    continue_sums(out, before, p * sizeof(lr_stir_sum));
    stir_task t = {&g, LOGICAL(fresh)};
    feature_walk walk = {
        .data = data, .scaling = &s, .rows = &places,
        .control = read_control(control), .work = work_of(&g),
        .sums = REAL(out), .size = sizeof(lr_stir_sum), .use = add_moments,
        .context = &t};
    run_features(&walk, "Margins");
    UNPROTECT(1);
    return out;
}
