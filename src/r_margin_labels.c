#include "margin_walk.h"
#include "r_entry.h"

/* A part of a node is -1, or a later node of its samples. */
static int part_fits(const lr_node *nodes, int count, int at, int part,
                     int begin, int end)
{
    return part == -1
        || (part > at && part < count && nodes[part].begin == begin
            && nodes[part].end == end);
}

static const lr_node *read_nodes(SEXP matrix, int n_labelled)
{
    int count = Rf_ncols(matrix), fits = 1;
    const lr_node *nodes =
        (const lr_node *)ints_of(matrix, 5 * (size_t)count);
    for (int k = 0; k < count; k++) {
        lr_node v = nodes[k];
        fits &= v.begin >= 0 && v.begin < v.middle && v.middle < v.end
            && v.end <= n_labelled
            && part_fits(nodes, count, k, v.left, v.begin, v.middle)
            && part_fits(nodes, count, k, v.right, v.middle, v.end);
    }
    check_fit(fits);
    return nodes;
}

/* Made by label_margins() in R; rows and numbers count from 0. */
static lr_labels read_labels(SEXP index, size_t n)
{
    SEXP row = list_element(index, "row");
    SEXP nodes = list_element(index, "nodes"); /* one per column */
    size_t n_labelled = (size_t)Rf_xlength(row);
    size_t n_hits = (size_t)Rf_xlength(list_element(index, "hit"));
    const int *p_row = places_of(row, n_labelled, 0, n);
    int *number = new_ints(n);
    for (size_t i = 0; i < n; i++)
        number[i] = -1;
    for (size_t e = 0; e < n_labelled; e++)
        number[p_row[e]] = (int)e;
    return (lr_labels){
        .n = n, .row = p_row, .n_labelled = n_labelled,
        .number = number,
        .start = list_starts(index, "start", n_labelled, n_hits),
        .hit = list_places(index, "hit", n_hits, 0, n),
        .owner = list_places(index, "owner", n_hits, 0, n_labelled),
        .user_start = list_starts(index, "user_start", n, n_hits),
        .user = list_places(index, "user", n_hits, 0, n_labelled),
        .with_hits = list_places(index, "with_hits", n_labelled + 1, 0,
                                 n_labelled + 1),
        .nodes = read_nodes(nodes, (int)n_labelled),
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
