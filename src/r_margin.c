#include <string.h>

#include "hits.h"
#include "r_walk.h"

/* ---- pairs of end points ------------------------------------------------- */

/* Cannot-linked pairs, in the order of the constraints: a list, or all pairs
 * of end points with different labels, made when they are needed. */
typedef struct {
    const int *first, *second; /* a list, or NULL */
    const int *label;          /* of each end point, when there is no list */
    int n_ends;
    size_t n_pairs;            /* of the list */
    int *room_first, *room_second;
    int i, j;                  /* where the next pair of labels is looked for */
} pair_stream;

enum { PAIRS_AT_ONCE = 1 << 20 };

static size_t next_label_pairs(pair_stream *s)
{
    size_t count = 0;
    for (; s->i < s->n_ends; s->i++, s->j = s->i + 1)
        for (; s->j < s->n_ends; s->j++) {
            if (s->label[s->i] == s->label[s->j])
                continue;
            s->room_first[count] = s->i;
            s->room_second[count] = s->j;
            if (++count == PAIRS_AT_ONCE) {
                s->j++;
                return count;
            }
        }
    return count;
}

/* Fills in the next pairs; FALSE when there are none left. */
static int next_pairs(pair_stream *s, lr_margin_pairs *pairs)
{
    if (s->first) {
        pairs->first = s->first;
        pairs->second = s->second;
        pairs->n_pairs = s->n_pairs;
        s->n_pairs = 0;
    } else {
        pairs->first = s->room_first;
        pairs->second = s->room_second;
        pairs->n_pairs = next_label_pairs(s);
    }
    return pairs->n_pairs > 0;
}

/* list(first, second) of end point numbers, or list(label) of end points. */
static pair_stream read_pairs(SEXP pairs, int n_ends)
{
    pair_stream s;
    memset(&s, 0, sizeof s);
    s.n_ends = n_ends;
    s.j = 1;
    SEXP label = list_element(pairs, "label");
    if (Rf_isNull(label)) {
        s.first = zero_based(list_element(pairs, "first"));
        s.second = zero_based(list_element(pairs, "second"));
        s.n_pairs = (size_t)Rf_xlength(list_element(pairs, "first"));
    } else {
        s.label = INTEGER(label);
        s.room_first = (int *)R_alloc(PAIRS_AT_ONCE, sizeof(int));
        s.room_second = (int *)R_alloc(PAIRS_AT_ONCE, sizeof(int));
    }
    return s;
}

/* ---- hits of the end points ---------------------------------------------- */

static row_places place_rows(size_t n, SEXP ends, SEXP others, SEXP group)
{
    row_places r = places_open(n);
    places_mark(&r, ends);
    places_mark(&r, others);
    places_mark(&r, group);
    places_number(&r, n);
    return r;
}

/* What r_neighbour_lists() found, for one end point: rows from 0. */
typedef struct {
    int *others, *group;
    size_t n_others, n_group;
} end_lists;

static size_t read_column(SEXP matrix, size_t column, int *out)
{
    size_t room = (size_t)Rf_nrows(matrix), count = 0;
    const int *p_rows = INTEGER(matrix) + column * room;
    while (count < room && p_rows[count] > 0) {
        out[count] = p_rows[count] - 1;
        count++;
    }
    return count;
}

static end_lists allocate_end_lists(SEXP others, SEXP group)
{
    end_lists l = {
        (int *)R_alloc((size_t)Rf_nrows(others) + 1, sizeof(int)),
        (int *)R_alloc((size_t)Rf_nrows(group) + 1, sizeof(int)), 0, 0};
    return l;
}

/* Hits of one end point as places; returns how many. */
static int place_hits(end_lists *l, SEXP others, SEXP group, size_t column,
                      int end, const lr_links *links, size_t k,
                      const row_places *r, int *hits)
{
    l->n_others = read_column(others, column, l->others);
    l->n_group = read_column(group, column, l->group);
    size_t count = lr_take_hits(end, l->group, l->n_group, l->others,
                                l->n_others, links, k, hits);
    for (size_t j = 0; j < count; j++)
        hits[j] = r->place[hits[j]];
    return (int)count;
}

/* ---- margins of the constraints ------------------------------------------ */

typedef struct {
    feature_task task; /* first, so that the callbacks can cast */
    const lr_margin_pairs *pairs;
    int fresh;
    lr_margin_sum *sums; /* one per feature */
} sum_task;

static void sum_plain(feature_task *task, const size_t *features, size_t count,
                      thread_room *room)
{
    sum_task *t = (sum_task *)task;
    lr_margin_sum sums[LR_LANES];
    memset(sums, 0, sizeof sums);
    for (size_t l = 0; l < count; l++)
        sums[l] = t->sums[features[l]];
    lr_margins_plain(t->pairs, room->u, t->fresh, sums, room->hits);
    for (size_t l = 0; l < count; l++)
        t->sums[features[l]] = sums[l];
}

static void sum_other(feature_task *task, size_t feature,
                      const double *expected, const lr_rule *rule,
                      thread_room *room)
{
    sum_task *t = (sum_task *)task;
    lr_margins_other(t->pairs, room->u, expected, rule, t->fresh,
                     t->sums + feature, room->hits);
}

static SEXP write_sums(const lr_margin_sum *sums, size_t p, double n_pairs)
{
    const char *names[] = {"margin", "deviation", "square", "size", "pairs",
                           ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int i = 0; i < 4; i++)
        SET_VECTOR_ELT(out, i, Rf_allocVector(REALSXP, (R_xlen_t)p));
    SET_VECTOR_ELT(out, 4, Rf_ScalarReal(n_pairs));
    for (size_t j = 0; j < p; j++) {
        REAL(VECTOR_ELT(out, 0))[j] = sums[j].sum;
        REAL(VECTOR_ELT(out, 1))[j] = sums[j].deviation;
        REAL(VECTOR_ELT(out, 2))[j] = sums[j].square;
        REAL(VECTOR_ELT(out, 3))[j] = sums[j].size;
    }
    UNPROTECT(1);
    return out;
}

/* The hits of all end points from the two lists, as places. */
static void fill_hits(lr_margin_pairs *pairs, SEXP ends, SEXP others,
                      SEXP group, const row_places *r)
{
    size_t n_ends = (size_t)Rf_xlength(ends);
    int *end = (int *)R_alloc(n_ends, sizeof(int));
    int *count = (int *)R_alloc(n_ends, sizeof(int));
    int *hit = (int *)R_alloc(n_ends * pairs->k + 1, sizeof(int));
    end_lists lists = allocate_end_lists(others, group);
    for (size_t e = 0; e < n_ends; e++) {
        int row = INTEGER(ends)[e] - 1;
        end[e] = r->place[row];
        count[e] = place_hits(&lists, others, group, e, row, NULL, pairs->k, r,
                              hit + e * pairs->k);
    }
    pairs->n_ends = n_ends;
    pairs->end = end;
    pairs->count = count;
    pairs->hit = hit;
}

/* pairs: list(first, second, label); lists: list(ends, others, group, k) */
SEXP r_constrained_margins(SEXP data, SEXP scaling, SEXP pairs, SEXP lists,
                           SEXP both, SEXP control)
{
    run_control c = read_control(control);
    lr_scaling s = read_scaling(scaling);
    SEXP ends = list_element(lists, "ends");
    SEXP others = list_element(lists, "others");
    SEXP group = list_element(lists, "group");
    feature_source source = source_open(data, 1); /* protects one */
    row_places rows = place_rows(source.n, ends, others, group);
    lr_margin_pairs p;
    p.k = (size_t)Rf_asInteger(list_element(lists, "k"));
    p.both = Rf_asLogical(both);
    fill_hits(&p, ends, others, group, &rows);
    pair_stream stream = read_pairs(pairs, (int)p.n_ends);

    sum_task t;
    t.pairs = &p;
    t.task.plain = sum_plain;
    t.task.other = sum_other;
    t.sums = (lr_margin_sum *)R_alloc(source.p, sizeof(lr_margin_sum));
    memset(t.sums, 0, source.p * sizeof(lr_margin_sum));
    double total = Rf_asReal(list_element(pairs, "count")), done = 0.0;
    double per_pass = total < PAIRS_AT_ONCE ? total : PAIRS_AT_ONCE;
    t.task.work = (per_pass * (p.both + 1.0) + (double)p.n_ends) * (double)p.k;
    limit_chunk(&source, t.task.work);
    prepare_task(&t.task, &source, &s, &rows, p.n_ends, c);
    progress_line line = progress_begin("Margins", "pairs", total, c.progress);
    while (next_pairs(&stream, &p)) {
        t.fresh = done == 0.0;
        run_features(&t.task, &source, &line, done, (double)p.n_pairs);
        done += (double)p.n_pairs;
    }
    progress_end(&line);
    SEXP out = PROTECT(write_sums(t.sums, source.p, done));
    UNPROTECT(2);
    return out;
}

/* ---- margins of random pairs --------------------------------------------- */

typedef struct {
    feature_task task; /* first, so that the callbacks can cast */
    const lr_margin_pairs *sets;
    int n_sets;
    const double *margin; /* of the constraints, per feature */
    double *at_least;     /* sets whose margin is at least that */
} count_task;

static void count_plain(feature_task *task, const size_t *features,
                        size_t count, thread_room *room)
{
    count_task *t = (count_task *)task;
    lr_margin_sum sums[LR_LANES];
    for (int b = 0; b < t->n_sets; b++) {
        lr_margins_plain(t->sets + b, room->u, 1, sums, room->hits);
        for (size_t l = 0; l < count; l++)
            t->at_least[features[l]] += sums[l].sum >= t->margin[features[l]];
    }
}

static void count_other(feature_task *task, size_t feature,
                        const double *expected, const lr_rule *rule,
                        thread_room *room)
{
    count_task *t = (count_task *)task;
    lr_margin_sum sum;
    for (int b = 0; b < t->n_sets; b++) {
        lr_margins_other(t->sets + b, room->u, expected, rule, 1, &sum,
                         room->hits);
        t->at_least[feature] += sum.sum >= t->margin[feature];
    }
}

/* Components that one set of pairs cannot-links, as in lr_links. */
static void link_against(lr_links *links, int n_components, const int *a,
                         const int *b, size_t n_pairs, int *start, int *against)
{
    memset(start, 0, ((size_t)n_components + 1) * sizeof(int));
    for (size_t t = 0; t < n_pairs; t++) {
        start[links->component[a[t]]]++;
        start[links->component[b[t]]]++;
    }
    for (int c = 1; c <= n_components; c++)
        start[c] += start[c - 1];
    for (size_t t = 0; t < n_pairs; t++) {
        int x = links->component[a[t]], y = links->component[b[t]];
        against[--start[x]] = y;
        against[--start[y]] = x;
    }
    for (int c = 0; c < n_components; c++)
        R_isort(against + start[c], start[c + 1] - start[c]);
    links->against_start = start;
    links->against = against;
}

/* End points that a set of pairs has at most. */
static size_t most_ends(size_t n_pairs, const row_places *r)
{
    return 2 * n_pairs < r->n_rows ? 2 * n_pairs : r->n_rows;
}

/* One set of random pairs: its end points are numbered as they come. */
static lr_margin_pairs fill_set(const int *a, const int *b, size_t n_pairs,
                                const int *column_of, SEXP others, SEXP group,
                                const lr_links *links, size_t k, int both,
                                const row_places *r, end_lists *lists,
                                int *number)
{
    lr_margin_pairs p = {n_pairs, NULL, NULL, 0, NULL, k, NULL, NULL, both};
    size_t most = most_ends(n_pairs, r);
    int *first = (int *)R_alloc(n_pairs, sizeof(int));
    int *second = (int *)R_alloc(n_pairs, sizeof(int));
    int *end = (int *)R_alloc(most, sizeof(int));
    int *count = (int *)R_alloc(most, sizeof(int));
    int *hit = (int *)R_alloc(most * k + 1, sizeof(int));
    for (size_t t = 0; t < n_pairs; t++)
        number[a[t]] = number[b[t]] = -1;
    for (size_t t = 0; t < 2 * n_pairs; t++) {
        int row = t % 2 == 0 ? a[t / 2] : b[t / 2];
        if (number[row] < 0) {
            int e = number[row] = (int)p.n_ends++;
            end[e] = r->place[row];
            count[e] = place_hits(lists, others, group, (size_t)column_of[row],
                                  row, links, k, r, hit + (size_t)e * k);
        }
        if (t % 2 == 0)
            first[t / 2] = number[row];
        else
            second[t / 2] = number[row];
    }
    p.first = first;
    p.second = second;
    p.end = end;
    p.count = count;
    p.hit = hit;
    return p;
}

/* For each feature, how many of the sets of pairs have a margin of at least
 * `margin`.
 * pairs: list(first, second), matrices pairs x sets of sample numbers; lists:
 * list(ends, others, group, k) for all samples in them, nothing left out;
 * links: the must-link components, NULL when must-links are ignored. Each
 * set's own pairs then keep cannot-linked samples from its hits. */
SEXP r_permuted_margins(SEXP data, SEXP scaling, SEXP pairs, SEXP lists,
                        SEXP links, SEXP both, SEXP margin, SEXP control)
{
    run_control c = read_control(control);
    lr_scaling s = read_scaling(scaling);
    SEXP ends = list_element(lists, "ends");
    SEXP others = list_element(lists, "others");
    SEXP group = list_element(lists, "group");
    size_t k = (size_t)Rf_asInteger(list_element(lists, "k"));
    SEXP p_first = list_element(pairs, "first");
    size_t n_pairs = (size_t)Rf_nrows(p_first);
    int n_sets = Rf_ncols(p_first);
    const int *first = zero_based(p_first);
    const int *second = zero_based(list_element(pairs, "second"));
    feature_source source = source_open(data, 1); /* protects one */
    row_places rows = place_rows(source.n, ends, others, group);
    end_lists room = allocate_end_lists(others, group);
    int *column_of = (int *)R_alloc(source.n, sizeof(int));
    int *number = (int *)R_alloc(source.n, sizeof(int));
    for (R_xlen_t e = 0; e < Rf_xlength(ends); e++)
        column_of[INTEGER(ends)[e] - 1] = (int)e;

    lr_links storage;
    int linked = read_links(links, &storage) != NULL;
    int n_components =
        linked ? Rf_asInteger(list_element(links, "count")) : 0;
    int *start = (int *)R_alloc((size_t)n_components + 1, sizeof(int));
    int *against = (int *)R_alloc(2 * n_pairs, sizeof(int));
    lr_margin_pairs *sets =
        (lr_margin_pairs *)R_alloc((size_t)n_sets, sizeof(lr_margin_pairs));
    for (int b = 0; b < n_sets; b++) {
        const int *x = first + (size_t)b * n_pairs;
        const int *y = second + (size_t)b * n_pairs;
        if (linked)
            link_against(&storage, n_components, x, y, n_pairs, start, against);
        sets[b] = fill_set(x, y, n_pairs, column_of, others, group,
                           linked ? &storage : NULL, k, Rf_asLogical(both),
                           &rows, &room, number);
    }

    count_task t;
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)source.p));
    memset(REAL(out), 0, source.p * sizeof(double));
    t.sets = sets;
    t.n_sets = n_sets;
    t.margin = REAL(margin);
    t.at_least = REAL(out);
    t.task.plain = count_plain;
    t.task.other = count_other;
    t.task.work = 4.0 * (double)n_sets * (double)n_pairs * (double)k;
    limit_chunk(&source, t.task.work);
    prepare_task(&t.task, &source, &s, &rows, most_ends(n_pairs, &rows), c);
    for (size_t j = 0; j < source.p; j++)
        if (lr_is_constant(&s, j))
            t.at_least[j] = n_sets; /* 0 >= 0 in every set */
    progress_line line = progress_begin("Permutations", "features",
                                        (double)source.p, c.progress);
    run_features(&t.task, &source, &line, 0.0, (double)source.p);
    progress_end(&line);
    UNPROTECT(2);
    return out;
}
