#include <string.h>

#include "hits.h"
#include "r_screen.h"

/* Nearest samples of the end points of a pass, sorted into two lists each. */
typedef struct {
    const pair_walk *walk;
    const lr_links *links;
    lr_nearest *others, *group;   /* of each end point of the pass */
    int *found_others, *found_group; /* k rows from 1 of each, 0: no more */
} two_lists;

static lr_nearest *allocate_heaps(size_t count, size_t capacity)
{
    lr_nearest *lists = (lr_nearest *)R_alloc(count, sizeof(lr_nearest));
    double *distance = (double *)R_alloc(count * capacity + 1, sizeof(double));
    int *row = (int *)R_alloc(count * capacity + 1, sizeof(int));
    for (size_t e = 0; e < count; e++) {
        lists[e].distance = distance + e * capacity;
        lists[e].row = row + e * capacity;
        lists[e].capacity = capacity;
        lists[e].count = 0;
    }
    return lists;
}

/* Leaves the list empty for the next pass. */
static void write_list(lr_nearest *list, int *out)
{
    lr_nearest_sort(list);
    for (size_t j = 0; j < list->capacity; j++)
        out[j] = j < list->count ? list->row[j] + 1 : 0;
    list->count = 0;
}

static void offer_linked(void *context, const lr_tile *tile, lr_chunk chunk)
{
    two_lists *l = (two_lists *)context;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        lr_nearest *others = l->others + e, *group = l->group + e;
        size_t slot = tile->first_slot + e;
        lr_offer_linked(tile->ends[e], tile->distance + e * tile->ld,
                        tile->first_row, tile->n_rows, l->links, others,
                        group);
        if (is_last_tile(l->walk, tile)) {
            write_list(others, l->found_others + slot * others->capacity);
            write_list(group, l->found_group + slot * group->capacity);
        }
    }
}

static void write_found(const lr_lists *found, size_t slot, size_t list,
                        size_t k, int *out)
{
    size_t at = slot * found->n_lists + list;
    for (size_t j = 0; j < k; j++)
        out[slot * k + j] = (int)j < found->count[at]
            ? found->row[at * found->k + j] + 1 : 0;
}

/* The same from few of the distances, where bounds leave out the others. */
static int screen_linked(pair_walk *w, SEXP data, SEXP scaling,
                         const two_lists *l, size_t others, size_t group)
{
    lr_lists found = allocate_lists(l->links ? 2 : 1, NULL, w->n_ends,
                                    others > group ? others : group);
    if (!screen_lists(w, data, scaling, l->links, &found, 1))
        return 0;
    for (size_t slot = 0; slot < w->n_ends; slot++) {
        lr_lists_sort(&found, slot);
        write_found(&found, slot, 0, others, l->found_others);
        write_found(&found, slot, 1, group, l->found_group);
    }
    return 1;
}

/* list(others, group): the nearest samples of each end point, k rows each, as
 * lr_offer_linked() sorts them into the two. buffer: list(others, group). */
SEXP r_neighbour_lists(SEXP data, SEXP scaling, SEXP ends, SEXP buffer,
                       SEXP links, SEXP metric, SEXP control)
{
    pair_walk w = open_pairs(data, scaling, ends, metric, control); /* one */
    lr_links storage;
    two_lists l;
    l.walk = &w;
    l.links = read_links(links, &storage);
    int others = list_int(buffer, "others");
    int group = l.links ? list_int(buffer, "group") : 0;
    const char *names[] = {"others", "group", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_allocMatrix(INTSXP, others, (int)w.n_ends));
    SET_VECTOR_ELT(out, 1, Rf_allocMatrix(INTSXP, group, (int)w.n_ends));
    l.found_others = INTEGER(VECTOR_ELT(out, 0));
    l.found_group = INTEGER(VECTOR_ELT(out, 1));
    if (!screen_linked(&w, data, scaling, &l, (size_t)others, (size_t)group)) {
        w.use = offer_linked;
        w.context = &l;
        plan_pairs(&w);
        l.others = allocate_heaps(w.per_pass, (size_t)others);
        l.group = allocate_heaps(w.per_pass, (size_t)group);
        walk_pairs(&w, "Neighbours");
    }
    UNPROTECT(2);
    return out;
}

/* ---- all distances of some samples --------------------------------------- */

static void copy_tile(void *context, const lr_tile *tile, lr_chunk chunk)
{
    double *out = (double *)context;
    for (size_t e = 0; e < tile->n_ends; e++)
        if (lr_is_own_end(tile, e, chunk))
            memcpy(out + (tile->first_slot + e) * tile->n_rows,
                   tile->distance + e * tile->ld,
                   tile->n_rows * sizeof(double));
}

/* Distances (squared when Euclidean) of some samples to all: n x ends. */
SEXP r_sample_distances(SEXP data, SEXP scaling, SEXP ends, SEXP metric,
                        SEXP control)
{
    pair_walk w = open_pairs(data, scaling, ends, metric, control); /* one */
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)w.n, (int)w.n_ends));
    w.whole_rows = 1;
    w.use = copy_tile;
    w.context = REAL(out);
    plan_pairs(&w);
    walk_pairs(&w, "Distances");
    UNPROTECT(2);
    return out;
}
