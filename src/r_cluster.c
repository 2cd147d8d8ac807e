/* Entries of PCK-means. */
#include "cluster_pck.h"
#include "r_entry.h"

/* rows: features x samples; centers: features x clusters; links:
 * constraint_links(); settings: list(max_iter, penalty: the cost of a broken
 * link). Clusters count from 0. */
SEXP r_pck_means(SEXP rows, SEXP links, SEXP centers, SEXP settings)
{
    lr_links storage;
    lr_pck p = {(size_t)Rf_ncols(rows), (size_t)Rf_nrows(rows),
                (size_t)Rf_ncols(centers), REAL(rows),
                read_links(links, (size_t)Rf_ncols(rows), &storage),
                list_size(links, "count"), list_real(settings, "penalty")};
    SEXP out = PROTECT(NEW_LIST("cluster", "centers", "objective", "broken",
                                "iterations", "converged"));
    lr_pck_state s = {
        .cluster = set_ints(out, 0, p.n),
        .centers = set_real_matrix(out, 1, p.features, p.clusters),
        .members = new_ints(p.n_components * p.clusters),
        .sizes = new_ints(p.clusters), .cost = new_doubles(p.clusters)};
    double most = list_real(settings, "max_iter");
    int iterations = 0;
    size_t moved = 1;
    memcpy(s.centers, REAL(centers), p.clusters * p.features * sizeof(double));
    lr_pck_begin(&p, &s);
    while (moved > 0 && iterations < most) {
        moved = lr_pck_assign(&p, &s);
        lr_pck_update(&p, &s);
        iterations++;
        lr_check_interrupt();
    }
    lr_pck_value v = lr_pck_evaluate(&p, &s);
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(v.objective));
    double *broken = set_reals(out, 3, 2);
    broken[0] = v.broken_cannot;
    broken[1] = v.broken_must;
    SET_VECTOR_ELT(out, 4, Rf_ScalarInteger(iterations));
    SET_VECTOR_ELT(out, 5, Rf_ScalarLogical(moved == 0));
    UNPROTECT(1);
    return out;
}
