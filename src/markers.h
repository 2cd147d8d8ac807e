#pragma once

#include "read_entries.h"

/* What sets groups of samples apart in one feature, from the cells that are not
 * 0: sparse and dense data give the same bits. Samples are in groups and in
 * blocks, such as batches; a cell is the samples of one group in one block,
 * with number block * n_groups + group. */
typedef struct {
    size_t n_groups, n_blocks;
    const int *cell_of;  /* per sample; -1: in no group */
    const double *count; /* samples of each cell */
} lr_group_design;

static inline size_t lr_cell_count(const lr_group_design *d)
{
    return d->n_groups * d->n_blocks;
}

/* Per cell. A missing value (NaN) is left out: `known` counts the others. */
typedef struct {
    double *known;
    double *mean;   /* NaN where no value is known */
    double *square; /* sum of squares about the mean */
    double *above;  /* values above 0 */
    double *stored; /* scratch */
} lr_cell_moments;

/* A cell whose values are all the same has exactly this mean and square 0.
 * Cost: three passes over the entries. */
void lr_moments_of_cells(const lr_group_design *design,
                         const lr_entries *entries, lr_cell_moments *out);

/* An entry with its cell, to be sorted by value. */
typedef struct {
    double value;
    int cell;
} lr_cell_entry;

typedef struct {
    lr_cell_entry *entry; /* two for each sample */
    double *below, *tied; /* per cell */
    double *wins;         /* [cell][group] */
    double *other;        /* per cell, a result: see lr_auc_of_groups() */
} lr_auc_scratch;

/* auc[h + g * n_groups] = P(x_g > x_h) + P(x_g = x_h) / 2 for a sample of group
 * g and one of group h of the same block; over blocks b the mean weighted by
 * 1 / (1 / n_gb + 1 / n_hb). NaN where no block holds both. No value may be
 * missing. scratch->other: how many samples of each cell do not have the median
 * of all (the lower of two), which is the value of most samples if there is
 * one. Within a billionth of the range values are equal there, because logs of
 * counts per million differ by rounding where the counts are 0. Cost: sorting
 * the entries, and n_groups steps for each. */
void lr_auc_of_groups(const lr_group_design *design, const lr_entries *entries,
                      const lr_auc_scratch *scratch, double *auc);
