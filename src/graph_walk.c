/* Edges, eigenvectors and conjugate gradients of graphs, in portions. */
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
    lr_metric metric;
    size_t most, count; /* count: of pairs that are near, also above most */
    double epsilon;
    edge_list *near;
} pair_task;

static void keep_near(void *context, const lr_tile *tile)
{
    pair_task *t = context;
    for (size_t e = 0; e < tile->n_ends; e++) {
        const double *d = tile->distance + e * tile->ld;
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++) {
            double v = lr_is_squared(t->metric) ? sqrt(d[r]) : d[r];
            if (v < t->epsilon && ++t->count <= t->most)
                add_edge(t->near, tile->ends[e] + 1,
                         (int)(tile->first_row + r) + 1, d[r]);
        }
    }
}

size_t near_pairs(pair_walk *walk, double epsilon, size_t most, edge_list *near)
{
    pair_task t = {.metric = walk->metric, .epsilon = epsilon, .most = most,
                   .near = near};
    walk->half = 1;
    walk->collect = keep_near;
    walk->context = &t;
    walk_pairs(walk, "Neighbours");
    return t.count;
}

/* ==== conjugate gradients ================================================= */

enum { ROWS = 512 }; /* that sums run over at a time, in order */

gradients open_gradients(size_t n, lr_block_operator apply, void *context,
                         const run_control *control)
{
    size_t size = n * LR_VECTORS;
    return (gradients){
        .n = n, .apply = apply, .context = context, .control = control,
        .r = new_doubles(size), .p = new_doubles(size), .x = new_doubles(size),
        .sums = new_doubles((n / ROWS + 1) * 2 * LR_VECTORS)};
}

static void deflate_block(const gradients *g, double *x)
{
    size_t count = g->deflate.count;
    if (count == 0)
        return;
    const void *mark = lr_memory_mark();
    double *h = zero_doubles(count * LR_VECTORS);
    lr_dot_basis(&g->deflate, 0, g->n, x, h, g->control->level);
    lr_less_basis(&g->deflate, 0, g->n, h, x, g->control->level);
    lr_memory_reset(mark);
}

/* Moves x and r by `step`; sums of r r, and of r r / diagonal. */
static void move_rows(void *context, size_t item)
{
    const gradients *g = context;
    double *rr = g->sums + item * 2 * LR_VECTORS, *rz = rr + LR_VECTORS;
    memset(rr, 0, 2 * LR_VECTORS * sizeof(double));
    for (size_t i = item * ROWS; i < smaller((item + 1) * ROWS, g->n); i++) {
        double *x = g->x + i * LR_VECTORS, *r = g->r + i * LR_VECTORS;
        const double *p = g->p + i * LR_VECTORS, *y = g->y + i * LR_VECTORS;
        double d = g->diagonal ? g->diagonal[i] : 1.0;
        for (size_t t = 0; t < LR_VECTORS; t++) {
            x[t] += g->step[t] * p[t];
            r[t] -= g->step[t] * y[t];
            rr[t] += r[t] * r[t];
            rz[t] += r[t] * r[t] / d;
        }
    }
}

/* p = r / diagonal + back p */
static void turn_rows(void *context, size_t item)
{
    const gradients *g = context;
    for (size_t i = item * ROWS; i < smaller((item + 1) * ROWS, g->n); i++) {
        double d = g->diagonal ? g->diagonal[i] : 1.0;
        double *p = g->p + i * LR_VECTORS;
        const double *r = g->r + i * LR_VECTORS;
        for (size_t t = 0; t < LR_VECTORS; t++)
            p[t] = r[t] / d + g->back[t] * p[t];
    }
}

static void curve_rows(void *context, size_t item)
{
    const gradients *g = context;
    double *sum = g->sums + item * 2 * LR_VECTORS;
    memset(sum, 0, 2 * LR_VECTORS * sizeof(double));
    for (size_t i = item * ROWS; i < smaller((item + 1) * ROWS, g->n); i++)
        for (size_t t = 0; t < LR_VECTORS; t++)
            sum[t] += g->p[i * LR_VECTORS + t] * g->y[i * LR_VECTORS + t];
}

/* Work for all rows, and what it leaves in g->sums. */
static void over_rows(gradients *g, lr_item use, double *sums)
{
    size_t items = (g->n + ROWS - 1) / ROWS;
    lr_run_items(team_size(g->control, 4.0 * (double)g->n), items, use, g);
    memset(sums, 0, 2 * LR_VECTORS * sizeof(double));
    for (size_t item = 0; item < items; item++)
        for (size_t t = 0; t < 2 * LR_VECTORS; t++)
            sums[t] += g->sums[item * 2 * LR_VECTORS + t];
}

void solve_block(gradients *g, double *length)
{
    double rr[2 * LR_VECTORS], curve[2 * LR_VECTORS], rest[2 * LR_VECTORS];
    double *rz = rr + LR_VECTORS;
    size_t left = LR_VECTORS;
    int done[LR_VECTORS] = {0};
    memset(g->x, 0, g->n * LR_VECTORS * sizeof(double));
    memset(g->p, 0, g->n * LR_VECTORS * sizeof(double));
    memset(g->step, 0, sizeof g->step);
    memset(g->back, 0, sizeof g->back);
    deflate_block(g, g->r);
    g->y = g->p;
    over_rows(g, move_rows, rr);
    for (double steps = 0.0;; steps++) {
        left = 0;
        for (size_t t = 0; t < LR_VECTORS; t++) {
            length[t] = sqrt(rr[t]);
            done[t] = done[t] || !(length[t] > g->tolerance);
            left += !done[t];
        }
        if (left == 0 || steps >= g->most)
            return;
        over_rows(g, turn_rows, rest);
        deflate_block(g, g->p);
        g->y = g->apply(g->context, g->p);
        deflate_block(g, g->y);
        over_rows(g, curve_rows, curve);
        for (size_t t = 0; t < LR_VECTORS; t++) {
            done[t] = done[t] || !(curve[t] > 0.0);
            g->step[t] = done[t] ? 0.0 : rz[t] / curve[t];
            curve[t] = rz[t];
        }
        over_rows(g, move_rows, rr);
        for (size_t t = 0; t < LR_VECTORS; t++)
            g->back[t] = done[t] ? 0.0 : rz[t] / curve[t];
        lr_check_interrupt();
    }
}

/* ==== spectra ============================================================= */

/* The operators of graphs, each product with a chance to interrupt, and what is
 * solved with them. */

void prepare_operators(spectral_context *c)
{
    size_t n = c->laplacian.graph.n;
    c->diagonal = new_doubles(n);
    memcpy(c->diagonal, c->laplacian.degree, n * sizeof(double));
    for (size_t t = 0; t < c->laplacian.n_edits; t++) {
        c->diagonal[c->laplacian.first[t]] += c->laplacian.delta[t];
        c->diagonal[c->laplacian.second[t]] += c->laplacian.delta[t];
    }
    c->one = new_doubles(2 * n);
    c->block = zero_doubles(n * LR_VECTORS);
    c->more_scratch = new_doubles(2 * c->inverse.n_updates);
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

void chebyshev_rows(void *context, size_t from, size_t to)
{
    lr_chebyshev_rows(context, from, to);
}

/* One step from f->step.now on: the next one is in f->step.before. */
static void run_step(filter_task *f)
{
    lr_run_chunks(f->c->laplacian.team, f->step.graph.n, chebyshev_rows,
                  &f->step);
    add_edits(f);
    f->products++;
    lr_check_interrupt();
}

static void start_steps(filter_task *f, const double *x)
{
    size_t size = f->step.graph.n * LR_VECTORS;
    f->step.before = f->buffer[0], f->step.now = f->buffer[1];
    f->step.scaled = f->buffer[2], f->step.turned = f->buffer[3];
    memset(f->buffer[0], 0, size * sizeof(double));
    memcpy(f->buffer[1], x, size * sizeof(double));
    for (size_t i = 0; i < size; i++)
        f->buffer[2][i] = f->c->root[i / LR_VECTORS] * x[i];
}

static double *apply_filter(void *context, const double *x)
{
    filter_task *f = context;
    double half = f->degree > 1 ? (f->cut - f->low) / 2.0 : 1.0;
    f->step.center = f->degree > 1 ? (f->cut + f->low) / 2.0 : 0.0;
    start_steps(f, x);
    for (size_t degree = 1; degree <= f->degree; degree++) {
        f->step.factor = (degree > 1 ? 2.0 : 1.0) / half;
        run_step(f);
        double *now = (double *)f->step.now, *scaled = (double *)f->step.scaled;
        f->step.now = f->step.before, f->step.before = now;
        f->step.scaled = f->step.turned, f->step.turned = scaled;
    }
    return (double *)f->step.now;
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
            .relative = fmax(o->accuracy.spread, 1e-10)};
    }
}

/* The first vector of the block: there is no other. */
static double *apply_inverse(void *context, const double *x)
{
    spectral_context *c = context;
    size_t n = c->laplacian.graph.n;
    lr_check_interrupt();
    for (size_t i = 0; i < n; i++)
        c->one[i] = x[i * LR_VECTORS];
    lr_inverse_product(&c->inverse, c->one, c->one + n, c->more_scratch);
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
        return largest_eigenvectors(&l);
    }
    filter_task f = open_filter(c, o->laplacian);
    l.width = l.also = LR_VECTORS;
    l.keep = o->wanted + 2 * LR_VECTORS;
    /* a product with a full graph is dear, and a longer basis needs fewer */
    size_t blocks = c->laplacian.graph.row ? 6 : 24;
    l.most = 4 * o->wanted + blocks * LR_VECTORS;
    l.elsewhere = 1e-3;
    l.apply = apply_filter;
    l.context = &f;
    return filtered_vectors(&f, &l, o);
}

/* ---- one resolvent ------------------------------------------------------- */

/* (L - shift I) x */
static double *apply_shifted(void *context, const double *x)
{
    filter_task *f = context;
    start_steps(f, x);
    run_step(f);
    return f->step.before;
}

/* (I - shift A^-1) x, close to the identity: of one vector */
static double *apply_complement(void *context, const double *x)
{
    spectral_context *c = context;
    apply_inverse(c, x);
    for (size_t i = 0; i < c->laplacian.graph.n * LR_VECTORS; i++)
        c->block[i] = x[i] - c->shift * c->block[i];
    return c->block;
}

lr_status solve_resolvent(spectral_context *c, double value, double sigma,
                          size_t entry, double *out)
{
    size_t n = c->laplacian.graph.n;
    double length[LR_VECTORS], squares = 0.0, *ones = new_doubles(n);
    for (size_t i = 0; i < n; i++)
        ones[i] = 1.0;
    c->root = ones;
    filter_task f = open_filter(c, 1);
    gradients g = open_gradients(
        n, c->has_inverse ? apply_complement : apply_shifted,
        c->has_inverse ? (void *)c : (void *)&f, &c->control);
    g.deflate = (lr_basis){c->deflate, n, c->n_deflate};
    g.most = 20000.0;
    memset(g.r, 0, n * LR_VECTORS * sizeof(double));
    g.r[entry * LR_VECTORS] = -1.0;
    deflate_block(&g, g.r);
    if (c->has_inverse) {
        /* (L - value) g = r is the same as (I - (value - sigma) A^-1) g =
         * A^-1 r */
        memcpy(g.r, apply_inverse(c, g.r), n * LR_VECTORS * sizeof(double));
        c->shift = value - sigma;
    } else {
        g.diagonal = c->diagonal;
        f.step.factor = -1.0;
        f.step.center = -value;
    }
    for (size_t i = 0; i < n; i++)
        squares += g.r[i * LR_VECTORS] * g.r[i * LR_VECTORS];
    g.tolerance = 1e-13 * sqrt(squares);
    solve_block(&g, length);
    deflate_block(&g, g.x);
    for (size_t i = 0; i < n; i++)
        out[i] = g.x[i * LR_VECTORS];
    return length[0] <= g.tolerance ? LR_OK : LR_NOT_CONVERGED;
}
