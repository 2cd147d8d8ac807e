#include <math.h>

#include "graph_propagate.h"
#include "r_entry.h"
#include "lr_threads.h"

enum { CHUNK = 64, MOST_STEPS = 5000, USUAL_STEPS = 20 };

/* ---- columns of (I - a P)^-1 --------------------------------------------- */

typedef struct {
    lr_graph graph;
    const double *rhs;
    double *out;
    size_t n, count;     /* columns */
    size_t groups;       /* of LR_SOLVE_LANES columns */
    size_t first;        /* group of this portion */
    lr_columns *columns; /* all of them, or a group of each thread */
    size_t *left;        /* columns that are not done, per group */
    int team;
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

/* Buffers for this number of columns. */
static lr_columns open_columns(const solver *s, size_t count,
                               const lr_columns *settings)
{
    size_t n = s->n;
    return (lr_columns){
        .n = n, .columns = count, .a = settings->a,
        .tolerance = settings->tolerance, .root = settings->root,
        .x = lanes(n, count), .r = lanes(n, count), .p = lanes(n, count),
        .y = lanes(n, count), .scaled = lanes(n, count), .rr = lanes(1, count),
        .done = new_ints(lr_lanes_size(1, count))};
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

/* ---- few edges: each group by one thread, in its cache ------------------- */

static void solve_item(void *context, size_t item)
{
    const solver *s = (const solver *)context;
    size_t column = (s->first + item) * LR_SOLVE_LANES;
    lr_columns c = s->columns[lr_own_thread()];
    c.columns = smaller(s->count - column, LR_SOLVE_LANES);
    start_columns(&c, s->rhs + column * s->n);
    size_t left = c.columns;
    for (int step = 0; left > 0 && step < MOST_STEPS; step++) {
        lr_scale_group(&c, 0);
        lr_normalized_rows(&s->graph, c.root, c.scaled, 1, 0, s->n, c.y);
        left = lr_advance_group(&c, 0);
    }
    write_columns(&c, s->out + column * s->n);
}

static void solve_groups(solver *s, const lr_columns *settings,
                         progress_line *line)
{
    size_t portion = 16 * (size_t)s->team; /* between checks for interrupts */
    s->columns = (lr_columns *)R_alloc((size_t)s->team, sizeof(lr_columns));
    for (int t = 0; t < s->team; t++)
        s->columns[t] = open_columns(s, LR_SOLVE_LANES, settings);
    for (s->first = 0; s->first < s->groups; s->first += portion) {
        lr_run_items(s->team, smaller(s->groups - s->first, portion),
                     solve_item, s);
        progress_tick(line, (double)(s->first * LR_SOLVE_LANES));
    }
}

/* ---- all edges: a row of S serves all groups ----------------------------- */

static void scale_item(void *context, size_t group)
{
    lr_scale_group(((const solver *)context)->columns, group);
}

static void multiply_item(void *context, size_t chunk)
{
    const solver *s = (const solver *)context;
    lr_normalized_rows(&s->graph, s->columns->root, s->columns->scaled,
                       s->groups, chunk * CHUNK,
                       smaller((chunk + 1) * CHUNK, s->n), s->columns->y);
}

static void advance_item(void *context, size_t group)
{
    const solver *s = (const solver *)context;
    s->left[group] = lr_advance_group(s->columns, group);
}

static void solve_together(solver *s, const lr_columns *settings,
                           progress_line *line)
{
    size_t left = s->count;
    s->columns = (lr_columns *)R_alloc(1, sizeof(lr_columns));
    *s->columns = open_columns(s, s->count, settings);
    s->left = new_sizes(s->groups);
    start_columns(s->columns, s->rhs);
    for (int step = 0; left > 0 && step < MOST_STEPS; step++) {
        lr_run_items(s->team, s->groups, scale_item, s);
        lr_run_items(s->team, (s->n + CHUNK - 1) / CHUNK, multiply_item, s);
        lr_run_items(s->team, s->groups, advance_item, s);
        left = 0;
        for (size_t group = 0; group < s->groups; group++)
            left += s->left[group];
        progress_tick(line, (double)(s->count - left));
    }
    write_columns(s->columns, s->out);
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
    s.n = s.graph.n;
    s.groups = (s.count + LR_SOLVE_LANES - 1) / LR_SOLVE_LANES;
    double n = (double)s.n;
    double edges = s.graph.row ? (double)s.graph.start[s.n] : n * n;
    s.team = team_size(&c, (edges / 4.0 + 4.0 * n) * (double)s.count
                               * USUAL_STEPS);
    lr_columns settings = {
        .a = Rf_asReal(a), .root = REAL(root),
        .tolerance = residual_length(s.rhs, s.n, s.count)};
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)s.n, (int)s.count));
    s.out = REAL(out);
    progress_line line =
        progress_begin("Propagation", "columns", (double)s.count, c.progress);
    if (s.graph.row)
        solve_groups(&s, &settings, &line);
    else
        solve_together(&s, &settings, &line);
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
    enum { PORTION = 256 }; /* items between two checks for interrupts */
    size_t n = t->product.n, items = (n + LR_TILE_ROWS - 1) / LR_TILE_ROWS;
    int team = team_size(control, (double)n * (double)n
                                      * (double)t->product.k);
    for (t->first = 0; t->first < items; t->first += PORTION) {
        lr_run_items(team, smaller(items - t->first, PORTION), use, t);
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

/* Which of the pairs enter, in order; the first `given` always do. */
SEXP r_admit_pairs(SEXP n, SEXP given, SEXP first, SEXP second, SEXP must_link)
{
    size_t samples = (size_t)Rf_asInteger(n);
    size_t n_pairs = (size_t)Rf_xlength(first);
    int *from_0 = new_ints(2 * n_pairs + 1);
    int *scratch = new_ints(4 * samples + 4 * n_pairs + 1);
    for (size_t t = 0; t < n_pairs; t++) {
        from_0[t] = INTEGER(first)[t] - 1;
        from_0[n_pairs + t] = INTEGER(second)[t] - 1;
    }
    SEXP out = PROTECT(Rf_allocVector(LGLSXP, (R_xlen_t)n_pairs));
    lr_admit_pairs(samples, (size_t)Rf_asInteger(given), n_pairs, from_0,
                   from_0 + n_pairs, LOGICAL(must_link), LOGICAL(out), scratch);
    UNPROTECT(1);
    return out;
}
