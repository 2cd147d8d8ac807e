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
    lr_edges edges = {count, INTEGER(column), INTEGER(row), REAL(weight)};
    int *ints = new_ints(lr_forest_ints(p, count));
    unsigned long long *keys = (unsigned long long *)R_alloc(
        lr_forest_keys(count) + 1, sizeof(unsigned long long));
    size_t components =
        lr_forest(p, &edges, INTEGER(copied), Rf_asReal(top), &tree, ints, keys);
    SET_VECTOR_ELT(out, 3, Rf_ScalarInteger((int)components));
    UNPROTECT(1);
    return out;
}

/* Clusters after the first `count` merges of a tree. */
SEXP r_cut_tree(SEXP merge, SEXP count)
{
    size_t p = (size_t)Rf_xlength(merge) / 2 + 1;
    SEXP out = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)p));
    int *scratch = new_ints(2 * p);
    lr_cut_tree(p, INTEGER(merge), (size_t)Rf_asInteger(count), INTEGER(out),
                scratch);
    UNPROTECT(1);
    return out;
}
