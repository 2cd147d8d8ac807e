#include "r_entry.h"
#include "lr_lapack.h"
#include "ask_sensitivity.h"
#include "graph_spectral.h"

/* Of conjugate gradients; the number of steps is only a guard. */
static const lr_stop USUAL_STOP = {1e-13, 20000};

/* ---- readers ------------------------------------------------------------- */

/* list(weights, degree, first, second, delta) as laplacian_model() in R makes
 * it: samples of edits are numbered from 0. */
static lr_laplacian read_laplacian(SEXP model)
{
    return (lr_laplacian){
        .graph = read_graph(list_element(model, "weights")),
        .degree = list_reals(model, "degree"),
        .n_edits = (size_t)Rf_xlength(list_element(model, "first")),
        .first = list_ints(model, "first"),
        .second = list_ints(model, "second"),
        .delta = list_reals(model, "delta")};
}

/* list(factor, first, second, z, small) of later edits, numbered from 0. */
static lr_inverse read_inverse(SEXP inverse)
{
    SEXP factor = list_element(inverse, "factor");
    return (lr_inverse){
        .n = (size_t)Rf_nrows(factor), .factor = REAL(factor),
        .n_updates = (size_t)Rf_xlength(list_element(inverse, "first")),
        .first = list_ints(inverse, "first"),
        .second = list_ints(inverse, "second"),
        .z = list_reals(inverse, "z"), .small = list_reals(inverse, "small")};
}

/* ---- operators ----------------------------------------------------------- */

/* What the operators need; each uses its part. */
typedef struct {
    lr_laplacian laplacian;
    lr_inverse inverse;
    int has_inverse;
    double shift;         /* of the operator at hand */
    const double *root;   /* 1 / sqrt(degree) */
    double *diagonal;     /* of the Laplacian, edits included */
    const double *deflate;
    size_t n_deflate;
    double *scratch, *more_scratch;
    int failed;           /* an inner solution did not converge */
} spectral_context;

static spectral_context read_context(SEXP model, SEXP inverse, SEXP deflate)
{
    spectral_context c = {
        .laplacian = read_laplacian(model), .has_inverse = !Rf_isNull(inverse),
        .deflate = REAL(deflate), .n_deflate = (size_t)Rf_ncols(deflate)};
    size_t n = c.laplacian.graph.n;
    if (c.has_inverse)
        c.inverse = read_inverse(inverse);
    c.diagonal = new_doubles(n);
    memcpy(c.diagonal, c.laplacian.degree, n * sizeof(double));
    for (size_t t = 0; t < c.laplacian.n_edits; t++) {
        c.diagonal[c.laplacian.first[t]] += c.laplacian.delta[t];
        c.diagonal[c.laplacian.second[t]] += c.laplacian.delta[t];
    }
    c.scratch = new_doubles(4 * n);
    c.more_scratch = new_doubles(2 * c.inverse.n_updates);
    return c;
}

/* Every product lets the user interrupt: an iteration may take thousands. */
static void apply_laplacian(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    R_CheckUserInterrupt();
    lr_laplacian_product(&c->laplacian, x, y);
}

static void apply_normalized(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    R_CheckUserInterrupt();
    lr_normalized_product(&c->laplacian.graph, c->root, x, y, c->scratch);
}

static void apply_factor(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    R_CheckUserInterrupt();
    lr_inverse_product(&c->inverse, x, y, c->more_scratch);
}

static lr_deflated deflated_space(spectral_context *c, lr_operator apply)
{
    return (lr_deflated){c->laplacian.graph.n, apply, c, c->deflate,
                         c->n_deflate};
}

/* The inverse of the Laplacian on what is not deflated, without a factor. */
static void apply_inner(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    lr_deflated space = deflated_space(c, apply_laplacian);
    if (lr_conjugate_gradients(&space, c->diagonal, x, y, USUAL_STOP,
                               c->scratch) != LR_OK)
        c->failed = 1;
}

/* L - shift I */
static void apply_shifted(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    apply_laplacian(c, x, y);
    for (size_t i = 0; i < c->laplacian.graph.n; i++)
        y[i] -= c->shift * x[i];
}

/* I - shift A^-1 */
static void apply_complement(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    apply_factor(c, x, y);
    for (size_t i = 0; i < c->laplacian.graph.n; i++)
        y[i] = x[i] - c->shift * y[i];
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

/* The lower Cholesky factor of L - sigma I + ridge 11' (the upper triangle is
 * left as it is); NULL when it is not positive definite. */
SEXP r_shifted_factor(SEXP model, SEXP sigma, SEXP ridge)
{
    lr_laplacian l = read_laplacian(model);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)l.graph.n, (int)l.graph.n));
    lr_shifted_laplacian(&l, Rf_asReal(sigma), Rf_asReal(ridge), REAL(out));
    int ok = lr_cholesky(REAL(out), (int)l.graph.n);
    UNPROTECT(1);
    return ok ? out : R_NilValue;
}

/* A^-1 x */
SEXP r_inverse_product(SEXP inverse, SEXP x)
{
    lr_inverse v = read_inverse(inverse);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)v.n));
    double *scratch = new_doubles(2 * v.n_updates + 1);
    lr_inverse_product(&v, REAL(x), REAL(out), scratch);
    UNPROTECT(1);
    return out;
}

/* Goes on with Lanczos for some steps: list(basis, alpha, beta, failed), the
 * basis with one column more than steps were taken. The operator is the
 * Laplacian itself when `plain`, D^-1/2 S D^-1/2 when there is a `root`
 * (1 / sqrt(degree)), else the inverse: by its factor in `inverse`, or without
 * one (NULL) by conjugate gradients. basis: unit start vector, or what the last
 * call returned; deflate: orthonormal columns. */
SEXP r_lanczos(SEXP model, SEXP inverse, SEXP root, SEXP plain, SEXP deflate,
               SEXP basis, SEXP steps)
{
    const char *names[] = {"basis", "alpha", "beta", "failed", ""};
    spectral_context c = read_context(model, inverse, deflate);
    c.root = real_or_null(root);
    lr_operator apply = Rf_asLogical(plain) ? apply_laplacian
        : c.root ? apply_normalized
        : c.has_inverse ? apply_factor : apply_inner;
    size_t n = c.laplacian.graph.n, have = (size_t)Rf_ncols(basis);
    int wanted = Rf_asInteger(steps), taken = 0;
    double *p_basis = new_doubles(n * (have + (size_t)wanted));
    double *alpha = new_doubles((size_t)wanted);
    double *beta = new_doubles((size_t)wanted);
    memcpy(p_basis, REAL(basis), n * have * sizeof(double));
    lr_deflated space = deflated_space(&c, apply);
    for (int more = 1; more && taken < wanted; taken++)
        more = lr_lanczos_step(&space, p_basis, have - 1 + (size_t)taken,
                               alpha + taken, beta + taken);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    size_t columns = have + (size_t)taken, some = (size_t)taken;
    memcpy(set_real_matrix(out, 0, n, columns), p_basis,
           n * columns * sizeof(double));
    memcpy(set_reals(out, 1, some), alpha, some * sizeof(double));
    memcpy(set_reals(out, 2, some), beta, some * sizeof(double));
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
    size_t n = c.laplacian.graph.n;
    double *rhs = new_doubles(n);
    double *x = zero_doubles(n);
    x[Rf_asInteger(entry) - 1] = -1.0;
    lr_project(n, c.deflate, c.n_deflate, x);
    lr_operator apply = apply_shifted;
    c.shift = Rf_asReal(value);
    if (c.has_inverse) {
        /* (L - value) g = r is the same as (I - (value - sigma) A^-1) g =
         * A^-1 r, which is close to the identity */
        lr_inverse_product(&c.inverse, x, rhs, c.more_scratch);
        c.shift -= Rf_asReal(sigma);
        apply = apply_complement;
    } else {
        memcpy(rhs, x, n * sizeof(double));
    }
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    double *g = set_reals(out, 0, n);
    lr_deflated space = deflated_space(&c, apply);
    lr_status status = lr_conjugate_gradients(
        &space, c.has_inverse ? NULL : c.diagonal, rhs, g, USUAL_STOP,
        c.scratch);
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
    lr_sensitivity s = {(size_t)Rf_nrows(v), (size_t)Rf_ncols(v), REAL(v),
                        REAL(g), REAL(used), (size_t)Rf_xlength(used)};
    size_t blocks = (s.n + LR_PAIR_BLOCK - 1) / LR_PAIR_BLOCK;
    double *boxes = new_doubles(4 * s.q * blocks);
    int first, second;
    double score;
    if (!lr_best_pair(&s, Rf_asInteger(row) - 1, INTEGER(order), boxes,
                      &first, &second, &score))
        return R_NilValue;
    SEXP out = PROTECT(Rf_allocVector(INTSXP, 2));
    INTEGER(out)[0] = first + 1;
    INTEGER(out)[1] = second + 1;
    UNPROTECT(1);
    return out;
}
