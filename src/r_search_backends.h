/* The back ends of the search: who computes distances, or bounds of them, in data
 * of some kind. r_search.c hands them in as a table; the walk over pairs and the
 * search by bounds know the table only. */
#ifndef R_SEARCH_BACKENDS_H
#define R_SEARCH_BACKENDS_H

#include "r_search.h"
#include "search_bounds.h"

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

typedef struct search_backend {
    /* Fills tiles with distances; leaves one object on the protection stack. */
    lr_filler (*distances)(SEXP data, SEXP scaling, lr_metric metric,
                           const run_control *control);
    /* NULL when these data have no useful bounds. */
    const screener *(*bounds)(SEXP data, SEXP scaling, lr_metric metric);
} search_backend;

/* r_search_dense.c: any data, cell by cell, in blocks of features. */
lr_filler dense_filler(SEXP data, SEXP scaling, lr_metric metric,
                       const run_control *control);

/* r_search_sparse.c: sparse data, by the features that samples share. */
const screener *sparse_screener(SEXP data, SEXP scaling, lr_metric metric);

/* r_search_bounds.c: fills empty lists without all distances; FALSE: nothing is
 * done, the caller walks. */
int search_by_bounds(pair_walk *walk, lr_lists *lists, int order_only);

#endif
