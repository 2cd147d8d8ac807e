/* Bounds of distances in sparse data, which are read as they are. */
#include <math.h>

#include "search_backends.h"

/* Exact distances need samples one by one: so many cells of them at a time. */
enum { CELLS_AT_ONCE = 4000000, TRANSPOSED_AT_ONCE = 1 << 18 };

/* ---- the scale of the cells ---------------------------------------------- */

/* zero of each feature and the largest |w| that its range allows; FALSE when a
 * feature is neither plain nor constant. */
static int check_features(sparse_bounds *d, const pair_walk *walk, double *zero)
{
    const lr_scaling *s = &walk->data->scaling;
    const double *minimum = walk->data->minimum;
    const double *maximum = walk->data->maximum;
    d->largest = 0.0;
    for (size_t j = 0; j < d->cells.p; j++) {
        zero[j] = 0.0;
        if (lr_is_constant(s, j))
            continue;
        if (!lr_is_plain(s, j))
            return 0;
        lr_shift shift = lr_shift_of(s, j, minimum[j], maximum[j]);
        zero[j] = shift.zero;
        d->largest = fmax(d->largest,
                          fmax(fabs(lr_shifted(&shift, minimum[j])),
                               fabs(lr_shifted(&shift, maximum[j]))));
    }
    return 1;
}

/* ---- a pass -------------------------------------------------------------- */

/* The cells of some samples, numbered in `place`. */
static lr_sparse_rows take_rows(sparse_bounds *d, size_t count)
{
    lr_sparse_rows r = {new_sizes(count + 1), NULL, NULL};
    size_t *next = new_sizes(count + 1);
    lr_count_cells(&d->cells, d->place, count, &r);
    r.feature = new_ints(r.start[count] + 1);
    r.u = new_doubles(r.start[count] + 1);
    lr_extract_cells(&d->cells, d->place, count, &r, next);
    return r;
}

static void make_panel(sparse_bounds *d, size_t n_ends)
{
    lr_sparse_panel *s = &d->panel;
    size_t p = d->cells.p, cells = d->ends.start[n_ends];
    size_t *next = new_sizes(2 * p);
    s->metric = d->metric;
    s->n_ends = n_ends;
    s->ld = (n_ends + LR_SPARSE_UNIT - 1) / LR_SPARSE_UNIT * LR_SPARSE_UNIT;
    s->p = p;
    s->full = new_ints(p);
    lr_panel_plan(s, &d->ends, d->cells.zero, (int *)next);
    s->start = new_sizes(p + 1);
    s->middle = new_sizes(p + 1);
    s->end = new_ints(cells + 1);
    s->size = lr_allocate(cells + 1, sizeof(float));
    s->positive = lr_allocate(s->n_full * s->ld + 1, sizeof(float));
    s->negative = lr_allocate(s->n_full * s->ld + 1, sizeof(float));
    s->sum = new_doubles(n_ends);
    s->root = new_doubles(n_ends);
    s->slack = new_doubles(n_ends);
    lr_panel_fill(s, &d->ends, d->cells.zero, d->largest, next);
}

static void allocate_sums(sparse_bounds *d, sparse_sums *s, size_t n_ends)
{
    size_t rows = LR_SPARSE_ROWS < d->n ? LR_SPARSE_ROWS : d->n;
    s->cursor = new_ints(d->cells.p + rows);
    s->common = lr_allocate(rows * d->panel.ld, sizeof(float));
    s->own = new_doubles(rows);
    s->bounds = new_doubles(2 * n_ends);
    if (!d->cells.samples) {
        s->tile = d->cells.tile;
        memcpy(s->cursor, s->tile.start, d->cells.p * sizeof(int));
        return;
    }
    s->start = new_ints(d->cells.p + 1);
    s->next = new_ints(d->cells.p + 1);
    s->row = new_ints(d->capacity);
    s->value = new_doubles(d->capacity);
}

void begin_bounds(sparse_bounds *d, const int *ends, size_t n_ends, int chunks)
{
    for (size_t e = 0; e < n_ends; e++)
        d->place[ends[e]] = (int)e;
    d->ends = take_rows(d, n_ends);
    for (size_t e = 0; e < n_ends; e++)
        d->place[ends[e]] = -1;
    make_panel(d, n_ends);
    d->sums = lr_allocate((size_t)chunks, sizeof(sparse_sums));
    for (int s = 0; s < chunks; s++)
        allocate_sums(d, d->sums + s, n_ends);
}

/* The end of the samples from `row` on whose sums are taken next. */
static size_t next_rows(const sparse_bounds *d, size_t row, size_t to)
{
    const lr_sample_cells *c = d->cells.samples;
    size_t last = to - row < LR_SPARSE_ROWS ? to : row + LR_SPARSE_ROWS;
    while (c && last > row + 1
           && (size_t)(c->start[last] - c->start[row]) > d->capacity)
        last--;
    return last;
}

void offer_bounds(sparse_bounds *d, size_t from, size_t to,
                  const lr_screen_rule *rule, lr_screen *screen, size_t chunk)
{
    sparse_sums *s = d->sums + chunk;
    size_t p = d->cells.p;
    for (size_t row = from, last; row < to; row = last) {
        last = next_rows(d, row, to);
        if (d->cells.samples) {
            lr_transpose_cells(d->cells.samples, row, last, s->start, s->row,
                               s->value, s->next, s->cursor + p);
            memcpy(s->cursor, s->start, p * sizeof(int));
            s->tile = (lr_sparse_tile){row, last - row, s->start, s->row,
                                       s->value};
        }
        lr_sparse_cells cells = d->cells;
        cells.tile = s->tile;
        lr_panel_sums(&d->panel, &cells, row, last, s->cursor, s->common,
                      s->own);
        lr_panel_offer(&d->panel, rule, row, last, s->common, s->own,
                       s->bounds, screen);
    }
}

/* ---- exact distances ----------------------------------------------------- */

typedef struct {
    const sparse_bounds *data;
    const lr_sparse_rows *rows;
    lr_candidate *pairs;
} measure_task;

static void measure_some(void *context, size_t from, size_t to)
{
    const measure_task *t = context;
    const sparse_bounds *d = t->data;
    for (size_t i = from; i < to; i++)
        t->pairs[i].distance = lr_sparse_distance(
            &d->ends, (size_t)t->pairs[i].end, t->rows,
            (size_t)d->place[t->pairs[i].row], d->cells.zero, d->metric);
}

void measure_pairs(sparse_bounds *d, lr_candidate *pairs, size_t count,
                   int team)
{
    size_t most = CELLS_AT_ONCE / (d->cells_in_row + 1) + 1;
    for (size_t from = 0, to; from < count; from = to) {
        const void *memory = lr_memory_mark();
        size_t rows = 0;
        for (to = from; to < count; to++) {
            if (d->place[pairs[to].row] >= 0)
                continue;
            if (rows == most)
                break;
            d->place[pairs[to].row] = (int)rows++;
        }
        lr_sparse_rows cells = take_rows(d, rows);
        measure_task task = {d, &cells, pairs + from};
        lr_run_chunks(team, to - from, measure_some, &task);
        for (size_t i = from; i < to; i++)
            d->place[pairs[i].row] = -1;
        lr_memory_reset(memory);
        lr_check_interrupt();
    }
}

/* ---- which data ---------------------------------------------------------- */

/* The cells as they are stored. FALSE: the data are not sparse. */
static int read_cells(sparse_bounds *d, const feature_data *data)
{
    if (data->layout == LAYOUT_BY_SAMPLE)
        d->cells.samples = &data->samples;
    else if (!stored_cells(data, &d->cells.tile))
        return 0;
    d->n = data->n;
    d->cells.p = data->p;
    d->n_cells = (size_t)(d->cells.samples ? data->samples.start[d->n]
                                           : d->cells.tile.start[d->cells.p]);
    d->cells_in_row = d->n_cells / d->n;
    d->capacity = smaller(d->n_cells, TRANSPOSED_AT_ONCE);
    if (d->capacity < d->cells.p)
        d->capacity = d->cells.p; /* a sample */
    return 1;
}

sparse_bounds *open_bounds(const pair_walk *walk)
{
    sparse_bounds *d = zero_structs(1, sizeof(sparse_bounds));
    if (!read_cells(d, walk->data))
        return NULL;
    d->cells.center = walk->data->scaling.center;
    d->cells.divisor = walk->data->scaling.divisor;
    d->metric = walk->metric;
    double *zero = new_doubles(d->cells.p);
    d->cells.zero = zero;
    /* where more than three cells in ten are stored, all distances are
     * faster */
    if ((double)d->n_cells >= 0.3 * (double)d->n * (double)d->cells.p
        || !check_features(d, walk, zero)
        || !lr_sparse_bounded(d->cells.p, d->largest, d->metric))
        return NULL;
    d->place = new_ints(d->n);
    for (size_t i = 0; i < d->n; i++)
        d->place[i] = -1;
    double ends = (64 << 20) / (2.0 * sizeof(float) * (double)d->cells.p);
    d->most_ends = ends > 512 ? 512 : ends < 64 ? 64 : (size_t)ends;
    d->work = 0.2 * (double)d->cells_in_row + 5.0;
    return d;
}
