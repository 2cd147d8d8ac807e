/* Nearest samples without all distances: bounds leave a few candidates of each
 * end point, whose distances are computed exactly. Same lists as a walk over
 * all pairs. */
#include <stdlib.h>

#include "search_backends.h"

enum {
    PASS_BYTES = 32 << 20,   /* candidates of a pass */
    SPARE = 384, /* candidates beyond the first ones, of each list */
    CANDIDATE_BYTES = 2 * sizeof(double) + sizeof(int)
};

typedef struct {
    pair_walk *walk;
    lr_lists *lists;
    int order_only;
    sparse_bounds *bounds;
    lr_screen_rule rule;
    lr_screen *screens; /* one for each chunk of the rows */
    int chunks;
    size_t components;
    int *query_start, *query; /* with links: the end points by component */
    int *given_up; /* end points of which all distances are computed */
    size_t n_given_up;
} screen_run;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* ---- memory -------------------------------------------------------------- */

static size_t least_capacity(const lr_lists *s)
{
    return 4 * s->k + 64;
}

static void allocate_screens(screen_run *r, size_t ends)
{
    const lr_lists *s = r->lists;
    size_t lists = ends * s->rule.n_lists;
    size_t fits = PASS_BYTES / (CANDIDATE_BYTES * lists * (size_t)r->chunks);
    size_t capacity = smaller(least_capacity(s) + SPARE,
                          larger(fits, least_capacity(s)));
    capacity = smaller(capacity, r->walk->n);
    r->screens = lr_allocate((size_t)r->chunks, sizeof(lr_screen));
    for (int t = 0; t < r->chunks; t++)
        r->screens[t] = (lr_screen){
            .n_ends = ends, .n_lists = s->rule.n_lists, .k = s->k,
            .capacity = capacity, .upper = new_doubles(lists * s->k),
            .n_upper = new_ints(lists), .low = new_doubles(lists * capacity),
            .high = new_doubles(lists * capacity),
            .row = new_ints(lists * capacity), .count = new_ints(lists),
            .limit = new_doubles(lists)};
}

/* ---- one pass ------------------------------------------------------------ */

/* The end points of the pass by component. */
static void group_ends(screen_run *r, const int *ends, size_t n_ends)
{
    r->rule.end = ends;
    if (!r->lists->rule.links)
        return;
    const int *component = r->lists->rule.links->component;
    int *start = r->query_start;
    memset(start, 0, (r->components + 2) * sizeof(int));
    for (size_t e = 0; e < n_ends; e++)
        start[component[ends[e]] + 2]++;
    for (size_t c = 0; c < r->components; c++)
        start[c + 2] += start[c + 1];
    for (size_t e = 0; e < n_ends; e++)
        r->query[start[component[ends[e]] + 1]++] = (int)e;
    r->rule.query_start = start;
    r->rule.query = r->query;
}

/* A chunk of the rows from .. to - 1. */
typedef struct {
    screen_run *run;
    size_t from, to;
} bound_task;

static void bound_chunk(void *context, size_t chunk)
{
    const bound_task *t = context;
    screen_run *r = t->run;
    size_t rows = t->to - t->from, chunks = (size_t)r->chunks;
    offer_bounds(r->bounds, t->from + rows * chunk / chunks,
                 t->from + rows * (chunk + 1) / chunks, &r->rule,
                 r->screens + chunk, chunk);
}

static void bound_pass(screen_run *r, size_t slot, size_t n_ends)
{
    pair_walk *w = r->walk;
    double row_work = (double)n_ends * r->bounds->work;
    size_t chunk = larger((size_t)(CHUNK_WORK / row_work), 64);
    chunk *= (size_t)r->chunks;
    int team = team_size(&w->data->control, row_work * (double)w->n);
    for (int s = 0; s < r->chunks; s++) {
        r->screens[s].n_ends = n_ends;
        lr_screen_clear(r->screens + s);
    }
    for (size_t row = 0; row < w->n; row += chunk) {
        size_t to = smaller(row + chunk, w->n);
        bound_task t = {r, row, to};
        lr_run_items(team, (size_t)r->chunks, bound_chunk, &t);
        progress_tick(&w->line, (double)slot + (double)n_ends * (double)to
                                                   / (double)w->n);
    }
    for (int s = 1; s < r->chunks; s++)
        lr_screen_merge(r->screens, r->screens + s);
    lr_screen_finish(r->screens);
}

static int has_given_up(const lr_screen *s, size_t e)
{
    for (size_t l = 0; l < s->n_lists; l++)
        if (s->count[e * s->n_lists + l] < 0)
            return 1;
    return 0;
}

static int by_row(const void *a, const void *b)
{
    const lr_candidate *x = (const lr_candidate *)a;
    const lr_candidate *y = (const lr_candidate *)b;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row)
                            : (x->end > y->end) - (x->end < y->end);
}

/* Candidates of all end points that have not given up; counts when `pairs` is
 * NULL. */
static size_t list_candidates(const lr_screen *s, lr_candidate *pairs)
{
    size_t count = 0;
    for (size_t e = 0; e < s->n_ends; e++) {
        if (has_given_up(s, e))
            continue;
        for (size_t l = 0; l < s->n_lists; l++) {
            size_t at = e * s->n_lists + l;
            for (int i = 0; i < s->count[at]; i++, count++)
                if (pairs) {
                    pairs[count].end = (int)e;
                    pairs[count].row = s->row[at * s->capacity + (size_t)i];
                }
        }
    }
    return count;
}

static void put(const screen_run *r, size_t number, double distance, int row)
{
    const pair_walk *w = r->walk;
    int end = w->ends[number];
    int list = lr_list_of(&r->lists->rule, end, row);
    lr_lists_put(r->lists, w->half ? (size_t)end : number, (size_t)list,
                 distance, row);
}

/* Offers the candidates whose place is known from their bounds and leaves the
 * others of a list. */
static void settle_order(screen_run *r, size_t slot, size_t at, int *needs)
{
    lr_screen *s = r->screens;
    const double *low = s->low + at * s->capacity;
    int *row = s->row + at * s->capacity, left = 0;
    size_t count = lr_screen_order(s, at, needs);
    for (size_t i = 0; i < count; i++) {
        if (needs[i])
            row[left++] = row[i];
        else
            put(r, slot + at / s->n_lists, low[i], row[i]);
    }
    s->count[at] = left;
}

static void finish_pass(screen_run *r, size_t slot)
{
    const pair_walk *w = r->walk;
    const lr_screen *s = r->screens;
    int *needs = new_ints(s->capacity);
    for (size_t at = 0; r->order_only && at < s->n_ends * s->n_lists; at++)
        if (!has_given_up(s, at / s->n_lists))
            settle_order(r, slot, at, needs);
    size_t count = list_candidates(s, NULL);
    lr_candidate *pairs = lr_allocate(count + 1, sizeof(lr_candidate));
    list_candidates(s, pairs);
    qsort(pairs, count, sizeof(lr_candidate), by_row);
    measure_pairs(r->bounds, pairs, count, w->data->control.threads);
    for (size_t i = 0; i < count; i++)
        put(r, slot + (size_t)pairs[i].end, pairs[i].distance, pairs[i].row);
    for (size_t e = 0; e < s->n_ends; e++)
        if (has_given_up(s, e))
            r->given_up[r->n_given_up++] = (int)(slot + e);
}

/* ---- the search ---------------------------------------------------------- */

int search_by_bounds(pair_walk *walk, lr_lists *lists, int order_only,
                     left_ends *left)
{
    /* where a quarter of the samples are wanted, all distances are as cheap;
     * and outputs, or distances used for more than lists, have no bounds */
    if (lists->k == 0 || lists->k > walk->n / 4 || lists->unit > 0.0
        || walk->response || walk->roots || walk->collect)
        return 0;
    sparse_bounds *bounds = open_bounds(walk);
    if (!bounds)
        return 0;
    screen_run r = {
        .walk = walk, .lists = lists, .order_only = order_only,
        .bounds = bounds, .rule = {.lists = lists->rule},
        .chunks = team_size(&walk->data->control, bounds->work * (double)walk->n
                                                * (double)walk->n_ends)};
    size_t list =
        lists->k * sizeof(double) + least_capacity(lists) * CANDIDATE_BYTES;
    size_t fit = PASS_BYTES / (list * lists->rule.n_lists * (size_t)r.chunks);
    size_t per_pass = smaller(smaller(larger(fit, 16), bounds->most_ends),
                              walk->n_ends);
    const lr_links *links = lists->rule.links;
    allocate_screens(&r, per_pass);
    for (size_t i = 0; links && i < walk->n; i++)
        r.components = larger(r.components, (size_t)links->component[i] + 1);
    r.query_start = new_ints(r.components + 2);
    r.query = new_ints(per_pass);
    r.given_up = new_ints(walk->n_ends);
    walk->line = progress_begin("Neighbours", "samples", (double)walk->n_ends,
                                walk->data->control.progress);
    for (size_t slot = 0; slot < walk->n_ends; slot += per_pass) {
        size_t n_ends = smaller(per_pass, walk->n_ends - slot);
        const void *memory = lr_memory_mark();
        group_ends(&r, walk->ends + slot, n_ends);
        begin_bounds(bounds, walk->ends + slot, n_ends, r.chunks);
        bound_pass(&r, slot, n_ends);
        finish_pass(&r, slot);
        lr_memory_reset(memory);
    }
    progress_end(&walk->line);
    *left = (left_ends){r.n_given_up, r.given_up};
    return 1;
}
