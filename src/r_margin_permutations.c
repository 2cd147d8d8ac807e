/* The margins of relabelled samples, and what they say of those of the
 * constraints: R/margin-permutations.R. */
#include "margin_walk.h"
#include "r_entry.h"

/* The hits of all end points of all sets: k x (ends x sets) samples, 0 = no more.
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
 * pairs  list(first, second, weight): numbers of end points and their weights or
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

/* ---- what all sets say --------------------------------------------------- */

/* chunks: list of matrices, sets x features */
static lr_all_margins read_margins(SEXP margin, SEXP rounding, SEXP chunks)
{
    size_t count = (size_t)Rf_xlength(chunks);
    lr_set_margins *chunk =
        (lr_set_margins *)lr_allocate(count + 1, sizeof(lr_set_margins));
    for (size_t c = 0; c < count; c++) {
        SEXP z = VECTOR_ELT(chunks, (R_xlen_t)c);
        chunk[c] = (lr_set_margins){(size_t)Rf_nrows(z), REAL(z)};
    }
    return (lr_all_margins){count, chunk, REAL(margin), REAL(rounding)};
}

/* 3 x features: mean, deviation and at_least of lr_margin_spread. */
SEXP r_margin_spreads(SEXP margin, SEXP rounding, SEXP chunks)
{
    lr_all_margins all = read_margins(margin, rounding, chunks);
    R_xlen_t p = Rf_xlength(margin);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, 3, (int)p));
    for (R_xlen_t f = 0; f < p; f++) {
        lr_margin_spread s = lr_spread_of_margins(&all, (size_t)f);
        REAL(out)[3 * f] = s.mean;
        REAL(out)[3 * f + 1] = s.deviation;
        REAL(out)[3 * f + 2] = s.at_least;
        if (f % 1024 == 0)
            lr_check_interrupt();
    }
    UNPROTECT(1);
    return out;
}

/* list(count, largest) of lr_count_standardised() over these features, numbers
 * from 1. */
SEXP r_count_standardised(SEXP margin, SEXP rounding, SEXP chunks,
                          SEXP spreads, SEXP features, SEXP thresholds)
{
    lr_all_margins all = read_margins(margin, rounding, chunks);
    size_t n_thresholds = (size_t)Rf_xlength(thresholds);
    const char *names[] = {"count", "largest", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    size_t n_sets = 0;
    for (size_t c = 0; c < all.n_chunks; c++)
        n_sets += all.chunk[c].n_sets;
    double *count = set_reals(out, 0, n_thresholds + 1);
    double *largest = set_reals(out, 1, n_sets);
    memset(count, 0, (n_thresholds + 1) * sizeof(double));
    for (size_t b = 0; b < n_sets; b++)
        largest[b] = R_NegInf;
    size_t p = (size_t)Rf_xlength(margin);
    const int *feature = places_of(features, ANY_COUNT, 1, p + 1);
    const double *p_spreads = reals_of(spreads, 3 * p);
    for (R_xlen_t i = 0; i < Rf_xlength(features); i++) {
        size_t f = (size_t)feature[i] - 1;
        const double *spread = p_spreads + 3 * f;
        lr_margin_spread s = {spread[0], spread[1], spread[2]};
        lr_count_standardised(&all, f, s, REAL(thresholds), n_thresholds,
                              count, largest);
        if (i % 1024 == 0)
            lr_check_interrupt();
    }
    UNPROTECT(1);
    return out;
}
