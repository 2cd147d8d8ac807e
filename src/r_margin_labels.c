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
    const lr_sparse_tile *stored; /* NULL: columns are whole */
    label_worker *workers;
    lr_label_sum *sums; /* one per feature */
} label_walk;

/* Made by label_margins() in R; rows and numbers count from 0. */
static lr_labels read_labels(SEXP index, size_t n)
{
    SEXP row = list_element(index, "row");
    SEXP nodes = list_element(index, "nodes"); /* one per column */
    size_t n_labelled = (size_t)Rf_xlength(row);
    int *number = new_ints(n);
    for (size_t i = 0; i < n; i++)
        number[i] = -1;
    for (size_t e = 0; e < n_labelled; e++)
        number[INTEGER(row)[e]] = (int)e;
    return (lr_labels){
        .n = n, .row = INTEGER(row), .n_labelled = n_labelled,
        .number = number, .start = list_ints(index, "start"),
        .hit = list_ints(index, "hit"), .owner = list_ints(index, "owner"),
        .user_start = list_ints(index, "user_start"),
        .user = list_ints(index, "user"),
        .with_hits = list_ints(index, "with_hits"),
        .nodes = (const lr_node *)INTEGER(nodes),
        .n_nodes = (size_t)Rf_ncols(nodes)};
}

static void allocate_workers(label_walk *w, int threads)
{
    size_t n = w->labels.n, bytes = lr_label_bytes(&w->labels);
    w->workers = (label_worker *)R_alloc(threads, sizeof(label_worker));
    for (int t = 0; t < threads; t++)
        w->workers[t] = (label_worker){
            {new_ints(n), new_doubles(n), 0},
            lr_label_buffer_in(&w->labels,
                               new_doubles(bytes / sizeof(double) + 1))};
}

/* Margins of one feature of a block; features that are constant, categories or
 * incomplete keep sums of 0. Sparse data are read as they are. */
static void sum_feature(void *context, const lr_block *block, size_t j)
{
    const label_walk *w = (const label_walk *)context;
    label_worker *worker = w->workers + lr_own_thread();
    size_t feature = block->first + j;
    if (lr_is_constant(&w->scaling, feature)
        || !lr_is_plain(&w->scaling, feature))
        return;
    lr_shift shift = lr_shift_of(&w->scaling, feature, w->minimum[feature],
                                 w->maximum[feature]);
    lr_entries_of_feature(&shift, block, j, w->stored, &worker->entries);
    lr_label_margins(&w->labels, &worker->entries, worker->buffer,
                     w->sums + feature);
}

/* Margins over all pairs of labelled samples of different classes, both
 * directions; `index`: from label_margins() in R. Features that are not plain
 * have sums of 0. */
SEXP r_label_margins(SEXP data, SEXP scaling, SEXP index, SEXP control)
{
    run_control c = read_control(control);
    lr_sparse_tile storage;
    size_t n = list_size(data, "n"), p = list_size(data, "p");
    label_walk w = {
        .labels = read_labels(index, n), .scaling = read_scaling(scaling),
        .minimum = list_reals(data, "minimum"),
        .maximum = list_reals(data, "maximum"),
        .stored = stored_cells(data, &storage),
        .sums = (lr_label_sum *)zero_structs(p, sizeof(lr_label_sum))};
    allocate_workers(&w, c.threads);
    double hits = (double)w.labels.start[w.labels.n_labelled];
    column_walk walk = {data, c, "Margins", NULL, 300.0 * (hits + (double)n),
                        sum_feature, &w, 1};
    walk_columns(&walk);
    const char *names[] = {"margin", "square", "magnitude", "size", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    set_members(out, w.sums, p, 4, sizeof *w.sums / sizeof(double));
    UNPROTECT(1);
    return out;
}
