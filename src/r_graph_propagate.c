#include "graph_walk.h"
#include "r_entry.h"

/* (I - a P)^-1 rhs, P = D^-1/2 S D^-1/2: n x T as rhs is; root: 1 /
 * sqrt(degree), 0 for isolated samples. Residuals are at most 1e-13 of the
 * shortest right-hand side. */
SEXP r_propagation_columns(SEXP weights, SEXP root, SEXP a, SEXP rhs,
                           SEXP control)
{
    propagation g = {read_graph(weights), NULL, Rf_asReal(a), NULL,
                     (size_t)Rf_ncols(rhs)};
    g.root = reals_of(root, g.graph.n);
    g.rhs = reals_of(rhs, g.graph.n * g.count);
    SEXP out = PROTECT(
        Rf_allocMatrix(REALSXP, (int)g.graph.n, (int)g.count));
    solve_propagation(&g, read_control(control), REAL(out));
    UNPROTECT(1);
    return out;
}

/* Entries from 1: first, second and value of `out`. */
static void set_strong(product_task *t, SEXP out, size_t count,
                       const run_control *control)
{
    t->strong.first = set_ints(out, 2, count);
    t->strong.second = set_ints(out, 3, count);
    t->strong.value = set_reals(out, 4, count);
    keep_strong(t, control);
    for (size_t i = 0; i < count; i++) {
        t->strong.first[i]++;
        t->strong.second[i]++;
    }
}

/* list(tau, count, first, second, value): the entries above the diagonal of
 * H Y' of at least tau (both: or at most -tau), the mean of the row maxima,
 * from 1; when there are more than `most`, their number alone, and none is
 * searched unless tau is positive. options: list(both, most). */
SEXP r_strong_entries(SEXP h, SEXP y, SEXP options, SEXP control)
{
    const char *names[] = {"tau", "count", "first", "second", "value", ""};
    run_control c = read_control(control);
    product_task t = {.product = pack_product(REAL(h), REAL(y),
                                              (size_t)Rf_nrows(h),
                                              (size_t)Rf_ncols(h)),
                      .strong = {.both = list_int(options, "both")}};
    size_t count = count_strong(&t, &c);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_ScalarReal(t.strong.tau));
    if (t.strong.tau > 0.0) {
        SET_VECTOR_ELT(out, 1, Rf_ScalarReal((double)count));
        if ((double)count <= list_real(options, "most"))
            set_strong(&t, out, count, &c);
    }
    UNPROTECT(1);
    return out;
}

/* Which of the pairs, from 0, enter, in order; the first `given` always do. */
SEXP r_admit_pairs(SEXP n, SEXP given, SEXP first, SEXP second, SEXP must_link)
{
    size_t samples = (size_t)Rf_asInteger(n);
    size_t n_pairs = (size_t)Rf_xlength(first);
    check_fit((size_t)Rf_asInteger(given) <= n_pairs);
    int *scratch = new_ints(4 * samples + 4 * n_pairs);
    SEXP out = PROTECT(Rf_allocVector(LGLSXP, (R_xlen_t)n_pairs));
    lr_admit_pairs(samples, (size_t)Rf_asInteger(given), n_pairs,
                   places_of(first, n_pairs, 0, samples),
                   places_of(second, n_pairs, 0, samples),
                   ints_of(must_link, n_pairs), LOGICAL(out), scratch);
    UNPROTECT(1);
    return out;
}
