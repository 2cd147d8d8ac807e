/* Manhattan distances of some end points to all samples of dense data, up to a
 * proven bound, from features rounded to bytes.
 *
 * With t = 255 u, q = t rounded to 0 .. 255 and the residual r of a sample the
 * sum of its |t - q|, the triangle inequality gives for the sum S of all
 * |q_e - q_j|
 *     |255 T - S| <= r_e + r_j,
 * whatever the values; where u runs from 0 to 1, as with scale = "range", the
 * residuals are small. t is made by one multiplication with 255 / divisor in
 * the place of the division, within 2^-50 t; the sums have p terms: with
 * u <= 1, |S / 255 - distance| <= (r_e + r_j) / 255 + p (p + 16) 2^-50. */
#ifndef LR_BYTE_PANEL_H
#define LR_BYTE_PANEL_H

#include "lr_matrix.h"
#include "screen.h"

enum {
    LR_BYTE_UNIT = 16,       /* rows and features are taken by so many */
    LR_BYTE_TILE = 64,       /* features that are rounded before turning */
    LR_BYTE_MOST_ROWS = 256,
    LR_BYTE_BLOCK = 1 << 19  /* bytes of rows that stay in cache */
};

/* A double matrix of plain features. */
typedef struct {
    const double *values; /* cell (i, j) at values[i + j n] */
    size_t n, p;
    const double *center, *divisor; /* divisor 0: constant, left out */
} lr_dense_cells;

typedef struct {
    size_t n_ends, ld;    /* ld: p rounded up to LR_BYTE_TILE */
    unsigned char *bytes; /* [end][ld] */
    double *residual;     /* per end */
    double *u;            /* [feature][end]: scaled values */
    double rounding;      /* p (p + 16) 2^-50 */
    lr_level level;
} lr_byte_panel;

/* Do the scaled values of all features run from 0 to 1, with widths that 255 can
 * be divided by? */
int lr_is_unit_range(const lr_dense_cells *cells, const double *minimum,
                     const double *maximum);

/* Rows that are rounded at a time, a multiple of LR_BYTE_UNIT. */
size_t lr_byte_rows(size_t ld);

/* The samples from .. to - 1 as bytes.
 * bytes     [sample][ld], their number rounded up to LR_BYTE_UNIT
 * residual  per sample, rounded up as well
 * tile      LR_BYTE_TILE * LR_BYTE_MOST_ROWS bytes of scratch */
void lr_round_rows(const lr_dense_cells *cells, size_t from, size_t to,
                   size_t ld, unsigned char *bytes, double *residual,
                   unsigned char *tile);

/* Fills bytes, residual and u of the panel for the samples `end`. */
void lr_byte_panel_fill(lr_byte_panel *panel, const lr_dense_cells *cells,
                        const int *end);

/* The samples from .. to - 1 as lr_round_rows() leaves them. */
typedef struct {
    size_t from, to;
    const unsigned char *bytes;
    const double *residual;
} lr_rounded_rows;

/* Offers some samples to the lists of the end points.
 * bounds  2 n_ends doubles, sums: 4 n_ends int of scratch
 * Cost: one operation for 16 features (32 with AVX2) and each end point. */
void lr_byte_offer(const lr_byte_panel *panel, const lr_screen_rule *rule,
                   const lr_rounded_rows *samples, double *bounds, int *sums,
                   lr_screen *screen);

/* Exact distances of some pairs, best of rows that lie near each other: the
 * features in column order, one addition each. */
void lr_measure_pairs(const lr_byte_panel *panel, const lr_dense_cells *cells,
                      lr_candidate *pairs, size_t count);

#endif
