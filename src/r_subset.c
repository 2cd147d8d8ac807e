#include <float.h>
#include <math.h>

#include "subset_forward.h"
#include "r_entry.h"
#include "r_walk.h"
#include "lr_threads.h"

/* ---- what is read from R ------------------------------------------------ */

/* The lists while they are filled in: `count` partners of `samples` samples. */
typedef struct {
    size_t *start, *must_end;
    int *partner;
} list_buffer;

static list_buffer allocate_pair_lists(size_t samples, size_t count)
{
    return (list_buffer){new_sizes(samples + 1), new_sizes(samples + 1),
                         new_ints(count)};
}

/* All pairs of samples: those of one label belong together. */
static lr_pair_lists lists_from_labels(SEXP label)
{
    size_t n = (size_t)Rf_xlength(label), at = 0;
    const int *p_label = INTEGER(label);
    list_buffer buffer = allocate_pair_lists(n, n * (n - 1) / 2);
    for (size_t j = 0; j < n; j++) {
        buffer.start[j] = at;
        for (size_t i = 0; i < j; i++)
            if (p_label[i] == p_label[j])
                buffer.partner[at++] = (int)i;
        buffer.must_end[j] = at;
        for (size_t i = 0; i < j; i++)
            if (p_label[i] != p_label[j])
                buffer.partner[at++] = (int)i;
    }
    buffer.start[n] = at;
    return (lr_pair_lists){n, buffer.start, buffer.must_end, buffer.partner};
}

/* Pairs first < second (from 1), sorted by second, kind and first. */
static lr_pair_lists lists_from_pairs(SEXP pairs, size_t n)
{
    SEXP second = list_element(pairs, "second");
    size_t count = (size_t)Rf_xlength(second), at = 0;
    const int *p_first = list_ints(pairs, "first");
    const int *p_second = INTEGER(second);
    const int *p_must = list_ints(pairs, "must_link");
    list_buffer buffer = allocate_pair_lists(n, count);
    for (size_t j = 0; j < n; j++) {
        buffer.start[j] = buffer.must_end[j] = at;
        for (; at < count && (size_t)p_second[at] == j + 1; at++) {
            buffer.partner[at] = p_first[at] - 1;
            if (p_must[at])
                buffer.must_end[j] = at + 1;
        }
    }
    buffer.start[n] = at;
    return (lr_pair_lists){n, buffer.start, buffer.must_end, buffer.partner};
}

/* list(rows, label) or list(rows, first, second, must_link): see subset_pairs()
 * in R. */
static lr_pair_lists read_lists(SEXP pairs)
{
    SEXP label = list_element(pairs, "label");
    if (!Rf_isNull(label))
        return lists_from_labels(label);
    return lists_from_pairs(pairs,
                            (size_t)Rf_xlength(list_element(pairs, "rows")));
}

/* Scaled cells of some rows (from 1) of one feature. */
static void scale_rows(const double *x, const lr_scaling *scaling,
                       size_t feature, const int *rows, size_t count,
                       double *u)
{
    for (size_t i = 0; i < count; i++)
        u[i] = lr_scale_cell(scaling, feature, x[rows[i] - 1]);
}

/* ---- forward selection -------------------------------------------------- */

/* Candidates in packs of LR_CANDIDATES, each with the plan of its widest
 * feature. */
typedef struct {
    lr_pair_lists pairs;
    run_control control;
    lr_scaling scaling;
    const int *rows; /* from 1 */
    double width;
    size_t features, packs;
    double *u; /* [feature][row] */
    lr_candidate *candidate;
    double *error; /* of the kernels of each pack */
    float *v, *narrow;
    double *w;             /* kernels of the features so far, per pair */
    double *next, *chosen; /* and with the candidate, the best of them in */
    double *score, *bound;
    double lost;           /* to kernels in single precision */
    size_t first_pack, tried;
    int team;
    int *used, *computed;
} selection;

static size_t count_pairs(const selection *s)
{
    return s->pairs.start[s->pairs.samples];
}

static void allocate_selection(selection *s)
{
    size_t n = s->pairs.samples, count = count_pairs(s);
    size_t lanes = s->packs * LR_CANDIDATES;
    s->u = new_doubles(n * s->features);
    s->candidate = (lr_candidate *)R_alloc(s->features, sizeof(lr_candidate));
    s->error = new_doubles(s->packs);
    s->v = (float *)R_alloc(lanes * n, sizeof(float));
    s->narrow = (float *)R_alloc(count + 1, sizeof(float));
    s->w = new_doubles(count);
    s->next = new_doubles(count);
    s->chosen = new_doubles(count);
    s->score = new_doubles(lanes);
    s->bound = new_doubles(lanes);
    s->used = (int *)zero_structs(s->features, sizeof(int));
    s->computed = new_ints(s->features);
}

static void read_candidate(void *context, const lr_block *b, size_t j)
{
    const selection *s = (const selection *)context;
    size_t f = b->first + j, n = s->pairs.samples;
    double *u = s->u + f * n;
    scale_rows(b->values + j * b->stride, &s->scaling, f, s->rows, n, u);
    s->candidate[f] = (lr_candidate){u, s->scaling.category[f]};
}

static double half_range(const selection *s, size_t first, size_t count)
{
    double widest = 0.0;
    size_t n = s->pairs.samples;
    for (size_t f = first; f < first + count; f++) {
        double low = DBL_MAX, high = -DBL_MAX;
        for (size_t i = 0; i < n && !s->candidate[f].category; i++) {
            low = fmin(low, s->candidate[f].u[i]);
            high = fmax(high, s->candidate[f].u[i]);
        }
        widest = fmax(widest, high - low);
    }
    return 0.5 * widest / sqrt(s->width);
}

static void pack_all(selection *s)
{
    size_t n = s->pairs.samples;
    for (size_t k = 0; k < s->packs; k++) {
        size_t first = k * LR_CANDIDATES;
        size_t count = smaller(s->features - first, LR_CANDIDATES);
        s->error[k] = lr_screen_error(half_range(s, first, count));
        lr_pack_candidates(s->candidate + first, count, n, s->width,
                           s->v + first * n);
    }
}

/* Item k of a run of packs: a pack is one thread's alone. */
static void screen_pack(void *context, size_t item)
{
    selection *s = (selection *)context;
    size_t n = s->pairs.samples, k = s->first_pack + item;
    size_t at = k * LR_CANDIDATES;
    lr_screen_pack pack = {s->v + at * n, s->narrow, s->error[k], s->lost};
    if (pack.error == INFINITY) {
        for (size_t l = 0; l < LR_CANDIDATES; l++) {
            s->score[at + l] = 0.0;
            s->bound[at + l] = INFINITY;
        }
    } else {
        lr_subset_screen(&s->pairs, &pack, s->control.level, s->score + at,
                         s->bound + at);
    }
}

static void screen_all(selection *s, progress_line *line, double done)
{
    /* between two checks for interrupts, some tenths of a second */
    double per_pack = (double)count_pairs(s) * LR_CANDIDATES + 1.0;
    size_t at_once = (size_t)(5e8 / per_pack) + (size_t)s->team;
    s->lost = lr_narrow_kernels(&s->pairs, s->w, s->narrow);
    for (s->first_pack = 0; s->first_pack < s->packs;
         s->first_pack += at_once) {
        lr_run_items(s->team, smaller(s->packs - s->first_pack, at_once),
                     screen_pack, s);
        progress_tick(line, done + (double)s->first_pack / (double)s->packs);
    }
}

enum { COLUMNS = 16 }; /* samples whose pairs are one thread's at a time */

/* w_ij e_ij of some samples with those before them, last samples first: they
 * have the most pairs. */
static void multiply_columns(void *context, size_t item)
{
    selection *s = (selection *)context;
    size_t n = s->pairs.samples, end = n - item * COLUMNS;
    lr_subset_product(&s->pairs, s->candidate[s->tried], s->width, s->w,
                      end > COLUMNS ? end - COLUMNS : 0, end, s->next);
}

/* The exact score; the kernels with the feature in are in `next` then. */
static double exact_score(selection *s, size_t feature)
{
    s->tried = feature;
    lr_run_items(s->team, (s->pairs.samples + COLUMNS - 1) / COLUMNS,
                 multiply_columns, s);
    return lr_subset_sum(&s->pairs, s->next);
}

static void swap_kernels(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

/* A copy of a feature that was computed already in this step cannot win: the
 * lower column does. */
static int is_copy(const selection *s, size_t f, size_t leaders)
{
    size_t bytes = s->pairs.samples * sizeof(double);
    for (size_t l = 0; l < leaders; l++) {
        const lr_candidate *other = s->candidate + s->computed[l];
        if (other->category == s->candidate[f].category
            && memcmp(other->u, s->candidate[f].u, bytes) == 0)
            return 1;
    }
    return 0;
}

/* The best feature of this step: the smallest exact score, lowest column
 * first, among those that could have it. */
static size_t choose_feature(selection *s, double *error, progress_line *line,
                             double done)
{
    double limit = INFINITY;
    size_t best = 0, leaders = 0;
    for (size_t f = 0; f < s->features; f++)
        if (!s->used[f] && !s->candidate[f].category)
            limit = fmin(limit, s->score[f] + s->bound[f]);
    *error = INFINITY;
    for (size_t f = 0; f < s->features; f++) {
        int screened = !s->candidate[f].category;
        if (s->used[f] || (screened && s->score[f] - s->bound[f] > limit)
            || is_copy(s, f, leaders))
            continue;
        double exact = exact_score(s, f);
        s->computed[leaders++] = (int)f;
        if (exact < *error) {
            *error = exact;
            best = f;
            swap_kernels(&s->next, &s->chosen);
        }
        progress_tick(line, done);
    }
    return best;
}

/* One step after the other until `steps`, or until the score has risen
 * `patience` times since its minimum (0: never mind). */
static size_t select_forward(selection *s, size_t steps, size_t patience,
                             int *p_order, double *p_error)
{
    size_t since = 0, m = 0;
    double least = INFINITY;
    progress_line line = progress_begin("Forward selection", "steps",
                                        (double)steps, s->control.progress);
    for (size_t t = 0; t < count_pairs(s); t++)
        s->w[t] = 1.0;
    while (m < steps) {
        screen_all(s, &line, (double)m);
        size_t f = choose_feature(s, p_error + m, &line, (double)m + 1.0);
        swap_kernels(&s->chosen, &s->w);
        s->used[f] = 1;
        p_order[m] = (int)f + 1;
        since = p_error[m] < least ? 0 : since + 1;
        least = fmin(least, p_error[m]);
        m++;
        if (patience > 0 && since >= patience)
            break;
    }
    progress_end(&line);
    return m;
}

/* list(order, error): features (from 1) in order of entry, and the sum over
 * unordered pairs of (w - t)^2 with each. options: list(sigma, steps,
 * patience). */
SEXP r_select_subset(SEXP data, SEXP scaling, SEXP pairs, SEXP options,
                     SEXP control)
{
    double sigma = list_real(options, "sigma");
    size_t steps = list_size(options, "steps");
    size_t patience = list_size(options, "patience");
    selection s = {.control = read_control(control),
                   .pairs = read_lists(pairs), .scaling = read_scaling(scaling),
                   .rows = list_ints(pairs, "rows"),
                   .width = 2.0 * (sigma * sigma),
                   .features = list_size(data, "p")};
    s.packs = (s.features + LR_CANDIDATES - 1) / LR_CANDIDATES;
    allocate_selection(&s);
    column_walk walk = {.data = data, .control = s.control,
                        .work = (double)s.pairs.samples, .use = read_candidate,
                        .context = &s};
    walk_columns(&walk);
    pack_all(&s);
    /* what all steps take decides, not one of them */
    s.team = team_size(&s.control, (double)count_pairs(&s) * (double)s.features
                                       * (double)steps * 4.0);
    int *order = new_ints(steps);
    double *error = new_doubles(steps);
    size_t m = select_forward(&s, steps, patience, order, error);
    const char *names[] = {"order", "error", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    memcpy(set_ints(out, 0, m), order, m * sizeof(int));
    memcpy(set_reals(out, 1, m), error, m * sizeof(double));
    UNPROTECT(1);
    return out;
}

typedef struct {
    const lr_pair_lists *lists;
    const lr_scaling *scaling;
    const int *rows; /* from 1 */
    double *u, *squares;
} square_task;

static void add_feature(void *context, const lr_block *b, size_t j)
{
    const square_task *t = (const square_task *)context;
    size_t feature = b->first + j;
    lr_candidate f = {t->u, t->scaling->category[feature]};
    scale_rows(b->values + j * b->stride, t->scaling, feature, t->rows,
               t->lists->samples, t->u);
    lr_subset_squares(t->lists, f, t->squares);
}

/* The score of one set of features (from 1, ascending) for several sigmas. */
SEXP r_subset_errors(SEXP data, SEXP scaling, SEXP pairs, SEXP features,
                     SEXP sigmas, SEXP control)
{
    run_control c = read_control(control);
    c.threads = 1; /* a pair's sum runs over the features in order */
    lr_pair_lists lists = read_lists(pairs);
    lr_scaling scales = read_scaling(scaling);
    size_t count = lists.start[lists.samples];
    square_task t = {&lists, &scales, list_ints(pairs, "rows"),
                     new_doubles(lists.samples), zero_doubles(count)};
    column_walk walk = {.data = data, .control = c, .task = "Choosing sigma",
                        .place = feature_places(data, features),
                        .work = (double)count, .use = add_feature,
                        .context = &t};
    walk_columns(&walk);
    R_xlen_t n_sigmas = Rf_xlength(sigmas);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, n_sigmas));
    for (R_xlen_t k = 0; k < n_sigmas; k++) {
        double sigma = REAL(sigmas)[k];
        REAL(out)[k] =
            lr_subset_error(&lists, t.squares, 2.0 * (sigma * sigma));
        R_CheckUserInterrupt();
    }
    UNPROTECT(1);
    return out;
}
