/* Entries of nearest-neighbour predictions. */
#include <limits.h>

#include "evaluate_walk.h"
#include "r_entry.h"

static lr_nearest_task read_task(SEXP cells, SEXP known, SEXP k)
{
    SEXP train = list_element(cells, "train");
    SEXP test = list_element(cells, "test");
    SEXP counts = list_element(cells, "counts");
    SEXP label = list_element_or_null(known, "label");
    SEXP y = list_element_or_null(known, "y");
    lr_nearest_task t = {
        .train = reals_of(train, ANY_COUNT), .test = reals_of(test, ANY_COUNT),
        .n_train = (size_t)Rf_nrows(train), .n_test = (size_t)Rf_nrows(test),
        .counts = places_of(counts, ANY_COUNT, 1, (size_t)Rf_ncols(train) + 1),
        .n_counts = (size_t)Rf_xlength(counts),
        .k = (size_t)Rf_asInteger(k)};
    if (label && !Rf_isNull(label)) {
        t.n_classes = list_size(known, "classes");
        t.label = places_of(label, t.n_train, 0, t.n_classes);
        t.truth = list_places(known, "truth", t.n_test, -1, INT_MAX);
    } else if (y && !Rf_isNull(y)) {
        t.y = reals_of(y, t.n_train);
    }
    return t;
}

/* cells: list(train, test, counts), scaled samples x features in the order of
 * the ranking and ascending numbers of features. known: list(label, truth,
 * classes, shares), classes from 0 and whether the shares of the votes are
 * returned, or list(y), or an empty list. k: votes.
 * list(result, mass, shares): test samples x counts, classes x counts, and NULL
 * or test samples x classes x counts; see evaluate_nearest.h. */
SEXP r_nearest_along(SEXP cells, SEXP known, SEXP k, SEXP control)
{
    lr_nearest_task t = read_task(cells, known, k);
    SEXP out = PROTECT(NEW_LIST("result", "mass", "shares"));
    double *result = set_real_matrix(out, 0, t.n_test, t.n_counts);
    double *mass = set_real_matrix(out, 1, t.n_classes, t.n_counts);
    double *shares = NULL;
    SEXP wanted = list_element_or_null(known, "shares");
    if (wanted && Rf_asLogical(wanted) == TRUE) {
        size_t cells_of_shares = t.n_test * t.n_classes * t.n_counts;
        SET_VECTOR_ELT(out, 2, Rf_alloc3DArray(REALSXP, (int)t.n_test,
                                               (int)t.n_classes,
                                               (int)t.n_counts));
        shares = REAL(VECTOR_ELT(out, 2));
        memset(shares, 0, cells_of_shares * sizeof(double));
    }
    nearest_along(&t, read_control(control), result, shares, mass);
    UNPROTECT(1);
    return out;
}
