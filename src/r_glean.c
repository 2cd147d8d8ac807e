/* Sums of differences over all pairs and over the edges of graphs, and scatter
 * between groups, feature by feature: the parts of glean() that need no list of
 * pairs. */
#include <string.h>

#include "glean_contrast.h"
#include "glean_differences.h"
#include "r_entry.h"
#include "lr_threads.h"

typedef struct {
    lr_entries entries;
    double *scratch, *column; /* 2 n, and n zeros */
    size_t *next;             /* n + 1 */
} difference_worker;

typedef struct {
    lr_scaling scaling;
    const double *minimum, *maximum;
    feature_source source;
    const lr_sparse_tile *stored;
    difference_worker *workers;
    double work; /* per cell */
    run_control control;
    /* The numbers of a feature, from its entries. */
    void (*use)(const void *context, const difference_worker *worker,
                size_t feature);
    const void *context;
} difference_walk;

static void open_workers(difference_walk *w)
{
    size_t n = w->source.n;
    w->workers = (difference_worker *)R_alloc((size_t)w->control.threads,
                                              sizeof(difference_worker));
    for (int t = 0; t < w->control.threads; t++) {
        lr_entries entries = {new_ints(n),
                              new_doubles(n), 0};
        w->workers[t].entries = entries;
        w->workers[t].scratch = new_doubles(2 * n);
        w->workers[t].column = new_doubles(n);
        w->workers[t].next = (size_t *)R_alloc(n + 1, sizeof(size_t));
        memset(w->workers[t].column, 0, n * sizeof(double));
    }
}

typedef struct {
    const difference_walk *walk;
    const lr_block *block;
} difference_block;

static void use_feature(void *context, size_t item, int thread)
{
    const difference_walk *w = ((const difference_block *)context)->walk;
    const lr_block *block = ((const difference_block *)context)->block;
    difference_worker *worker = w->workers + thread;
    size_t feature = block->first + item;
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
    w->use(w->context, worker, feature);
}

static void use_block(const difference_walk *w, const lr_block *block)
{
    int team = team_size(&w->control,
                         w->work * (double)w->source.n * (double)block->count);
    difference_block features = {w, block};
    lr_run_items(team, block->count, use_feature, &features);
}

static difference_walk open_walk(SEXP data, SEXP scaling, SEXP control,
                                 lr_sparse_tile *storage)
{
    difference_walk w;
    memset(&w, 0, sizeof w);
    w.control = read_control(control);
    w.scaling = read_scaling(scaling);
    w.minimum = REAL(list_element(data, "minimum"));
    w.maximum = REAL(list_element(data, "maximum"));
    w.source = source_open(data, 0); /* protects one */
    w.stored = stored_cells(data, storage);
    open_workers(&w);
    return w;
}

/* All features but constant ones, whose numbers stay 0. */
static void walk_entries(difference_walk *w, const char *task)
{
    progress_line line = progress_begin(task, "features", (double)w->source.p,
                                        w->control.progress);
    for (size_t first = 0; first < w->source.p; first += w->source.per_block) {
        size_t left = w->source.p - first;
        lr_block block = {NULL, w->source.n, w->source.n, first,
                          left < w->source.per_block ? left
                                                     : w->source.per_block};
        if (!w->stored)
            block = source_block(&w->source, first);
        use_block(w, &block);
        progress_tick(&line, (double)(first + block.count));
    }
    progress_end(&line);
}

/* ---- all pairs ----------------------------------------------------------- */

typedef struct {
    size_t n;
    lr_blocks blocks; /* none: n_blocks is 0 */
    double *out;      /* [p] */
} mean_task;

static void mean_of_feature(const void *context,
                            const difference_worker *worker, size_t feature)
{
    const mean_task *t = (const mean_task *)context;
    t->out[feature] = t->blocks.n_blocks > 0
        ? lr_block_mean_difference(&worker->entries, &t->blocks,
                                   worker->scratch, worker->column,
                                   worker->next)
        : lr_mean_difference(&worker->entries, t->n, worker->scratch);
}

/* Codes from 1, or NULL for no blocks. */
static lr_blocks read_blocks(SEXP block, size_t n)
{
    lr_blocks b = {0, NULL, NULL};
    if (Rf_isNull(block))
        return b;
    b.block_of = zero_based(block);
    for (size_t i = 0; i < n; i++)
        if ((size_t)b.block_of[i] + 1 > b.n_blocks)
            b.n_blocks = (size_t)b.block_of[i] + 1;
    size_t *size = (size_t *)R_alloc(b.n_blocks, sizeof(size_t));
    memset(size, 0, b.n_blocks * sizeof(size_t));
    for (size_t i = 0; i < n; i++)
        size[b.block_of[i]]++;
    b.size = size;
    return b;
}

/* Per feature: the mean of |u_i - u_j| over all pairs, with `block` (codes from 1,
 * or NULL) over those of the same block. No missing cells, no category
 * features. */
SEXP r_mean_differences(SEXP data, SEXP scaling, SEXP block, SEXP control)
{
    lr_sparse_tile storage;
    difference_walk w = open_walk(data, scaling, control, &storage);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)w.source.p));
    mean_task t = {w.source.n, read_blocks(block, w.source.n), REAL(out)};
    memset(t.out, 0, w.source.p * sizeof(double));
    w.work = 20.0;
    w.use = mean_of_feature;
    w.context = &t;
    walk_entries(&w, "Differences");
    UNPROTECT(2);
    return out;
}

/* ---- edges and groups ---------------------------------------------------- */

typedef struct {
    size_t p, n_graphs;
    lr_graph *graphs;
    lr_groups groups; /* none: n_groups is 0 */
    double *out;      /* [graphs, between, within][p] */
} edge_task;

static void sums_of_feature(const void *context,
                            const difference_worker *worker, size_t feature)
{
    const edge_task *t = (const edge_task *)context;
    double *out = t->out + feature;
    for (size_t g = 0; g < t->n_graphs; g++, out += t->p)
        *out = lr_edge_differences(t->graphs + g, &worker->entries,
                                   worker->column);
    if (t->groups.n_groups > 0)
        lr_group_contrast(&t->groups, &worker->entries, worker->scratch, out,
                          out + t->p);
}

/* NULL or list(cell, count, weight, block_start): per sample the number of its
 * label in its block, from 1, NA for none. */
static lr_groups read_groups(SEXP groups, size_t n)
{
    lr_groups g = {0, NULL, NULL, NULL, 0, NULL};
    if (Rf_isNull(groups))
        return g;
    const int *given = INTEGER(list_element(groups, "cell"));
    int *label = (int *)R_alloc(n, sizeof(int));
    g.n_groups = (size_t)Rf_asInteger(list_element(groups, "count"));
    g.weight = REAL(list_element(groups, "weight"));
    SEXP block_start = list_element(groups, "block_start");
    g.block_start = INTEGER(block_start);
    g.n_blocks = (size_t)Rf_xlength(block_start) - 1;
    double *mass = (double *)R_alloc(g.n_groups + 1, sizeof(double));
    memset(mass, 0, g.n_groups * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        label[i] = given[i] == NA_INTEGER ? -1 : given[i] - 1;
        if (label[i] >= 0)
            mass[label[i]] += g.weight[i];
    }
    g.label = label;
    g.mass = mass;
    return g;
}

/* A matrix, features x (graphs + 2): the weighted sums of |u_i - u_j| over the
 * edges of each graph, and the scatter between and within `groups`; without
 * groups (NULL) features x graphs. No missing cells, no category features. */
SEXP r_difference_sums(SEXP data, SEXP scaling, SEXP graphs, SEXP groups,
                       SEXP control)
{
    lr_sparse_tile storage;
    difference_walk w = open_walk(data, scaling, control, &storage);
    edge_task t = {w.source.p, (size_t)Rf_xlength(graphs), NULL,
                   read_groups(groups, w.source.n), NULL};
    t.graphs = (lr_graph *)R_alloc(t.n_graphs + 1, sizeof(lr_graph));
    w.work = 4.0;
    for (size_t g = 0; g < t.n_graphs; g++) {
        t.graphs[g] = read_graph(VECTOR_ELT(graphs, (R_xlen_t)g));
        w.work += 2.0 * t.graphs[g].start[w.source.n] / (double)w.source.n;
    }
    size_t columns = t.n_graphs + (t.groups.n_groups > 0 ? 2 : 0);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)t.p, (int)columns));
    t.out = REAL(out);
    memset(t.out, 0, t.p * columns * sizeof(double));
    w.use = sums_of_feature;
    w.context = &t;
    walk_entries(&w, "Parts");
    UNPROTECT(2);
    return out;
}
