/* Greedy orders of features: one step after the other, candidates in portions.
 * */
#include "subset_walk.h"

#include <float.h>
#include <math.h>

#include "read_transpose.h"

/* ==== diverse features ==================================================== */

/* ---- the columns --------------------------------------------------------- */

typedef struct {
    const some_features *features;
    const int *place;
    double *u; /* n */
    lr_slim_column *columns;
} slim_task;

/* By one thread: a column on its own takes memory for what it holds. */
static void read_column(void *context, const lr_block *b, size_t j)
{
    const slim_task *t = context;
    size_t feature = b->first + j, count = 0, n = b->n;
    const lr_scaling *scaling = &t->features->data->scaling;
    double zero = lr_scale_cell(scaling, feature, 0.0);
    lr_scale_cells(scaling, feature, b->values + j * b->stride, n, t->u);
    for (size_t i = 0; i < n; i++)
        count += t->u[i] != zero;
    int slim = lr_is_slim(count, n);
    size_t held = slim ? count + 1 : n;
    t->columns[t->place[feature]] =
        lr_slim_of(t->u, n, zero, count, slim ? new_ints(held) : NULL,
                   new_doubles(held));
}

static void read_columns(const some_features *f, lr_diversity *d)
{
    slim_task t = {f, feature_places(f->data->p, f->features, f->count),
                   new_doubles(d->n),
                   lr_allocate(d->p + 1, sizeof(lr_slim_column))};
    column_walk walk = {.data = f->data, .place = t.place,
                        .work = (double)d->n, .use = read_column,
                        .context = &t, .alone = 1};
    walk_columns(&walk);
    d->columns = t.columns;
}

/* ---- the order ----------------------------------------------------------- */

enum {
    STRIP = 16,  /* chosen features that one item compares a chunk with */
    STRIPS = 32  /* at most, between two checks for interrupts */
};

typedef struct {
    lr_diversity d;
    size_t n_chunks, count;
    int *order; /* the `count` features chosen so far */
    const lr_diversity_chunk *late; /* the chunk that is compared */
    double *most;                   /* by each strip */
    int threads;
} order_task;

/* Sorts the entries of the sparse features by row. */
static void open_chunk(const lr_diversity *d, lr_diversity_chunk *c)
{
    const lr_slim_column *column = d->columns + c->first;
    int *start = new_ints(c->count + 1);
    start[0] = 0;
    for (size_t f = 0; f < c->count; f++)
        start[f + 1] = start[f] + (column[f].row ? (int)column[f].count : 0);
    size_t entries = (size_t)start[c->count] + 1;
    c->start = new_ints(d->n + 1);
    c->column = new_ints(entries);
    c->value = new_doubles(entries);
    const void *memory = lr_memory_mark();
    int *row = new_ints(entries);
    double *value = new_doubles(entries);
    for (size_t f = 0; f < c->count; f++)
        if (column[f].row) {
            memcpy(row + start[f], column[f].row,
                   column[f].count * sizeof(int));
            memcpy(value + start[f], column[f].value,
                   column[f].count * sizeof(double));
        }
    lr_sample_cells cells = {c->count, d->n, start, row, value};
    lr_transpose_cells(&cells, 0, c->count, c->start, c->column, c->value,
                       new_ints(d->n + 1), new_ints(c->count));
    lr_memory_reset(memory);
}

static order_task open_order(const some_features *f, const double *relevance)
{
    size_t p = f->count;
    order_task t = {
        .d = {.n = f->data->n, .p = p, .relevance = relevance,
              .redundant = zero_doubles(p)},
        .n_chunks = (p + LR_DIVERSITY_CHUNK - 1) / LR_DIVERSITY_CHUNK,
        .order = new_ints(p),
        .most = new_doubles(STRIPS * LR_DIVERSITY_CHUNK),
        .threads = f->data->control.threads};
    lr_diversity *d = &t.d;
    read_columns(f, d);
    d->chunks = zero_structs(t.n_chunks, sizeof(lr_diversity_chunk));
    for (size_t k = 0; k < t.n_chunks; k++) {
        lr_diversity_chunk *chunk = d->chunks + k;
        chunk->first = k * LR_DIVERSITY_CHUNK;
        chunk->count = smaller(p - chunk->first, LR_DIVERSITY_CHUNK);
        open_chunk(d, chunk);
        lr_diversity_best(d, chunk, NULL, 0);
    }
    return t;
}

static void compare_strip(void *context, size_t strip)
{
    const order_task *t = context;
    size_t from = t->late->seen + strip * STRIP;
    lr_diversity_compare(&t->d, t->late, t->order + from,
                         smaller(t->count - from, STRIP),
                         t->most + strip * LR_DIVERSITY_CHUNK);
}

/* Compares a chunk with features chosen since it was compared last. */
static void catch_up(order_task *t, lr_diversity_chunk *chunk)
{
    size_t missed = smaller(t->count - chunk->seen, STRIP * STRIPS);
    size_t strips = (missed + STRIP - 1) / STRIP;
    t->late = chunk;
    lr_run_items(t->threads, strips, compare_strip, t);
    chunk->seen += missed;
    lr_diversity_best(&t->d, chunk, t->most, strips);
}

static lr_diversity_chunk *leader(const order_task *t)
{
    lr_diversity_chunk *best = t->d.chunks;
    for (size_t k = 1; k < t->n_chunks; k++)
        if (t->d.chunks[k].most > best->most)
            best = t->d.chunks + k;
    return best;
}

void diversify(const some_features *some, const double *relevance, int *place,
               double *value)
{
    order_task t = open_order(some, relevance);
    progress_line line = progress_begin("Redundancy", "features",
                                        (double)t.d.p,
                                        some->data->control.progress);
    while (t.count < t.d.p) {
        lr_diversity_chunk *best = leader(&t);
        if (best->seen < t.count) {
            catch_up(&t, best);
            progress_tick(&line, (double)t.count);
            continue;
        }
        value[t.count] = best->most;
        place[t.count] = (int)best->best + 1;
        t.order[t.count++] = (int)best->best;
        t.d.redundant[best->best] = INFINITY;
        lr_diversity_best(&t.d, best, NULL, 0);
    }
    progress_end(&line);
}

/* ==== forward selection =================================================== */

/* ---- pairs by column ----------------------------------------------------- */

static lr_pair_lists make_lists(const subset_pairs *p)
{
    size_t at = 0, *start = new_sizes(p->samples + 1);
    size_t *must_end = new_sizes(p->samples + 1);
    int *partner = new_ints(p->count);
    for (size_t j = 0; j < p->samples; j++) {
        start[j] = must_end[j] = at;
        for (; at < p->count && (size_t)p->second[at] == j + 1; at++) {
            partner[at] = p->first[at] - 1;
            if (p->must_link[at])
                must_end[j] = at + 1;
        }
    }
    start[p->samples] = at;
    return (lr_pair_lists){p->samples, start, must_end, partner};
}

/* ---- forward selection --------------------------------------------------- */

/* Candidates in packs of LR_CANDIDATES, each with the plan of its widest
 * feature. */
typedef struct {
    lr_pair_lists pairs;
    const feature_data *data;
    double width;
    size_t features, packs;
    lr_candidate *candidate;
    double *error; /* of the kernels of each pack */
    float *v, *narrow;
    double *w;             /* kernels of the features so far, per pair */
    double *next, *chosen; /* and with the candidate, the best of them in */
    double *score, *bound;
    double lost;           /* to kernels in single precision */
    size_t first_pack, tried;
    int team;
    int *used, *computed;
} selection;

static size_t count_pairs(const selection *s)
{
    return s->pairs.start[s->pairs.samples];
}

/* rows: of the samples of the pairs, from 1 */
static void open_selection(selection *s, const int *rows)
{
    size_t n = s->pairs.samples, count = count_pairs(s);
    size_t lanes = s->packs * LR_CANDIDATES;
    double *u = new_doubles(n * s->features);
    s->candidate = lr_allocate(s->features, sizeof(lr_candidate));
    s->error = new_doubles(s->packs);
    s->v = lr_allocate(lanes * n, sizeof(float));
    s->narrow = lr_allocate(count + 1, sizeof(float));
    s->w = new_doubles(count);
    s->next = new_doubles(count);
    s->chosen = new_doubles(count);
    s->score = new_doubles(lanes);
    s->bound = new_doubles(lanes);
    s->used = zero_structs(s->features, sizeof(int));
    s->computed = new_ints(s->features);
    scale_samples(s->data, rows, n, u);
    for (size_t f = 0; f < s->features; f++)
        s->candidate[f] = (lr_candidate){u + f * n,
                                         s->data->scaling.category[f]};
}

static double half_range(const selection *s, size_t first, size_t count)
{
    double widest = 0.0;
    size_t n = s->pairs.samples;
    for (size_t f = first; f < first + count; f++) {
        double low = DBL_MAX, high = -DBL_MAX;
        for (size_t i = 0; i < n && !s->candidate[f].category; i++) {
            low = fmin(low, s->candidate[f].u[i]);
            high = fmax(high, s->candidate[f].u[i]);
        }
        widest = fmax(widest, high - low);
    }
    return 0.5 * widest / sqrt(s->width);
}

static void pack_all(selection *s)
{
    size_t n = s->pairs.samples;
    for (size_t k = 0; k < s->packs; k++) {
        size_t first = k * LR_CANDIDATES;
        size_t count = smaller(s->features - first, LR_CANDIDATES);
        s->error[k] = lr_screen_error(half_range(s, first, count));
        lr_pack_candidates(s->candidate + first, count, n, s->width,
                           s->v + first * n);
    }
}

/* Item k of a run of packs: a pack is one thread's alone. */
static void screen_pack(void *context, size_t item)
{
    selection *s = context;
    size_t n = s->pairs.samples, k = s->first_pack + item;
    size_t at = k * LR_CANDIDATES;
    lr_screen_pack pack = {s->v + at * n, s->narrow, s->error[k], s->lost};
    if (pack.error == INFINITY) {
        for (size_t l = 0; l < LR_CANDIDATES; l++) {
            s->score[at + l] = 0.0;
            s->bound[at + l] = INFINITY;
        }
    } else {
        lr_subset_screen(&s->pairs, &pack, s->data->control.level,
                         s->score + at, s->bound + at);
    }
}

static void screen_all(selection *s, progress_line *line, double done)
{
    /* between two checks for interrupts, some tenths of a second */
    double per_pack = (double)count_pairs(s) * LR_CANDIDATES + 1.0;
    size_t at_once = (size_t)(5e8 / per_pack) + (size_t)s->team;
    s->lost = lr_narrow_kernels(&s->pairs, s->w, s->narrow);
    for (s->first_pack = 0; s->first_pack < s->packs;
         s->first_pack += at_once) {
        lr_run_items(s->team, smaller(s->packs - s->first_pack, at_once),
                     screen_pack, s);
        progress_tick(line, done + (double)s->first_pack / (double)s->packs);
    }
}

enum { COLUMNS = 16 }; /* samples whose pairs are one thread's at a time */

/* w_ij e_ij of some samples with those before them, last samples first: they
 * have the most pairs. */
static void multiply_columns(void *context, size_t item)
{
    selection *s = context;
    size_t n = s->pairs.samples, end = n - item * COLUMNS;
    lr_subset_product(&s->pairs, s->candidate[s->tried], s->width, s->w,
                      end > COLUMNS ? end - COLUMNS : 0, end, s->next);
}

/* The exact score; the kernels with the feature in are in `next` then. */
static double exact_score(selection *s, size_t feature)
{
    s->tried = feature;
    lr_run_items(s->team, (s->pairs.samples + COLUMNS - 1) / COLUMNS,
                 multiply_columns, s);
    return lr_subset_sum(&s->pairs, s->next);
}

static void swap_kernels(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

/* A copy of a feature that was computed already in this step cannot win: the
 * lower column does. */
static int is_copy(const selection *s, size_t f, size_t leaders)
{
    size_t bytes = s->pairs.samples * sizeof(double);
    for (size_t l = 0; l < leaders; l++) {
        const lr_candidate *other = s->candidate + s->computed[l];
        if (other->category == s->candidate[f].category
            && memcmp(other->u, s->candidate[f].u, bytes) == 0)
            return 1;
    }
    return 0;
}

/* The best feature of this step: the smallest exact score, lowest column
 * first, among those that could have it. */
static size_t choose_feature(selection *s, double *error, progress_line *line,
                             double done)
{
    double limit = INFINITY;
    size_t best = 0, leaders = 0;
    for (size_t f = 0; f < s->features; f++)
        if (!s->used[f] && !s->candidate[f].category)
            limit = fmin(limit, s->score[f] + s->bound[f]);
    *error = INFINITY;
    for (size_t f = 0; f < s->features; f++) {
        int screened = !s->candidate[f].category;
        if (s->used[f] || (screened && s->score[f] - s->bound[f] > limit)
            || is_copy(s, f, leaders))
            continue;
        double exact = exact_score(s, f);
        s->computed[leaders++] = (int)f;
        if (exact < *error) {
            *error = exact;
            best = f;
            swap_kernels(&s->next, &s->chosen);
        }
        progress_tick(line, done);
    }
    return best;
}

/* One step after the other until `steps`, or until the score has risen
 * `patience` times since its minimum (0: never mind). */
static size_t select_forward(selection *s, size_t steps, size_t patience,
                             int *p_order, double *p_error)
{
    size_t since = 0, m = 0;
    double least = INFINITY;
    progress_line line = progress_begin("Forward selection", "steps",
                                        (double)steps,
                                        s->data->control.progress);
    for (size_t t = 0; t < count_pairs(s); t++)
        s->w[t] = 1.0;
    while (m < steps) {
        screen_all(s, &line, (double)m);
        size_t f = choose_feature(s, p_error + m, &line, (double)m + 1.0);
        swap_kernels(&s->chosen, &s->w);
        s->used[f] = 1;
        p_order[m] = (int)f + 1;
        since = p_error[m] < least ? 0 : since + 1;
        least = fmin(least, p_error[m]);
        m++;
        if (patience > 0 && since >= patience)
            break;
    }
    progress_end(&line);
    return m;
}

size_t select_features(const feature_data *data, const subset_pairs *pairs,
                       const subset_options *options, int *order,
                       double *error)
{
    double sigma = options->sigma;
    selection s = {.data = data, .pairs = make_lists(pairs),
                   .width = 2.0 * (sigma * sigma), .features = data->p};
    s.packs = (s.features + LR_CANDIDATES - 1) / LR_CANDIDATES;
    open_selection(&s, pairs->rows);
    pack_all(&s);
    /* what all steps take decides, not one of them */
    s.team = team_size(&data->control, (double)count_pairs(&s)
                                           * (double)s.features
                                           * (double)options->steps * 4.0);
    return select_forward(&s, options->steps, options->patience, order, error);
}

/* ---- the score of one set ------------------------------------------------ */

typedef struct {
    const feature_data *data;
    const lr_pair_lists *lists;
    const int *rows; /* from 1 */
    double *u, *squares;
} square_task;

static void add_feature(void *context, const lr_block *b, size_t j)
{
    const square_task *t = context;
    size_t feature = b->first + j;
    const double *x = b->values + j * b->stride;
    lr_candidate f = {t->u, t->data->scaling.category[feature]};
    for (size_t i = 0; i < t->lists->samples; i++)
        t->u[i] = lr_scale_cell(&t->data->scaling, feature,
                                x[t->rows[i] - 1]);
    lr_subset_squares(t->lists, f, t->squares);
}

void score_subset(const feature_data *data, const subset_pairs *pairs,
                  const int *features, size_t count, subset_sigmas *sigmas)
{
    lr_pair_lists lists = make_lists(pairs);
    size_t n_pairs = lists.start[lists.samples];
    square_task set = {data, &lists, pairs->rows, new_doubles(lists.samples),
                       zero_doubles(n_pairs)};
    double *w = new_doubles(n_pairs);
    /* a pair's sum runs over the features in order: by one thread */
    column_walk walk = {.data = data, .task = "Choosing sigma", .alone = 1,
                        .place = feature_places(data->p, features, count),
                        .work = (double)n_pairs, .use = add_feature,
                        .context = &set};
    walk_columns(&walk);
    for (size_t k = 0; k < sigmas->count; k++) {
        double sigma = sigmas->sigma[k];
        for (size_t t = 0; t < n_pairs; t++)
            w[t] = exp(-set.squares[t] / (2.0 * (sigma * sigma)));
        sigmas->error[k] = lr_subset_sum(&lists, w);
        lr_check_interrupt();
    }
}
