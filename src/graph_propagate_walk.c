/* Propagation over a graph, in portions: columns of (I - a P)^-1 and the large
 * entries of H Y'. */
#include "graph_walk.h"

#include <math.h>

#include "lr_products.h"
#include "lr_vector.h"

/* ---- columns of (I - a P)^-1 --------------------------------------------- */

typedef struct {
    const propagation *g;
    lr_chebyshev step;
    int team;
} spread_task;

/* p - a P p */
static double *apply_spread(void *context, const double *p)
{
    spread_task *s = context;
    double *scaled = (double *)s->step.scaled;
    s->step.now = p;
    for (size_t i = 0; i < s->g->graph.n * LR_VECTORS; i++) {
        s->step.before[i] = -p[i];
        scaled[i] = s->g->root[i / LR_VECTORS] * p[i];
    }
    lr_run_chunks(s->team, s->g->graph.n, chebyshev_rows, &s->step);
    return s->step.before;
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

propagated solve_propagation(const propagation *p, run_control c, double *out)
{
    size_t n = p->graph.n, size = n * LR_VECTORS;
    double stored = p->graph.row ? (double)p->graph.start[n]
                                 : (double)n * (double)n;
    propagated done = {0, 0.0};
    spread_task s = {.g = p, .team = team_size(&c, 8.0 * stored),
                     .step = {.graph = p->graph, .root = p->root,
                              .shift = zero_doubles(n), .factor = -p->a,
                              .scaled = new_doubles(size),
                              .before = new_doubles(size),
                              .turned = new_doubles(size), .level = c.level}};
    gradients g = open_gradients(n, apply_spread, &s, &c);
    g.tolerance = residual_length(p->rhs, n, p->count);
    /* four times as many as exact arithmetic would need */
    g.most = fmin(1000.0 + 60.0 * sqrt(2.0 / (1.0 - p->a)), p->most_steps);
    progress_line line =
        progress_begin("Propagation", "columns", (double)p->count, c.progress);
    for (size_t first = 0; first < p->count; first += LR_VECTORS) {
        size_t some = smaller(p->count - first, LR_VECTORS);
        double length[LR_VECTORS];
        for (size_t i = 0; i < size; i++)
            g.r[i] = i % LR_VECTORS < some
                ? p->rhs[i / LR_VECTORS + (first + i % LR_VECTORS) * n] : 0.0;
        solve_block(&g, length);
        for (size_t t = 0; t < some; t++) {
            for (size_t i = 0; i < n; i++)
                out[i + (first + t) * n] = g.x[i * LR_VECTORS + t];
            if (length[t] <= g.tolerance)
                continue;
            done.unfinished++;
            done.longest = isnan(length[t]) ? HUGE_VAL
                                            : fmax(done.longest, length[t]);
        }
        progress_tick(&line, (double)(first + some));
    }
    progress_end(&line);
    return done;
}

/* ---- entries of H Y' ----------------------------------------------------- */

lr_product pack_product(const double *h, const double *y, size_t n, size_t k)
{
    double *panels = new_doubles(lr_pack_size(n, k, LR_TARGETS));
    double *packs = new_doubles(lr_pack_size(n, k, LR_DOUBLE_LANES));
    double *rows = new_doubles(n * k);
    const double **row = lr_allocate(n, sizeof *row);
    for (size_t i = 0; i < n; i++)
        row[i] = rows + i * k;
    lr_turn(y, k, n, rows);
    lr_pack_doubles(rows, n, k, packs);
    lr_turn(h, k, n, rows);
    lr_panel_doubles(row, n, k, panels);
    return (lr_product){n, k, panels, packs};
}

static void maxima_item(void *context, size_t item)
{
    const product_task *t = context;
    lr_row_maxima(&t->product, (t->first + item) * LR_TARGETS, t->maximum);
}

static void count_item(void *context, size_t item)
{
    const product_task *t = context;
    t->count[t->first + item] = lr_strong_entries(
        &t->product, (t->first + item) * LR_TARGETS, &t->strong, 0);
}

static void keep_item(void *context, size_t item)
{
    const product_task *t = context;
    lr_strong_entries(&t->product, (t->first + item) * LR_TARGETS,
                      &t->strong, t->count[t->first + item]);
}

static void run_product(product_task *t, lr_item use,
                        const run_control *control)
{
    double n = (double)t->product.n, k = (double)t->product.k;
    size_t items = (t->product.n + LR_TARGETS - 1) / LR_TARGETS;
    int team = team_size(control, n * n * k);
    double each = floor(LR_PORTION / (LR_TARGETS * n * k + 1.0));
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
    size_t items = (t->product.n + LR_TARGETS - 1) / LR_TARGETS, count = 0;
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
