#include "margin_walk.h"

enum { ENDS_AT_ONCE = 128 }; /* so that memory grows with n only */

typedef struct {
    feature_walk features;
    pair_walk *walk;
    const lr_tile *tile; /* the coefficients of a pass */
    const int *table;    /* per sample */
    lr_irelief problem;
    double *scratch;     /* 3 n_classes for each thread */
    double *gamma;       /* per end point */
} irelief_task;

static void find_coefficients(void *context, const lr_tile *tile,
                              lr_chunk chunk)
{
    irelief_task *t = (irelief_task *)context;
    double *scratch = t->scratch + 3 * t->problem.n_classes * chunk.number;
    for (size_t e = 0; e < tile->n_ends; e++)
        if (lr_is_own_end(tile, e, chunk))
            t->gamma[tile->first_slot + e] = lr_irelief_coefficients(
                &t->problem, tile->ends[e], tile->distance + e * tile->ld,
                scratch);
}

/* One number per feature. */
static void add_differences(void *context, const gathered *f)
{
    const irelief_task *t = (const irelief_task *)context;
    lr_other_values values = {f->u, f->expected, t->table, &f->rule};
    if (f->kind == SIDE_BY_SIDE)
        lr_irelief_plain(t->tile, f->u, (double *)f->sums);
    else
        lr_irelief_other(t->tile, &values, (double *)f->sums);
}

/* The differences of a pass times its coefficients; the pass's half of the
 * progress line begins in its middle. */
static void add_pass(void *context, const lr_tile *tile)
{
    irelief_task *t = (irelief_task *)context;
    double half = 0.5 * (double)tile->n_ends;
    t->tile = tile;
    walk_features(&t->features, &t->walk->line,
                  (double)tile->first_slot + half, half);
}

void irelief_step(const pair_walk *walk, const feature_data *data,
                  lr_irelief problem, double *v, double *gamma)
{
    pair_walk w = *walk;
    row_places places = all_places(w.n);
    int *table = new_ints(w.n);
    for (size_t i = 0; i < w.n; i++)
        table[i] = (int)lr_table_of(&data->scaling, i);
    irelief_task t = {
        .walk = &w, .table = table, .problem = problem, .gamma = gamma,
        .scratch = new_doubles(3 * problem.n_classes
                               * (size_t)w.data->control.threads)};
    t.features = (feature_walk){
        .data = data, .rows = &places,
        .work = (double)ENDS_AT_ONCE * (double)w.n,
        .walks = w.n_ends / ENDS_AT_ONCE + 1, .sums = v,
        .size = sizeof(double), .use = add_differences, .context = &t};
    plan_features(&t.features);
    w.whole_rows = 1;
    w.most_ends = ENDS_AT_ONCE;
    w.share = 0.5;
    w.use = find_coefficients;
    w.collect = add_pass;
    w.context = &t;
    walk_pairs(&w, "One iteration");
}
