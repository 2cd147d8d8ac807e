#include "read_gather.h"

#include <math.h>
#include <string.h>

#include "lr_missing.h"

enum { ROWS_AT_ONCE = 64 }; /* so that what is written stays in cache */

void lr_gather_plain(const lr_block *block, const lr_scaling *scaling,
                     const size_t *features, size_t count, const int *rows,
                     size_t n_rows, double *u)
{
    if (count < LR_LANES)
        memset(u, 0, n_rows * LR_LANES * sizeof(double));
    for (size_t i0 = 0; i0 < n_rows; i0 += ROWS_AT_ONCE) {
        size_t i1 = i0 + ROWS_AT_ONCE < n_rows ? i0 + ROWS_AT_ONCE : n_rows;
        for (size_t l = 0; l < count; l++) {
            const double *x = block->values + features[l] * block->stride;
            size_t feature = block->first + features[l];
            double center = scaling->center[feature];
            double divisor = scaling->divisor[feature];
            for (size_t i = i0; i < i1; i++)
                u[i * LR_LANES + l] =
                    divisor == 0.0 ? 0.0 : (x[rows[i]] - center) / divisor;
        }
    }
}

void lr_scale_column(const lr_block *block, const lr_scaling *scaling,
                     size_t j, double fill, double *u)
{
    const double *x = block->values + j * block->stride;
    for (size_t i = 0; i < block->n; i++)
        u[i] = isnan(x[i]) ? fill
                           : lr_scale_cell(scaling, block->first + j, x[i]);
}

int lr_gather_single(const lr_block *block, const lr_scaling *scaling,
                     size_t feature, const int *rows, size_t n_rows, double *u,
                     double *expected, double *scratch)
{
    size_t n = block->n, number = block->first + feature;
    size_t tables = lr_class_tables(scaling);
    const double *x = block->values + feature * block->stride;
    double *cells = scratch, *all = cells + n, *more = all + tables * n;
    if (scaling->missing[number] == 0) {
        for (size_t i = 0; i < n_rows; i++)
            u[i] = lr_scale_cell(scaling, number, x[rows[i]]);
        return 0;
    }
    for (size_t i = 0; i < n; i++)
        cells[i] = lr_scale_cell(scaling, number, x[i]);
    lr_rule rule = lr_rule_of(scaling, number);
    lr_expected_differences(cells, n, scaling, &rule, all, more);
    for (size_t i = 0; i < n_rows; i++) {
        u[i] = cells[rows[i]];
        for (size_t t = 0; t < tables; t++)
            expected[t * n_rows + i] = all[t * n + (size_t)rows[i]];
    }
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
