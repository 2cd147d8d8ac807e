#include "margin_walk.h"

/* ---- pairs of end points ------------------------------------------------- */

/* Pairs of end points with different labels are made when they are needed. */
typedef struct {
    const cannot_links *pairs;
    int n_ends;
    int listed; /* has the list not been used yet? */
    int *buffer_first, *buffer_second;
    int i, j; /* where the next pair of labels is looked for */
} pair_stream;

enum { PAIRS_AT_ONCE = 1 << 20 };

static size_t next_label_pairs(pair_stream *s)
{
    const int *label = s->pairs->label;
    size_t count = 0;
    for (; s->i < s->n_ends; s->i++, s->j = s->i + 1)
        for (; s->j < s->n_ends; s->j++) {
            if (label[s->i] == label[s->j])
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
    if (!s->pairs->label) {
        pairs->first = s->pairs->first;
        pairs->second = s->pairs->second;
        pairs->n_pairs = s->listed ? s->pairs->count : 0;
        s->listed = 0;
    } else {
        pairs->first = s->buffer_first;
        pairs->second = s->buffer_second;
        pairs->n_pairs = next_label_pairs(s);
    }
    return pairs->n_pairs > 0;
}

static pair_stream open_pairs(const cannot_links *pairs, size_t n_ends)
{
    pair_stream s = {.pairs = pairs, .n_ends = (int)n_ends, .listed = 1,
                     .j = 1};
    if (pairs->label) {
        s.buffer_first = new_ints(PAIRS_AT_ONCE);
        s.buffer_second = new_ints(PAIRS_AT_ONCE);
    }
    return s;
}

/* ---- hits of the end points ---------------------------------------------- */

typedef struct {
    const end_neighbours *near;
    row_places rows;
    int *buffer_others, *buffer_group; /* of one end point, rows from 0 */
} hit_reader;

static hit_reader open_hits(const end_neighbours *near, size_t n)
{
    hit_reader h = {near, places_open(n), new_ints(near->n_others + 1),
                    new_ints(near->n_group + 1)};
    places_mark(&h.rows, near->ends, near->n_ends);
    places_mark(&h.rows, near->row,
                near->n_ends * (near->n_others + near->n_group));
    places_number(&h.rows, n);
    return h;
}

/* Hits of the end point in that column as places; returns how many. */
static int place_hits(const hit_reader *h, size_t column, int *hits)
{
    const end_neighbours *l = h->near;
    const int *row = l->row + column * (l->n_others + l->n_group);
    size_t n_others = read_numbers(row, l->n_others, h->buffer_others);
    size_t n_group =
        read_numbers(row + l->n_others, l->n_group, h->buffer_group);
    size_t count = lr_take_hits(h->buffer_group, n_group, h->buffer_others,
                                n_others, l->k, hits);
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
    size_t n_ends = h->near->n_ends, k = h->near->k;
    int *end = new_ints(n_ends);
    int *count = new_ints(n_ends);
    int *hit = new_ints(n_ends * k + 1);
    for (size_t e = 0; e < n_ends; e++) {
        end[e] = h->rows.place[h->near->ends[e] - 1];
        count[e] = place_hits(h, e, hit + e * k);
    }
    pairs->n_ends = n_ends;
    pairs->k = k;
    pairs->end = end;
    pairs->count = count;
    pairs->hit = hit;
}

double sum_pair_margins(const feature_data *data, const cannot_links *pairs,
                        const end_neighbours *near, lr_margin_sum *sums)
{
    hit_reader hits = open_hits(near, data->n);
    lr_margin_pairs p = {.both = pairs->both, .weight = pairs->weight};
    fill_hits(&p, &hits);
    pair_stream stream = open_pairs(pairs, p.n_ends);
    sum_task t = {&p, 1};
    double total = (double)pairs->count, done = 0.0;
    double per_pass = total < PAIRS_AT_ONCE ? total : PAIRS_AT_ONCE;
    feature_walk walk = {
        .data = data, .rows = &hits.rows,
        .work = (per_pass * (p.both + 1.0) + (double)p.n_ends) * (double)p.k,
        .walks = 1, .scratch = p.n_ends * LR_LANES, .sums = sums,
        .size = sizeof(lr_margin_sum), .use = add_margins, .context = &t};
    plan_features(&walk);
    progress_line line =
        progress_begin("Margins", "pairs", total, data->control.progress);
    while (next_pairs(&stream, &p)) {
        t.fresh = done == 0.0;
        walk_features(&walk, &line, done, (double)p.n_pairs);
        done += (double)p.n_pairs;
    }
    progress_end(&line);
    return done;
}
