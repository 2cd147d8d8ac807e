#pragma once

#include <math.h>

#include "constraints.h"
#include "search_tiles.h"

/* ---- the order of neighbours --------------------------------------------- */

/* For all searches: nearer is the smaller distance, and at equal distances the
 * lower row. It is a total order, so that lists do not depend on the order in
 * which samples are compared. Distances that differ by rounding only can be
 * made equal first. */
static inline int lr_is_nearer(double distance, int row, double other_distance,
                               int other_row)
{
    return distance < other_distance
        || (distance == other_distance && row < other_row);
}

/* A distance rounded to whole units, 0 up to one unit: the last digits of
 * principal components depend on how these were computed, those of sums on
 * their order, and must not decide which sample is nearer. */
static inline double lr_rounded(double distance, double unit)
{
    return distance <= unit ? 0.0 : rint(distance / unit) * unit;
}

/* The same of its square. unit 0: as it is. */
static inline double lr_rounded_square(double square, double unit)
{
    if (!(unit > 0.0))
        return square;
    double d = lr_rounded(sqrt(square), unit);
    return d * d;
}

/* ---- one list ------------------------------------------------------------ */

/* A bounded list of the nearest samples, a heap with the farthest on top. */
typedef struct {
    double *distance; /* capacity each, owned by the caller */
    int *row;
    size_t capacity;
    size_t count;
} lr_nearest;

void lr_nearest_offer(lr_nearest *list, double distance, int row);

/* Nearest first, in place. */
void lr_nearest_sort(lr_nearest *list);

/* ---- which list a sample belongs to -------------------------------------- */

/* The lists of a query point:
 *   plain    one, of all other samples
 *   classes  one for each class of the neighbours
 *   linked   two: list 0 of samples that are neither in the query's component
 *            of the must-links nor cannot-linked to it, list 1 of the other
 *            members of its component (methods: section 5)
 * A sample is in no list of its own, nor of a sample of another block. */
typedef struct {
    size_t n_lists;
    /* classes: per sample its list, -1: in none; else NULL */
    const int *class_of;
    const lr_links *links; /* linked, else NULL */
    const int *block_of;   /* per sample, or NULL: all are one block */
} lr_list_rule;

static inline int lr_share_block(const lr_list_rule *rule, int a, int b)
{
    return !rule->block_of || rule->block_of[a] == rule->block_of[b];
}

/* The list of `end` that takes `row`, or -1. */
static inline int lr_list_of(const lr_list_rule *rule, int end, int row)
{
    const lr_links *links = rule->links;
    if (row == end || !lr_share_block(rule, end, row))
        return -1;
    if (!links)
        return rule->class_of ? rule->class_of[row] : 0;
    if (links->component[row] == links->component[end])
        return 1;
    return lr_cannot_link(links, end, row) ? -1 : 0;
}

/* ---- the lists of many samples ------------------------------------------- */

/* The k nearest samples of many query points. */
typedef struct {
    lr_list_rule rule;
    size_t n_slots;      /* samples that have lists: the query points, or all
                            samples when tiles are halves */
    size_t k;
    size_t k_group;      /* linked: so many in list 1 */
    double unit;         /* that distances are rounded to, 0: none */
    double *distance; /* heap of slot s and list c: lr_lists_width() s + c k */
    int *row;
    int *count;          /* per slot and list */
    double *limit;       /* [list][slot]: a larger distance is not considered */
    int squared;         /* are the distances squares? */
} lr_lists;

/* Space for all lists of a slot. */
static inline size_t lr_lists_width(const lr_lists *l)
{
    return l->rule.links ? l->k + l->k_group : l->rule.n_lists * l->k;
}

/* Empties the lists. */
void lr_lists_clear(lr_lists *lists);

/* Offers a complete tile: its rows to the lists of its ends, and in a half its
 * ends to the lists of its rows too. `chunk`: only the samples of one chunk,
 * so that a list is one thread's alone.
 * Cost: one comparison a pair, O(log k) for each that enters. */
void lr_lists_offer(lr_lists *lists, const lr_tile *tile, lr_chunk chunk);

/* The same for end number e of a tile, whose lists are those of `slot`. */
void lr_lists_offer_end(lr_lists *lists, size_t slot, const lr_tile *tile,
                        size_t e);

/* Offers one sample to one list. */
void lr_lists_put(lr_lists *lists, size_t slot, size_t list, double distance,
                  int row);

/* Lists of the same rule that all samples were offered to bound what will be in
 * empty ones, whose distances to all samples these are (no squares). */
void lr_lists_bound(lr_lists *lists, const lr_lists *others, size_t slot,
                    const double *distance);

/* Sorts the lists of one slot, nearest first. */
void lr_lists_sort(lr_lists *lists, size_t slot);

/* ---- all samples within a radius ----------------------------------------- */

/* Neighbours of one sample strictly inside a radius.
 * distance  of the sample `end` to all n samples
 * out       rows, grouped by class, ascending; space for n
 * start     n_classes + 1 offsets into out */
void lr_within(const int *class_of, size_t n_classes, int end,
               const double *distance, size_t n, double radius, int *out,
               int *start);

/* Mean and standard deviation of the distances of one sample to the samples
 * of any class but itself, in row order. */
void lr_distance_moments(const int *class_of, int end, const double *distance,
                         size_t n, double *mean, double *deviation);
