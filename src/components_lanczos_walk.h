/* The eigenvectors of the largest eigenvalues of a symmetric operator, by block
 * Lanczos with full orthogonalization (Golub and Van Loan 2013, section 10.3.6)
 * and thick restarts (Wu and Simon 2000). It serves principal components and
 * graphs. */
#pragma once

#include "components.h"
#include "lr_host.h"

/* Operator times x, both m x LR_VECTORS: memory of the operator, which the
 * caller may change. */
typedef double *(*lr_block_operator)(void *context, const double *x);

/* A residual is small enough at absolute + relative |value| + spread (first
 * - last value) + geometric sqrt(first value * value). */
typedef struct {
    double absolute, relative, spread, geometric;
} lr_accuracy;

/* The length, of the residual of value i of `count`; never below rounding. */
double residual_limit(const lr_accuracy *accuracy, const double *values,
                      size_t count, size_t i);

typedef struct {
    size_t m, wanted, also; /* also: so many more, as they are in the end */
    size_t width;          /* vectors of a block, at most LR_VECTORS */
    size_t most, keep;     /* of a basis before it is cut back, and then */
    int cuts;              /* at most so many */
    lr_block_operator apply;
    void *context;
    lr_basis deflate;      /* what is found is orthogonal to these */
    const double *start;   /* m x n_start, near the wanted ones */
    size_t n_start;
    double elsewhere;      /* share of a start in other directions */
    lr_accuracy accuracy;
    const run_control *control;
    progress_line *line;   /* or NULL */
} lanczos_options;

/* As many as are wanted, or as exist, the largest value first. */
typedef struct {
    size_t count, all;       /* all: with those that are there besides */
    size_t steps;            /* products with a block */
    const double *vectors;   /* m x all */
    const double *values;    /* all */
    const double *residuals; /* lengths: count */
    double excess; /* the largest one, where 1 is small enough */
} eigenvectors;

eigenvectors largest_eigenvectors(const lanczos_options *options);
