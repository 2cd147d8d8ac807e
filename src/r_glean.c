/* Entries of the parts of glean(). */
#include "glean_walk.h"
#include "r_entry.h"

/* Codes from 1, or NULL for no blocks. */
static lr_blocks read_blocks(SEXP block, size_t n)
{
    lr_blocks b = {0, NULL, NULL};
    if (Rf_isNull(block))
        return b;
    b.block_of = zero_based(block, n);
    check_fit((size_t)Rf_xlength(block) == n);
    for (size_t i = 0; i < n; i++)
        if ((size_t)b.block_of[i] + 1 > b.n_blocks)
            b.n_blocks = (size_t)b.block_of[i] + 1;
    size_t *size = zero_structs(b.n_blocks, sizeof(size_t));
    for (size_t i = 0; i < n; i++)
        size[b.block_of[i]]++;
    b.size = size;
    return b;
}

/* Per feature: the mean of |u_i - u_j| over all pairs, with `block` (codes from
 * 1, or NULL) over those of the same block. No missing cells, no category
 * features. */
SEXP r_mean_differences(SEXP data, SEXP scaling, SEXP block, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    lr_blocks blocks = read_blocks(block, d->n);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)d->p));
    mean_differences(d, &blocks, REAL(out));
    UNPROTECT(2);
    return out;
}

/* NULL or list(cell, count, weight, block_start): per sample the number of its
 * label in its block, from 1, NA for none. */
static lr_groups read_groups(SEXP groups, size_t n)
{
    lr_groups g = {0, NULL, NULL, NULL, 0, NULL};
    if (Rf_isNull(groups))
        return g;
    g.n_groups = list_size(groups, "count");
    g.label = read_classes(list_element(groups, "cell"), n, g.n_groups);
    g.weight = list_reals(groups, "weight", n);
    g.n_blocks = (size_t)Rf_xlength(list_element(groups, "block_start")) - 1;
    g.block_start = list_starts(groups, "block_start", g.n_blocks, g.n_groups);
    double *mass = zero_doubles(g.n_groups);
    for (size_t i = 0; i < n; i++)
        if (g.label[i] >= 0)
            mass[g.label[i]] += g.weight[i];
    g.mass = mass;
    return g;
}

/* A triangular graph, and the weights at each sample. */
static lr_edge_list read_edges(SEXP weights)
{
    lr_graph g = read_graph(weights);
    double *degree = zero_doubles(g.n);
    for (size_t i = 0; i < g.n; i++)
        for (int e = g.start[i]; e < g.start[i + 1]; e++) {
            degree[i] += g.weight[e];
            degree[g.row[e]] += g.weight[e];
        }
    return (lr_edge_list){g, degree};
}

/* A matrix, features x (graphs + 2): the weighted sums of |u_i - u_j| over the
 * edges of each graph (each edge once), and the scatter between and within
 * `groups`; without
 * groups (NULL) features x graphs. No missing cells, no category features. */
SEXP r_difference_sums(SEXP data, SEXP scaling, SEXP graphs, SEXP groups,
                       SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    size_t n_graphs = (size_t)Rf_xlength(graphs);
    lr_edge_list *edges = lr_allocate(n_graphs, sizeof(lr_edge_list));
    for (size_t i = 0; i < n_graphs; i++)
        edges[i] = read_edges(VECTOR_ELT(graphs, (R_xlen_t)i));
    difference_parts parts = {n_graphs, edges, read_groups(groups, d->n)};
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)d->p,
                                      (int)difference_columns(&parts)));
    difference_sums(d, &parts, REAL(out));
    UNPROTECT(2);
    return out;
}
