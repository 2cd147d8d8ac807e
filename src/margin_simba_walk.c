/* All starts of Simba side by side: what each has to search for, and its
 * updates. */
#include "margin_walk.h"

/* ---- the scaled data ----------------------------------------------------- */

typedef struct {
    const lr_simba_data *data;
    double *packed, *samples;
} pack_task;

/* A feature packed for the search and for the steps. */
static void pack_column(void *context, const lr_block *b, size_t j)
{
    const pack_task *t = context;
    const lr_simba_data *d = t->data;
    size_t feature = b->first + j, width = d->width;
    for (size_t i = 0; i < d->n; i++) {
        double u =
            lr_scale_cell(d->scaling, feature, b->values[i + j * b->stride]);
        t->packed[i / width * width * d->p + feature * width + i % width] = u;
        t->samples[i * d->p + feature] = u;
    }
}

/* The scaling with the expected differences where cells are missing. */
static const lr_scaling *complete_scaling(const feature_data *data)
{
    lr_scaling *scaling = lr_allocate(1, sizeof *scaling);
    size_t missing = 0;
    *scaling = data->scaling;
    for (size_t j = 0; j < data->p; j++)
        missing += scaling->missing[j] > 0;
    if (missing == 0)
        return scaling;
    double *expected = new_doubles(
        missing * lr_class_tables(scaling) * data->n + LR_BEHIND);
    expect_features(data, expected);
    scaling->expected = expected_places(data, expected);
    return scaling;
}

static lr_simba_data read_samples(const feature_data *data)
{
    size_t n = data->n, p = data->p;
    size_t rows = (n + LR_SIMBA_ROWS - 1) / LR_SIMBA_ROWS * LR_SIMBA_ROWS;
    size_t width = smaller(rows, 64), padded = (n + width - 1) / width * width;
    int *run = new_ints(p);
    lr_simba_runs(&data->scaling, p, run);
    double *packed = zero_doubles(padded * p), *samples = new_doubles(n * p);
    lr_simba_data d = {n, p, width, packed, samples, run,
                       complete_scaling(data), data->control.level};
    pack_task t = {&d, packed, samples};
    /* the cells of a column are far from each other in memory */
    column_walk walk = {.data = data, .work = 20.0 * (double)n,
                        .use = pack_column, .context = &t};
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
    size_t n_queries;
    size_t *visit;           /* of each start */
    double *margin;          /* of that visit */
    const int *own;          /* features with neighbours of their own, from 0 */
    size_t n_own;
    int team;
} simba_batch;

static void allocate_batch(simba_batch *b, size_t n_starts)
{
    size_t p = b->data->p;
    b->padded = (b->data->n + b->data->width - 1) / b->data->width
        * b->data->width;
    b->starts = lr_allocate(n_starts, sizeof(lr_simba_start));
    b->distance = new_doubles(n_starts * 2 * b->padded);
    b->queries = lr_allocate(2 * n_starts, sizeof(lr_simba_query));
    b->visit = new_sizes(n_starts);
    b->margin = new_doubles(n_starts);
    for (size_t s = 0; s < n_starts; s++) {
        b->starts[s].w = new_doubles(p);
        b->starts[s].squares = new_doubles(p);
        b->starts[s].change = new_doubles(p);
    }
}

/* Some units of LR_SIMBA_ROWS rows of all searches. */
static void search_units(void *context, size_t from, size_t to)
{
    const simba_batch *b = context;
    lr_simba_search(b->data, b->queries, b->n_queries, from * LR_SIMBA_ROWS,
                    to * LR_SIMBA_ROWS);
}

/* The units that hold samples: those of the padding would leave the last
 * thread less to do. */
static void search_all(simba_batch *b)
{
    lr_run_chunks(b->team,
                     (b->data->n + LR_SIMBA_ROWS - 1) / LR_SIMBA_ROWS,
                     search_units, b);
}

/* An answer takes 2 n, its search n p: from some features on it is not worth
 * waking a thread. */
static int answer_team(const simba_batch *b)
{
    enum { FEW = 100 };
    return b->data->p < FEW ? b->team : 1;
}

static void answer_start(void *context, size_t s)
{
    simba_batch *b = context;
    const double *distance[2] = {b->distance + 2 * s * b->padded,
                                 b->distance + (2 * s + 1) * b->padded};
    b->margin[s] = lr_simba_answer(b->visits, b->visit[s], b->data->n,
                                   distance, b->starts + s);
}

/* Item `part` of one for each thread: some features of all starts. */
static void change_part(void *context, size_t part)
{
    simba_batch *b = context;
    size_t p = b->data->p, parts = (size_t)b->team;
    for (size_t s = 0; s < b->n_starts; s++)
        lr_simba_changes(b->data, b->starts + s, p * part / parts,
                         p * (part + 1) / parts);
}

static void answer_all(simba_batch *b)
{
    search_all(b);
    lr_run_items(answer_team(b), b->n_starts, answer_start, b);
}

/* Every start makes the visit given by `visit`. */
static void make_visits(simba_batch *b)
{
    b->n_queries = 0;
    for (size_t s = 0; s < b->n_starts; s++) {
        int samples[2];
        size_t asked = lr_simba_ask(b->visits, b->visit[s], samples);
        for (size_t i = 0; i < asked; i++)
            b->queries[b->n_queries++] = (lr_simba_query){
                samples[i], b->starts[s].squares,
                b->distance + (2 * s + i) * b->padded};
    }
    answer_all(b);
}

/* The step after a visit. Features with neighbours of their own: the same
 * visit again for each, in the space without it. */
static void take_steps(simba_batch *b)
{
    lr_run_items(b->team, (size_t)b->team, change_part, b);
    for (size_t i = 0; i < b->n_own; i++) {
        size_t f = (size_t)b->own[i];
        for (size_t s = 0; s < b->n_starts; s++)
            b->starts[s].squares[f] = 0.0;
        answer_all(b);
        for (size_t s = 0; s < b->n_starts; s++) {
            lr_simba_start *start = b->starts + s;
            start->squares[f] = start->w[f] * start->w[f];
            lr_simba_change(b->data, start, f, start->squares[f]);
        }
    }
    for (size_t s = 0; s < b->n_starts; s++)
        lr_simba_update(b->starts + s, b->data->p);
}

/* ---- total margins (2.27, 3.19) of the normalised weights ---------------- */

static void total_of_samples(simba_batch *b, double *total)
{
    for (size_t v = 0; v < b->n_visits; v++) {
        for (size_t s = 0; s < b->n_starts; s++)
            b->visit[s] = v;
        make_visits(b);
        for (size_t s = 0; s < b->n_starts; s++)
            total[s] += b->margin[s];
        lr_check_interrupt();
    }
}

/* Hits of one end point for all starts. */
typedef struct {
    simba_batch *batch;
    int end;
    int *hit; /* [start][sample] */
} pair_totals;

static void find_hit(void *context, size_t s)
{
    pair_totals *t = context;
    const simba_batch *b = t->batch;
    t->hit[s * b->data->n + (size_t)t->end] =
        lr_simba_hit(b->distance + s * b->padded, b->data->n, t->end,
                     b->visits->links);
}

static void find_hits(pair_totals *t, int end)
{
    simba_batch *b = t->batch;
    t->end = end;
    b->n_queries = b->n_starts;
    for (size_t s = 0; s < b->n_starts; s++)
        b->queries[s] = (lr_simba_query){end, b->starts[s].squares,
                                         b->distance + s * b->padded};
    search_all(b);
    lr_run_items(answer_team(b), b->n_starts, find_hit, t);
}

/* The searches for hits take most of it, so that the pairs need no threads. */
static void total_of_pairs(simba_batch *b, const simba_problem *problem,
                           double *total)
{
    size_t n = b->data->n;
    pair_totals t = {b, 0, new_ints(n * b->n_starts)};
    for (size_t e = 0; e < problem->n_samples; e++) {
        find_hits(&t, problem->samples[e]);
        lr_check_interrupt();
    }
    for (size_t s = 0; s < b->n_starts; s++)
        for (size_t v = 0; v < b->n_visits; v++) {
            total[s] += lr_simba_pair_margin(b->data, b->visits, v,
                                             b->starts[s].squares,
                                             t.hit + s * n);
            if (v % 256 == 0)
                lr_check_interrupt();
        }
}

/* ---- all starts ---------------------------------------------------------- */

static void run_batch(simba_batch *b, const int *order, double *trace,
                      progress_line *line, double done)
{
    for (size_t s = 0; s < b->n_starts; s++) {
        /* constant features would keep their weights while others fall: they
         * have none */
        for (size_t f = 0; f < b->data->p; f++)
            b->starts[s].w[f] = b->starts[s].squares[f] =
                lr_is_constant(b->data->scaling, f) ? 0.0 : 1.0;
        b->starts[s].largest = 1.0;
    }
    for (size_t step = 0; step < b->n_visits; step++) {
        for (size_t s = 0; s < b->n_starts; s++)
            b->visit[s] = (size_t)order[s * b->n_visits + step] - 1;
        make_visits(b);
        /* margins are reported for a largest weight of 1 */
        for (size_t s = 0; s < b->n_starts; s++) {
            double largest = b->starts[s].largest;
            trace[s * b->n_visits + step] =
                b->margin[s] / (largest > 0.0 ? sqrt(largest) : 1.0);
        }
        take_steps(b);
        progress_tick(line, done + (double)(step + 1) * (double)b->n_starts);
    }
    for (size_t s = 0; s < b->n_starts; s++)
        lr_simba_normalise(b->starts + s, b->data->p);
}

/* Batch by batch; returns the number of the best start. */
static size_t run_batches(simba_batch *b, const simba_problem *problem,
                          simba_result *out, progress_line *line)
{
    size_t n_starts = problem->n_starts, at_once = b->n_starts, best = 0;
    memset(out->total, 0, n_starts * sizeof(double));
    for (size_t at = 0; at < n_starts; at += at_once) {
        b->n_starts = smaller(n_starts - at, at_once);
        run_batch(b, problem->order + at * b->n_visits,
                  out->trace + at * b->n_visits, line,
                  (double)at * (double)b->n_visits);
        if (b->visits->second)
            total_of_pairs(b, problem, out->total + at);
        else
            total_of_samples(b, out->total + at);
        for (size_t i = 0; i < b->n_starts; i++)
            if (at + i == 0 || out->total[at + i] > out->total[best]) {
                best = at + i;
                memcpy(out->weight, b->starts[i].w,
                       b->data->p * sizeof(double));
            }
    }
    return best;
}

size_t run_simba(const feature_data *data, const simba_problem *problem,
                 simba_result *out)
{
    const run_control *control = &data->control;
    size_t n_visits = problem->n_visits, n_starts = problem->n_starts;
    lr_simba_data d = read_samples(data);
    /* starts whose weights and distances a batch may hold */
    double fit = floor(control->batch_bytes
                       / ((double)(2 * (d.n + d.width) + 3 * d.p)
                          * sizeof(double)));
    simba_batch b = {
        .data = &d, .visits = &problem->visits, .n_visits = n_visits,
        .n_starts = (size_t)fmin(fmax(fit, 1.0), (double)n_starts),
        .own = problem->own, .n_own = problem->n_own,
        /* what it takes decides, not one visit of it */
        .team = team_size(control, 2.0 * (double)d.n * (double)d.p
                                       * (double)n_visits * (double)n_starts)};
    allocate_batch(&b, b.n_starts);
    progress_line line = progress_begin(
        "Simba", "visits", (double)n_visits * (double)n_starts,
        control->progress);
    size_t best = run_batches(&b, problem, out, &line);
    progress_end(&line);
    return best;
}
