/* Components of must-links, chains of them, and whether two samples are
 * cannot-linked. */
#include "constraints.h"

#include "lr_union_find.h"

/* The root of a component is its lowest sample, so that numbering the roots in
 * order of samples numbers the components by their lowest sample. */
void lr_components(const lr_must_links *links, int *component)
{
    size_t n = links->n;
    int *parent = component, count = 0;
    for (size_t i = 0; i < n; i++)
        parent[i] = (int)i;
    for (size_t t = 0; t < links->n_pairs; t++) {
        int a = lr_root_of(parent, links->first[t]);
        int b = lr_root_of(parent, links->second[t]);
        if (a < b)
            parent[b] = a;
        else
            parent[a] = b;
    }
    for (size_t i = 0; i < n; i++)
        parent[i] = lr_root_of(parent, (int)i);
    /* now parent[i] <= i is the root: replace roots by numbers, in order */
    for (size_t i = 0; i < n; i++)
        component[i] = parent[i] == (int)i ? count++ : component[parent[i]];
}

/* Neighbours of each sample as a compressed list, in order of the pairs. */
static void build_neighbours(const lr_must_links *links, int *start,
                             int *neighbour)
{
    const int *first = links->first, *second = links->second;
    size_t n = links->n;
    for (size_t i = 0; i <= n; i++)
        start[i] = 0;
    for (size_t t = 0; t < links->n_pairs; t++) {
        start[first[t]]++;
        start[second[t]]++;
    }
    for (size_t i = 1; i <= n; i++)
        start[i] += start[i - 1];
    /* filled from the back: start[i] comes to rest on the first entry of i */
    for (size_t t = links->n_pairs; t-- > 0;) {
        neighbour[--start[first[t]]] = second[t];
        neighbour[--start[second[t]]] = first[t];
    }
}

lr_status lr_shortest_path(const lr_must_links *links, int from, int to,
                           int *path, size_t *length, int *scratch)
{
    size_t n = links->n, head = 0, tail = 0;
    int *start = scratch, *neighbour = start + n + 1;
    int *before = neighbour + 2 * links->n_pairs, *queue = before + n;
    build_neighbours(links, start, neighbour);
    for (size_t i = 0; i < n; i++)
        before[i] = -1;
    before[to] = to;
    queue[tail++] = to;
    /* from the far end, so that following `before` runs forwards */
    while (head < tail && before[from] < 0) {
        int i = queue[head++];
        for (int e = start[i]; e < start[i + 1]; e++)
            if (before[neighbour[e]] < 0) {
                before[neighbour[e]] = i;
                queue[tail++] = neighbour[e];
            }
    }
    if (before[from] < 0)
        return LR_NOT_CONNECTED;
    *length = 0;
    for (int i = from; i != to; i = before[i])
        path[(*length)++] = i;
    path[(*length)++] = to;
    return LR_OK;
}

int lr_cannot_link(const lr_links *links, int a, int b)
{
    int c = links->component[a], end = links->against_start[c + 1];
    if (links->side) {
        int mine = links->side[c], other = links->side[links->component[b]];
        if (mine >= 0 && other >= 0 && mine != other)
            return 1;
    }
    int at = lr_lower_bound(links->against, links->against_start[c], end,
                         links->component[b]);
    return at < end && links->against[at] == links->component[b];
}
