#ifndef LR_LISTS_H
#define LR_LISTS_H

#include "pairs.h"

/* The k nearest samples of many samples at once: one list each, or one for
 * each class of the neighbours (hits and misses when the classes are labels).
 * Each list is a heap as in hits.h; equal distances keep row order whatever
 * the order of the tiles, and no sample is in its own list. */
typedef struct {
    const int *class_of; /* per sample, from 0; -1: in nobody's list; NULL: one
                            list for all */
    size_t n_lists;      /* per sample: 1, or the number of classes */
    size_t n_slots;      /* samples that have lists: the walk's end points, or
                            all samples when tiles are halves */
    size_t k;
    double *distance;    /* heap of slot s and list c at (s n_lists + c) k */
    int *row;
    int *count;          /* per slot and list */
    double *limit;       /* [list][slot]: a distance above is not looked at */
} lr_lists;

/* Empties the lists. */
void lr_lists_clear(lr_lists *lists);

/* Offers a complete tile: its rows to the lists of its ends, and in a half its
 * ends to the lists of its rows too. `chunk`: only the samples of one chunk,
 * so that a list is one thread's alone.
 * Cost: one comparison a pair, O(log k) for each that enters. */
void lr_lists_offer(lr_lists *lists, const lr_tile *tile, lr_chunk chunk);

/* Offers one sample to one list. */
void lr_lists_put(lr_lists *lists, size_t slot, size_t list, double distance,
                  int row);

/* Sorts the lists of one slot, nearest first. */
void lr_lists_sort(lr_lists *lists, size_t slot);

/* Neighbours of one sample strictly inside a radius.
 * distance  of the sample `end` to all n samples
 * out       rows, grouped by class, ascending; space for n
 * start     n_classes + 1 offsets into out */
void lr_within(const int *class_of, size_t n_classes, int end,
               const double *distance, size_t n, double radius, int *out,
               int *start);

/* Mean and standard deviation of the distances of one sample to the samples
 * of any class but itself, in row order. Returns how many there are. */
size_t lr_distance_moments(const int *class_of, int end,
                           const double *distance, size_t n, double *mean,
                           double *deviation);

#endif
