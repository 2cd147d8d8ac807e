#pragma once

#include "lr.h"

/* Finds columns that are equal to the last bit.
 * u         n x count, columns in a row, no -0
 * original  count results: the lowest column equal to this one (itself when
 *           there is none), or -1 for a column of zeros, which represents a
 *           constant feature
 * table     lr_copy_table(count) ints of scratch
 * Cost: one pass, and one comparison per copy. */
size_t lr_copy_table(size_t count);
void lr_find_copies(const double *u, size_t n, size_t count, int *original,
                    int *table);
