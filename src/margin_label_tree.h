/* The scratch of one feature, for margin_labels.c and margin_label_tree.c. */
#ifndef LR_MARGIN_LABEL_TREE_H
#define LR_MARGIN_LABEL_TREE_H

#include "margin_labels.h"

typedef struct {
    double value;
    int row;
} lr_item;

/* Sums that a dominance sum adds up: of 1, u_n, v_n and u_n v_n. */
typedef struct {
    double one, u, v, uv;
} lr_products;

/* Samples that are 0 and whose hits are all 0 are not listed: they are given by
 * their numbers alone. Positions count the sorted values, all zeros sharing
 * one; of equal values any may come first, as their difference is 0. */
struct lr_label_buffer {
    double *w;          /* per row, all 0 between features */
    int *order;         /* per row, its position when w is not 0 */
    int *listed;        /* per labelled sample, all 0 between features */
    lr_item *items, *spare;
    int *bucket;        /* per position */
    int zero;           /* the position of zeros */
    size_t n_positions;
    /* per labelled sample, of those that are listed */
    double *value, *own, *weight, *mean; /* u, h, 1 / hits, mean of hits */
    double *distance;   /* |u| times the mean |v| of its hits */
    double *below;      /* of its hits met so far: their sum */
    int *met, *position, *reach;
    int *point, *point_spare; /* listed samples, by position in each part */
    size_t n_points;
    /* per hit, of those of listed samples */
    double *hit_value;
    double *jump;       /* 3: how f^2 changes there, see prepare_jumps() */
    int *hit_position, *rank;
    int *query, *query_spare; /* hits, by position in each part */
    size_t n_queries;
    lr_products *tree, *prefix;
    size_t *part;       /* per node: where its points and queries begin and
                           end */
};

/* Over ordered pairs (n, m) of different classes; f = f_m(u_n). */
typedef struct {
    double f, ff;           /* f, f^2 */
    double f_here, f_there; /* h_n f, h_m f */
    double h, hh;           /* h_n, h_n^2 */
    double h_both;          /* h_n h_m */
    double f_both;          /* f_m(u_n) f_n(u_m) */
} lr_label_totals;

/* All classes against each other, for the samples and hits that are listed in
 * buffer->point and buffer->query. */
void lr_label_meet(const lr_labels *labels, lr_label_buffer *buffer,
                   lr_label_totals *totals);

#endif
