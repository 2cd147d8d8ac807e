/* Nearest samples in few dimensions: the same lists as of a walk over all
 * pairs, from leaves of near samples (search_points.h). */
#include <math.h>
#include <stdint.h>

#include "read_walk.h"
#include "search_backends.h"
#include "search_points.h"

enum {
    LEAST = 512,      /* samples for which it pays */
    SOME_BUNDLES = 16 /* more than CHUNK_WORK where a part has this few */
};

/* A bundle: the leaves first .. first + n_leaves - 1, of one block and list.
 * The bundles of the block end before `block_end`. */
typedef struct {
    size_t first, n_leaves, block_end;
} leaf_run;

typedef struct {
    const pair_walk *walk;
    lr_lists *lists;
    size_t n_keys;
    int *start;     /* of each key: see sort_samples() */
    lr_leaves leaves;
    leaf_run *runs;
    size_t n_runs, round;
    size_t n_parts; /* a power of 2 */
    lr_bundle *bundles; /* of each thread */
} point_search;

/* ---- leaves -------------------------------------------------------------- */

/* A number for each block and list, whose samples have leaves of their own;
 * the first of a block is of those that are in no list. */
static size_t key_of(const lr_list_rule *rule, size_t i)
{
    size_t block = rule->block_of ? (size_t)rule->block_of[i] : 0;
    return block * (rule->n_lists + 1)
        + (size_t)(rule->class_of ? rule->class_of[i] + 1 : 1);
}

/* Sorts the samples by their key: those of key k are from start[k] on. */
static void sort_samples(point_search *s, int *sample)
{
    const lr_list_rule *rule = &s->lists->rule;
    size_t n = s->walk->n, keys = rule->n_lists + 1;
    for (size_t i = 0; i < n; i++)
        while (key_of(rule, i) >= s->n_keys)
            s->n_keys += keys;
    s->start = zero_structs(s->n_keys + 2, sizeof(int));
    for (size_t i = 0; i < n; i++)
        s->start[key_of(rule, i) + 2]++;
    for (size_t k = 0; k < s->n_keys; k++)
        s->start[k + 2] += s->start[k + 1];
    for (size_t i = 0; i < n; i++)
        sample[s->start[key_of(rule, i) + 1]++] = (int)i;
}

static void allocate_leaves(point_search *s, size_t count)
{
    size_t p = s->walk->data->p;
    s->leaves.p = p;
    s->leaves.cells = new_doubles(count * p * LR_LEAF);
    s->leaves.low = new_doubles(count * p);
    s->leaves.high = new_doubles(count * p);
    s->leaves.sample = new_ints(count * LR_LEAF);
    s->leaves.count = new_ints(count);
    s->leaves.list = new_ints(count);
    s->leaves.n_leaves = count;
    s->leaves.reach = new_doubles(s->lists->rule.n_lists * count);
    for (size_t i = 0; i < s->lists->rule.n_lists * count; i++)
        s->leaves.reach[i] = INFINITY;
    s->runs = lr_allocate(count, sizeof(leaf_run));
}

/* The leaves and bundles of samples of one block and list; returns the number
 * of the next leaf. */
static size_t make_leaves(point_search *s, const double *u, int *sample,
                          size_t count, int list, size_t leaf)
{
    size_t n = s->walk->n;
    lr_order_points(u, n, s->leaves.p, sample, count);
    for (size_t from = 0; from < count; from += LR_LEAF, leaf++) {
        size_t some = smaller(LR_LEAF, count - from);
        memcpy(s->leaves.sample + leaf * LR_LEAF, sample + from,
               some * sizeof(int));
        s->leaves.count[leaf] = (int)some;
        s->leaves.list[leaf] = list;
        lr_fill_leaf(&s->leaves, leaf, u, n);
        if (from % LR_BUNDLE == 0)
            s->runs[s->n_runs++] = (leaf_run){leaf, 0, 0};
        s->runs[s->n_runs - 1].n_leaves++;
    }
    return leaf;
}

static void fill_leaves(point_search *s, const double *u, int *sample)
{
    size_t leaf = 0, run = 0, lists = s->lists->rule.n_lists;
    for (size_t key = 0; key < s->n_keys; key++) {
        size_t from = (size_t)s->start[key], to = (size_t)s->start[key + 1];
        size_t list = key % (lists + 1);
        if (list > 0)
            leaf = make_leaves(s, u, sample + from, to - from, (int)list - 1,
                               leaf);
        for (; list == lists && run < s->n_runs; run++)
            s->runs[run].block_end = s->n_runs;
        lr_check_interrupt();
    }
}

/* ---- the search ---------------------------------------------------------- */

static void allocate_bundles(point_search *s)
{
    size_t threads = (size_t)s->walk->data->control.threads, line = 64;
    uintptr_t memory = (uintptr_t)lr_allocate(threads + 1, sizeof(lr_bundle));
    s->bundles = (lr_bundle *)((memory + line - 1) / line * line);
}

/* The bundles of part i meet those of part j, of the same part each other. */
static void meet_parts(const point_search *s, size_t i, size_t j)
{
    lr_bundle *b = s->bundles + lr_own_thread();
    lr_level level = s->walk->data->control.level;
    for (size_t a = s->n_runs * i / s->n_parts;
         a < s->n_runs * (i + 1) / s->n_parts; a++) {
        size_t from = i == j ? a : s->n_runs * j / s->n_parts;
        size_t to = smaller(s->n_runs * (j + 1) / s->n_parts,
                            s->runs[a].block_end);
        if (from >= to)
            continue;
        size_t last = s->runs[to - 1].first + s->runs[to - 1].n_leaves;
        b->first = s->runs[a].first;
        b->n_leaves = s->runs[a].n_leaves;
        lr_begin_bundle(b, &s->leaves);
        for (size_t leaf = s->runs[from].first; leaf < last; leaf++)
            lr_meet_leaf(b, &s->leaves, leaf, s->lists, level);
    }
}

/* Part i meets part i XOR round: itself in round 0, its neighbours in the order
 * of the leaves next, and each other one once. */
static void meet_in_round(void *context, size_t i)
{
    const point_search *s = context;
    size_t j = i ^ s->round;
    if (i <= j)
        meet_parts(s, i, j);
}

static void search_rounds(point_search *s)
{
    pair_walk w = *s->walk;
    double n = (double)w.n_ends;
    double work = n * n / 2.0 * (4.0 + (double)s->leaves.p) / 8.0;
    int team = team_size(&w.data->control, work);
    /* of some bundles each, as each is made anew for each part that it meets */
    size_t most = 4 * (size_t)team
        + 2 * smaller((size_t)(work / (2.0 * CHUNK_WORK * (double)team)),
                      s->n_runs / (2 * SOME_BUNDLES));
    for (s->n_parts = 4; 2 * s->n_parts <= most;)
        s->n_parts *= 2;
    w.line = progress_begin("Neighbours", "samples", n,
                            w.data->control.progress);
    for (s->round = 0; s->round < s->n_parts; s->round++) {
        lr_run_items(team, s->n_parts, meet_in_round, s);
        progress_tick(&w.line,
                      n * (double)(s->round + 1) / (double)s->n_parts);
    }
    progress_end(&w.line);
}

/* Do squares of differences neither vanish nor overflow in floats? */
static int fits_floats(const double *u, size_t n, size_t p, double *extent)
{
    *extent = 0.0;
    for (size_t j = 0; j < p; j++) {
        double low = u[j * n], high = low;
        for (size_t i = 1; i < n; i++) {
            low = fmin(low, u[j * n + i]);
            high = fmax(high, u[j * n + i]);
        }
        *extent = fmax(*extent, high - low);
    }
    return *extent > 1e-12 && *extent < 1e15;
}

/* Is each sample that is in a list a query point, in Euclidean distances of
 * plain cells, and are few neighbours wanted? */
static int is_suited(const pair_walk *w, const lr_lists *lists)
{
    const feature_data *data = w->data;
    if (!w->half || w->n_ends < LEAST || !lr_is_squared(w->metric)
        || data->p > LR_POINTS || w->response || w->roots || w->collect
        || lists->k == 0 || lists->rule.links
        || 64 * lists->k * lists->rule.n_lists > w->n)
        return 0;
    for (size_t j = 0; j < data->p; j++)
        if (!lr_is_constant(&data->scaling, j)
            && !lr_is_plain(&data->scaling, j))
            return 0;
    return 1;
}

int search_by_points(pair_walk *walk, lr_lists *lists)
{
    size_t n = walk->n, p = walk->data->p, leaves = 0;
    if (!is_suited(walk, lists))
        return 0;
    const void *all = lr_memory_mark();
    point_search s = {.walk = walk, .lists = lists};
    int *sample = new_ints(n);
    sort_samples(&s, sample);
    for (size_t key = 0; key < s.n_keys; key++)
        leaves += (size_t)(s.start[key + 1] - s.start[key] + LR_LEAF - 1)
            / LR_LEAF;
    allocate_leaves(&s, leaves);
    const void *memory = lr_memory_mark();
    double *u = new_doubles(n * p);
    copy_features(walk->data, NULL, p, 1, u);
    if (!fits_floats(u, n, p, &s.leaves.extent)) {
        lr_memory_reset(all);
        return 0;
    }
    fill_leaves(&s, u, sample);
    lr_memory_reset(memory);
    allocate_bundles(&s);
    search_rounds(&s);
    lr_memory_reset(all);
    return 1;
}
