/* Union-find: components as trees of parents; a root represents
 * its component. Which of two roots stays is up to the caller. */
#pragma once

/* The root of i; halves the way for the next call. */
static inline int lr_root_of(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}
