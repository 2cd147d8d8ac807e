/* Graphs of features in portions: correlations, copies and sparse codes. */
#include "graph_walk.h"

#include <math.h>

#include "graph_copies.h"
#include "graph_correlation.h"
#include "graph_sparse_code.h"
#include "lr_products.h"

/* ==== correlations ======================================================== */

/* Standardized columns of the features, in their order. */
static double *standardized(const some_features *f)
{
    size_t n = f->data->n;
    double *z = new_doubles(n * f->count);
    copy_features(f->data, f->features, f->count, 1, z);
    for (size_t k = 0; k < f->count; k++)
        lr_standardize(z + k * n, n);
    return z;
}

size_t keep_uncorrelated(const some_features *f, double most, int *keep)
{
    enum { STEP = 64 };
    size_t kept = 0;
    double *z = standardized(f);
    progress_line line =
        progress_begin("Pruning", "features", (double)f->count,
                       f->data->control.progress);
    for (size_t first = 0; first < f->count; first += STEP) {
        size_t end = smaller(first + STEP, f->count);
        kept = lr_keep_uncorrelated(z, f->data->n, first, end, most, keep,
                                    kept);
        progress_tick(&line, (double)end);
    }
    progress_end(&line);
    return kept;
}

void sum_correlations(const some_features *f, double *sums)
{
    size_t n = f->data->n;
    double *z = standardized(f), *scratch = new_doubles(lr_nearest_scratch(n));
    sums[0] = sums[1] = 0.0;
    progress_line line =
        progress_begin("Correlations", "features", (double)f->count,
                       f->data->control.progress);
    for (size_t first = 0; first < f->count; first += LR_NEAREST_TARGETS) {
        size_t some = smaller(f->count - first, LR_NEAREST_TARGETS);
        lr_sum_correlations(z, n, first, some, sums, sums + 1, scratch);
        progress_tick(&line, (double)(first + some));
    }
    progress_end(&line);
}

/* ==== graphs of features ================================================== */

enum { BLOCKS_EACH = 8 }; /* of targets, for each of several threads */

/* ---- scaled features in memory ------------------------------------------- */

entering read_entering(const feature_data *data)
{
    size_t n = data->n, p = data->p;
    entering e = {&data->control, new_doubles(n * p), n, p, 0, new_ints(p),
                  new_ints(p)};
    copy_features(data, NULL, p, 1, e.u);
    /* -0 is 0, because copies are recognised by their bits */
    for (size_t k = 0; k < n * p; k++)
        e.u[k] += 0.0;
    lr_find_copies(e.u, n, p, e.original, new_ints(lr_copy_table(p)));
    for (size_t j = 0; j < p; j++) {
        if (e.original[j] != (int)j)
            continue;
        memmove(e.u + e.count * n, e.u + j * n, n * sizeof(double));
        e.feature[e.count++] = (int)j + 1;
    }
    return e;
}

/* ---- simplex and nnlasso ------------------------------------------------- */

/* Several blocks of targets at a time: a thread goes on with its block for a
 * portion of work and then takes the next that no thread has, in the memory of
 * its own. Factors take much of it, so that a space for each block would set
 * off the collection of garbage in every call. What is kept of each target of
 * the time is its certificate and its features in use with their weights, the
 * first of `capacity`. */
typedef struct {
    lr_sparse_code task;
    lr_block_size size;
    size_t capacity;
    int team;
    size_t targets; /* at a time: whole blocks */
    size_t first;   /* of these */
    size_t end;     /* of the targets of this part */
    size_t next;    /* the first block that no thread has taken */
    lr_code_block *blocks; /* of each thread */
    lr_certificate *certificate;
    size_t *n_active;
    int *active;
    double *weight;
} coding;

/* Memory for a block of each thread, and for what is kept. */
static void allocate_blocks(coding *c)
{
    size_t targets = c->size.targets, kept = c->targets * c->capacity;
    c->blocks = lr_allocate((size_t)c->team, sizeof(lr_code_block));
    for (int t = 0; t < c->team; t++)
        c->blocks[t] = (lr_code_block){
            .code = lr_allocate(targets, sizeof(lr_code)),
            .certificate = lr_allocate(targets, sizeof(lr_certificate)),
            .best = lr_allocate(targets, sizeof(lr_best_list)),
            .doubles = new_doubles(c->size.doubles),
            .floats = lr_allocate(c->size.floats, sizeof(float)),
            .ints = new_ints(c->size.ints), .stage = LR_DONE};
    c->certificate = lr_allocate(c->targets, sizeof(lr_certificate));
    c->n_active = new_sizes(c->targets);
    c->active = new_ints(kept);
    c->weight = new_doubles(kept);
}

static coding new_coding(const entering *e, int simplex, double lambda)
{
    double *square = new_doubles(e->count);
    float *pack = lr_allocate(
        lr_pack_size(e->count, e->n, LR_FLOAT_LANES), sizeof(float));
    for (size_t j = 0; j < e->count; j++)
        square[j] = lr_dot(e->u + j * e->n, e->u + j * e->n, e->n);
    lr_pack_floats(e->u, e->count, e->n, pack);
    coding c = {
        .task = {{e->n, e->count, e->u, square, simplex}, lambda, pack},
        .team = team_size(e->control, (double)e->n * (double)e->count
                                          * (double)e->count)};
    c.size = lr_block_needs(&c.task.problem);
    c.capacity = lr_code_capacity(&c.task.problem);
    /* several for each of several threads, so that none waits long for the
     * last */
    size_t most = c.team > 1 ? BLOCKS_EACH * (size_t)c.team : 1;
    c.targets = c.size.targets
        * smaller(most, (e->count + c.size.targets - 1) / c.size.targets);
    allocate_blocks(&c);
    return c;
}

/* First target of one of `parts` parts of whole blocks, so that a part codes
 * the blocks that all of them together do. */
static size_t part_begin(const coding *c, int part, int parts)
{
    size_t count = c->task.problem.count, size = c->size.targets;
    size_t blocks = (count + size - 1) / size;
    size_t begin = blocks * (size_t)part / (size_t)parts * size;
    return begin < count ? begin : count;
}

static int next_block(coding *c, lr_code_block *block)
{
    size_t at = lr_take_number(&c->next) * c->size.targets;
    if (at >= c->targets)
        return 0;
    size_t begin = smaller(c->first + at, c->end);
    lr_code_block_begin(&c->task, &c->size, block, begin,
                        smaller(c->end - begin, c->size.targets));
    return 1;
}

static void keep_codes(const coding *c, const lr_code_block *block)
{
    size_t kept = block->first - c->first, at = kept * c->capacity;
    for (size_t t = 0; t < block->count; t++, at += c->capacity) {
        const lr_code *code = block->code + t;
        c->certificate[kept + t] = block->certificate[t];
        c->n_active[kept + t] = code->n_active;
        memcpy(c->active + at, code->active, code->n_active * sizeof(int));
        memcpy(c->weight + at, code->weight, code->n_active * sizeof(double));
    }
}

/* Works until nothing is left or the next check for interrupts is due. */
static void work_on(void *context, size_t number)
{
    coding *c = context;
    lr_code_block *block = c->blocks + number;
    double spent = 0.0;
    while (spent < LR_PORTION
           && (block->stage != LR_DONE || next_block(c, block))) {
        spent += lr_code_block_round(block);
        if (block->stage == LR_DONE)
            keep_codes(c, block);
    }
}

/* The targets at a time, from c->first. */
static void code_targets(coding *c, progress_line *line, size_t before)
{
    size_t done = c->next = 0, blocks = c->targets / c->size.targets;
    while (done < blocks) {
        lr_run_items(c->team, (size_t)c->team, work_on, c);
        done = smaller(c->next, blocks);
        for (int t = 0; t < c->team; t++)
            done -= c->blocks[t].stage != LR_DONE;
        progress_tick(line, (double)(before + done * c->size.targets));
    }
}

static void take_codes(const coding *c, const entering *e, edge_list *list,
                       const code_report *report)
{
    for (size_t t = 0; t < smaller(c->targets, c->end - c->first); t++) {
        size_t at = t * c->capacity;
        int from = e->feature[c->first + t];
        for (size_t k = at; k < at + c->n_active[t]; k++)
            add_edge(list, from, e->feature[c->active[k]], c->weight[k]);
        report->kkt[from - 1] = c->certificate[t].kkt;
        report->nonzeros[from - 1] = (int)c->n_active[t];
        report->rounds[from - 1] = c->certificate[t].rounds;
    }
}

void code_features(entering *e, const code_options *options, edge_list *list,
                   const code_report *report)
{
    if (e->count < 2)
        return;
    lr_bring_near_one(e->u, e->n * e->count);
    coding c = new_coding(e, options->simplex, options->lambda);
    size_t begin = part_begin(&c, options->part - 1, options->parts);
    c.end = part_begin(&c, options->part, options->parts);
    progress_line line =
        progress_begin("Feature graph", "features", (double)(c.end - begin),
                       e->control->progress);
    for (c.first = begin; c.first < c.end; c.first += c.targets) {
        code_targets(&c, &line, c.first - begin);
        take_codes(&c, e, list, report);
    }
    progress_end(&line);
}

/* ---- the most correlated features ---------------------------------------- */

/* Blocks of LR_NEAREST_TARGETS targets, each for the thread that is free. */
typedef struct {
    const entering *e;
    size_t k; /* neighbours of each feature */
    int team;
    size_t blocks, first; /* in work, and the first one's first target */
    int *nearest;         /* LR_NEAREST_TARGETS * k per block */
    double *r, *scratch;  /* the same; of each thread */
} nearest_search;

static nearest_search new_search(const entering *e, size_t k)
{
    nearest_search s = {
        .e = e, .k = k,
        .team = team_size(e->control, (double)e->n * (double)e->count
                                          * (double)e->count)};
    s.blocks = BLOCKS_EACH * (size_t)s.team;
    size_t all = s.blocks * LR_NEAREST_TARGETS * k;
    s.nearest = new_ints(all);
    s.r = new_doubles(all);
    s.scratch = new_doubles((size_t)s.team * lr_nearest_scratch(e->n));
    for (size_t j = 0; j < e->count; j++)
        lr_standardize(e->u + j * e->n, e->n);
    return s;
}

static void search_block(void *context, size_t b)
{
    const nearest_search *s = context;
    const entering *e = s->e;
    size_t begin = s->first + b * LR_NEAREST_TARGETS;
    size_t at = b * LR_NEAREST_TARGETS * s->k;
    lr_standard z = {e->u, e->n, e->count};
    if (begin < e->count)
        lr_nearest_correlated(
            &z, begin, smaller(e->count - begin, LR_NEAREST_TARGETS), s->k,
            s->nearest + at, s->r + at,
            s->scratch + (size_t)lr_own_thread() * lr_nearest_scratch(e->n));
}

static void take_nearest(const nearest_search *s, edge_list *list)
{
    const entering *e = s->e;
    size_t targets = s->blocks * LR_NEAREST_TARGETS;
    for (size_t t = 0; t < targets && s->first + t < e->count; t++)
        for (size_t i = t * s->k; i < (t + 1) * s->k; i++)
            add_edge(list, e->feature[s->first + t],
                     e->feature[s->nearest[i]], fabs(s->r[i]));
}

void correlate_features(entering *e, double k, edge_list *list)
{
    if (e->count < 2)
        return;
    size_t capacity = (size_t)fmin(k, (double)e->count - 1.0);
    nearest_search s = new_search(e, capacity);
    size_t step = s.blocks * LR_NEAREST_TARGETS;
    progress_line line = progress_begin("Feature graph", "features",
                                        (double)e->count, e->control->progress);
    for (; s.first < e->count; s.first += step) {
        lr_run_items(s.team, s.blocks, search_block, &s);
        take_nearest(&s, list);
        progress_tick(&line, fmin((double)(s.first + step),
                                  (double)e->count));
    }
    progress_end(&line);
}
