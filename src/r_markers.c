/* Moments of groups of samples and areas under the curve between them, feature
 * by feature: group_markers(), and the direction of a ranking. */
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

static double *doubles(size_t count)
{
    return (double *)R_alloc(count + 1, sizeof(double));
}

static marker_worker new_worker(const marker_task *t, size_t n)
{
    size_t groups = t->design.n_groups, cells = lr_cell_count(&t->design);
    lr_entries entries = {(int *)R_alloc(n, sizeof(int)), doubles(n), 0};
    lr_cell_moments moments = {doubles(cells), doubles(cells), doubles(cells),
                               doubles(cells), doubles(cells)};
    marker_worker w = {entries, moments, {NULL, NULL, NULL, NULL}, NULL};
    if (t->n_auc == 0)
        return w;
    w.scratch.entry = (lr_cell_entry *)R_alloc(2 * n, sizeof(lr_cell_entry));
    w.scratch.below = doubles(cells);
    w.scratch.tied = doubles(cells);
    w.scratch.wins = doubles(cells * groups);
    w.auc = doubles(groups * groups);
    return w;
}

/* The cells of a feature that are not 0, as they are. */
static void read_entries(const marker_task *t, const lr_block *block, size_t j,
                         lr_entries *entries)
{
    static const lr_shift as_given = {0.0, 1.0, 0.0};
    if (t->stored) {
        size_t feature = block->first + j;
        size_t from = (size_t)t->stored->start[feature];
        size_t to = (size_t)t->stored->start[feature + 1];
        lr_entries_of_stored(&as_given, t->stored->row + from,
                             t->stored->value + from, to - from, entries);
    } else {
        lr_entries_of_column(&as_given, block->values + j * block->stride,
                             block->n, entries);
    }
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

static void use_feature(void *context, const lr_block *block, size_t j,
                        int thread)
{
    const marker_task *t = (const marker_task *)context;
    marker_worker *w = t->workers + thread;
    size_t feature = block->first + j, groups = t->design.n_groups;
    read_entries(t, block, j, &w->entries);
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

static double *new_matrix(SEXP list, int at, size_t rows, size_t columns)
{
    SEXP matrix = Rf_allocMatrix(REALSXP, (int)rows, (int)columns);
    SET_VECTOR_ELT(list, at, matrix);
    return REAL(matrix);
}

static double work_per_feature(const marker_task *t, double n)
{
    double groups = (double)t->design.n_groups;
    double cells = (double)lr_cell_count(&t->design);
    return 8.0 * n + cells
        + (t->n_auc > 0 ? (20.0 + groups) * n + 3.0 * cells * groups : 0.0);
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
    size_t n = (size_t)Rf_asReal(list_element(data, "n"));
    marker_task t;
    t.design = (lr_group_design){(size_t)list_int(design, "groups"),
                                 (size_t)list_int(design, "blocks"),
                                 INTEGER(list_element(design, "cell")),
                                 REAL(list_element(design, "count"))};
    t.p = (size_t)Rf_asReal(list_element(data, "p"));
    t.n_auc = (size_t)Rf_asReal(auc);
    t.stored = stored_cells(data, &storage);
    t.workers = (marker_worker *)R_alloc((size_t)c.threads,
                                         sizeof(marker_worker));
    for (int k = 0; k < c.threads; k++)
        t.workers[k] = new_worker(&t, n);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    size_t cells = lr_cell_count(&t.design);
    t.mean = new_matrix(out, 0, t.p, cells);
    t.square = new_matrix(out, 1, t.p, cells);
    t.above = new_matrix(out, 2, t.p, cells);
    t.auc = t.n_auc > 0 ? new_matrix(out, 3, t.p, t.n_auc) : NULL;
    double work = work_per_feature(&t, (double)n);
    column_walk walk = {data, c, "Groups", NULL, work, use_feature, &t, 1};
    walk_columns(&walk);
    UNPROTECT(1);
    return out;
}
