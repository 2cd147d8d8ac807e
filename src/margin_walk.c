/* Margins of all features in blocks, from segments, pairs, labels or relabelled
 * samples. */
#include "margin_walk.h"

/* ==== Relief and STIR ===================================================== */

/* One number per feature. */
static void add_segments(void *context, const gathered *f)
{
    const lr_segments *g = context;
    if (f->kind == SIDE_BY_SIDE)
        lr_relief_plain(g, f->values.u, (double *)f->sums);
    else
        lr_relief_other(g, &f->values, (double *)f->sums);
}

/* ---- cells as they are stored -------------------------------------------- */

/* Scratch of a thread. */
typedef struct {
    double *u;
    int *place;
    lr_relief_buffer buffer;
} stored_buffer;

typedef struct {
    const lr_segments *segments;
    const feature_data *data;
    const row_places *places;
    lr_sparse_tile cells;
    lr_memberships in;
    stored_buffer *buffers;
    double *sums;
} stored_task;

/* Is it faster to find segments without a stored cell? If three cells in
 * ten are stored hardly any is left out. */
static int is_sparse(const feature_data *data, lr_sparse_tile *cells)
{
    size_t p = data->p;
    if (!stored_cells(data, cells)
        || (double)cells->start[p] > 0.3 * (double)p * (double)cells->count)
        return 0;
    for (size_t j = 0; j < p; j++)
        if (!lr_is_plain(&data->scaling, j))
            return 0;
    return 1;
}

/* Lists who[0 .. count - 1], segments in the order of the place that each is
 * of: entry e is of segment e, or of the one that `start` has it in. */
static int *list_by_place(const int *who, size_t count, const int *start,
                          size_t n_places, size_t *first)
{
    int *segment = new_ints(count + 1), s = 0;
    memset(first, 0, (n_places + 2) * sizeof(size_t));
    for (size_t e = 0; e < count; e++)
        first[who[e] + 2]++;
    for (size_t i = 0; i < n_places; i++)
        first[i + 2] += first[i + 1];
    for (size_t e = 0; e < count; e++) {
        while (start && (size_t)start[s + 1] <= e)
            s++;
        segment[first[who[e] + 1]++] = start ? s : (int)e;
    }
    return segment;
}

static void add_stored(void *context, const lr_block *block, size_t column)
{
    const stored_task *t = context;
    size_t j = block->first + column;
    if (lr_is_constant(&t->data->scaling, j))
        return;
    stored_buffer *buffer = t->buffers + lr_own_thread();
    lr_stored_places stored = {0, buffer->place, buffer->u,
                               lr_scale_cell(&t->data->scaling, j, 0.0)};
    for (int q = t->cells.start[j]; q < t->cells.start[j + 1]; q++) {
        int at = t->places->place[t->cells.row[q]];
        if (at < 0)
            continue;
        buffer->place[stored.count] = at;
        buffer->u[stored.count++] =
            lr_scale_cell(&t->data->scaling, j, t->cells.value[q]);
    }
    lr_relief_stored(t->segments, &t->in, &stored, &buffer->buffer,
                     t->sums + j);
}

static void sum_stored(stored_task *t)
{
    const lr_segments *g = t->segments;
    size_t places = g->n_places, segments = g->n_segments + 1;
    size_t total = (size_t)g->start[g->n_segments];
    size_t *own_start = new_sizes(places + 2), *start = new_sizes(places + 2);
    t->in = (lr_memberships){
        own_start,
        list_by_place(g->owner, g->n_segments, NULL, places, own_start), start,
        list_by_place(g->neighbour, total, g->start, places, start)};
    size_t threads = (size_t)t->data->control.threads;
    t->buffers = lr_allocate(threads, sizeof(stored_buffer));
    for (size_t r = 0; r < threads; r++)
        t->buffers[r] = (stored_buffer){
            new_doubles(places), new_ints(places),
            {.values = new_doubles(places), .part = zero_doubles(segments),
             .touched = zero_structs(segments / LR_GROUP + 1, 1)}};
    column_walk walk = {
        .data = t->data, .task = "Margins", .work = (double)total,
        .use = add_stored, .context = t, .as_stored = 1};
    walk_columns(&walk);
}

/* ---- both ways ----------------------------------------------------------- */

static double work_of(const lr_segments *g)
{
    return (double)g->start[g->n_segments] + (double)g->n_places;
}

void sum_segments(const feature_data *data, const placed_segments *g,
                  double *sums)
{
    stored_task stored = {.segments = &g->segments, .data = data,
                          .places = &g->places, .sums = sums};
    if (is_sparse(data, &stored.cells)) {
        sum_stored(&stored);
        return;
    }
    feature_walk walk = {
        .data = data, .rows = &g->places, .work = work_of(&g->segments),
        .sums = sums,
        .size = sizeof(double), .use = add_segments,
        .context = (void *)&g->segments};
    run_features(&walk, "Margins");
}

/* ---- STIR ---------------------------------------------------------------- */

typedef struct {
    const lr_segments *segments;
    const int *fresh;
} stir_task;

static void add_moments(void *context, const gathered *f)
{
    const stir_task *t = context;
    lr_stir(t->segments, &f->values, t->fresh, (lr_stir_sum *)f->sums);
}

void segment_moments(const feature_data *data, const placed_segments *g,
                     const int *fresh, lr_stir_sum *sums)
{
    stir_task t = {&g->segments, fresh};
    feature_walk walk = {
        .data = data, .rows = &g->places, .work = work_of(&g->segments),
        .sums = sums,
        .size = sizeof(lr_stir_sum), .use = add_moments, .context = &t};
    run_features(&walk, "Margins");
}

/* ==== I-Relief ============================================================ */

enum { ENDS_AT_ONCE = 128 }; /* so that memory grows with n only */

typedef struct {
    feature_walk features;
    pair_walk *walk;
    const lr_tile *tile; /* the coefficients of a pass */
    const int *table;    /* per sample */
    lr_irelief problem;
    double *scratch;     /* 3 n_classes for each thread */
    double *gamma;       /* per end point */
} irelief_task;

static void find_coefficients(void *context, const lr_tile *tile,
                              lr_chunk chunk)
{
    irelief_task *t = context;
    double *scratch = t->scratch + 3 * t->problem.n_classes * chunk.number;
    for (size_t e = 0; e < tile->n_ends; e++)
        if (lr_is_own_end(tile, e, chunk))
            t->gamma[tile->first_slot + e] = lr_irelief_coefficients(
                &t->problem, tile->ends[e], tile->distance + e * tile->ld,
                scratch);
}

/* One number per feature. */
static void add_differences(void *context, const gathered *f)
{
    const irelief_task *t = context;
    if (f->kind == SIDE_BY_SIDE)
        lr_irelief_plain(t->tile, f->values.u, (double *)f->sums);
    else
        lr_irelief_other(t->tile, &f->values, t->table, (double *)f->sums);
}

/* The differences of a pass times its coefficients; the pass's half of the
 * progress line begins in its middle. */
static void add_pass(void *context, const lr_tile *tile)
{
    irelief_task *t = context;
    double half = 0.5 * (double)tile->n_ends;
    t->tile = tile;
    walk_features(&t->features, &t->walk->line,
                  (double)tile->first_slot + half, half);
}

void irelief_step(const pair_walk *walk, const feature_data *data,
                  lr_irelief problem, double *v, double *gamma)
{
    pair_walk w = *walk;
    row_places places = all_places(w.n);
    int *table = new_ints(w.n);
    for (size_t i = 0; i < w.n; i++)
        table[i] = (int)lr_table_of(&data->scaling, i);
    irelief_task t = {
        .walk = &w, .table = table, .problem = problem, .gamma = gamma,
        .scratch = new_doubles(3 * problem.n_classes
                               * (size_t)w.data->control.threads)};
    t.features = (feature_walk){
        .data = data, .rows = &places,
        .work = (double)ENDS_AT_ONCE * (double)w.n,
        .walks = w.n_ends / ENDS_AT_ONCE + 1, .sums = v,
        .size = sizeof(double), .use = add_differences, .context = &t};
    plan_features(&t.features);
    w.whole_rows = 1;
    w.most_ends = ENDS_AT_ONCE;
    w.share = 0.5;
    w.use = find_coefficients;
    w.collect = add_pass;
    w.context = &t;
    walk_pairs(&w, "One iteration");
}

/* ==== constraints ========================================================= */

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

/* Adds the places of rows, numbers from 1 up to the first 0, to `count` hits
 * until there are k; returns how many there are. */
static size_t take_hits(const int *row, size_t most, const int *place, size_t k,
                        int *hits, size_t count)
{
    for (size_t j = 0; j < most && row[j] > 0 && count < k; j++)
        hits[count++] = place[row[j] - 1];
    return count;
}

/* Those of end point e: its group first, then the others. */
static size_t hits_of_end(const end_neighbours *near, size_t e,
                          const int *place, int *hits)
{
    const int *row = near->row + e * (near->n_others + near->n_group);
    size_t own = take_hits(row + near->n_others, near->n_group, place, near->k,
                           hits, 0);
    return take_hits(row, near->n_others, place, near->k, hits, own);
}

/* ---- margins of the constraints ------------------------------------------ */

typedef struct {
    const lr_margin_pairs *pairs;
    int fresh;
} sum_task;

static void add_margins(void *context, const gathered *f)
{
    const sum_task *t = context;
    lr_margins(t->pairs, &f->values, t->fresh, (lr_margin_sum *)f->sums,
               f->scratch);
}

/* The hits of all end points, as places. */
static void fill_hits(lr_margin_pairs *pairs, const end_neighbours *near,
                      const int *place)
{
    size_t n_ends = near->n_ends, k = near->k;
    int *end = new_ints(n_ends);
    int *count = new_ints(n_ends);
    int *hit = new_ints(n_ends * k + 1);
    for (size_t e = 0; e < n_ends; e++) {
        count[e] = (int)hits_of_end(near, e, place, hit + e * k);
        end[e] = place[near->ends[e] - 1];
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
    row_places rows =
        needed_places(data->n, near->ends, near->n_ends, near->row,
                      near->n_ends * (near->n_others + near->n_group));
    lr_margin_pairs p = {.both = pairs->both, .weight = pairs->weight};
    fill_hits(&p, near, rows.place);
    pair_stream stream = open_pairs(pairs, p.n_ends);
    sum_task t = {&p, 1};
    double total = (double)pairs->count, done = 0.0;
    double per_pass = total < PAIRS_AT_ONCE ? total : PAIRS_AT_ONCE;
    feature_walk walk = {
        .data = data, .rows = &rows,
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

/* ==== labels ============================================================== */

/* ---- the samples --------------------------------------------------------- */

static lr_labels number_samples(size_t n, const end_neighbours *near)
{
    size_t ends = near->n_ends;
    int *row = new_ints(ends), *start = new_ints(ends + 1);
    int *hit = new_ints(ends * near->k + 1), *with_hits = new_ints(ends + 1);
    int *owner = new_ints(ends * near->k + 1);
    row_places all = all_places(n);
    start[0] = with_hits[0] = 0;
    for (size_t e = 0; e < ends; e++) {
        int count = (int)hits_of_end(near, e, all.place, hit + start[e]);
        row[e] = near->ends[e] - 1;
        start[e + 1] = start[e] + count;
        with_hits[e + 1] = with_hits[e] + (count > 0);
        for (int q = start[e]; q < start[e + 1]; q++)
            owner[q] = (int)e;
    }
    size_t *user_start = new_sizes(n + 2);
    return (lr_labels){
        .n = n, .row = row, .n_labelled = ends,
        .number = feature_places(n, near->ends, ends), .start = start,
        .hit = hit, .owner = owner, .user_start = user_start,
        .user = list_by_place(hit, (size_t)start[ends], start, n, user_start),
        .with_hits = with_hits};
}

static void grow_tree(lr_labels *labels, const int *size, size_t n_classes)
{
    int *begin = new_ints(n_classes + 1);
    lr_node *nodes = lr_allocate(n_classes, sizeof(lr_node));
    begin[0] = 0;
    for (size_t c = 0; c < n_classes; c++)
        begin[c + 1] = begin[c] + size[c];
    labels->n_nodes = lr_class_tree(begin, n_classes, nodes);
    labels->nodes = nodes;
}

/* ---- their margins ------------------------------------------------------- */

/* One per thread. */
typedef struct {
    lr_entries entries;
    lr_label_buffer *buffer;
} label_worker;

typedef struct {
    lr_labels labels;
    const feature_data *data;
    label_worker *workers;
    lr_label_sum *sums; /* one per feature */
} label_walk;

static void allocate_workers(label_walk *w, int threads)
{
    size_t n = w->labels.n, bytes = lr_label_bytes(&w->labels);
    w->workers = lr_allocate((size_t)threads, sizeof(label_worker));
    for (int t = 0; t < threads; t++)
        w->workers[t] = (label_worker){
            {new_ints(n), new_doubles(n), 0},
            lr_label_buffer_in(&w->labels,
                               new_doubles(bytes / sizeof(double) + 1))};
}

/* Margins of one feature of a block; features that are constant, categories or
 * incomplete keep sums of 0. Sparse data are read as they are. */
static void sum_feature(void *context, const lr_block *block, size_t j)
{
    const label_walk *w = context;
    label_worker *worker = w->workers + lr_own_thread();
    size_t feature = block->first + j;
    if (lr_is_constant(&w->data->scaling, feature)
        || !lr_is_plain(&w->data->scaling, feature))
        return;
    lr_shift shift =
        lr_shift_of(&w->data->scaling, feature, w->data->minimum[feature],
                    w->data->maximum[feature]);
    lr_entries_of_feature(&shift, block, j, &worker->entries);
    lr_label_margins(&w->labels, &worker->entries, worker->buffer,
                     w->sums + feature);
}

void sum_label_margins(const feature_data *data, const end_neighbours *near,
                       const int *size, size_t n_classes, lr_label_sum *sums)
{
    label_walk w = {.labels = number_samples(data->n, near), .data = data,
                    .sums = sums};
    grow_tree(&w.labels, size, n_classes);
    allocate_workers(&w, data->control.threads);
    double hits = (double)w.labels.start[w.labels.n_labelled];
    column_walk walk = {.data = data, .task = "Margins",
                        .work = 300.0 * (hits + (double)data->n),
                        .use = sum_feature, .context = &w, .as_stored = 1};
    walk_columns(&walk);
}

/* ==== relabelled samples ================================================== */

/* ---- neighbours ---------------------------------------------------------- */

/* The hits of one set, whose samples are at the nodes. */
static void hits_of_set(const relabelled_ends *r, lr_relabelled *set,
                        const int *column_of, int *found, int *hit)
{
    for (size_t e = 0; e < r->n_ends; e++, hit += r->k) {
        int base = r->node[r->end[e]];
        size_t column = (size_t)column_of[set->to[base]];
        size_t n_near = read_numbers(r->near + column * r->n_near, r->n_near,
                                     found);
        size_t count =
            lr_relabelled_hits(set, base, found, n_near, r->k, hit);
        for (size_t j = 0; j < r->k; j++)
            hit[j] = j < count ? hit[j] + 1 : 0;
    }
}

void relabelled_hits(const relabelled_ends *r, const int *samples,
                     size_t n_sets, int *hit)
{
    int *found = new_ints(r->n_near), *column_of = new_ints(r->n);
    lr_relabelled set = {r->links, r->block, new_ints(r->n), new_ints(r->n)};
    memset(set.component, -1, r->n * sizeof(int));
    for (size_t e = 0; e < r->n_columns; e++)
        column_of[r->column_of[e] - 1] = (int)e;
    for (size_t b = 0; b < n_sets; b++, hit += r->n_ends * r->k) {
        const int *sample = samples + b * r->n_nodes;
        /* puts these samples at the nodes */
        for (size_t v = 0; v < r->n_nodes; v++) {
            set.to[r->node[v]] = sample[v] - 1;
            if (set.links)
                set.component[sample[v] - 1] =
                    set.links->component[r->node[v]];
        }
        hits_of_set(r, &set, column_of, found, hit);
        for (size_t v = 0; v < r->n_nodes; v++)
            set.component[sample[v] - 1] = -1;
        lr_check_interrupt();
    }
}

/* ---- margins ------------------------------------------------------------- */

typedef struct {
    const lr_margin_pairs *sets;
    size_t n_sets;
} set_task;

static void add_sets(void *context, const gathered *f)
{
    const set_task *t = context;
    double *z = (double *)f->sums;
    lr_margin_sum sums[LR_LANES];
    for (size_t b = 0; b < t->n_sets; b++) {
        lr_margins(t->sets + b, &f->values, 1, sums, f->scratch);
        for (size_t l = 0; l < f->count; l++)
            z[l * t->n_sets + b] = sums[l].sum;
    }
}

/* The sets differ in their samples alone. */
static lr_margin_pairs *place_sets(const relabelled_pairs *p, const int *place)
{
    const lr_margin_pairs *graph = &p->graph;
    size_t n_sets = p->n_sets, n_ends = graph->n_ends, k = graph->k;
    int *end = new_ints(n_ends * n_sets), *hit = new_ints(k * n_ends * n_sets);
    int *count = new_ints(n_ends * n_sets);
    for (size_t e = 0; e < n_ends * n_sets; e++) {
        count[e] =
            (int)take_hits(p->hits + e * k, k, place, k, hit + e * k, 0);
        end[e] = place[p->ends[e] - 1];
    }
    lr_margin_pairs *sets = lr_allocate(n_sets, sizeof(lr_margin_pairs));
    for (size_t b = 0; b < n_sets; b++) {
        sets[b] = *graph;
        sets[b].end = end + b * n_ends;
        sets[b].hit = hit + b * n_ends * k;
        sets[b].count = count + b * n_ends;
    }
    return sets;
}

void relabelled_margins(const feature_data *data, const relabelled_pairs *p,
                        double *z)
{
    const lr_margin_pairs *graph = &p->graph;
    size_t ends = graph->n_ends * p->n_sets;
    row_places rows = needed_places(data->n, p->ends, ends, p->hits,
                                    ends * graph->k);
    set_task t = {place_sets(p, rows.place), p->n_sets};
    /* constant features are not walked through */
    memset(z, 0, p->n_sets * data->p * sizeof(double));
    feature_walk walk = {
        .data = data, .rows = &rows,
        .work = 4.0 * (double)p->n_sets * (double)graph->n_pairs
                * (double)graph->k,
        .scratch = graph->n_ends * LR_LANES, .sums = z,
        .size = p->n_sets * sizeof(double), .use = add_sets, .context = &t};
    run_features(&walk, "Permutations");
}
