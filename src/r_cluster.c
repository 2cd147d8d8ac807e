#include "cluster_pck.h"
#include "r_entry.h"

static SEXP pck_result(const lr_pck *p, const lr_pck_state *s, int iterations,
                       int converged)
{
    const char *names[] = {"cluster", "centers", "objective", "broken",
                           "iterations", "converged", ""};
    lr_pck_value v = lr_pck_evaluate(p, s);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    int *cluster = set_ints(out, 0, p->n);
    double *centers = set_real_matrix(out, 1, p->features, p->clusters);
    double *broken = set_reals(out, 3, 2);
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(v.objective));
    SET_VECTOR_ELT(out, 4, Rf_ScalarInteger(iterations));
    SET_VECTOR_ELT(out, 5, Rf_ScalarLogical(converged));
    for (size_t i = 0; i < p->n; i++)
        cluster[i] = s->cluster[i] + 1;
    memcpy(centers, s->centers, p->clusters * p->features * sizeof(double));
    broken[0] = v.broken_cannot;
    broken[1] = v.broken_must;
    UNPROTECT(1);
    return out;
}

/* rows: features x samples; centers: features x clusters; links:
 * constraint_links(); settings: list(max_iter, must_link, cannot_link: the cost
 * of a broken one). */
SEXP r_pck_means(SEXP rows, SEXP links, SEXP centers, SEXP settings)
{
    lr_links storage;
    lr_pck p = {(size_t)Rf_ncols(rows), (size_t)Rf_nrows(rows),
                (size_t)Rf_ncols(centers), REAL(rows),
                read_links(links, &storage),
                list_size(links, "count"),
                list_real(settings, "must_link"),
                list_real(settings, "cannot_link")};
    lr_pck_state s = {.cluster = new_ints(p.n),
                      .centers = new_doubles(p.clusters * p.features),
                      .members = new_ints(p.n_components * p.clusters),
                      .sizes = new_ints(p.clusters),
                      .cost = new_doubles(p.clusters)};
    memcpy(s.centers, REAL(centers), p.clusters * p.features * sizeof(double));
    double most = list_real(settings, "max_iter");
    int iterations = 0;
    size_t moved = 1;
    lr_pck_begin(&p, &s);
    while (moved > 0 && iterations < most) {
        moved = lr_pck_assign(&p, &s);
        lr_pck_update(&p, &s);
        iterations++;
        R_CheckUserInterrupt();
    }
    return pck_result(&p, &s, iterations, moved == 0);
}
