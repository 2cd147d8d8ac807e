#include <string.h>

#include "r_walk.h"
#include "relief.h"

/* Segments of hits and misses: list(owner, start, row, coefficient, group),
 * samples numbered from 1; coefficient or group may be NULL. */
static lr_segments read_segments(SEXP segments, size_t n,
                                 const lr_scaling *scaling, row_places *places)
{
    SEXP owner = list_element(segments, "owner");
    SEXP row = list_element(segments, "row");
    SEXP coefficient = list_element(segments, "coefficient");
    SEXP group = list_element(segments, "group");
    *places = places_open(n);
    places_mark(places, owner);
    places_mark(places, row);
    places_number(places, n);
    size_t count = (size_t)Rf_xlength(owner), total = (size_t)Rf_xlength(row);
    int *at_owner = (int *)R_alloc(count + 1, sizeof(int));
    int *at_row = (int *)R_alloc(total + 1, sizeof(int));
    int *table = (int *)R_alloc(places->n_rows + 1, sizeof(int));
    for (size_t i = 0; i < count; i++)
        at_owner[i] = places->place[INTEGER(owner)[i] - 1];
    for (size_t i = 0; i < total; i++)
        at_row[i] = places->place[INTEGER(row)[i] - 1];
    for (size_t i = 0; i < places->n_rows; i++)
        table[i] = (int)lr_table_of(scaling, (size_t)places->rows[i]);
    lr_segments s = {count, at_owner, INTEGER(list_element(segments, "start")),
                     at_row, Rf_isNull(coefficient) ? NULL : REAL(coefficient),
                     Rf_isNull(group) ? NULL : INTEGER(group), 0, table,
                     places->n_rows};
    return s;
}

typedef struct {
    feature_task task; /* first, so that the callbacks can cast */
    const lr_segments *segments;
    double *sums; /* one per feature */
} sum_task;

static void sum_plain(feature_task *task, const size_t *features, size_t count,
                      thread_room *room)
{
    sum_task *t = (sum_task *)task;
    double sums[LR_LANES] = {0.0};
    for (size_t l = 0; l < count; l++)
        sums[l] = t->sums[features[l]];
    lr_relief_plain(t->segments, room->u, sums);
    for (size_t l = 0; l < count; l++)
        t->sums[features[l]] = sums[l];
}

static void sum_other(feature_task *task, size_t feature,
                      const double *expected, const lr_rule *rule,
                      thread_room *room)
{
    sum_task *t = (sum_task *)task;
    lr_relief_other(t->segments, room->u, expected, rule, t->sums + feature);
}

static void run_task(feature_task *task, feature_source *source,
                     const lr_scaling *scaling, const row_places *places,
                     const lr_segments *g, run_control control)
{
    task->work = (double)g->start[g->n_segments] + (double)places->n_rows;
    limit_chunk(source, task->work);
    prepare_task(task, source, scaling, places, 1, control);
    progress_line line = progress_begin("Margins", "features",
                                        (double)source->p, control.progress);
    run_features(task, source, &line, 0.0, (double)source->p);
    progress_end(&line);
}

/* Sums of the segments' differences times their coefficients, one per feature,
 * added to `before` (NULL: 0). `square`: of squared differences. */
SEXP r_segment_sums(SEXP data, SEXP scaling, SEXP segments, SEXP square,
                    SEXP before, SEXP control)
{
    run_control c = read_control(control);
    lr_scaling s = read_scaling(scaling);
    row_places places;
    feature_source source = source_open(data, 1); /* protects one */
    lr_segments g = read_segments(segments, source.n, &s, &places);
    g.square = Rf_asLogical(square);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)source.p));
    if (Rf_isNull(before))
        memset(REAL(out), 0, source.p * sizeof(double));
    else
        memcpy(REAL(out), REAL(before), source.p * sizeof(double));
    sum_task t;
    t.segments = &g;
    t.sums = REAL(out);
    t.task.plain = sum_plain;
    t.task.other = sum_other;
    run_task(&t.task, &source, &s, &places, &g, c);
    UNPROTECT(2);
    return out;
}

/* ---- STIR ---------------------------------------------------------------- */

typedef struct {
    feature_task task; /* first, so that the callbacks can cast */
    const lr_segments *segments;
    const int *fresh;
    lr_stir_sum *sums; /* one per feature */
} stir_task;

static void stir_plain(feature_task *task, const size_t *features,
                       size_t count, thread_room *room)
{
    stir_task *t = (stir_task *)task;
    lr_stir_sum sums[LR_LANES];
    memset(sums, 0, sizeof sums);
    for (size_t l = 0; l < count; l++)
        sums[l] = t->sums[features[l]];
    lr_stir_plain(t->segments, room->u, t->fresh, sums);
    for (size_t l = 0; l < count; l++)
        t->sums[features[l]] = sums[l];
}

static void stir_other(feature_task *task, size_t feature,
                       const double *expected, const lr_rule *rule,
                       thread_room *room)
{
    stir_task *t = (stir_task *)task;
    lr_stir_other(t->segments, room->u, expected, rule, t->fresh,
                  t->sums + feature);
}

/* Rows first (hit, miss), deviation (hit, miss), square (hit, miss); one column
 * per feature, continued from `before` (NULL: nothing yet). `fresh`: has no
 * hit, no miss been seen yet? */
SEXP r_segment_moments(SEXP data, SEXP scaling, SEXP segments, SEXP fresh,
                       SEXP before, SEXP control)
{
    run_control c = read_control(control);
    lr_scaling s = read_scaling(scaling);
    row_places places;
    feature_source source = source_open(data, 1); /* protects one */
    lr_segments g = read_segments(segments, source.n, &s, &places);
    enum { MOMENTS = sizeof(lr_stir_sum) / sizeof(double) };
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, MOMENTS, (int)source.p));
    if (Rf_isNull(before))
        memset(REAL(out), 0, source.p * sizeof(lr_stir_sum));
    else
        memcpy(REAL(out), REAL(before), source.p * sizeof(lr_stir_sum));
    stir_task t;
    t.segments = &g;
    t.fresh = LOGICAL(fresh);
    t.sums = (lr_stir_sum *)REAL(out);
    t.task.plain = stir_plain;
    t.task.other = stir_other;
    run_task(&t.task, &source, &s, &places, &g, c);
    UNPROTECT(2);
    return out;
}
