/* Bounds of distances in sparse data, which are read as they are. */
#include <math.h>
#include <string.h>

#include "entries.h"
#include "r_screen.h"
#include "sparse_panel.h"
#include "threads.h"

/* Samples whose sums one share holds. */
typedef struct {
    int *cursor;
    float *common;
    double *own, *bounds;
} sparse_sums;

typedef struct {
    lr_sparse_cells cells;
    lr_metric metric;
    double largest; /* |w| */
    size_t n, cells_in_row;
    lr_sparse_panel panel;
    lr_sparse_rows ends;
    sparse_sums *sums; /* of each share */
    int *place;        /* per sample, -1 between uses */
    screener screener;
} sparse_data;

/* Exact distances need samples one by one: so many cells of them at a time. */
enum { CELLS_AT_ONCE = 4000000 };

/* ---- one look at all cells ----------------------------------------------- */

/* zero of each feature and the largest |w|; FALSE when a feature is neither
 * plain nor constant. */
static int scan_cells(sparse_data *d, const lr_scaling *s, double *zero)
{
    const lr_sparse_tile *t = &d->cells.tile;
    d->largest = 0.0;
    for (size_t j = 0; j < d->cells.p; j++) {
        zero[j] = 0.0;
        if (lr_is_constant(s, j))
            continue;
        if (!lr_is_plain(s, j))
            return 0;
        int first = t->start[j], last = t->start[j + 1];
        int full = (size_t)(last - first) == d->n;
        double low = full ? t->value[first] : 0.0, high = low;
        for (int q = first; q < last; q++) {
            double x = t->value[q];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        lr_shift shift = lr_shift_of(s, j, low, high);
        zero[j] = shift.zero;
        d->largest = fmax(d->largest, fmax(fabs(lr_shifted(&shift, low)),
                                           fabs(lr_shifted(&shift, high))));
    }
    return 1;
}

/* ---- a pass -------------------------------------------------------------- */

/* The cells of some samples, numbered in `place`. */
static lr_sparse_rows take_rows(sparse_data *d, size_t count)
{
    lr_sparse_rows r = {(size_t *)R_alloc(count + 1, sizeof(size_t)), NULL,
                        NULL};
    size_t *next = (size_t *)R_alloc(count + 1, sizeof(size_t));
    lr_count_cells(&d->cells, d->place, count, &r);
    r.feature = (int *)R_alloc(r.start[count] + 1, sizeof(int));
    r.u = (double *)R_alloc(r.start[count] + 1, sizeof(double));
    lr_extract_cells(&d->cells, d->place, count, &r, next);
    return r;
}

static void make_panel(sparse_data *d, size_t n_ends)
{
    lr_sparse_panel *s = &d->panel;
    size_t p = d->cells.p, cells = d->ends.start[n_ends];
    size_t *next = (size_t *)R_alloc(2 * p, sizeof(size_t));
    s->metric = d->metric;
    s->n_ends = n_ends;
    s->ld = (n_ends + LR_SPARSE_UNIT - 1) / LR_SPARSE_UNIT * LR_SPARSE_UNIT;
    s->p = p;
    s->full = (int *)R_alloc(p, sizeof(int));
    lr_panel_plan(s, &d->ends, d->cells.zero, (int *)next);
    s->start = (size_t *)R_alloc(p + 1, sizeof(size_t));
    s->middle = (size_t *)R_alloc(p + 1, sizeof(size_t));
    s->end = (int *)R_alloc(cells + 1, sizeof(int));
    s->size = (float *)R_alloc(cells + 1, sizeof(float));
    s->positive = (float *)R_alloc(s->n_full * s->ld + 1, sizeof(float));
    s->negative = (float *)R_alloc(s->n_full * s->ld + 1, sizeof(float));
    s->sum = (double *)R_alloc(n_ends, sizeof(double));
    s->root = (double *)R_alloc(n_ends, sizeof(double));
    s->slack = (double *)R_alloc(n_ends, sizeof(double));
    lr_panel_fill(s, &d->ends, d->cells.zero, d->largest, next);
}

static void begin_pass(void *context, const int *ends, size_t n_ends,
                       int shares)
{
    sparse_data *d = (sparse_data *)context;
    for (size_t e = 0; e < n_ends; e++)
        d->place[ends[e]] = (int)e;
    d->ends = take_rows(d, n_ends);
    for (size_t e = 0; e < n_ends; e++)
        d->place[ends[e]] = -1;
    make_panel(d, n_ends);
    d->sums = (sparse_sums *)R_alloc((size_t)shares, sizeof(sparse_sums));
    for (int s = 0; s < shares; s++) {
        sparse_sums *sums = d->sums + s;
        size_t rows = LR_SPARSE_ROWS < d->n ? LR_SPARSE_ROWS : d->n;
        sums->cursor = (int *)R_alloc(d->cells.p, sizeof(int));
        sums->common = (float *)R_alloc(rows * d->panel.ld, sizeof(float));
        sums->own = (double *)R_alloc(rows, sizeof(double));
        sums->bounds = (double *)R_alloc(2 * n_ends, sizeof(double));
        memcpy(sums->cursor, d->cells.tile.start, d->cells.p * sizeof(int));
    }
}

static void bound_sparse(void *context, size_t from, size_t to,
                         const lr_screen_rule *rule, lr_screen *screen,
                         int share)
{
    sparse_data *d = (sparse_data *)context;
    sparse_sums *s = d->sums + share;
    for (size_t row = from; row < to; row += LR_SPARSE_ROWS) {
        size_t last = to - row < LR_SPARSE_ROWS ? to : row + LR_SPARSE_ROWS;
        lr_panel_sums(&d->panel, &d->cells, row, last, s->cursor, s->common,
                      s->own);
        lr_panel_offer(&d->panel, rule, row, last, s->common, s->own,
                       s->bounds, screen);
    }
}

/* ---- exact distances ----------------------------------------------------- */

typedef struct {
    const sparse_data *data;
    const lr_sparse_rows *rows;
    lr_candidate *pairs;
} measure_task;

static void measure_pairs(void *context, size_t from, size_t to, int thread)
{
    const measure_task *t = (const measure_task *)context;
    const sparse_data *d = t->data;
    for (size_t i = from; i < to; i++)
        t->pairs[i].distance = lr_sparse_distance(
            &d->ends, (size_t)t->pairs[i].end, t->rows,
            (size_t)d->place[t->pairs[i].row], d->cells.zero, d->metric);
    (void)thread;
}

static void measure_sparse(void *context, lr_candidate *pairs, size_t count,
                           int team)
{
    sparse_data *d = (sparse_data *)context;
    size_t most = CELLS_AT_ONCE / (d->cells_in_row + 1) + 1;
    for (size_t from = 0, to; from < count; from = to) {
        const void *memory = vmaxget();
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
        lr_run_stretches(team, to - from, measure_pairs, &task);
        for (size_t i = from; i < to; i++)
            d->place[pairs[i].row] = -1;
        vmaxset(memory);
        R_CheckUserInterrupt();
    }
}

/* ---- which data ---------------------------------------------------------- */

/* Where more than three cells in ten are stored, all distances are faster. */
static int is_worthwhile(const sparse_data *d)
{
    double cells = (double)d->cells.tile.start[d->cells.p];
    return cells < 0.3 * (double)d->n * (double)d->cells.p;
}

screener *sparse_screener(SEXP data, SEXP scaling, lr_metric metric)
{
    sparse_data *d = (sparse_data *)R_alloc(1, sizeof(sparse_data));
    lr_scaling s = read_scaling(scaling);
    if (!stored_cells(data, &d->cells.tile))
        return NULL;
    d->n = d->cells.tile.count;
    d->cells.p = (size_t)Rf_asReal(list_element(data, "p"));
    d->cells.center = s.center;
    d->cells.divisor = s.divisor;
    d->metric = metric;
    double *zero = (double *)R_alloc(d->cells.p, sizeof(double));
    d->cells.zero = zero;
    if (!is_worthwhile(d) || !scan_cells(d, &s, zero)
        || !lr_sparse_bounded(d->cells.p, d->largest, metric))
        return NULL;
    d->cells_in_row = (size_t)d->cells.tile.start[d->cells.p] / d->n;
    d->place = (int *)R_alloc(d->n, sizeof(int));
    for (size_t i = 0; i < d->n; i++)
        d->place[i] = -1;
    double panel = 2.0 * sizeof(float) * (double)d->cells.p;
    double ends = (64 << 20) / panel;
    screener own = {d, ends > 512 ? 512 : ends < 64 ? 64 : (size_t)ends, 384,
                    0.2 * (double)d->cells_in_row + 5.0, begin_pass,
                    bound_sparse, measure_sparse};
    d->screener = own;
    return &d->screener;
}
