#include <string.h>

#include "irelief.h"
#include "r_walk.h"
#include "r_search.h"
#include "threads.h"

enum { ENDS_AT_ONCE = 128 }; /* so that memory grows with n only */

typedef struct {
    feature_task task; /* first, so that the callbacks can cast */
    const panel_search *search;
    const int *table; /* per sample */
    double *v;        /* one per feature */
} irelief_task;

typedef struct {
    lr_irelief problem;
    double *gamma;      /* per end point */
    size_t first_slot;
    double *scratch;    /* 3 n_classes for each thread */
} coefficient_search;

static void find_coefficients(panel_search *s, size_t first_row, size_t rows)
{
    coefficient_search *c = (coefficient_search *)s->user;
    int n_ends = (int)s->n_ends;
    double work = 10.0 * (double)rows * (double)s->n_ends;
    int threads = team_size(&s->control, work);
    (void)first_row;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int e = 0; e < n_ends; e++) {
        int thread = lr_own_thread();
        c->gamma[c->first_slot + (size_t)e] = lr_irelief_coefficients(
            &c->problem, s->ends[e], s->panel + (size_t)e * s->ld,
            c->scratch + 3 * c->problem.n_classes * (size_t)thread);
    }
    (void)threads;
}

static void add_plain(feature_task *task, const size_t *features, size_t count,
                      thread_room *room)
{
    irelief_task *t = (irelief_task *)task;
    const panel_search *s = t->search;
    double v[LR_LANES] = {0.0};
    for (size_t l = 0; l < count; l++)
        v[l] = t->v[features[l]];
    lr_irelief_plain(room->u, s->ends, s->n_ends, s->panel, s->ld, s->source.n,
                     v);
    for (size_t l = 0; l < count; l++)
        t->v[features[l]] = v[l];
}

static void add_other(feature_task *task, size_t feature,
                      const double *expected, const lr_rule *rule,
                      thread_room *room)
{
    irelief_task *t = (irelief_task *)task;
    const panel_search *s = t->search;
    lr_irelief_other(room->u, expected, t->table, rule, s->ends, s->n_ends,
                     s->panel, s->ld, s->source.n, t->v + feature);
}

/* Every sample has a place, its own number. */
static row_places all_places(size_t n)
{
    row_places r = places_open(n);
    for (size_t i = 0; i < n; i++)
        r.place[i] = 0;
    places_number(&r, n);
    return r;
}

static void prepare_irelief(irelief_task *t, const panel_search *s,
                            feature_source *source, const lr_scaling *plain,
                            const row_places *places)
{
    int *table = (int *)R_alloc(source->n, sizeof(int));
    for (size_t i = 0; i < source->n; i++)
        table[i] = (int)lr_table_of(plain, i);
    t->search = s;
    t->table = table;
    t->task.plain = add_plain;
    t->task.other = add_other;
    t->task.work = (double)ENDS_AT_ONCE * (double)source->n;
    limit_chunk(source, t->task.work);
    prepare_task(&t->task, source, plain, places, 1, s->control);
}

/* One iteration: list(v, gamma). scaling: of the differences; weighted: the
 * same times the feature weights, for the distances; ends: the samples with a
 * class; options: c(sigma, variant); priors of the classes. */
SEXP r_irelief_step(SEXP data, SEXP scaling, SEXP weighted, SEXP ends,
                    SEXP prior, SEXP options, SEXP control)
{
    panel_search s;
    coefficient_search c;
    irelief_task t;
    search_open(&s, data, weighted, LR_MANHATTAN, 1, control); /* one */
    feature_source source = source_open(data, 1); /* protects one more */
    lr_scaling plain = read_scaling(scaling);
    size_t n = s.source.n, p = s.source.p, n_ends = (size_t)Rf_xlength(ends);
    const char *names[] = {"v", "gamma", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_allocVector(REALSXP, (R_xlen_t)p));
    SET_VECTOR_ELT(out, 1, Rf_allocVector(REALSXP, (R_xlen_t)n_ends));
    c.problem = (lr_irelief){plain.class_of, n, plain.n_classes, REAL(prior),
                             REAL(options)[0], (lr_variant)REAL(options)[1]};
    c.gamma = REAL(VECTOR_ELT(out, 1));
    c.scratch = (double *)R_alloc(
        3 * plain.n_classes * (size_t)s.control.threads, sizeof(double));
    s.finished = find_coefficients;
    s.user = &c;
    row_places places = all_places(n);
    prepare_irelief(&t, &s, &source, &plain, &places);
    t.v = REAL(VECTOR_ELT(out, 0));
    memset(t.v, 0, p * sizeof(double));
    const int *rows = zero_based(ends);
    size_t per_pass = search_allocate(&s, n_ends, ENDS_AT_ONCE);
    progress_line line = progress_begin("One iteration", "samples",
                                        (double)n_ends, s.control.progress);
    for (size_t e = 0; e < n_ends; e += per_pass) {
        s.ends = rows + e;
        s.n_ends = n_ends - e < per_pass ? n_ends - e : per_pass;
        c.first_slot = e;
        search_pass(&s, 0, &line, (double)e, 0.5 * (double)s.n_ends);
        run_features(&t.task, &source, &line,
                     (double)e + 0.5 * (double)s.n_ends,
                     0.5 * (double)s.n_ends);
    }
    progress_end(&line);
    UNPROTECT(3);
    return out;
}
