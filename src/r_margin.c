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

/* list(first, second) of end point numbers, or list(label) of end points. */
static pair_stream read_pairs(SEXP pairs, int n_ends)
{
    pair_stream s = {.n_ends = n_ends, .j = 1};
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
    row_places rows;
    int *buffer_others, *buffer_group; /* of one end point, rows from 0 */
} hit_reader;

static hit_reader open_hits(SEXP lists, size_t n)
{
    SEXP row = list_element(lists, "row"), ends = list_element(lists, "ends");
    hit_reader h = {.ends = ends, .row = row,
                    .n_ends = (size_t)Rf_xlength(ends),
                    .n_others = list_size(lists, "others"),
                    .k = list_size(lists, "k")};
    h.n_group = (size_t)Rf_nrows(row) - h.n_others;
    h.rows = places_open(n);
    places_mark(&h.rows, h.ends);
    places_mark(&h.rows, h.row);
    places_number(&h.rows, n);
    h.buffer_others = new_ints(h.n_others + 1);
    h.buffer_group = new_ints(h.n_group + 1);
    return h;
}

/* Hits of the end point in that column as places; returns how many. */
static int place_hits(const hit_reader *h, size_t column, int *hits)
{
    const int *row = INTEGER(h->row) + column * (h->n_others + h->n_group);
    size_t n_others = read_numbers(row, h->n_others, h->buffer_others);
    size_t n_group =
        read_numbers(row + h->n_others, h->n_group, h->buffer_group);
    size_t count = lr_take_hits(h->buffer_group, n_group, h->buffer_others,
                                n_others, h->k, hits);
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

/* The hits of all end points, as places. */
static void fill_hits(lr_margin_pairs *pairs, const hit_reader *h)
{
    int *end = new_ints(h->n_ends);
    int *count = new_ints(h->n_ends);
    int *hit = new_ints(h->n_ends * h->k + 1);
    for (size_t e = 0; e < h->n_ends; e++) {
        end[e] = h->rows.place[INTEGER(h->ends)[e] - 1];
        count[e] = place_hits(h, e, hit + e * h->k);
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
    hit_reader hits = open_hits(lists, list_size(data, "n"));
    SEXP weight = list_element_or_null(pairs, "weight");
    lr_margin_pairs p = {.both = Rf_asLogical(both),
                         .weight = weight ? real_or_null(weight) : NULL};
    fill_hits(&p, &hits);
    pair_stream stream = read_pairs(pairs, (int)p.n_ends);

    sum_task t = {&p, 1};
    size_t features = list_size(data, "p");
    lr_margin_sum *sums =
        (lr_margin_sum *)zero_structs(features, sizeof(lr_margin_sum));
    double total = list_real(pairs, "count"), done = 0.0;
    double per_pass = total < PAIRS_AT_ONCE ? total : PAIRS_AT_ONCE;
    feature_walk walk = {
        .data = data, .scaling = &s, .rows = &hits.rows, .control = c,
        .work = (per_pass * (p.both + 1.0) + (double)p.n_ends) * (double)p.k,
        .walks = 1, .scratch = p.n_ends * LR_LANES, .sums = sums,
        .size = sizeof(lr_margin_sum), .use = add_margins, .context = &t};
    plan_features(&walk); /* protects one */
    progress_line line = progress_begin("Margins", "pairs", total, c.progress);
    while (next_pairs(&stream, &p)) {
        t.fresh = done == 0.0;
        walk_features(&walk, &line, done, (double)p.n_pairs);
        done += (double)p.n_pairs;
    }
    progress_end(&line);
    const char *names[] = {"margin", "deviation", "square", "size", "pairs",
                           ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    set_members(out, sums, features, 4, sizeof *sums / sizeof(double));
    SET_VECTOR_ELT(out, 4, Rf_ScalarReal(done));
    UNPROTECT(2);
    return out;
}
