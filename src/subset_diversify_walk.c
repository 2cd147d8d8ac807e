/* Features in an order in which each is unlike those before it. */
#include "subset_walk.h"

/* ---- the columns --------------------------------------------------------- */

typedef struct {
    const some_features *features;
    const int *place;
    double *u; /* n */
    double *side_by_side; /* n for each column; NULL: on its own */
    lr_slim_column *columns;
} slim_task;

/* By one thread: a column on its own takes memory for what it holds. */
static void read_column(void *context, const lr_block *b, size_t j)
{
    const slim_task *t = (const slim_task *)context;
    size_t feature = b->first + j, count = 0, n = b->n;
    const lr_scaling *scaling = &t->features->data->scaling;
    double zero = lr_scale_cell(scaling, feature, 0.0);
    lr_scale_column(b, scaling, j, t->features->fill[feature], t->u);
    for (size_t i = 0; i < n; i++)
        count += t->u[i] != zero;
    int slim = lr_is_slim(count, n);
    size_t held = slim ? count + 1 : n, place = (size_t)t->place[feature];
    t->columns[place] =
        lr_slim_of(t->u, n, zero, count, slim ? new_ints(held) : NULL,
                   t->side_by_side ? t->side_by_side + place * n
                                   : new_doubles(held));
}

static void read_columns(const some_features *f, lr_diversity *d)
{
    /* the order in which each step reads them; as large as the data are */
    int is_dense = f->data->layout == LAYOUT_COLUMNS;
    slim_task t = {f, feature_places(f->data->p, f->features, f->count),
                   new_doubles(d->n),
                   is_dense ? new_doubles(d->n * d->p) : NULL,
                   (lr_slim_column *)lr_allocate(d->p + 1,
                                                 sizeof(lr_slim_column))};
    column_walk walk = {.data = f->data, .place = t.place,
                        .work = (double)d->n, .use = read_column,
                        .context = &t, .alone = 1};
    walk_columns(&walk);
    d->columns = t.columns;
}

/* ---- the order ----------------------------------------------------------- */

typedef struct {
    lr_diversity d;
    size_t n_chunks;
    const lr_slim_column *last;
    int team;
} order_task;

static void open_chunk(const lr_diversity *d, lr_diversity_chunk *c)
{
    size_t entries = 1;
    for (size_t f = c->first; f < c->first + c->count; f++)
        if (d->columns[f].row)
            entries += d->columns[f].count;
    c->start = new_sizes(d->n + 1);
    c->column = new_ints(entries);
    c->value = new_doubles(entries);
    lr_diversity_list(d, c);
}

/* Operations of a step: multiplications, where cells do not follow one another
 * four times as slow. */
static double work_of_step(const lr_diversity *d)
{
    double dense = 0.0, entries = 0.0;
    for (size_t f = 0; f < d->p; f++)
        *(d->columns[f].row ? &entries : &dense) += (double)d->columns[f].count;
    double slim = entries / ((double)d->n + 1.0);
    return dense / 2.0 + 2.0 * slim * slim * (double)d->n / ((double)d->p + 1.0);
}

static order_task open_order(const some_features *f, const double *relevance)
{
    const run_control *c = &f->data->control;
    size_t p = f->count;
    order_task t = {
        .d = {.n = f->data->n, .p = p, .relevance = relevance,
              .redundant = zero_doubles(p),
              .chosen = (int *)zero_structs(p, sizeof(int))},
        .n_chunks = (p + LR_DIVERSITY_CHUNK - 1) / LR_DIVERSITY_CHUNK};
    lr_diversity *d = &t.d;
    read_columns(f, d);
    d->chunks = (lr_diversity_chunk *)zero_structs(t.n_chunks,
                                                   sizeof(lr_diversity_chunk));
    for (size_t k = 0; k < t.n_chunks; k++) {
        lr_diversity_chunk *chunk = d->chunks + k;
        chunk->first = k * LR_DIVERSITY_CHUNK;
        chunk->count = smaller(p - chunk->first, LR_DIVERSITY_CHUNK);
        chunk->most = -1.0;
        open_chunk(d, chunk);
    }
    /* a step is shared as soon as that pays at all: there are many */
    t.team = lr_num_threads(c->threads, work_of_step(d), c->worthwhile / 50.0);
    return t;
}

static void update_chunk(void *context, size_t chunk)
{
    const order_task *t = (const order_task *)context;
    lr_diversity_update(&t->d, t->d.chunks + chunk, t->last);
}

/* The next feature and its worth: of equal ones the lower number. */
static size_t take_next(order_task *t, double *worth)
{
    lr_diversity *d = &t->d;
    lr_run_items(t->team, t->n_chunks, update_chunk, t);
    const lr_diversity_chunk *best = d->chunks;
    for (size_t k = 1; k < t->n_chunks; k++)
        if (d->chunks[k].most > best->most)
            best = d->chunks + k;
    lr_diversity_chunk *own = d->chunks + best->best / LR_DIVERSITY_CHUNK;
    d->chosen[best->best] = 1;
    own->left -= d->columns[best->best].row != NULL;
    t->last = d->columns + best->best;
    *worth = best->most;
    return best->best;
}

void diversify(const some_features *some, const double *relevance, int *place,
               double *value)
{
    enum { STEP = 16 };
    order_task t = open_order(some, relevance);
    progress_line line = progress_begin("Diversifying", "features",
                                        (double)t.d.p,
                                        some->data->control.progress);
    for (size_t step = 0; step < t.d.p; step++) {
        place[step] = (int)take_next(&t, value + step) + 1;
        if (step % STEP == STEP - 1)
            progress_tick(&line, (double)(step + 1));
    }
    progress_end(&line);
}
