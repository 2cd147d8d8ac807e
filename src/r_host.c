/* R as the host of the walks (lr_host.h). */
#include <time.h>

#include "r_entry.h"
#include "lr_progress.h"
#include "read_files.h"

/* ---- memory, interrupts, errors ------------------------------------------ */

/* Freed when the entry ends, also by an error or an interrupt. */
void *lr_allocate(size_t count, size_t size)
{
    return R_alloc(count > 0 ? count : 1, (int)size);
}

const void *lr_memory_mark(void)
{
    return vmaxget();
}

void lr_memory_reset(const void *mark)
{
    vmaxset(mark);
}

void lr_check_interrupt(void)
{
    R_CheckUserInterrupt();
}

void lr_internal_error(const char *what)
{
    Rf_error("internal error: %s", what);
}

/* ---- linear algebra ------------------------------------------------------ */

/* By dsyevr() of LAPACK, which has the smallest ones first: of the matrix times
 * -1. */
void lr_largest_eigen(double *a, size_t n, size_t count, double *values,
                      double *vectors)
{
    const void *mark = vmaxget();
    int size = (int)n, last = (int)count, first = 1, found = 0, info = 0;
    int work_size = 34 * size, int_size = 10 * size;
    double none = 0.0, *all = new_doubles(n);
    double *work = new_doubles((size_t)work_size);
    int *ints = new_ints((size_t)int_size + 2 * n);
    for (size_t i = 0; i < n * n; i++)
        a[i] = -a[i];
    if (count > 0)
        F77_CALL(dsyevr)("V", "I", "L", &size, a, &size, &none, &none, &first,
                         &last, &none, &found, all, vectors, &size,
                         ints + int_size, work, &work_size, ints, &int_size,
                         &info FCONE FCONE FCONE);
    if (info != 0 || found != last)
        lr_internal_error("no eigenvectors");
    for (size_t i = 0; i < count; i++)
        values[i] = -all[i];
    vmaxset(mark);
}

/* ---- progress ------------------------------------------------------------ */

/* One line on the message stream that updates itself and is gone at the end,
 * and not before two seconds: short calls print nothing. Own code because a
 * package such as progressr is called from R, and a walk is inside of C. */
progress_line progress_begin(const char *task, const char *unit, double total,
                             int on)
{
    progress_line line = {task, unit, total, (long)time(NULL), 0, -1.0, on, 0};
    return line;
}

static void show(progress_line *line, double done, long now)
{
    char text[120];
    double fraction = lr_fraction_done(done, line->total);
    line->left = lr_seconds_left(fraction, (double)(now - line->begin),
                                 line->left,
                                 (double)(line->shown - line->begin));
    line->shown = now;
    int length = snprintf(text, sizeof text,
                          "%s: %.0f %% of %.0f %s, %.0f s left", line->task,
                          100.0 * fraction, line->total, line->unit,
                          line->left);
    REprintf("\r%-*s", line->width, text);
    if (length > line->width)
        line->width = length;
}

void progress_tick(progress_line *line, double done)
{
    R_CheckUserInterrupt();
    if (!line->on || done <= 0.0)
        return;
    long now = (long)time(NULL), elapsed = now - line->begin;
    if (elapsed < 2 || now == line->shown)
        return;
    show(line, done, now);
}

void progress_end(progress_line *line)
{
    if (line->width > 0)
        REprintf("\r%*s\r", line->width, "");
    line->width = 0;
}

/* ---- cells of data (read_source.h) --------------------------------------- */

/* Calls the R function stored(), which makes the file when it is first called
 * and keeps what it returns: list(start, map), the values of all features and
 * then their rows. */
static const lr_sparse_tile *mapped_cells(const feature_data *d,
                                          lr_sparse_tile *storage)
{
    SEXP call = PROTECT(Rf_lang1(list_element((SEXP)d->host, "stored")));
    SEXP stored = PROTECT(Rf_eval(call, R_GlobalEnv));
    const int *start = list_ints(stored, "start", d->p + 1);
    SEXP map = list_element(stored, "map");
    double bytes = Rf_asReal(R_ExternalPtrTag(map));
    check_fit(R_ExternalPtrAddr(map) && bytes == 12.0 * start[d->p]);
    const double *value = R_ExternalPtrAddr(map);
    *storage = (lr_sparse_tile){.count = d->n, .start = start,
                                .row = (const int *)(value + start[d->p]),
                                .value = value};
    lr_release_cells(storage, d->p, 0, d->p);
    UNPROTECT(2);
    return storage;
}

const lr_sparse_tile *stored_cells(const feature_data *d,
                                   lr_sparse_tile *storage)
{
    if (!is_stored(d))
        return NULL;
    if (d->layout == LAYOUT_MAPPED)
        return mapped_cells(d, storage);
    /* samples x features of samples: a promise, whose first use makes the copy
     * that the data keep */
    SEXP data = (SEXP)d->host, values = d->layout == LAYOUT_SPARSE
        ? list_element(data, "values")
        : Rf_eval(Rf_install("values"), list_element(data, "transposed"));
    lr_sample_cells c = read_columns(values);
    check_fit(c.n == d->p && c.p == d->n);
    *storage = (lr_sparse_tile){.count = d->n, .start = c.start,
                                .row = c.feature, .value = c.value};
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
