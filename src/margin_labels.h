/* Margins over all pairs of labelled samples of different classes, without
 * going through the pairs: per feature a sort and sums over sorted values.
 *
 * With u the values of a feature, f_m(v) the mean of |v - u_H| over the hits H
 * of sample m, and h_m = f_m(u_m), the margin of the pair (n, m) in both
 * directions is (3.16, Hijazi 2019)
 *     (f_m(u_n) - h_n + f_n(u_m) - h_m) / 2,
 * and its sum and sum of squares over all pairs take, over ordered pairs,
 *     sum f_m(u_n),  sum f_m(u_n)^2,  sum h_n f_m(u_n),  sum h_m f_m(u_n),
 * which are piecewise polynomials of u_n between the hits of m: moments of the
 * samples below each hit; sum h_n and h_n^2, h_n h_m: products of totals; and
 *     sum f_m(u_n) f_n(u_m) = mean over hits of |u_n - v_m| |u_m - v_n|,
 * whose signs depend on u_n <= v_m and v_n <= u_m: a dominance sum in two
 * dimensions, one sweep over a tree of partial sums.
 *
 * Classes meet at the nodes of a binary tree, so that nothing of a class is
 * first added and then subtracted. */
#pragma once

#include "read_entries.h"

/* The labelled samples begin .. middle - 1 meet middle .. end - 1. */
typedef struct {
    int begin, middle, end;
    int left, right; /* nodes of the two parts, -1 when it is one class */
} lr_node;

/* The nodes of classes, samples begin[c] .. begin[c + 1] - 1 each, so that as
 * many samples as can be are on either side; n_classes - 1 are written. Returns
 * how many. */
size_t lr_class_tree(const int *begin, size_t n_classes, lr_node *nodes);

/* Labelled samples, numbered class by class, and their hits: the same for all
 * features. */
typedef struct {
    size_t n;              /* samples of the data */
    size_t n_labelled;
    const int *row;        /* of each labelled sample */
    const int *number;     /* per row: its number, -1 when not labelled */
    const int *start;      /* n_labelled + 1: hits of sample e are */
    const int *hit;        /*   hit[start[e]] ..: rows */
    const int *owner;      /* per hit: the number of its sample */
    const size_t *user_start; /* n + 1: owners that row i is a hit of are */
    const int *user;       /*   user[user_start[i]] ..: numbers */
    const int *with_hits;  /* n_labelled + 1: samples before e with hits */
    const lr_node *nodes;  /* a node stands before those of its parts */
    size_t n_nodes;
} lr_labels;

typedef struct {
    double sum;       /* of the margins */
    double square;    /* of their squares */
    double magnitude; /* sum of the sizes of all terms of `square`: a spread
                         below some 1e-13 of it is rounding */
    double size;      /* at least the largest f_m(u_n) + h_n */
} lr_label_sum;

/* Scratch of one thread: lr_label_bytes() of memory, aligned for doubles,
 * which lr_label_buffer_in() divides and clears. */
typedef struct lr_label_buffer lr_label_buffer;

size_t lr_label_bytes(const lr_labels *labels);
lr_label_buffer *lr_label_buffer_in(const lr_labels *labels, void *memory);

/* One feature.
 * entries  its values; a shift of all values changes no margin
 * Cost: with a the labelled samples that are not 0 or have a hit that is not,
 * O((entries + a K) log), times the depth of the nodes. */
void lr_label_margins(const lr_labels *labels, const lr_entries *entries,
                      lr_label_buffer *buffer, lr_label_sum *sum);
