#include <string.h>

#include "read_files.h"
#include "r_entry.h"

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

SEXP r_write_file(SEXP file, SEXP bytes)
{
    return reason(lr_write_file(path_of(file), RAW(bytes),
                                (size_t)Rf_xlength(bytes)));
}

SEXP r_append_file(SEXP file, SEXP bytes)
{
    return reason(lr_append_file(path_of(file), RAW(bytes),
                                 (size_t)Rf_xlength(bytes)));
}

SEXP r_sync_folder(SEXP folder)
{
    return reason(lr_sync_folder(path_of(folder)));
}

/* ---- the temporary file of stored cells ---------------------------------- */

static size_t bytes_of(SEXP map)
{
    return (size_t)Rf_asReal(R_ExternalPtrTag(map));
}

static void unmap(SEXP map)
{
    if (R_ExternalPtrAddr(map))
        lr_unmap_file(R_ExternalPtrAddr(map), bytes_of(map));
    R_ClearExternalPtr(map);
}

/* NULL where the file, which has so many bytes, cannot be memory. */
SEXP r_map_file(SEXP file, SEXP bytes)
{
    const void *at = lr_map_file(path_of(file), (size_t)Rf_asReal(bytes));
    if (!at)
        return R_NilValue;
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

/* Values, or row numbers, of some features from tiles of samples, feature by
 * feature. parts: a vector a tile, numeric or integer; counts: how many of them
 * each feature has, an integer vector a tile; first: what is added to the row
 * numbers of a tile. */
SEXP r_join_tiles(SEXP parts, SEXP counts, SEXP first)
{
    R_xlen_t n_tiles = Rf_xlength(parts), total = 0;
    for (R_xlen_t t = 0; t < n_tiles; t++)
        total += Rf_xlength(VECTOR_ELT(parts, t));
    SEXPTYPE type = TYPEOF(VECTOR_ELT(parts, 0));
    SEXP out = PROTECT(Rf_allocVector(type, total));
    size_t *from = (size_t *)zero_structs((size_t)n_tiles, sizeof(size_t));
    size_t at = 0;
    for (R_xlen_t j = 0; j < Rf_xlength(VECTOR_ELT(counts, 0)); j++)
        for (R_xlen_t t = 0; t < n_tiles; t++) {
            SEXP part = VECTOR_ELT(parts, t);
            int listed = INTEGER(VECTOR_ELT(counts, t))[j];
            size_t count = (size_t)listed;
            check_fit(listed >= 0
                      && from[t] + count <= (size_t)Rf_xlength(part));
            if (type == REALSXP)
                memcpy(REAL(out) + at, REAL(part) + from[t],
                       count * sizeof(double));
            else
                for (size_t k = 0; k < count; k++)
                    INTEGER(out)[at + k] =
                        INTEGER(part)[from[t] + k] + INTEGER(first)[t];
            from[t] += count;
            at += count;
        }
    UNPROTECT(1);
    return out;
}
