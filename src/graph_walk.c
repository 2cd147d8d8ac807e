/* Edges, degrees, eigenvectors and propagation of graphs, in portions. */
#include "graph_walk.h"

#include <math.h>

/* ==== graphs of samples =================================================== */

void add_edge(edge_list *list, int from, int to, double weight)
{
    if (list->count == list->capacity) {
        size_t count = list->count, more = 2 * count + 1024;
        edge_list grown = {count, more, new_ints(more), new_ints(more),
                           new_doubles(more)};
        if (count > 0) {
            memcpy(grown.from, list->from, count * sizeof(int));
            memcpy(grown.to, list->to, count * sizeof(int));
            memcpy(grown.weight, list->weight, count * sizeof(double));
        }
        *list = grown;
    }
    list->from[list->count] = from;
    list->to[list->count] = to;
    list->weight[list->count++] = weight;
}

typedef struct {
    const graph_options *options;
    lr_metric metric;
    size_t n;
    double features; /* p, for the mean over features */
    lr_lists lists;  /* for the adjacency or the self-tuning scale */
    edge_list near;  /* nearer than epsilon */
    size_t n_edges;  /* how many these are, also above what is kept */
} graph_task;

/* Where both outputs are known they are the distance; else the mean over the
 * features: d^2 of (10) [Doquire & Verleysen 2013]. */
static void use_response(void *context, const lr_tile *tile, size_t from,
                         size_t to)
{
    const graph_task *g = context;
    for (size_t e = 0; e < tile->n_ends; e++) {
        double *d = tile->distance + e * tile->ld;
        double y = g->options->response[tile->ends[e]];
        for (size_t r = from; r < to; r++) {
            double v = y - g->options->response[tile->first_row + r];
            d[r] = isnan(v) ? d[r] / g->features : v * v;
        }
    }
}

static double squared(const graph_task *g, double d)
{
    return lr_is_squared(g->metric) ? d : d * d;
}

static double unsquared(const graph_task *g, double d)
{
    return lr_is_squared(g->metric) ? sqrt(d) : d;
}

static void keep_near(void *context, const lr_tile *tile)
{
    graph_task *g = context;
    for (size_t e = 0; e < tile->n_ends; e++) {
        const double *d = tile->distance + e * tile->ld;
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++) {
            double v = unsquared(g, d[r]);
            if (v < g->options->epsilon
                && ++g->n_edges <= g->options->most_edges)
                add_edge(&g->near, tile->ends[e], (int)(tile->first_row + r),
                         squared(g, d[r]));
        }
    }
}

static void keep_all(const graph_task *g, const lr_tile *tile, lr_chunk chunk)
{
    double *dense = g->options->dense;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        const double *d = tile->distance + e * tile->ld;
        size_t end = (size_t)tile->ends[e];
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++) {
            size_t row = tile->first_row + r;
            dense[row + end * g->n] = squared(g, d[r]);
            dense[end + row * g->n] = squared(g, d[r]);
        }
    }
}

static void use_tile(void *context, const lr_tile *tile, lr_chunk chunk)
{
    graph_task *g = context;
    if (g->lists.k > 0)
        lr_lists_offer(&g->lists, tile, chunk);
    if (g->options->adjacency == FULL)
        keep_all(g, tile, chunk);
}

/* ---- from what the walk has kept to list(start, row, weight) ------------- */

static lr_graph_edges listed_edges(const graph_task *g)
{
    size_t most = g->n * g->lists.k;
    lr_graph_edges l = {new_ints(most), new_ints(most), new_doubles(most), 0};
    for (size_t i = 0; i < g->n; i++)
        for (int j = 0; j < g->lists.count[i]; j++) {
            size_t at = i * g->lists.k + (size_t)j;
            l.first[l.count] = (int)i;
            l.second[l.count] = g->lists.row[at];
            l.square[l.count++] = squared(g, g->lists.distance[at]);
        }
    return l;
}

static const double *tuning_scales(const graph_task *g)
{
    double *scale = new_doubles(g->n);
    for (size_t i = 0; i < g->n; i++) {
        /* the k-th neighbour is the farthest one, on top of the heap */
        double d =
            g->lists.count[i] > 0 ? g->lists.distance[i * g->lists.k] : 0.0;
        scale[i] = unsquared(g, d);
    }
    lr_fix_scales(scale, g->n);
    return scale;
}

static lr_graph sparse_graph(const graph_task *g, lr_weighting *weighting)
{
    int adjacency = g->options->adjacency;
    lr_graph_edges near = {g->near.from, g->near.to, g->near.weight,
                           g->near.count};
    lr_graph_edges edges = adjacency == EPSILON ? near : listed_edges(g);
    size_t most = 2 * edges.count;
    lr_graph_buffer buffer = {new_ints(g->n + 1), new_ints(most),
                              new_doubles(most), new_ints(2 * most),
                              new_doubles(most)};
    lr_join_edges(g->n, &edges, adjacency == MUTUAL_KNN, &buffer);
    lr_graph graph = {g->n, buffer.start, buffer.row, buffer.value};
    lr_weigh_edges(&graph, buffer.value, 0, g->n, weighting);
    return graph;
}

static lr_graph dense_graph(const graph_task *g, lr_weighting *weighting)
{
    double *dense = g->options->dense;
    lr_graph graph = {g->n, NULL, NULL, dense};
    for (size_t c = 0; c < g->n; c++) {
        lr_weigh_edges(&graph, dense, c, c + 1, weighting);
        lr_check_interrupt();
    }
    return graph;
}

/* Those that R has searched. */
static void take_lists(const graph_options *o, lr_lists *lists)
{
    for (size_t i = 0; i < lists->n_slots; i++) {
        size_t at = i * o->k, end = at + o->k;
        lr_nearest list = {lists->distance + at, lists->row + at, o->k, 0};
        for (; at < end && o->row[at] > 0; at++)
            lr_nearest_offer(&list, o->distance[at], o->row[at] - 1);
        lists->count[i] = (int)list.count;
    }
}

size_t similarity_graph(const pair_walk *walk, const graph_options *options,
                        lr_graph *graph)
{
    static const lr_list_rule plain = {1, NULL, NULL, NULL};
    int adjacency = options->adjacency;
    pair_walk w = *walk;
    w.half = 1;
    graph_task g = {.options = options, .metric = w.metric, .n = w.n,
                    .features = (double)w.data->p,
                    .lists = allocate_lists(&w, &plain, options->k, 0)};
    w.change = options->response ? use_response : NULL;
    w.use = use_tile;
    w.collect = adjacency == EPSILON ? keep_near : NULL;
    w.context = &g;
    if (options->row)
        take_lists(options, &g.lists);
    else
        walk_pairs(&w, "Neighbours");
    if (g.n_edges <= options->most_edges) {
        lr_weighting weighting = options->weighting;
        if (weighting.kind == LR_SELF_TUNING)
            weighting.scale = tuning_scales(&g);
        *graph = adjacency == FULL ? dense_graph(&g, &weighting)
                                   : sparse_graph(&g, &weighting);
    }
    return g.n_edges;
}

/* ==== propagation ========================================================= */

/* Operations of a thread between two checks for interrupts, but a step at
 * least, which takes 64 n^2 / 4 of them in a dense graph. */
static const double PORTION = 1e8;

enum {
    USUAL_STEPS = 20,
    MOST_GROUPS = 8 /* that share a pass over a dense graph */
};

/* ---- columns of (I - a P)^-1 --------------------------------------------- */

/* Some columns that one thread solves for together. */
typedef struct {
    lr_columns c;
    size_t first, left; /* the first of them; those that are not done */
    double steps;
    size_t unfinished;  /* of all its columns, and the longest residual */
    double longest;
} worker;

typedef struct {
    lr_graph graph;
    const double *rhs;
    double *out;
    size_t n, count; /* columns */
    size_t width;    /* columns that a worker takes */
    size_t next;     /* so many times `width` are taken */
    double work;     /* of a step */
    double most;     /* steps */
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

/* Those that have not ended are counted. */
static void write_columns(worker *w, double *out)
{
    const lr_columns *c = &w->c;
    for (size_t j = 0; j < c->columns; j++) {
        for (size_t i = 0; i < c->n; i++)
            out[i + j * c->n] = c->x[lane_at(c->n, j, i)];
        double length = sqrt(c->rr[j]);
        if (length <= c->tolerance)
            continue;
        w->unfinished++;
        w->longest = isnan(length) ? HUGE_VAL : fmax(w->longest, length);
    }
}

static int next_columns(solver *s, worker *w)
{
    w->first = lr_take_number(&s->next) * s->width;
    if (w->first >= s->count)
        return 0;
    w->c.columns = w->left = smaller(s->count - w->first, s->width);
    w->steps = 0.0;
    start_columns(&w->c, s->rhs + w->first * s->n);
    return 1;
}

/* Works until nothing is left or the next check for interrupts is due. */
static void work_on(void *context, size_t number)
{
    solver *s = context;
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
        if (++w->steps >= s->most)
            w->left = 0;
        if (w->left == 0)
            write_columns(w, s->out + w->first * s->n);
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

propagated solve_propagation(const propagation *g, run_control c, double *out)
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
    /* four times as many as exact arithmetic would need */
    s.most = fmin(1000.0 + 60.0 * sqrt(2.0 / (1.0 - g->a)), g->most_steps);
    s.workers = zero_structs((size_t)team, sizeof(worker));
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
    propagated done = {0, 0.0};
    for (int t = 0; t < team; t++) {
        done.unfinished += s.workers[t].unfinished;
        done.longest = fmax(done.longest, s.workers[t].longest);
    }
    return done;
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
    const product_task *t = context;
    lr_row_maxima(&t->product, (t->first + item) * LR_TILE_ROWS, t->maximum);
}

static void count_item(void *context, size_t item)
{
    const product_task *t = context;
    t->count[t->first + item] = lr_strong_entries(
        &t->product, (t->first + item) * LR_TILE_ROWS, &t->strong, 0);
}

static void keep_item(void *context, size_t item)
{
    const product_task *t = context;
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

/* ==== spectra ============================================================= */

/* The operators of graphs, each product with a chance to interrupt, and what is
 * solved with them. */

/* Of conjugate gradients; the number of steps is only a guard. */
static const lr_stop USUAL_STOP = {1e-13, 20000};

void prepare_operators(spectral_context *c)
{
    size_t n = c->laplacian.graph.n;
    c->diagonal = new_doubles(n);
    memcpy(c->diagonal, c->laplacian.degree, n * sizeof(double));
    for (size_t t = 0; t < c->laplacian.n_edits; t++) {
        c->diagonal[c->laplacian.first[t]] += c->laplacian.delta[t];
        c->diagonal[c->laplacian.second[t]] += c->laplacian.delta[t];
    }
    c->scratch = new_doubles(4 * n);
    c->more_scratch = new_doubles(2 * c->inverse.n_updates);
}

/* ---- operators ----------------------------------------------------------- */

/* Every product lets the user interrupt: an iteration may take thousands. */
static void apply_laplacian(void *context, const double *x, double *y)
{
    spectral_context *c = context;
    lr_check_interrupt();
    lr_laplacian_product(&c->laplacian, x, y);
}

static void apply_factor(void *context, const double *x, double *y)
{
    spectral_context *c = context;
    lr_check_interrupt();
    lr_inverse_product(&c->inverse, x, y, c->more_scratch);
}

static lr_deflated deflated_space(spectral_context *c, lr_operator apply)
{
    return (lr_deflated){c->laplacian.graph.n, apply, c, c->deflate,
                         c->n_deflate};
}

/* L - shift I */
static void apply_shifted(void *context, const double *x, double *y)
{
    spectral_context *c = context;
    apply_laplacian(c, x, y);
    for (size_t i = 0; i < c->laplacian.graph.n; i++)
        y[i] -= c->shift * x[i];
}

/* I - shift A^-1 */
static void apply_complement(void *context, const double *x, double *y)
{
    spectral_context *c = context;
    apply_factor(c, x, y);
    for (size_t i = 0; i < c->laplacian.graph.n; i++)
        y[i] = x[i] - c->shift * y[i];
}

/* ---- eigenvectors of a graph --------------------------------------------- */

/* Eigenvalues next to the largest one, as a graph of samples along a curve has
 * them, are too near to one another for Lanczos: of 10,000 samples of
 * similarity_graph(k = 5) four vectors were off by 743 % after 3000 products.
 * A polynomial of the operator, small between `low` and `cut`, moves them apart
 * (Zhou, Saad, Tiago and Chelikowsky 2006): what Lanczos has found says where
 * to cut. */
typedef struct {
    spectral_context *c;
    lr_chebyshev step;
    double low, cut, top; /* of the operator; top: the largest one possible */
    size_t degree, products;
    double *buffer[4];    /* each n x LR_VECTORS */
} filter_task;

static const double GROWTH = 6.0; /* of the largest one, exp(GROWTH) / 2 */

static filter_task open_filter(spectral_context *c, int laplacian)
{
    size_t n = c->laplacian.graph.n;
    filter_task f = {.c = c, .low = -1.0, .top = 1.0, .degree = 1};
    f.step = (lr_chebyshev){
        .graph = c->laplacian.graph, .root = c->root,
        .shift = laplacian ? c->laplacian.degree : zero_doubles(n),
        .level = c->control.level};
    if (laplacian) {
        f.top = f.low = 0.0;
        for (size_t i = 0; i < n; i++)
            f.low = fmin(f.low, -2.0 * c->diagonal[i]);
    }
    for (int b = 0; b < 4; b++)
        f.buffer[b] = new_doubles(n * LR_VECTORS);
    return f;
}

static void filter_rows(void *context, size_t from, size_t to)
{
    lr_chebyshev_rows(context, from, to);
}

/* What the edits of -L add. */
static void add_edits(const filter_task *f)
{
    const lr_laplacian *l = &f->c->laplacian;
    for (size_t e = 0; e < l->n_edits; e++)
        for (size_t t = 0; t < LR_VECTORS; t++) {
            size_t a = (size_t)l->first[e] * LR_VECTORS + t;
            size_t b = (size_t)l->second[e] * LR_VECTORS + t;
            double change = f->step.factor * l->delta[e]
                * (f->step.now[b] - f->step.now[a]);
            double own[] = {change, -change};
            for (int side = 0; side < 2; side++) {
                f->step.before[side ? b : a] += own[side];
                f->step.turned[side ? b : a] += own[side]; /* R is I */
            }
        }
}

static const double *apply_filter(void *context, const double *x)
{
    filter_task *f = context;
    size_t n = f->step.graph.n, size = n * LR_VECTORS;
    double *before = f->buffer[0], *now = f->buffer[1];
    double *scaled = f->buffer[2], *turned = f->buffer[3];
    double half = f->degree > 1 ? (f->cut - f->low) / 2.0 : 1.0;
    f->step.center = f->degree > 1 ? (f->cut + f->low) / 2.0 : 0.0;
    memset(before, 0, size * sizeof(double));
    memcpy(now, x, size * sizeof(double));
    for (size_t i = 0; i < size; i++)
        scaled[i] = f->c->root[i / LR_VECTORS] * x[i];
    for (size_t degree = 1; degree <= f->degree; degree++) {
        f->step.factor = (degree > 1 ? 2.0 : 1.0) / half;
        f->step.now = now, f->step.scaled = scaled;
        f->step.before = before, f->step.turned = turned;
        lr_run_chunks(f->c->laplacian.team, n, filter_rows, &f->step);
        add_edits(f);
        double *swap = before;
        before = now, now = swap, swap = scaled;
        scaled = turned, turned = swap;
        lr_check_interrupt();
    }
    f->products += f->degree;
    return now;
}

/* The next polynomial, for what the last one left: its values say how far above
 * the cut those of the operator are. */
static void set_filter(filter_task *f, double value, size_t left)
{
    double center = (f->cut + f->low) / 2.0, half = (f->cut - f->low) / 2.0;
    if (f->degree == 1)
        f->cut = value;
    else if (value > 1.0)
        f->cut = center + half * cosh(acosh(value) / (double)f->degree);
    /* not above all, nor below */
    double range = f->top - f->low;
    f->cut = fmin(f->cut, f->top - 1e-14 * range);
    f->cut = fmax(f->cut, f->low + 0.01 * range);
    double above = (2.0 * f->top - f->cut - f->low) / (f->cut - f->low);
    double degree = ceil(GROWTH / acosh(above));
    f->degree = (size_t)fmax(2.0, fmin(degree, (double)left));
}

/* Values and residuals of the operator itself. */
static void judge(filter_task *f, const lr_accuracy *accuracy,
                  eigenvectors *found)
{
    size_t n = f->step.graph.n;
    double *values = new_doubles(found->count);
    double *residuals = new_doubles(found->count);
    double *block = zero_doubles(n * LR_VECTORS);
    f->degree = 1;
    for (size_t v = 0; v < found->count; v++) {
        const double *x = found->vectors + v * n, *y;
        double squares = 0.0;
        for (size_t i = 0; i < n; i++)
            block[i * LR_VECTORS] = x[i];
        y = apply_filter(f, block);
        values[v] = 0.0;
        for (size_t i = 0; i < n; i++)
            values[v] += x[i] * y[i * LR_VECTORS];
        for (size_t i = 0; i < n; i++) {
            double off = y[i * LR_VECTORS] - values[v] * x[i];
            squares += off * off;
        }
        residuals[v] = sqrt(squares);
    }
    found->values = values;
    found->residuals = residuals;
    found->steps = f->products;
    found->excess = 0.0;
    for (size_t v = 0; v < found->count; v++)
        found->excess = fmax(
            found->excess,
            residuals[v] / residual_limit(accuracy, values, found->count, v));
}

/* Are the distances of the values from the top right in five digits? */
static int are_sharp(const filter_task *f, const eigenvectors *found)
{
    for (size_t v = 0; v < found->count; v++)
        if (found->residuals[v] > 1e-5 * (f->top - found->values[v]))
            return 0;
    return found->excess <= 1.0;
}

static eigenvectors filtered_vectors(filter_task *f, lanczos_options *l,
                                     const spectral_options *o)
{
    size_t n = l->m, all = l->wanted + l->also;
    double *start = new_doubles(n * all);
    eigenvectors found;
    for (;;) {
        const void *mark = lr_memory_mark();
        found = largest_eigenvectors(l);
        memcpy(start, found.vectors, n * found.all * sizeof(double));
        found.vectors = l->start = start;
        l->n_start = found.all;
        double last = found.values[found.all - 1];
        lr_memory_reset(mark);
        size_t left = o->steps > f->products ? o->steps - f->products : 0;
        left /= l->most / l->width; /* a degree for all of its products */
        double excess = found.excess;
        size_t degree = f->degree;
        judge(f, &o->accuracy, &found);
        /* of a full graph of 800 samples the polynomial left nothing to find,
         * and did not see it for 30,000 products */
        if (excess <= 1.0 || left < 2 || are_sharp(f, &found))
            return found;
        f->degree = degree;
        set_filter(f, last, left);
        l->cuts = 2;
        /* vectors as accurate as those of the operator would be */
        l->accuracy = (lr_accuracy){
            .relative = fmax(o->accuracy.spread, 1e-9)};
    }
}

static const double *apply_inverse(void *context, const double *x)
{
    spectral_context *c = context;
    size_t n = c->laplacian.graph.n;
    for (size_t i = 0; i < n; i++)
        c->one[i] = x[i * LR_VECTORS];
    apply_factor(c, c->one, c->one + n);
    for (size_t i = 0; i < n; i++)
        c->block[i * LR_VECTORS] = c->one[n + i];
    return c->block;
}

eigenvectors graph_vectors(spectral_context *c, const spectral_options *o)
{
    lanczos_options l = {
        .m = c->laplacian.graph.n, .wanted = o->wanted,
        .deflate = {c->deflate, c->laplacian.graph.n, c->n_deflate},
        .accuracy = o->accuracy, .control = &c->control, .start = o->start,
        .n_start = o->start != NULL};
    if (!c->root) {
        /* one vector at a time, as a product is dear and few are needed */
        l.width = 1;
        l.most = 2 * o->wanted + 40;
        l.keep = l.most / 3;
        l.cuts = (int)(o->steps / l.most);
        l.elsewhere = 1e-6;
        l.apply = apply_inverse;
        l.context = c;
        c->one = new_doubles(2 * l.m);
        c->block = zero_doubles(l.m * LR_VECTORS);
        return largest_eigenvectors(&l);
    }
    filter_task f = open_filter(c, o->laplacian);
    l.width = l.also = LR_VECTORS;
    l.keep = o->wanted + 2 * LR_VECTORS;
    l.most = 4 * o->wanted + 6 * LR_VECTORS;
    l.elsewhere = 1e-3;
    l.apply = apply_filter;
    l.context = &f;
    return filtered_vectors(&f, &l, o);
}

/* ---- one resolvent ------------------------------------------------------- */

lr_status solve_resolvent(spectral_context *c, double value, double sigma,
                          size_t entry, double *g)
{
    size_t n = c->laplacian.graph.n;
    double *rhs = new_doubles(n), *x = zero_doubles(n);
    x[entry] = -1.0;
    lr_project(n, c->deflate, c->n_deflate, x);
    lr_operator apply = apply_shifted;
    c->shift = value;
    if (c->has_inverse) {
        /* (L - value) g = r is the same as (I - (value - sigma) A^-1) g =
         * A^-1 r, which is close to the identity */
        lr_inverse_product(&c->inverse, x, rhs, c->more_scratch);
        c->shift -= sigma;
        apply = apply_complement;
    } else {
        memcpy(rhs, x, n * sizeof(double));
    }
    lr_deflated space = deflated_space(c, apply);
    return lr_conjugate_gradients(&space, c->has_inverse ? NULL : c->diagonal,
                                  rhs, g, USUAL_STOP, c->scratch);
}
