#include <math.h>

#include "graph_propagate.h"
#include "r_entry.h"
#include "lr_threads.h"

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

/* (I - a P)^-1 rhs, P = D^-1/2 S D^-1/2: n x T as rhs is; root: 1 /
 * sqrt(degree), 0 for isolated samples. Residuals are at most 1e-13 of the
 * shortest right-hand side. */
SEXP r_propagation_columns(SEXP weights, SEXP root, SEXP a, SEXP rhs,
                           SEXP control)
{
    run_control c = read_control(control);
    solver s = {.graph = read_graph(weights), .rhs = REAL(rhs),
                .count = (size_t)Rf_ncols(rhs)};
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
            .n = n, .a = Rf_asReal(a), .tolerance = tolerance,
            .root = REAL(root), .x = lanes(n, width), .r = lanes(n, width),
            .p = lanes(n, width), .y = lanes(n, width),
            .scaled = lanes(n, width), .rr = lanes(1, width),
            .done = new_ints(lr_lanes_size(1, width))};
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)n, (int)s.count));
    s.out = REAL(out);
    progress_line line =
        progress_begin("Propagation", "columns", (double)s.count, c.progress);
    solve(&s, team, &line);
    progress_end(&line);
    UNPROTECT(1);
    return out;
}

/* ---- entries of H Y' ----------------------------------------------------- */

static lr_product read_product(SEXP h, SEXP y)
{
    size_t n = (size_t)Rf_nrows(h), k = (size_t)Rf_ncols(h);
    double *rows = zero_doubles((n + LR_TILE_ROWS) * k);
    double *packed = lanes(k, n);
    for (size_t j = 0; j < k; j++)
        for (size_t i = 0; i < n; i++) {
            rows[i * k + j] = REAL(h)[i + j * n];
            packed[lane_at(k, i, j)] = REAL(y)[i + j * n];
        }
    return (lr_product){n, k, rows, packed};
}

typedef struct {
    lr_product product;
    double *maximum;
    lr_strong strong;
    size_t *count; /* strong entries of each item, then where they begin */
    size_t first;  /* item of this portion */
} product_task;

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
        R_CheckUserInterrupt();
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

/* Entries from 1: first, second and value of `out`. */
static void keep_entries(product_task *t, SEXP out, size_t count,
                         const run_control *control)
{
    t->strong.first = set_ints(out, 2, count);
    t->strong.second = set_ints(out, 3, count);
    t->strong.value = set_reals(out, 4, count);
    run_product(t, keep_item, control);
    for (size_t i = 0; i < count; i++) {
        t->strong.first[i]++;
        t->strong.second[i]++;
    }
}

/* list(tau, count, first, second, value): the entries above the diagonal of
 * H Y' of at least tau (both: or at most -tau), the mean of the row maxima,
 * from 1; when there are more than `most`, their number alone, and none is
 * searched unless tau is positive. options: list(both, most). */
SEXP r_strong_entries(SEXP h, SEXP y, SEXP options, SEXP control)
{
    const char *names[] = {"tau", "count", "first", "second", "value", ""};
    run_control c = read_control(control);
    size_t items = ((size_t)Rf_nrows(h) + LR_TILE_ROWS - 1) / LR_TILE_ROWS;
    product_task t = {.product = read_product(h, y),
                      .maximum = new_doubles((size_t)Rf_nrows(h)),
                      .strong = {.both = list_int(options, "both")},
                      .count = new_sizes(items)};
    run_product(&t, maxima_item, &c);
    t.strong.tau = mean_of(t.maximum, t.product.n);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_ScalarReal(t.strong.tau));
    if (t.strong.tau > 0.0) {
        run_product(&t, count_item, &c);
        size_t count = 0;
        for (size_t i = 0; i < items; i++) {
            size_t own = t.count[i];
            t.count[i] = count; /* where they begin */
            count += own;
        }
        SET_VECTOR_ELT(out, 1, Rf_ScalarReal((double)count));
        if ((double)count <= list_real(options, "most"))
            keep_entries(&t, out, count, &c);
    }
    UNPROTECT(1);
    return out;
}

/* Which of the pairs, from 0, enter, in order; the first `given` always do. */
SEXP r_admit_pairs(SEXP n, SEXP given, SEXP first, SEXP second, SEXP must_link)
{
    size_t samples = (size_t)Rf_asInteger(n);
    size_t n_pairs = (size_t)Rf_xlength(first);
    int *scratch = new_ints(4 * samples + 4 * n_pairs);
    SEXP out = PROTECT(Rf_allocVector(LGLSXP, (R_xlen_t)n_pairs));
    lr_admit_pairs(samples, (size_t)Rf_asInteger(given), n_pairs,
                   INTEGER(first), INTEGER(second), LOGICAL(must_link),
                   LOGICAL(out), scratch);
    UNPROTECT(1);
    return out;
}
