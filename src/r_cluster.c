#include <string.h>

#include "cluster_pck.h"
#include "r_entry.h"

static lr_pck_state allocate_state(const lr_pck *p, SEXP centers)
{
    lr_pck_state s;
    s.cluster = new_ints(p->n);
    s.centers = new_doubles(p->clusters * p->features);
    s.members = new_ints(p->n_components * p->clusters);
    s.sizes = new_ints(p->clusters);
    s.cost = new_doubles(p->clusters);
    memcpy(s.centers, REAL(centers),
           p->clusters * p->features * sizeof(double));
    return s;
}

static SEXP pck_result(const lr_pck *p, const lr_pck_state *s, int iterations,
                       int converged)
{
    const char *names[] = {"cluster", "centers", "objective", "broken",
                           "iterations", "converged", ""};
    lr_pck_value v = lr_pck_evaluate(p, s);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_allocVector(INTSXP, (R_xlen_t)p->n));
    SET_VECTOR_ELT(out, 1, Rf_allocMatrix(REALSXP, (int)p->features,
                                          (int)p->clusters));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(v.objective));
    SET_VECTOR_ELT(out, 3, Rf_allocVector(REALSXP, 2));
    SET_VECTOR_ELT(out, 4, Rf_ScalarInteger(iterations));
    SET_VECTOR_ELT(out, 5, Rf_ScalarLogical(converged));
    for (size_t i = 0; i < p->n; i++)
        INTEGER(VECTOR_ELT(out, 0))[i] = s->cluster[i] + 1;
    memcpy(REAL(VECTOR_ELT(out, 1)), s->centers,
           p->clusters * p->features * sizeof(double));
    REAL(VECTOR_ELT(out, 3))[0] = v.broken_cannot;
    REAL(VECTOR_ELT(out, 3))[1] = v.broken_must;
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
                (size_t)Rf_asInteger(list_element(links, "count")),
                list_real(settings, "must_link"),
                list_real(settings, "cannot_link")};
    lr_pck_state s = allocate_state(&p, centers);
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
