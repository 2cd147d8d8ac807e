#include "graph_correlation.h"
#include "lr_products.h"
#include "r_entry.h"
#include "r_walk.h"
#include "lr_threads.h"

/* ---- correlations along a ranking ---------------------------------------- */

typedef struct {
    const lr_scaling *scaling;
    const double *fill;
    const int *place;
    double *z;
} standard_task;

static void standardize_column(void *context, const lr_block *b, size_t j)
{
    const standard_task *t = (const standard_task *)context;
    size_t feature = b->first + j;
    double *out = t->z + (size_t)t->place[feature] * b->n;
    lr_scale_column(b, t->scaling, j, t->fill[feature], out);
    lr_standardize(out, b->n);
}

/* Standardized columns of some features (numbered from 1) as given. */
static double *standardized(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                            size_t *n)
{
    lr_scaling s = read_scaling(scaling);
    *n = list_size(data, "n");
    standard_task t = {&s, REAL(fill), feature_places(data, features),
                       new_doubles(*n * (size_t)Rf_xlength(features))};
    column_walk walk = {.data = data, .control = default_control(),
                        .place = t.place, .work = (double)*n,
                        .use = standardize_column, .context = &t};
    walk_columns(&walk);
    return t.z;
}

/* Which places of `features` are kept: numbered from 1. */
SEXP r_keep_uncorrelated(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                         SEXP most, SEXP control)
{
    enum { STEP = 64 };
    size_t n, kept = 0, count = (size_t)Rf_xlength(features);
    run_control c = read_control(control);
    double *z = standardized(data, scaling, fill, features, &n);
    int *keep = new_ints(count + 1);
    progress_line line =
        progress_begin("Pruning", "features", (double)count, c.progress);
    for (size_t first = 0; first < count; first += STEP) {
        size_t end = smaller(first + STEP, count);
        kept = lr_keep_uncorrelated(z, n, first, end, Rf_asReal(most), keep,
                                    kept);
        progress_tick(&line, (double)end);
    }
    progress_end(&line);
    SEXP out = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)kept));
    for (size_t k = 0; k < kept; k++)
        INTEGER(out)[k] = keep[k] + 1;
    UNPROTECT(1);
    return out;
}

/* c(sum of r, sum of |r|) over the pairs of features. */
SEXP r_correlation_sums(SEXP data, SEXP scaling, SEXP fill, SEXP features,
                        SEXP control)
{
    size_t n, count = (size_t)Rf_xlength(features);
    run_control c = read_control(control);
    double *z = standardized(data, scaling, fill, features, &n);
    double *scratch = new_doubles(lr_nearest_scratch(n));
    SEXP out = PROTECT(Rf_allocVector(REALSXP, 2));
    double *p_out = REAL(out);
    p_out[0] = p_out[1] = 0.0;
    progress_line line =
        progress_begin("Correlations", "features", (double)count, c.progress);
    for (size_t first = 0; first < count; first += LR_NEAREST_TARGETS) {
        size_t some = smaller(count - first, LR_NEAREST_TARGETS);
        lr_sum_correlations(z, n, first, some, p_out, p_out + 1, scratch);
        progress_tick(&line, (double)(first + some));
    }
    progress_end(&line);
    UNPROTECT(1);
    return out;
}
