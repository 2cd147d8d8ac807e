#include "graph_walk.h"
#include "r_entry.h"

/* list(original, from, to, weight, kkt, nonzeros, rounds): features numbered
 * from 1, original 0 for a constant feature; the last three per feature. */
static SEXP new_graph(const entering *e)
{
    const char *names[] = {"original", "from", "to", "weight", "kkt",
                           "nonzeros", "rounds", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    int *original = set_ints(out, 0, e->p);
    double *kkt = set_reals(out, 4, e->p);
    int *nonzeros = set_ints(out, 5, e->p), *rounds = set_ints(out, 6, e->p);
    for (size_t j = 0; j < e->p; j++) {
        original[j] = e->original[j] + 1;
        kkt[j] = NA_REAL;
        nonzeros[j] = rounds[j] = NA_INTEGER;
    }
    UNPROTECT(1);
    return out;
}

static void set_edges(SEXP graph, const edge_list *list)
{
    int *from = set_ints(graph, 1, list->count);
    int *to = set_ints(graph, 2, list->count);
    double *weight = set_reals(graph, 3, list->count);
    if (list->count == 0)
        return;
    memcpy(from, list->from, list->count * sizeof(int));
    memcpy(to, list->to, list->count * sizeof(int));
    memcpy(weight, list->weight, list->count * sizeof(double));
}

/* part: list(number, parts), the targets to be coded here. */
SEXP r_sparse_graph(SEXP data, SEXP scaling, SEXP fill, SEXP simplex,
                    SEXP lambda, SEXP part, SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    entering e = read_entering(d, reals_of(fill, d->p));
    code_options options = {Rf_asLogical(simplex), Rf_asReal(lambda),
                            list_int(part, "number"), list_int(part, "parts")};
    check_fit(options.parts > 0);
    check_places(&options.part, 1, 1, (size_t)options.parts + 1);
    edge_list list = {.count = 0};
    SEXP out = PROTECT(new_graph(&e));
    code_report report = {REAL(VECTOR_ELT(out, 4)), INTEGER(VECTOR_ELT(out, 5)),
                          INTEGER(VECTOR_ELT(out, 6))};
    code_features(&e, &options, &list, &report);
    set_edges(out, &list);
    UNPROTECT(2);
    return out;
}

/* Of each feature the k most correlated ones. */
SEXP r_correlation_graph(SEXP data, SEXP scaling, SEXP fill, SEXP k,
                         SEXP control)
{
    feature_data *d = read_data(data, scaling, control); /* protects one */
    entering e = read_entering(d, REAL(fill));
    edge_list list = {.count = 0};
    SEXP out = PROTECT(new_graph(&e));
    correlate_features(&e, Rf_asReal(k), &list);
    set_edges(out, &list);
    UNPROTECT(2);
    return out;
}
