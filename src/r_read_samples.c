/* Sparse data in memory that hold the cells of a sample together: searches read
 * them as they are; walks over features read a transposed copy, which R makes when
 * it is first asked for. */
#include <string.h>

#include "r_entry.h"

static lr_sample_cells read_columns(SEXP matrix)
{
    const int *extent = INTEGER(R_do_slot(matrix, Rf_install("Dim")));
    lr_sample_cells c = {(size_t)extent[1], (size_t)extent[0],
                         INTEGER(R_do_slot(matrix, Rf_install("p"))),
                         INTEGER(R_do_slot(matrix, Rf_install("i"))),
                         REAL(R_do_slot(matrix, Rf_install("x")))};
    return c;
}

const lr_sample_cells *sample_cells(SEXP data, lr_sample_cells *storage)
{
    if (read_layout(data) != LAYOUT_BY_SAMPLE)
        return NULL;
    *storage = read_columns(list_element(data, "values"));
    return storage;
}

SEXP transposed_values(SEXP data)
{
    /* a promise: the first look makes the copy */
    return Rf_eval(Rf_install("values"), list_element(data, "transposed"));
}

/* list(i, x, p): the slots of the transposed dgCMatrix. */
SEXP r_transpose_samples(SEXP matrix)
{
    const char *names[] = {"i", "x", "p", ""};
    lr_sample_cells c = read_columns(matrix);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_allocVector(INTSXP, c.start[c.n]));
    SET_VECTOR_ELT(out, 1, Rf_allocVector(REALSXP, c.start[c.n]));
    SET_VECTOR_ELT(out, 2, Rf_allocVector(INTSXP, (R_xlen_t)c.p + 1));
    int *scratch = (int *)R_alloc(c.p + c.n + 1, sizeof(int));
    lr_transpose_cells(&c, 0, c.n, INTEGER(VECTOR_ELT(out, 2)),
                  INTEGER(VECTOR_ELT(out, 0)), REAL(VECTOR_ELT(out, 1)),
                  scratch, scratch + c.p + 1);
    UNPROTECT(1);
    return out;
}

/* Writes the cells of a dgCMatrix to i and x, in place, from element `at` on.
 */
SEXP r_put_cells(SEXP i, SEXP x, SEXP at, SEXP matrix)
{
    lr_sample_cells c = read_columns(matrix);
    size_t first = (size_t)Rf_asReal(at), count = (size_t)c.start[c.n];
    if (first + count > (size_t)Rf_xlength(i)
        || first + count > (size_t)Rf_xlength(x))
        Rf_error("internal error: no space for %.0f cells", (double)count);
    memcpy(INTEGER(i) + first, c.feature, count * sizeof(int));
    memcpy(REAL(x) + first, c.value, count * sizeof(double));
    return R_NilValue;
}
