/* Single linkage of features as a maximum spanning forest: sort, join, order.
 * */
#include "graph_forest.h"

#include <string.h>

#include "lr_union_find.h"

#define ITEM lr_ranked_edge
#define KEY(item) (-(item).similarity)
#include "lr_merge_sort.h"

/* ---- clusters that grow together ----------------------------------------- */

typedef struct {
    size_t p, done; /* features, merges so far */
    int *parent;    /* union-find over features */
    int *cluster;   /* of a root: -(feature + 1), or the row of its merge */
    int *merge;
    double *height;
} forest;

/* R's convention: a feature before a cluster, the lower feature first, the
 * earlier cluster first. */
static void join(forest *f, int a, int b, double height)
{
    int ra = lr_root_of(f->parent, a), rb = lr_root_of(f->parent, b);
    if (ra == rb)
        return;
    int ca = f->cluster[ra], cb = f->cluster[rb];
    int swap = ca < 0 && cb < 0 ? ca < cb : ca > cb;
    f->merge[f->done] = swap ? cb : ca;
    f->merge[f->done + f->p - 1] = swap ? ca : cb;
    f->height[f->done++] = height;
    /* the lower root stays: a component keeps its first feature's number */
    int low = ra < rb ? ra : rb, high = ra < rb ? rb : ra;
    f->parent[high] = low;
    f->cluster[low] = (int)f->done;
}

/* Pairs of neighbours, again and again: depth log2 of the components. */
static void join_components(forest *f, int *root, size_t count, double top)
{
    while (count > 1) {
        size_t kept = 0;
        for (size_t c = 0; c < count; c += 2) {
            if (c + 1 < count)
                join(f, root[c], root[c + 1], top);
            root[kept++] = root[c];
        }
        count = kept;
    }
}

/* Depth first with a stack of its own: trees may be chains of p levels. */
static void leaf_order(const forest *f, int *order, int *stack)
{
    size_t depth = 0, leaf = 0, rows = f->p - 1;
    if (rows == 0) {
        order[0] = 0;
        return;
    }
    stack[depth++] = (int)rows;
    while (depth > 0) {
        int c = stack[--depth];
        if (c < 0) {
            order[leaf++] = -c - 1;
            continue;
        }
        stack[depth++] = f->merge[(size_t)c - 1 + rows];
        stack[depth++] = f->merge[c - 1];
    }
}

size_t lr_forest(size_t p, const lr_edges *edges, const int *original,
                 double top, const lr_tree *tree, int *ints,
                 lr_ranked_edge *ranked)
{
    int *stack = ints + 2 * p;
    forest f = {p, 0, ints, ints + p, tree->merge, tree->height};
    size_t components = 0;
    for (size_t i = 0; i < p; i++) {
        f.parent[i] = (int)i;
        f.cluster[i] = -(int)i - 1;
    }
    for (size_t i = 0; i < p; i++)
        join(&f, original[i], (int)i, 0.0);
    for (size_t e = 0; e < edges->count; e++)
        ranked[e] = (lr_ranked_edge){edges->similarity[e], (int)e};
    ranked = sort_items(ranked, ranked + edges->count, edges->count);
    for (size_t e = 0; e < edges->count && f.done + 1 < p; e++) {
        int at = ranked[e].number;
        join(&f, edges->first[at], edges->second[at],
             top - edges->similarity[at]);
    }
    for (size_t i = 0; i < p; i++)
        if (f.parent[i] == (int)i)
            stack[components++] = (int)i;
    join_components(&f, stack, components, top);
    leaf_order(&f, tree->order, stack);
    return components;
}
