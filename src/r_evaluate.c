#include "evaluate_nearest.h"
#include "r_entry.h"
#include "lr_threads.h"

enum { TEST_ROWS = 16 }; /* test samples whose distances stay in cache */

typedef struct {
    const lr_nearest_task *task;
    const lr_nearest_buffer *buffers; /* one per thread */
    size_t first;                 /* block of this portion */
    double *out, *shares;
} block_run;

/* One block of test samples is one thread's alone. */
static void classify_block(void *context, size_t item)
{
    const block_run *r = (const block_run *)context;
    size_t row = (r->first + item) * TEST_ROWS;
    lr_nearest_along(r->task, row, smaller(r->task->n_test - row, TEST_ROWS),
                     r->buffers + lr_own_thread(), r->out, r->shares);
}

static lr_nearest_buffer *open_buffers(const lr_nearest_task *t, int threads)
{
    lr_nearest_buffer *buffer = (lr_nearest_buffer *)R_alloc(
        (size_t)threads, sizeof(lr_nearest_buffer));
    for (int i = 0; i < threads; i++)
        buffer[i] = (lr_nearest_buffer){
            .distance = new_doubles(TEST_ROWS * t->n_train),
            .order = new_doubles(t->n_train),
            .votes = new_doubles(2 * t->n_classes),
            .mass = zero_doubles(2 * t->n_counts * t->n_classes)};
    return buffer;
}

static void run_blocks(const lr_nearest_task *t, const run_control *c,
                       const lr_nearest_buffer *buffer, double *p_out,
                       double *p_shares)
{
    size_t blocks = (t->n_test + TEST_ROWS - 1) / TEST_ROWS;
    double per_block = (double)TEST_ROWS * (double)t->n_train
        * (double)(t->counts[t->n_counts - 1] + (int)t->n_counts);
    size_t at_once = (size_t)(5e8 / per_block) + (size_t)c->threads;
    progress_line line = progress_begin("Nearest samples", "samples",
                                        (double)t->n_test, c->progress);
    int team = team_size(c, per_block * (double)blocks);
    block_run r = {t, buffer, 0, p_out, p_shares};
    for (; r.first < blocks; r.first += at_once) {
        size_t count = smaller(blocks - r.first, at_once);
        lr_run_items(team, count, classify_block, &r);
        progress_tick(&line, (double)((r.first + count) * TEST_ROWS));
    }
    progress_end(&line);
}

/* What all threads gave to each class: classes x counts. */
static SEXP sum_masses(const lr_nearest_task *t, const lr_nearest_buffer *buffer,
                       int threads)
{
    SEXP out = PROTECT(
        Rf_allocMatrix(REALSXP, (int)t->n_classes, (int)t->n_counts));
    size_t cells = t->n_classes * t->n_counts;
    for (size_t j = 0; j < cells; j++) {
        double sum[2] = {0, 0};
        for (int i = 0; i < threads; i++) {
            lr_add_exactly(sum, buffer[i].mass[2 * j]);
            lr_add_exactly(sum, buffer[i].mass[2 * j + 1]);
        }
        REAL(out)[j] = sum[0] + sum[1];
    }
    UNPROTECT(1);
    return out;
}

static lr_nearest_task read_task(SEXP cells, SEXP known, SEXP k)
{
    SEXP train = list_element(cells, "train");
    SEXP test = list_element(cells, "test");
    SEXP counts = list_element(cells, "counts");
    SEXP label = list_element_or_null(known, "label");
    SEXP y = list_element_or_null(known, "y");
    lr_nearest_task t = {
        .train = REAL(train), .test = REAL(test),
        .n_train = (size_t)Rf_nrows(train), .n_test = (size_t)Rf_nrows(test),
        .counts = INTEGER(counts), .n_counts = (size_t)Rf_xlength(counts),
        .k = (size_t)Rf_asInteger(k)};
    if (label && !Rf_isNull(label)) {
        t.label = INTEGER(label);
        t.truth = list_ints(known, "truth");
        t.n_classes = list_size(known, "classes");
    } else if (y && !Rf_isNull(y)) {
        t.y = REAL(y);
        t.y_test = list_reals(known, "y_test");
    }
    return t;
}

/* cells: list(train, test, counts), scaled samples x features in the order of
 * the ranking and ascending numbers of features. known: list(label, truth,
 * classes, shares), classes from 0 and whether the shares of the votes are
 * returned, or list(y, y_test), or an empty list. k: votes.
 * list(result, mass, shares): test samples x counts, classes x counts, and NULL
 * or test samples x classes x counts; see evaluate_nearest.h. */
SEXP r_nearest_along(SEXP cells, SEXP known, SEXP k, SEXP control)
{
    const char *parts[] = {"result", "mass", "shares", ""};
    run_control c = read_control(control);
    lr_nearest_task t = read_task(cells, known, k);
    lr_nearest_buffer *buffer = open_buffers(&t, c.threads);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, parts));
    double *result = set_real_matrix(out, 0, t.n_test, t.n_counts);
    double *shares = NULL;
    SEXP wanted = list_element_or_null(known, "shares");
    if (wanted && Rf_asLogical(wanted) == TRUE) {
        size_t cells_of_shares = t.n_test * t.n_classes * t.n_counts;
        SET_VECTOR_ELT(out, 2, Rf_alloc3DArray(REALSXP, (int)t.n_test,
                                               (int)t.n_classes,
                                               (int)t.n_counts));
        shares = REAL(VECTOR_ELT(out, 2));
        memset(shares, 0, cells_of_shares * sizeof(double));
    }
    run_blocks(&t, &c, buffer, result, shares);
    SET_VECTOR_ELT(out, 1, sum_masses(&t, buffer, c.threads));
    UNPROTECT(1);
    return out;
}
