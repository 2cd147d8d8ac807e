#include <string.h>

#include "margin_labels.h"
#include "r_walk.h"
#include "lr_threads.h"

/* One per thread. */
typedef struct {
    lr_entries entries;
    lr_label_buffer *buffer;
} label_worker;

typedef struct {
    lr_labels labels;
    lr_scaling scaling;
    const double *minimum, *maximum;
    lr_sparse_tile stored; /* when the data are sparse */
    label_worker *workers;
    lr_label_sum *sums; /* one per feature */
} label_walk;

static const int *integers_of(SEXP list, const char *name)
{
    return INTEGER(list_element(list, name));
}

/* Made by label_index() in R; rows and numbers count from 0. */
static lr_labels read_labels(SEXP index, size_t n)
{
    lr_labels l;
    int *number = new_ints(n);
    l.n = n;
    l.row = integers_of(index, "row");
    l.n_labelled = (size_t)Rf_xlength(list_element(index, "row"));
    for (size_t i = 0; i < n; i++)
        number[i] = -1;
    for (size_t e = 0; e < l.n_labelled; e++)
        number[l.row[e]] = (int)e;
    l.number = number;
    l.start = integers_of(index, "start");
    l.hit = integers_of(index, "hit");
    l.owner = integers_of(index, "owner");
    l.user_start = integers_of(index, "user_start");
    l.user = integers_of(index, "user");
    l.with_hits = integers_of(index, "with_hits");
    SEXP nodes = list_element(index, "nodes"); /* one per column */
    l.nodes = (const lr_node *)INTEGER(nodes);
    l.n_nodes = (size_t)Rf_ncols(nodes);
    return l;
}

static void allocate_workers(label_walk *w, int threads)
{
    size_t n = w->labels.n, bytes = lr_label_bytes(&w->labels);
    w->workers = (label_worker *)R_alloc(threads, sizeof(label_worker));
    for (int t = 0; t < threads; t++) {
        lr_entries entries = {new_ints(n),
                              new_doubles(n), 0};
        w->workers[t].entries = entries;
        w->workers[t].buffer = lr_label_buffer_in(
            &w->labels, R_alloc(bytes / sizeof(double) + 1, sizeof(double)));
    }
}

/* Margins of one feature of a block; features that are constant, categories or
 * incomplete keep sums of 0. Sparse data are read as they are. */
static void sum_feature(void *context, const lr_block *block, size_t j,
                        int thread)
{
    const label_walk *w = (const label_walk *)context;
    label_worker *worker = w->workers + thread;
    size_t feature = block->first + j;
    if (lr_is_constant(&w->scaling, feature)
        || !lr_is_plain(&w->scaling, feature))
        return;
    lr_shift shift = lr_shift_of(&w->scaling, feature, w->minimum[feature],
                                 w->maximum[feature]);
    if (block->values) {
        lr_entries_of_column(&shift, block->values + j * block->stride,
                             block->n, &worker->entries);
    } else {
        size_t from = (size_t)w->stored.start[feature];
        size_t to = (size_t)w->stored.start[feature + 1];
        lr_entries_of_stored(&shift, w->stored.row + from,
                             w->stored.value + from, to - from,
                             &worker->entries);
    }
    lr_label_margins(&w->labels, &worker->entries, worker->buffer,
                     w->sums + feature);
}

static SEXP write_label_sums(const lr_label_sum *sums, size_t p)
{
    const char *names[] = {"margin", "square", "magnitude", "size", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int i = 0; i < 4; i++)
        SET_VECTOR_ELT(out, i, Rf_allocVector(REALSXP, (R_xlen_t)p));
    for (size_t j = 0; j < p; j++) {
        REAL(VECTOR_ELT(out, 0))[j] = sums[j].sum;
        REAL(VECTOR_ELT(out, 1))[j] = sums[j].square;
        REAL(VECTOR_ELT(out, 2))[j] = sums[j].magnitude;
        REAL(VECTOR_ELT(out, 3))[j] = sums[j].size;
    }
    UNPROTECT(1);
    return out;
}

/* Margins over all pairs of labelled samples of different classes, both
 * directions; `index`: from label_index() in R. Features that are not plain
 * have sums of 0. */
SEXP r_label_margins(SEXP data, SEXP scaling, SEXP index, SEXP control)
{
    label_walk w;
    run_control c = read_control(control);
    w.scaling = read_scaling(scaling);
    w.minimum = REAL(list_element(data, "minimum"));
    w.maximum = REAL(list_element(data, "maximum"));
    size_t n = (size_t)Rf_asReal(list_element(data, "n"));
    size_t p = (size_t)Rf_asReal(list_element(data, "p"));
    stored_cells(data, &w.stored);
    w.labels = read_labels(index, n);
    allocate_workers(&w, c.threads);
    w.sums = (lr_label_sum *)R_alloc(p, sizeof(lr_label_sum));
    memset(w.sums, 0, p * sizeof(lr_label_sum));
    double hits = (double)w.labels.start[w.labels.n_labelled];
    column_walk walk = {data, c, "Margins", NULL,
                        300.0 * (hits + (double)n), sum_feature, &w, 1};
    walk_columns(&walk);
    SEXP out = PROTECT(write_label_sums(w.sums, p));
    UNPROTECT(1);
    return out;
}
