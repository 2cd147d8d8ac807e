/* The margins of relabelled samples, set by set. */
#include "margin_walk.h"

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
    const set_task *t = (const set_task *)context;
    double *z = (double *)f->sums;
    lr_margin_sum sums[LR_LANES];
    for (size_t b = 0; b < t->n_sets; b++) {
        if (f->kind == SIDE_BY_SIDE)
            lr_margins_plain(t->sets + b, f->u, 1, sums, f->scratch);
        else
            lr_margins_other(t->sets + b, f->u, f->expected, &f->rule, 1, sums,
                             f->scratch);
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
        const int *row = p->hits + e * k;
        int found = 0;
        for (; found < (int)k && row[found] > 0; found++)
            hit[e * k + (size_t)found] = place[row[found] - 1];
        count[e] = found;
        end[e] = place[p->ends[e] - 1];
    }
    lr_margin_pairs *sets =
        (lr_margin_pairs *)lr_allocate(n_sets, sizeof(lr_margin_pairs));
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
    row_places rows = places_open(data->n);
    places_mark(&rows, p->ends, ends);
    places_mark(&rows, p->hits, ends * graph->k);
    places_number(&rows, data->n);
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
