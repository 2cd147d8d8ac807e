/* Lists of the nearest samples. */
#include "search_backends.h"

enum { LIST_BYTES = 64 << 20 }; /* of lists at a time, but for halves */

static void offer_tile(void *lists, const lr_tile *tile, lr_chunk chunk)
{
    lr_lists_offer((lr_lists *)lists, tile, chunk);
}

lr_lists allocate_lists(const pair_walk *walk, const lr_list_rule *rule,
                        size_t k, size_t k_group)
{
    lr_lists l = {.rule = *rule, .k = k, .k_group = k_group,
                  .n_slots = walk->half ? walk->n : walk->n_ends};
    size_t places = l.n_slots * lr_lists_width(&l);
    size_t lists = l.n_slots * rule->n_lists;
    l.rule.block_of = walk->block_of;
    l.distance = new_doubles(places);
    l.row = new_ints(places);
    l.count = new_ints(lists);
    l.limit = new_doubles(lists);
    lr_lists_clear(&l);
    return l;
}

void find_lists(pair_walk *w, lr_lists *lists, int order_only)
{
    if (w->metric == LR_EUCLIDEAN)
        lists->unit = w->rounding;
    w->rounding = 0.0; /* the lists round the few distances that enter */
    if (search_by_bounds(w, lists, order_only) || search_by_points(w, lists))
        return;
    w->use = offer_tile;
    w->context = lists;
    walk_pairs(w, "Neighbours");
}

/* Are the end points all samples that are in a list? Then each pair is computed
 * once for both. */
static int serves_both(const pair_walk *w, const lr_list_rule *rule)
{
    size_t listed = w->n;
    if (rule->links)
        return 0;
    for (size_t i = 0; rule->class_of && i < w->n; i++)
        listed -= rule->class_of[i] < 0;
    for (size_t e = 0; e < w->n_ends; e++)
        if ((rule->class_of && rule->class_of[w->ends[e]] < 0)
            || (e > 0 && w->ends[e - 1] >= w->ends[e]))
            return 0;
    return w->n_ends == listed;
}

/* The lists of one end point, the list's places next to each other. */
static void write_lists(lr_lists *l, size_t slot, const nearest_task *t,
                        size_t at)
{
    size_t width = lr_lists_width(l), n_lists = l->rule.n_lists;
    const int *count = l->count + slot * n_lists;
    lr_lists_sort(l, slot);
    for (size_t i = 0; i < width; i++) {
        size_t list = i < l->k * (n_lists - 1) ? i / l->k : n_lists - 1;
        int there = (int)(i - list * l->k) < count[list];
        t->row[at + i] = there ? l->row[slot * width + i] + 1 : 0;
        if (t->distance)
            t->distance[at + i] =
                there ? l->distance[slot * width + i] : t->none;
    }
}

/* The lists of the end points from number `from` on; returns where to go on.
 * Lists of very many places come some end points at a time. */
static size_t search_some(const pair_walk *all, const nearest_task *t,
                          size_t from)
{
    const void *memory = lr_memory_mark();
    pair_walk w = *all;
    size_t at_once = LIST_BYTES / (12 * (t->width + 1));
    size_t left = w.n_ends - from;
    w.half = serves_both(&w, &t->rule);
    if (!w.half && left > at_once && left > 256)
        left = at_once < 256 ? 256 : at_once;
    w.ends += from;
    w.n_ends = left;
    lr_lists lists = allocate_lists(&w, &t->rule, t->k, t->k_group);
    find_lists(&w, &lists, !t->distance);
    for (size_t e = 0; t->width > 0 && e < left; e++)
        write_lists(&lists, w.half ? (size_t)w.ends[e] : e, t,
                    (from + e) * t->width);
    lr_memory_reset(memory);
    return from + left;
}

void find_nearest(const pair_walk *walk, const nearest_task *task)
{
    for (size_t from = 0; from < walk->n_ends;)
        from = search_some(walk, task, from);
}
