/* Nearest samples without all distances: bounds leave a few candidates of each
 * end point, whose distances are computed exactly. Same lists as a walk over
 * all pairs, which goes on to serve what needs every distance. */
#ifndef R_SCREEN_H
#define R_SCREEN_H

#include "r_pairs.h"
#include "screen.h"

/* Who knows bounds of the distances in data of some kind. */
typedef struct {
    void *context;
    size_t most_ends; /* of a pass */
    size_t spare;     /* candidates beyond the first ones, of each list */
    double work;      /* elementary operations for a pair */
    /* Makes these the end points of a pass; `chunks` threads work on it. */
    void (*begin)(void *context, const int *ends, size_t n_ends, int chunks);
    /* Offers the rows from .. to - 1; those of a chunk ascend in a pass. */
    void (*bound)(void *context, size_t from, size_t to,
                  const lr_screen_rule *rule, lr_screen *screen, int chunk);
    /* The distances of some pairs, whose rows ascend. */
    void (*exact)(void *context, lr_candidate *pairs, size_t count, int team);
} screener;

/* What is searched for: the k nearest of each end point in one list, or in one
 * for each class of the neighbours, or with `links` first in list 0 of others
 * and then in list 1 of its own component. */
typedef struct {
    size_t k, n_lists;
    const int *class_of;
    const lr_links *links;
    /* A sample whose distance is exact; may be farther than the k nearest. */
    void (*offer)(void *context, size_t slot, size_t list, double distance,
                  int row);
    void *context;
    int order_only; /* what is offered may be another number than the distance
                       as long as it gives the same lists in the same order */
} nearest_search;

/* Runs the search for the end points of a walk that was opened and not yet
 * planned. FALSE: nothing is done, as distances of these data have no useful
 * bounds; the caller walks. Slots are as in lr_lists. */
int screen_pairs(pair_walk *walk, SEXP data, SEXP scaling,
                 const nearest_search *search, const char *task);

/* The same for lists that are empty. */
int screen_lists(pair_walk *walk, SEXP data, SEXP scaling,
                 const lr_links *links, lr_lists *lists, int order_only);

/* NULL when data have no bounds of this kind (r_sparse.c). */
screener *sparse_screener(SEXP data, SEXP scaling, lr_metric metric);

#endif
