/* The walk over pairs of samples: what every search, every graph and every sum
 * over distances goes through, in tiles, and which search serves a call. */
#include "search_backends.h"
#include "search_walk.h"

enum {
    TILE_BYTES = 128 << 20,   /* distances held when a tile is all rows */
    END_BYTES = 64 << 20,     /* end points of a pass, prepared */
    TILE_UNITS = 16,          /* rows of other tiles, times LR_ROWS, */
    TEAM_UNITS = 64,          /*   and where threads wait for each other */
    LEAST_UNITS = 4           /* so that threads have work */
};

/* A tile by its place in the walk. */
typedef struct {
    size_t slot, row;
} tile_place;

typedef struct {
    pair_walk *walk;
    dense_distances *cells; /* compute the distances */
    size_t tile_rows, ld;
    double *distance;
    int threads;
} pair_run;

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* ---- the order of tiles -------------------------------------------------- */

/* In a half the rows begin with the first end point of the pass. */
static tile_place pass_begin(const pair_walk *w, size_t slot)
{
    tile_place place = {slot, 0};
    if (w->half && slot < w->n_ends)
        place.row = (size_t)w->ends[slot];
    return place;
}

static tile_place next_place(const pair_run *r, tile_place place)
{
    place.row += r->tile_rows;
    return place.row < r->walk->n
        ? place : pass_begin(r->walk, place.slot + r->walk->per_pass);
}

static int is_same(tile_place a, tile_place b)
{
    return a.slot == b.slot && a.row == b.row;
}

static lr_tile tile_at(const pair_run *r, tile_place place)
{
    const pair_walk *w = r->walk;
    lr_tile tile = {w->ends + place.slot,
                    smaller(w->per_pass, w->n_ends - place.slot),
                    place.slot, place.row,
                    smaller(r->tile_rows, w->n - place.row), w->half,
                    r->distance, r->ld};
    return tile;
}

static double tile_pairs(const pair_run *r, tile_place place)
{
    lr_tile tile = tile_at(r, place);
    return (double)tile.n_ends * (double)tile.n_rows;
}

static double all_pairs(const pair_walk *w)
{
    double pairs = 0.0;
    for (size_t slot = 0; slot < w->n_ends; slot += w->per_pass)
        pairs += (double)smaller(w->per_pass, w->n_ends - slot)
            * (double)(w->n - pass_begin(w, slot).row);
    return pairs;
}

/* The first tile after those between two checks for an interrupt; a tile that
 * is read block by block or collected comes alone. */
static tile_place chunk_end(const pair_run *r, tile_place from)
{
    const pair_walk *w = r->walk;
    double work = 0.0;
    int alone = r->cells->n_blocks > 1 || w->collect;
    tile_place place = from;
    do {
        work += tile_pairs(r, place) * r->cells->work;
        place = next_place(r, place);
    } while (!alone && place.slot < w->n_ends && work < CHUNK_WORK);
    return place;
}

/* ---- sizes --------------------------------------------------------------- */

/* Decides how many end points share a pass and allocates the scratch. At most
 * about 128 MB of distances and 64 MB of end points are held. */
static pair_run open_run(pair_walk *w)
{
    dense_distances *d = open_distances(w);
    int small_tiles = d->n_blocks == 1 && !w->whole_rows;
    size_t units = w->data->control.threads > 1 ? TEAM_UNITS : TILE_UNITS;
    pair_run r = {w, d, small_tiles ? smaller(w->n, units * LR_ROWS) : w->n, 0,
                  NULL, 1};
    size_t ends = smaller(
        TILE_BYTES / sizeof(double) / round_up(r.tile_rows, LR_ROWS),
        END_BYTES / d->end_bytes);
    if (w->most_ends > 0)
        ends = smaller(ends, w->most_ends);
    if (w->half && d->n_blocks == 1)
        ends = smaller(ends, LR_HALF);
    double at_once = CHUNK_WORK / (d->work * (double)w->n);
    if (d->n_blocks > 1 && w->data->layout != LAYOUT_READER /* dear to read */
        && (double)ends > at_once)
        ends = (size_t)at_once;
    ends = ends < LR_PARTNERS ? LR_PARTNERS : ends / LR_PARTNERS * LR_PARTNERS;
    w->per_pass = smaller(ends, w->n_ends);
    allocate_distances(d, w->per_pass);
    double row_work = (double)w->per_pass * d->work;
    while (small_tiles && r.tile_rows > LEAST_UNITS * LR_ROWS
           && row_work * (double)r.tile_rows > CHUNK_WORK)
        r.tile_rows = round_up(r.tile_rows / 2, LR_ROWS);
    r.ld = round_up(r.tile_rows, LR_ROWS);
    r.distance = new_doubles(round_up(w->per_pass, LR_PARTNERS) * r.ld);
    r.threads = team_size(&w->data->control,
                          all_pairs(w) * (double)d->n_blocks * d->work);
    return r;
}

/* ---- the work ------------------------------------------------------------ */

/* Distances that are rounded, or whose roots are wanted. */
static void finish_distances(const pair_walk *w, const lr_tile *tile,
                             size_t from, size_t to)
{
    for (size_t e = 0; e < tile->n_ends; e++) {
        double *distance = tile->distance + e * tile->ld;
        for (size_t r = from; w->rounding > 0.0 && r < to; r++)
            distance[r] = lr_rounded_square(distance[r], w->rounding);
        for (size_t r = from; w->roots && r < to; r++)
            distance[r] = sqrt(distance[r]);
    }
}

/* Where both outputs are known they are the distance; else the mean over the
 * features. */
static void meet_response(const pair_walk *w, const lr_tile *tile, size_t from,
                          size_t to)
{
    for (size_t e = 0; e < tile->n_ends; e++) {
        double *d = tile->distance + e * tile->ld;
        double y = w->response[tile->ends[e]];
        for (size_t r = from; r < to; r++) {
            double v = y - w->response[tile->first_row + r];
            d[r] = isnan(v) ? d[r] / (double)w->data->p : v * v;
        }
    }
}

/* LR_ROWS rows of a tile from `from` on, fewer at its end. */
static void fill_rows(const pair_run *r, const lr_tile *tile, size_t block,
                      size_t from)
{
    const pair_walk *w = r->walk;
    size_t to = smaller(from + LR_ROWS, tile->n_rows);
    size_t ends = round_up(tile->n_ends, LR_PARTNERS);
    for (size_t e = 0; e < ends && block == 0; e++)
        memset(tile->distance + e * tile->ld + from, 0,
               LR_ROWS * sizeof(double));
    lr_fill_rows(&r->cells->panel, tile, from,
                 r->cells->packs + lr_own_thread());
    if (block + 1 < r->cells->n_blocks)
        return;
    if (lr_is_squared(w->metric))
        finish_distances(w, tile, from, to);
    if (w->response)
        meet_response(w, tile, from, to);
}

/* One tile, by all threads of a region; each loop ends with all of them. */
static void work_tile(const pair_run *r, tile_place place, size_t block)
{
    const pair_walk *w = r->walk;
    lr_tile tile = tile_at(r, place);
    int units = (int)((tile.n_rows + LR_ROWS - 1) / LR_ROWS);
    int chunks = r->threads;
    if (is_same(place, pass_begin(w, place.slot))) {
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
        for (int s = 0; s < chunks; s++)
            lr_pack_ends(&r->cells->panel, &tile,
                         (lr_chunk){(size_t)s, (size_t)chunks});
    }
#ifdef _OPENMP
#pragma omp for schedule(dynamic)
#endif
    for (int u = 0; u < units; u++)
        fill_rows(r, &tile, block, (size_t)u * LR_ROWS);
    if (w->use && block + 1 == r->cells->n_blocks) {
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
        for (int s = 0; s < chunks; s++)
            w->use(w->context, &tile, (lr_chunk){(size_t)s, (size_t)chunks});
    }
}

/* A region of its own, as lr_run_items() would wake the threads three times a
 * tile: here they stay together for all tiles of a chunk. */
static void work_chunk(const pair_run *r, tile_place from, tile_place to,
                         size_t block)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(r->threads)
#endif
    {
        lr_own_thread();
        for (tile_place place = from; !is_same(place, to);
             place = next_place(r, place))
            work_tile(r, place, block);
    }
}

void walk_pairs(pair_walk *w, const char *task)
{
    pair_run r = open_run(w);
    size_t blocks = r.cells->n_blocks, current = blocks;
    double all = all_pairs(w), done = 0.0, scale = (double)w->n_ends / all;
    w->line = progress_begin(task, "samples", (double)w->n_ends,
                             w->data->control.progress);
    tile_place place = pass_begin(w, 0), to;
    for (; place.slot < w->n_ends; place = to) {
        to = chunk_end(&r, place);
        double pairs = 0.0;
        for (tile_place p = place; !is_same(p, to); p = next_place(&r, p))
            pairs += tile_pairs(&r, p);
        for (size_t b = 0; b < blocks; b++) {
            if (b != current)
                read_distances(r.cells, b);
            current = b;
            work_chunk(&r, place, to, b);
            progress_tick(&w->line,
                          (done + w->share * pairs * (double)(b + 1)
                                      / (double)blocks) * scale);
        }
        done += pairs;
        lr_tile tile = tile_at(&r, place);
        if (w->collect)
            w->collect(w->context, &tile);
    }
    progress_end(&w->line);
}

/* ==== all distances ======================================================= */

/* ---- the distances themselves -------------------------------------------- */

typedef struct {
    double *out;
    size_t n;
} copy_task;

static void copy_tile(void *context, const lr_tile *tile, lr_chunk chunk)
{
    const copy_task *t = context;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        const double *distance = tile->distance + e * tile->ld;
        size_t slot = tile->first_slot + e;
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++) {
            size_t row = tile->first_row + r;
            t->out[row + slot * t->n] = distance[r];
            if (tile->half)
                t->out[slot + row * t->n] = distance[r];
        }
    }
}

void copy_distances(pair_walk *w, double *out)
{
    copy_task t = {out, w->n};
    memset(out, 0, w->n * w->n_ends * sizeof(double));
    w->whole_rows = !w->half;
    w->use = copy_tile;
    w->context = &t;
    walk_pairs(w, "Distances");
}

/* ---- mean distance ------------------------------------------------------- */

typedef struct {
    const unsigned char *is_end; /* per sample */
    double *sum; /* per end point, over the end points beyond it */
} distance_sums;

static void sum_tile(void *context, const lr_tile *tile, lr_chunk chunk)
{
    const distance_sums *d = context;
    const unsigned char *is_end = d->is_end + tile->first_row;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        const double *distance = tile->distance + e * tile->ld;
        double *sum = d->sum + tile->first_slot + e;
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++)
            if (is_end[r])
                *sum += distance[r];
    }
}

double mean_distance(const pair_walk *walk)
{
    pair_walk w = *walk;
    unsigned char *is_end = zero_structs(w.n, 1);
    distance_sums d = {is_end, zero_doubles(w.n_ends)};
    for (size_t e = 0; e < w.n_ends; e++)
        is_end[w.ends[e]] = 1;
    w.half = 1;
    w.roots = 1;
    w.use = sum_tile;
    w.context = &d;
    walk_pairs(&w, "Distances");
    double total = 0.0, ends_count = (double)w.n_ends;
    for (size_t e = 0; e < w.n_ends; e++)
        total += d.sum[e];
    return total / (ends_count * (ends_count - 1) / 2);
}

/* ---- neighbours within a radius ------------------------------------------ */

static void find_within(void *context, const lr_tile *tile, lr_chunk chunk)
{
    const radius_search *r = context;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        const double *distance = tile->distance + e * tile->ld;
        size_t slot = tile->first_slot + e;
        double mean, deviation, radius;
        if (r->radius) {
            radius = *r->radius;
        } else {
            lr_distance_moments(r->class_of, tile->ends[e], distance, r->n,
                                &mean, &deviation);
            radius = mean - deviation / 2.0;
        }
        lr_within(r->class_of, r->n_classes, tile->ends[e], distance, r->n,
                  radius, r->row + slot * r->n,
                  r->start + slot * (r->n_classes + 1));
    }
}

void search_within(pair_walk *w, radius_search *r)
{
    r->n = w->n;
    r->row = new_ints(w->n_ends * w->n);
    r->start = new_ints(w->n_ends * (r->n_classes + 1));
    w->whole_rows = 1;
    w->roots = 1;
    w->use = find_within;
    w->context = r;
    walk_pairs(w, "Neighbours");
}

/* ==== lists of the nearest ================================================ */

enum { LIST_BYTES = 64 << 20 }; /* of lists at a time, but for halves */

static void offer_tile(void *lists, const lr_tile *tile, lr_chunk chunk)
{
    lr_lists_offer((lr_lists *)lists, tile, chunk);
}

lr_lists allocate_lists(const pair_walk *walk, const lr_list_rule *rule,
                        size_t k, size_t k_group)
{
    lr_lists l = {.rule = *rule, .k = k, .k_group = k_group,
                  .squared = lr_is_squared(walk->metric),
                  .n_slots = walk->half ? walk->n : walk->n_ends};
    size_t places = l.n_slots * lr_lists_width(&l);
    size_t lists = l.n_slots * rule->n_lists;
    l.rule.block_of = walk->block_of;
    l.distance = new_doubles(places);
    l.row = new_ints(places);
    l.count = new_ints(lists);
    l.limit = new_doubles(lists);
    lr_lists_clear(&l);
    return l;
}

/* What bounds leave: all distances of these end points, to the same lists. */
typedef struct {
    lr_lists *lists;
    const left_ends *left;
    int half; /* are slots samples? */
} rest_task;

static void offer_rest(void *context, const lr_tile *tile, lr_chunk chunk)
{
    const rest_task *t = context;
    for (size_t e = 0; e < tile->n_ends; e++)
        if (lr_is_own_end(tile, e, chunk)) {
            int slot = t->half ? tile->ends[e]
                               : t->left->slot[tile->first_slot + e];
            lr_lists_offer_end(t->lists, (size_t)slot, tile, e);
        }
}

static void walk_rest(const pair_walk *walk, lr_lists *lists,
                      const left_ends *left)
{
    rest_task task = {lists, left, walk->half};
    pair_walk w = *walk;
    int *ends = new_ints(left->count);
    for (size_t i = 0; i < left->count; i++)
        ends[i] = walk->ends[left->slot[i]];
    w.ends = ends;
    w.n_ends = left->count;
    w.half = 0;
    w.use = offer_rest;
    w.context = &task;
    walk_pairs(&w, "Neighbours");
}

/* Fills the lists: by bounds of the distances where the data have useful ones,
 * else from all distances; the same lists. It is the lists that round, no
 * longer the walk, unless an output may be the distance. order_only: the
 * distances in the lists may be other numbers as long as the order is the
 * same. */
static void find_lists(pair_walk *w, lr_lists *lists, int order_only)
{
    if (!w->response) {
        lists->unit = w->rounding;
        w->rounding = 0.0; /* the lists round the few distances that enter */
    }
    left_ends left = {0, NULL};
    int found = search_by_bounds(w, lists, order_only, &left)
        || search_by_points(w, lists);
    if (left.count > 0)
        walk_rest(w, lists, &left);
    if (found)
        return;
    w->use = offer_tile;
    w->context = lists;
    walk_pairs(w, "Neighbours");
}

/* Are the end points all samples that are in a list? Then each pair is computed
 * once for both. */
static int serves_both(const pair_walk *w, const lr_list_rule *rule)
{
    size_t listed = w->n;
    if (rule->links)
        return 0;
    for (size_t i = 0; rule->class_of && i < w->n; i++)
        listed -= rule->class_of[i] < 0;
    for (size_t e = 0; e < w->n_ends; e++)
        if ((rule->class_of && rule->class_of[w->ends[e]] < 0)
            || (e > 0 && w->ends[e - 1] >= w->ends[e]))
            return 0;
    return w->n_ends == listed;
}

/* ---- without one feature ------------------------------------------------- */

typedef struct {
    const nearest_task *task;
    lr_lists *lists;   /* without each feature */
    lr_lists with_all;
    double *scratch;   /* n for each chunk */
    size_t n;
} without_task;

/* A tile is all rows of its end points. Without a feature the distance is less
 * the difference in it. */
static void offer_without(void *context, const lr_tile *tile, lr_chunk chunk)
{
    without_task *t = context;
    lr_tile one = *tile;
    one.n_ends = 1;
    one.distance = t->scratch + chunk.number * t->n;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        size_t slot = tile->first_slot + e;
        const double *restrict distance = tile->distance + e * tile->ld;
        double *restrict left = one.distance;
        one.ends = tile->ends + e;
        lr_lists_offer_end(&t->with_all, slot, tile, e);
        for (size_t f = 0; f < t->task->n_without; f++) {
            const double *restrict u = t->task->without + f * t->n;
            double end = u[*one.ends];
            for (size_t r = 0; r < tile->n_rows; r++)
                left[r] = distance[r] - fabs(end - u[r]);
            lr_lists_bound(t->lists + f, &t->with_all, slot, left);
            lr_lists_offer_end(t->lists + f, slot, &one, 0);
        }
    }
}

/* All from one walk: a search for each of 57 features took 45 times as long as
 * one. */
static void find_without(pair_walk *w, lr_lists *lists,
                         const nearest_task *task)
{
    without_task t = {
        task, lists, allocate_lists(w, &task->rule, task->k, task->k_group),
        new_doubles(w->n * (size_t)w->data->control.threads), w->n};
    for (size_t f = 0; f < task->n_without; f++)
        lists[f].unit = w->rounding;
    w->whole_rows = 1;
    w->use = offer_without;
    w->context = &t;
    walk_pairs(w, "Neighbours");
}

/* The lists of one end point, the list's places next to each other. */
static void write_lists(lr_lists *l, size_t slot, const nearest_task *t,
                        size_t at)
{
    size_t width = lr_lists_width(l), n_lists = l->rule.n_lists;
    const int *count = l->count + slot * n_lists;
    lr_lists_sort(l, slot);
    for (size_t i = 0; i < width; i++) {
        size_t list = i < l->k * (n_lists - 1) ? i / l->k : n_lists - 1;
        int there = (int)(i - list * l->k) < count[list];
        t->row[at + i] = there ? l->row[slot * width + i] + 1 : 0;
        if (t->distance)
            t->distance[at + i] =
                there ? l->distance[slot * width + i] : t->none;
    }
}

/* The lists of the end points from number `from` on; returns where to go on.
 * Lists of very many places come some end points at a time. */
static size_t search_some(const pair_walk *all, const nearest_task *t,
                          size_t from)
{
    const void *memory = lr_memory_mark();
    pair_walk w = *all;
    size_t answers = t->without ? t->n_without : 1;
    size_t at_once = LIST_BYTES / (12 * answers * (t->width + 1));
    size_t left = w.n_ends - from;
    w.half = !t->without && serves_both(&w, &t->rule);
    if (!w.half && left > at_once && left > 256)
        left = at_once < 256 ? 256 : at_once;
    w.ends += from;
    w.n_ends = left;
    lr_lists *lists = lr_allocate(answers, sizeof *lists);
    for (size_t f = 0; f < answers; f++)
        lists[f] = allocate_lists(&w, &t->rule, t->k, t->k_group);
    if (t->without)
        find_without(&w, lists, t);
    else
        find_lists(&w, lists, !t->distance);
    for (size_t f = 0; f < answers; f++)
        for (size_t e = 0; t->width > 0 && e < left; e++)
            write_lists(lists + f, w.half ? (size_t)w.ends[e] : e, t,
                        (f * all->n_ends + from + e) * t->width);
    lr_memory_reset(memory);
    return from + left;
}

void find_nearest(const pair_walk *walk, const nearest_task *task)
{
    for (size_t from = 0; from < walk->n_ends;)
        from = search_some(walk, task, from);
}
