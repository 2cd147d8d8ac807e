/* Readers that convert R objects into the kernels' structs, and results that
 * are filled in. */
#include "r_entry.h"

/* ---- elements of lists --------------------------------------------------- */

SEXP list_element_or_null(SEXP list, const char *name)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    for (R_xlen_t i = 0; i < Rf_xlength(list); i++)
        if (strcmp(CHAR(STRING_ELT(names, i)), name) == 0)
            return VECTOR_ELT(list, i);
    return NULL;
}

SEXP list_element(SEXP list, const char *name)
{
    SEXP element = list_element_or_null(list, name);
    if (!element)
        Rf_error("internal error: no element `%s`", name);
    return element;
}

int list_int(SEXP list, const char *name)
{
    return Rf_asInteger(list_element(list, name));
}

double list_real(SEXP list, const char *name)
{
    return Rf_asReal(list_element(list, name));
}

size_t list_size(SEXP list, const char *name)
{
    return (size_t)list_real(list, name);
}

int *int_or_null(SEXP x)
{
    return Rf_isNull(x) ? NULL : INTEGER(x);
}

double *real_or_null(SEXP x)
{
    return Rf_isNull(x) ? NULL : REAL(x);
}

int *list_ints(SEXP list, const char *name)
{
    return INTEGER(list_element(list, name));
}

double *list_reals(SEXP list, const char *name)
{
    return REAL(list_element(list, name));
}

static SEXP set_element(SEXP list, int at, SEXP value)
{
    SET_VECTOR_ELT(list, at, value);
    return value;
}

int *set_ints(SEXP list, int at, size_t count)
{
    return INTEGER(set_element(list, at,
                               Rf_allocVector(INTSXP, (R_xlen_t)count)));
}

double *set_reals(SEXP list, int at, size_t count)
{
    return REAL(set_element(list, at,
                            Rf_allocVector(REALSXP, (R_xlen_t)count)));
}

int *set_int_matrix(SEXP list, int at, size_t rows, size_t columns)
{
    return INTEGER(set_element(
        list, at, Rf_allocMatrix(INTSXP, (int)rows, (int)columns)));
}

double *set_real_matrix(SEXP list, int at, size_t rows, size_t columns)
{
    return REAL(set_element(
        list, at, Rf_allocMatrix(REALSXP, (int)rows, (int)columns)));
}

void set_members(SEXP list, const void *structs, size_t p, int count,
                 size_t members)
{
    for (int i = 0; i < count; i++) {
        const double *member = (const double *)structs + i;
        double *out = set_reals(list, i, p);
        for (size_t j = 0; j < p; j++)
            out[j] = member[j * members];
    }
}

int *zero_based(SEXP numbers)
{
    R_xlen_t n = Rf_xlength(numbers);
    const int *p_numbers = INTEGER(numbers);
    int *out = new_ints((size_t)n + 1);
    for (R_xlen_t i = 0; i < n; i++)
        out[i] = p_numbers[i] - 1;
    return out;
}

const int *read_classes(SEXP codes)
{
    R_xlen_t n = Rf_xlength(codes);
    int *out = new_ints((size_t)n);
    for (R_xlen_t i = 0; i < n; i++) {
        int code = INTEGER(codes)[i];
        out[i] = code == NA_INTEGER ? -1 : code - 1;
    }
    return out;
}

run_control read_control(SEXP control)
{
    /* capped here already, since scratch is allocated per thread */
    return (run_control){
        .threads = lr_most_threads(list_int(control, "threads"),
                                   list_int(control, "processors")),
        .worthwhile = list_real(control, "worthwhile"),
        .level = list_int(control, "portable") ? LR_PORTABLE : LR_FASTEST,
        .progress = list_int(control, "progress"),
        .batch_bytes = list_real(control, "batch_bytes")};
}

SEXP r_most_threads(SEXP control)
{
    return Rf_ScalarInteger(read_control(control).threads);
}

SEXP r_threads_used(void)
{
    return Rf_ScalarInteger(lr_threads_used());
}

/* What r_expected_differences() made, feature by feature. */
static const double *const *read_expected(SEXP expected, SEXP missing)
{
    if (Rf_isNull(expected))
        return NULL;
    size_t p = (size_t)Rf_xlength(missing), gapped = 0, number = 0;
    for (size_t j = 0; j < p; j++)
        gapped += INTEGER(missing)[j] > 0;
    size_t size = ((size_t)Rf_xlength(expected) - LR_BEHIND) / gapped;
    const double **out = (const double **)lr_allocate(p, sizeof(double *));
    for (size_t j = 0; j < p; j++)
        out[j] = INTEGER(missing)[j] > 0 ? REAL(expected) + number++ * size
                                         : NULL;
    return out;
}

static lr_scaling read_scaling(SEXP scaling)
{
    return (lr_scaling){
        .center = list_reals(scaling, "center"),
        .divisor = list_reals(scaling, "divisor"),
        .category = list_ints(scaling, "category"),
        .missing = list_ints(scaling, "missing"),
        .class_of = int_or_null(list_element(scaling, "class_of")),
        .n_classes = list_size(scaling, "classes"),
        .ramp = real_or_null(list_element(scaling, "ramp")),
        .step = real_or_null(list_element(scaling, "step")),
        .expected = read_expected(list_element(scaling, "expected"),
                                  list_element(scaling, "missing"))};
}

const lr_links *read_links(SEXP links, lr_links *storage)
{
    if (Rf_isNull(links))
        return NULL;
    *storage = (lr_links){
        .component = list_ints(links, "component"),
        .member_start = list_ints(links, "member_start"),
        .member = list_ints(links, "member"),
        .against_start = list_ints(links, "against_start"),
        .against = list_ints(links, "against"),
        .side = int_or_null(list_element(links, "side"))};
    return storage;
}

lr_graph read_graph(SEXP weights)
{
    if (Rf_isMatrix(weights))
        return (lr_graph){(size_t)Rf_nrows(weights), NULL, NULL, REAL(weights)};
    SEXP start = R_do_slot(weights, Rf_install("p"));
    return (lr_graph){(size_t)Rf_xlength(start) - 1, INTEGER(start),
                      INTEGER(R_do_slot(weights, Rf_install("i"))),
                      REAL(R_do_slot(weights, Rf_install("x")))};
}

/* ---- data ---------------------------------------------------------------- */

static data_layout read_layout(SEXP data)
{
    /* in the order of data_layout */
    static const char *names[] = {"columns", "rows", "sparse", "by sample",
                                  "reader"};
    const char *name = CHAR(STRING_ELT(list_element(data, "layout"), 0));
    for (int i = LAYOUT_COLUMNS; i <= LAYOUT_READER; i++)
        if (strcmp(name, names[i]) == 0)
            return (data_layout)i;
    Rf_error("internal error: no layout `%s`", name);
    return LAYOUT_COLUMNS;
}

lr_sample_cells read_columns(SEXP matrix)
{
    const int *extent = INTEGER(R_do_slot(matrix, Rf_install("Dim")));
    return (lr_sample_cells){(size_t)extent[1], (size_t)extent[0],
                             INTEGER(R_do_slot(matrix, Rf_install("p"))),
                             INTEGER(R_do_slot(matrix, Rf_install("i"))),
                             REAL(R_do_slot(matrix, Rf_install("x")))};
}

feature_data *read_data(SEXP data, SEXP scaling, SEXP control)
{
    SEXP values = list_element(data, "values");
    feature_data *d = (feature_data *)zero_structs(1, sizeof(feature_data));
    *d = (feature_data){.n = list_size(data, "n"), .p = list_size(data, "p"),
                        .layout = read_layout(data), .missing = NA_REAL,
                        .host = data};
    if (d->layout == LAYOUT_READER)
        d->per_call = list_size(data, "block");
    else if (d->layout == LAYOUT_BY_SAMPLE)
        d->samples = read_columns(values);
    else if (TYPEOF(values) == REALSXP)
        d->values = REAL(values);
    else if (d->layout != LAYOUT_SPARSE)
        d->integers = INTEGER(values);
    if (control)
        d->control = read_control(control);
    if (scaling) {
        d->scaling = read_scaling(scaling);
        d->minimum = list_reals(data, "minimum");
        d->maximum = list_reals(data, "maximum");
    }
    PROTECT_WITH_INDEX(R_NilValue, &d->slot);
    return d;
}

some_features read_features(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                            SEXP control)
{
    return (some_features){read_data(data, scaling, control), /* protects one */
                           REAL(fill), INTEGER(features),
                           (size_t)Rf_xlength(features)};
}

const lr_sparse_tile *stored_cells(const feature_data *d,
                                   lr_sparse_tile *storage)
{
    if (!is_stored(d))
        return NULL;
    /* samples x features of samples: a promise, whose first use makes the copy
     * that the data keep */
    SEXP data = (SEXP)d->host, values = d->layout == LAYOUT_SPARSE
        ? list_element(data, "values")
        : Rf_eval(Rf_install("values"), list_element(data, "transposed"));
    *storage = (lr_sparse_tile){
        .count = d->n, .start = INTEGER(R_do_slot(values, Rf_install("p"))),
        .row = INTEGER(R_do_slot(values, Rf_install("i"))),
        .value = REAL(R_do_slot(values, Rf_install("x")))};
    return storage;
}

/* Calls the R function values(first, count), which returns samples x features
 * as a double matrix. */
const double *call_reader(const feature_data *d, size_t first, size_t count)
{
    SEXP p_first = PROTECT(Rf_ScalarReal((double)(first + 1)));
    SEXP p_count = PROTECT(Rf_ScalarReal((double)count));
    SEXP call = PROTECT(Rf_lang3(list_element((SEXP)d->host, "values"),
                                 p_first, p_count));
    SEXP block = Rf_eval(call, R_GlobalEnv);
    REPROTECT(block, d->slot);
    UNPROTECT(3);
    if (TYPEOF(block) != REALSXP || (size_t)Rf_xlength(block) != d->n * count)
        Rf_error("internal error: the reader returned another size");
    return REAL(block);
}
