/* The search for neighbours, for all entries that need distances of samples: an
 * entry opens it for a `neighbour_space` of R (R/search-space.R), and either asks
 * for lists of the nearest samples or walks over all distances with a use of its
 * own. */
#ifndef R_SEARCH_H
#define R_SEARCH_H

#include "r_entry.h"
#include "search_lists.h"

typedef struct {
    SEXP data, scaling; /* of the neighbour_space */
    struct dense_distances *cells; /* compute the distances */
    lr_metric metric;
    run_control control;
    size_t n;          /* samples: the rows of all tiles */
    const int *block_of; /* of the samples, or NULL; for lists of neighbours */
    const int *ends;   /* end points, numbered from 0 */
    size_t n_ends;
    int half;          /* ends ascend; each pair once, as end < row */
    int whole_rows;    /* tiles are to hold all rows of their end points */
    int roots;         /* Euclidean tiles are to hold distances, not squares */
    double rounding;   /* 0, or the unit that Euclidean distances are rounded
                          to (search_order.h) */
    size_t most_ends;  /* of a pass; 0: as many as suit */
    size_t per_pass;   /* end points of a pass, known when tiles are used */
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

/* A walk from all `ends` (numbers from 1, ascending; R_NilValue: all samples) to
 * all samples of a neighbour_space; leaves one object on the protection stack. */
pair_walk open_search(SEXP where, SEXP ends, SEXP control);

void walk_pairs(pair_walk *walk, const char *task);

/* ---- lists of the nearest samples ------------------------------------------ */

/* Empty lists of R_alloc memory for the end points of a walk, or for all samples
 * when it is a half. */
lr_lists allocate_lists(const pair_walk *walk, const lr_list_rule *rule,
                        size_t k, size_t k_group);

/* Fills them: by bounds of the distances where the data have useful ones, else
 * from all distances; the same lists. order_only: the distances in the lists may
 * be other numbers as long as the order is the same. */
void find_lists(pair_walk *walk, lr_lists *lists, int order_only);

/* A `use` that offers tiles to lists, which are its context. */
void offer_tile(void *lists, const lr_tile *tile, lr_chunk chunk);

#endif
