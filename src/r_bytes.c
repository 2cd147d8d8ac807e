/* Bounds of Manhattan distances in a double matrix, from features rounded to
 * bytes. */
#include <string.h>

#include "byte_panel.h"
#include "r_screen.h"
#include "lr_threads.h"

/* Rows that one chunk has rounded. */
typedef struct {
    unsigned char *bytes, *tile;
    double *residual, *bounds;
    int *sums;
} byte_rows;

typedef struct {
    lr_dense_cells cells;
    lr_byte_panel panel;
    size_t rows; /* at a time */
    byte_rows *chunks;
    screener screener;
} byte_data;

enum {
    END_BYTES = 64 << 20, /* scaled values of the end points of a pass */
    EXACT_ROWS = 512      /* a column's cells of so many rows stay in cache */
};

static void begin_bytes(void *context, const int *ends, size_t n_ends,
                        int chunks)
{
    byte_data *d = (byte_data *)context;
    lr_byte_panel *panel = &d->panel;
    panel->n_ends = n_ends;
    panel->bytes =
        (unsigned char *)R_alloc(n_ends * panel->ld, sizeof(unsigned char));
    panel->residual = (double *)R_alloc(n_ends, sizeof(double));
    panel->u = (double *)R_alloc(n_ends * d->cells.p, sizeof(double));
    lr_byte_panel_fill(panel, &d->cells, ends);
    d->chunks = (byte_rows *)R_alloc((size_t)chunks, sizeof(byte_rows));
    for (int s = 0; s < chunks; s++) {
        byte_rows *r = d->chunks + s;
        r->bytes = (unsigned char *)R_alloc(d->rows * panel->ld, 1);
        r->tile = (unsigned char *)R_alloc(
            (size_t)LR_BYTE_TILE * LR_BYTE_MOST_ROWS, 1);
        r->residual = (double *)R_alloc(d->rows, sizeof(double));
        r->bounds = (double *)R_alloc(2 * n_ends, sizeof(double));
        r->sums = (int *)R_alloc(4 * n_ends, sizeof(int));
    }
}

static void bound_bytes(void *context, size_t from, size_t to,
                        const lr_screen_rule *rule, lr_screen *screen,
                        int chunk)
{
    byte_data *d = (byte_data *)context;
    byte_rows *r = d->chunks + chunk;
    for (size_t row = from; row < to; row += d->rows) {
        size_t last = to - row < d->rows ? to : row + d->rows;
        lr_round_rows(&d->cells, row, last, d->panel.ld, r->bytes, r->residual,
                      r->tile);
        lr_rounded_rows samples = {row, last, r->bytes, r->residual};
        lr_byte_offer(&d->panel, rule, &samples, r->bounds, r->sums, screen);
    }
}

typedef struct {
    const byte_data *data;
    lr_candidate *pairs;
    size_t *start; /* pairs of each block of rows, and one more */
} exact_task;

static void measure_block(void *context, size_t block, int thread)
{
    const exact_task *t = (const exact_task *)context;
    lr_measure_pairs(&t->data->panel, &t->data->cells,
                     t->pairs + t->start[block],
                     t->start[block + 1] - t->start[block]);
    (void)thread;
}

static void measure_bytes(void *context, lr_candidate *pairs, size_t count,
                          int team)
{
    byte_data *d = (byte_data *)context;
    size_t blocks = (d->cells.n + EXACT_ROWS - 1) / EXACT_ROWS, at = 0;
    exact_task t = {d, pairs,
                    (size_t *)R_alloc(blocks + 1, sizeof(size_t))};
    for (size_t b = 0; b < blocks; b++) {
        t.start[b] = at;
        while (at < count && (size_t)pairs[at].row < (b + 1) * EXACT_ROWS)
            at++;
    }
    t.start[blocks] = at;
    lr_run_items(team, blocks, measure_block, &t);
}

/* Rounding costs as much as the distances of some thirty end points. */
screener *byte_screener(SEXP data, SEXP scaling, const pair_walk *walk)
{
    lr_scaling s = read_scaling(scaling);
    SEXP values = list_element(data, "values");
    /* where all samples are end points the exact distances of the candidates
     * cost more than the walk, which computes each pair once for both */
    if (walk->half || walk->metric != LR_MANHATTAN || walk->n_ends < 32
        || walk->n < 256
        || read_layout(data) != LAYOUT_COLUMNS || TYPEOF(values) != REALSXP)
        return NULL;
    byte_data *d = (byte_data *)R_alloc(1, sizeof(byte_data));
    lr_dense_cells cells = {REAL(values), walk->n,
                            (size_t)Rf_asReal(list_element(data, "p")),
                            s.center, s.divisor};
    for (size_t j = 0; j < cells.p; j++)
        if (!lr_is_constant(&s, j) && !lr_is_plain(&s, j))
            return NULL;
    /* few features: a distance costs less than its bound (4601 x 57, K = 60:
     * half as much again with it) */
    if (cells.p < 100)
        return NULL;
    if (!lr_is_unit_range(&cells, REAL(list_element(data, "minimum")),
                          REAL(list_element(data, "maximum"))))
        return NULL;
    d->cells = cells;
    d->panel.level = walk->control.level;
    d->panel.ld = (cells.p + LR_BYTE_TILE - 1) / LR_BYTE_TILE * LR_BYTE_TILE;
    d->rows = lr_byte_rows(d->panel.ld);
    size_t ends = END_BYTES / sizeof(double) / cells.p;
    screener own = {d, ends > 512 ? 512 : ends < 32 ? 32 : ends, 4096,
                    (double)cells.p / 25.0 + 5.0, begin_bytes, bound_bytes,
                    measure_bytes};
    d->screener = own;
    return &d->screener;
}
