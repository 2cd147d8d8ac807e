/* Entries of principal components. */
#include "components_walk.h"
#include "r_entry.h"

/* list(scores, values, total, vectors, excess): at most `count` components,
 * those above 1e-10 of the first one; values: sums of squares of the scores;
 * total: of C; vectors: singular vectors of C, of samples, or of features where
 * these are fewer; excess: above 1 if it ended before the tolerance.
 * options: list(tolerance, exact, formed, cuts), see component_options.
 * start: NULL, or vectors near the wanted ones. */
SEXP r_principal_components(SEXP data, SEXP scaling, SEXP count, SEXP options,
                            SEXP start, SEXP control)
{
    component_options o = {
        (size_t)Rf_asReal(count), list_real(options, "tolerance"),
        list_size(options, "exact"), list_size(options, "formed"),
        list_int(options, "cuts"), real_or_null(start, ANY_COUNT),
        Rf_isNull(start) ? 0 : (size_t)Rf_ncols(start)};
    gram_task g =
        gram_open(read_data(data, scaling, control) /* protects one */);
    components c = find_components(&g, &o);
    SEXP out = PROTECT(NEW_LIST("scores", "values", "total", "vectors",
                                "excess"));
    component_scores(&g, &c, set_real_matrix(out, 0, g.n, c.count));
    memcpy(set_reals(out, 1, c.count), c.values, c.count * sizeof(double));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(g.total));
    memcpy(set_real_matrix(out, 3, g.m, c.count), c.vectors,
           g.m * c.count * sizeof(double));
    SET_VECTOR_ELT(out, 4, Rf_ScalarReal(c.excess));
    UNPROTECT(2);
    return out;
}
