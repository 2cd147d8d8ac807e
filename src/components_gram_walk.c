/* The centred, scaled data C (n x p) times vectors, without a copy of C: what
 * principal components are made of. */
#include <math.h>

#include "components_walk.h"

enum {
    PART = 512,         /* rows whose vectors are in the first cache together */
    SPARSE_PART = 65536 /* in the third: shorter stretches of a sparse column
                           come slowly from memory (69,000 x 20,000, 3 % of
                           the cells: 16,384 rows take a half longer) */
};

/* ---- the data, feature by feature ---------------------------------------- */

/* Parts of the rows, and where those of each sparse feature end: each thread
 * has one at least. */
static void divide_rows(gram_task *t)
{
    size_t threads = (size_t)t->data->control.threads;
    t->part_rows =
        t->row ? smaller((t->n + threads - 1) / threads, SPARSE_PART) : PART;
    t->n_parts = (t->n + t->part_rows - 1) / t->part_rows;
    if (!t->row)
        return;
    t->part_end = new_ints(t->n_parts * t->p);
    for (size_t j = 0; j < t->p; j++) {
        int at = t->start[j];
        for (size_t part = 0; part < t->n_parts; part++) {
            size_t end = (part + 1) * t->part_rows;
            while (at < t->start[j + 1] && (size_t)t->row[at] < end)
                at++;
            t->part_end[part * t->p + j] = at;
        }
    }
}

/* The divisor of a feature, to be applied to the vectors that its cells are
 * multiplied by, as these are fewer than the cells. It is 1 where such products
 * might vanish or overflow: there the cells are divided. */
static double divisor_of(const gram_task *t, size_t feature)
{
    double divisor = t->data->scaling.divisor[feature];
    return divisor > 1e-100 && divisor < 1e100 ? divisor : 1.0;
}

/* The parts from .. to - 1 of a feature, times its divisor_of(); `buffer` takes
 * them unless the cells can be read directly. */
static lr_cells cells_of(const gram_task *t, const lr_block *block,
                         size_t feature, size_t from, size_t to, double *buffer)
{
    size_t first = from * t->part_rows;
    lr_cells c = {smaller(to * t->part_rows, t->n) - first, first, NULL,
                  buffer};
    const double *x;
    if (t->row) {
        size_t at = (size_t)(from > 0 ? t->part_end[(from - 1) * t->p + feature]
                                      : t->start[feature]);
        c.row = t->row + at;
        c.count = (size_t)t->part_end[(to - 1) * t->p + feature] - at;
        x = t->x + at;
    } else {
        x = block->values + (feature - block->first) * block->stride + first;
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

/* Hands the features first .. end - 1 to `use`, a block at a time: sparse ones
 * at once. */
static void each_block(gram_task *t, size_t first, size_t end,
                       void (*use)(gram_task *, const lr_block *))
{
    while (first < end) {
        lr_block block = {NULL, t->n, t->n, first, end - first, NULL};
        if (!t->row)
            block = source_block(&t->source, first);
        block.count = smaller(block.count, end - first);
        use(t, &block);
        lr_check_interrupt();
        first += block.count;
    }
}

static double block_work(const gram_task *t, const lr_block *block)
{
    size_t end = block->first + block->count;
    return 4.0 * (t->row ? (double)(t->start[end] - t->start[block->first])
                         : (double)t->n * (double)block->count);
}

static void sum_block(gram_task *t, const lr_block *block)
{
    for (size_t j = block->first; j < block->first + block->count; j++) {
        double sum, squares, by = divisor_of(t, j);
        lr_cells c = cells_of(t, block, j, 0, t->n_parts, t->buffer);
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
    divide_rows(&t);
    t.mean = new_doubles(t.p);
    t.buffer =
        new_doubles((size_t)data->control.threads * LR_COLUMNS * t.n);
    t.w = new_doubles(t.p * LR_VECTORS);
    t.y = new_doubles(t.n * LR_VECTORS);
    each_block(&t, 0, t.p, sum_block);
    return t;
}

/* ---- C'y and C w --------------------------------------------------------- */

typedef struct {
    gram_task *gram;
    const lr_block *block;
} product_task;

/* The cells of feature j and, of dense data, of the next ones before `last`
 * where LR_COLUMNS vary. Returns how many features these are: one, or so
 * many. */
static size_t next_features(const gram_task *t, const lr_block *block,
                            size_t j, size_t last, size_t from, size_t to,
                            lr_cells *c)
{
    double *buffer = t->buffer + (size_t)lr_own_thread() * LR_COLUMNS * t->n;
    size_t some = t->row || j + LR_COLUMNS > last ? 1 : LR_COLUMNS;
    for (size_t s = 0; s < some; s++) {
        c[s] = cells_of(t, block, j + s, from, to, buffer + s * t->n);
        if (c[s].count == 0)
            return 1;
    }
    return some;
}

/* w_j = u_j'x, x = gram->from, part by part: the vectors of a part stay in the
 * cache for all features. */
static void dot_features(void *context, size_t from, size_t to)
{
    const product_task *p = context;
    gram_task *t = p->gram;
    size_t first = p->block->first + from, last = p->block->first + to;
    lr_cells c[LR_COLUMNS];
    memset(t->w + first * LR_VECTORS, 0,
           (to - from) * LR_VECTORS * sizeof(double));
    for (size_t part = 0; part < t->n_parts; part++)
        for (size_t j = first, some; j < last; j += some) {
            some = next_features(t, p->block, j, last, part, part + 1, c);
            lr_dot_vectors(c, some, t->from, t->w + j * LR_VECTORS,
                           t->data->control.level);
        }
    for (size_t j = first; j < last; j++)
        for (size_t v = 0; v < LR_VECTORS; v++)
            t->w[j * LR_VECTORS + v] /= divisor_of(t, j);
}

/* y += sum_j u_j w_j'. A part of the rows is one thread's alone, and the order
 * of the features is that of the data in each. */
static void add_rows(void *context, size_t part)
{
    const product_task *p = context;
    gram_task *t = p->gram;
    size_t last = p->block->first + p->block->count;
    lr_cells c[LR_COLUMNS];
    for (size_t j = p->block->first, some; j < last; j += some) {
        double w[LR_COLUMNS * LR_VECTORS];
        some = next_features(t, p->block, j, last, part, part + 1, c);
        for (size_t v = 0; v < some * LR_VECTORS; v++)
            w[v] = t->w[j * LR_VECTORS + v] / divisor_of(t, j + v / LR_VECTORS);
        lr_add_vectors(c, some, w, t->y, t->data->control.level);
    }
}

static void add_block(gram_task *t, const lr_block *block)
{
    product_task p = {t, block};
    lr_run_items(team_size(&t->data->control, block_work(t, block)),
                 t->n_parts, add_rows, &p);
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
    product_task p = {t, block};
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
    for (size_t i = 0; i < t->n; i++)
        for (size_t v = 0; v < LR_VECTORS; v++)
            t->y[i * LR_VECTORS + v] -= sum[v];
}

/* t->y = the features first .. end - 1 of C times their rows of t->w */
static void scores_of(gram_task *t, size_t first, size_t end)
{
    memset(t->y, 0, t->n * LR_VECTORS * sizeof(double));
    each_block(t, first, end, add_block);
    center_rows(t);
}

void gram_scores(gram_task *t)
{
    scores_of(t, 0, t->p);
}

/* The rows first .. p - 1 of t->w = C'x */
static void products_from(gram_task *t, size_t first, const double *x)
{
    t->from = x;
    sum_vectors(x, t->n, NULL, t->sum);
    each_block(t, first, t->p, dot_centered);
}

/* t->w = t->whole x, rows that stay in the cache at a time */
static void apply_whole(gram_task *t, const double *x)
{
    lr_basis all = {t->whole, t->m, t->m};
    memset(t->w, 0, t->p * LR_VECTORS * sizeof(double));
    for (size_t row = 0; row < t->m; row += PART)
        lr_dot_basis(&all, row, smaller(row + PART, t->m), x, t->w,
                     t->data->control.level);
}

const double *gram_apply(gram_task *t, const double *x)
{
    if (t->whole) {
        apply_whole(t, x);
        return t->w;
    }
    if (t->m == t->n) {
        t->from = x;
        sum_vectors(x, t->n, NULL, t->sum);
        memset(t->y, 0, t->n * LR_VECTORS * sizeof(double));
        each_block(t, 0, t->p, dot_and_add);
        center_rows(t);
        return t->y;
    }
    memcpy(t->w, x, t->p * LR_VECTORS * sizeof(double));
    gram_scores(t);
    products_from(t, 0, t->y);
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
        lr_cells cells = cells_of(t, block, j, 0, t->n_parts, t->buffer);
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
    each_block(t, 0, t->p, gather_block);
    t->chunk = NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            gram[j + i * n] = gram[i + j * n];
}

/* C'C: some columns of C at a time with those that follow. */
static void gram_of_features(gram_task *t, double *gram)
{
    for (size_t first = 0; first < t->p; first += LR_VECTORS) {
        size_t end = smaller(first + LR_VECTORS, t->p);
        memset(t->w, 0, t->p * LR_VECTORS * sizeof(double));
        for (size_t j = first; j < end; j++)
            t->w[j * LR_VECTORS + j - first] = 1.0;
        scores_of(t, first, end);
        products_from(t, first, t->y);
        for (size_t j = first; j < t->p; j++)
            for (size_t k = first; k < end; k++)
                gram[k + j * t->p] = gram[j + k * t->p] =
                    t->w[j * LR_VECTORS + k - first];
    }
}

double *gram_whole(gram_task *t)
{
    double *gram = new_doubles(t->m * t->m);
    memset(gram, 0, t->m * t->m * sizeof(double));
    if (t->m == t->n)
        gram_of_samples(t, gram);
    else
        gram_of_features(t, gram);
    return gram;
}
