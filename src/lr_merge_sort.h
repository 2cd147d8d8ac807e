/* A stable merge sort. A file includes this once, after it has defined ITEM,
 * the type of what is sorted, and KEY(item), the number that it is sorted
 * by. */

#include <string.h>

enum { RUN = 16 }; /* sorted by insertion before runs are merged */

static void sort_run(ITEM *x, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        ITEM v = x[i];
        size_t at = i;
        for (; at > 0 && KEY(x[at - 1]) > KEY(v); at--)
            x[at] = x[at - 1];
        x[at] = v;
    }
}

/* Merges x[0 .. middle) and x[middle .. n) into out. */
static void merge(const ITEM *x, size_t middle, size_t n, ITEM *out)
{
    size_t a = 0, b = middle;
    while (a < middle && b < n)
        *out++ = KEY(x[b]) < KEY(x[a]) ? x[b++] : x[a++];
    memcpy(out, x + a, (middle - a) * sizeof *x);
    memcpy(out + (middle - a), x + b, (n - b) * sizeof *x);
}

/* Returns which of the two holds the sorted items. */
static ITEM *sort_items(ITEM *x, ITEM *other, size_t n)
{
    for (size_t i = 0; i < n; i += RUN)
        sort_run(x + i, n - i < RUN ? n - i : RUN);
    for (size_t width = RUN; width < n; width *= 2) {
        for (size_t i = 0; i < n; i += 2 * width) {
            size_t size = n - i < 2 * width ? n - i : 2 * width;
            merge(x + i, size < width ? size : width, size, other + i);
        }
        ITEM *swap = x;
        x = other;
        other = swap;
    }
    return x;
}
