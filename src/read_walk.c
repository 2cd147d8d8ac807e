/* The walk through blocks of features, and the rows that a task needs. */
#include "read_walk.h"

#include <math.h>

#include "lr_missing.h"
#include "read_files.h"

/* With as many groups of features in a block for each thread as for any
 * other. */
static void limit_chunk(feature_source *source, double work, int team)
{
    double group = LR_LANES * (double)team;
    double most = 4.0 * LR_PORTION / (LR_LANES * (work + 1.0));
    double features = floor(most) * group;
    if (features < group)
        features = group;
    if ((double)source->per_block > features
        && source->data->layout != LAYOUT_READER)
        source->per_block = (size_t)features;
}

/* ---- columns as they are stored ------------------------------------------ */

typedef struct {
    const column_walk *walk;
    lr_block block;
} column_block;

static int is_wanted(const column_walk *walk, size_t feature)
{
    return !walk->place || walk->place[feature] >= 0;
}

static void use_column(void *context, size_t j)
{
    const column_block *c = context;
    if (is_wanted(c->walk, c->block.first + j))
        c->walk->use(c->walk->context, &c->block, j);
}

static int wants_block(const column_block *c)
{
    for (size_t j = 0; j < c->block.count; j++)
        if (is_wanted(c->walk, c->block.first + j))
            return 1;
    return 0;
}

void walk_columns(const column_walk *walk)
{
    feature_source source = source_open(walk->data, 0);
    column_block c = {.walk = walk};
    int team = walk->alone ? 1 : team_size(&walk->data->control,
                                           walk->work * (double)source.p);
    lr_sparse_tile storage;
    const lr_sparse_tile *stored =
        walk->as_stored ? stored_cells(walk->data, &storage) : NULL;
    limit_chunk(&source, walk->work, team);
    progress_line line =
        progress_begin(walk->task ? walk->task : "", "features",
                       (double)source.p,
                       walk->task && walk->data->control.progress);
    for (size_t first = 0; first < source.p; first += source.per_block) {
        c.block = (lr_block){NULL, source.n, source.n, first,
                             smaller(source.p - first, source.per_block),
                             stored};
        if (wants_block(&c)) {
            if (!stored)
                c.block = source_block(&source, first);
            lr_run_items(team, c.block.count, use_column, &c);
            if (stored && walk->data->layout == LAYOUT_MAPPED)
                lr_release_cells(stored, source.p, first, c.block.count);
        }
        progress_tick(&line, (double)(first + c.block.count));
    }
    progress_end(&line);
}

/* ---- the rows that are needed -------------------------------------------- */

static row_places places_open(size_t n)
{
    row_places r = {new_ints(n), new_ints(n), 0};
    for (size_t i = 0; i < n; i++)
        r.place[i] = -1;
    return r;
}

int *feature_places(size_t p, const int *features, size_t count)
{
    int *place = places_open(p).place;
    for (size_t k = 0; k < count; k++)
        place[features[k] - 1] = (int)k;
    return place;
}

static void mark(row_places *r, const int *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] > 0)
            r->place[numbers[i] - 1] = 0;
}

row_places needed_places(size_t n, const int *first, size_t n_first,
                         const int *second, size_t n_second)
{
    row_places r = places_open(n);
    mark(&r, first, n_first);
    mark(&r, second, n_second);
    for (size_t i = 0; i < n; i++)
        if (r.place[i] == 0) {
            r.place[i] = (int)r.n_rows;
            r.rows[r.n_rows++] = (int)i;
        }
    return r;
}

row_places all_places(size_t n)
{
    row_places r = places_open(n);
    for (; r.n_rows < n; r.n_rows++)
        r.place[r.n_rows] = r.rows[r.n_rows] = (int)r.n_rows;
    return r;
}

size_t read_numbers(const int *numbers, size_t most, int *out)
{
    size_t count = 0;
    for (; count < most && numbers[count] > 0; count++)
        out[count] = numbers[count] - 1;
    return count;
}

/* ---- features in groups -------------------------------------------------- */

/* Features feature[from] .. feature[from + count - 1] of a block. */
typedef struct {
    size_t from, count;
    gathered_kind kind;
} item;

typedef struct {
    double *u, *expected, *column, *scratch;
    void *sums;
} thread_buffer;

struct walk_buffer {
    int team;
    size_t *feature;
    item *items;
    size_t n_items;
    thread_buffer *buffers;
};

static gathered_kind kind_of(const feature_walk *walk, size_t feature)
{
    const lr_scaling *s = &walk->data->scaling;
    if (walk->as_levels)
        return s->category[feature] ? CATEGORY_LEVELS : SIDE_BY_SIDE;
    return lr_is_plain(s, feature) ? SIDE_BY_SIDE : ONE_OTHER;
}

/* The features of one kind, SIDE_BY_SIDE in groups of LR_LANES. */
static void list_items(const feature_walk *walk, const lr_block *b,
                       int side_by_side, size_t *at)
{
    struct walk_buffer *w = walk->buffer;
    for (size_t j = 0; j < b->count; j++) {
        item *last = w->n_items > 0 ? w->items + w->n_items - 1 : NULL;
        gathered_kind kind = kind_of(walk, b->first + j);
        if ((kind == SIDE_BY_SIDE) != side_by_side && !walk->as_levels)
            continue;
        if (lr_is_constant(&walk->data->scaling, b->first + j))
            continue;
        w->feature[*at] = j;
        if (kind == SIDE_BY_SIDE && last && last->kind == SIDE_BY_SIDE
            && last->count < LR_LANES)
            last->count++;
        else
            w->items[w->n_items++] = (item){*at, 1, kind};
        (*at)++;
    }
}

/* Plain features first, so that as many as possible go side by side; with
 * levels all in order, as sums over the features may be taken. */
static void sort_features(const feature_walk *walk, const lr_block *b)
{
    size_t at = 0;
    walk->buffer->n_items = 0;
    list_items(walk, b, 1, &at);
    if (!walk->as_levels)
        list_items(walk, b, 0, &at);
}

/* ---- one group ----------------------------------------------------------- */

static void *sum_of(const feature_walk *walk, size_t feature)
{
    return (char *)walk->sums + feature * walk->size;
}

/* Copies sums of features, maybe not contiguous, to and from the kernel. */
static void use_plain(const feature_walk *walk, const lr_block *b,
                      const size_t *from, gathered *g, thread_buffer *buffer)
{
    lr_gather_plain(b, &walk->data->scaling, from, g->count, walk->rows->rows,
                    walk->rows->n_rows, buffer->u);
    g->sums = buffer->sums;
    if (walk->sums)
        memset(g->sums, 0, LR_LANES * walk->size);
    for (size_t l = 0; walk->sums && l < g->count; l++)
        memcpy((char *)g->sums + l * walk->size, sum_of(walk, g->feature[l]),
               walk->size);
    walk->use(walk->context, g);
    for (size_t l = 0; walk->sums && l < g->count; l++)
        memcpy(sum_of(walk, g->feature[l]), (char *)g->sums + l * walk->size,
               walk->size);
}

static void use_single(const feature_walk *walk, const lr_block *b, size_t j,
                       gathered *g, thread_buffer *buffer)
{
    int missing = lr_gather_single(b, &walk->data->scaling, j, walk->rows->rows,
                                   walk->rows->n_rows, buffer->u,
                                   buffer->expected, buffer->column);
    lr_rule rule = lr_rule_of(&walk->data->scaling, g->feature[0]);
    g->values.expected = missing ? buffer->expected : NULL;
    g->values.rule = &rule;
    g->sums = sum_of(walk, g->feature[0]);
    walk->use(walk->context, g);
}

static void use_levels(const feature_walk *walk, const lr_block *b, size_t j,
                       gathered *g, thread_buffer *buffer)
{
    const lr_scaling *s = &walk->data->scaling;
    double last = s->center[g->feature[0]] + s->divisor[g->feature[0]];
    g->count = LR_LANES;
    for (double v = s->center[g->feature[0]]; v <= last; v += LR_LANES) {
        lr_gather_levels(b, j, v, buffer->u);
        walk->use(walk->context, g);
    }
}

typedef struct {
    const feature_walk *walk;
    lr_block block;
} walk_block;

static void use_item(void *context, size_t number)
{
    const walk_block *c = context;
    const struct walk_buffer *w = c->walk->buffer;
    const item *i = w->items + number;
    thread_buffer *buffer = w->buffers + lr_own_thread();
    size_t feature[LR_LANES];
    for (size_t l = 0; l < i->count; l++)
        feature[l] = c->block.first + w->feature[i->from + l];
    gathered g = {i->kind, feature, i->count, {buffer->u, NULL, NULL}, NULL,
                  buffer->scratch};
    if (i->kind == SIDE_BY_SIDE)
        use_plain(c->walk, &c->block, w->feature + i->from, &g, buffer);
    else if (i->kind == ONE_OTHER)
        use_single(c->walk, &c->block, w->feature[i->from], &g, buffer);
    else
        use_levels(c->walk, &c->block, w->feature[i->from], &g, buffer);
}

/* ---- the walk ------------------------------------------------------------ */

void plan_features(feature_walk *walk)
{
    feature_source *source = &walk->source;
    struct walk_buffer *w = zero_structs(1, sizeof(struct walk_buffer));
    size_t places = walk->rows->n_rows;
    size_t tables = lr_class_tables(&walk->data->scaling);
    *source = source_open(walk->data, !walk->as_levels);
    walk->buffer = w;
    w->team = walk->alone ? 1 : team_size(&walk->data->control,
                                          walk->work * (double)walk->walks
                                              * (double)source->p);
    /* a feature that goes alone takes as long as LR_LANES side by side */
    double slowest = walk->work;
    for (size_t j = 0; j < source->p; j++)
        if (kind_of(walk, j) != SIDE_BY_SIDE)
            slowest = LR_LANES * walk->work;
    limit_chunk(source, slowest, w->team);
    w->feature = new_sizes(source->per_block);
    w->items = lr_allocate(source->per_block, sizeof(item));
    w->buffers = zero_structs((size_t)w->team, sizeof(thread_buffer));
    for (thread_buffer *b = w->buffers; b < w->buffers + w->team; b++) {
        b->u = new_doubles(places * LR_LANES);
        b->scratch = new_doubles(walk->scratch);
        b->sums = lr_allocate(LR_LANES, walk->size + 1);
        if (walk->as_levels)
            continue;
        b->expected = new_doubles(tables * places);
        b->column = new_doubles((1 + tables) * source->n
                                + lr_expected_scratch(source->n, tables));
    }
}

void walk_features(feature_walk *walk, progress_line *line, double done,
                   double share)
{
    feature_source *source = &walk->source;
    walk_block c = {.walk = walk};
    for (size_t first = 0; first < source->p; first += source->per_block) {
        c.block = source_block(source, first);
        sort_features(walk, &c.block);
        lr_run_items(walk->buffer->team, walk->buffer->n_items, use_item, &c);
        progress_tick(line, done + share * (double)(first + c.block.count)
                                / (double)source->p);
    }
}

void run_features(feature_walk *walk, const char *task)
{
    walk->walks = 1;
    plan_features(walk);
    double p = (double)walk->source.p;
    progress_line line =
        progress_begin(task, "features", p, walk->data->control.progress);
    walk_features(walk, &line, 0.0, p);
    progress_end(&line);
}
