#pragma once

#include "lr.h"

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

/* First position of sorted[low .. high - 1] that is not below `value`. */
static inline int lr_lower_bound(const int *sorted, int low, int high,
                                 int value)
{
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Must-links among n samples. */
typedef struct {
    size_t n, n_pairs;
    const int *first, *second;
} lr_must_links;

/* Connected components of the must-link graph by union-find.
 * component  n results, numbered from 0 by the lowest sample
 * Cost: close to linear. */
void lr_components(const lr_must_links *links, int *component);

/* A shortest chain of must-links from sample `from` to sample `to`: the proof
 * that they belong together (breadth first, equal lengths: lower pair first).
 * path     n results; returns their number in *length
 * scratch  3 n + 2 n_pairs + 1 ints
 * LR_NOT_CONNECTED when there is none. Cost: O(n + n_pairs). */
lr_status lr_shortest_path(const lr_must_links *links, int from, int to,
                           int *path, size_t *length, int *scratch);
