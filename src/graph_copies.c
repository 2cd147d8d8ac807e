/* Equal columns by a hash table. */
#include "graph_copies.h"

#include <stdint.h>
#include <string.h>

size_t lr_copy_table(size_t count)
{
    size_t size = 16;
    while (size < 2 * count)
        size *= 2;
    return size;
}

static uint64_t hash_column(const double *u, size_t n)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, u + i, sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}

static int is_zero(const double *u, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (u[i] != 0.0)
            return 0;
    return 1;
}

void lr_find_copies(const double *u, size_t n, size_t count, int *original,
                    int *table)
{
    size_t size = lr_copy_table(count);
    for (size_t s = 0; s < size; s++)
        table[s] = -1;
    for (size_t j = 0; j < count; j++) {
        const double *x = u + j * n;
        original[j] = -1;
        if (is_zero(x, n))
            continue;
        size_t slot = (size_t)(hash_column(x, n) & (size - 1));
        while (table[slot] >= 0
               && memcmp(u + (size_t)table[slot] * n, x, n * sizeof *x) != 0)
            slot = (slot + 1) & (size - 1);
        if (table[slot] < 0)
            table[slot] = (int)j;
        original[j] = table[slot];
    }
}
