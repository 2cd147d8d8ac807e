/* The entries of a feature from columns, stored cells or blocks. */
#include "read_entries.h"

/* row: NULL for 0 .. count - 1. */
static inline void fill(const lr_shift *shift, const int *row, const double *x,
                        size_t count, lr_entries *entries)
{
    entries->count = 0;
    for (size_t i = 0; i < count; i++) {
        double w = lr_shifted(shift, x[i]);
        if (w == 0.0)
            continue;
        entries->row[entries->count] = row ? row[i] : (int)i;
        entries->value[entries->count++] = w;
    }
}

void lr_entries_of_feature(const lr_shift *shift, const lr_block *block,
                           size_t j, lr_entries *entries)
{
    const lr_sparse_tile *stored = block->stored;
    if (!stored) {
        fill(shift, NULL, block->values + j * block->stride, block->n, entries);
        return;
    }
    int from = stored->start[block->first + j];
    int to = stored->start[block->first + j + 1];
    fill(shift, stored->row + from, stored->value + from, (size_t)(to - from),
         entries);
}
