#include <string.h>

#include "r_entry.h"
#include "scatter.h"
#include "threads.h"

/* ---- features side by side ----------------------------------------------- */

/* What is done with LR_WIDTH scaled features: `count` of them from `feature`
 * on, or some levels of one category feature (`is_level`: they add up). */
typedef struct {
    void (*use)(void *context, const double *u, size_t feature, size_t count,
                int is_level, int thread);
    void *context;
    double work; /* operations per feature */
    run_control control;
    double *u;   /* [thread][n * LR_WIDTH] */
} lane_task;

static void open_lanes(lane_task *t, size_t n)
{
    t->u = (double *)R_alloc((size_t)t->control.threads * n * LR_WIDTH,
                             sizeof(double));
}

static void use_levels(const lane_task *t, const lr_block *block, size_t j,
                       const lr_scaling *s, double *u, int thread)
{
    size_t feature = block->first + j;
    double last = s->center[feature] + s->divisor[feature];
    for (double v = s->center[feature]; v <= last; v += LR_WIDTH) {
        lr_spread_levels(block, j, v, u);
        t->use(t->context, u, feature, LR_WIDTH, 1, thread);
    }
}

/* Runs of plain features, LR_WIDTH at most; a category feature is alone. */
static size_t find_groups(const lr_block *block, const lr_scaling *s,
                          size_t *begin)
{
    size_t groups = 0, j = 0;
    while (j < block->count) {
        begin[groups++] = j;
        size_t run = 1;
        if (!s->category[block->first + j])
            while (run < LR_WIDTH && j + run < block->count
                   && !s->category[block->first + j + run])
                run++;
        j += run;
    }
    begin[groups] = block->count;
    return groups;
}

static void use_block(const lane_task *t, const lr_block *block,
                      const lr_scaling *s, size_t *begin)
{
    long groups = (long)find_groups(block, s, begin);
    int threads = team_size(&t->control,
                                 t->work * (double)block->count);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (long g = 0; g < groups; g++) {
        int thread = lr_own_thread();
        double *u = t->u + (size_t)thread * block->n * LR_WIDTH;
        size_t j = begin[g], count = begin[g + 1] - j;
        if (s->category[block->first + j]) {
            use_levels(t, block, j, s, u, thread);
            continue;
        }
        lr_spread_features(block, s, j, count, u);
        t->use(t->context, u, block->first + j, count, 0, thread);
    }
    (void)threads;
}

static void walk_lanes(lane_task *t, SEXP data, const lr_scaling *s,
                       progress_line *line)
{
    feature_source source = source_open(data, 0); /* protects one */
    size_t *begin = (size_t *)R_alloc(source.chunk + 1, sizeof(size_t));
    open_lanes(t, source.n);
    for (size_t j = 0; j < source.p; j += source.chunk) {
        lr_block block = source_block(&source, j);
        use_block(t, &block, s, begin);
        progress_tick(line, (double)(j + block.count));
    }
    UNPROTECT(1);
}

/* ---- forms --------------------------------------------------------------- */

/* The order is that of `form_kinds` in R. */
enum { GRAPH = 0, SCATTER, CLASSES, APART };

typedef struct {
    int kind;
    size_t at, count; /* columns of the result */
    lr_graph graph;
    lr_scatter scatter;
    lr_classes classes;
    const double *weight, *class_weight;
} form;

typedef struct {
    form *forms;
    size_t n_forms, n, p;
    size_t room;     /* doubles of scratch per thread */
    double *scratch; /* [thread][room] */
    double *out;     /* [column][p] */
    lr_level level;
} form_task;

static const double *real_or_null(SEXP x)
{
    return Rf_isNull(x) ? NULL : REAL(x);
}

static double total(const double *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x ? x[i] : 1.0;
    return sum;
}

static lr_scatter read_scatter(SEXP list, size_t n)
{
    lr_scatter s = {n, real_or_null(list_element(list, "weight")),
                    real_or_null(list_element(list, "center")), 0, 0, 0, 0};
    s.weight_sum = total(s.weight, n);
    for (size_t i = n; s.center && i-- > 0;)
        if (s.center[i] > 0.0) {
            s.center_count++;
            s.center_first = i;
        }
    s.center_sum = s.center ? total(s.center, n) : 0.0;
    return s;
}

static lr_classes read_class_form(SEXP list, size_t n)
{
    lr_classes c;
    c.n = n;
    c.class_of = read_classes(list_element(list, "class_of"));
    c.n_classes = (size_t)Rf_asInteger(list_element(list, "n_classes"));
    SEXP coefficient = list_element(list, "coefficient");
    c.n_forms = (size_t)Rf_xlength(coefficient) / c.n_classes;
    c.coefficient = REAL(coefficient);
    double *count = (double *)R_alloc(c.n_classes, sizeof(double));
    size_t *first = (size_t *)R_alloc(c.n_classes, sizeof(size_t));
    memset(count, 0, c.n_classes * sizeof(double));
    for (size_t i = n; i-- > 0;)
        if (c.class_of[i] >= 0) {
            count[c.class_of[i]] += 1.0;
            first[c.class_of[i]] = i;
        }
    c.count = count;
    c.first = first;
    return c;
}

static const double *weigh_classes(const lr_classes *c, const double *weight)
{
    double *sum = (double *)R_alloc(c->n_classes, sizeof(double));
    memset(sum, 0, c->n_classes * sizeof(double));
    for (size_t i = 0; i < c->n; i++)
        if (c->class_of[i] >= 0)
            sum[c->class_of[i]] += weight[i];
    return sum;
}

static form read_form(SEXP list, size_t n, size_t at)
{
    form f;
    memset(&f, 0, sizeof f);
    f.kind = Rf_asInteger(list_element(list, "kind"));
    f.at = at;
    f.count = 1;
    if (f.kind == GRAPH)
        f.graph = read_graph(list_element(list, "graph"));
    else if (f.kind == SCATTER)
        f.scatter = read_scatter(list, n);
    else
        f.classes = read_class_form(list, n);
    if (f.kind == CLASSES)
        f.count = f.classes.n_forms + 1;
    if (f.kind == APART) {
        f.weight = REAL(list_element(list, "weight"));
        f.class_weight = weigh_classes(&f.classes, f.weight);
    }
    return f;
}

static void use_forms(void *context, const double *u, size_t feature,
                      size_t count, int is_level, int thread)
{
    const form_task *t = (const form_task *)context;
    double *result = t->scratch + (size_t)thread * t->room;
    for (size_t i = 0; i < t->n_forms; i++) {
        const form *f = t->forms + i;
        double *scratch = result + f->count * LR_WIDTH;
        switch (f->kind) {
        case GRAPH:
            lr_form_graph(&f->graph, u, t->level, result);
            break;
        case SCATTER:
            lr_form_scatter(&f->scatter, u, result);
            break;
        case CLASSES:
            lr_form_classes(&f->classes, u, result, scratch);
            break;
        case APART:
            lr_form_apart(&f->classes, f->weight, f->class_weight, u, result,
                          scratch);
            break;
        }
        for (size_t c = 0; c < f->count; c++)
            for (size_t l = 0; l < count; l++)
                t->out[(f->at + c) * t->p + feature + (is_level ? 0 : l)] +=
                    result[c * LR_WIDTH + l];
    }
}

/* ---- sparse data: nonzero cells only ------------------------------------- */

static void use_sparse(const form_task *t, const lr_sparse *cells,
                       size_t feature, double *scratch)
{
    double *work = scratch, *result = scratch + t->n;
    for (size_t i = 0; i < t->n_forms; i++) {
        const form *f = t->forms + i;
        if (f->kind == GRAPH)
            result[0] = lr_sparse_graph(&f->graph, cells, work);
        else if (f->kind == SCATTER)
            result[0] = lr_sparse_scatter(&f->scatter, cells);
        else
            lr_sparse_classes(&f->classes, cells, result, result + f->count);
        for (size_t c = 0; c < f->count; c++)
            t->out[(f->at + c) * t->p + feature] = result[c];
    }
}

static void walk_sparse(form_task *t, SEXP values, const lr_scaling *s,
                        run_control control, double work_per_feature,
                        progress_line *line)
{
    enum { STEP = 512 }; /* features between two looks at the user */
    const int *row = INTEGER(R_do_slot(values, Rf_install("i")));
    const int *start = INTEGER(R_do_slot(values, Rf_install("p")));
    const double *x = REAL(R_do_slot(values, Rf_install("x")));
    size_t room = 2 * t->n + t->room;
    double *scratch =
        (double *)R_alloc((size_t)control.threads * room, sizeof(double));
    memset(scratch, 0, (size_t)control.threads * room * sizeof(double));
    for (size_t j0 = 0; j0 < t->p; j0 += STEP) {
        long last = (long)(j0 + STEP < t->p ? j0 + STEP : t->p);
        int threads = team_size(&control, work_per_feature * STEP);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
        for (long j = (long)j0; j < last; j++) {
            int thread = lr_own_thread();
            double *u = scratch + (size_t)thread * room;
            size_t count = (size_t)(start[j + 1] - start[j]);
            for (size_t e = 0; e < count; e++)
                u[e] = lr_scale_cell(s, (size_t)j, x[(size_t)start[j] + e]);
            lr_sparse cells = {count, row + start[j], u,
                               lr_scale_cell(s, (size_t)j, 0.0)};
            use_sparse(t, &cells, (size_t)j, u + t->n);
        }
        (void)threads;
        progress_tick(line, (double)last);
    }
}

static double form_work(const form *f, size_t n)
{
    switch (f->kind) {
    case GRAPH:
        return f->graph.row ? 2.0 * f->graph.start[n]
                            : 2.0 * (double)n * (double)n;
    case SCATTER:
        return 4.0 * (double)n;
    default:
        return 6.0 * (double)n
            + (double)f->classes.n_classes * (double)f->classes.n_classes;
    }
}

/* A matrix, features x forms. forms: see R/graph-laplacian.R */
SEXP r_quadratic_forms(SEXP data, SEXP scaling, SEXP forms, SEXP control)
{
    run_control c = read_control(control);
    lr_scaling s = read_scaling(scaling);
    form_task t;
    t.n = (size_t)Rf_asReal(list_element(data, "n"));
    t.p = (size_t)Rf_asReal(list_element(data, "p"));
    t.level = c.level;
    t.n_forms = (size_t)Rf_xlength(forms);
    t.forms = (form *)R_alloc(t.n_forms, sizeof(form));
    size_t columns = 0;
    t.room = LR_WIDTH;
    double work = 4.0 * (double)t.n;
    int sparse = strcmp(CHAR(STRING_ELT(list_element(data, "layout"), 0)),
                        "sparse") == 0;
    for (size_t i = 0; i < t.n_forms; i++) {
        t.forms[i] = read_form(VECTOR_ELT(forms, (R_xlen_t)i), t.n, columns);
        columns += t.forms[i].count;
        size_t room = (t.forms[i].count + 4 * t.forms[i].classes.n_classes)
            * LR_WIDTH;
        if (room > t.room)
            t.room = room;
        sparse = sparse && t.forms[i].kind != APART;
        work += form_work(t.forms + i, t.n);
    }
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)t.p, (int)columns));
    t.out = REAL(out);
    memset(t.out, 0, t.p * columns * sizeof(double));
    progress_line line =
        progress_begin("Scores", "features", (double)t.p, c.progress);
    if (sparse) {
        walk_sparse(&t, list_element(data, "values"), &s, c, work / 4.0,
                    &line);
    } else {
        t.scratch = (double *)R_alloc((size_t)c.threads * t.room,
                                      sizeof(double));
        lane_task lanes = {use_forms, &t, work, c, NULL};
        walk_lanes(&lanes, data, &s, &line);
    }
    progress_end(&line);
    UNPROTECT(1);
    return out;
}

/* ---- pairs of samples, over all features --------------------------------- */

typedef struct {
    const int *first, *second;
    size_t count;
    double *value;
    int products;
} pair_task;

static void use_pairs(void *context, const double *u, size_t feature,
                      size_t count, int is_level, int thread)
{
    pair_task *t = (pair_task *)context;
    (t->products ? lr_add_products : lr_add_squares)(
        t->first, t->second, t->count, u, t->value);
    (void)feature, (void)count, (void)is_level, (void)thread;
}

/* Of each pair of samples (numbers from 0): the sum over features of the
 * squared difference, or of the product. */
SEXP r_pair_sums(SEXP data, SEXP scaling, SEXP first, SEXP second,
                 SEXP products, SEXP control)
{
    run_control c = read_control(control);
    c.threads = 1; /* a pair's sum runs over all features in order */
    lr_scaling s = read_scaling(scaling);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, Rf_xlength(first)));
    pair_task t = {INTEGER(first), INTEGER(second), (size_t)Rf_xlength(first),
                   REAL(out), Rf_asLogical(products)};
    memset(t.value, 0, t.count * sizeof(double));
    progress_line line = progress_begin(
        "Pairs", "features", Rf_asReal(list_element(data, "p")), c.progress);
    lane_task lanes = {use_pairs, &t, 1.0, c, NULL};
    walk_lanes(&lanes, data, &s, &line);
    progress_end(&line);
    UNPROTECT(1);
    return out;
}
