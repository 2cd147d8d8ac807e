#include "nearest_along.h"
#include "r_entry.h"
#include "threads.h"

enum { TEST_ROWS = 16 }; /* test samples whose distances stay in cache */

/* One block of test samples is one thread's alone. */
static void search_blocks(const lr_nearest_task *t, int first, int last,
                          int threads, double *scratch, int *p_out)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int b = first; b < last; b++) {
        int thread = lr_own_thread();
        size_t row = (size_t)b * TEST_ROWS, rows = t->n_test - row;
        lr_nearest_along(t, row, rows < TEST_ROWS ? rows : TEST_ROWS,
                         scratch + (size_t)thread * TEST_ROWS * t->n_train,
                         p_out);
    }
    (void)threads;
}

/* train, test: scaled samples x features, in the order of the ranking; counts:
 * ascending. A matrix of training rows (from 1), test samples x counts. */
SEXP r_nearest_along(SEXP train, SEXP test, SEXP counts, SEXP control)
{
    run_control c = read_control(control);
    lr_nearest_task t = {REAL(train), REAL(test), (size_t)Rf_nrows(train),
                         (size_t)Rf_nrows(test), INTEGER(counts),
                         (size_t)Rf_xlength(counts)};
    SEXP out = PROTECT(
        Rf_allocMatrix(INTSXP, (int)t.n_test, (int)t.n_counts));
    size_t blocks = (t.n_test + TEST_ROWS - 1) / TEST_ROWS;
    double per_block = (double)TEST_ROWS * (double)t.n_train
        * (double)(t.counts[t.n_counts - 1] + (int)t.n_counts);
    size_t at_once = (size_t)(5e8 / per_block) + (size_t)c.threads;
    double *scratch = (double *)R_alloc(
        (size_t)c.threads * TEST_ROWS * t.n_train, sizeof(double));
    progress_line line = progress_begin("Nearest samples", "samples",
                                        (double)t.n_test, c.progress);
    for (size_t b = 0; b < blocks; b += at_once) {
        size_t last = b + at_once < blocks ? b + at_once : blocks;
        int threads =
            team_size(&c, per_block * (double)(last - b));
        search_blocks(&t, (int)b, (int)last, threads, scratch, INTEGER(out));
        progress_tick(&line, (double)(last * TEST_ROWS));
    }
    progress_end(&line);
    for (R_xlen_t i = 0; i < Rf_xlength(out); i++)
        INTEGER(out)[i]++;
    UNPROTECT(1);
    return out;
}
