/* The walk over pairs of samples: what every search, every graph and every sum
 * over distances goes through. */
#include "search_backends.h"

#include <math.h>

#include "lr_threads.h"
#include "search_order.h"

enum {
    TILE_BYTES = 128 << 20,   /* distances held when a tile is all rows */
    END_BYTES = 64 << 20,     /* end points of a pass, prepared */
    TILE_UNITS = 16,          /* rows of other tiles, times LR_ROWS, */
    TEAM_UNITS = 64,          /*   and where threads wait for each other */
    LEAST_UNITS = 4,          /* so that threads have work */
    CHUNK_WORK = 250000000  /* between two checks for an interrupt */
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
    if (w->metric == LR_EUCLIDEAN)
        finish_distances(w, tile, from, to);
    if (w->change)
        w->change(w->context, tile, from, to);
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
