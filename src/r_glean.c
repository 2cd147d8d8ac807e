/* Sums of differences over all pairs and over the edges of graphs, feature by
 * feature: the parts of glean() that need no list of pairs. */
#include <string.h>

#include "glean_differences.h"
#include "r_entry.h"
#include "lr_threads.h"

typedef struct {
    lr_entries entries;
    double *scratch, *column;
} difference_worker;

typedef struct {
    lr_scaling scaling;
    const double *minimum, *maximum;
    feature_source source;
    const lr_sparse_tile *stored;
    lr_graph *graphs;
    size_t n_graphs;
    difference_worker *workers;
    double *out; /* [1 + graph][p] */
    double work; /* per cell */
    run_control control;
} difference_walk;

static void open_workers(difference_walk *w)
{
    size_t n = w->source.n;
    w->workers = (difference_worker *)R_alloc((size_t)w->control.threads,
                                              sizeof(difference_worker));
    for (int t = 0; t < w->control.threads; t++) {
        lr_entries entries = {(int *)R_alloc(n, sizeof(int)),
                              (double *)R_alloc(n, sizeof(double)), 0};
        w->workers[t].entries = entries;
        w->workers[t].scratch = (double *)R_alloc(2 * n, sizeof(double));
        w->workers[t].column = (double *)R_alloc(n, sizeof(double));
        memset(w->workers[t].column, 0, n * sizeof(double));
    }
}

typedef struct {
    const difference_walk *walk;
    const lr_block *block;
} difference_block;

static void sum_feature(void *context, size_t item, int thread)
{
    const difference_walk *w = ((const difference_block *)context)->walk;
    const lr_block *block = ((const difference_block *)context)->block;
    difference_worker *worker = w->workers + thread;
    size_t p = w->source.p, feature = block->first + item;
    if (lr_is_constant(&w->scaling, feature))
        return;
    lr_shift shift = lr_shift_of(&w->scaling, feature, w->minimum[feature],
                                 w->maximum[feature]);
    if (w->stored) {
        size_t from = (size_t)w->stored->start[feature];
        size_t to = (size_t)w->stored->start[feature + 1];
        lr_entries_of_stored(&shift, w->stored->row + from,
                             w->stored->value + from, to - from,
                             &worker->entries);
    } else {
        lr_entries_of_column(&shift,
                             block->values
                                 + (feature - block->first) * block->stride,
                             block->n, &worker->entries);
    }
    w->out[feature] =
        lr_mean_difference(&worker->entries, w->source.n, worker->scratch);
    for (size_t g = 0; g < w->n_graphs; g++)
        w->out[feature + (g + 1) * p] = lr_edge_differences(
            w->graphs + g, &worker->entries, worker->column);
}

static void sum_block(const difference_walk *w, const lr_block *block)
{
    int team = team_size(&w->control,
                         w->work * (double)w->source.n * (double)block->count);
    difference_block features = {w, block};
    lr_run_items(team, block->count, sum_feature, &features);
}

/* A matrix, features x (1 + graphs): the mean of |u_i - u_j| over all pairs,
 * and its weighted sum over the edges of each graph. Constant features have 0.
 * No missing cells, no category features. */
SEXP r_difference_sums(SEXP data, SEXP scaling, SEXP graphs, SEXP control)
{
    difference_walk w;
    lr_sparse_tile storage;
    w.control = read_control(control);
    w.scaling = read_scaling(scaling);
    w.minimum = REAL(list_element(data, "minimum"));
    w.maximum = REAL(list_element(data, "maximum"));
    w.source = source_open(data, 0); /* protects one */
    w.stored = stored_cells(data, &storage);
    w.n_graphs = (size_t)Rf_xlength(graphs);
    w.graphs = (lr_graph *)R_alloc(w.n_graphs + 1, sizeof(lr_graph));
    w.work = 20.0;
    for (size_t g = 0; g < w.n_graphs; g++) {
        w.graphs[g] = read_graph(VECTOR_ELT(graphs, (R_xlen_t)g));
        w.work += 2.0 * w.graphs[g].start[w.source.n] / (double)w.source.n;
    }
    open_workers(&w);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)w.source.p,
                                      (int)w.n_graphs + 1));
    w.out = REAL(out);
    memset(w.out, 0, w.source.p * (w.n_graphs + 1) * sizeof(double));
    progress_line line = progress_begin("Differences", "features",
                                        (double)w.source.p,
                                        w.control.progress);
    for (size_t first = 0; first < w.source.p; first += w.source.per_block) {
        size_t left = w.source.p - first;
        lr_block block = {NULL, w.source.n, w.source.n, first,
                          left < w.source.per_block ? left : w.source.per_block};
        if (!w.stored)
            block = source_block(&w.source, first);
        sum_block(&w, &block);
        progress_tick(&line, (double)(first + block.count));
    }
    progress_end(&line);
    UNPROTECT(2);
    return out;
}
