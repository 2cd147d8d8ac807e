/* The walk over pairs of samples: what every search for neighbours, every
 * graph and every sum over distances goes through. */
#ifndef R_PAIRS_H
#define R_PAIRS_H

#include "lists.h"
#include "pairs.h"
#include "r_entry.h"

typedef struct {
    lr_filler filler;
    lr_metric metric;
    run_control control;
    size_t n;          /* samples: the rows of all tiles */
    const int *ends;   /* end points, numbered from 0 */
    size_t n_ends;
    int half;          /* ends ascend; each pair once, as end < row */
    int whole_rows;    /* tiles are to hold all rows of their end points */
    int roots;         /* Euclidean tiles are to hold distances, not squares */
    double rounding;   /* 0, or the unit that Euclidean distances are rounded to */
    size_t most_ends;  /* of a pass; 0: as many as suit */
    size_t per_pass;   /* end points of a pass, known after plan_pairs() */
    double share;      /* of the progress line that is the walk's own */
    progress_line line;
    /* What is done with a complete tile, each of them NULL or called
     * - for parts of its rows, by the threads that filled them: may change
     *   the distances;
     * - then for every chunk of the tile, by threads: see lr_is_own_end();
     * - then alone, after each tile: may call R. */
    void (*change)(void *context, const lr_tile *tile, size_t from, size_t to);
    void (*use)(void *context, const lr_tile *tile, lr_chunk chunk);
    void (*collect)(void *context, const lr_tile *tile);
    void *context;
} pair_walk;

/* A walk from all `ends` (numbers from 1; R_NilValue: all samples) to all
 * samples with the filler for these data; leaves one object on the protection
 * stack. */
pair_walk open_pairs(SEXP data, SEXP scaling, SEXP ends, SEXP metric,
                     SEXP control);

/* Decides how many end points share a pass and allocates the scratch, when all
 * fields are set. At most about 128 MB of distances and 64 MB of end points
 * are held. */
void plan_pairs(pair_walk *walk);

void walk_pairs(pair_walk *walk, const char *task);

/* Is this the last tile of its end points? */
static inline int is_last_tile(const pair_walk *walk, const lr_tile *tile)
{
    return tile->first_row + tile->n_rows == walk->n;
}

/* Empty lists of R_alloc memory, and a `use` that offers tiles to them, which
 * are its context (r_class_neighbours.c). */
lr_lists allocate_lists(size_t n_lists, const int *class_of, size_t n_slots,
                        size_t k);
void offer_tile(void *lists, const lr_tile *tile, lr_chunk chunk);

/* Data whose cells are read as they are (r_dense.c); leaves one object on the
 * protection stack. */
lr_filler dense_filler(SEXP data, SEXP scaling, lr_metric metric,
                       const run_control *control);

#endif
