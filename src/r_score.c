/* Entries of scores; readers of their quadratic forms. */
#include "r_entry.h"
#include "score_walk.h"

static lr_classes read_class_form(SEXP list, size_t n)
{
    size_t n_classes = list_size(list, "n_classes");
    return (lr_classes){
        .n = n, .n_classes = n_classes,
        .class_of = read_classes(list_element(list, "class_of"), n, n_classes),
        .coefficient = list_reals(list, "coefficient", n_classes)};
}

static form read_form(SEXP list, size_t n)
{
    form f = {.kind = list_int(list, "kind")};
    if (f.kind == GRAPH)
        f.graph = read_graph(list_element(list, "graph"));
    else if (f.kind == SCATTER)
        f.scatter = (lr_scatter){
            .n = n, .weight = real_or_null(list_element(list, "weight"), n),
            .center = real_or_null(list_element(list, "center"), ANY_COUNT)};
    else
        f.classes = read_class_form(list, n);
    if (f.kind == DIFFERENT)
        f.weight = list_reals(list, "weight", ANY_COUNT);
    return f;
}

/* A matrix, features x forms. forms: see R/graph-spectral.R */
SEXP r_quadratic_forms(SEXP data, SEXP scaling, SEXP forms, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    size_t n_forms = (size_t)Rf_xlength(forms);
    form *f = lr_allocate(n_forms, sizeof(form));
    for (size_t i = 0; i < n_forms; i++)
        f[i] = read_form(VECTOR_ELT(forms, (R_xlen_t)i), d->n);
    size_t columns = complete_forms(f, n_forms);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)d->p, (int)columns));
    memset(REAL(out), 0, d->p * columns * sizeof(double));
    sum_forms(d, f, n_forms, REAL(out));
    UNPROTECT(2);
    return out;
}

/* Of each pair of samples (numbers from 0): the sum over features of the
 * squared difference, or of the product. */
SEXP r_pair_sums(SEXP data, SEXP scaling, SEXP first, SEXP second,
                 SEXP products, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    SEXP out = PROTECT(Rf_allocVector(REALSXP, Rf_xlength(first)));
    size_t count = (size_t)Rf_xlength(first);
    pair_sums sums = {places_of(first, count, 0, d->n),
                      places_of(second, count, 0, d->n), count, REAL(out),
                      Rf_asLogical(products)};
    memset(sums.value, 0, sums.count * sizeof(double));
    sum_pairs(d, &sums);
    UNPROTECT(2);
    return out;
}
