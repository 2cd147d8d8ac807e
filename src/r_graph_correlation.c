#include "graph_walk.h"
#include "r_entry.h"

/* Which places of `features` are kept: numbered from 1. */
SEXP r_keep_uncorrelated(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                         SEXP most, SEXP control)
{
    some_features f = /* protects one */
        read_features(data, scaling, fill, features, control);
    int *keep = new_ints(f.count + 1);
    size_t kept = keep_uncorrelated(&f, Rf_asReal(most), keep);
    SEXP out = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)kept));
    for (size_t k = 0; k < kept; k++)
        INTEGER(out)[k] = keep[k] + 1;
    UNPROTECT(2);
    return out;
}

/* c(sum of r, sum of |r|) over the pairs of features. */
SEXP r_correlation_sums(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                        SEXP control)
{
    some_features f = /* protects one */
        read_features(data, scaling, fill, features, control);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, 2));
    sum_correlations(&f, REAL(out));
    UNPROTECT(2);
    return out;
}
