/* Entries that read, scan and map data. */
#include "r_entry.h"
#include "read_files.h"

/* ==== data ================================================================ */

/* Do the slots of a dgCMatrix fit together? As its validity method asks, in a
 * tenth of the time; may be an error where they do not. */
SEXP r_columns_fit(SEXP matrix)
{
    lr_sample_cells c = read_fitting(matrix);
    SEXP names = R_do_slot(matrix, Rf_install("Dimnames"));
    int fit = TYPEOF(names) == VECSXP && Rf_xlength(names) == 2;
    for (int i = 0; fit && i < 2; i++) {
        SEXP side = VECTOR_ELT(names, i);
        fit = Rf_isNull(side)
            || (TYPEOF(side) == STRSXP
                && (size_t)Rf_xlength(side) == (i == 0 ? c.p : c.n));
    }
    return Rf_ScalarLogical(fit);
}

static int is_na(double x)
{
    return R_IsNA(x);
}

/* list(minimum, maximum, missing, bad, several), one entry a feature */
SEXP r_scan_features(SEXP data, SEXP control)
{
    feature_data *d = read_data(data, NULL, control); /* protects one */
    SEXP out = PROTECT(NEW_LIST("minimum", "maximum", "missing", "bad",
                                "several"));
    scan_features(d, is_na,
                  (feature_ranges){set_reals(out, 0, d->p),
                                   set_reals(out, 1, d->p),
                                   set_ints(out, 2, d->p),
                                   set_ints(out, 3, d->p),
                                   set_ints(out, 4, d->p)});
    UNPROTECT(2);
    return out;
}

/* ---- ranges of samples --------------------------------------------------- */

static lr_ranges read_ranges(SEXP scan)
{
    return (lr_ranges){REAL(VECTOR_ELT(scan, 0)), REAL(VECTOR_ELT(scan, 1)),
                       REAL(VECTOR_ELT(scan, 4)), INTEGER(VECTOR_ELT(scan, 2)),
                       INTEGER(VECTOR_ELT(scan, 3)),
                       INTEGER(VECTOR_ELT(scan, 6)),
                       LOGICAL(VECTOR_ELT(scan, 5))[0]};
}

static void scan_dense(lr_ranges *r, SEXP block, size_t p)
{
    size_t n = (size_t)Rf_ncols(block);
    const double *x = reals_of(block, n * p);
    for (size_t i = 0; i < n; i++)
        lr_scan_sample(r, NULL, x + i * p, p, is_na);
}

static void scan_sparse(lr_ranges *r, SEXP block, size_t p)
{
    lr_sample_cells c = read_fitting(block);
    check_fit(c.p == p);
    for (size_t i = 0, looked = 0; i < c.n; i++) {
        size_t from = (size_t)c.start[i], to = (size_t)c.start[i + 1];
        lr_scan_sample(r, c.feature + from, c.value + from, to - from, is_na);
        if (to - looked > (size_t)1 << 24) {
            lr_check_interrupt();
            looked = to;
        }
    }
}

/* The ranges `scan`, from empty_scan() in R or from here, with those of some
 * more samples: a dgCMatrix or double matrix, features x samples. n: how many
 * there are when these are the last, and then cells that no sample had are
 * zeros; else 0. */
SEXP r_scan_samples(SEXP block, SEXP scan, SEXP n)
{
    SEXP out = PROTECT(Rf_duplicate(scan));
    lr_ranges r = read_ranges(out);
    size_t p = (size_t)Rf_xlength(VECTOR_ELT(out, 0));
    if (Rf_isMatrix(block))
        scan_dense(&r, block, p);
    else
        scan_sparse(&r, block, p);
    lr_scan_zeros(&r, p, (size_t)Rf_asReal(n));
    LOGICAL(VECTOR_ELT(out, 5))[0] = r.whole;
    UNPROTECT(1);
    return out;
}

/* list(mean, deviation) of the observed cells, one entry a feature */
SEXP r_feature_moments(SEXP data, SEXP control)
{
    feature_data *d = read_data(data, NULL, control); /* protects one */
    SEXP out = PROTECT(NEW_LIST("mean", "deviation"));
    double *mean = set_reals(out, 0, d->p);
    feature_moments(d, mean, set_reals(out, 1, d->p));
    UNPROTECT(2);
    return out;
}

/* Per feature: do at least `least` of these samples (numbered from 1) differ
 * from their most frequent value? */
SEXP r_varied_features(SEXP data, SEXP samples, SEXP least, SEXP control)
{
    feature_data *d = read_data(data, NULL, control); /* protects one */
    SEXP out = PROTECT(Rf_allocVector(LGLSXP, (R_xlen_t)d->p));
    size_t count = (size_t)Rf_xlength(samples);
    find_varied(d, places_of(samples, count, 1, d->n + 1), count,
                Rf_asReal(least), LOGICAL(out));
    UNPROTECT(2);
    return out;
}

/* Some features (numbered from 1) as a samples x features double matrix. */
SEXP r_read_features(SEXP data, SEXP features)
{
    feature_data *d = read_data(data, NULL, NULL); /* protects one */
    R_xlen_t count = Rf_xlength(features);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)d->n, (int)count));
    copy_features(d, places_of(features, ANY_COUNT, 1, d->p + 1),
                  (size_t)count, 0, REAL(out));
    UNPROTECT(2);
    return out;
}

/* Scaled values of some samples: samples x features. */
SEXP r_read_samples(SEXP data, SEXP scaling, SEXP samples)
{
    feature_data *d = read_data(data, scaling, NULL); /* protects one */
    R_xlen_t count = Rf_xlength(samples);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)count, (int)d->p));
    scale_samples(d, places_of(samples, ANY_COUNT, 1, d->n + 1),
                  (size_t)count, REAL(out));
    UNPROTECT(2);
    return out;
}

/* ---- sparse data sample by sample ---------------------------------------- */

/* How many columns and cells matrices have together. */
static size_t count_blocks(SEXP blocks, size_t *cells)
{
    size_t n = 0;
    *cells = 0;
    for (R_xlen_t b = 0; b < Rf_xlength(blocks); b++) {
        lr_sample_cells c = read_columns(VECTOR_ELT(blocks, b));
        n += c.n;
        *cells += (size_t)c.start[c.n];
    }
    check_fit(*cells <= INT_MAX);
    return n;
}

static void bind_blocks(SEXP blocks, int *start, int *feature, double *value)
{
    start[0] = 0;
    for (R_xlen_t b = 0; b < Rf_xlength(blocks); b++) {
        lr_sample_cells c = read_columns(VECTOR_ELT(blocks, b));
        int at = start[0];
        size_t cells = (size_t)c.start[c.n];
        memcpy(feature + at, c.feature, cells * sizeof(int));
        memcpy(value + at, c.value, cells * sizeof(double));
        for (size_t i = 0; i <= c.n; i++)
            start[i] = at + c.start[i];
        start += c.n;
    }
}

/* list(i, x, p): the slots of matrices of the same rows side by side. */
SEXP r_bind_samples(SEXP blocks)
{
    size_t count, n = count_blocks(blocks, &count);
    SEXP out = PROTECT(NEW_LIST("i", "x", "p"));
    int *feature = set_ints(out, 0, count);
    double *value = set_reals(out, 1, count);
    bind_blocks(blocks, set_ints(out, 2, n + 1), feature, value);
    UNPROTECT(1);
    return out;
}

/* ==== files =============================================================== */

static const char *path_of(SEXP file)
{
    return R_ExpandFileName(Rf_translateChar(STRING_ELT(file, 0)));
}

SEXP r_file_kind(SEXP file)
{
    static const char *const words[] = {"absent", "file", "folder", "device"};
    return Rf_mkString(words[lr_kind_of_file(path_of(file))]);
}

/* NULL, or why it did not work. */
static SEXP reason(int wrong)
{
    return wrong == 0 ? R_NilValue : Rf_mkString(strerror(wrong));
}

SEXP r_write_file(SEXP file, SEXP bytes, SEXP add)
{
    return reason(lr_write_file(path_of(file), RAW(bytes),
                                (size_t)Rf_xlength(bytes), Rf_asLogical(add)));
}

SEXP r_sync_folder(SEXP folder)
{
    return reason(lr_sync_folder(path_of(folder)));
}

/* ---- the temporary file of stored cells ---------------------------------- */

static void unmap(SEXP map)
{
    if (R_ExternalPtrAddr(map))
        lr_unmap_file(R_ExternalPtrAddr(map),
                      (size_t)Rf_asReal(R_ExternalPtrTag(map)));
    R_ClearExternalPtr(map);
}

/* NULL where the file, which has so many bytes, cannot be memory; FALSE where
 * the row of an entry is none of `n`: 4 of its 12 bytes, behind all values. */
SEXP r_map_file(SEXP file, SEXP bytes, SEXP n)
{
    size_t count = (size_t)Rf_asReal(bytes) / 12;
    int end = Rf_asInteger(n);
    const void *at = lr_map_file(path_of(file), 12 * count);
    if (!at)
        return R_NilValue;
    const int *row = (const int *)((const double *)at + count);
    for (size_t k = 0; k < count; k++)
        if (row[k] < 0 || row[k] >= end) {
            lr_unmap_file(at, 12 * count);
            return Rf_ScalarLogical(FALSE);
        }
    SEXP map = PROTECT(R_MakeExternalPtr((void *)at, bytes, R_NilValue));
    R_RegisterCFinalizerEx(map, unmap, TRUE);
    UNPROTECT(1);
    return map;
}

SEXP r_unmap_file(SEXP map)
{
    unmap(map);
    return R_NilValue;
}

/* Is it memory still? Not so in another process. */
SEXP r_is_mapped(SEXP map)
{
    return Rf_ScalarLogical(TYPEOF(map) == EXTPTRSXP
                            && R_ExternalPtrAddr(map) != NULL);
}

/* Writes the cells of some samples (blocks of features x samples), of which
 * `first` are before, to their places in the file, feature by feature. start:
 * where the cells of each feature begin, and their number; next: where these
 * do. Returns this for the samples behind, or text why it could not. space: 3
 * numbers for each cell. */
SEXP r_place_cells(SEXP file, SEXP blocks, SEXP first, SEXP start, SEXP next,
                   SEXP space)
{
    size_t count, n = count_blocks(blocks, &count);
    size_t p = (size_t)Rf_xlength(next);
    const double *end = reals_of(start, p + 1) + 1;
    double *value = reals_of(space, ANY_COUNT), *read = value + count;
    check_fit((size_t)Rf_xlength(space) / 3 >= count);
    int *row = (int *)(read + count), *feature = row + count;
    int *begin = new_ints(n + 1), *own = new_ints(p + 1);
    bind_blocks(blocks, begin, feature, read);
    check_fit(lr_columns_fit(begin, n, feature, count, p));
    lr_sample_cells cells = {n, p, begin, feature, read};
    lr_transpose_cells(&cells, 0, n, own, row, value, new_ints(p + 1),
                       new_ints(n));
    int before = Rf_asInteger(first);
    for (size_t k = 0; k < count; k++)
        row[k] += before;
    SEXP out = PROTECT(Rf_duplicate(next));
    double *at = reals_of(out, p);
    for (size_t j = 0; j < p; j++) {
        int more = own[j + 1] - own[j];
        check_fit(at[j] >= end[j - 1] && at[j] + more <= end[j]);
    }
    lr_sparse_tile tile = {(size_t)before, n, own, row, value};
    int wrong = lr_place_cells(path_of(file), &tile, p, (size_t)end[p - 1], at);
    UNPROTECT(1);
    return wrong != 0 ? reason(wrong) : out;
}
