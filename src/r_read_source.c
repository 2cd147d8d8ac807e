#include "r_entry.h"
#include "lr_threads.h"

/* In the order of data_layout. */
static const char *layout_names[] = {"columns", "rows", "sparse",
                                     "by sample", "reader"};

enum {
    BLOCK_BYTES = 16 << 20,
    SPARSE_FEATURES = 1024 /* of few samples: they are cheap to expand */
};

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

run_control default_control(void)
{
    return (run_control){.threads = 1, .level = LR_FASTEST};
}

int team_size(const run_control *control, double work)
{
    return lr_num_threads(control->threads, work, control->worthwhile);
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
    const double **out = (const double **)R_alloc(p, sizeof(double *));
    for (size_t j = 0; j < p; j++)
        out[j] = INTEGER(missing)[j] > 0 ? REAL(expected) + number++ * size
                                         : NULL;
    return out;
}

lr_scaling read_scaling(SEXP scaling)
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

data_layout read_layout(SEXP data)
{
    const char *name = CHAR(STRING_ELT(list_element(data, "layout"), 0));
    for (int i = LAYOUT_COLUMNS; i <= LAYOUT_READER; i++)
        if (strcmp(name, layout_names[i]) == 0)
            return (data_layout)i;
    Rf_error("internal error: no layout `%s`", name);
    return LAYOUT_COLUMNS;
}

int is_stored(data_layout layout)
{
    return layout == LAYOUT_SPARSE || layout == LAYOUT_BY_SAMPLE;
}

/* Are blocks parts of the matrix itself? */
static int is_direct(const feature_source *s)
{
    return s->layout == LAYOUT_COLUMNS && TYPEOF(s->values) == REALSXP;
}

feature_source source_open(SEXP data, int whole)
{
    feature_source s = {.data = data, .values = list_element(data, "values"),
                        .layout = read_layout(data),
                        .n = list_size(data, "n"), .p = list_size(data, "p"),
                        .block = R_NilValue};
    s.per_block = BLOCK_BYTES / sizeof(double) / s.n;
    if (s.layout == LAYOUT_READER)
        s.per_block = list_size(data, "block");
    if (is_stored(s.layout) && s.per_block > SPARSE_FEATURES)
        s.per_block = SPARSE_FEATURES;
    if (is_direct(&s) && whole)
        s.per_block = s.p;
    s.per_block = smaller(s.per_block, s.p);
    if (s.per_block < 1)
        s.per_block = 1;
    PROTECT_WITH_INDEX(s.block, &s.index);
    return s;
}

void source_divide(feature_source *s, size_t parts)
{
    if (s->layout == LAYOUT_READER)
        return;
    s->per_block = s->per_block / parts > 0 ? s->per_block / parts : 1;
}

static double int_to_double(int v)
{
    return v == NA_INTEGER ? NA_REAL : (double)v;
}

static void copy_columns(const feature_source *s, size_t first, size_t count)
{
    const int *p_values = INTEGER(s->values) + first * s->n;
    for (size_t i = 0; i < s->n * count; i++)
        s->buffer[i] = int_to_double(p_values[i]);
}

/* Features are rows here, as Bioconductor has it: transposed in small squares,
 * so that both sides stay in cache. */
static void copy_rows(const feature_source *s, size_t first, size_t count)
{
    enum { SIDE = 32 };
    int is_double = TYPEOF(s->values) == REALSXP;
    const double *p_real = is_double ? REAL(s->values) + first : NULL;
    const int *p_int = is_double ? NULL : INTEGER(s->values) + first;
    for (size_t i0 = 0; i0 < s->n; i0 += SIDE)
        for (size_t j0 = 0; j0 < count; j0 += SIDE)
            for (size_t i = i0; i < i0 + SIDE && i < s->n; i++)
                for (size_t j = j0; j < j0 + SIDE && j < count; j++)
                    s->buffer[i + j * s->n] =
                        is_double ? p_real[j + i * s->p]
                                  : int_to_double(p_int[j + i * s->p]);
}

/* ---- sparse data sample by sample ------------------------------------------ */

static lr_sample_cells read_columns(SEXP matrix)
{
    const int *extent = INTEGER(R_do_slot(matrix, Rf_install("Dim")));
    return (lr_sample_cells){(size_t)extent[1], (size_t)extent[0],
                             INTEGER(R_do_slot(matrix, Rf_install("p"))),
                             INTEGER(R_do_slot(matrix, Rf_install("i"))),
                             REAL(R_do_slot(matrix, Rf_install("x")))};
}

const lr_sample_cells *sample_cells(SEXP data, lr_sample_cells *storage)
{
    if (read_layout(data) != LAYOUT_BY_SAMPLE)
        return NULL;
    *storage = read_columns(list_element(data, "values"));
    return storage;
}

/* list(i, x, p): the slots of the transposed dgCMatrix. */
SEXP r_transpose_samples(SEXP matrix)
{
    const char *names[] = {"i", "x", "p", ""};
    lr_sample_cells c = read_columns(matrix);
    size_t count = (size_t)c.start[c.n];
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    int *row = set_ints(out, 0, count);
    double *value = set_reals(out, 1, count);
    int *start = set_ints(out, 2, c.p + 1);
    int *scratch = new_ints(c.p + c.n + 1);
    lr_transpose_cells(&c, 0, c.n, start, row, value, scratch,
                       scratch + c.p + 1);
    UNPROTECT(1);
    return out;
}

/* list(i, x): the slots of matrices of the same rows side by side. */
SEXP r_bind_samples(SEXP blocks)
{
    const char *names[] = {"i", "x", ""};
    size_t count = 0, at = 0;
    for (R_xlen_t b = 0; b < Rf_xlength(blocks); b++) {
        lr_sample_cells c = read_columns(VECTOR_ELT(blocks, b));
        count += (size_t)c.start[c.n];
    }
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    int *row = set_ints(out, 0, count);
    double *value = set_reals(out, 1, count);
    for (R_xlen_t b = 0; b < Rf_xlength(blocks); b++) {
        lr_sample_cells c = read_columns(VECTOR_ELT(blocks, b));
        size_t cells = (size_t)c.start[c.n];
        memcpy(row + at, c.feature, cells * sizeof(int));
        memcpy(value + at, c.value, cells * sizeof(double));
        at += cells;
    }
    UNPROTECT(1);
    return out;
}

/* ---- features in blocks ----------------------------------------------------- */

const lr_sparse_tile *stored_cells(SEXP data, lr_sparse_tile *storage)
{
    data_layout layout = read_layout(data);
    if (!is_stored(layout))
        return NULL;
    /* samples x features of samples: a promise, whose first use makes the copy
     * that `data` keeps */
    SEXP values = layout == LAYOUT_SPARSE
        ? list_element(data, "values")
        : Rf_eval(Rf_install("values"), list_element(data, "transposed"));
    *storage = (lr_sparse_tile){
        .count = list_size(data, "n"),
        .start = INTEGER(R_do_slot(values, Rf_install("p"))),
        .row = INTEGER(R_do_slot(values, Rf_install("i"))),
        .value = REAL(R_do_slot(values, Rf_install("x")))};
    return storage;
}

static void copy_sparse(const feature_source *s, size_t first, size_t count)
{
    lr_sparse_tile t;
    stored_cells(s->data, &t);
    memset(s->buffer, 0, s->n * count * sizeof(double));
    for (size_t j = 0; j < count; j++)
        for (int e = t.start[first + j]; e < t.start[first + j + 1]; e++)
            s->buffer[(size_t)t.row[e] + j * s->n] = t.value[e];
}

/* Calls the R function values(first, count), which returns samples x features
 * as a double matrix. */
static const double *call_reader(feature_source *s, size_t first, size_t count)
{
    SEXP p_first = PROTECT(Rf_ScalarReal((double)(first + 1)));
    SEXP p_count = PROTECT(Rf_ScalarReal((double)count));
    SEXP call = PROTECT(Rf_lang3(s->values, p_first, p_count));
    s->block = Rf_eval(call, R_GlobalEnv);
    REPROTECT(s->block, s->index);
    UNPROTECT(3);
    if (TYPEOF(s->block) != REALSXP
        || (size_t)Rf_xlength(s->block) != s->n * count)
        Rf_error("internal error: the reader returned another size");
    return REAL(s->block);
}

lr_block source_block(feature_source *s, size_t first)
{
    size_t count = smaller(s->p - first, s->per_block);
    if (!s->buffer && !is_direct(s) && s->layout != LAYOUT_READER)
        s->buffer = new_doubles(s->n * s->per_block);
    lr_block b = {s->buffer, s->n, s->n, first, count};
    switch (s->layout) {
    case LAYOUT_COLUMNS:
        if (s->buffer)
            copy_columns(s, first, count);
        else
            b.values = REAL(s->values) + first * s->n;
        break;
    case LAYOUT_ROWS:
        copy_rows(s, first, count);
        break;
    case LAYOUT_SPARSE:
    case LAYOUT_BY_SAMPLE:
        copy_sparse(s, first, count);
        break;
    case LAYOUT_READER:
        b.values = call_reader(s, first, count);
        break;
    }
    return b;
}
