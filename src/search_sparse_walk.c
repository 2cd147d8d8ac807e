/* Nearest samples of sparse data, read as they are, without all distances:
 * bounds leave a few candidates of each end point, whose distances are computed
 * exactly. Same lists as a walk over all pairs. */
#include <math.h>
#include <stdlib.h>

#include "search_backends.h"
#include "search_sparse.h"

enum {
    PASS_BYTES = 32 << 20, /* candidates of a pass */
    SPARE = 384, /* candidates beyond the first ones, of each list */
    /* exact distances need samples one by one: so many cells at a time */
    CELLS_AT_ONCE = 4000000,
    TRANSPOSED_AT_ONCE = 1 << 18
};

/* Samples whose sums one chunk holds, and their cells feature by feature where
 * the data have them sample by sample. */
typedef struct {
    int *cursor;
    lr_sparse_tile tile;
    int *start, *row, *next;
    double *value;
    float *common;
    double *own, *bounds;
} sparse_sums;

typedef struct {
    pair_walk *walk;
    lr_lists *lists;
    left_ends *left;
    lr_sparse_cells cells;
    size_t most_ends; /* of a pass */
    double work;      /* elementary operations for a pair */
    double largest;   /* |w| */
    size_t n_cells, cells_in_row;
    size_t capacity; /* cells that are transposed at a time */
    int *place;      /* per sample, -1 between uses */
    size_t components;
    int *query_start, *query; /* with links: the end points by component */
    int chunks;               /* of the rows, with a screen each, */
    lr_screen *screens;
    sparse_sums *sums;        /*   and sums */
    lr_screen_rule rule;      /* of the pass: */
    lr_sparse_panel panel;
    lr_sparse_rows ends;
    size_t from, to; /* rows between two checks for an interrupt */
} sparse_search;

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* ---- which data ---------------------------------------------------------- */

/* The cells as they are stored. FALSE: the data are not sparse. */
static int read_cells(sparse_search *s)
{
    const feature_data *data = s->walk->data;
    if (data->layout == LAYOUT_BY_SAMPLE)
        s->cells.samples = &data->samples;
    else if (!stored_cells(data, &s->cells.tile))
        return 0;
    s->cells.p = data->p;
    s->n_cells = (size_t)(s->cells.samples ? data->samples.start[data->n]
                                           : s->cells.tile.start[data->p]);
    s->cells_in_row = s->n_cells / data->n;
    s->capacity = larger(smaller(s->n_cells, TRANSPOSED_AT_ONCE),
                         data->p); /* a sample */
    return 1;
}

/* zero of each feature and the largest |w| that its range allows; FALSE when a
 * feature is neither plain nor constant. */
static int check_features(sparse_search *s, double *zero)
{
    const feature_data *data = s->walk->data;
    for (size_t j = 0; j < data->p; j++) {
        zero[j] = 0.0;
        if (lr_is_constant(&data->scaling, j))
            continue;
        if (!lr_is_plain(&data->scaling, j))
            return 0;
        double low = data->minimum[j], high = data->maximum[j];
        lr_shift shift = lr_shift_of(&data->scaling, j, low, high);
        zero[j] = shift.zero;
        s->largest = fmax(s->largest, fmax(fabs(lr_shifted(&shift, low)),
                                           fabs(lr_shifted(&shift, high))));
    }
    return 1;
}

/* FALSE when these data have no useful bounds. */
static int open_cells(sparse_search *s)
{
    const feature_data *data = s->walk->data;
    if (!read_cells(s))
        return 0;
    double *zero = new_doubles(data->p);
    s->cells.center = data->scaling.center;
    s->cells.divisor = data->scaling.divisor;
    s->cells.zero = zero;
    /* where more than three cells in ten are stored, all distances are
     * faster */
    if ((double)s->n_cells >= 0.3 * (double)data->n * (double)data->p
        || !check_features(s, zero)
        || !lr_sparse_bounded(data->p, s->largest, s->walk->metric))
        return 0;
    s->place = new_ints(data->n);
    for (size_t i = 0; i < data->n; i++)
        s->place[i] = -1;
    double ends = (64 << 20) / (2.0 * sizeof(float) * (double)data->p);
    s->most_ends = ends > 512 ? 512 : ends < 64 ? 64 : (size_t)ends;
    s->work = 0.2 * (double)s->cells_in_row + 5.0;
    return 1;
}

/* ---- the candidates of all passes ---------------------------------------- */

static size_t least_capacity(const lr_lists *lists)
{
    return 4 * lists->k + 64;
}

static void allocate_screens(sparse_search *s, size_t ends)
{
    size_t k = s->lists->k, n_lists = s->lists->rule.n_lists;
    size_t lists = ends * n_lists, least = least_capacity(s->lists);
    size_t fits =
        PASS_BYTES / (sizeof(lr_bounded) * lists * (size_t)s->chunks);
    size_t capacity = smaller(smaller(least + SPARE, larger(fits, least)),
                              s->walk->n);
    s->screens = lr_allocate((size_t)s->chunks, sizeof(lr_screen));
    for (int t = 0; t < s->chunks; t++)
        s->screens[t] = (lr_screen){
            .n_ends = ends, .n_lists = n_lists, .k = k, .capacity = capacity,
            .upper = new_doubles(lists * k), .upper_row = new_ints(lists * k),
            .n_upper = new_ints(lists),
            .kept = lr_allocate(lists * capacity, sizeof(lr_bounded)),
            .count = new_ints(lists), .limit = new_doubles(lists)};
}

static void allocate_queries(sparse_search *s, size_t ends)
{
    const lr_links *links = s->lists->rule.links;
    for (size_t i = 0; links && i < s->walk->n; i++)
        s->components =
            larger(s->components, (size_t)links->component[i] + 1);
    s->query_start = new_ints(s->components + 2);
    s->query = new_ints(ends);
}

/* ---- a pass -------------------------------------------------------------- */

/* The end points of the pass by component. */
static void group_ends(sparse_search *s, const int *ends, size_t n_ends)
{
    s->rule.end = ends;
    if (!s->lists->rule.links)
        return;
    const int *component = s->lists->rule.links->component;
    int *start = s->query_start;
    memset(start, 0, (s->components + 2) * sizeof(int));
    for (size_t e = 0; e < n_ends; e++)
        start[component[ends[e]] + 2]++;
    for (size_t c = 0; c < s->components; c++)
        start[c + 2] += start[c + 1];
    for (size_t e = 0; e < n_ends; e++)
        s->query[start[component[ends[e]] + 1]++] = (int)e;
    s->rule.query_start = start;
    s->rule.query = s->query;
}

/* The cells of some samples, numbered in `place`. */
static lr_sparse_rows take_rows(const sparse_search *s, size_t count)
{
    lr_sparse_rows r = {new_sizes(count + 1), NULL, NULL};
    size_t *next = new_sizes(count + 1);
    lr_count_cells(&s->cells, s->place, count, &r);
    r.feature = new_ints(r.start[count] + 1);
    r.u = new_doubles(r.start[count] + 1);
    lr_extract_cells(&s->cells, s->place, count, &r, next);
    return r;
}

static void make_panel(sparse_search *s, size_t n_ends)
{
    lr_sparse_panel *panel = &s->panel;
    size_t p = s->cells.p, cells = s->ends.start[n_ends];
    size_t *next = new_sizes(2 * p);
    panel->metric = s->walk->metric;
    panel->n_ends = n_ends;
    panel->ld =
        (n_ends + LR_SPARSE_UNIT - 1) / LR_SPARSE_UNIT * LR_SPARSE_UNIT;
    panel->p = p;
    panel->full = new_ints(p);
    lr_panel_plan(panel, &s->ends, s->cells.zero, (int *)next);
    panel->start = new_sizes(p + 1);
    panel->middle = new_sizes(p + 1);
    panel->end = new_ints(cells + 1);
    panel->size = lr_allocate(cells + 1, sizeof(float));
    size_t full = panel->n_full * panel->ld + 1;
    panel->positive = lr_allocate(full, sizeof(float));
    panel->negative = lr_allocate(full, sizeof(float));
    panel->sum = new_doubles(n_ends);
    panel->root = new_doubles(n_ends);
    panel->slack = new_doubles(n_ends);
    lr_panel_fill(panel, &s->ends, s->cells.zero, s->largest, next);
}

static void allocate_sums(const sparse_search *s, sparse_sums *sums)
{
    size_t rows = smaller(LR_SPARSE_ROWS, s->walk->n), p = s->cells.p;
    sums->cursor = new_ints(p + rows);
    sums->common = lr_allocate(rows * s->panel.ld, sizeof(float));
    sums->own = new_doubles(rows);
    sums->bounds = new_doubles(2 * s->panel.n_ends);
    if (!s->cells.samples) {
        sums->tile = s->cells.tile;
        memcpy(sums->cursor, sums->tile.start, p * sizeof(int));
        return;
    }
    sums->start = new_ints(p + 1);
    sums->next = new_ints(p + 1);
    sums->row = new_ints(s->capacity);
    sums->value = new_doubles(s->capacity);
}

static void begin_pass(sparse_search *s, const int *ends, size_t n_ends)
{
    group_ends(s, ends, n_ends);
    for (size_t e = 0; e < n_ends; e++)
        s->place[ends[e]] = (int)e;
    s->ends = take_rows(s, n_ends);
    for (size_t e = 0; e < n_ends; e++)
        s->place[ends[e]] = -1;
    make_panel(s, n_ends);
    s->sums = lr_allocate((size_t)s->chunks, sizeof(sparse_sums));
    for (int t = 0; t < s->chunks; t++) {
        allocate_sums(s, s->sums + t);
        s->screens[t].n_ends = n_ends;
        lr_screen_clear(s->screens + t);
    }
}

/* ---- bounds -------------------------------------------------------------- */

/* The end of the samples from `row` on whose sums are taken next. */
static size_t next_rows(const sparse_search *s, size_t row, size_t to)
{
    const lr_sample_cells *c = s->cells.samples;
    size_t last = smaller(to, row + LR_SPARSE_ROWS);
    while (c && last > row + 1
           && (size_t)(c->start[last] - c->start[row]) > s->capacity)
        last--;
    return last;
}

/* Offers a chunk of the rows; those of a chunk ascend in a pass. */
static void bound_chunk(void *context, size_t chunk)
{
    const sparse_search *s = context;
    sparse_sums *sums = s->sums + chunk;
    size_t p = s->cells.p, rows = s->to - s->from, chunks = (size_t)s->chunks;
    size_t to = s->from + rows * (chunk + 1) / chunks;
    for (size_t row = s->from + rows * chunk / chunks, last; row < to;
         row = last) {
        last = next_rows(s, row, to);
        if (s->cells.samples) {
            lr_transpose_cells(s->cells.samples, row, last, sums->start,
                               sums->row, sums->value, sums->next,
                               sums->cursor + p);
            memcpy(sums->cursor, sums->start, p * sizeof(int));
            sums->tile = (lr_sparse_tile){row, last - row, sums->start,
                                          sums->row, sums->value};
        }
        lr_sparse_cells cells = s->cells;
        cells.tile = sums->tile;
        lr_panel_sums(&s->panel, &cells, row, last, sums->cursor, sums->common,
                      sums->own);
        lr_panel_offer(&s->panel, &s->rule, row, last, sums->common, sums->own,
                       sums->bounds, s->screens + chunk);
    }
}

static void bound_pass(sparse_search *s, size_t slot, size_t n_ends)
{
    pair_walk *w = s->walk;
    double row_work = (double)n_ends * s->work;
    size_t rows = larger((size_t)(CHUNK_WORK / row_work), 64);
    rows *= (size_t)s->chunks;
    int team = team_size(&w->data->control, row_work * (double)w->n);
    for (s->from = 0; s->from < w->n; s->from = s->to) {
        s->to = smaller(s->from + rows, w->n);
        lr_run_items(team, (size_t)s->chunks, bound_chunk, s);
        progress_tick(&w->line, (double)slot + (double)n_ends * (double)s->to
                                                   / (double)w->n);
    }
    for (int t = 1; t < s->chunks; t++)
        lr_screen_merge(s->screens, s->screens + t);
    lr_screen_finish(s->screens);
}

/* ---- exact distances ----------------------------------------------------- */

/* A candidate of an end point of the pass. */
typedef struct {
    int end, row;
    double distance;
} candidate;

typedef struct {
    const sparse_search *search;
    const lr_sparse_rows *rows;
    candidate *pairs;
} measure_task;

static void measure_some(void *context, size_t from, size_t to)
{
    const measure_task *t = context;
    const sparse_search *s = t->search;
    for (size_t i = from; i < to; i++)
        t->pairs[i].distance = lr_sparse_distance(
            &s->ends, (size_t)t->pairs[i].end, t->rows,
            (size_t)s->place[t->pairs[i].row], s->cells.zero, s->walk->metric);
}

/* The distances of some pairs, whose rows ascend. */
static void measure_pairs(const sparse_search *s, candidate *pairs,
                          size_t count)
{
    size_t most = CELLS_AT_ONCE / (s->cells_in_row + 1) + 1;
    for (size_t from = 0, to; from < count; from = to) {
        const void *memory = lr_memory_mark();
        size_t rows = 0;
        for (to = from; to < count; to++) {
            if (s->place[pairs[to].row] >= 0)
                continue;
            if (rows == most)
                break;
            s->place[pairs[to].row] = (int)rows++;
        }
        lr_sparse_rows cells = take_rows(s, rows);
        measure_task task = {s, &cells, pairs + from};
        lr_run_chunks(s->walk->data->control.threads, to - from, measure_some,
                      &task);
        for (size_t i = from; i < to; i++)
            s->place[pairs[i].row] = -1;
        lr_memory_reset(memory);
        lr_check_interrupt();
    }
}

static int by_row(const void *a, const void *b)
{
    const candidate *x = (const candidate *)a;
    const candidate *y = (const candidate *)b;
    return x->row != y->row ? (x->row > y->row) - (x->row < y->row)
                            : (x->end > y->end) - (x->end < y->end);
}

/* The candidates that are left, by row. */
static candidate *list_candidates(const lr_screen *s, size_t *count)
{
    size_t lists = s->n_ends * s->n_lists, all = 0;
    for (size_t at = 0; at < lists; at++)
        all += (size_t)s->count[at];
    candidate *pairs = lr_allocate(all + 1, sizeof(candidate));
    *count = 0;
    for (size_t at = 0; at < lists; at++)
        for (int i = 0; i < s->count[at]; i++)
            pairs[(*count)++] = (candidate){
                (int)(at / s->n_lists),
                s->kept[at * s->capacity + (size_t)i].row, 0.0};
    qsort(pairs, all, sizeof(candidate), by_row);
    return pairs;
}

/* ---- what the bounds decide ---------------------------------------------- */

static void put(const sparse_search *s, size_t number, double distance, int row)
{
    const pair_walk *w = s->walk;
    int end = w->ends[number];
    int list = lr_list_of(&s->lists->rule, end, row);
    lr_lists_put(s->lists, w->half ? (size_t)end : number, (size_t)list,
                 distance, row);
}

/* Leaves end points with a full list: they keep no candidates. */
static void give_up_full(const sparse_search *r, size_t slot)
{
    const lr_screen *s = r->screens;
    for (size_t e = 0; e < s->n_ends; e++) {
        int *count = s->count + e * s->n_lists, is_full = 0;
        for (size_t l = 0; l < s->n_lists; l++)
            is_full |= count[l] < 0;
        if (!is_full)
            continue;
        memset(count, 0, s->n_lists * sizeof(int));
        r->left->slot[r->left->count++] = (int)(slot + e);
    }
}

/* Offers the candidates whose place is known from their bounds and leaves the
 * others of a list. */
static void settle_order(const sparse_search *r, size_t slot, size_t at,
                         int *needs)
{
    lr_screen *s = r->screens;
    lr_bounded *all = s->kept + at * s->capacity;
    int left = 0;
    size_t count = lr_screen_order(s, at, needs);
    for (size_t i = 0; i < count; i++)
        if (needs[i])
            all[left++] = all[i];
        else
            put(r, slot + at / s->n_lists, all[i].low, all[i].row);
    s->count[at] = left;
}

static void finish_pass(const sparse_search *r, size_t slot, int order_only)
{
    const lr_screen *s = r->screens;
    int *needs = new_ints(s->capacity);
    size_t count;
    give_up_full(r, slot);
    for (size_t at = 0; order_only && at < s->n_ends * s->n_lists; at++)
        settle_order(r, slot, at, needs);
    candidate *pairs = list_candidates(s, &count);
    measure_pairs(r, pairs, count);
    for (size_t i = 0; i < count; i++)
        put(r, slot + (size_t)pairs[i].end, pairs[i].distance, pairs[i].row);
}

/* ---- the search ---------------------------------------------------------- */

/* Opens the passes; returns how many end points one has. */
static size_t open_passes(sparse_search *s)
{
    const pair_walk *w = s->walk;
    const lr_lists *lists = s->lists;
    s->chunks = team_size(&w->data->control,
                          s->work * (double)w->n * (double)w->n_ends);
    size_t list = lists->k * sizeof(double)
        + least_capacity(lists) * sizeof(lr_bounded);
    size_t fit = PASS_BYTES / (list * lists->rule.n_lists * (size_t)s->chunks);
    size_t ends = smaller(smaller(larger(fit, 16), s->most_ends), w->n_ends);
    allocate_screens(s, ends);
    allocate_queries(s, ends);
    s->left->slot = new_ints(w->n_ends);
    return ends;
}

int search_by_bounds(pair_walk *walk, lr_lists *lists, int order_only,
                     left_ends *left)
{
    sparse_search s = {.walk = walk, .lists = lists, .left = left,
                       .rule = {.lists = lists->rule}};
    /* where a quarter of the samples are wanted, all distances are as cheap;
     * and outputs, or distances used for more than lists, have no bounds */
    if (lists->k == 0 || lists->k > walk->n / 4 || lists->unit > 0.0
        || walk->response || walk->roots || walk->collect || !open_cells(&s))
        return 0;
    size_t per_pass = open_passes(&s);
    walk->line = progress_begin("Neighbours", "samples", (double)walk->n_ends,
                                walk->data->control.progress);
    for (size_t slot = 0; slot < walk->n_ends; slot += per_pass) {
        size_t n_ends = smaller(per_pass, walk->n_ends - slot);
        const void *memory = lr_memory_mark();
        begin_pass(&s, walk->ends + slot, n_ends);
        bound_pass(&s, slot, n_ends);
        finish_pass(&s, slot, order_only);
        lr_memory_reset(memory);
    }
    progress_end(&walk->line);
    return 1;
}
