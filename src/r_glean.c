/* Sums of differences over all pairs and over the edges of graphs, and scatter
 * between groups, feature by feature: the parts of glean() that need no list of
 * pairs. */
#include "glean_contrast.h"
#include "glean_differences.h"
#include "lr_threads.h"
#include "r_walk.h"

typedef struct {
    lr_entries entries;
    double *scratch, *column; /* 2 n, and n zeros */
    size_t *next;             /* n + 1 */
} difference_worker;

typedef struct {
    lr_scaling scaling;
    const double *minimum, *maximum;
    const lr_sparse_tile *stored; /* NULL: columns are whole */
    difference_worker *workers;
    /* The numbers of a feature, from its entries. */
    void (*use)(const void *context, const difference_worker *worker,
                size_t feature);
    const void *context;
} difference_walk;

static void use_feature(void *context, const lr_block *block, size_t j)
{
    const difference_walk *w = (const difference_walk *)context;
    difference_worker *worker = w->workers + lr_own_thread();
    size_t feature = block->first + j;
    if (lr_is_constant(&w->scaling, feature))
        return;
    lr_shift shift = lr_shift_of(&w->scaling, feature, w->minimum[feature],
                                 w->maximum[feature]);
    lr_entries_of_feature(&shift, block, j, w->stored, &worker->entries);
    w->use(w->context, worker, feature);
}

/* All features but constant ones, whose numbers stay 0. work: per cell. */
static void walk_entries(difference_walk *w, SEXP data, SEXP scaling,
                         SEXP control, const char *task, double work)
{
    run_control c = read_control(control);
    lr_sparse_tile storage;
    size_t n = list_size(data, "n");
    w->scaling = read_scaling(scaling);
    w->minimum = list_reals(data, "minimum");
    w->maximum = list_reals(data, "maximum");
    w->stored = stored_cells(data, &storage);
    w->workers = (difference_worker *)R_alloc((size_t)c.threads,
                                              sizeof(difference_worker));
    for (int t = 0; t < c.threads; t++)
        w->workers[t] = (difference_worker){
            {new_ints(n), new_doubles(n), 0}, new_doubles(2 * n),
            zero_doubles(n), new_sizes(n + 1)};
    column_walk walk = {data, c, task, NULL, work * (double)n, use_feature, w,
                        1};
    walk_columns(&walk);
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
    size_t *size = (size_t *)zero_structs(b.n_blocks, sizeof(size_t));
    for (size_t i = 0; i < n; i++)
        size[b.block_of[i]]++;
    b.size = size;
    return b;
}

/* Per feature: the mean of |u_i - u_j| over all pairs, with `block` (codes from
 * 1, or NULL) over those of the same block. No missing cells, no category
 * features. */
SEXP r_mean_differences(SEXP data, SEXP scaling, SEXP block, SEXP control)
{
    size_t n = list_size(data, "n"), p = list_size(data, "p");
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)p));
    mean_task t = {n, read_blocks(block, n), REAL(out)};
    memset(t.out, 0, p * sizeof(double));
    difference_walk w = {.use = mean_of_feature, .context = &t};
    walk_entries(&w, data, scaling, control, "Differences", 20.0);
    UNPROTECT(1);
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
    SEXP block_start = list_element(groups, "block_start");
    g.n_groups = list_size(groups, "count");
    g.label = read_classes(list_element(groups, "cell"));
    g.weight = list_reals(groups, "weight");
    g.block_start = INTEGER(block_start);
    g.n_blocks = (size_t)Rf_xlength(block_start) - 1;
    double *mass = zero_doubles(g.n_groups);
    for (size_t i = 0; i < n; i++)
        if (g.label[i] >= 0)
            mass[g.label[i]] += g.weight[i];
    g.mass = mass;
    return g;
}

/* A matrix, features x (graphs + 2): the weighted sums of |u_i - u_j| over the
 * edges of each graph, and the scatter between and within `groups`; without
 * groups (NULL) features x graphs. No missing cells, no category features. */
SEXP r_difference_sums(SEXP data, SEXP scaling, SEXP graphs, SEXP groups,
                       SEXP control)
{
    size_t n = list_size(data, "n");
    edge_task t = {list_size(data, "p"), (size_t)Rf_xlength(graphs), NULL,
                   read_groups(groups, n), NULL};
    double work = 4.0;
    t.graphs = (lr_graph *)R_alloc(t.n_graphs + 1, sizeof(lr_graph));
    for (size_t g = 0; g < t.n_graphs; g++) {
        t.graphs[g] = read_graph(VECTOR_ELT(graphs, (R_xlen_t)g));
        work += 2.0 * t.graphs[g].start[n] / (double)n;
    }
    size_t columns = t.n_graphs + (t.groups.n_groups > 0 ? 2 : 0);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)t.p, (int)columns));
    t.out = REAL(out);
    memset(t.out, 0, t.p * columns * sizeof(double));
    difference_walk w = {.use = sums_of_feature, .context = &t};
    walk_entries(&w, data, scaling, control, "Parts", work);
    UNPROTECT(1);
    return out;
}
