#include <string.h>

#include "margin_pairs.h"
#include "r_walk.h"

/* ---- pairs of end points ------------------------------------------------- */

/* Cannot-linked pairs, in the order of the constraints: a list, or all pairs
 * of end points with different labels, made when they are needed. */
typedef struct {
    const int *first, *second; /* a list, or NULL */
    const int *label;          /* of each end point, when there is no list */
    int n_ends;
    size_t n_pairs;            /* of the list */
    int *buffer_first, *buffer_second;
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
            s->buffer_first[count] = s->i;
            s->buffer_second[count] = s->j;
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
        pairs->first = s->buffer_first;
        pairs->second = s->buffer_second;
        pairs->n_pairs = next_label_pairs(s);
    }
    return pairs->n_pairs > 0;
}

/* Weights of listed pairs: an element of their list, NULL or not there for
 * pairs of the same weight. */
static const double *read_weights(SEXP pairs)
{
    SEXP weight = list_element_or_null(pairs, "weight");
    return !weight || Rf_isNull(weight) ? NULL : REAL(weight);
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
        s.buffer_first = new_ints(PAIRS_AT_ONCE);
        s.buffer_second = new_ints(PAIRS_AT_ONCE);
    }
    return s;
}

/* ---- hits of the end points ---------------------------------------------- */

/* What nearest() of R/search.R found, and what of it becomes a hit: list(ends,
 * row, others, k), of `row` a column for each end point, first `others` places of
 * other samples, then those of its own component; rows from 1. */
typedef struct {
    SEXP ends, row;
    size_t n_ends, n_others, n_group, k;
    const lr_links *links;   /* NULL: nothing left out */
    row_places rows;
    int *buffer_others, *buffer_group; /* of one end point, rows from 0 */
} hit_reader;

static hit_reader open_hits(SEXP lists, size_t n)
{
    hit_reader h;
    h.ends = list_element(lists, "ends");
    h.row = list_element(lists, "row");
    h.n_ends = (size_t)Rf_xlength(h.ends);
    h.n_others = (size_t)list_int(lists, "others");
    h.n_group = (size_t)Rf_nrows(h.row) - h.n_others;
    h.k = (size_t)list_int(lists, "k");
    h.links = NULL;
    h.rows = places_open(n);
    places_mark(&h.rows, h.ends);
    places_mark(&h.rows, h.row);
    places_number(&h.rows, n);
    h.buffer_others = new_ints(h.n_others + 1);
    h.buffer_group = new_ints(h.n_group + 1);
    return h;
}

static size_t read_list(const int *row, size_t most, int *out)
{
    size_t count = 0;
    while (count < most && row[count] > 0) {
        out[count] = row[count] - 1;
        count++;
    }
    return count;
}

/* Hits of the end point in that column as places; returns how many. */
static int place_hits(const hit_reader *h, size_t column, int end, int *hits)
{
    const int *row = INTEGER(h->row) + column * (h->n_others + h->n_group);
    size_t n_others = read_list(row, h->n_others, h->buffer_others);
    size_t n_group =
        read_list(row + h->n_others, h->n_group, h->buffer_group);
    size_t count = lr_take_hits(end, h->buffer_group, n_group, h->buffer_others,
                                n_others, h->links, h->k, hits);
    for (size_t j = 0; j < count; j++)
        hits[j] = h->rows.place[hits[j]];
    return (int)count;
}

/* ---- margins of the constraints ------------------------------------------ */

typedef struct {
    const lr_margin_pairs *pairs;
    int fresh;
} sum_task;

static void add_margins(void *context, const gathered *f)
{
    const sum_task *t = (const sum_task *)context;
    lr_margin_sum *sums = (lr_margin_sum *)f->sums;
    if (f->kind == SIDE_BY_SIDE)
        lr_margins_plain(t->pairs, f->u, t->fresh, sums, f->scratch);
    else
        lr_margins_other(t->pairs, f->u, f->expected, &f->rule, t->fresh, sums,
                         f->scratch);
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

/* The hits of all end points, as places. */
static void fill_hits(lr_margin_pairs *pairs, const hit_reader *h)
{
    int *end = new_ints(h->n_ends);
    int *count = new_ints(h->n_ends);
    int *hit = new_ints(h->n_ends * h->k + 1);
    for (size_t e = 0; e < h->n_ends; e++) {
        int row = INTEGER(h->ends)[e] - 1;
        end[e] = h->rows.place[row];
        count[e] = place_hits(h, e, row, hit + e * h->k);
    }
    pairs->n_ends = h->n_ends;
    pairs->k = h->k;
    pairs->end = end;
    pairs->count = count;
    pairs->hit = hit;
}

/* pairs: list(first, second, label, weight); lists: list(ends, row, others, k) */
SEXP r_constrained_margins(SEXP data, SEXP scaling, SEXP pairs, SEXP lists,
                           SEXP both, SEXP control)
{
    run_control c = read_control(control);
    lr_scaling s = read_scaling(scaling);
    feature_source source = source_open(data, 1); /* protects one */
    hit_reader hits = open_hits(lists, source.n);
    lr_margin_pairs p;
    p.both = Rf_asLogical(both);
    p.weight = read_weights(pairs);
    fill_hits(&p, &hits);
    pair_stream stream = read_pairs(pairs, (int)p.n_ends);

    sum_task t = {&p, 1};
    lr_margin_sum *sums =
        (lr_margin_sum *)R_alloc(source.p, sizeof(lr_margin_sum));
    memset(sums, 0, source.p * sizeof(lr_margin_sum));
    feature_walk walk = {
        .source = &source, .scaling = &s, .rows = &hits.rows, .control = c,
        .walks = 1, .scratch = p.n_ends * LR_LANES, .sums = sums,
        .size = sizeof(lr_margin_sum), .use = add_margins, .context = &t};
    double total = Rf_asReal(list_element(pairs, "count")), done = 0.0;
    double per_pass = total < PAIRS_AT_ONCE ? total : PAIRS_AT_ONCE;
    walk.work = (per_pass * (p.both + 1.0) + (double)p.n_ends) * (double)p.k;
    plan_features(&walk);
    progress_line line = progress_begin("Margins", "pairs", total, c.progress);
    while (next_pairs(&stream, &p)) {
        t.fresh = done == 0.0;
        walk_features(&walk, &line, done, (double)p.n_pairs);
        done += (double)p.n_pairs;
    }
    progress_end(&line);
    SEXP out = PROTECT(write_sums(sums, source.p, done));
    UNPROTECT(2);
    return out;
}

/* ---- margins of random pairs --------------------------------------------- */

typedef struct {
    const lr_margin_pairs *sets;
    int n_sets;
    const double *margin; /* of the constraints, per feature */
} count_task;

/* Sets whose margin is at least that of the constraints. */
static void count_margins(void *context, const gathered *f)
{
    const count_task *t = (const count_task *)context;
    double *at_least = (double *)f->sums;
    lr_margin_sum sums[LR_LANES];
    for (int b = 0; b < t->n_sets; b++) {
        if (f->kind == SIDE_BY_SIDE)
            lr_margins_plain(t->sets + b, f->u, 1, sums, f->scratch);
        else
            lr_margins_other(t->sets + b, f->u, f->expected, &f->rule, 1, sums,
                             f->scratch);
        for (size_t l = 0; l < f->count; l++)
            at_least[l] += sums[l].sum >= t->margin[f->feature[l]];
    }
}

/* Builds one set of random pairs after the other. */
typedef struct {
    hit_reader hits;
    size_t n_pairs;
    int both;
    const double *weight; /* of the pairs of every set, or NULL */
    int linked;         /* do the pairs keep cannot-linked samples out? */
    lr_links links;     /* the must-link components, and what this set adds */
    int n_components;
    int *start, *against;
    int *column_of;     /* per sample: its column of the lists */
    int *number;        /* per sample: its number in this set, -1 = none yet */
} set_builder;

static set_builder open_sets(SEXP lists, SEXP links, size_t n, size_t n_pairs)
{
    set_builder b;
    memset(&b, 0, sizeof b);
    b.hits = open_hits(lists, n);
    b.n_pairs = n_pairs;
    b.linked = read_links(links, &b.links) != NULL;
    if (b.linked)
        b.n_components = list_int(links, "count");
    b.start = new_ints((size_t)b.n_components + 1);
    b.against = new_ints(2 * n_pairs);
    b.column_of = new_ints(n);
    b.number = new_ints(n);
    for (size_t e = 0; e < b.hits.n_ends; e++)
        b.column_of[INTEGER(b.hits.ends)[e] - 1] = (int)e;
    return b;
}

/* Components that one set of pairs cannot-links, as in lr_links. */
static void link_against(set_builder *s, const int *a, const int *b)
{
    const int *component = s->links.component;
    int *start = s->start, *against = s->against;
    memset(start, 0, ((size_t)s->n_components + 1) * sizeof(int));
    for (size_t t = 0; t < s->n_pairs; t++) {
        start[component[a[t]]]++;
        start[component[b[t]]]++;
    }
    for (int c = 1; c <= s->n_components; c++)
        start[c] += start[c - 1];
    for (size_t t = 0; t < s->n_pairs; t++) {
        int x = component[a[t]], y = component[b[t]];
        against[--start[x]] = y;
        against[--start[y]] = x;
    }
    for (int c = 0; c < s->n_components; c++)
        R_isort(against + start[c], start[c + 1] - start[c]);
    s->links.against_start = start;
    s->links.against = against;
    s->hits.links = &s->links;
}

/* End points that a set of pairs has at most. */
static size_t most_ends(const set_builder *s)
{
    size_t places = s->hits.rows.n_rows;
    return 2 * s->n_pairs < places ? 2 * s->n_pairs : places;
}

/* The end points are numbered as they come. */
static lr_margin_pairs build_set(set_builder *s, const int *a, const int *b)
{
    size_t most = most_ends(s), k = s->hits.k;
    int *side[2] = {new_ints(s->n_pairs),
                    new_ints(s->n_pairs)};
    int *end = new_ints(most);
    int *count = new_ints(most);
    int *hit = new_ints(most * k + 1);
    size_t n_ends = 0;
    if (s->linked)
        link_against(s, a, b);
    for (size_t t = 0; t < s->n_pairs; t++)
        s->number[a[t]] = s->number[b[t]] = -1;
    for (size_t t = 0; t < 2 * s->n_pairs; t++) {
        int row = t % 2 == 0 ? a[t / 2] : b[t / 2];
        if (s->number[row] < 0) {
            s->number[row] = (int)n_ends;
            end[n_ends] = s->hits.rows.place[row];
            count[n_ends] = place_hits(&s->hits, (size_t)s->column_of[row],
                                       row, hit + n_ends * k);
            n_ends++;
        }
        side[t % 2][t / 2] = s->number[row];
    }
    lr_margin_pairs p = {s->n_pairs, side[0], side[1], n_ends, end, k, hit,
                         count, s->both, s->weight};
    return p;
}

static lr_margin_pairs *build_sets(SEXP pairs, set_builder *s)
{
    int n_sets = Rf_ncols(list_element(pairs, "first"));
    const int *first = zero_based(list_element(pairs, "first"));
    const int *second = zero_based(list_element(pairs, "second"));
    lr_margin_pairs *sets =
        (lr_margin_pairs *)R_alloc((size_t)n_sets, sizeof(lr_margin_pairs));
    for (int b = 0; b < n_sets; b++)
        sets[b] = build_set(s, first + (size_t)b * s->n_pairs,
                            second + (size_t)b * s->n_pairs);
    return sets;
}

/* For each feature, how many of the sets of pairs have a margin of at least
 * `margin`.
 * pairs: list(first, second, weight), matrices pairs x sets of sample numbers,
 * and the weights of the pairs of every set; lists:
 * list(ends, row, others, k) for all samples in them, nothing left out;
 * links: the must-link components, NULL when must-links are ignored. Each
 * set's own pairs then keep cannot-linked samples from its hits. */
SEXP r_permuted_margins(SEXP data, SEXP scaling, SEXP pairs, SEXP lists,
                        SEXP links, SEXP both, SEXP margin, SEXP control)
{
    lr_scaling s = read_scaling(scaling);
    SEXP first = list_element(pairs, "first");
    feature_source source = source_open(data, 1); /* protects one */
    set_builder b =
        open_sets(lists, links, source.n, (size_t)Rf_nrows(first));
    b.both = Rf_asLogical(both);
    b.weight = read_weights(pairs);
    count_task t = {build_sets(pairs, &b), Rf_ncols(first), REAL(margin)};
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)source.p));
    for (size_t j = 0; j < source.p; j++) /* constant: 0 >= 0 in every set */
        REAL(out)[j] = lr_is_constant(&s, j) ? t.n_sets : 0.0;
    feature_walk walk = {
        .source = &source, .scaling = &s, .rows = &b.hits.rows,
        .control = read_control(control),
        .work = 4.0 * t.n_sets * (double)b.n_pairs * (double)b.hits.k,
        .walks = 1, .scratch = most_ends(&b) * LR_LANES, .sums = REAL(out),
        .size = sizeof(double), .use = count_margins, .context = &t};
    plan_features(&walk);
    progress_line line =
        progress_begin("Permutations", "features", (double)source.p,
                       walk.control.progress);
    walk_features(&walk, &line, 0.0, (double)source.p);
    progress_end(&line);
    UNPROTECT(2);
    return out;
}
