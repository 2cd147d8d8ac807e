/* Entries of subsets of features. */
#include "r_entry.h"
#include "subset_walk.h"

/* list(rows, first, second, must_link): see subset_pairs() in R. */
static subset_pairs read_pairs(SEXP pairs, size_t n)
{
    SEXP rows = list_element(pairs, "rows");
    size_t samples = (size_t)Rf_xlength(rows);
    size_t count = (size_t)Rf_xlength(list_element(pairs, "second"));
    return (subset_pairs){
        samples, places_of(rows, samples, 1, n + 1), count,
        list_places(pairs, "first", count, 1, samples + 1),
        list_places(pairs, "second", count, 1, samples + 1),
        list_ints(pairs, "must_link", count)};
}

/* list(order, error): features (from 1) in order of entry, and the sum over
 * unordered pairs of (w - t)^2 with each. options: list(sigma, steps,
 * patience). */
SEXP r_select_subset(SEXP data, SEXP scaling, SEXP pairs, SEXP options,
                     SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    subset_pairs p = read_pairs(pairs, d->n);
    subset_options o = {list_real(options, "sigma"),
                        list_size(options, "steps"),
                        list_size(options, "patience")};
    int *order = new_ints(o.steps);
    double *error = new_doubles(o.steps);
    size_t m = select_features(d, &p, &o, order, error);
    SEXP out = PROTECT(NEW_LIST("order", "error"));
    memcpy(set_ints(out, 0, m), order, m * sizeof(int));
    memcpy(set_reals(out, 1, m), error, m * sizeof(double));
    UNPROTECT(2);
    return out;
}

/* The score of one set of features (from 1, ascending) for several sigmas. */
SEXP r_subset_errors(SEXP data, SEXP scaling, SEXP pairs, SEXP features,
                     SEXP sigmas, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    subset_pairs p = read_pairs(pairs, d->n);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, Rf_xlength(sigmas)));
    subset_sigmas errors = {(size_t)Rf_xlength(sigmas), REAL(sigmas),
                            REAL(out)};
    score_subset(d, &p, places_of(features, ANY_COUNT, 1, d->p + 1),
                 (size_t)Rf_xlength(features), &errors);
    UNPROTECT(2);
    return out;
}

/* list(place, value): the places of `features` in diversified order, numbered
 * from 1, and what each step maximised. */
SEXP r_diversify(SEXP data, SEXP scaling, SEXP features, SEXP relevance,
                 SEXP control)
{
    some_features f = read_features(data, scaling, features, control);
    SEXP out = PROTECT(NEW_LIST("place", "value"));
    int *place = set_ints(out, 0, f.count);
    diversify(&f, reals_of(relevance, f.count), place,
              set_reals(out, 1, f.count));
    UNPROTECT(2);
    return out;
}
