#include <math.h>
#include <string.h>

#include "expected.h"
#include "r_entry.h"
#include "r_walk.h"
#include "simba.h"
#include "threads.h"

/* ---- the scaled data ----------------------------------------------------- */

typedef struct {
    lr_simba_data data;
    double *packed, *samples, *expected;
    double *scratch; /* scratch_size for each thread */
    size_t scratch_size;
} pack_task;

/* A feature packed for the search and for the steps, and its expected
 * differences when cells are missing. */
static void pack_column(void *context, const lr_block *b, size_t j, int thread)
{
    const pack_task *t = (const pack_task *)context;
    const lr_simba_data *d = &t->data;
    size_t feature = b->first + j, width = d->width, n = d->n;
    double *u = t->scratch + (size_t)thread * t->scratch_size;
    for (size_t i = 0; i < n; i++) {
        u[i] = lr_scale_cell(d->scaling, feature,
                             b->values[i + j * b->stride]);
        t->packed[i / width * width * d->p + feature * width + i % width] =
            u[i];
        t->samples[i * d->p + feature] = u[i];
    }
    if (d->scaling->missing[feature] == 0)
        return;
    lr_rule rule = lr_rule_of(d->scaling, feature);
    size_t tables = lr_class_tables(d->scaling);
    lr_expected_differences(u, n, d->scaling, &rule,
                            t->expected + d->expected_at[feature] * tables * n,
                            u + n);
}

/* Where the expected differences of each feature stand; returns of how many
 * features there are any. */
static size_t place_expected(const lr_scaling *scaling, size_t p, size_t *at)
{
    size_t missing = 0;
    for (size_t j = 0; j < p; j++) {
        at[j] = missing;
        missing += scaling->missing[j] > 0;
    }
    return missing;
}

static lr_simba_data read_samples(SEXP data, const lr_scaling *scaling,
                                  const run_control *control)
{
    size_t n = (size_t)Rf_asReal(list_element(data, "n"));
    size_t p = (size_t)Rf_asReal(list_element(data, "p"));
    size_t width = (n + LR_SIMBA_ROWS - 1) / LR_SIMBA_ROWS * LR_SIMBA_ROWS;
    if (width > 64)
        width = 64;
    size_t padded = (n + width - 1) / width * width;
    int *run = (int *)R_alloc(p, sizeof(int));
    lr_simba_runs(scaling, p, run);
    size_t *expected_at = (size_t *)R_alloc(p, sizeof(size_t));
    size_t tables = place_expected(scaling, p, expected_at)
        * lr_class_tables(scaling);
    pack_task t;
    t.packed = (double *)R_alloc(padded * p, sizeof(double));
    t.samples = (double *)R_alloc(n * p, sizeof(double));
    t.expected = (double *)R_alloc(tables * n + 1, sizeof(double));
    t.scratch_size = n + lr_expected_scratch(n, lr_class_tables(scaling));
    t.scratch = (double *)R_alloc((size_t)control->threads * t.scratch_size,
                                  sizeof(double));
    memset(t.packed, 0, padded * p * sizeof(double));
    lr_simba_data d = {n,       p,          width,       t.packed, t.samples,
                       run,     scaling,    t.expected,  expected_at,
                       control->level};
    t.data = d;
    column_walk walk = {data, *control, NULL, NULL, 4.0 * (double)n,
                        pack_column, &t};
    walk_columns(&walk);
    return d;
}

/* ---- the starts of a batch ----------------------------------------------- */

typedef struct {
    const lr_simba_data *data;
    const lr_simba_visits *visits;
    size_t n_visits, n_starts, padded;
    lr_simba_start *starts;
    double *distance;        /* [start][2][padded] */
    lr_simba_query *queries; /* two for each start */
    double *margin;          /* of each start's present visit */
    run_control control;
} simba_batch;

static void allocate_batch(simba_batch *b, size_t n_starts)
{
    size_t p = b->data->p;
    b->padded = (b->data->n + b->data->width - 1) / b->data->width
        * b->data->width;
    b->starts = (lr_simba_start *)R_alloc(n_starts, sizeof(lr_simba_start));
    b->distance =
        (double *)R_alloc(n_starts * 2 * b->padded, sizeof(double));
    b->queries =
        (lr_simba_query *)R_alloc(2 * n_starts, sizeof(lr_simba_query));
    b->margin = (double *)R_alloc(n_starts, sizeof(double));
    for (size_t s = 0; s < n_starts; s++) {
        b->starts[s].w = (double *)R_alloc(p, sizeof(double));
        b->starts[s].squares = (double *)R_alloc(p, sizeof(double));
    }
}

/* Constant features would keep their weights while others fall: they have
 * none. */
static void reset_starts(simba_batch *b)
{
    for (size_t s = 0; s < b->n_starts; s++) {
        for (size_t f = 0; f < b->data->p; f++) {
            double w = lr_is_constant(b->data->scaling, f) ? 0.0 : 1.0;
            b->starts[s].w[f] = b->starts[s].squares[f] = w;
        }
        b->starts[s].largest = 1.0;
    }
}

static void sort_queries(lr_simba_query *q, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        lr_simba_query moved = q[i];
        size_t at = i;
        for (; at > 0 && q[at - 1].sample > moved.sample; at--)
            q[at] = q[at - 1];
        q[at] = moved;
    }
}

/* Some starts make their visits; order: which one each of them makes, or NULL
 * when all make visit `v`. */
static void visit_slice(simba_batch *b, size_t from, size_t to,
                        const int *order, size_t stride, size_t v, int update)
{
    lr_simba_query *q = b->queries + 2 * from;
    size_t count = 0;
    for (size_t s = from; s < to; s++) {
        int samples[2];
        size_t visit = order ? (size_t)order[s * stride] - 1 : v;
        size_t asked = lr_simba_ask(b->visits, visit, samples);
        for (size_t i = 0; i < asked; i++)
            q[count++] = (lr_simba_query){
                samples[i], b->starts[s].squares,
                b->distance + (2 * s + i) * b->padded};
    }
    sort_queries(q, count);
    lr_simba_search(b->data, q, count);
    for (size_t s = from; s < to; s++) {
        size_t visit = order ? (size_t)order[s * stride] - 1 : v;
        const double *distance[2] = {b->distance + 2 * s * b->padded,
                                     b->distance + (2 * s + 1) * b->padded};
        b->margin[s] = lr_simba_answer(b->visits, visit, b->data->n, distance,
                                       b->starts + s);
    }
    if (update) {
        for (size_t s = from; s < to; s++)
            if (b->starts[s].largest > 0.0)
                b->margin[s] /= sqrt(b->starts[s].largest);
        lr_simba_update(b->data, b->starts + from, to - from);
    }
}

/* Every start is one thread's alone. */
static void visit_all(simba_batch *b, const int *order, size_t stride,
                      size_t v, int update)
{
    double work = 4.0 * (double)b->n_starts * (double)b->data->n
        * (double)b->data->p;
    int threads = team_size(&b->control, work);
    if ((size_t)threads > b->n_starts)
        threads = (int)b->n_starts;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int t = 0; t < threads; t++) {
        size_t from = b->n_starts * (size_t)t / (size_t)threads;
        size_t to = b->n_starts * ((size_t)t + 1) / (size_t)threads;
        lr_own_thread();
        visit_slice(b, from, to, order, stride, v, update);
    }
}

/* ---- total margins (2.27, 3.19) of the normalised weights ---------------- */

static void total_of_samples(simba_batch *b, double *total)
{
    for (size_t v = 0; v < b->n_visits; v++) {
        visit_all(b, NULL, 0, v, 0);
        for (size_t s = 0; s < b->n_starts; s++)
            total[s] += b->margin[s];
        R_CheckUserInterrupt();
    }
}

/* Hits of every end point first, then the margins of the pairs. */
static void total_of_pairs(simba_batch *b, SEXP ends, double *total)
{
    size_t n = b->data->n, n_ends = (size_t)Rf_xlength(ends);
    const int *end = zero_based(ends);
    int *hit = (int *)R_alloc(n * b->n_starts, sizeof(int));
    double *margin = (double *)R_alloc(b->n_visits, sizeof(double));
    for (size_t e = 0; e < n_ends; e++) {
        for (size_t s = 0; s < b->n_starts; s++)
            b->queries[s] = (lr_simba_query){
                end[e], b->starts[s].squares, b->distance + s * b->padded};
        lr_simba_search(b->data, b->queries, b->n_starts);
        for (size_t s = 0; s < b->n_starts; s++)
            hit[s * n + (size_t)end[e]] =
                lr_simba_hit(b->distance + s * b->padded, n, end[e],
                             b->visits->links);
        R_CheckUserInterrupt();
    }
    for (size_t s = 0; s < b->n_starts; s++) {
        lr_simba_pair_margins(b->data, b->visits, 0, b->n_visits,
                              b->starts[s].squares, hit + s * n, margin);
        for (size_t v = 0; v < b->n_visits; v++)
            total[s] += margin[v];
        R_CheckUserInterrupt();
    }
}

/* ---- entry --------------------------------------------------------------- */

/* Starts whose weights and distances a batch may hold. */
static size_t starts_per_batch(const lr_simba_data *d, size_t n_starts,
                               double bytes)
{
    double each =
        (double)(2 * (d->n + d->width) + 2 * d->p) * sizeof(double);
    double fit = floor(bytes / each);
    if (fit < 1.0)
        fit = 1.0;
    return fit < (double)n_starts ? (size_t)fit : n_starts;
}

static void run_batch(simba_batch *b, const int *order, double *trace,
                      progress_line *line, double done)
{
    reset_starts(b);
    for (size_t step = 0; step < b->n_visits; step++) {
        visit_all(b, order + step, b->n_visits, 0, 1);
        for (size_t s = 0; s < b->n_starts; s++)
            trace[s * b->n_visits + step] = b->margin[s];
        progress_tick(line, done + (double)(step + 1) * (double)b->n_starts);
    }
    for (size_t s = 0; s < b->n_starts; s++)
        lr_simba_normalise(b->starts + s, b->data->p);
}

/* visits: list(first, second, ends), samples from 1, second NULL for samples;
 * order: visits x starts, numbers from 1. Returns list(weight, total, trace,
 * best): the weights of the start with the largest total margin (the first of
 * equal ones), all totals, and the margin of every visit as it was made, for a
 * largest weight of 1. */
SEXP r_simba(SEXP data, SEXP scaling, SEXP visits, SEXP order, SEXP links,
             SEXP both, SEXP control)
{
    run_control c = read_control(control);
    lr_scaling s = read_scaling(scaling);
    lr_links storage;
    SEXP second = list_element(visits, "second");
    lr_simba_data d = read_samples(data, &s, &c);
    lr_simba_visits v = {zero_based(list_element(visits, "first")),
                         Rf_isNull(second) ? NULL : zero_based(second),
                         s.class_of, read_links(links, &storage),
                         Rf_asLogical(both)};
    size_t n_visits = (size_t)Rf_nrows(order);
    size_t n_starts = (size_t)Rf_ncols(order);
    size_t at_once = starts_per_batch(&d, n_starts, c.batch_bytes);
    simba_batch b = {&d, &v, n_visits, at_once, 0, NULL, NULL, NULL, NULL,
                     c};
    allocate_batch(&b, at_once);

    const char *names[] = {"weight", "total", "trace", "best", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, (R_xlen_t)d.p));
    SET_VECTOR_ELT(out, 1, Rf_allocVector(REALSXP, (R_xlen_t)n_starts));
    SET_VECTOR_ELT(out, 2,
                   Rf_allocMatrix(REALSXP, (int)n_visits, (int)n_starts));
    double *p_weight = REAL(VECTOR_ELT(out, 0));
    double *p_total = REAL(VECTOR_ELT(out, 1));
    double *p_trace = REAL(VECTOR_ELT(out, 2));
    memset(p_total, 0, n_starts * sizeof(double));
    size_t best = 0;
    progress_line line = progress_begin(
        "Simba", "visits", (double)n_visits * (double)n_starts, c.progress);
    for (size_t at = 0; at < n_starts; at += at_once) {
        b.n_starts = n_starts - at < at_once ? n_starts - at : at_once;
        run_batch(&b, INTEGER(order) + at * n_visits, p_trace + at * n_visits,
                  &line, (double)at * (double)n_visits);
        if (v.second)
            total_of_pairs(&b, list_element(visits, "ends"), p_total + at);
        else
            total_of_samples(&b, p_total + at);
        for (size_t i = 0; i < b.n_starts; i++)
            if (at + i == 0 || p_total[at + i] > p_total[best]) {
                best = at + i;
                memcpy(p_weight, b.starts[i].w, d.p * sizeof(double));
            }
    }
    progress_end(&line);
    SET_VECTOR_ELT(out, 3, Rf_ScalarInteger((int)best + 1));
    UNPROTECT(1);
    return out;
}
