#include "graph_walk.h"
#include "r_entry.h"

/* Which places of `features` are kept: numbered from 1. */
SEXP r_keep_uncorrelated(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                         SEXP most, SEXP control)
{
    lr_scaling s = read_scaling(scaling);
    some_features f = read_features(data, &s, fill, features); /* protects one */
    int *keep = new_ints(f.count + 1);
    size_t kept = keep_uncorrelated(&f, Rf_asReal(most), keep,
                                    read_control(control).progress);
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
    lr_scaling s = read_scaling(scaling);
    some_features f = read_features(data, &s, fill, features); /* protects one */
    SEXP out = PROTECT(Rf_allocVector(REALSXP, 2));
    sum_correlations(&f, REAL(out), read_control(control).progress);
    UNPROTECT(2);
    return out;
}
