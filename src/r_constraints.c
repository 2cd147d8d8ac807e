/* Entries of the components and chains of constraints. */
#include "r_entry.h"

static lr_must_links read_must_links(SEXP n, SEXP first, SEXP second)
{
    check_fit(Rf_asInteger(n) >= 0 && Rf_xlength(first) == Rf_xlength(second));
    size_t samples = (size_t)Rf_asInteger(n);
    return (lr_must_links){samples, (size_t)Rf_xlength(first),
                           zero_based(first, samples),
                           zero_based(second, samples)};
}

/* Component of each sample, from 0, numbered by the lowest sample. */
SEXP r_components(SEXP n, SEXP first, SEXP second)
{
    lr_must_links links = read_must_links(n, first, second);
    SEXP out = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)links.n));
    lr_components(&links, INTEGER(out));
    UNPROTECT(1);
    return out;
}

/* The samples of a shortest must-link chain; integer(0) when there is none. */
SEXP r_shortest_path(SEXP n, SEXP first, SEXP second, SEXP from, SEXP to)
{
    lr_must_links links = read_must_links(n, first, second);
    size_t length = 0;
    int ends[] = {Rf_asInteger(from), Rf_asInteger(to)};
    check_places(ends, 2, 1, links.n + 1);
    int *path = new_ints(links.n);
    int *scratch = new_ints(3 * links.n + 2 * links.n_pairs + 1);
    lr_status status =
        lr_shortest_path(&links, ends[0] - 1, ends[1] - 1, path, &length,
                         scratch);
    if (status != LR_OK)
        length = 0;
    SEXP out = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)length));
    for (size_t i = 0; i < length; i++)
        INTEGER(out)[i] = path[i] + 1;
    UNPROTECT(1);
    return out;
}
