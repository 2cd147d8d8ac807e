/* Moments of groups of samples and areas under the curve between them, feature
 * by feature: group_markers(), and the direction of a ranking. */
#include <math.h>

#include "markers_walk.h"

typedef struct {
    lr_entries entries;
    lr_cell_moments moments;
    lr_auc_scratch scratch;
    double *auc;
} marker_worker;

typedef struct {
    lr_group_design design;
    size_t p, n_auc;
    marker_worker *workers;
    group_moments out;
} marker_task;

static marker_worker new_worker(const marker_task *t, size_t n)
{
    size_t groups = t->design.n_groups, cells = lr_cell_count(&t->design);
    return (marker_worker){
        .entries = {new_ints(n), new_doubles(n), 0},
        .moments = {new_doubles(cells), new_doubles(cells), new_doubles(cells),
                    new_doubles(cells), new_doubles(cells)},
        .scratch = {lr_allocate(2 * n, sizeof(lr_cell_entry)),
                    new_doubles(cells), new_doubles(cells),
                    new_doubles(cells * groups), new_doubles(cells)},
        .auc = new_doubles(groups * groups)};
}

/* Of group g the mean over the other groups that share a block with it. */
static double mean_auc(const double *auc, size_t g, size_t groups)
{
    double sum = 0.0, count = 0.0;
    for (size_t h = 0; h < groups; h++)
        if (!isnan(auc[h + g * groups])) {
            sum += auc[h + g * groups];
            count += 1.0;
        }
    return sum / count;
}

static void use_feature(void *context, const lr_block *block, size_t j)
{
    static const lr_shift as_given = {0.0, 1.0, 0.0};
    const marker_task *t = context;
    marker_worker *w = t->workers + lr_own_thread();
    size_t feature = block->first + j, groups = t->design.n_groups;
    lr_entries_of_feature(&as_given, block, j, &w->entries);
    lr_moments_of_cells(&t->design, &w->entries, &w->moments);
    for (size_t c = 0; c < lr_cell_count(&t->design); c++) {
        t->out.mean[feature + c * t->p] = w->moments.mean[c];
        t->out.square[feature + c * t->p] = w->moments.square[c];
        t->out.above[feature + c * t->p] = w->moments.above[c];
    }
    if (t->n_auc == 0)
        return;
    lr_auc_of_groups(&t->design, &w->entries, &w->scratch, w->auc);
    for (size_t c = 0; c < lr_cell_count(&t->design); c++)
        t->out.other[feature + c * t->p] = w->scratch.other[c];
    for (size_t a = 0; a < t->n_auc; a++)
        t->out.auc[feature + a * t->p] = t->n_auc == groups
            ? mean_auc(w->auc, a, groups) : w->auc[a];
}

void walk_groups(const feature_data *data, const lr_group_design *design,
                 size_t n_auc, group_moments out)
{
    marker_task t = {.design = *design, .p = data->p, .n_auc = n_auc,
                     .out = out};
    size_t threads = (size_t)data->control.threads;
    t.workers = lr_allocate(threads, sizeof(marker_worker));
    for (size_t k = 0; k < threads; k++)
        t.workers[k] = new_worker(&t, data->n);
    size_t cells = lr_cell_count(&t.design);
    double groups = (double)t.design.n_groups, samples = (double)data->n;
    double work = 8.0 * samples + (double)cells;
    if (n_auc > 0)
        work += (20.0 + groups) * samples + 3.0 * (double)cells * groups;
    column_walk walk = {.data = data, .task = "Groups", .work = work,
                        .use = use_feature, .context = &t, .as_stored = 1};
    walk_columns(&walk);
}
