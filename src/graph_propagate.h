#pragma once

#include "graph.h"

/* G = H Y', both n x k: the rows of H in panels and those of Y in packs of
 * doubles (lr_products.h). */
typedef struct {
    size_t n, k;
    const double *h, *y;
} lr_product;

/* The largest entries of the four rows of G from `row` on. Cost 8 n k. */
void lr_row_maxima(const lr_product *product, size_t row, double *maximum);

/* The entries (row, j), j > row, that are at least tau or (both) at most -tau,
 * and where they go; first NULL: they are counted only. */
typedef struct {
    double tau;
    int both;
    int *first, *second;
    double *value;
} lr_strong;

/* Those of the four rows from `row` on, pack by pack, written from place
 * `at` on. Returns their number. */
size_t lr_strong_entries(const lr_product *product, size_t row,
                         const lr_strong *strong, size_t at);

/* Adds pairs in order, each unless it contradicts the closure of those before
 * it; the first n_given are consistent and always taken.
 * first, second, must_link: n_pairs each
 * taken    n_pairs results: 1 taken, 0 contradicts
 * scratch  4 n + 4 n_pairs ints
 * Cost: close to linear; a must-link costs the shorter of the two components'
 * lists of cannot-links. */
void lr_admit_pairs(size_t n, size_t n_given, size_t n_pairs, const int *first,
                    const int *second, const int *must_link, int *taken,
                    int *scratch);
