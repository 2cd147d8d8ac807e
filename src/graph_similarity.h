#pragma once

#include "lr.h"

/* A symmetric weighted graph of n samples in compressed columns: the
 * neighbours of sample c are row[start[c]] .. row[start[c + 1] - 1],
 * ascending, never c itself. Sparse, or dense when `row` is NULL: then the
 * weight of (r, c) is at weight[r + c * n] and the diagonal is ignored.
 * `weight` NULL: every edge has weight 1. */
typedef struct {
    size_t n;
    const int *start; /* n + 1 */
    const int *row;
    const double *weight;
} lr_graph;

typedef enum {
    LR_BINARY = 0,  /* 1 */
    LR_HEAT,        /* exp(-d^2 / t) */
    LR_GAUSSIAN,    /* exp(-d^2 / (2 sigma^2)) */
    LR_SELF_TUNING, /* exp(-d^2 / (2 s_n s_m)), (1.5) [Hijazi 2019] */
    LR_INVERSE,     /* 1 / (d^2 / sigma^2 + 1) */
    LR_SQUARE       /* d^2: the weight is made of it later */
} lr_weight;

typedef struct {
    lr_weight kind;
    double sigma, t;
    const double *scale; /* s_n of LR_SELF_TUNING, n values */
} lr_weighting;

/* Edges from first to second, in any order; an edge may be there in both
 * directions, but in each only once. */
typedef struct {
    int *first, *second;
    double *square;
    size_t count;
} lr_graph_edges;

/* Where edges become a graph. */
typedef struct {
    int *start;        /* n + 1 */
    int *row;          /* 2 count */
    double *value;     /* 2 count */
    int *scratch;      /* 4 count */
    double *old_value; /* 2 count, scratch */
} lr_graph_buffer;

/* Purpose: edges to a graph in compressed columns, start, row and value of the
 * buffer.
 * mutual   0: an edge where there is one in either direction ("or" rule);
 *          1: where both are there
 * Cost: O(n + count), two counting sorts. Returns the number of entries. */
size_t lr_join_edges(size_t n, const lr_graph_edges *edges, int mutual,
                     const lr_graph_buffer *buffer);

/* Squared distances to weights, in place, of the columns from .. to - 1; the
 * diagonal of a dense graph becomes 0. `value` are graph->weight's cells. */
void lr_weigh_edges(const lr_graph *graph, double *value, size_t from,
                    size_t to, const lr_weighting *weighting);

/* s_n = 0 becomes the smallest positive s, or 1 when there is none. */
void lr_fix_scales(double *scale, size_t n);

/* Sum of the weights at each sample. */
void lr_degrees(const lr_graph *graph, double *degree);
