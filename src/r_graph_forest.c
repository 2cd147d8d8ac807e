#include "graph_forest.h"
#include "r_entry.h"

/* list(merge, height, order, components) from the lower triangle of a symmetric
 * sparse matrix: rows and columns, from 0, and weights of its entries.
 * copied: per feature the feature that it copies, from 0, or its own. The order
 * counts from 0. */
SEXP r_forest(SEXP row, SEXP column, SEXP weight, SEXP copied, SEXP top)
{
    const char *names[] = {"merge", "height", "order", "components", ""};
    size_t p = (size_t)Rf_xlength(copied), count = (size_t)Rf_xlength(row);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    lr_tree tree = {set_int_matrix(out, 0, p - 1, 2), set_reals(out, 1, p - 1),
                    set_ints(out, 2, p)};
    lr_edges edges = {count, places_of(column, count, 0, p),
                      places_of(row, count, 0, p), reals_of(weight, count)};
    int *ints = new_ints(lr_forest_ints(p, count));
    unsigned long long *keys = (unsigned long long *)R_alloc(
        lr_forest_keys(count) + 1, sizeof(unsigned long long));
    SET_VECTOR_ELT(out, 3, Rf_ScalarInteger((int)lr_forest(
        p, &edges, places_of(copied, p, 0, p), Rf_asReal(top), &tree, ints,
        keys)));
    UNPROTECT(1);
    return out;
}

/* Clusters after the first `count` merges of a tree. */
SEXP r_cut_tree(SEXP merge, SEXP count)
{
    size_t p = (size_t)Rf_xlength(merge) / 2 + 1;
    SEXP out = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)p));
    const int *p_merge = ints_of(merge, 2 * (p - 1));
    int *scratch = new_ints(2 * p), merges = Rf_asInteger(count);
    check_places(&merges, 1, 0, p);
    /* a merge is of features and earlier merges */
    for (size_t at = 0; at < 2 * (p - 1); at++) {
        check_places(p_merge + at, 1, -(int)p, at % (p - 1) + 1);
        check_fit(p_merge[at] != 0);
    }
    lr_cut_tree(p, p_merge, (size_t)merges, INTEGER(out), scratch);
    UNPROTECT(1);
    return out;
}
