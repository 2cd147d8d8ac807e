#include "margin_walk.h"
#include "r_entry.h"

/* visits: list(first, second, samples, weight), numbers from 1, second NULL for
 * samples, weight NULL or one per pair;
 * order: visits x starts, numbers from 1. Returns list(weight, total, trace,
 * best): the weights of the start with the largest total margin (the first of
 * equal ones), all totals, and the margin of every visit as it was made, for a
 * largest weight of 1. */
SEXP r_simba(SEXP data, SEXP scaling, SEXP visits, SEXP order, SEXP links,
             SEXP both, SEXP control)
{
    const char *names[] = {"weight", "total", "trace", "best", ""};
    lr_links storage;
    feature_data *d = read_data(data, scaling, control); /* protects one */
    SEXP first = list_element(visits, "first");
    SEXP second = list_element(visits, "second");
    SEXP samples = list_element(visits, "samples");
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
        .n_samples = (size_t)Rf_xlength(samples)};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    simba_result result = {
        set_reals(out, 0, d->p), set_reals(out, 1, problem.n_starts),
        set_real_matrix(out, 2, problem.n_visits, problem.n_starts)};
    size_t best = run_simba(d, &problem, &result);
    SET_VECTOR_ELT(out, 3, Rf_ScalarInteger((int)best + 1));
    UNPROTECT(2);
    return out;
}
