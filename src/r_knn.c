#include <string.h>

#include "distance.h"
#include "r_entry.h"
#include "r_search.h"
#include "threads.h"

enum {
    TILE_BYTES = 128 << 20,  /* distances held when features come in blocks */
    PACKED_BYTES = 64 << 20, /* scaled end points */
    TILE_ENDS = 256,         /* end points and rows of a tile when all */
    TILE_ROWS = 1024         /*   features are at hand: stays in cache */
};

typedef struct {
    const triangle_walk *walk;
    feature_source source;
    int *ends;     /* row numbers 0 .. n - 1 */
    size_t n_ends; /* end points in a tile */
    size_t n_rows; /* rows in a tile */
    double *distance, *packed, *packs;
} tile_room;

/* All features at hand: small tiles, rows outermost. Else every row of the
 * pass is held while the features go by. */
static void allocate_tiles(tile_room *t)
{
    size_t n = t->source.n, whole = t->source.chunk == t->source.p;
    size_t by_packed = PACKED_BYTES / sizeof(double) / t->source.chunk;
    t->n_rows = whole && n > TILE_ROWS ? TILE_ROWS : round_up(n, LR_ROWS);
    t->n_ends = whole ? TILE_ENDS
                      : TILE_BYTES / sizeof(double) / t->n_rows;
    if (t->n_ends > by_packed)
        t->n_ends = by_packed;
    if (t->n_ends > n)
        t->n_ends = n;
    t->n_ends = t->n_ends < LR_ROWS || t->n_ends == n
        ? round_up(t->n_ends, LR_ROWS)
        : t->n_ends / LR_ROWS * LR_ROWS;
    t->distance = (double *)R_alloc(t->n_ends * t->n_rows, sizeof(double));
    t->packed = (double *)R_alloc(lr_packed_size(t->n_ends, t->source.chunk),
                                  sizeof(double));
    t->packs = (double *)R_alloc(
        (size_t)t->walk->control.threads * LR_ROWS * LR_FEATURES,
        sizeof(double));
    t->ends = (int *)R_alloc(n, sizeof(int));
    for (size_t i = 0; i < n; i++)
        t->ends[i] = (int)i;
}

/* Adds a block of features to a tile; a block of rows needs no end point that
 * lies beyond it. */
static void add_features(const tile_room *t, const lr_block *block,
                         const lr_tile *tile)
{
    const triangle_walk *w = t->walk;
    int blocks = (int)((tile->n_rows + LR_ROWS - 1) / LR_ROWS);
    double work = (double)tile->n_rows * (double)tile->n_ends
        * (double)block->count / 4.0;
    int threads = team_size(&w->control, work);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int b = 0; b < blocks; b++) {
        int thread = lr_own_thread();
        size_t row = tile->first_row + (size_t)b * LR_ROWS;
        size_t ends = row + LR_ROWS - tile->first_end;
        lr_panel panel = {block, &w->scaling, w->metric, w->control.level,
                          t->ends + tile->first_end,
                          ends < tile->n_ends ? ends : tile->n_ends,
                          t->packed, NULL};
        lr_distance_rows(&panel, row, tile->distance + (size_t)b * LR_ROWS,
                         tile->ld,
                         t->packs + (size_t)thread * LR_ROWS * LR_FEATURES);
    }
    (void)threads;
}

/* All pairs of the end points from `first_end` on and the rows beyond. */
static void walk_pass(tile_room *t, size_t first_end, progress_line *line)
{
    size_t n = t->source.n, p = t->source.p;
    lr_tile tile = {first_end, t->n_ends, 0, 0, t->distance, t->n_rows};
    if (tile.n_ends > n - first_end)
        tile.n_ends = n - first_end;
    double pairs = (double)tile.n_ends * (double)(n - first_end);
    double before = (double)first_end * (double)(2 * n - first_end);
    for (size_t j = 0; j < p; j += t->source.chunk) {
        lr_block block = source_block(&t->source, j);
        lr_pack_ends(&block, &t->walk->scaling, t->ends + first_end,
                     tile.n_ends, t->packed);
        for (size_t row = first_end; row < n; row += t->n_rows) {
            tile.first_row = row;
            tile.n_rows = n - row < t->n_rows ? n - row : t->n_rows;
            if (j == 0)
                memset(t->distance, 0,
                       t->n_ends * t->n_rows * sizeof(double));
            add_features(t, &block, &tile);
            if (j + block.count == p)
                t->walk->use(t->walk->context, &tile);
            double part = (double)(row + tile.n_rows - first_end)
                / (double)(n - first_end) * (double)block.count / (double)p
                + (double)j / (double)p;
            progress_tick(line, before + 2.0 * part * pairs);
        }
    }
}

void walk_triangle(const triangle_walk *walk, const char *task)
{
    tile_room t;
    t.walk = walk;
    t.source = source_open(walk->data, 1); /* protects one */
    allocate_tiles(&t);
    double n = (double)t.source.n;
    progress_line line =
        progress_begin(task, "pairs", n * n, walk->control.progress);
    for (size_t e = 0; e < t.source.n; e += t.n_ends)
        walk_pass(&t, e, &line);
    progress_end(&line);
    UNPROTECT(1);
}

lr_neighbours allocate_neighbours(size_t n, lr_class_rule rule, size_t n_lists,
                                  const int *class_of, size_t capacity)
{
    size_t count = n * n_lists;
    lr_neighbours nb = {n, rule, n_lists, class_of, NULL, NULL};
    nb.list = allocate_lists(count, capacity);
    nb.limit = (double *)R_alloc(count, sizeof(double));
    for (size_t i = 0; i < count; i++)
        nb.limit[i] = capacity > 0 ? R_PosInf : R_NegInf;
    return nb;
}

const int *read_classes(SEXP codes)
{
    R_xlen_t n = Rf_xlength(codes);
    int *out = (int *)R_alloc((size_t)n, sizeof(int));
    for (R_xlen_t i = 0; i < n; i++) {
        int code = INTEGER(codes)[i];
        out[i] = code == NA_INTEGER ? -1 : code - 1;
    }
    return out;
}

/* First the lists of the ends, then those of the rows: a list is one thread's
 * alone, although both samples of a pair may be in the tile. */
void offer_tile(const lr_neighbours *nb, const lr_tile *tile,
                run_control control)
{
    int parts = (int)((tile->n_ends + tile->n_rows) / 64 + 1);
    double work = (double)tile->n_ends * (double)tile->n_rows;
    int threads = team_size(&control, work);
    if (threads == 1)
        parts = 1;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#endif
    {
        lr_own_thread();
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
        for (int b = 0; b < parts; b++)
            lr_offer_to_ends(nb, tile, tile->n_ends * (size_t)b / parts,
                             tile->n_ends * (size_t)(b + 1) / parts);
#ifdef _OPENMP
#pragma omp for schedule(static)
#endif
        for (int b = 0; b < parts; b++)
            lr_offer_to_rows(nb, tile, tile->n_rows * (size_t)b / parts,
                             tile->n_rows * (size_t)(b + 1) / parts);
    }
    (void)threads;
}
