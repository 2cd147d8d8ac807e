#pragma once

#include "graph.h"
#include "lr_matrix.h"
#include "lr_vector.h"

/* Quadratic forms of features, the one engine of all score methods: a score is
 * a ratio or difference of some of these. u is the scaled value of a feature.
 *
 * LR_LANES features go through side by side, as u[sample][LR_LANES]. A category
 * feature is the sum over its levels of the 0/1 indicators times sqrt(1/2):
 * then the squared difference of two samples is 0 or 1, as its difference is
 * defined, and every form of squared differences follows.
 *
 * Dense and sparse data give the same bits, so both sum in one order, and cells
 * that are 0 count alike: `zero` is the scaled value of a 0 (per lane), and in
 * sums without weights all cells of that value come in as one term, their
 * number times what one of them adds. */

/* ---- along the edges of a graph ------------------------------------------ */

/* f'Lf = sum over edges of w (u_r - u_c)^2, each edge once: over the edges of a
 * sample to samples before it, then over LR_EDGE_BLOCK samples, then over these
 * blocks. out: LR_LANES results. Cost: 4 operations an edge and feature. */
enum { LR_EDGE_BLOCK = 16 };

void lr_form_graph(const lr_graph *graph, const double *u, double *out);

/* One feature given by its stored cells, for the same bits as above.
 * row, u: scaled values of the `count` stored cells, rows ascending; zero: the
 * scaled value of all others; all: every cell, n, where a form needs them:
 * graphs and weights do. */
typedef struct {
    size_t count;
    const int *row;
    const double *u;
    double zero;
    const double *all;
} lr_sparse;

/* work: lr_sparse_scratch(n) doubles, all 0 before and after. Cost: in the
 * edges of the stored cells, and n / LR_EDGE_BLOCK. */
size_t lr_sparse_scratch(size_t n);
double lr_sparse_graph(const lr_graph *graph, const lr_sparse *f, double *work);

/* ---- over samples -------------------------------------------------------- */

/* sum_i weight_i (u_i - mu)^2, mu = sum_i center_i u_i / sum_i center_i;
 * mu = 0 when `center` is NULL. `weight` NULL: 1. Cost: two passes. */
typedef struct {
    size_t n;
    const double *weight, *center;
    double center_sum;
    size_t center_count; /* positive weights in center, */
    size_t center_first; /* and the first sample that has one */
    int is_even;         /* are all weights 1, those of `center` too? */
} lr_scatter;

void lr_form_scatter(const lr_scatter *scatter, const double *u,
                     const double *zero, double *out);

/* Classes 0 .. n_classes - 1 of the samples, -1: in none. With n_c samples,
 * mean mu_c and SS_c the sum of squares about it in class c, and mu the mean of
 * all samples in classes:
 *   out[0] sum_c coefficient[c] SS_c
 *   out[1] sum_c n_c (mu_c - mu)^2
 * `out`: [2][LR_LANES]. scratch: 3 n_classes LR_LANES doubles.
 * No sum over pairs is needed: the squared differences of all pairs within
 * class c add up to n_c SS_c, those of all pairs between classes to
 * sum_c (N - n_c) SS_c + N sum_c n_c (mu_c - mu)^2. */
typedef struct {
    size_t n, n_classes;
    const int *class_of;
    const double *count, *coefficient;
    const size_t *first; /* a sample of each class; none is empty */
} lr_classes;

void lr_form_classes(const lr_classes *classes, const double *u,
                     const double *zero, double *out, double *scratch);

/* sum over ordered pairs (i, j) of different classes of
 * weight_i (u_i - u_j)^2. scratch: 5 n_classes LR_LANES doubles.
 * class_weight: sum of the weights of each class. Cost: n + n_classes^2. */
void lr_form_different(const lr_classes *classes, const double *weight,
                   const double *class_weight, const double *u,
                   const double *zero, double *out, double *scratch);

/* ---- one feature given by its stored cells: the same bits ---------------- */

/* Cost: in the stored cells, with weights in all n. */
double lr_sparse_scatter(const lr_scatter *scatter, const lr_sparse *f);
/* Cost: in the stored cells. out: 2; scratch: 3 n_classes */
void lr_sparse_classes(const lr_classes *classes, const lr_sparse *f,
                       double *out, double *scratch);

/* ---- pairs of samples, summed over features ------------------------------ */

/* Adds (u_a - u_b)^2, or u_a u_b (`products`), of each pair to value[pair],
 * feature by feature in column order. */
void lr_add_pairs(const int *first, const int *second, size_t n_pairs,
                  const double *u, int products, double *value);
