/* Entries of markers. */
#include "markers_walk.h"
#include "r_entry.h"

/* design: list(cell, groups, blocks, count), cells from 0, -1 for samples in no
 * group; auc: 0, the number of groups, or its square.
 * list(mean, square, above), features x cells, auc, features x groups, or
 * features x pairs, those of the first group first, and with it other, features
 * x cells. */
SEXP r_group_moments(SEXP data, SEXP design, SEXP auc, SEXP control)
{
    lr_group_design groups = {list_size(design, "groups"),
                              list_size(design, "blocks"), NULL, NULL};
    size_t cells = lr_cell_count(&groups), n_auc = (size_t)Rf_asReal(auc);
    feature_data *d = read_data(data, NULL, control); /* protects one */
    groups.cell_of = list_places(design, "cell", d->n, -1, cells);
    groups.count = list_reals(design, "count", cells);
    SEXP out = PROTECT(NEW_LIST("mean", "square", "above", "auc", "other"));
    group_moments moments = {
        set_real_matrix(out, 0, d->p, cells),
        set_real_matrix(out, 1, d->p, cells),
        set_real_matrix(out, 2, d->p, cells),
        n_auc > 0 ? set_real_matrix(out, 3, d->p, n_auc) : NULL,
        n_auc > 0 ? set_real_matrix(out, 4, d->p, cells) : NULL};
    walk_groups(d, &groups, n_auc, moments);
    UNPROTECT(2);
    return out;
}
