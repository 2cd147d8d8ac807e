#include "margin_walk.h"

/* One number per feature. */
static void add_segments(void *context, const gathered *f)
{
    const lr_segments *g = (const lr_segments *)context;
    if (f->kind == SIDE_BY_SIDE)
        lr_relief_plain(g, f->u, (double *)f->sums);
    else
        lr_relief_other(g, f->u, f->expected, &f->rule, (double *)f->sums);
}

/* ---- cells as they are stored -------------------------------------------- */

/* Scratch of a thread. */
typedef struct {
    double *u;
    int *place;
    lr_relief_buffer buffer;
} stored_buffer;

typedef struct {
    const lr_segments *segments;
    const feature_data *data;
    const row_places *places;
    lr_sparse_tile cells;
    lr_memberships in;
    stored_buffer *buffers;
    double *sums;
} stored_task;

/* Is it faster to find segments without a stored cell? If three cells in
 * ten are stored hardly any is left out. */
static int is_sparse(const feature_data *data, lr_sparse_tile *cells)
{
    size_t p = data->p;
    if (!stored_cells(data, cells)
        || (double)cells->start[p] > 0.3 * (double)p * (double)cells->count)
        return 0;
    for (size_t j = 0; j < p; j++)
        if (!lr_is_plain(&data->scaling, j))
            return 0;
    return 1;
}

/* Lists who[0 .. count - 1], segments in the order of the place that each is
 * of: entry e is of segment e, or of the one that `start` has it in. */
static int *list_by_place(const int *who, size_t count, const int *start,
                          size_t n_places, size_t *first)
{
    int *segment = new_ints(count + 1), s = 0;
    memset(first, 0, (n_places + 2) * sizeof(size_t));
    for (size_t e = 0; e < count; e++)
        first[who[e] + 2]++;
    for (size_t i = 0; i < n_places; i++)
        first[i + 2] += first[i + 1];
    for (size_t e = 0; e < count; e++) {
        while (start && (size_t)start[s + 1] <= e)
            s++;
        segment[first[who[e] + 1]++] = start ? s : (int)e;
    }
    return segment;
}

static void add_stored(void *context, const lr_block *block, size_t column)
{
    const stored_task *t = (const stored_task *)context;
    size_t j = block->first + column;
    if (lr_is_constant(&t->data->scaling, j))
        return;
    stored_buffer *buffer = t->buffers + lr_own_thread();
    lr_stored_places stored = {0, buffer->place, buffer->u,
                               lr_scale_cell(&t->data->scaling, j, 0.0)};
    for (int q = t->cells.start[j]; q < t->cells.start[j + 1]; q++) {
        int at = t->places->place[t->cells.row[q]];
        if (at < 0)
            continue;
        buffer->place[stored.count] = at;
        buffer->u[stored.count++] =
            lr_scale_cell(&t->data->scaling, j, t->cells.value[q]);
    }
    lr_relief_stored(t->segments, &t->in, &stored, &buffer->buffer,
                     t->sums + j);
}

static void sum_stored(stored_task *t)
{
    const lr_segments *g = t->segments;
    size_t places = g->n_places, segments = g->n_segments + 1;
    size_t total = (size_t)g->start[g->n_segments];
    size_t *own_start = new_sizes(places + 2), *start = new_sizes(places + 2);
    t->in = (lr_memberships){
        own_start,
        list_by_place(g->owner, g->n_segments, NULL, places, own_start), start,
        list_by_place(g->neighbour, total, g->start, places, start)};
    size_t threads = (size_t)t->data->control.threads;
    t->buffers = (stored_buffer *)lr_allocate(threads, sizeof(stored_buffer));
    for (size_t r = 0; r < threads; r++)
        t->buffers[r] = (stored_buffer){
            new_doubles(places), new_ints(places),
            {.values = new_doubles(places), .part = zero_doubles(segments),
             .touched = (unsigned char *)zero_structs(
                 segments / LR_GROUP + 1, 1)}};
    column_walk walk = {
        .data = t->data, .task = "Margins", .work = (double)total,
        .use = add_stored, .context = t, .as_stored = 1};
    walk_columns(&walk);
}

/* ---- both ways ----------------------------------------------------------- */

static double work_of(const lr_segments *g)
{
    return (double)g->start[g->n_segments] + (double)g->n_places;
}

void sum_segments(const feature_data *data, const placed_segments *g,
                  double *sums)
{
    stored_task stored = {.segments = &g->segments, .data = data,
                          .places = &g->places, .sums = sums};
    if (is_sparse(data, &stored.cells)) {
        sum_stored(&stored);
        return;
    }
    feature_walk walk = {
        .data = data, .rows = &g->places, .work = work_of(&g->segments),
        .sums = sums,
        .size = sizeof(double), .use = add_segments,
        .context = (void *)&g->segments};
    run_features(&walk, "Margins");
}

/* ---- STIR ---------------------------------------------------------------- */

typedef struct {
    const lr_segments *segments;
    const int *fresh;
} stir_task;

static void add_moments(void *context, const gathered *f)
{
    const stir_task *t = (const stir_task *)context;
    lr_stir_sum *sums = (lr_stir_sum *)f->sums;
    if (f->kind == SIDE_BY_SIDE)
        lr_stir_plain(t->segments, f->u, t->fresh, sums);
    else
        lr_stir_other(t->segments, f->u, f->expected, &f->rule, t->fresh, sums);
}

void segment_moments(const feature_data *data, const placed_segments *g,
                     const int *fresh, lr_stir_sum *sums)
{
    stir_task t = {&g->segments, fresh};
    feature_walk walk = {
        .data = data, .rows = &g->places, .work = work_of(&g->segments),
        .sums = sums,
        .size = sizeof(lr_stir_sum), .use = add_moments, .context = &t};
    run_features(&walk, "Margins");
}
