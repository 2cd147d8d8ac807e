/* Entries of margins; readers of segments, pairs, labels and relabelled sets.
 * */
#include "margin_walk.h"
#include "r_entry.h"

#include <R_ext/Utils.h>

/* ==== Relief and STIR ===================================================== */

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
    row_places places = needed_places(data->n, p_owner, count, p_row, total);
    int *at_owner = new_ints(count);
    int *at_row = new_ints(total);
    int *table = new_ints(places.n_rows);
    for (size_t i = 0; i < count; i++)
        at_owner[i] = places.place[p_owner[i] - 1];
    for (size_t i = 0; i < total; i++)
        at_row[i] = places.place[p_row[i] - 1];
    /* sums go by place: lr_relief_stored() */
    for (size_t s = 0; s < count; s++)
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
 * lr_stir_sum, continued from `before` (NULL: nothing yet). `fresh`: has no
 * hit, no miss been seen yet? */
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

/* ==== I-Relief ============================================================ */

/* One iteration: list(v, gamma). scaling: of the differences; where: the same
 * data, scaled by that times the feature weights, for the distances; ends: the
 * samples with a class; options: list(sigma, variant, prior: of each class). */
SEXP r_irelief_step(SEXP data, SEXP scaling, SEXP where, SEXP ends,
                    SEXP options, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    pair_walk w = read_search(where, ends, control);     /* and one more */
    SEXP out = PROTECT(NEW_LIST("v", "gamma"));
    double *v = set_reals(out, 0, d->p), *gamma = set_reals(out, 1, w.n_ends);
    memset(v, 0, d->p * sizeof(double));
    lr_irelief problem = {d->scaling.class_of, w.n, d->scaling.n_classes,
                          list_reals(options, "prior", d->scaling.n_classes),
                          list_real(options, "sigma"),
                          (lr_variant)list_int(options, "variant")};
    irelief_step(&w, d, problem, v, gamma);
    UNPROTECT(3);
    return out;
}

/* ==== constraints ========================================================= */

/* list(first, second) of end point numbers, or list(label) of end points; and
 * their number, and weights or none. */
static cannot_links read_pairs(SEXP pairs, size_t n_ends)
{
    SEXP label = list_element(pairs, "label");
    SEXP weight = list_element(pairs, "weight");
    cannot_links l = {.label = int_or_null(label, ANY_COUNT),
                      .count = list_size(pairs, "count"),
                      .weight = real_or_null(weight, ANY_COUNT)};
    if (!l.label) {
        l.first = zero_based(list_element(pairs, "first"), n_ends);
        l.second = zero_based(list_element(pairs, "second"), n_ends);
        l.count = (size_t)Rf_xlength(list_element(pairs, "first"));
    }
    return l;
}

/* What nearest() of R/search.R found, and what of it becomes a hit: list(ends,
 * row, others, k). */
static end_neighbours read_neighbours(SEXP lists, size_t n)
{
    SEXP row = list_element(lists, "row"), ends = list_element(lists, "ends");
    size_t others = list_size(lists, "others"), rows = (size_t)Rf_nrows(row);
    size_t count = (size_t)Rf_xlength(ends);
    check_fit(others <= rows);
    return (end_neighbours){places_of(ends, count, 1, n + 1),
                            places_of(row, rows * count, 0, n + 1), count,
                            others, rows - others, list_size(lists, "k")};
}

/* pairs: list(first, second, label, weight, count); lists: list(ends, row,
 * others, k) */
SEXP r_constrained_margins(SEXP data, SEXP scaling, SEXP pairs, SEXP lists,
                           SEXP both, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    end_neighbours near = read_neighbours(lists, d->n);
    cannot_links p = read_pairs(pairs, near.n_ends);
    p.both = Rf_asLogical(both);
    lr_margin_sum *sums = zero_structs(d->p, sizeof(lr_margin_sum));
    double done = sum_pair_margins(d, &p, &near, sums);
    SEXP out = PROTECT(NEW_LIST("margin", "deviation", "square", "size",
                                "pairs"));
    set_members(out, sums, d->p, 4, sizeof *sums / sizeof(double));
    SET_VECTOR_ELT(out, 4, Rf_ScalarReal(done));
    UNPROTECT(2);
    return out;
}

/* ==== labels ============================================================== */

/* Margins over all pairs of labelled samples of different classes, both
 * directions. sizes: of the classes, none empty, one after the other in lists:
 * as above. Features that are not plain have sums of 0. */
SEXP r_label_margins(SEXP data, SEXP scaling, SEXP sizes, SEXP lists,
                     SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    end_neighbours near = read_neighbours(lists, d->n);
    size_t classes = (size_t)Rf_xlength(sizes), all = 0;
    const int *size = places_of(sizes, classes, 1, near.n_ends + 1);
    for (size_t c = 0; c < classes; c++)
        all += (size_t)size[c];
    check_fit(classes > 0 && all == near.n_ends);
    lr_label_sum *sums = zero_structs(d->p, sizeof(lr_label_sum));
    sum_label_margins(d, &near, size, classes, sums);
    SEXP out = PROTECT(NEW_LIST("margin", "square", "magnitude", "size"));
    set_members(out, sums, d->p, 4, sizeof *sums / sizeof(double));
    UNPROTECT(2);
    return out;
}

/* ==== relabelled samples ================================================== */

/* The margins of relabelled samples, and what they say of those of the
 * constraints: R/margin-permutations.R. */

/* The hits of all end points of all sets: k x (ends x sets) samples, 0 = no
 * more.
 * graph    list(nodes: samples of the constraints, ends: those in cannot-links,
 *          as numbers of nodes, links: list or NULL, samples: how many)
 * samples  nodes x sets: the samples in their places
 * lists    list(ends, row): samples near to all that are ends in any set
 * block    per sample from 0, -1 = none, or NULL */
SEXP r_relabelled_hits(SEXP graph, SEXP samples, SEXP lists, SEXP block, SEXP k)
{
    lr_links storage;
    SEXP row = list_element(lists, "row"), ends = list_element(graph, "ends");
    size_t n = list_size(graph, "samples");
    relabelled_ends r = {
        .n = n, .n_nodes = (size_t)Rf_nrows(samples),
        .node = zero_based(list_element(graph, "nodes"), n),
        .n_ends = (size_t)Rf_xlength(ends),
        .end = zero_based(ends, (size_t)Rf_nrows(samples)),
        .links = read_links(list_element(graph, "links"), n, &storage),
        .block = int_or_null(block, n),
        .n_near = (size_t)Rf_nrows(row),
        .near = places_of(row, ANY_COUNT, 0, n + 1),
        .n_columns = (size_t)Rf_ncols(row),
        .column_of =
            list_places(lists, "ends", (size_t)Rf_ncols(row), 1, n + 1),
        .k = (size_t)Rf_asReal(k)};
    SEXP out = PROTECT(Rf_allocMatrix(INTSXP, (int)r.k,
                                      (int)r.n_ends * Rf_ncols(samples)));
    relabelled_hits(&r, places_of(samples, ANY_COUNT, 1, n + 1),
                    (size_t)Rf_ncols(samples), INTEGER(out));
    UNPROTECT(1);
    return out;
}

/* Margins of the features in each set: sets x features.
 * pairs list(first, second, weight): numbers of end points and their weights or
 *        NULL, the same in all sets
 * ends   end points x sets: sample numbers
 * hits   k x (end points x sets), as from r_relabelled_hits() */
SEXP r_relabelled_margins(SEXP data, SEXP scaling, SEXP pairs, SEXP ends,
                          SEXP hits, SEXP both, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    relabelled_pairs p = {
        .graph = {.n_pairs = (size_t)Rf_xlength(list_element(pairs, "first")),
                  .first = zero_based(list_element(pairs, "first"),
                                      (size_t)Rf_nrows(ends)),
                  .second = zero_based(list_element(pairs, "second"),
                                       (size_t)Rf_nrows(ends)),
                  .n_ends = (size_t)Rf_nrows(ends),
                  .k = (size_t)Rf_nrows(hits), .both = Rf_asLogical(both),
                  .weight = real_or_null(list_element(pairs, "weight"),
                                         ANY_COUNT)},
        .n_sets = (size_t)Rf_ncols(ends),
        .ends = places_of(ends, ANY_COUNT, 1, d->n + 1),
        .hits = places_of(hits, ANY_COUNT, 0, d->n + 1)};
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)p.n_sets, (int)d->p));
    relabelled_margins(d, &p, REAL(out));
    UNPROTECT(2);
    return out;
}

/* ==== Simba =============================================================== */

/* visits: list(first, second, samples, weight, own), numbers from 1, second
 * NULL for samples, weight NULL or one per pair, own: features, or NULL;
 * order: visits x starts, numbers from 1. Returns list(weight, total, trace,
 * best): the weights of the start with the largest total margin (the first of
 * equal ones), all totals, and the margin of every visit as it was made, for a
 * largest weight of 1. */
SEXP r_simba(SEXP data, SEXP scaling, SEXP visits, SEXP order, SEXP links,
             SEXP both, SEXP control)
{
    lr_links storage;
    feature_data *d = read_data(data, scaling, control); /* protects one */
    SEXP first = list_element(visits, "first");
    SEXP second = list_element(visits, "second");
    SEXP samples = list_element(visits, "samples");
    SEXP own = list_element(visits, "own");
    simba_problem problem = {
        .visits = {zero_based(first, d->n),
                   Rf_isNull(second) ? NULL : zero_based(second, d->n),
                   d->scaling.class_of, read_links(links, d->n, &storage),
                   Rf_asLogical(both),
                   real_or_null(list_element(visits, "weight"), ANY_COUNT)},
        .n_visits = (size_t)Rf_nrows(order),
        .n_starts = (size_t)Rf_ncols(order),
        .order = places_of(order, ANY_COUNT, 1, (size_t)Rf_xlength(first) + 1),
        .samples = zero_based(samples, d->n),
        .n_samples = (size_t)Rf_xlength(samples),
        .own = Rf_isNull(own) ? NULL : zero_based(own, d->p),
        .n_own = (size_t)Rf_xlength(own)};
    SEXP out = PROTECT(NEW_LIST("weight", "total", "trace", "best"));
    simba_result result = {
        set_reals(out, 0, d->p), set_reals(out, 1, problem.n_starts),
        set_real_matrix(out, 2, problem.n_visits, problem.n_starts)};
    size_t best = run_simba(d, &problem, &result);
    SET_VECTOR_ELT(out, 3, Rf_ScalarInteger((int)best + 1));
    UNPROTECT(2);
    return out;
}
