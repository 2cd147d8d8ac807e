/* Quadratic forms of all features, and sums over features for pairs of samples.
 * */
#include "score_walk.h"

/* ---- forms --------------------------------------------------------------- */

typedef struct {
    const form *forms;
    const feature_data *data;
    size_t n_forms, n, p;
    size_t per_thread; /* doubles of scratch per thread */
    double *out; /* [column][p] */
} form_task;

static int is_even(const double *weight, size_t n)
{
    for (size_t i = 0; weight && i < n; i++)
        if (weight[i] != 1.0)
            return 0;
    return 1;
}

static void complete_scatter(lr_scatter *s)
{
    if (!s->center)
        return;
    s->is_even = is_even(s->center, s->n) && is_even(s->weight, s->n);
    for (size_t i = s->n; i-- > 0;)
        if (s->center[i] > 0.0) {
            s->center_count++;
            s->center_first = i;
        }
    for (size_t i = 0; i < s->n; i++)
        s->center_sum += s->center[i];
}

static void complete_classes(lr_classes *c)
{
    double *count = zero_doubles(c->n_classes);
    size_t *first = new_sizes(c->n_classes);
    for (size_t i = c->n; i-- > 0;)
        if (c->class_of[i] >= 0) {
            count[c->class_of[i]] += 1.0;
            first[c->class_of[i]] = i;
        }
    c->count = count;
    c->first = first;
}

static const double *weigh_classes(const lr_classes *c, const double *weight)
{
    double *sum = zero_doubles(c->n_classes);
    for (size_t i = 0; i < c->n; i++)
        if (c->class_of[i] >= 0)
            sum[c->class_of[i]] += weight[i];
    return sum;
}

size_t complete_forms(form *forms, size_t n_forms)
{
    size_t columns = 0;
    for (form *f = forms; f < forms + n_forms; f++) {
        f->at = columns;
        f->count = 1;
        if (f->kind == SCATTER)
            complete_scatter(&f->scatter);
        else if (f->kind != GRAPH)
            complete_classes(&f->classes);
        if (f->kind == CLASSES)
            f->count = 2;
        if (f->kind == DIFFERENT)
            f->class_weight = weigh_classes(&f->classes, f->weight);
        columns += f->count;
    }
    return columns;
}

static void run_form(const form *f, const double *u, const double *zero,
                     double *result)
{
    double *scratch = result + f->count * LR_LANES;
    switch (f->kind) {
    case GRAPH:
        lr_form_graph(&f->graph, u, result);
        break;
    case SCATTER:
        lr_form_scatter(&f->scatter, u, zero, result);
        break;
    case CLASSES:
        lr_form_classes(&f->classes, u, zero, result, scratch);
        break;
    case DIFFERENT:
        lr_form_different(&f->classes, f->weight, f->class_weight, u, zero,
                      result, scratch);
        break;
    }
}

/* The levels of a category add up. */
static void use_forms(void *context, const gathered *g)
{
    const form_task *t = context;
    double *result = g->scratch, zero[LR_LANES] = {0.0};
    for (size_t l = 0; l < g->count && g->kind != CATEGORY_LEVELS; l++)
        zero[l] = lr_scale_cell(&t->data->scaling, g->feature[l], 0.0);
    for (size_t i = 0; i < t->n_forms; i++) {
        const form *f = t->forms + i;
        run_form(f, g->values.u, zero, result);
        for (size_t c = 0; c < f->count; c++)
            for (size_t l = 0; l < g->count; l++)
                t->out[(f->at + c) * t->p
                       + g->feature[g->kind == CATEGORY_LEVELS ? 0 : l]] +=
                    result[c * LR_LANES + l];
    }
}

/* ---- sparse data: stored cells only -------------------------------------- */

/* The columns of a dgCMatrix. */
typedef struct {
    const form_task *forms;
    lr_sparse_tile cells;
    int spread;  /* does a form need every cell? */
    /* doubles per thread: n for `all`, n for the stored cells, 1 for what `all`
     * is filled with, the rest for the forms */
    size_t per_thread;
    double *scratch;
} sparse_task;

/* Each copy is as long as what is there. */
static void fill(double *all, size_t n, double value)
{
    size_t there = n < 16 ? n : 16;
    for (size_t i = 0; i < there; i++)
        all[i] = value;
    for (size_t more; there < n; there += more) {
        more = there < n - there ? there : n - there;
        memcpy(all + there, all, more * sizeof(double));
    }
}

/* All cells of a feature, from those that are stored. */
static void spread_cells(lr_sparse *f, double *all, size_t n, double *filled)
{
    if (*filled != f->zero)
        fill(all, n, f->zero);
    *filled = f->zero;
    for (size_t e = 0; e < f->count; e++)
        all[f->row[e]] = f->u[e];
    f->all = all;
}

static void use_sparse(void *context, const lr_block *block, size_t j)
{
    const sparse_task *s = context;
    const form_task *t = s->forms;
    size_t feature = block->first + j, begin = (size_t)s->cells.start[feature];
    double *all = s->scratch + (size_t)lr_own_thread() * s->per_thread;
    double *u = all + t->n, *filled = u + t->n;
    double *work = filled + 1, *result = work + lr_sparse_scratch(t->n);
    lr_sparse cells = {(size_t)s->cells.start[feature + 1] - begin,
                       s->cells.row + begin, u,
                       lr_scale_cell(&t->data->scaling, feature, 0.0), NULL};
    lr_scale_cells(&t->data->scaling, feature, s->cells.value + begin,
                   cells.count, u);
    if (s->spread)
        spread_cells(&cells, all, t->n, filled);
    for (size_t i = 0; i < t->n_forms; i++) {
        const form *f = t->forms + i;
        if (f->kind == GRAPH)
            result[0] = lr_sparse_graph(&f->graph, &cells, work);
        else if (f->kind == SCATTER)
            result[0] = lr_sparse_scatter(&f->scatter, &cells);
        else
            lr_sparse_classes(&f->classes, &cells, result, result + f->count);
        for (size_t c = 0; c < f->count; c++)
            t->out[(f->at + c) * t->p + feature] = result[c];
    }
    for (size_t e = 0; s->spread && e < cells.count; e++)
        all[cells.row[e]] = cells.zero;
}

static void walk_sparse(const form_task *t, double work)
{
    size_t per_thread = 2 * t->n + 1 + lr_sparse_scratch(t->n) + t->per_thread;
    sparse_task task = {.forms = t, .per_thread = per_thread};
    for (const form *f = t->forms; f < t->forms + t->n_forms; f++)
        task.spread |= f->kind == GRAPH
            || (f->kind == SCATTER && !f->scatter.is_even);
    stored_cells(t->data, &task.cells);
    task.scratch =
        zero_doubles((size_t)t->data->control.threads * task.per_thread);
    column_walk walk = {.data = t->data, .task = "Scores", .work = work,
                        .use = use_sparse, .context = &task, .as_stored = 1};
    walk_columns(&walk);
}

static double form_work(const form *f, size_t n)
{
    switch (f->kind) {
    case GRAPH:
        return f->graph.row ? 2.0 * f->graph.start[n]
                            : 2.0 * (double)n * (double)n;
    case SCATTER:
        return 4.0 * (double)n;
    default:
        return 6.0 * (double)n
            + (double)f->classes.n_classes * (double)f->classes.n_classes;
    }
}

void sum_forms(const feature_data *data, const form *forms, size_t n_forms,
               double *out)
{
    form_task t = {.forms = forms, .data = data, .n_forms = n_forms,
                   .n = data->n, .p = data->p, .per_thread = LR_LANES,
                   .out = out};
    double work = 4.0 * (double)t.n;
    /* forms that need no cell that is zero */
    int sparse = is_stored(data);
    for (const form *f = forms; f < forms + n_forms; f++) {
        size_t per_thread = (f->count + 5 * f->classes.n_classes) * LR_LANES;
        if (per_thread > t.per_thread)
            t.per_thread = per_thread;
        work += form_work(f, t.n);
        sparse = sparse && f->kind != DIFFERENT;
    }
    if (sparse) {
        walk_sparse(&t, work / 4.0);
        return;
    }
    row_places rows = all_places(t.n);
    feature_walk walk = {
        .data = data, .rows = &rows, .as_levels = 1, .work = work,
        .scratch = t.per_thread, .use = use_forms, .context = &t};
    run_features(&walk, "Scores");
}

/* ---- pairs of samples, over all features --------------------------------- */

static void use_pairs(void *context, const gathered *g)
{
    const pair_sums *t = context;
    lr_add_pairs(t->first, t->second, t->count, g->values.u, t->products,
                 t->value);
}

void sum_pairs(const feature_data *data, pair_sums *sums)
{
    row_places rows = all_places(data->n);
    /* a pair's sum runs over all features in order: by one thread */
    feature_walk walk = {
        .data = data, .rows = &rows, .as_levels = 1, .alone = 1,
        .work = (double)sums->count, .use = use_pairs, .context = sums};
    run_features(&walk, "Pairs");
}
