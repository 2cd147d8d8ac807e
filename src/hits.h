#ifndef LR_HITS_H
#define LR_HITS_H

#include "lr.h"

/* A bounded list of the nearest samples, a heap with the farthest on top.
 * "Nearer" is a total order, (distance, row): equal distances keep row order,
 * so the list does not depend on the order in which samples are offered. */
typedef struct {
    double *distance; /* capacity each, owned by the caller */
    int *row;
    size_t capacity;
    size_t count;
} lr_nearest;

void lr_nearest_offer(lr_nearest *list, double distance, int row);

/* Nearest first, in place. */
void lr_nearest_sort(lr_nearest *list);

/* What the closure of the constraints says of the samples, by component of
 * the must-link graph (a sample without must-links is a component of its
 * own). `start` has one entry more than there are components. */
typedef struct {
    const int *component;    /* per sample, from 0 */
    const int *member_start; /* samples of component c: */
    const int *member;       /*   member[member_start[c] ..], ascending */
    const int *against_start; /* components cannot-linked to c: */
    const int *against;       /*   against[against_start[c] ..], ascending */
    const int *side;          /* NULL, or per component a side from 0, -1 =
                                 none: those on different sides are
                                 cannot-linked too */
} lr_links;

/* Does the closure cannot-link the components of samples a and b? */
int lr_cannot_link(const lr_links *links, int a, int b);

/* Offers the samples first_row .. first_row + rows - 1 to the lists of one end
 * point, never the end point itself.
 * distance  of the end point to these rows
 * links     NULL: every sample goes to `others`. Else members of the end
 *           point's component go to `group`, and samples cannot-linked to it
 *           to neither (methods: section 5, constraint-aware hits)
 * Cost: rows, and O(log capacity) for each sample that enters. */
void lr_offer_linked(int end, const double *distance, size_t first_row,
                   size_t rows, const lr_links *links, lr_nearest *others,
                   lr_nearest *group);

/* The k hits of an end point: its group first, then the others, both nearest
 * first. `links` not NULL: leave out others that it cannot-links to the end
 * point. Returns how many there are. */
size_t lr_take_hits(int end, const int *group, size_t n_group,
                    const int *others, size_t n_others, const lr_links *links,
                    size_t k, int *hits);

#endif
