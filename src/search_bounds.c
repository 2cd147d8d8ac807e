/* The candidates of one sample while bounds of distances come in. */
#include "search_bounds.h"

#include <string.h>

#include "search_order.h"

void lr_screen_clear(lr_screen *s)
{
    size_t lists = s->n_ends * s->n_lists;
    memset(s->n_upper, 0, lists * sizeof(int));
    memset(s->count, 0, lists * sizeof(int));
    for (size_t i = 0; i < lists; i++)
        s->limit[i] = s->k > 0 ? INFINITY : -INFINITY;
}

/* Puts a bound into a heap with the largest on top, where it has place. */
static void push_upper(double *heap, int *count, size_t k, double upper)
{
    size_t n = (size_t)*count, at = 0;
    if (n < k) {
        at = n;
        *count = (int)(n + 1);
        for (; at > 0 && heap[(at - 1) / 2] < upper; at = (at - 1) / 2)
            heap[at] = heap[(at - 1) / 2];
    } else if (upper < heap[0]) {
        size_t child;
        for (; (child = 2 * at + 1) < n; at = child) {
            if (child + 1 < n && heap[child + 1] > heap[child])
                child++;
            if (upper >= heap[child])
                break;
            heap[at] = heap[child];
        }
    } else {
        return;
    }
    heap[at] = upper;
}

static void drop(lr_screen *s, size_t at, double limit)
{
    double *low = s->low + at * s->capacity, *high = s->high + at * s->capacity;
    int *row = s->row + at * s->capacity, kept = 0;
    for (int i = 0; i < s->count[at]; i++)
        if (low[i] <= limit) {
            low[kept] = low[i];
            high[kept] = high[i];
            row[kept++] = row[i];
        }
    s->count[at] = kept;
}

static double *limit_of(const lr_screen *s, size_t at)
{
    return s->limit + at % s->n_lists * s->n_ends + at / s->n_lists;
}

static void bound(lr_screen *s, size_t at, double upper)
{
    double *heap = s->upper + at * s->k;
    push_upper(heap, s->n_upper + at, s->k, upper);
    if ((size_t)s->n_upper[at] == s->k)
        *limit_of(s, at) = heap[0];
}

static void give_up(lr_screen *s, size_t at)
{
    s->count[at] = -1;
    *limit_of(s, at) = -INFINITY;
}

static void keep(lr_screen *s, size_t at, double low, double high, int row)
{
    if ((size_t)s->count[at] == s->capacity) {
        drop(s, at, *limit_of(s, at));
        if ((size_t)s->count[at] == s->capacity) {
            give_up(s, at);
            return;
        }
    }
    size_t place = at * s->capacity + (size_t)s->count[at]++;
    s->low[place] = low;
    s->high[place] = high;
    s->row[place] = row;
}

/* A sample that belongs to a list and whose low passes its limit. */
static void offer(lr_screen *s, size_t end, size_t list, double low,
                     double upper, int row)
{
    size_t at = end * s->n_lists + list;
    if (s->count[at] < 0)
        return;
    bound(s, at, upper);
    keep(s, at, low, upper, row);
}

/* The members of the row's own component have lists of their own. */
static void offer_to_component(lr_screen *s, const lr_screen_rule *rule,
                               int row,
                           const double *low, const double *upper)
{
    const double *limit = s->limit + s->n_ends;
    int c = rule->lists.links->component[row];
    for (int i = rule->query_start[c]; i < rule->query_start[c + 1]; i++) {
        int e = rule->query[i];
        if (rule->end[e] != row && low[e] <= limit[e]
            && lr_share_block(&rule->lists, rule->end[e], row))
            offer(s, (size_t)e, 1, low[e], upper[e], row);
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
            offer(s, e, (size_t)list, low[e], upper[e], row);
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
            bound(s, at, other->upper[at * s->k + (size_t)i]);
        for (int i = 0; i < other->count[at] && s->count[at] >= 0; i++) {
            size_t from = at * s->capacity + (size_t)i;
            if (other->low[from] <= *limit_of(s, at))
                keep(s, at, other->low[from], other->high[from],
                     other->row[from]);
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
static void sort_by_low(double *low, double *high, int *row, int count)
{
    for (int i = 1; i < count; i++) {
        double l = low[i], h = high[i];
        int r = row[i], at = i;
        for (; at > 0 && lr_is_nearer(l, r, low[at - 1], row[at - 1]); at--) {
            low[at] = low[at - 1];
            high[at] = high[at - 1];
            row[at] = row[at - 1];
        }
        low[at] = l;
        high[at] = h;
        row[at] = r;
    }
}

size_t lr_screen_order(lr_screen *s, size_t at, int *needs)
{
    double *low = s->low + at * s->capacity, *high = s->high + at * s->capacity;
    int count = s->count[at], first = 0;
    if ((size_t)count > 4 * s->k + 64) {
        for (int i = 0; i < count; i++)
            needs[i] = 1;
        return (size_t)count;
    }
    sort_by_low(low, high, s->row + at * s->capacity, count);
    while (first < count && (size_t)first < s->k) {
        double reach = high[first];
        int last = first + 1;
        for (; last < count && low[last] <= reach; last++)
            reach = fmax(reach, high[last]);
        for (int i = first; i < last; i++)
            needs[i] = last - first > 1;
        first = last;
    }
    return (size_t)first;
}
