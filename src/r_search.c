/* The entries of the search for neighbours: the nearest samples, those within a
 * radius, all distances of some samples, and the mean and largest distance. */
#include "r_search_backends.h"
#include "r_walk.h"

enum { LIST_BYTES = 64 << 20 }; /* of lists at a time, but for halves */

pair_walk open_search(SEXP where, SEXP ends, SEXP control)
{
    pair_walk w = {
        .data = list_element(where, "data"),
        .scaling = list_element(where, "scaling"),
        .metric = (lr_metric)list_int(where, "metric"),
        .rounding = list_real(where, "rounding"),
        .block_of = int_or_null(list_element(where, "block")),
        .control = read_control(control), .share = 1.0};
    w.n = list_size(w.data, "n");
    w.cells = open_distances(w.data, w.scaling, w.metric, w.control);
    w.n_ends = Rf_isNull(ends) ? w.n : (size_t)Rf_xlength(ends);
    w.ends = Rf_isNull(ends) ? all_places(w.n).rows : zero_based(ends);
    return w;
}

/* ---- nearest samples ------------------------------------------------------- */

void offer_tile(void *lists, const lr_tile *tile, lr_chunk chunk)
{
    lr_lists_offer((lr_lists *)lists, tile, chunk);
}

lr_lists allocate_lists(const pair_walk *walk, const lr_list_rule *rule,
                        size_t k, size_t k_group)
{
    lr_lists l = {.rule = *rule, .k = k, .k_group = k_group,
                  .n_slots = walk->half ? walk->n : walk->n_ends};
    size_t places = l.n_slots * lr_lists_width(&l);
    size_t lists = l.n_slots * rule->n_lists;
    l.rule.block_of = walk->block_of;
    l.distance = new_doubles(places);
    l.row = new_ints(places);
    l.count = new_ints(lists);
    l.limit = new_doubles(lists);
    lr_lists_clear(&l);
    return l;
}

void find_lists(pair_walk *w, lr_lists *lists, int order_only)
{
    if (search_by_bounds(w, lists, order_only))
        return;
    w->use = offer_tile;
    w->context = lists;
    walk_pairs(w, "Neighbours");
}

/* rule: list(class_of: per sample from 0, -1 for none, or NULL; classes; links,
 * or NULL) */
static lr_list_rule read_rule(SEXP rule, lr_links *storage)
{
    SEXP class_of = list_element(rule, "class_of");
    lr_list_rule r = {1, NULL, read_links(list_element(rule, "links"), storage),
                      NULL};
    if (!Rf_isNull(class_of)) {
        r.class_of = INTEGER(class_of);
        r.n_lists = list_size(rule, "classes");
    } else if (r.links) {
        r.n_lists = 2;
    }
    return r;
}

/* Are the end points all samples that are in a list? Then each pair is computed
 * once for both. */
static int serves_both(const pair_walk *w, const lr_list_rule *rule)
{
    size_t listed = w->n;
    if (rule->links)
        return 0;
    for (size_t i = 0; rule->class_of && i < w->n; i++)
        listed -= rule->class_of[i] < 0;
    for (size_t e = 0; e < w->n_ends; e++)
        if ((rule->class_of && rule->class_of[w->ends[e]] < 0)
            || (e > 0 && w->ends[e - 1] >= w->ends[e]))
            return 0;
    return w->n_ends == listed;
}

/* The lists of one end point, the list's places next to each other. */
static void write_lists(lr_lists *l, size_t slot, int *row, double *distance)
{
    size_t width = lr_lists_width(l), n_lists = l->rule.n_lists;
    const int *count = l->count + slot * n_lists;
    lr_lists_sort(l, slot);
    for (size_t i = 0; i < width; i++) {
        size_t list = i < l->k * (n_lists - 1) ? i / l->k : n_lists - 1;
        int there = (int)(i - list * l->k) < count[list];
        row[i] = there ? l->row[slot * width + i] + 1 : 0;
        if (distance)
            distance[i] = there ? l->distance[slot * width + i] : NA_REAL;
    }
}

/* What r_nearest() is asked for, and where its answer goes. */
typedef struct {
    lr_list_rule rule;
    size_t k, k_group;
    size_t width; /* places of an end point */
    int *row;
    double *distance; /* NULL: not wanted */
} nearest_task;

/* The lists of the end points from number `from` on; returns where to go on.
 * Lists of very many places come some end points at a time. */
static size_t search_some(nearest_task *t, SEXP where, SEXP ends, SEXP control,
                          size_t from)
{
    const void *memory = vmaxget();
    pair_walk w = open_search(where, ends, control); /* protects one */
    size_t at_once = LIST_BYTES / (12 * (t->width + 1));
    size_t left = w.n_ends - from;
    w.half = serves_both(&w, &t->rule);
    if (!w.half && left > at_once && left > 256)
        left = at_once < 256 ? 256 : at_once;
    w.ends += from;
    w.n_ends = left;
    lr_lists lists = allocate_lists(&w, &t->rule, t->k, t->k_group);
    if (w.metric == LR_EUCLIDEAN)
        lists.unit = w.rounding;
    w.rounding = 0.0; /* the lists round the few distances that enter */
    find_lists(&w, &lists, !t->distance);
    for (size_t e = 0; t->width > 0 && e < left; e++)
        write_lists(&lists, w.half ? (size_t)w.ends[e] : e,
                    t->row + (from + e) * t->width,
                    t->distance ? t->distance + (from + e) * t->width : NULL);
    vmaxset(memory);
    UNPROTECT(1);
    return from + left;
}

/* The nearest samples of each end point (numbers from 1): list(row, distance),
 * a column for each end point, its lists one below the other (search_lists.h),
 * each nearest first, 0 and NA where there are no more. Distances are squared
 * when the metric is Euclidean.
 * k: places in each list; linked: in list 0 and in list 1
 * rule: as read_rule(); with_distance: else `distance` is NULL */
SEXP r_nearest(SEXP where, SEXP ends, SEXP k, SEXP rule, SEXP with_distance,
               SEXP control)
{
    const char *names[] = {"row", "distance", ""};
    lr_links storage;
    nearest_task t = {.rule = read_rule(rule, &storage),
                      .k = (size_t)INTEGER(k)[0]};
    size_t n_ends = (size_t)Rf_xlength(ends);
    if (t.rule.links)
        t.k_group = (size_t)INTEGER(k)[1];
    t.width = t.rule.links ? t.k + t.k_group : t.rule.n_lists * t.k;
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    t.row = set_int_matrix(out, 0, t.width, n_ends);
    if (Rf_asLogical(with_distance))
        t.distance = set_real_matrix(out, 1, t.width, n_ends);
    for (size_t from = 0; from < n_ends;)
        from = search_some(&t, where, ends, control, from);
    UNPROTECT(1);
    return out;
}

/* ---- all distances of some samples ----------------------------------------- */

static void copy_tile(void *context, const lr_tile *tile, lr_chunk chunk)
{
    double *out = (double *)context;
    for (size_t e = 0; e < tile->n_ends; e++)
        if (lr_is_own_end(tile, e, chunk))
            memcpy(out + (tile->first_slot + e) * tile->n_rows,
                   tile->distance + e * tile->ld,
                   tile->n_rows * sizeof(double));
}

/* Distances (squared when Euclidean) of some samples to all: n x ends. */
SEXP r_sample_distances(SEXP where, SEXP ends, SEXP control)
{
    pair_walk w = open_search(where, ends, control); /* protects one */
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)w.n, (int)w.n_ends));
    w.whole_rows = 1;
    w.use = copy_tile;
    w.context = REAL(out);
    walk_pairs(&w, "Distances");
    UNPROTECT(2);
    return out;
}

/* ---- mean and largest distance --------------------------------------------- */

typedef struct {
    const unsigned char *is_end; /* per sample */
    double *sum, *largest; /* per end point, over the end points beyond it */
} distance_summary;

static void sum_tile(void *context, const lr_tile *tile, lr_chunk chunk)
{
    const distance_summary *d = (distance_summary *)context;
    const unsigned char *is_end = d->is_end + tile->first_row;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        const double *distance = tile->distance + e * tile->ld;
        double *sum = d->sum + tile->first_slot + e;
        double *largest = d->largest + tile->first_slot + e;
        for (size_t r = lr_tile_begin(tile, e); r < tile->n_rows; r++) {
            if (!is_end[r])
                continue;
            *sum += distance[r];
            if (distance[r] > *largest)
                *largest = distance[r];
        }
    }
}

/* c(mean, largest) distance of all pairs of end points (ascending numbers from
 * 1, or NULL: all samples). */
SEXP r_distance_summary(SEXP where, SEXP ends, SEXP control)
{
    pair_walk w = open_search(where, ends, control); /* protects one */
    unsigned char *is_end = (unsigned char *)zero_structs(w.n, 1);
    distance_summary d = {is_end, zero_doubles(w.n_ends),
                          zero_doubles(w.n_ends)};
    for (size_t e = 0; e < w.n_ends; e++)
        is_end[w.ends[e]] = 1;
    w.half = 1;
    w.roots = 1;
    w.use = sum_tile;
    w.context = &d;
    walk_pairs(&w, "Distances");
    double total = 0.0, largest = 0.0, ends_count = (double)w.n_ends;
    for (size_t e = 0; e < w.n_ends; e++) {
        total += d.sum[e];
        if (d.largest[e] > largest)
            largest = d.largest[e];
    }
    SEXP out = PROTECT(Rf_allocVector(REALSXP, 2));
    REAL(out)[0] = total / (ends_count * (ends_count - 1) / 2);
    REAL(out)[1] = largest;
    UNPROTECT(2);
    return out;
}

/* ---- neighbours within a radius ------------------------------------------ */

typedef struct {
    const int *class_of;
    size_t n, n_classes;
    const double *radius; /* of all, or NULL: mean - sd / 2 of each */
    int *row;             /* n of each end point */
    int *start;           /* n_classes + 1 of each end point */
} radius_search;

static void find_within(void *context, const lr_tile *tile, lr_chunk chunk)
{
    const radius_search *r = (radius_search *)context;
    for (size_t e = 0; e < tile->n_ends; e++) {
        if (!lr_is_own_end(tile, e, chunk))
            continue;
        const double *distance = tile->distance + e * tile->ld;
        size_t slot = tile->first_slot + e;
        double mean, deviation, radius;
        if (r->radius) {
            radius = *r->radius;
        } else {
            lr_distance_moments(r->class_of, tile->ends[e], distance, r->n,
                                &mean, &deviation);
            radius = mean - deviation / 2.0;
        }
        lr_within(r->class_of, r->n_classes, tile->ends[e], distance, r->n,
                  radius, r->row + slot * r->n,
                  r->start + slot * (r->n_classes + 1));
    }
}

/* One list after the other. */
static SEXP write_within(const radius_search *r, size_t n_ends)
{
    const char *names[] = {"row", "start", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    size_t classes = r->n_classes;
    int *p_start = set_ints(out, 1, n_ends * classes + 1), count = 0;
    for (size_t e = 0; e < n_ends; e++) {
        for (size_t c = 0; c < classes; c++)
            *p_start++ = count + r->start[e * (classes + 1) + c];
        count += r->start[e * (classes + 1) + classes];
    }
    *p_start = count;
    int *p_row = set_ints(out, 0, (size_t)count);
    for (size_t e = 0; e < n_ends; e++)
        for (int i = 0; i < r->start[e * (classes + 1) + classes]; i++)
            *p_row++ = r->row[e * r->n + (size_t)i] + 1;
    UNPROTECT(1);
    return out;
}

/* Neighbours of each class strictly within `radius` (NULL: mean - sd / 2 of each
 * end point's distances): list(row, start), grouped by end point, then class;
 * `start` has one entry more than there are groups and counts from 0.
 * rule: by class */
SEXP r_within_radius(SEXP where, SEXP ends, SEXP radius, SEXP rule,
                     SEXP control)
{
    pair_walk w = open_search(where, ends, control); /* protects one */
    lr_links storage;
    lr_list_rule by = read_rule(rule, &storage);
    radius_search r = {by.class_of, w.n, by.n_lists, real_or_null(radius),
                       new_ints(w.n_ends * w.n),
                       new_ints(w.n_ends * (by.n_lists + 1))};
    w.whole_rows = 1;
    w.roots = 1;
    w.use = find_within;
    w.context = &r;
    walk_pairs(&w, "Neighbours");
    SEXP out = write_within(&r, w.n_ends);
    UNPROTECT(1);
    return out;
}
