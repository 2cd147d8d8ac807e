#include "ask_sensitivity.h"
#include "graph_walk.h"
#include "r_entry.h"

#include <R_ext/Lapack.h>

#ifndef FCONE
#define FCONE
#endif

/* ---- readers ------------------------------------------------------------- */

/* list(weights, degree, first, second, delta) as laplacian_model() in R makes
 * it: samples of edits are numbered from 0. */
static lr_laplacian read_laplacian(SEXP model)
{
    lr_laplacian l = {.graph = read_graph(list_element(model, "weights"))};
    l.degree = list_reals(model, "degree", l.graph.n);
    l.n_edits = (size_t)Rf_xlength(list_element(model, "first"));
    l.first = list_places(model, "first", l.n_edits, 0, l.graph.n);
    l.second = list_places(model, "second", l.n_edits, 0, l.graph.n);
    l.delta = list_reals(model, "delta", l.n_edits);
    return l;
}

/* list(factor, first, second, z, small) of later edits, numbered from 0. */
static lr_inverse read_inverse(SEXP inverse)
{
    SEXP factor = list_element(inverse, "factor");
    size_t n = (size_t)Rf_nrows(factor);
    size_t count = (size_t)Rf_xlength(list_element(inverse, "first"));
    return (lr_inverse){
        .n = n, .factor = reals_of(factor, n * n), .n_updates = count,
        .first = list_places(inverse, "first", count, 0, n),
        .second = list_places(inverse, "second", count, 0, n),
        .z = list_reals(inverse, "z", n * count),
        .small = list_reals(inverse, "small", count * count)};
}

static spectral_context read_context(SEXP model, SEXP inverse, SEXP deflate)
{
    spectral_context c = {
        .laplacian = read_laplacian(model), .has_inverse = !Rf_isNull(inverse),
        .n_deflate = (size_t)Rf_ncols(deflate)};
    c.deflate = reals_of(deflate, c.laplacian.graph.n * c.n_deflate);
    if (c.has_inverse) {
        c.inverse = read_inverse(inverse);
        check_fit(c.inverse.n == c.laplacian.graph.n);
    }
    prepare_operators(&c);
    return c;
}

/* ---- entries ------------------------------------------------------------- */

/* Component of each sample, from 0, over edges above the threshold. */
SEXP r_graph_components(SEXP model, SEXP threshold)
{
    lr_laplacian l = read_laplacian(model);
    SEXP out = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)l.graph.n));
    int *scratch = new_ints(2 * l.graph.n);
    lr_graph_components(&l, Rf_asReal(threshold), INTEGER(out), scratch);
    UNPROTECT(1);
    return out;
}

/* The lower Cholesky factor in place of the lower triangle of a, n x n by
 * columns. Returns 0 when a is not positive definite. */
static int cholesky(double *a, int n)
{
    int info = 0;
    F77_CALL(dpotrf)("L", &n, a, &n, &info FCONE);
    return info == 0;
}

/* The lower Cholesky factor of L - sigma I + ridge 11' (the upper triangle is
 * left as it is); NULL when it is not positive definite. */
SEXP r_shifted_factor(SEXP model, SEXP sigma, SEXP ridge)
{
    lr_laplacian l = read_laplacian(model);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)l.graph.n, (int)l.graph.n));
    lr_shifted_laplacian(&l, Rf_asReal(sigma), Rf_asReal(ridge), REAL(out));
    int ok = cholesky(REAL(out), (int)l.graph.n);
    UNPROTECT(1);
    return ok ? out : R_NilValue;
}

/* A^-1 x */
SEXP r_inverse_product(SEXP inverse, SEXP x)
{
    lr_inverse v = read_inverse(inverse);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)v.n));
    double *scratch = new_doubles(2 * v.n_updates + 1);
    lr_inverse_product(&v, reals_of(x, v.n), REAL(out), scratch);
    UNPROTECT(1);
    return out;
}

/* The eigenvectors of the largest eigenvalues: list(values, vectors, steps,
 * failed). The operator is L times -1 with option `laplacian`, D^-1/2 S D^-1/2
 * when there is a `root` (1 / sqrt(degree)), else the inverse of L: by its
 * factor in `inverse`, or without one (NULL) by conjugate gradients. deflate:
 * orthonormal columns; start: see extreme_vectors(); options: lanczos_options. */
SEXP r_lanczos(SEXP model, SEXP inverse, SEXP root, SEXP deflate, SEXP start,
               SEXP options)
{
    const char *names[] = {"values", "vectors", "steps", "failed", ""};
    spectral_context c = read_context(model, inverse, deflate);
    size_t n = c.laplacian.graph.n;
    c.root = real_or_null(root, n);
    lanczos_options o = {
        list_size(options, "wanted"), list_size(options, "steps"),
        list_int(options, "laplacian"), list_reals(options, "stop", 3)};
    eigenvectors found = extreme_vectors(&c, &o, reals_of(start, n));
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    memcpy(set_reals(out, 0, found.count), found.values,
           found.count * sizeof(double));
    memcpy(set_real_matrix(out, 1, n, found.count), found.vectors,
           n * found.count * sizeof(double));
    SET_VECTOR_ELT(out, 2, Rf_ScalarInteger((int)found.steps));
    SET_VECTOR_ELT(out, 3, Rf_ScalarLogical(c.failed));
    UNPROTECT(1);
    return out;
}

/* The part of sum_p v_p v_p(entry) / (value - lambda_p) that is orthogonal to
 * the deflate columns, above which all lambda_p are: list(g, converged).
 * entry: from 1; sigma: the shift of the inverse. */
SEXP r_resolvent(SEXP model, SEXP inverse, SEXP sigma, SEXP deflate,
                 SEXP value, SEXP entry)
{
    const char *names[] = {"g", "converged", ""};
    spectral_context c = read_context(model, inverse, deflate);
    int place = Rf_asInteger(entry) - 1;
    check_places(&place, 1, 0, c.laplacian.graph.n);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    lr_status status =
        solve_resolvent(&c, Rf_asReal(value), Rf_asReal(sigma), (size_t)place,
                        set_reals(out, 0, c.laplacian.graph.n));
    SET_VECTOR_ELT(out, 1, Rf_ScalarLogical(status == LR_OK));
    UNPROTECT(1);
    return out;
}

/* The samples of the best pair, from 1; NULL when none is left.
 * v, g: n x q; used: sorted keys (see pair_key() in R); order: see
 * lr_best_pair(), from 0; row: the sample whose pairs count, from 1, or 0 for
 * all. */
SEXP r_best_pair(SEXP v, SEXP g, SEXP used, SEXP order, SEXP row)
{
    lr_sensitivity s = {(size_t)Rf_nrows(v), (size_t)Rf_ncols(v),
                        reals_of(v, ANY_COUNT),
                        reals_of(g, (size_t)Rf_xlength(v)),
                        reals_of(used, ANY_COUNT), (size_t)Rf_xlength(used)};
    int from = Rf_asInteger(row) - 1;
    check_places(&from, 1, -1, s.n);
    size_t blocks = (s.n + LR_PAIR_BLOCK - 1) / LR_PAIR_BLOCK;
    double *boxes = new_doubles(4 * s.q * blocks);
    int first, second;
    double score;
    if (!lr_best_pair(&s, from, places_of(order, s.n, 0, s.n), boxes, &first,
                      &second, &score))
        return R_NilValue;
    SEXP out = PROTECT(Rf_allocVector(INTSXP, 2));
    INTEGER(out)[0] = first + 1;
    INTEGER(out)[1] = second + 1;
    UNPROTECT(1);
    return out;
}
