#include <math.h>
#include <string.h>

#include "propagate.h"
#include "r_entry.h"
#include "threads.h"

enum { SHARE = 64, MOST_STEPS = 5000 };

/* ---- columns of (I - a P)^-1 --------------------------------------------- */

typedef struct {
    lr_graph graph;
    const double *root;
    size_t columns, groups;
    double *x, *r, *p, *y, *scaled;
    lr_column *state;
} column_task;

static double *lanes(size_t n, size_t columns)
{
    size_t size = lr_lanes_size(n, columns);
    double *out = (double *)R_alloc(size, sizeof(double));
    memset(out, 0, size * sizeof(double));
    return out;
}

static void multiply(column_task *t, const run_control *control)
{
    size_t n = t->graph.n, all = t->groups * n;
    double edges = t->graph.row ? (double)t->graph.start[n] : (double)(n * n);
    int team = team_size(control, edges * (double)t->columns / 4.0);
    for (size_t e = 0; e < all; e++)
        for (int lane = 0; lane < LR_SOLVE_LANES; lane++)
            t->scaled[e * LR_SOLVE_LANES + (size_t)lane] =
                t->root[e % n] * t->p[e * LR_SOLVE_LANES + (size_t)lane];
    int shares = (int)((n + SHARE - 1) / SHARE);
#ifdef _OPENMP
#pragma omp parallel for num_threads(team) schedule(static)
#endif
    for (int s = 0; s < shares; s++) {
        size_t from = (size_t)s * SHARE;
        size_t to = from + SHARE < n ? from + SHARE : n;
        lr_own_thread();
        lr_normalized_rows(&t->graph, t->root, t->scaled, t->groups, from, to,
                           t->y);
    }
    (void)team;
}

/* The right-hand sides, as lanes, and the squares of their lengths. */
static void start_columns(column_task *t, const double *rhs, double *least)
{
    size_t n = t->graph.n;
    *least = 0.0;
    for (size_t j = 0; j < t->columns; j++) {
        double squares = 0.0;
        for (size_t i = 0; i < n; i++) {
            size_t at = (j / LR_SOLVE_LANES * n + i) * LR_SOLVE_LANES + j % LR_SOLVE_LANES;
            t->r[at] = t->p[at] = rhs[i + j * n];
            squares += rhs[i + j * n] * rhs[i + j * n];
        }
        t->state[j].rr = squares;
        t->state[j].done = squares == 0.0;
        if (squares > 0.0 && (*least == 0.0 || squares < *least))
            *least = squares;
    }
}

/* (I - a P)^-1 rhs, P = D^-1/2 S D^-1/2: n x T as rhs is; root: 1 /
 * sqrt(degree), 0 for isolated samples. Residuals are at most 1e-13 of the
 * shortest right-hand side. */
SEXP r_propagation_columns(SEXP weights, SEXP root, SEXP a, SEXP rhs,
                           SEXP control)
{
    run_control c = read_control(control);
    column_task t;
    t.graph = read_graph(weights);
    t.root = REAL(root);
    size_t n = t.graph.n;
    t.columns = (size_t)Rf_ncols(rhs);
    t.groups = (t.columns + LR_SOLVE_LANES - 1) / LR_SOLVE_LANES;
    t.x = lanes(n, t.columns);
    t.r = lanes(n, t.columns);
    t.p = lanes(n, t.columns);
    t.y = lanes(n, t.columns);
    t.scaled = lanes(n, t.columns);
    t.state = (lr_column *)R_alloc(t.columns, sizeof(lr_column));
    double least, tolerance;
    start_columns(&t, REAL(rhs), &least);
    tolerance = 1e-13 * sqrt(least);
    progress_line line =
        progress_begin("Propagation", "columns", (double)t.columns, c.progress);
    size_t left = t.columns;
    for (int step = 0; left > 0 && step < MOST_STEPS; step++) {
        multiply(&t, &c);
        left = lr_advance_columns(n, t.columns, Rf_asReal(a), tolerance, t.x,
                                  t.r,
                                  t.p, t.y, t.state);
        progress_tick(&line, (double)(t.columns - left));
    }
    progress_end(&line);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)n, (int)t.columns));
    for (size_t j = 0; j < t.columns; j++)
        for (size_t i = 0; i < n; i++)
            REAL(out)[i + j * n] =
                t.x[(j / LR_SOLVE_LANES * n + i) * LR_SOLVE_LANES + j % LR_SOLVE_LANES];
    UNPROTECT(1);
    return out;
}

/* ---- entries of H Y' ----------------------------------------------------- */

typedef struct {
    size_t n, k;
    double *h;      /* n x k by rows, and spare rows */
    double *packed; /* Y in groups of rows */
} product_task;

static product_task read_product(SEXP h, SEXP y)
{
    product_task t = {(size_t)Rf_nrows(h), (size_t)Rf_ncols(h), NULL, NULL};
    size_t rows = t.n + LR_TILE_ROWS, size = lr_lanes_size(t.k, t.n);
    t.h = (double *)R_alloc(rows * t.k, sizeof(double));
    t.packed = (double *)R_alloc(size, sizeof(double));
    memset(t.h, 0, rows * t.k * sizeof(double));
    memset(t.packed, 0, size * sizeof(double));
    for (size_t j = 0; j < t.k; j++)
        for (size_t i = 0; i < t.n; i++) {
            size_t at = (i / LR_SOLVE_LANES * t.k + j) * LR_SOLVE_LANES + i % LR_SOLVE_LANES;
            t.h[i * t.k + j] = REAL(h)[i + j * t.n];
            t.packed[at] = REAL(y)[i + j * t.n];
        }
    return t;
}

/* The largest entry of each row of H Y'. */
SEXP r_row_maxima(SEXP h, SEXP y)
{
    product_task t = read_product(h, y);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)t.n));
    for (size_t row = 0; row < t.n; row += LR_TILE_ROWS) {
        lr_row_maxima(t.h, t.packed, t.n, t.k, row, REAL(out));
        if (row % (64 * LR_TILE_ROWS) == 0)
            R_CheckUserInterrupt();
    }
    UNPROTECT(1);
    return out;
}

/* list(first, second, value): the entries above the diagonal of H Y' of at
 * least tau (both: or at most -tau), from 1; when there are more than `most`,
 * their number alone. */
SEXP r_strong_entries(SEXP h, SEXP y, SEXP tau, SEXP both, SEXP most)
{
    product_task t = read_product(h, y);
    double least = Rf_asReal(tau);
    int two_sided = Rf_asLogical(both);
    size_t count = 0;
    for (size_t row = 0; row < t.n; row += LR_TILE_ROWS) {
        count += lr_strong_entries(t.h, t.packed, t.n, t.k, row, least,
                                   two_sided, NULL, NULL, NULL);
        if (row % (64 * LR_TILE_ROWS) == 0)
            R_CheckUserInterrupt();
    }
    if ((double)count > Rf_asReal(most))
        return Rf_ScalarReal((double)count);
    const char *names[] = {"first", "second", "value", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int i = 0; i < 3; i++)
        SET_VECTOR_ELT(out, i, Rf_allocVector(i < 2 ? INTSXP : REALSXP,
                                              (R_xlen_t)count));
    int *first = INTEGER(VECTOR_ELT(out, 0));
    int *second = INTEGER(VECTOR_ELT(out, 1));
    double *value = REAL(VECTOR_ELT(out, 2));
    size_t at = 0;
    for (size_t row = 0; row < t.n && at < count; row += LR_TILE_ROWS)
        at += lr_strong_entries(t.h, t.packed, t.n, t.k, row, least, two_sided,
                                first + at, second + at, value + at);
    for (size_t i = 0; i < count; i++) {
        first[i]++;
        second[i]++;
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
