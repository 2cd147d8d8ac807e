/* Distances of end points to samples, a panel at a time: what every search for
 * neighbours shares. Rows are outermost when the whole matrix is at hand, and
 * few distances are held; when features come in blocks (sparse, rows, reader,
 * missing values), all rows of the panel are. */
#ifndef R_SEARCH_H
#define R_SEARCH_H

#include "distance.h"
#include "r_entry.h"

typedef struct panel_search panel_search;
struct panel_search {
    feature_source source;
    lr_scaling scaling;
    lr_metric metric;
    run_control control;
    const int *ends; /* end points of this pass, rows from 0 */
    size_t n_ends;
    size_t rows;     /* rows in work: the panel's width */
    size_t ld;       /* the same, rounded up to LR_ROWS */
    double *panel;   /* [end][row] */
    double *packed, *expected, *scratch, *packs;
    /* Called when the distances of these rows are complete; row `first_row`
     * stands in column 0 of the panel. */
    void (*finished)(panel_search *search, size_t first_row, size_t rows);
    void *user;
};

/* Reads the data and chooses the panel's width; leaves one object on the
 * protection stack. `all_rows`: finished() is to see whole rows at once. */
void search_open(panel_search *search, SEXP data, SEXP scaling,
                 lr_metric metric, int all_rows, SEXP control);

/* How many of n_ends end points share a pass, within the memory that r_search.c
 * states, and its memory. `most`: no more than these (0: as many as fit). */
size_t search_allocate(panel_search *search, size_t n_ends, size_t most);

/* The end points set in `search` against the rows from first_row on. `done`,
 * `share`: of the whole work, for the progress line. */
void search_pass(panel_search *search, size_t first_row, progress_line *line,
                 double done, double share);

size_t round_up(size_t value, size_t unit);

/* Empty lists of R_alloc memory (r_neighbours.c). */
lr_nearest *allocate_lists(size_t count, size_t capacity);

#endif
