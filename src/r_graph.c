/* Entries of graphs of samples and of features. */
#include "ask_sensitivity.h"
#include "graph_forest.h"
#include "graph_walk.h"
#include "r_entry.h"

/* ==== graphs of samples =================================================== */

/* Sum of the weights at each sample. */
SEXP r_graph_degrees(SEXP weights)
{
    lr_graph g = read_graph(weights);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)g.n));
    lr_degrees(&g, REAL(out));
    UNPROTECT(1);
    return out;
}

/* Elements 1 to 3 of a list: from, to and weight. */
static void set_edges(SEXP out, const edge_list *list)
{
    int *from = set_ints(out, 1, list->count);
    int *to = set_ints(out, 2, list->count);
    double *weight = set_reals(out, 3, list->count);
    if (list->count == 0)
        return;
    memcpy(from, list->from, list->count * sizeof(int));
    memcpy(to, list->to, list->count * sizeof(int));
    memcpy(weight, list->weight, list->count * sizeof(double));
}

/* Pairs of samples nearer than epsilon, each once: list(count, first, second,
 * distance), without the pairs where there are more than `most`; distances
 * squared when Euclidean. */
SEXP r_near_pairs(SEXP where, SEXP epsilon, SEXP most, SEXP control)
{
    pair_walk w = read_search(where, R_NilValue, control); /* protects one */
    edge_list near = {.count = 0};
    size_t count = near_pairs(&w, Rf_asReal(epsilon), (size_t)Rf_asReal(most),
                              &near);
    SEXP out = PROTECT(NEW_LIST("count", "first", "second", "distance"));
    SET_VECTOR_ELT(out, 0, Rf_ScalarReal((double)count));
    if (count == near.count)
        set_edges(out, &near);
    UNPROTECT(2);
    return out;
}

/* ==== propagation ========================================================= */

/* list(columns, unfinished, longest): (I - a P)^-1 rhs, P = D^-1/2 S D^-1/2,
 * n x T as rhs is; root: 1 / sqrt(degree), 0 for isolated samples. Residuals
 * are at most 1e-13 of the shortest right-hand side, but of so many unfinished
 * columns, at most the longest. options: list(a, steps: at most so many). */
SEXP r_propagation_columns(SEXP weights, SEXP root, SEXP options, SEXP rhs,
                           SEXP control)
{
    propagation g = {read_graph(weights), NULL, list_real(options, "a"), NULL,
                     (size_t)Rf_ncols(rhs), list_real(options, "steps")};
    g.root = reals_of(root, g.graph.n);
    g.rhs = reals_of(rhs, g.graph.n * g.count);
    SEXP out = PROTECT(NEW_LIST("columns", "unfinished", "longest"));
    propagated done =
        solve_propagation(&g, read_control(control),
                          set_real_matrix(out, 0, g.graph.n, g.count));
    SET_VECTOR_ELT(out, 1, Rf_ScalarReal((double)done.unfinished));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(done.longest));
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
    run_control c = read_control(control);
    product_task t = {.product = pack_product(REAL(h), REAL(y),
                                              (size_t)Rf_nrows(h),
                                              (size_t)Rf_ncols(h)),
                      .strong = {.both = list_int(options, "both")}};
    size_t count = count_strong(&t, &c);
    SEXP out = PROTECT(NEW_LIST("tau", "count", "first", "second", "value"));
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

/* ==== spectra ============================================================= */

/* ---- readers ------------------------------------------------------------- */

/* Products with a Laplacian in one run: most runs take tens. */
static const double USUAL_PRODUCTS = 20.0;

/* list(weights, degree, first, second, delta, control) as laplacian_model() in
 * R makes it: samples of edits are numbered from 0. */
static lr_laplacian read_laplacian(SEXP model)
{
    lr_laplacian l = {.graph = read_graph(list_element(model, "weights"))};
    l.degree = list_reals(model, "degree", l.graph.n);
    l.n_edits = (size_t)Rf_xlength(list_element(model, "first"));
    l.first = list_places(model, "first", l.n_edits, 0, l.graph.n);
    l.second = list_places(model, "second", l.n_edits, 0, l.graph.n);
    l.delta = list_reals(model, "delta", l.n_edits);
    run_control control = read_control(list_element(model, "control"));
    size_t stored = l.graph.row ? (size_t)l.graph.start[l.graph.n]
                                : l.graph.n * l.graph.n;
    l.team = team_size(&control, USUAL_PRODUCTS * (double)stored);
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
        .laplacian = read_laplacian(model),
        .control = read_control(list_element(model, "control")),
        .has_inverse = !Rf_isNull(inverse),
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

/* The lower Cholesky factor of L - sigma I + ridge 11' (the upper triangle is
 * left as it is); NULL when it is not positive definite. */
SEXP r_shifted_factor(SEXP model, SEXP sigma, SEXP ridge)
{
    lr_laplacian l = read_laplacian(model);
    int n = (int)l.graph.n, info = 0;
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, n, n));
    lr_shifted_laplacian(&l, Rf_asReal(sigma), Rf_asReal(ridge), REAL(out));
    F77_CALL(dpotrf)("L", &n, REAL(out), &n, &info FCONE);
    UNPROTECT(1);
    return info == 0 ? out : R_NilValue;
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

/* The eigenvectors of the largest eigenvalues: list(values, vectors, residuals,
 * steps, failed). The operator is that of lr_chebyshev with a `root`, and L
 * times -1 with option `laplacian` (root: 1), else `inverse`. deflate:
 * orthonormal columns; start: NULL or a unit vector; options: list(wanted,
 * steps, laplacian, accuracy: the four numbers of lr_accuracy). failed: some
 * have not the accuracy. */
SEXP r_lanczos(SEXP model, SEXP inverse, SEXP root, SEXP deflate, SEXP start,
               SEXP options)
{
    spectral_context c = read_context(model, inverse, deflate);
    size_t n = c.laplacian.graph.n;
    c.root = real_or_null(root, n);
    const double *a = list_reals(options, "accuracy", 4);
    spectral_options o = {
        list_size(options, "wanted"), list_size(options, "steps"),
        list_int(options, "laplacian"), {a[0], a[1], a[2], a[3]},
        real_or_null(start, n)};
    eigenvectors found = graph_vectors(&c, &o);
    SEXP out = PROTECT(NEW_LIST("values", "vectors", "residuals", "steps",
                                "failed"));
    memcpy(set_reals(out, 0, found.count), found.values,
           found.count * sizeof(double));
    memcpy(set_real_matrix(out, 1, n, found.count), found.vectors,
           n * found.count * sizeof(double));
    memcpy(set_reals(out, 2, found.count), found.residuals,
           found.count * sizeof(double));
    SET_VECTOR_ELT(out, 3, Rf_ScalarInteger((int)found.steps));
    SET_VECTOR_ELT(out, 4, Rf_ScalarLogical(found.excess > 1.0));
    UNPROTECT(1);
    return out;
}

/* The part of sum_p v_p v_p(entry) / (value - lambda_p) that is orthogonal to
 * the deflate columns, above which all lambda_p are: list(g, converged).
 * entry: from 1; sigma: the shift of the inverse. */
SEXP r_resolvent(SEXP model, SEXP inverse, SEXP sigma, SEXP deflate,
                 SEXP value, SEXP entry)
{
    spectral_context c = read_context(model, inverse, deflate);
    /* checked before 1 is taken off, which would overflow for NA */
    int place = Rf_asInteger(entry);
    check_places(&place, 1, 1, c.laplacian.graph.n + 1);
    SEXP out = PROTECT(NEW_LIST("g", "converged"));
    lr_status status =
        solve_resolvent(&c, Rf_asReal(value), Rf_asReal(sigma),
                        (size_t)place - 1,
                        set_reals(out, 0, c.laplacian.graph.n));
    SET_VECTOR_ELT(out, 1, Rf_ScalarLogical(status == LR_OK));
    UNPROTECT(1);
    return out;
}

/* The samples of the best pair, from 1; NULL when none is left.
 * v, g: n x q; used: sorted keys (see pair_key() in R); row: the sample whose
 * pairs count, from 1, or 0 for all. */
SEXP r_best_pair(SEXP v, SEXP g, SEXP used, SEXP row)
{
    lr_sensitivity s = {(size_t)Rf_nrows(v), (size_t)Rf_ncols(v),
                        reals_of(v, ANY_COUNT),
                        reals_of(g, (size_t)Rf_xlength(v)),
                        reals_of(used, ANY_COUNT), (size_t)Rf_xlength(used)};
    int from = Rf_asInteger(row);
    check_places(&from, 1, 0, s.n + 1);
    int first, second;
    if (!lr_best_pair(&s, from - 1, new_doubles(s.n), &first, &second))
        return R_NilValue;
    SEXP out = PROTECT(Rf_allocVector(INTSXP, 2));
    INTEGER(out)[0] = first + 1;
    INTEGER(out)[1] = second + 1;
    UNPROTECT(1);
    return out;
}

/* ==== correlations of features ============================================ */

/* Which places of `features` are kept: numbered from 1. */
SEXP r_keep_uncorrelated(SEXP data, SEXP scaling, SEXP features, SEXP most,
                         SEXP control)
{
    some_features f = read_features(data, scaling, features, control);
    int *keep = new_ints(f.count + 1);
    size_t kept = keep_uncorrelated(&f, Rf_asReal(most), keep);
    SEXP out = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)kept));
    for (size_t k = 0; k < kept; k++)
        INTEGER(out)[k] = keep[k] + 1;
    UNPROTECT(2);
    return out;
}

/* c(sum of r, sum of |r|) over the pairs of features. */
SEXP r_correlation_sums(SEXP data, SEXP scaling, SEXP features, SEXP control)
{
    some_features f = read_features(data, scaling, features, control);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, 2));
    sum_correlations(&f, REAL(out));
    UNPROTECT(2);
    return out;
}

/* ==== graphs of features ================================================== */

/* list(original, from, to, weight, kkt, nonzeros, rounds): features numbered
 * from 1, original 0 for a constant feature; the last three per feature. */
enum { ORIGINAL, KKT = 4, NONZEROS, ROUNDS };

static SEXP new_graph(const entering *e)
{
    SEXP out = PROTECT(NEW_LIST("original", "from", "to", "weight", "kkt",
                                "nonzeros", "rounds"));
    int *original = set_ints(out, ORIGINAL, e->p);
    double *kkt = set_reals(out, KKT, e->p);
    int *nonzeros = set_ints(out, NONZEROS, e->p);
    int *rounds = set_ints(out, ROUNDS, e->p);
    for (size_t j = 0; j < e->p; j++) {
        original[j] = e->original[j] + 1;
        kkt[j] = NA_REAL;
        nonzeros[j] = rounds[j] = NA_INTEGER;
    }
    UNPROTECT(1);
    return out;
}

/* part: list(number, parts), the targets to be coded here. */
SEXP r_sparse_graph(SEXP data, SEXP scaling, SEXP simplex, SEXP lambda,
                    SEXP part, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    entering e = read_entering(d);
    code_options options = {Rf_asLogical(simplex), Rf_asReal(lambda),
                            list_int(part, "number"), list_int(part, "parts")};
    check_fit(options.parts > 0);
    check_places(&options.part, 1, 1, (size_t)options.parts + 1);
    edge_list list = {.count = 0};
    SEXP out = PROTECT(new_graph(&e));
    code_report report = {REAL(VECTOR_ELT(out, KKT)),
                          INTEGER(VECTOR_ELT(out, NONZEROS)),
                          INTEGER(VECTOR_ELT(out, ROUNDS))};
    code_features(&e, &options, &list, &report);
    set_edges(out, &list);
    UNPROTECT(2);
    return out;
}

/* Of each feature the k most correlated ones. */
SEXP r_correlation_graph(SEXP data, SEXP scaling, SEXP k, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    entering e = read_entering(d);
    edge_list list = {.count = 0};
    SEXP out = PROTECT(new_graph(&e));
    correlate_features(&e, Rf_asReal(k), &list);
    set_edges(out, &list);
    UNPROTECT(2);
    return out;
}

/* ==== trees =============================================================== */

/* list(merge, height, order, components) from the lower triangle of a symmetric
 * sparse matrix: rows and columns, from 0, and weights of its entries.
 * copied: per feature the feature that it copies, from 0, or its own. The order
 * counts from 0. */
SEXP r_forest(SEXP row, SEXP column, SEXP weight, SEXP copied, SEXP top)
{
    size_t p = (size_t)Rf_xlength(copied), count = (size_t)Rf_xlength(row);
    SEXP out = PROTECT(NEW_LIST("merge", "height", "order", "components"));
    lr_tree tree = {set_int_matrix(out, 0, p - 1, 2), set_reals(out, 1, p - 1),
                    set_ints(out, 2, p)};
    lr_edges edges = {count, places_of(column, count, 0, p),
                      places_of(row, count, 0, p), reals_of(weight, count)};
    lr_ranked_edge *ranked =
        (lr_ranked_edge *)R_alloc(2 * count + 1, sizeof *ranked);
    SET_VECTOR_ELT(out, 3, Rf_ScalarInteger((int)lr_forest(
        p, &edges, places_of(copied, p, 0, p), Rf_asReal(top), &tree,
        new_ints(3 * p), ranked)));
    UNPROTECT(1);
    return out;
}
