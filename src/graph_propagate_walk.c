#include <math.h>

#include "graph_walk.h"

/* Operations of a thread between two checks for interrupts, but a step at
 * least, which takes 64 n^2 / 4 of them in a dense graph. */
static const double PORTION = 1e8;

enum {
    MOST_STEPS = 5000,
    USUAL_STEPS = 20,
    MOST_GROUPS = 8 /* that share a pass over a dense graph */
};

/* ---- columns of (I - a P)^-1 --------------------------------------------- */

/* Some columns that one thread solves for together. */
typedef struct {
    lr_columns c;
    size_t first, left; /* the first of them; those that are not done */
    int steps;
} worker;

typedef struct {
    lr_graph graph;
    const double *rhs;
    double *out;
    size_t n, count; /* columns */
    size_t width;    /* columns that a worker takes */
    size_t next;     /* so many times `width` are taken */
    double work;     /* of a step */
    worker *workers; /* of each thread */
} solver;

static double *lanes(size_t n, size_t columns)
{
    return zero_doubles(lr_lanes_size(n, columns));
}

static size_t lane_at(size_t n, size_t column, size_t i)
{
    return (column / LR_SOLVE_LANES * n + i) * LR_SOLVE_LANES
        + column % LR_SOLVE_LANES;
}

/* Residuals are to be 1e-13 of the shortest right-hand side. */
static double residual_length(const double *rhs, size_t n, size_t count)
{
    double least = 0.0;
    for (size_t j = 0; j < count; j++) {
        double squares = 0.0;
        for (size_t i = 0; i < n; i++)
            squares += rhs[i + j * n] * rhs[i + j * n];
        if (squares > 0.0 && (least == 0.0 || squares < least))
            least = squares;
    }
    return 1e-13 * sqrt(least);
}

static void start_columns(lr_columns *c, const double *rhs)
{
    for (size_t lane = 0; lane < lr_lanes_size(1, c->columns); lane++) {
        double squares = 0.0;
        for (size_t i = 0; i < c->n; i++) {
            double v = lane < c->columns ? rhs[i + lane * c->n] : 0.0;
            size_t at = lane_at(c->n, lane, i);
            c->x[at] = 0.0;
            c->r[at] = c->p[at] = v;
            squares += v * v;
        }
        c->rr[lane] = squares;
        c->done[lane] = squares == 0.0;
    }
}

static void write_columns(const lr_columns *c, double *out)
{
    for (size_t j = 0; j < c->columns; j++)
        for (size_t i = 0; i < c->n; i++)
            out[i + j * c->n] = c->x[lane_at(c->n, j, i)];
}

static int next_columns(solver *s, worker *w)
{
    w->first = lr_take_number(&s->next) * s->width;
    if (w->first >= s->count)
        return 0;
    w->c.columns = w->left = smaller(s->count - w->first, s->width);
    w->steps = 0;
    start_columns(&w->c, s->rhs + w->first * s->n);
    return 1;
}

/* Works until nothing is left or the next check for interrupts is due. */
static void work_on(void *context, size_t number)
{
    solver *s = (solver *)context;
    worker *w = s->workers + number;
    for (double spent = 0.0;
         spent < PORTION && (w->left > 0 || next_columns(s, w));
         spent += s->work) {
        size_t groups = (w->c.columns + LR_SOLVE_LANES - 1) / LR_SOLVE_LANES;
        for (size_t g = 0; g < groups; g++)
            lr_scale_group(&w->c, g);
        lr_normalized_rows(&s->graph, w->c.root, w->c.scaled, groups, 0, s->n,
                           w->c.y);
        w->left = 0;
        for (size_t g = 0; g < groups; g++)
            w->left += lr_advance_group(&w->c, g);
        if (++w->steps == MOST_STEPS)
            w->left = 0;
        if (w->left == 0)
            write_columns(&w->c, s->out + w->first * s->n);
    }
}

static void solve(solver *s, int team, progress_line *line)
{
    size_t left = s->count;
    while (left > 0) {
        lr_run_items(team, (size_t)team, work_on, s);
        left = s->count - smaller(s->next * s->width, s->count);
        for (int t = 0; t < team; t++)
            left += s->workers[t].left;
        progress_tick(line, (double)(s->count - left));
    }
}

void solve_propagation(const propagation *g, run_control c, double *out)
{
    solver s = {.graph = g->graph, .rhs = g->rhs, .out = out,
                .count = g->count};
    size_t n = s.n = s.graph.n, width = LR_SOLVE_LANES;
    double edges =
        s.graph.row ? (double)s.graph.start[n] : (double)n * (double)n;
    s.work = edges / 4.0 + 4.0 * (double)n;
    int team = team_size(&c, s.work * (double)s.count * USUAL_STEPS);
    /* few edges: one group at a time stays in the cache of its thread */
    if (!s.graph.row)
        width *= smaller(MOST_GROUPS, s.count / (width * (size_t)team) + 1);
    s.width = width;
    s.work *= (double)width;
    double tolerance = residual_length(s.rhs, n, s.count);
    s.workers = (worker *)zero_structs((size_t)team, sizeof(worker));
    for (int t = 0; t < team; t++)
        s.workers[t].c = (lr_columns){
            .n = n, .a = g->a, .tolerance = tolerance,
            .root = g->root, .x = lanes(n, width), .r = lanes(n, width),
            .p = lanes(n, width), .y = lanes(n, width),
            .scaled = lanes(n, width), .rr = lanes(1, width),
            .done = new_ints(lr_lanes_size(1, width))};
    progress_line line =
        progress_begin("Propagation", "columns", (double)s.count, c.progress);
    solve(&s, team, &line);
    progress_end(&line);
}

/* ---- entries of H Y' ----------------------------------------------------- */

lr_product pack_product(const double *h, const double *y, size_t n, size_t k)
{
    double *rows = zero_doubles((n + LR_TILE_ROWS) * k);
    double *packed = lanes(k, n);
    for (size_t j = 0; j < k; j++)
        for (size_t i = 0; i < n; i++) {
            rows[i * k + j] = h[i + j * n];
            packed[lane_at(k, i, j)] = y[i + j * n];
        }
    return (lr_product){n, k, rows, packed};
}

static void maxima_item(void *context, size_t item)
{
    const product_task *t = (const product_task *)context;
    lr_row_maxima(&t->product, (t->first + item) * LR_TILE_ROWS, t->maximum);
}

static void count_item(void *context, size_t item)
{
    const product_task *t = (const product_task *)context;
    t->count[t->first + item] = lr_strong_entries(
        &t->product, (t->first + item) * LR_TILE_ROWS, &t->strong, 0);
}

static void keep_item(void *context, size_t item)
{
    const product_task *t = (const product_task *)context;
    lr_strong_entries(&t->product, (t->first + item) * LR_TILE_ROWS,
                      &t->strong, t->count[t->first + item]);
}

static void run_product(product_task *t, lr_item use,
                        const run_control *control)
{
    double n = (double)t->product.n, k = (double)t->product.k;
    size_t items = (t->product.n + LR_TILE_ROWS - 1) / LR_TILE_ROWS;
    int team = team_size(control, n * n * k);
    double each = floor(PORTION / (LR_TILE_ROWS * n * k + 1.0));
    size_t portion = (size_t)team * (size_t)fmax(1.0, each);
    for (t->first = 0; t->first < items; t->first += portion) {
        lr_run_items(team, smaller(items - t->first, portion), use, t);
        lr_check_interrupt();
    }
}

/* As mean() of R has it, to the last bit. */
static double mean_of(const double *x, size_t n)
{
    long double sum = 0.0L, rest = 0.0L;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    sum /= (long double)n;
    for (size_t i = 0; i < n; i++)
        rest += x[i] - sum;
    return (double)(sum + rest / (long double)n);
}

size_t count_strong(product_task *t, const run_control *control)
{
    size_t items = (t->product.n + LR_TILE_ROWS - 1) / LR_TILE_ROWS, count = 0;
    t->maximum = new_doubles(t->product.n);
    t->count = new_sizes(items);
    run_product(t, maxima_item, control);
    t->strong.tau = mean_of(t->maximum, t->product.n);
    if (!(t->strong.tau > 0.0))
        return 0;
    run_product(t, count_item, control);
    for (size_t i = 0; i < items; i++) {
        size_t own = t->count[i];
        t->count[i] = count; /* where they begin */
        count += own;
    }
    return count;
}

void keep_strong(product_task *t, const run_control *control)
{
    run_product(t, keep_item, control);
}
