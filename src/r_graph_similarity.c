#include "graph_walk.h"
#include "r_entry.h"

/* Sum of the weights at each sample. */
SEXP r_graph_degrees(SEXP weights)
{
    lr_graph g = read_graph(weights);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)g.n));
    lr_degrees(&g, REAL(out));
    UNPROTECT(1);
    return out;
}

static graph_options read_options(SEXP options)
{
    return (graph_options){
        .adjacency = list_int(options, "adjacency"),
        .weighting = {(lr_weight)list_int(options, "weight"),
                      list_real(options, "sigma"), list_real(options, "t"),
                      NULL},
        .k = list_size(options, "k"), .epsilon = list_real(options, "epsilon"),
        .response =
            real_or_null(list_element(options, "response"), ANY_COUNT),
        .most_edges = list_size(options, "most_edges")};
}

/* A graph of the samples.
 * where: a neighbour_space
 * options: list(adjacency, weight, k, epsilon, sigma, t, response, most_edges)
 * returns list(edges: those nearer than epsilon; start, row, weight; full).
 * Of the last four a full graph has the last one only, the others the first
 * three, and none is there when there are more than most_edges edges. */
SEXP r_similarity_graph(SEXP where, SEXP options, SEXP control)
{
    const char *names[] = {"edges", "start", "row", "weight", "full", ""};
    pair_walk w = read_search(where, R_NilValue, control); /* protects one */
    graph_options o = read_options(options);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    if (o.adjacency == FULL) {
        o.dense = set_real_matrix(out, 4, w.n, w.n);
        memset(o.dense, 0, w.n * w.n * sizeof(double));
    }
    lr_graph graph = {.start = NULL};
    size_t edges = similarity_graph(&w, &o, &graph);
    SET_VECTOR_ELT(out, 0, Rf_ScalarReal((double)edges));
    if (graph.start) {
        size_t count = (size_t)graph.start[graph.n];
        memcpy(set_ints(out, 1, graph.n + 1), graph.start,
               (graph.n + 1) * sizeof(int));
        memcpy(set_ints(out, 2, count), graph.row, count * sizeof(int));
        memcpy(set_reals(out, 3, count), graph.weight, count * sizeof(double));
    }
    UNPROTECT(2);
    return out;
}
