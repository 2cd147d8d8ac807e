/* Scaled cells of the rows that a task needs, several features side by side. */
#include "read_gather.h"

#include <math.h>
#include <string.h>

#include "lr_missing.h"

/* Two at a time, because a processor takes as long for one division as for
 * two. */
static void scale(const double *restrict x, size_t n, double center,
                  double divisor, double *restrict u)
{
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        u[i] = (x[i] - center) / divisor;
        u[i + 1] = (x[i + 1] - center) / divisor;
    }
    if (i < n)
        u[i] = (x[i] - center) / divisor;
}

void lr_scale_cells(const lr_scaling *scaling, size_t feature, const double *x,
                    size_t n, double *u)
{
    if (lr_is_constant(scaling, feature))
        memset(u, 0, n * sizeof(double));
    else
        scale(x, n, scaling->center[feature], scaling->divisor[feature], u);
}

enum { ROWS_AT_ONCE = 64 }; /* so that what is written stays in cache */

static void gather_two(const double *a, const double *b, const int *rows,
                       size_t n_rows, const double *center,
                       const double *divisor, double *restrict u)
{
    for (size_t i = 0; i < n_rows; i++, u += LR_LANES) {
        u[0] = (a[rows[i]] - center[0]) / divisor[0];
        u[1] = (b[rows[i]] - center[1]) / divisor[1];
    }
}

void lr_gather_plain(const lr_block *block, const lr_scaling *scaling,
                     const size_t *features, size_t count, const int *rows,
                     size_t n_rows, double *u)
{
    const double *x[LR_LANES];
    double center[LR_LANES], divisor[LR_LANES];
    for (size_t l = 0; l < LR_LANES; l++) {
        size_t place = features[l < count ? l : 0];
        x[l] = block->values + place * block->stride;
        center[l] = scaling->center[block->first + place];
        divisor[l] = scaling->divisor[block->first + place];
    }
    for (size_t i = 0; i < n_rows; i += ROWS_AT_ONCE) {
        size_t left = n_rows - i;
        for (size_t l = 0; l < count; l += 2)
            gather_two(x[l], x[l + 1], rows + i,
                       left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE, center + l,
                       divisor + l, u + i * LR_LANES + l);
    }
    for (size_t l = 0; l < LR_LANES; l++)
        if (l >= count || divisor[l] == 0.0)
            for (size_t i = 0; i < n_rows; i++)
                u[i * LR_LANES + l] = 0.0;
}

void lr_expected_feature(const lr_block *b, const lr_scaling *scaling,
                         size_t j, double *out, double *scratch)
{
    const double *x = b->values + j * b->stride;
    size_t feature = b->first + j;
    lr_scale_cells(scaling, feature, x, b->n, scratch);
    lr_rule rule = lr_rule_of(scaling, feature);
    lr_expected_differences(scratch, b->n, scaling, &rule, out,
                            scratch + b->n);
}

int lr_gather_single(const lr_block *block, const lr_scaling *scaling,
                     size_t feature, const int *rows, size_t n_rows, double *u,
                     double *expected, double *scratch)
{
    size_t n = block->n, number = block->first + feature;
    size_t tables = lr_class_tables(scaling);
    const double *x = block->values + feature * block->stride;
    const double *all = scratch;
    for (size_t i = 0; i < n_rows; i++)
        u[i] = lr_scale_cell(scaling, number, x[rows[i]]);
    if (scaling->missing[number] == 0)
        return 0;
    if (scaling->expected)
        all = scaling->expected[number];
    else
        lr_expected_feature(block, scaling, feature, scratch,
                            scratch + tables * n);
    for (size_t t = 0; t < tables; t++)
        for (size_t i = 0; i < n_rows; i++)
            expected[t * n_rows + i] = all[t * n + (size_t)rows[i]];
    return 1;
}

void lr_gather_levels(const lr_block *block, size_t feature, double level,
                      double *u)
{
    const double *x = block->values + feature * block->stride;
    for (size_t i = 0; i < block->n; i++)
        for (int l = 0; l < LR_LANES; l++)
            u[i * LR_LANES + l] = x[i] == level + l ? sqrt(0.5) : 0.0;
}
