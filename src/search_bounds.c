/* The candidates of one sample while bounds of distances come in. */
#include "search_bounds.h"

#include <string.h>

void lr_screen_clear(lr_screen *s)
{
    size_t lists = s->n_ends * s->n_lists;
    memset(s->n_upper, 0, lists * sizeof(int));
    memset(s->count, 0, lists * sizeof(int));
    for (size_t i = 0; i < lists; i++)
        s->limit[i] = s->k > 0 ? INFINITY : -INFINITY;
}

static void drop(lr_screen *s, size_t at, double limit)
{
    lr_bounded *all = s->kept + at * s->capacity;
    int kept = 0;
    for (int i = 0; i < s->count[at]; i++)
        if (all[i].low <= limit)
            all[kept++] = all[i];
    s->count[at] = kept;
}

static double *limit_of(const lr_screen *s, size_t at)
{
    return s->limit + at % s->n_lists * s->n_ends + at / s->n_lists;
}

static void bound(lr_screen *s, size_t at, double upper, int row)
{
    lr_nearest nearest = {s->upper + at * s->k, s->upper_row + at * s->k, s->k,
                          (size_t)s->n_upper[at]};
    lr_nearest_offer(&nearest, upper, row);
    s->n_upper[at] = (int)nearest.count;
    if (nearest.count == s->k)
        *limit_of(s, at) = nearest.distance[0];
}

static void give_up(lr_screen *s, size_t at)
{
    s->count[at] = -1;
    *limit_of(s, at) = -INFINITY;
}

static void keep(lr_screen *s, size_t at, lr_bounded sample)
{
    if ((size_t)s->count[at] == s->capacity) {
        drop(s, at, *limit_of(s, at));
        if ((size_t)s->count[at] == s->capacity) {
            give_up(s, at);
            return;
        }
    }
    s->kept[at * s->capacity + (size_t)s->count[at]++] = sample;
}

/* A sample that belongs to a list and whose low passes its limit. */
static void offer(lr_screen *s, size_t end, size_t list, lr_bounded sample)
{
    size_t at = end * s->n_lists + list;
    if (s->count[at] < 0)
        return;
    bound(s, at, sample.high, sample.row);
    keep(s, at, sample);
}

/* The members of the row's own component have lists of their own. */
static void offer_to_component(lr_screen *s, const lr_screen_rule *rule,
                               int row, const double *low,
                               const double *upper)
{
    const double *limit = s->limit + s->n_ends;
    int c = rule->lists.links->component[row];
    for (int i = rule->query_start[c]; i < rule->query_start[c + 1]; i++) {
        int e = rule->query[i];
        if (rule->end[e] != row && low[e] <= limit[e]
            && lr_share_block(&rule->lists, rule->end[e], row))
            offer(s, (size_t)e, 1, (lr_bounded){low[e], upper[e], row});
    }
}

void lr_screen_row(lr_screen *s, const lr_screen_rule *rule, int row,
                   const double *low, const double *upper)
{
    const lr_list_rule *lists = &rule->lists;
    int list = lists->class_of ? lists->class_of[row] : 0;
    if (list < 0)
        return;
    const double *limit = s->limit + (size_t)list * s->n_ends;
    for (size_t e = 0; e < s->n_ends; e++)
        if (low[e] <= limit[e] && lr_list_of(lists, rule->end[e], row) == list)
            offer(s, e, (size_t)list, (lr_bounded){low[e], upper[e], row});
    if (lists->links)
        offer_to_component(s, rule, row, low, upper);
}

void lr_screen_merge(lr_screen *s, const lr_screen *other)
{
    for (size_t at = 0; at < s->n_ends * s->n_lists; at++) {
        if (s->count[at] < 0)
            continue;
        if (other->count[at] < 0) {
            give_up(s, at);
            continue;
        }
        for (int i = 0; i < other->n_upper[at]; i++)
            bound(s, at, other->upper[at * s->k + (size_t)i],
                  other->upper_row[at * s->k + (size_t)i]);
        for (int i = 0; i < other->count[at] && s->count[at] >= 0; i++) {
            lr_bounded sample = other->kept[at * s->capacity + (size_t)i];
            if (sample.low <= *limit_of(s, at))
                keep(s, at, sample);
        }
    }
}

void lr_screen_finish(lr_screen *s)
{
    for (size_t at = 0; at < s->n_ends * s->n_lists; at++)
        if (s->count[at] >= 0)
            drop(s, at, *limit_of(s, at));
}

/* By low, then row. Few are out of place: rows come in any order. */
static void sort_by_low(lr_bounded *all, int count)
{
    for (int i = 1; i < count; i++) {
        lr_bounded moved = all[i];
        int at = i;
        for (; at > 0 && lr_is_nearer(moved.low, moved.row, all[at - 1].low,
                                      all[at - 1].row); at--)
            all[at] = all[at - 1];
        all[at] = moved;
    }
}

size_t lr_screen_order(lr_screen *s, size_t at, int *needs)
{
    lr_bounded *all = s->kept + at * s->capacity;
    int count = s->count[at], first = 0;
    if ((size_t)count > 4 * s->k + 64) {
        for (int i = 0; i < count; i++)
            needs[i] = 1;
        return (size_t)count;
    }
    sort_by_low(all, count);
    while (first < count && (size_t)first < s->k) {
        double reach = all[first].high;
        int last = first + 1;
        for (; last < count && all[last].low <= reach; last++)
            reach = fmax(reach, all[last].high);
        for (int i = first; i < last; i++)
            needs[i] = last - first > 1;
        first = last;
    }
    return (size_t)first;
}
