/* Registers the entries when R loads the library. */
#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#include "r_entry.h"

#define ENTRY(name, n) {#name, (DL_FUNC)&r_##name, n},

static const R_CallMethodDef entries[] = {ENTRIES(ENTRY){NULL, NULL, 0}};

void attribute_visible R_init_linkrank(DllInfo *dll)
{
    lr_threads_init();
    R_registerRoutines(dll, NULL, entries, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
}
