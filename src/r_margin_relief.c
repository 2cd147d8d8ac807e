#include "margin_walk.h"
#include "r_entry.h"

#include <R_ext/Utils.h>

/* Segments of hits and misses: list(owner, start, row, coefficient, group),
 * samples numbered from 1; coefficient or group may be NULL. */
static placed_segments read_segments(SEXP segments, const feature_data *data)
{
    SEXP owner = list_element(segments, "owner");
    SEXP row = list_element(segments, "row");
    SEXP coefficient = list_element(segments, "coefficient");
    SEXP group = list_element(segments, "group");
    size_t count = (size_t)Rf_xlength(owner), total = (size_t)Rf_xlength(row);
    const int *start = list_starts(segments, "start", count, total);
    const int *p_owner = places_of(owner, count, 1, data->n + 1);
    const int *p_row = places_of(row, total, 1, data->n + 1);
    row_places places = places_open(data->n);
    places_mark(&places, p_owner, count);
    places_mark(&places, p_row, total);
    places_number(&places, data->n);
    int *at_owner = new_ints(count);
    int *at_row = new_ints(total);
    int *table = new_ints(places.n_rows);
    for (size_t i = 0; i < count; i++)
        at_owner[i] = places.place[p_owner[i] - 1];
    for (size_t i = 0; i < total; i++)
        at_row[i] = places.place[p_row[i] - 1];
    for (size_t s = 0; s < count; s++) /* sums go by place: lr_relief_stored() */
        R_isort(at_row + start[s], start[s + 1] - start[s]);
    for (size_t i = 0; i < places.n_rows; i++)
        table[i] = (int)lr_table_of(&data->scaling, (size_t)places.rows[i]);
    return (placed_segments){{count, at_owner, start, at_row,
                              real_or_null(coefficient, count),
                              Rf_isNull(group) ? NULL
                                               : places_of(group, count, 0, 2),
                              0,
                              table, places.n_rows}, places};
}

/* Sums begin with those of `before`, or 0 when it is NULL. */
static void continue_sums(SEXP out, SEXP before, size_t bytes)
{
    if (Rf_isNull(before))
        memset(REAL(out), 0, bytes);
    else
        memcpy(REAL(out), REAL(before), bytes);
}

/* Sums of the segments' differences times their coefficients, one per feature,
 * added to `before` (NULL: 0). `square`: of squared differences. */
SEXP r_segment_sums(SEXP data, SEXP scaling, SEXP segments, SEXP square,
                    SEXP before, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    placed_segments g = read_segments(segments, d);
    g.segments.square = Rf_asLogical(square);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)d->p));
    continue_sums(out, before, d->p * sizeof(double));
    sum_segments(d, &g, REAL(out));
    UNPROTECT(2);
    return out;
}

/* Of each feature the moments of hits and misses, a column in the order of
 * lr_stir_sum, continued from `before` (NULL: nothing yet). `fresh`: has no hit,
 * no miss been seen yet? */
SEXP r_segment_moments(SEXP data, SEXP scaling, SEXP segments, SEXP fresh,
                       SEXP before, SEXP control)
{
    enum { MOMENTS = sizeof(lr_stir_sum) / sizeof(double) };
    feature_data *d = read_data(data, scaling, control); /* protects one */
    placed_segments g = read_segments(segments, d);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, MOMENTS, (int)d->p));
    continue_sums(out, before, d->p * sizeof(lr_stir_sum));
    segment_moments(d, &g, LOGICAL(fresh), (lr_stir_sum *)REAL(out));
    UNPROTECT(2);
    return out;
}
