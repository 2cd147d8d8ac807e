/* Sums of differences over all pairs and over the edges of graphs, and scatter
 * between groups, feature by feature: the parts of glean() that need no list of
 * pairs. */
#include "glean_walk.h"

typedef struct {
    lr_entries entries;
    double *scratch, *column; /* 2 n, and n zeros */
    size_t *next;             /* n + 1 */
    uint32_t *is_entry;       /* n bits, 0 */
} difference_worker;

typedef struct {
    const feature_data *data;
    difference_worker *workers;
    /* The numbers of a feature, from its entries. */
    void (*use)(const void *context, const difference_worker *worker,
                size_t feature);
    const void *context;
} difference_walk;

static void use_feature(void *context, const lr_block *block, size_t j)
{
    const difference_walk *w = context;
    difference_worker *worker = w->workers + lr_own_thread();
    size_t feature = block->first + j;
    if (lr_is_constant(&w->data->scaling, feature))
        return;
    lr_shift shift =
        lr_shift_of(&w->data->scaling, feature, w->data->minimum[feature],
                    w->data->maximum[feature]);
    lr_entries_of_feature(&shift, block, j, &worker->entries);
    w->use(w->context, worker, feature);
}

/* All features but constant ones, whose numbers stay 0. work: per cell. */
static void walk_entries(difference_walk *w, const char *task, double work)
{
    size_t n = w->data->n, threads = (size_t)w->data->control.threads;
    w->workers = lr_allocate(threads, sizeof(difference_worker));
    for (size_t t = 0; t < threads; t++)
        w->workers[t] = (difference_worker){
            {new_ints(n), new_doubles(n), 0}, new_doubles(2 * n),
            zero_doubles(n), new_sizes(n + 1),
            zero_structs(n / 32 + 1, sizeof(uint32_t))};
    column_walk walk = {.data = w->data, .task = task, .work = work * (double)n,
                        .use = use_feature, .context = w, .as_stored = 1};
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
    const mean_task *t = context;
    t->out[feature] = t->blocks.n_blocks > 0
        ? lr_block_mean_difference(&worker->entries, &t->blocks,
                                   worker->scratch, worker->column,
                                   worker->next)
        : lr_mean_difference(&worker->entries, t->n, worker->scratch);
}

void mean_differences(const feature_data *data, const lr_blocks *blocks,
                      double *out)
{
    mean_task t = {data->n, *blocks, out};
    memset(out, 0, data->p * sizeof(double));
    difference_walk w = {.data = data, .use = mean_of_feature, .context = &t};
    walk_entries(&w, "Differences", 20.0);
}

/* ---- edges and groups ---------------------------------------------------- */

typedef struct {
    size_t p;
    const difference_parts *parts;
    double *out;
} edge_task;

static void sums_of_feature(const void *context,
                            const difference_worker *worker, size_t feature)
{
    const edge_task *t = context;
    const difference_parts *parts = t->parts;
    double *out = t->out + feature;
    for (size_t g = 0; g < parts->n_graphs; g++, out += t->p)
        *out = lr_edge_differences(parts->edges + g, &worker->entries,
                                   worker->column, worker->is_entry);
    if (parts->groups.n_groups > 0)
        lr_group_contrast(&parts->groups, &worker->entries, worker->scratch,
                          out, out + t->p);
}

void difference_sums(const feature_data *data, const difference_parts *parts,
                     double *out)
{
    edge_task t = {data->p, parts, out};
    double work = 4.0;
    for (size_t g = 0; g < parts->n_graphs; g++)
        work += 2.0 * parts->edges[g].graph.start[data->n] / (double)data->n;
    memset(out, 0, data->p * difference_columns(parts) * sizeof(double));
    difference_walk w = {.data = data, .use = sums_of_feature, .context = &t};
    walk_entries(&w, "Parts", work);
}
