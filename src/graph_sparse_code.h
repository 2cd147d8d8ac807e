#pragma once

#include "graph_nonnegative.h"

/* The sparse feature graph (3.22-3.25 [Hijazi 2019]; methods: section 6): each
 * feature as a non-negative combination of all others, exact.
 *
 * Targets go through the rounds in blocks. A round takes c = U'residual for
 * all features in single precision, lets the best enter the target's working
 * list and solves on it in double precision; a target for which no feature
 * wants to enter rests. At the end c is taken in double precision for all
 * features: the certificate, and what it finds goes back into the rounds. */
typedef struct {
    lr_code_problem problem;
    double lambda;      /* fraction of the largest product; penalty only */
    const float *pack;  /* all features: lr_pack_floats() */
} lr_sparse_code;

/* Memory of one block of targets; sizes from lr_block_needs(). */
typedef struct {
    size_t targets;    /* at most, a multiple of LR_TARGETS */
    size_t doubles, floats, ints;
} lr_block_size;

lr_block_size lr_block_needs(const lr_code_problem *problem);

/* Single precision holds no 1e120, and there is a shift of 1 in
 * graph_nonnegative.h: cells far from 1 are brought there by a power of two,
 * which rounds nothing and changes no weight. To be called before all
 * others. */
void lr_bring_near_one(double *u, size_t cells);

/* What is known of a target when it is done. */
typedef struct {
    double kkt;   /* largest violation of the optimality conditions, in y'y */
    int rounds;
} lr_certificate;

typedef enum { LR_BEGINS, LR_SCREENS, LR_DONE } lr_code_stage;

/* The best features of a target, best first; equal ones in order of features,
 * which are offered in order. */
enum { LR_BEST = 30 };
typedef struct {
    int feature[LR_BEST];
    double value[LR_BEST];
    size_t count, buffer;
    double threshold; /* only what is above it is taken */
} lr_best_list;

/* A block in work. The caller allocates what comes first, of size->targets
 * entries each and of as many numbers as `size` says. */
typedef struct {
    lr_code *code;
    lr_certificate *certificate;
    lr_best_list *best; /* of each pending target */
    double *doubles;
    float *floats;
    int *ints;
    const lr_sparse_code *task;
    size_t first, count; /* targets, */
    int *pending;        /*   and those not at rest, by place in the block */
    size_t n_pending;
    lr_code_stage stage;
    double work;         /* operations of this round */
    double *scratch, *panel, *pack, *products;
    float *float_products;
} lr_code_block;

/* Begins with the targets first .. first + count - 1. */
void lr_code_block_begin(const lr_sparse_code *task, const lr_block_size *size,
                         lr_code_block *block, size_t first, size_t count);

/* One round. Returns its operations, about 1e9 of them a second; 0 when the
 * block is done: code[t] holds the active features and weights of target
 * first + t.
 * Cost: about 7 rounds of 2 n features operations per target. */
double lr_code_block_round(lr_code_block *block);
