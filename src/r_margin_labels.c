#include "margin_walk.h"
#include "r_entry.h"

/* Made by label_margins() in R; rows and numbers count from 0. */
static lr_labels read_labels(SEXP index, size_t n)
{
    SEXP row = list_element(index, "row");
    SEXP nodes = list_element(index, "nodes"); /* one per column */
    size_t n_labelled = (size_t)Rf_xlength(row);
    const int *p_row = places_of(row, n_labelled, 0, n);
    int *number = new_ints(n);
    for (size_t i = 0; i < n; i++)
        number[i] = -1;
    for (size_t e = 0; e < n_labelled; e++)
        number[p_row[e]] = (int)e;
    return (lr_labels){
        .n = n, .row = p_row, .n_labelled = n_labelled,
        .number = number, .start = list_ints(index, "start", ANY_COUNT),
        .hit = list_ints(index, "hit", ANY_COUNT),
        .owner = list_ints(index, "owner", ANY_COUNT),
        .user_start = list_ints(index, "user_start", ANY_COUNT),
        .user = list_ints(index, "user", ANY_COUNT),
        .with_hits = list_ints(index, "with_hits", ANY_COUNT),
        .nodes = (const lr_node *)INTEGER(nodes),
        .n_nodes = (size_t)Rf_ncols(nodes)};
}

/* Margins over all pairs of labelled samples of different classes, both
 * directions; `index`: from label_margins() in R. Features that are not plain
 * have sums of 0. */
SEXP r_label_margins(SEXP data, SEXP scaling, SEXP index, SEXP control)
{
    const char *names[] = {"margin", "square", "magnitude", "size", ""};
    feature_data *d = read_data(data, scaling, control); /* protects one */
    lr_label_sum *sums =
        (lr_label_sum *)zero_structs(d->p, sizeof(lr_label_sum));
    sum_label_margins(d, read_labels(index, d->n), sums);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    set_members(out, sums, d->p, 4, sizeof *sums / sizeof(double));
    UNPROTECT(2);
    return out;
}
