#include <math.h>
#include <string.h>

#include "propagate.h"
#include "r_entry.h"
#include "threads.h"

enum { SHARE = 64, MOST_STEPS = 5000, USUAL_STEPS = 20 };

/* ---- columns of (I - a P)^-1 --------------------------------------------- */

typedef struct {
    lr_graph graph;
    lr_columns columns;
    size_t groups;
    size_t *left; /* columns that are not done, per group */
    int team;
} solver;

static double *lanes(size_t n, size_t columns)
{
    size_t size = lr_lanes_size(n, columns);
    double *out = (double *)R_alloc(size, sizeof(double));
    memset(out, 0, size * sizeof(double));
    return out;
}

static size_t lane_at(size_t n, size_t column, size_t i)
{
    return (column / LR_SOLVE_LANES * n + i) * LR_SOLVE_LANES
        + column % LR_SOLVE_LANES;
}

static solver open_solver(SEXP weights, SEXP root, SEXP rhs,
                          const run_control *control)
{
    solver s;
    s.graph = read_graph(weights);
    size_t n = s.graph.n, count = (size_t)Rf_ncols(rhs);
    s.groups = (count + LR_SOLVE_LANES - 1) / LR_SOLVE_LANES;
    s.left = (size_t *)R_alloc(s.groups + 1, sizeof(size_t));
    double edges = s.graph.row ? (double)s.graph.start[n] : (double)(n * n);
    s.team = team_size(control, (edges / 4.0 + 4.0 * (double)n)
                                    * (double)count * USUAL_STEPS);
    lr_columns c = {n, count, 0.0, 0.0, REAL(root), lanes(n, count),
                    lanes(n, count), lanes(n, count), lanes(n, count),
                    lanes(n, count), lanes(1, count), NULL};
    c.done = (int *)R_alloc(s.groups * LR_SOLVE_LANES + 1, sizeof(int));
    s.columns = c;
    return s;
}

/* The right-hand sides, as lanes; residuals are to be 1e-13 of the shortest. */
static void start_columns(lr_columns *c, size_t lanes, const double *rhs)
{
    double least = 0.0;
    for (size_t j = 0; j < lanes; j++) {
        double squares = 0.0;
        for (size_t i = 0; j < c->columns && i < c->n; i++) {
            double v = rhs[i + j * c->n];
            c->r[lane_at(c->n, j, i)] = c->p[lane_at(c->n, j, i)] = v;
            squares += v * v;
        }
        c->rr[j] = squares;
        c->done[j] = squares == 0.0;
        if (squares > 0.0 && (least == 0.0 || squares < least))
            least = squares;
    }
    c->tolerance = 1e-13 * sqrt(least);
}

static void scale_item(void *context, size_t group, int thread)
{
    lr_scale_group(&((const solver *)context)->columns, group);
    (void)thread;
}

static void multiply_item(void *context, size_t share, int thread)
{
    const solver *s = (const solver *)context;
    size_t from = share * SHARE, n = s->graph.n;
    lr_normalized_rows(&s->graph, s->columns.root, s->columns.scaled,
                       s->groups, from, from + SHARE < n ? from + SHARE : n,
                       s->columns.y);
    (void)thread;
}

static void advance_item(void *context, size_t group, int thread)
{
    const solver *s = (const solver *)context;
    s->left[group] = lr_advance_group(&s->columns, group);
    (void)thread;
}

static size_t one_step(solver *s)
{
    size_t left = 0;
    lr_run_items(s->team, s->groups, scale_item, s);
    lr_run_items(s->team, (s->graph.n + SHARE - 1) / SHARE, multiply_item, s);
    lr_run_items(s->team, s->groups, advance_item, s);
    for (size_t group = 0; group < s->groups; group++)
        left += s->left[group];
    return left;
}

/* (I - a P)^-1 rhs, P = D^-1/2 S D^-1/2: n x T as rhs is; root: 1 /
 * sqrt(degree), 0 for isolated samples. Residuals are at most 1e-13 of the
 * shortest right-hand side. */
SEXP r_propagation_columns(SEXP weights, SEXP root, SEXP a, SEXP rhs,
                           SEXP control)
{
    run_control c = read_control(control);
    solver s = open_solver(weights, root, rhs, &c);
    size_t n = s.graph.n, count = s.columns.columns, left = count;
    s.columns.a = Rf_asReal(a);
    start_columns(&s.columns, s.groups * LR_SOLVE_LANES, REAL(rhs));
    progress_line line =
        progress_begin("Propagation", "columns", (double)count, c.progress);
    for (int step = 0; left > 0 && step < MOST_STEPS; step++) {
        left = one_step(&s);
        progress_tick(&line, (double)(count - left));
    }
    progress_end(&line);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)n, (int)count));
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < n; i++)
            REAL(out)[i + j * n] = s.columns.x[lane_at(n, j, i)];
    UNPROTECT(1);
    return out;
}

/* ---- entries of H Y' ----------------------------------------------------- */

static lr_product read_product(SEXP h, SEXP y)
{
    size_t n = (size_t)Rf_nrows(h), k = (size_t)Rf_ncols(h);
    double *rows = (double *)R_alloc((n + LR_TILE_ROWS) * k, sizeof(double));
    double *packed = lanes(k, n);
    memset(rows, 0, (n + LR_TILE_ROWS) * k * sizeof(double));
    for (size_t j = 0; j < k; j++)
        for (size_t i = 0; i < n; i++) {
            rows[i * k + j] = REAL(h)[i + j * n];
            packed[lane_at(k, i, j)] = REAL(y)[i + j * n];
        }
    lr_product product = {n, k, rows, packed};
    return product;
}

typedef struct {
    lr_product product;
    double *maximum;
    lr_strong strong;
    size_t *count; /* strong entries of each item, then where they begin */
    size_t first;  /* item of this portion */
} product_task;

static void maxima_item(void *context, size_t item, int thread)
{
    const product_task *t = (const product_task *)context;
    lr_row_maxima(&t->product, (t->first + item) * LR_TILE_ROWS, t->maximum);
    (void)thread;
}

static void count_item(void *context, size_t item, int thread)
{
    const product_task *t = (const product_task *)context;
    t->count[t->first + item] = lr_strong_entries(
        &t->product, (t->first + item) * LR_TILE_ROWS, &t->strong, 0);
    (void)thread;
}

static void keep_item(void *context, size_t item, int thread)
{
    const product_task *t = (const product_task *)context;
    lr_strong_entries(&t->product, (t->first + item) * LR_TILE_ROWS,
                      &t->strong, t->count[t->first + item]);
    (void)thread;
}

static void run_product(product_task *t, lr_item use,
                        const run_control *control)
{
    enum { PORTION = 256 }; /* items between two looks at the user */
    size_t n = t->product.n, items = (n + LR_TILE_ROWS - 1) / LR_TILE_ROWS;
    int team = team_size(control, (double)n * (double)n
                                      * (double)t->product.k);
    for (t->first = 0; t->first < items; t->first += PORTION) {
        size_t left = items - t->first;
        lr_run_items(team, left < PORTION ? left : PORTION, use, t);
        R_CheckUserInterrupt();
    }
}

/* The largest entry of each row of H Y'. */
SEXP r_row_maxima(SEXP h, SEXP y, SEXP control)
{
    run_control c = read_control(control);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, Rf_nrows(h)));
    product_task t = {read_product(h, y), REAL(out), {0, 0, NULL, NULL, NULL},
                      NULL, 0};
    run_product(&t, maxima_item, &c);
    UNPROTECT(1);
    return out;
}

/* Where the entries of each item begin; returns the number of all. */
static size_t add_up(size_t *count, size_t items)
{
    size_t sum = 0;
    for (size_t i = 0; i < items; i++) {
        size_t own = count[i];
        count[i] = sum;
        sum += own;
    }
    return sum;
}

/* list(count, first, second, value): the entries above the diagonal of H Y' of
 * at least tau (both: or at most -tau), from 1; when there are more than
 * `most`, their number alone. options: list(tau, both, most). */
SEXP r_strong_entries(SEXP h, SEXP y, SEXP options, SEXP control)
{
    const char *names[] = {"count", "first", "second", "value", ""};
    run_control c = read_control(control);
    size_t items = ((size_t)Rf_nrows(h) + LR_TILE_ROWS - 1) / LR_TILE_ROWS;
    lr_strong strong = {list_real(options, "tau"), list_int(options, "both"),
                        NULL, NULL, NULL};
    product_task t = {read_product(h, y), NULL, strong,
                      (size_t *)R_alloc(items + 1, sizeof(size_t)), 0};
    run_product(&t, count_item, &c);
    size_t count = add_up(t.count, items);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_ScalarReal((double)count));
    if ((double)count <= list_real(options, "most")) {
        for (int i = 1; i < 4; i++)
            SET_VECTOR_ELT(out, i, Rf_allocVector(i < 3 ? INTSXP : REALSXP,
                                                  (R_xlen_t)count));
        t.strong.first = INTEGER(VECTOR_ELT(out, 1));
        t.strong.second = INTEGER(VECTOR_ELT(out, 2));
        t.strong.value = REAL(VECTOR_ELT(out, 3));
        run_product(&t, keep_item, &c);
        for (size_t i = 0; i < count; i++) {
            t.strong.first[i]++;
            t.strong.second[i]++;
        }
    }
    UNPROTECT(1);
    return out;
}

/* Which of the pairs enter, in order; the first `given` always do. */
SEXP r_admit_pairs(SEXP n, SEXP given, SEXP first, SEXP second, SEXP must_link)
{
    size_t samples = (size_t)Rf_asInteger(n);
    size_t n_pairs = (size_t)Rf_xlength(first);
    int *from_0 = (int *)R_alloc(2 * n_pairs + 1, sizeof(int));
    int *scratch = (int *)R_alloc(4 * samples + 4 * n_pairs + 1, sizeof(int));
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
