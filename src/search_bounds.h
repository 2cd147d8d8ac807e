/* Which samples can be among the k nearest, when only bounds of distances are
 * known: low <= distance <= upper. The k-th smallest upper bound is never below
 * the k-th smallest distance, so a sample whose low is above it is farther than
 * k others and is dropped; one whose low is equal stays. Distances of what is
 * left are then computed exactly, or, where only the order of the nearest is
 * wanted, of those alone whose bounds overlap. */
#pragma once

#include "search_lists.h"

/* A sample and the bounds of its distance. */
typedef struct {
    double low, high;
    int row;
} lr_bounded;

/* Lists of end points: one each, or one for each class of their neighbours.
 * List l of end e is number e n_lists + l. */
typedef struct {
    size_t n_ends, n_lists;
    size_t k;       /* nearest samples that are wanted of each list */
    size_t capacity;    /* for candidates: more than k */
    double *upper;  /* the k smallest upper bounds (lr_nearest), k a list, */
    int *upper_row; /*   and whose they are */
    int *n_upper;   /* of each list */
    lr_bounded *kept; /* candidates, `capacity` a list */
    int *count;     /* candidates of each list; -1: the list is full, and all
                       of the end's distances have to be computed */
    double *limit;  /* [list][end]: a sample whose low is above is dropped */
} lr_screen;

/* The query points of a pass, and which row belongs to which of their lists. */
typedef struct {
    const int *end;        /* sample of each end point */
    lr_list_rule lists;
    const int *query_start; /* with links: the end points of component c are */
    const int *query;       /*   query[query_start[c]] .. */
} lr_screen_rule;

void lr_screen_clear(lr_screen *screen);

/* Sorts the candidates of list `at` (a number as above) by low and reports
 * which need a distance for the order of the k nearest: those whose bounds
 * overlap another's. The others are separate, so that low stands for their
 * distance. needs of each candidate: its bounds overlap; only the first ones
 * count, those
 *        behind the k nearest are left out
 * Returns how many count. More than 4 k + 64 are left as they are: all need
 * one. Cost: squares of the candidates. */
size_t lr_screen_order(lr_screen *screen, size_t at, int *needs);

/* Offers one row to all end points whose limit its bounds pass.
 * low, upper  of its distance to each end point */
void lr_screen_row(lr_screen *screen, const lr_screen_rule *rule, int row,
                   const double *low, const double *upper);

/* Adds what another thread found among other rows. */
void lr_screen_merge(lr_screen *screen, const lr_screen *other);

/* Drops what the last limits leave out. */
void lr_screen_finish(lr_screen *screen);
