/* The entries of the search for neighbours: the nearest samples, those within a
 * radius, all distances of some samples, and the mean distance. */
#include "r_entry.h"

pair_walk read_search(SEXP where, SEXP ends, SEXP control)
{
    pair_walk w = {
        .data = read_data(list_element(where, "data"), /* protects one */
                          list_element(where, "scaling"), control),
        .metric = (lr_metric)list_int(where, "metric"),
        .rounding = list_real(where, "rounding"),
        .share = 1.0};
    w.n = w.data->n;
    SEXP response = list_element_or_null(where, "response");
    w.response = response ? real_or_null(response, w.n) : NULL;
    w.block_of = int_or_null(list_element(where, "block"), w.n);
    w.n_ends = Rf_isNull(ends) ? w.n : (size_t)Rf_xlength(ends);
    w.ends = Rf_isNull(ends) ? all_places(w.n).rows : zero_based(ends, w.n);
    return w;
}

/* rule: list(class_of: per sample from 0, -1 for none, or NULL; classes; links,
 * or NULL) */
static lr_list_rule read_rule(SEXP rule, size_t n, lr_links *storage)
{
    lr_list_rule r = {
        1, NULL, read_links(list_element(rule, "links"), n, storage), NULL};
    if (!Rf_isNull(list_element(rule, "class_of"))) {
        r.n_lists = list_size(rule, "classes");
        r.class_of = list_places(rule, "class_of", n, -1, r.n_lists);
    } else if (r.links) {
        r.n_lists = 2;
    }
    return r;
}

/* The nearest samples of each end point (numbers from 1): list(row, distance),
 * a column for each end point, its lists one below the other (search_lists.h),
 * each nearest first, 0 and NA where there are no more. Distances are squared
 * when the metric is Euclidean.
 * With where$without, a matrix, these columns for each of its features.
 * k: places in each list; linked: in list 0 and in list 1
 * rule: as read_rule(); with_distance: else `distance` is NULL */
SEXP r_nearest(SEXP where, SEXP ends, SEXP k, SEXP rule, SEXP with_distance,
               SEXP control)
{
    lr_links storage;
    pair_walk w = read_search(where, ends, control); /* protects one */
    nearest_task t = {.rule = read_rule(rule, w.n, &storage),
                      .k = (size_t)ints_of(k, ANY_COUNT)[0], .none = NA_REAL};
    if (t.rule.links)
        t.k_group = (size_t)INTEGER(k)[1];
    t.width = t.rule.links ? t.k + t.k_group : t.rule.n_lists * t.k;
    size_t columns = w.n_ends;
    SEXP without = list_element_or_null(where, "without");
    if (without) {
        t.n_without = (size_t)Rf_ncols(without);
        t.without = reals_of(without, w.n * t.n_without);
        columns *= t.n_without;
    }
    SEXP out = PROTECT(NEW_LIST("row", "distance"));
    t.row = set_int_matrix(out, 0, t.width, columns);
    if (Rf_asLogical(with_distance))
        t.distance = set_real_matrix(out, 1, t.width, columns);
    find_nearest(&w, &t);
    UNPROTECT(2);
    return out;
}

/* Distances (squared when Euclidean) of some samples to all: n x ends. With
 * ends NULL: of all samples, each 0 from itself. */
SEXP r_sample_distances(SEXP where, SEXP ends, SEXP control)
{
    pair_walk w = read_search(where, ends, control); /* protects one */
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)w.n, (int)w.n_ends));
    w.half = Rf_isNull(ends);
    copy_distances(&w, REAL(out));
    UNPROTECT(2);
    return out;
}

/* Of all pairs of end points (ascending numbers from 1). */
SEXP r_mean_distance(SEXP where, SEXP ends, SEXP control)
{
    pair_walk w = read_search(where, ends, control); /* protects one */
    SEXP out = Rf_ScalarReal(mean_distance(&w));
    UNPROTECT(1);
    return out;
}

/* One list after the other. */
static SEXP write_within(const radius_search *r, size_t n_ends)
{
    SEXP out = PROTECT(NEW_LIST("row", "start"));
    size_t classes = r->n_classes;
    int *p_start = set_ints(out, 1, n_ends * classes + 1), count = 0;
    for (size_t e = 0; e < n_ends; e++) {
        for (size_t c = 0; c < classes; c++)
            *p_start++ = count + r->start[e * (classes + 1) + c];
        count += r->start[e * (classes + 1) + classes];
    }
    *p_start = count;
    int *p_row = set_ints(out, 0, (size_t)count);
    for (size_t e = 0; e < n_ends; e++)
        for (int i = 0; i < r->start[e * (classes + 1) + classes]; i++)
            *p_row++ = r->row[e * r->n + (size_t)i] + 1;
    UNPROTECT(1);
    return out;
}

/* Neighbours of each class strictly within `radius` (NULL: mean - sd / 2 of
 * each end point's distances): list(row, start), grouped by end point, then
 * class; `start` has one entry more than there are groups and counts from 0.
 * rule: by class */
SEXP r_within_radius(SEXP where, SEXP ends, SEXP radius, SEXP rule,
                     SEXP control)
{
    pair_walk w = read_search(where, ends, control); /* protects one */
    lr_links storage;
    lr_list_rule by = read_rule(rule, w.n, &storage);
    radius_search r = {.class_of = by.class_of, .n_classes = by.n_lists,
                       .radius = real_or_null(radius, 1)};
    search_within(&w, &r);
    SEXP out = write_within(&r, w.n_ends);
    UNPROTECT(1);
    return out;
}

/* The expected differences of data with missing cells, for `expected` of their
 * scaling; NULL when there are none, or when they are too large to be kept. */
SEXP r_expected_differences(SEXP data, SEXP scaling, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    size_t size = expected_size(d);
    SEXP out = PROTECT(size > 0 ? Rf_allocVector(REALSXP, (R_xlen_t)size)
                                : R_NilValue);
    if (size > 0) {
        memset(REAL(out), 0, size * sizeof(double));
        expect_features(d, REAL(out));
    }
    UNPROTECT(2);
    return out;
}
