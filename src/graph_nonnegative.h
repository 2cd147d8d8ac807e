#pragma once

#include "lr.h"

/* One feature y written as a non-negative combination of others, by an active
 * set with a Cholesky factor (Lawson & Hanson; methods: section 6):
 *
 *   simplex  min ||y - U s||^2 / 2              s >= 0, 1's = 1
 *   penalty  min ||y - U s||^2 / 2 + lambda 1's s >= 0
 *
 * With c = U'(y - U s), s is optimal when c_j = level for s_j > 0 and
 * c_j <= level elsewhere; the level is lambda, or free with the simplex.
 *
 * With the simplex a constant row may be added to U and y without changing
 * the problem: columns that are affinely independent become independent. So
 * `shift` = 1 is added to every inner product there. */
typedef struct {
    size_t n, count;      /* samples, features */
    const double *u;      /* n x count scaled values, columns in a row */
    const double *square; /* count squared lengths, without the shift */
    int simplex;
} lr_code_problem;

/* Where the combination of one target stands. Arrays are the caller's. */
typedef struct {
    int target;
    double square;     /* y'y, the unit of violations */
    double level;
    size_t capacity;   /* most features in use: lr_code_capacity() */
    size_t n_active;
    int *active;       /* capacity features with s_j > 0, in order of entry */
    double *weight;    /* their s_j */
    double *product;   /* their u_j'y */
    double *factor;    /* Cholesky factor of their inner products: row i at
                        * i (i + 1) / 2; capacity (capacity + 1) / 2 */
    size_t n_working;
    int *working;      /* features that may enter: capacity + what the caller
                        * puts there */
    double *residual;  /* y - U s, n */
} lr_code;

/* Features that can be in use at once. */
size_t lr_code_capacity(const lr_code_problem *problem);

/* Doubles of scratch that the functions below take. */
size_t lr_code_scratch(size_t capacity);

/* c_j of a feature: u_j' residual. */
double lr_code_gradient(const lr_code_problem *problem, const lr_code *code,
                        int feature);

/* Is it in use? */
int lr_is_active(const lr_code *code, int feature);

/* Starts from nothing in use, or from a single feature with weight 1. */
void lr_code_start(const lr_code_problem *problem, lr_code *code, int target);
void lr_code_start_at(const lr_code_problem *problem, lr_code *code,
                      int target, int feature);

/* Solves the problem on the features in use and the working ones, to the
 * optimum of this smaller problem; features change between the two lists.
 * tolerance  in units of y'y: a working feature enters when its c_j is above
 *            the level by more.
 * Cost: per feature that enters, n (working + active) + active^2. */
void lr_code_solve(const lr_code_problem *problem, lr_code *code,
                   double tolerance, double *scratch);
