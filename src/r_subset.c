#include "r_entry.h"
#include "subset_walk.h"

/* list(rows, label) or list(rows, first, second, must_link): see subset_pairs()
 * in R. */
static subset_pairs read_pairs(SEXP pairs)
{
    SEXP rows = list_element(pairs, "rows");
    subset_pairs p = {.samples = (size_t)Rf_xlength(rows),
                      .rows = INTEGER(rows),
                      .label = int_or_null(list_element(pairs, "label"),
                                            (size_t)Rf_xlength(rows))};
    if (!p.label) {
        p.count = (size_t)Rf_xlength(list_element(pairs, "second"));
        p.first = list_ints(pairs, "first", p.count);
        p.second = list_ints(pairs, "second", p.count);
        p.must_link = list_ints(pairs, "must_link", p.count);
    }
    return p;
}

/* list(order, error): features (from 1) in order of entry, and the sum over
 * unordered pairs of (w - t)^2 with each. options: list(sigma, steps,
 * patience). */
SEXP r_select_subset(SEXP data, SEXP scaling, SEXP pairs, SEXP options,
                     SEXP control)
{
    const char *names[] = {"order", "error", ""};
    subset_pairs p = read_pairs(pairs);
    subset_options o = {list_real(options, "sigma"),
                        list_size(options, "steps"),
                        list_size(options, "patience")};
    feature_data *d = read_data(data, scaling, control); /* protects one */
    int *order = new_ints(o.steps);
    double *error = new_doubles(o.steps);
    size_t m = select_features(d, &p, &o, order, error);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    memcpy(set_ints(out, 0, m), order, m * sizeof(int));
    memcpy(set_reals(out, 1, m), error, m * sizeof(double));
    UNPROTECT(2);
    return out;
}

/* The score of one set of features (from 1, ascending) for several sigmas. */
SEXP r_subset_errors(SEXP data, SEXP scaling, SEXP pairs, SEXP features,
                     SEXP sigmas, SEXP control)
{
    subset_pairs p = read_pairs(pairs);
    feature_data *d = read_data(data, scaling, control); /* protects one */
    SEXP out = PROTECT(Rf_allocVector(REALSXP, Rf_xlength(sigmas)));
    subset_sigmas errors = {(size_t)Rf_xlength(sigmas), REAL(sigmas),
                            REAL(out)};
    score_subset(d, &p, INTEGER(features), (size_t)Rf_xlength(features),
                 &errors);
    UNPROTECT(2);
    return out;
}

/* list(place, value): the places of `features` in diversified order, numbered
 * from 1, and what each step maximised. */
SEXP r_diversify(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                 SEXP relevance, SEXP control)
{
    const char *names[] = {"place", "value", ""};
    some_features f = /* protects one */
        read_features(data, scaling, fill, features, control);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    int *place = set_ints(out, 0, f.count);
    diversify(&f, REAL(relevance), place, set_reals(out, 1, f.count));
    UNPROTECT(2);
    return out;
}
