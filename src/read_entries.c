/* The entries of a feature from columns, stored cells or blocks. */
#include "read_entries.h"

static void append(lr_entries *entries, int row, double w)
{
    if (w == 0.0)
        return;
    entries->row[entries->count] = row;
    entries->value[entries->count++] = w;
}

void lr_entries_of_column(const lr_shift *shift, const double *x, size_t n,
                          lr_entries *entries)
{
    entries->count = 0;
    for (size_t i = 0; i < n; i++)
        append(entries, (int)i, lr_shifted(shift, x[i]));
}

void lr_entries_of_stored(const lr_shift *shift, const int *row,
                          const double *x, size_t count, lr_entries *entries)
{
    entries->count = 0;
    for (size_t i = 0; i < count; i++)
        append(entries, row[i], lr_shifted(shift, x[i]));
}

void lr_entries_of_feature(const lr_shift *shift, const lr_block *block,
                           size_t j, lr_entries *entries)
{
    const lr_sparse_tile *stored = block->stored;
    if (!stored) {
        lr_entries_of_column(shift, block->values + j * block->stride,
                             block->n, entries);
        return;
    }
    int from = stored->start[block->first + j];
    int to = stored->start[block->first + j + 1];
    lr_entries_of_stored(shift, stored->row + from, stored->value + from,
                         (size_t)(to - from), entries);
}
