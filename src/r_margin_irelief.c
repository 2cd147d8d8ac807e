#include "margin_irelief.h"
#include "r_search.h"
#include "r_walk.h"
#include "lr_threads.h"

enum { ENDS_AT_ONCE = 128 }; /* so that memory grows with n only */

typedef struct {
    feature_walk features;
    pair_walk walk;
    const lr_tile *tile; /* the coefficients of a pass */
    const int *table;    /* per sample */
    lr_irelief problem;
    double *scratch;     /* 3 n_classes for each thread */
    double *gamma;       /* per end point */
    double *v;           /* one per feature */
} irelief_task;

static void find_coefficients(void *context, const lr_tile *tile,
                              lr_chunk chunk)
{
    irelief_task *t = (irelief_task *)context;
    double *scratch = t->scratch + 3 * t->problem.n_classes * chunk.number;
    for (size_t e = 0; e < tile->n_ends; e++)
        if (lr_is_own_end(tile, e, chunk))
            t->gamma[tile->first_slot + e] = lr_irelief_coefficients(
                &t->problem, tile->ends[e], tile->distance + e * tile->ld,
                scratch);
}

/* One number per feature. */
static void add_differences(void *context, const gathered *f)
{
    const irelief_task *t = (const irelief_task *)context;
    lr_other_values values = {f->u, f->expected, t->table, &f->rule};
    if (f->kind == SIDE_BY_SIDE)
        lr_irelief_plain(t->tile, f->u, (double *)f->sums);
    else
        lr_irelief_other(t->tile, &values, (double *)f->sums);
}

/* The differences of a pass times its coefficients; the pass's half of the
 * progress line begins in its middle. */
static void add_pass(void *context, const lr_tile *tile)
{
    irelief_task *t = (irelief_task *)context;
    double half = 0.5 * (double)tile->n_ends;
    t->tile = tile;
    walk_features(&t->features, &t->walk.line,
                  (double)tile->first_slot + half, half);
}

/* One iteration: list(v, gamma). scaling: of the differences; where: the same
 * data, scaled by that times the feature weights, for the distances; ends: the
 * samples with a class; options: list(sigma, variant, prior: of each class). */
SEXP r_irelief_step(SEXP data, SEXP scaling, SEXP where, SEXP ends,
                    SEXP options, SEXP control)
{
    const char *names[] = {"v", "gamma", ""};
    irelief_task t = {.walk = open_search(where, ends, control)};
    pair_walk *w = &t.walk; /* protects one */
    size_t n = w->n, p = list_size(data, "p");
    lr_scaling plain = read_scaling(scaling);
    row_places places = all_places(n);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    t.v = set_reals(out, 0, p);
    t.gamma = set_reals(out, 1, w->n_ends);
    memset(t.v, 0, p * sizeof(double));
    t.problem = (lr_irelief){plain.class_of, n, plain.n_classes,
                             list_reals(options, "prior"),
                             list_real(options, "sigma"),
                             (lr_variant)list_int(options, "variant")};
    int *table = new_ints(n);
    for (size_t i = 0; i < n; i++)
        table[i] = (int)lr_table_of(&plain, i);
    t.table = table;
    t.features = (feature_walk){
        .data = data, .scaling = &plain, .rows = &places,
        .control = w->control, .work = (double)ENDS_AT_ONCE * (double)n,
        .walks = w->n_ends / ENDS_AT_ONCE + 1, .sums = t.v,
        .size = sizeof(double), .use = add_differences, .context = &t};
    plan_features(&t.features); /* protects one more */
    t.scratch =
        new_doubles(3 * t.problem.n_classes * (size_t)w->control.threads);
    w->whole_rows = 1;
    w->most_ends = ENDS_AT_ONCE;
    w->share = 0.5;
    w->use = find_coefficients;
    w->collect = add_pass;
    w->context = &t;
    walk_pairs(w, "One iteration");
    UNPROTECT(3);
    return out;
}
