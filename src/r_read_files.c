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
