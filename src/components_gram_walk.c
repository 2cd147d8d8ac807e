/* The centred, scaled data C (n x p) times vectors, without a copy of C: what
 * principal components are made of. */
#include <math.h>

#include "components_walk.h"

enum {
    PART = 512,   /* rows that are in the first cache together, */
    CHUNK = 8192  /* and in the second while a sparse column passes */
};

/* ---- the data, feature by feature ---------------------------------------- */

/* First entry of a column's rows that is at least `row`. */
static size_t find_row(const int *rows, size_t count, size_t row)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((size_t)rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Cells are not divided one by one: the vectors that they meet are, by what
 * this returns. Where products of cells with vectors might vanish or overflow
 * the cells are, and it is 1. */
static double divisor_of(const gram_task *t, size_t feature)
{
    double divisor = t->data->scaling.divisor[feature];
    return divisor > 1e-100 && divisor < 1e100 ? divisor : 1.0;
}

/* The rows from .. to - 1 of a feature, times its divisor_of(); `buffer` takes
 * them unless the cells can be read directly. */
static lr_cells cells_of(const gram_task *t, const lr_block *block,
                         size_t feature, size_t from, size_t to, double *buffer)
{
    lr_cells c = {to - from, from, NULL, buffer};
    const double *x;
    if (t->row) {
        size_t begin = (size_t)t->start[feature];
        size_t count = (size_t)t->start[feature + 1] - begin;
        size_t first = from > 0 ? find_row(t->row + begin, count, from) : 0;
        size_t last = to < t->n ? find_row(t->row + begin, count, to) : count;
        c.row = t->row + begin + first;
        c.count = last - first;
        x = t->x + begin + first;
    } else {
        x = block->values + (feature - block->first) * block->stride + from;
    }
    double center = t->data->scaling.center[feature];
    double divisor = t->data->scaling.divisor[feature];
    if (divisor == 0.0) {
        c.count = 0;
    } else if (divisor_of(t, feature) != divisor) {
        for (size_t k = 0; k < c.count; k++)
            buffer[k] = (x[k] - center) / divisor;
    } else if (center != 0.0) {
        for (size_t k = 0; k < c.count; k++)
            buffer[k] = x[k] - center;
    } else {
        c.u = x;
    }
    return c;
}

/* Hands all features to `use`, a block at a time: sparse ones at once. */
static void each_block(gram_task *t, void (*use)(gram_task *, const lr_block *))
{
    if (t->row) {
        lr_block all = {NULL, t->n, t->n, 0, t->p};
        use(t, &all);
        lr_check_interrupt();
        return;
    }
    for (size_t first = 0; first < t->p; first += t->source.per_block) {
        lr_block block = source_block(&t->source, first);
        use(t, &block);
        lr_check_interrupt();
    }
}

static double block_work(const gram_task *t, const lr_block *block)
{
    return 4.0 * (t->row ? (double)t->start[t->p]
                         : (double)t->n * (double)block->count);
}

static void sum_block(gram_task *t, const lr_block *block)
{
    for (size_t j = block->first; j < block->first + block->count; j++) {
        double sum, squares, by = divisor_of(t, j);
        lr_cells c = cells_of(t, block, j, 0, t->n, t->buffer);
        lr_sum_cells(&c, &sum, &squares);
        t->mean[j] = sum / by / (double)t->n;
        t->total += fmax(squares / by / by - sum / by * t->mean[j], 0.0);
    }
}

gram_task gram_open(const feature_data *data)
{
    gram_task t = {.data = data, .source = source_open(data, 1), .n = data->n,
                   .p = data->p, .m = smaller(data->n, data->p)};
    lr_sparse_tile cells;
    if (stored_cells(data, &cells)) {
        t.row = cells.row;
        t.start = cells.start;
        t.x = cells.value;
    }
    t.mean = new_doubles(t.p);
    t.buffer = new_doubles((size_t)data->control.threads * t.n);
    t.w = new_doubles(t.p * LR_VECTORS);
    t.y = new_doubles(t.n * LR_VECTORS);
    each_block(&t, sum_block);
    return t;
}

/* ---- C'y and C w --------------------------------------------------------- */

typedef struct {
    gram_task *gram;
    const lr_block *block;
    size_t chunk; /* rows of an item of add_rows() */
} product_task;

/* w_j = u_j'x, x = gram->from */
static void dot_features(void *context, size_t from, size_t to)
{
    const product_task *p = (const product_task *)context;
    gram_task *t = p->gram;
    double *buffer = t->buffer + (size_t)lr_own_thread() * t->n;
    for (size_t j = p->block->first + from; j < p->block->first + to; j++) {
        double *w = t->w + j * LR_VECTORS, by = divisor_of(t, j);
        lr_cells c = cells_of(t, p->block, j, 0, t->n, buffer);
        lr_dot_vectors(&c, t->from, w);
        for (size_t v = 0; v < LR_VECTORS; v++)
            w[v] /= by;
    }
}

/* y += sum_j u_j w_j'. A part of the rows is one thread's alone, and the order
 * of the features is that of the data in each. */
static void add_rows(void *context, size_t part)
{
    const product_task *p = (const product_task *)context;
    gram_task *t = p->gram;
    const lr_block *block = p->block;
    double *buffer = t->buffer + (size_t)lr_own_thread() * t->n;
    size_t from = part * p->chunk;
    size_t to = smaller(from + p->chunk, t->n);
    for (size_t j = block->first; j < block->first + block->count; j++) {
        double w[LR_VECTORS], by = divisor_of(t, j);
        lr_cells c = cells_of(t, block, j, from, to, buffer);
        for (size_t v = 0; v < LR_VECTORS; v++)
            w[v] = t->w[j * LR_VECTORS + v] / by;
        lr_add_vectors(&c, w, t->y);
    }
}

static void add_block(gram_task *t, const lr_block *block)
{
    size_t team = (size_t)team_size(&t->data->control, block_work(t, block));
    size_t parts = (t->n + team * CHUNK - 1) / (team * CHUNK) * team;
    product_task p = {t, block, t->row ? (t->n + parts - 1) / parts : PART};
    lr_run_items((int)team, (t->n + p.chunk - 1) / p.chunk, add_rows, &p);
}

static void sum_vectors(const double *x, size_t n, const double *weight,
                        double *sum)
{
    memset(sum, 0, LR_VECTORS * sizeof(double));
    for (size_t i = 0; i < n; i++)
        for (size_t v = 0; v < LR_VECTORS; v++)
            sum[v] += (weight ? weight[i] : 1.0) * x[i * LR_VECTORS + v];
}

/* w_j = (u_j - mean_j)'x */
static void dot_centered(gram_task *t, const lr_block *block)
{
    product_task p = {t, block, 0};
    int team = team_size(&t->data->control, block_work(t, block));
    lr_run_chunks(team, block->count, dot_features, &p);
    for (size_t j = block->first; j < block->first + block->count; j++)
        for (size_t v = 0; v < LR_VECTORS; v++)
            t->w[j * LR_VECTORS + v] -= t->mean[j] * t->sum[v];
}

/* Both products while the block is at hand. */
static void dot_and_add(gram_task *t, const lr_block *block)
{
    dot_centered(t, block);
    add_block(t, block);
}

/* What the mean of each feature adds to y. */
static void center_rows(gram_task *t)
{
    double sum[LR_VECTORS];
    sum_vectors(t->w, t->p, t->mean, sum);
    lr_subtract_vectors(sum, 0, t->n, t->y);
}

void gram_scores(gram_task *t)
{
    memset(t->y, 0, t->n * LR_VECTORS * sizeof(double));
    each_block(t, add_block);
    center_rows(t);
}

const double *gram_apply(gram_task *t, const double *x)
{
    if (t->m == t->n) {
        t->from = x;
        sum_vectors(x, t->n, NULL, t->sum);
        memset(t->y, 0, t->n * LR_VECTORS * sizeof(double));
        each_block(t, dot_and_add);
        center_rows(t);
        return t->y;
    }
    memcpy(t->w, x, t->p * LR_VECTORS * sizeof(double));
    gram_scores(t);
    t->from = t->y;
    sum_vectors(t->y, t->n, NULL, t->sum);
    each_block(t, dot_centered);
    return t->w;
}

/* ---- C C' whole ---------------------------------------------------------- */

/* G += Z Z' for the first `count` columns of the chunk Z, kept by rows. */
static void add_chunk(gram_task *t, gram_chunk *c, double *gram)
{
    size_t n = t->n, ld = (n + LR_DOUBLE_LANES - 1) / LR_DOUBLE_LANES
        * LR_DOUBLE_LANES;
    const double *vector[LR_DOUBLE_LANES];
    lr_pack_doubles(c->rows, n, LR_CHUNK, c->pack);
    for (size_t i = 0; i < n; i += LR_DOUBLE_LANES) {
        size_t some = smaller(n - i, LR_DOUBLE_LANES);
        for (size_t k = 0; k < some; k++)
            vector[k] = c->rows + (i + k) * LR_CHUNK;
        lr_panel_doubles(vector, some, LR_CHUNK, c->panel);
        lr_products_doubles(c->pack + i * LR_CHUNK, n - i, LR_CHUNK, c->panel,
                            some, c->out, ld);
        for (size_t k = 0; k < some; k++)
            for (size_t j = i; j < n; j++)
                gram[j + (i + k) * n] += c->out[k * ld + j - i];
    }
}

static void gather_block(gram_task *t, const lr_block *block)
{
    gram_chunk *c = t->chunk;
    for (size_t j = block->first; j < block->first + block->count; j++) {
        lr_cells cells = cells_of(t, block, j, 0, t->n, t->buffer);
        size_t at = j % LR_CHUNK;
        for (size_t i = 0; i < t->n; i++)
            c->rows[i * LR_CHUNK + at] =
                t->data->scaling.divisor[j] == 0.0 ? 0.0 : -t->mean[j];
        for (size_t k = 0; k < cells.count; k++) {
            size_t i = cells.row ? (size_t)cells.row[k] : k;
            c->rows[i * LR_CHUNK + at] =
                cells.u[k] / divisor_of(t, j) - t->mean[j];
        }
        if (at + 1 < LR_CHUNK && j + 1 < t->p)
            continue;
        for (size_t i = 0; i < t->n; i++)
            memset(c->rows + i * LR_CHUNK + at + 1, 0,
                   (LR_CHUNK - 1 - at) * sizeof(double));
        add_chunk(t, c, c->gram);
        lr_check_interrupt();
    }
}

static void gram_of_samples(gram_task *t, double *gram)
{
    size_t n = t->n, up = n + LR_DOUBLE_LANES;
    gram_chunk c = {.gram = gram, .rows = new_doubles(n * LR_CHUNK),
                    .pack = new_doubles(up * LR_CHUNK),
                    .panel = new_doubles(LR_DOUBLE_LANES * LR_CHUNK),
                    .out = new_doubles(LR_DOUBLE_LANES * up)};
    t->chunk = &c;
    each_block(t, gather_block);
    t->chunk = NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            gram[j + i * n] = gram[i + j * n];
}

/* C'C: its product with unit vectors, some at a time. */
static void gram_of_features(gram_task *t, double *gram)
{
    double *unit = new_doubles(t->p * LR_VECTORS);
    for (size_t first = 0; first < t->p; first += LR_VECTORS) {
        memset(unit, 0, t->p * LR_VECTORS * sizeof(double));
        for (size_t v = 0; v < LR_VECTORS && first + v < t->p; v++)
            unit[(first + v) * LR_VECTORS + v] = 1.0;
        const double *out = gram_apply(t, unit);
        for (size_t v = 0; v < LR_VECTORS && first + v < t->p; v++)
            for (size_t j = 0; j < t->p; j++)
                gram[j + (first + v) * t->p] = out[j * LR_VECTORS + v];
    }
    for (size_t i = 0; i < t->p; i++)
        for (size_t j = 0; j < i; j++)
            gram[j + i * t->p] = gram[i + j * t->p] =
                (gram[j + i * t->p] + gram[i + j * t->p]) / 2.0;
}

void gram_whole(gram_task *t, double *gram)
{
    memset(gram, 0, t->m * t->m * sizeof(double));
    if (t->m == t->n)
        gram_of_samples(t, gram);
    else
        gram_of_features(t, gram);
}
