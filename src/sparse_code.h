#ifndef LR_SPARSE_CODE_H
#define LR_SPARSE_CODE_H

#include "nonnegative.h"

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
    double lambda;      /* share of the largest product; penalty only */
    const float *pack;  /* all features: lr_pack_floats() */
    lr_level level;
} lr_sparse_code;

/* Memory of one block of targets; sizes from lr_block_needs(). */
typedef struct {
    size_t targets;    /* at most, a multiple of LR_TARGETS */
    size_t doubles, floats, ints;
} lr_block_size;

lr_block_size lr_block_needs(const lr_code_problem *problem);

typedef struct {
    lr_code *code;     /* one per target of the block */
    double *doubles;
    float *floats;
    int *ints;
} lr_block_room;

/* What is known of a target when it is done. */
typedef struct {
    double kkt;   /* largest violation of the optimality conditions, in y'y */
    int rounds;
} lr_certificate;

/* Codes the targets first .. first + count - 1. Afterwards room.code[t] holds
 * the active features and weights of target first + t.
 * certificate  count results
 * Cost: about 7 rounds of 2 n features operations per target. */
void lr_sparse_code_block(const lr_sparse_code *task, size_t first,
                          size_t count, const lr_block_size *size,
                          const lr_block_room *room,
                          lr_certificate *certificate);

#endif
