/* The margins of relabelled samples, set by set, and what they say of those of
 * the constraints: R/margin-permutations.R. */
#include "margin_pairs.h"
#include "margin_permutations.h"
#include "r_walk.h"

/* ---- neighbours ------------------------------------------------------------ */

/* The nearest samples of some samples, a column each. */
typedef struct {
    const int *row;
    size_t most;
    int *column_of; /* per sample */
} near_lists;

static near_lists read_near(SEXP lists, size_t n)
{
    SEXP row = list_element(lists, "row"), ends = list_element(lists, "ends");
    near_lists l = {INTEGER(row), (size_t)Rf_nrows(row), new_ints(n)};
    for (int e = 0; e < Rf_ncols(row); e++)
        l.column_of[INTEGER(ends)[e] - 1] = e;
    return l;
}

/* The hits of all end points of all sets: k x (ends x sets) samples, 0 = no more.
 * graph    list(nodes: samples of the constraints, ends: those in cannot-links,
 *          as numbers of nodes, links: list or NULL, samples: how many)
 * samples  nodes x sets: the samples in their places
 * lists    list(ends, row): samples near to all that are ends in any set
 * block    per sample from 0, -1 = none, or NULL */
SEXP r_relabelled_hits(SEXP graph, SEXP samples, SEXP lists, SEXP block, SEXP k)
{
    lr_links storage;
    size_t n = list_size(graph, "samples");
    size_t n_nodes = (size_t)Rf_nrows(samples), most = (size_t)Rf_asReal(k);
    const int *node = zero_based(list_element(graph, "nodes"));
    const int *end = zero_based(list_element(graph, "ends"));
    size_t n_ends = (size_t)Rf_xlength(list_element(graph, "ends"));
    near_lists near = read_near(lists, n);
    int *found = new_ints(near.most);
    lr_relabelled set = {read_links(list_element(graph, "links"), &storage),
                         int_or_null(block), new_ints(n),
                         new_ints(n)};
    memset(set.component, -1, n * sizeof(int));
    SEXP out = PROTECT(Rf_allocMatrix(INTSXP, (int)most,
                                      (int)n_ends * Rf_ncols(samples)));
    int *hit = INTEGER(out);
    for (int b = 0; b < Rf_ncols(samples); b++) {
        const int *sample = INTEGER(samples) + (size_t)b * n_nodes;
        /* puts these samples at the nodes */
        for (size_t v = 0; v < n_nodes; v++) {
            set.to[node[v]] = sample[v] - 1;
            if (set.links)
                set.component[sample[v] - 1] = set.links->component[node[v]];
        }
        for (size_t e = 0; e < n_ends; e++, hit += most) {
            int base = node[end[e]];
            size_t column = (size_t)near.column_of[set.to[base]];
            size_t n_near = read_numbers(near.row + column * near.most,
                                         near.most, found);
            size_t count =
                lr_relabelled_hits(&set, base, found, n_near, most, hit);
            for (size_t j = 0; j < most; j++)
                hit[j] = j < count ? hit[j] + 1 : 0;
        }
        for (size_t v = 0; v < n_nodes; v++)
            set.component[sample[v] - 1] = -1;
        R_CheckUserInterrupt();
    }
    UNPROTECT(1);
    return out;
}

/* ---- margins --------------------------------------------------------------- */

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
static lr_margin_pairs *read_sets(const lr_margin_pairs *graph, SEXP ends,
                                  SEXP hits, const int *place)
{
    size_t n_sets = (size_t)Rf_ncols(ends), n_ends = graph->n_ends;
    size_t k = graph->k;
    int *end = new_ints(n_ends * n_sets), *hit = new_ints(k * n_ends * n_sets);
    int *count = new_ints(n_ends * n_sets);
    for (size_t e = 0; e < n_ends * n_sets; e++) {
        const int *row = INTEGER(hits) + e * k;
        int found = 0;
        for (; found < (int)k && row[found] > 0; found++)
            hit[e * k + (size_t)found] = place[row[found] - 1];
        count[e] = found;
        end[e] = place[INTEGER(ends)[e] - 1];
    }
    lr_margin_pairs *sets =
        (lr_margin_pairs *)R_alloc(n_sets, sizeof(lr_margin_pairs));
    for (size_t b = 0; b < n_sets; b++) {
        sets[b] = *graph;
        sets[b].end = end + b * n_ends;
        sets[b].hit = hit + b * n_ends * k;
        sets[b].count = count + b * n_ends;
    }
    return sets;
}

/* Margins of the features in each set: sets x features.
 * pairs  list(first, second, weight): numbers of end points and their weights or
 *        NULL, the same in all sets
 * ends   end points x sets: sample numbers
 * hits   k x (end points x sets), as from r_relabelled_hits() */
SEXP r_relabelled_margins(SEXP data, SEXP scaling, SEXP pairs, SEXP ends,
                          SEXP hits, SEXP both, SEXP control)
{
    lr_scaling s = read_scaling(scaling);
    size_t n = list_size(data, "n"), p = list_size(data, "p");
    row_places rows = places_open(n);
    places_mark(&rows, ends);
    places_mark(&rows, hits);
    places_number(&rows, n);
    lr_margin_pairs graph = {
        .n_pairs = (size_t)Rf_xlength(list_element(pairs, "first")),
        .first = zero_based(list_element(pairs, "first")),
        .second = zero_based(list_element(pairs, "second")),
        .n_ends = (size_t)Rf_nrows(ends), .k = (size_t)Rf_nrows(hits),
        .both = Rf_asLogical(both),
        .weight = real_or_null(list_element(pairs, "weight"))};
    set_task t = {read_sets(&graph, ends, hits, rows.place),
                  (size_t)Rf_ncols(ends)};
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)t.n_sets, (int)p));
    /* constant features are not walked through */
    memset(REAL(out), 0, t.n_sets * p * sizeof(double));
    feature_walk walk = {
        .data = data, .scaling = &s, .rows = &rows,
        .control = read_control(control),
        .work = 4.0 * (double)t.n_sets * (double)graph.n_pairs
                * (double)graph.k,
        .scratch = graph.n_ends * LR_LANES, .sums = REAL(out),
        .size = t.n_sets * sizeof(double), .use = add_sets, .context = &t};
    run_features(&walk, "Permutations");
    UNPROTECT(1);
    return out;
}

/* ---- what all sets say ----------------------------------------------------- */

/* chunks: list of matrices, sets x features */
static lr_all_margins read_margins(SEXP margin, SEXP rounding, SEXP chunks)
{
    size_t count = (size_t)Rf_xlength(chunks);
    lr_set_margins *chunk =
        (lr_set_margins *)R_alloc(count + 1, sizeof(lr_set_margins));
    for (size_t c = 0; c < count; c++) {
        SEXP z = VECTOR_ELT(chunks, (R_xlen_t)c);
        chunk[c] = (lr_set_margins){(size_t)Rf_nrows(z), REAL(z)};
    }
    return (lr_all_margins){count, chunk, REAL(margin), REAL(rounding)};
}

/* 3 x features: mean, deviation and at_least of lr_margin_spread. */
SEXP r_margin_spreads(SEXP margin, SEXP rounding, SEXP chunks)
{
    lr_all_margins all = read_margins(margin, rounding, chunks);
    R_xlen_t p = Rf_xlength(margin);
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, 3, (int)p));
    for (R_xlen_t f = 0; f < p; f++) {
        lr_margin_spread s = lr_spread_of_margins(&all, (size_t)f);
        REAL(out)[3 * f] = s.mean;
        REAL(out)[3 * f + 1] = s.deviation;
        REAL(out)[3 * f + 2] = s.at_least;
        if (f % 1024 == 0)
            R_CheckUserInterrupt();
    }
    UNPROTECT(1);
    return out;
}

/* list(count, largest) of lr_count_standardised() over these features, numbers
 * from 1. */
SEXP r_count_standardised(SEXP margin, SEXP rounding, SEXP chunks,
                          SEXP spreads, SEXP features, SEXP thresholds)
{
    lr_all_margins all = read_margins(margin, rounding, chunks);
    size_t n_thresholds = (size_t)Rf_xlength(thresholds);
    const char *names[] = {"count", "largest", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    size_t n_sets = 0;
    for (size_t c = 0; c < all.n_chunks; c++)
        n_sets += all.chunk[c].n_sets;
    double *count = set_reals(out, 0, n_thresholds + 1);
    double *largest = set_reals(out, 1, n_sets);
    memset(count, 0, (n_thresholds + 1) * sizeof(double));
    for (size_t b = 0; b < n_sets; b++)
        largest[b] = R_NegInf;
    for (R_xlen_t i = 0; i < Rf_xlength(features); i++) {
        size_t f = (size_t)INTEGER(features)[i] - 1;
        const double *spread = REAL(spreads) + 3 * f;
        lr_margin_spread s = {spread[0], spread[1], spread[2]};
        lr_count_standardised(&all, f, s, REAL(thresholds), n_thresholds,
                              count, largest);
        if (i % 1024 == 0)
            R_CheckUserInterrupt();
    }
    UNPROTECT(1);
    return out;
}
