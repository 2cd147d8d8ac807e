#ifndef LR_CLASS_LISTS_H
#define LR_CLASS_LISTS_H

#include "lr.h"

/* The k nearest samples of many samples at once, separately for each class of
 * the neighbours: hits and misses when the classes are labels, plain nearest
 * neighbours when all samples are of class 0. Each list is a heap as in
 * hits.h; equal distances keep row order, and no sample is in its own list.
 *
 * The whole matrix of distances is never held. A caller goes through it in
 * panels, end points x rows, and may leave out the half below the diagonal:
 * then every distance above it is offered to both samples' lists. */
typedef struct {
    const int *class_of; /* per sample, from 0; -1: in nobody's list */
    size_t n_classes;
    size_t n_slots;      /* samples that have lists */
    size_t k;
    double *distance;    /* heap of slot s and class c at (s n_classes + c) k */
    int *row;
    int *count;          /* per slot and class */
    double *limit;       /* [class][slot]: a distance above is not looked at */
} lr_class_lists;

/* Empties the lists. */
void lr_class_lists_clear(lr_class_lists *lists);

/* Offers rows first_row .. first_row + rows - 1 to the lists of one end point.
 * distance  of the end point to these rows
 * bound     scratch of this thread, n_classes doubles
 * Cost: rows, and O(log k) for each sample that enters. */
void lr_class_offer_end(lr_class_lists *lists, size_t slot, int end,
                     const double *distance, size_t first_row, size_t rows,
                     double *bound);

/* Offers one end point to the lists of these rows; the slot of a row is its
 * number. */
void lr_class_offer_rows(lr_class_lists *lists, int end, const double *distance,
                      size_t first_row, size_t rows);

/* Sorts the lists of one slot, nearest first. */
void lr_class_lists_sort(lr_class_lists *lists, size_t slot);

/* Neighbours strictly inside a radius.
 * radius    of this end point
 * out       rows, grouped by class, ascending; room for n
 * start     n_classes + 1 offsets into out */
void lr_within(const lr_class_lists *lists, int end, const double *distance,
               size_t n, double radius, int *out, int *start);

/* Mean and standard deviation of the distances of one end point to the samples
 * of any class but itself, in row order. Returns how many there are. */
size_t lr_distance_moments(const int *class_of, int end,
                           const double *distance, size_t n, double *mean,
                           double *deviation);

#endif
