/* Moments of groups of samples and areas under the curve between them, feature
 * by feature: group_markers(), and the direction of a ranking. */
#include "lr_threads.h"
#include "markers.h"
#include "r_entry.h"
#include "r_walk.h"

typedef struct {
    lr_entries entries;
    lr_cell_moments moments;
    lr_auc_scratch scratch;
    double *auc;
} marker_worker;

typedef struct {
    lr_group_design design;
    const lr_sparse_tile *stored;
    size_t p, n_auc; /* auc: 0 none, groups: means, groups^2: all pairs */
    marker_worker *workers;
    double *mean, *square, *above; /* [cell][p] */
    double *auc;                   /* [n_auc][p] */
} marker_task;

static marker_worker new_worker(const marker_task *t, size_t n)
{
    size_t groups = t->design.n_groups, cells = lr_cell_count(&t->design);
    marker_worker w = {
        .entries = {new_ints(n), new_doubles(n), 0},
        .moments = {new_doubles(cells), new_doubles(cells), new_doubles(cells),
                    new_doubles(cells), new_doubles(cells)}};
    if (t->n_auc == 0)
        return w;
    w.scratch.entry = (lr_cell_entry *)R_alloc(2 * n, sizeof(lr_cell_entry));
    w.scratch.below = new_doubles(cells);
    w.scratch.tied = new_doubles(cells);
    w.scratch.wins = new_doubles(cells * groups);
    w.auc = new_doubles(groups * groups);
    return w;
}

/* Of group g the mean over the other groups that share a block with it. */
static double mean_auc(const double *auc, size_t g, size_t groups)
{
    double sum = 0.0, count = 0.0;
    for (size_t h = 0; h < groups; h++)
        if (!ISNAN(auc[h + g * groups])) {
            sum += auc[h + g * groups];
            count += 1.0;
        }
    return sum / count;
}

static void use_feature(void *context, const lr_block *block, size_t j)
{
    static const lr_shift as_given = {0.0, 1.0, 0.0};
    const marker_task *t = (const marker_task *)context;
    marker_worker *w = t->workers + lr_own_thread();
    size_t feature = block->first + j, groups = t->design.n_groups;
    lr_entries_of_feature(&as_given, block, j, t->stored, &w->entries);
    lr_moments_of_cells(&t->design, &w->entries, &w->moments);
    for (size_t c = 0; c < lr_cell_count(&t->design); c++) {
        t->mean[feature + c * t->p] = w->moments.mean[c];
        t->square[feature + c * t->p] = w->moments.square[c];
        t->above[feature + c * t->p] = w->moments.above[c];
    }
    if (t->n_auc == 0)
        return;
    lr_auc_of_groups(&t->design, &w->entries, &w->scratch, w->auc);
    for (size_t a = 0; a < t->n_auc; a++)
        t->auc[feature + a * t->p] = t->n_auc == groups
            ? mean_auc(w->auc, a, groups) : w->auc[a];
}

/* design: list(cell, groups, blocks, count), cells from 0, -1 for samples in no
 * group; auc: 0, the number of groups, or its square.
 * list(mean, square, above), features x cells, and auc, features x groups, or
 * features x pairs, those of the first group first. */
SEXP r_group_moments(SEXP data, SEXP design, SEXP auc, SEXP control)
{
    const char *names[] = {"mean", "square", "above", "auc", ""};
    run_control c = read_control(control);
    lr_sparse_tile storage;
    size_t n = list_size(data, "n");
    marker_task t = {
        .design = {list_size(design, "groups"), list_size(design, "blocks"),
                   list_ints(design, "cell"), list_reals(design, "count")},
        .stored = stored_cells(data, &storage), .p = list_size(data, "p"),
        .n_auc = (size_t)Rf_asReal(auc)};
    t.workers =
        (marker_worker *)R_alloc((size_t)c.threads, sizeof(marker_worker));
    for (int k = 0; k < c.threads; k++)
        t.workers[k] = new_worker(&t, n);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    size_t cells = lr_cell_count(&t.design);
    t.mean = set_real_matrix(out, 0, t.p, cells);
    t.square = set_real_matrix(out, 1, t.p, cells);
    t.above = set_real_matrix(out, 2, t.p, cells);
    t.auc = t.n_auc > 0 ? set_real_matrix(out, 3, t.p, t.n_auc) : NULL;
    double groups = (double)t.design.n_groups, samples = (double)n;
    double work = 8.0 * samples + (double)cells;
    if (t.n_auc > 0)
        work += (20.0 + groups) * samples + 3.0 * (double)cells * groups;
    column_walk walk = {data, c, "Groups", NULL, work, use_feature, &t, 1};
    walk_columns(&walk);
    UNPROTECT(1);
    return out;
}
