#ifndef LR_GRAPH_FORM_H
#define LR_GRAPH_FORM_H

#include "graph_similarity.h"
#include "lr_vector.h"

/* Squared differences of features along the edges of a graph; u is as in
 * score_forms.h. Dense and sparse data give the same bits, so both sum in one
 * order. */

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

/* work: lr_sparse_scratch(n) doubles, all 0 before and after. Cost: in the edges
 * of the stored cells, and n / LR_EDGE_BLOCK. */
size_t lr_sparse_scratch(size_t n);
double lr_sparse_graph(const lr_graph *graph, const lr_sparse *f, double *work);

#endif
