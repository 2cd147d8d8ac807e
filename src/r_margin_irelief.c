#include "margin_walk.h"
#include "r_entry.h"

/* One iteration: list(v, gamma). scaling: of the differences; where: the same
 * data, scaled by that times the feature weights, for the distances; ends: the
 * samples with a class; options: list(sigma, variant, prior: of each class). */
SEXP r_irelief_step(SEXP data, SEXP scaling, SEXP where, SEXP ends,
                    SEXP options, SEXP control)
{
    const char *names[] = {"v", "gamma", ""};
    feature_data *d = read_data(data, scaling, control); /* protects one */
    pair_walk w = read_search(where, ends, control);     /* and one more */
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    double *v = set_reals(out, 0, d->p), *gamma = set_reals(out, 1, w.n_ends);
    memset(v, 0, d->p * sizeof(double));
    lr_irelief problem = {d->scaling.class_of, w.n, d->scaling.n_classes,
                          list_reals(options, "prior", d->scaling.n_classes),
                          list_real(options, "sigma"),
                          (lr_variant)list_int(options, "variant")};
    irelief_step(&w, d, problem, v, gamma);
    UNPROTECT(3);
    return out;
}
