/* Readers that convert R objects into the kernels' structs, and results that
 * are filled in. */
#include "r_entry.h"

#include <limits.h>

/* ---- elements of lists --------------------------------------------------- */

void check_fit(int fits)
{
    if (!fits)
        Rf_error("internal error: the parts of an object do not fit together");
}

void check_places(const int *numbers, size_t count, int lower, size_t end)
{
    int fits = 1;
    for (size_t i = 0; i < count; i++)
        fits &= numbers[i] >= lower && (double)numbers[i] < (double)end;
    check_fit(fits);
}

SEXP list_element_or_null(SEXP list, const char *name)
{
    SEXP names = Rf_getAttrib(list, R_NamesSymbol);
    if (TYPEOF(list) != VECSXP || TYPEOF(names) != STRSXP)
        return NULL;
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
    double size = list_real(list, name);
    check_fit(size >= 0.0 && size < 9007199254740992.0); /* not NaN */
    return (size_t)size;
}

int *ints_of(SEXP x, size_t count)
{
    check_fit((TYPEOF(x) == INTSXP || TYPEOF(x) == LGLSXP)
              && (count == ANY_COUNT || (size_t)Rf_xlength(x) == count));
    return INTEGER(x);
}

double *reals_of(SEXP x, size_t count)
{
    check_fit(TYPEOF(x) == REALSXP
              && (count == ANY_COUNT || (size_t)Rf_xlength(x) == count));
    return REAL(x);
}

int *int_or_null(SEXP x, size_t count)
{
    return Rf_isNull(x) ? NULL : ints_of(x, count);
}

double *real_or_null(SEXP x, size_t count)
{
    return Rf_isNull(x) ? NULL : reals_of(x, count);
}

int *list_ints(SEXP list, const char *name, size_t count)
{
    return ints_of(list_element(list, name), count);
}

double *list_reals(SEXP list, const char *name, size_t count)
{
    return reals_of(list_element(list, name), count);
}

int *places_of(SEXP x, size_t count, int lower, size_t end)
{
    int *numbers = ints_of(x, count);
    check_places(numbers, (size_t)Rf_xlength(x), lower, end);
    return numbers;
}

int *list_places(SEXP list, const char *name, size_t count, int lower,
                 size_t end)
{
    return places_of(list_element(list, name), count, lower, end);
}

int *list_starts(SEXP list, const char *name, size_t count, size_t total)
{
    int *start = list_ints(list, name, count + 1);
    int fits = start[0] == 0 && (size_t)start[count] == total;
    for (size_t i = 0; i < count; i++)
        fits &= start[i] <= start[i + 1];
    check_fit(fits);
    return start;
}

int *set_ints(SEXP list, int at, size_t count)
{
    return INTEGER(SET_VECTOR_ELT(list, at,
                                  Rf_allocVector(INTSXP, (R_xlen_t)count)));
}

double *set_reals(SEXP list, int at, size_t count)
{
    return REAL(SET_VECTOR_ELT(list, at,
                               Rf_allocVector(REALSXP, (R_xlen_t)count)));
}

int *set_int_matrix(SEXP list, int at, size_t rows, size_t columns)
{
    return INTEGER(SET_VECTOR_ELT(
        list, at, Rf_allocMatrix(INTSXP, (int)rows, (int)columns)));
}

double *set_real_matrix(SEXP list, int at, size_t rows, size_t columns)
{
    return REAL(SET_VECTOR_ELT(
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

int *zero_based(SEXP numbers, size_t most)
{
    size_t n = (size_t)Rf_xlength(numbers);
    const int *p_numbers = places_of(numbers, n, 1, most + 1);
    int *out = new_ints(n + 1);
    for (size_t i = 0; i < n; i++)
        out[i] = p_numbers[i] - 1;
    return out;
}

const int *read_classes(SEXP codes, size_t n, size_t n_classes)
{
    const int *p_codes = ints_of(codes, n);
    int *out = new_ints(n);
    for (size_t i = 0; i < n; i++)
        out[i] = p_codes[i] == NA_INTEGER ? -1
               : p_codes[i] < 1           ? NA_INTEGER
                                          : p_codes[i] - 1;
    check_places(out, n, -1, n_classes);
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

static lr_scaling read_scaling(SEXP scaling, size_t n, size_t p)
{
    SEXP class_of = list_element(scaling, "class_of");
    size_t classes = list_size(scaling, "classes");
    return (lr_scaling){
        .center = list_reals(scaling, "center", p),
        .divisor = list_reals(scaling, "divisor", p),
        .category = list_ints(scaling, "category", p),
        .missing = list_ints(scaling, "missing", p),
        .class_of =
            Rf_isNull(class_of) ? NULL : places_of(class_of, n, -1, classes),
        .n_classes = classes,
        .ramp = real_or_null(list_element(scaling, "ramp"), 2),
        .step = real_or_null(list_element(scaling, "step"), p)};
}

const lr_links *read_links(SEXP links, size_t n, lr_links *storage)
{
    if (Rf_isNull(links))
        return NULL;
    size_t count = list_size(links, "count");
    size_t against = (size_t)Rf_xlength(list_element(links, "against"));
    *storage = (lr_links){
        .component = list_places(links, "component", n, 0, count),
        .member_start = list_starts(links, "member_start", count, n),
        .member = list_places(links, "member", n, 0, n),
        .against_start = list_starts(links, "against_start", count, against),
        .against = list_places(links, "against", against, 0, count),
        .side = int_or_null(list_element(links, "side"), count)};
    return storage;
}

/* A slot of a dgCMatrix. */
static SEXP slot_of(SEXP matrix, const char *name)
{
    check_fit(Rf_inherits(matrix, "dgCMatrix"));
    return R_do_slot(matrix, Rf_install(name));
}

lr_graph read_graph(SEXP weights)
{
    lr_graph g = {.start = NULL};
    if (Rf_isMatrix(weights)) {
        g.n = (size_t)Rf_nrows(weights);
        g.weight = reals_of(weights, g.n * g.n);
        return g;
    }
    lr_sample_cells c = read_fitting(weights);
    check_fit(c.n == c.p);
    return (lr_graph){c.n, c.start, c.feature, c.value};
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
    const int *extent = ints_of(slot_of(matrix, "Dim"), 2);
    check_fit(extent[0] >= 0 && extent[1] >= 0);
    SEXP row = slot_of(matrix, "i");
    lr_sample_cells c = {(size_t)extent[1], (size_t)extent[0],
                         ints_of(slot_of(matrix, "p"), (size_t)extent[1] + 1),
                         ints_of(row, ANY_COUNT),
                         reals_of(slot_of(matrix, "x"),
                                  (size_t)Rf_xlength(row))};
    check_fit(c.start[0] == 0 && c.start[c.n] == Rf_xlength(row));
    return c;
}

lr_sample_cells read_fitting(SEXP matrix)
{
    lr_sample_cells c = read_columns(matrix);
    check_fit(lr_columns_fit(c.start, c.n, c.feature, (size_t)c.start[c.n],
                             c.p));
    return c;
}

feature_data *read_data(SEXP data, SEXP scaling, SEXP control)
{
    SEXP values = list_element(data, "values");
    feature_data *d = zero_structs(1, sizeof(feature_data));
    *d = (feature_data){.n = list_size(data, "n"), .p = list_size(data, "p"),
                        .layout = read_layout(data), .missing = NA_REAL,
                        .host = data};
    check_fit(d->n > 0 && d->p > 0 && d->n <= INT_MAX && d->p <= INT_MAX);
    SEXP stored = list_element_or_null(data, "stored");
    if (d->layout == LAYOUT_READER) {
        d->per_call = list_size(data, "block");
        check_fit(d->per_call > 0);
        if (stored && stored != R_NilValue)
            d->layout = LAYOUT_MAPPED;
    } else if (d->layout == LAYOUT_BY_SAMPLE) {
        d->samples = read_columns(values);
        check_fit(d->samples.n == d->n && d->samples.p == d->p);
    } else if (d->layout == LAYOUT_SPARSE) {
        lr_sample_cells c = read_columns(values);
        check_fit(c.n == d->p && c.p == d->n);
    } else if (TYPEOF(values) == REALSXP) {
        d->values = reals_of(values, d->n * d->p);
    } else {
        d->integers = ints_of(values, d->n * d->p);
    }
    if (control)
        d->control = read_control(control);
    if (scaling) {
        SEXP expected = list_element(scaling, "expected");
        d->scaling = read_scaling(scaling, d->n, d->p);
        if (!Rf_isNull(expected))
            d->scaling.expected =
                expected_places(d, reals_of(expected, expected_size(d)));
        d->minimum = list_reals(data, "minimum", d->p);
        d->maximum = list_reals(data, "maximum", d->p);
    }
    PROTECT_WITH_INDEX(R_NilValue, &d->slot);
    return d;
}

some_features read_features(SEXP data, SEXP scaling, SEXP features,
                            SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    size_t count = (size_t)Rf_xlength(features);
    return (some_features){d, places_of(features, count, 1, d->p + 1), count};
}
