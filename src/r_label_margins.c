#include <string.h>

#include "label_margins.h"
#include "r_walk.h"
#include "threads.h"

/* One per thread. */
typedef struct {
    lr_entries entries;
    lr_label_room *room;
} label_worker;

typedef struct {
    lr_labels labels;
    lr_scaling scaling;
    const double *minimum, *maximum;
    feature_source source;
    label_worker *workers;
    lr_label_sum *sums; /* one per feature */
    double work;        /* per feature */
    run_control control;
} label_walk;

static const int *integers_of(SEXP list, const char *name)
{
    return INTEGER(list_element(list, name));
}

/* Made by label_index() in R; rows and numbers count from 0. */
static lr_labels read_labels(SEXP index, size_t n)
{
    lr_labels l;
    int *number = (int *)R_alloc(n, sizeof(int));
    l.n = n;
    l.row = integers_of(index, "row");
    l.n_labelled = (size_t)Rf_xlength(list_element(index, "row"));
    for (size_t i = 0; i < n; i++)
        number[i] = -1;
    for (size_t e = 0; e < l.n_labelled; e++)
        number[l.row[e]] = (int)e;
    l.number = number;
    l.start = integers_of(index, "start");
    l.hit = integers_of(index, "hit");
    l.owner = integers_of(index, "owner");
    l.user_start = integers_of(index, "user_start");
    l.user = integers_of(index, "user");
    l.with_hits = integers_of(index, "with_hits");
    SEXP forks = list_element(index, "forks"); /* one per column */
    l.forks = (const lr_fork *)INTEGER(forks);
    l.n_forks = (size_t)Rf_ncols(forks);
    return l;
}

static void allocate_workers(label_walk *w)
{
    size_t n = w->source.n, bytes = lr_label_bytes(&w->labels);
    int threads = w->control.threads;
    w->workers = (label_worker *)R_alloc(threads, sizeof(label_worker));
    for (int t = 0; t < threads; t++) {
        lr_entries entries = {(int *)R_alloc(n, sizeof(int)),
                              (double *)R_alloc(n, sizeof(double)), 0};
        w->workers[t].entries = entries;
        w->workers[t].room = lr_label_room_in(
            &w->labels, R_alloc(bytes / sizeof(double) + 1, sizeof(double)));
    }
}

/* Margins of one feature of a block; features that are constant, categories or
 * incomplete keep sums of 0. */
static void sum_feature(const label_walk *w, const lr_block *block,
                        const lr_sparse_tile *stored, size_t j,
                        label_worker *worker)
{
    size_t feature = block->first + j;
    if (lr_is_constant(&w->scaling, feature)
        || !lr_is_plain(&w->scaling, feature))
        return;
    lr_shift shift = lr_shift_of(&w->scaling, feature, w->minimum[feature],
                                 w->maximum[feature]);
    if (stored) {
        size_t from = (size_t)stored->start[feature];
        size_t to = (size_t)stored->start[feature + 1];
        lr_entries_of_stored(&shift, stored->row + from, stored->value + from,
                             to - from, &worker->entries);
    } else {
        lr_entries_of_column(&shift, block->values + j * block->stride,
                             block->n, &worker->entries);
    }
    lr_label_margins(&w->labels, &worker->entries, worker->room,
                     w->sums + feature);
}

/* Sparse data are read as they are, others in blocks. */
static void walk_features(label_walk *w, progress_line *line)
{
    feature_source *source = &w->source;
    lr_sparse_tile storage;
    const lr_sparse_tile *stored = stored_cells(source->data, &storage);
    for (size_t first = 0; first < source->p; first += source->chunk) {
        size_t left = source->p - first;
        lr_block block = {NULL, source->n, source->n, first,
                          left < source->chunk ? left : source->chunk};
        if (!stored)
            block = source_block(source, first);
        int team = team_size(&w->control, w->work * (double)block.count);
        int count = (int)block.count;
#ifdef _OPENMP
#pragma omp parallel for num_threads(team) schedule(static, 1)
#endif
        for (int j = 0; j < count; j++)
            sum_feature(w, &block, stored, (size_t)j,
                        w->workers + lr_own_thread());
        (void)team;
        progress_tick(line, (double)(first + block.count));
    }
}

static SEXP write_label_sums(const lr_label_sum *sums, size_t p)
{
    const char *names[] = {"margin", "square", "magnitude", "size", ""};
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int i = 0; i < 4; i++)
        SET_VECTOR_ELT(out, i, Rf_allocVector(REALSXP, (R_xlen_t)p));
    for (size_t j = 0; j < p; j++) {
        REAL(VECTOR_ELT(out, 0))[j] = sums[j].sum;
        REAL(VECTOR_ELT(out, 1))[j] = sums[j].square;
        REAL(VECTOR_ELT(out, 2))[j] = sums[j].magnitude;
        REAL(VECTOR_ELT(out, 3))[j] = sums[j].size;
    }
    UNPROTECT(1);
    return out;
}

/* Margins over all pairs of labelled samples of different classes, both
 * directions; `index`: from label_index() in R. Features that are not plain
 * have sums of 0. */
SEXP r_label_margins(SEXP data, SEXP scaling, SEXP index, SEXP control)
{
    label_walk w;
    w.control = read_control(control);
    w.scaling = read_scaling(scaling);
    w.minimum = REAL(list_element(data, "minimum"));
    w.maximum = REAL(list_element(data, "maximum"));
    w.source = source_open(data, 0); /* protects one */
    w.labels = read_labels(index, w.source.n);
    double hits = (double)w.labels.start[w.labels.n_labelled];
    w.work = 300.0 * (hits + (double)w.source.n);
    limit_chunk(&w.source, w.work);
    allocate_workers(&w);
    w.sums = (lr_label_sum *)R_alloc(w.source.p, sizeof(lr_label_sum));
    memset(w.sums, 0, w.source.p * sizeof(lr_label_sum));
    progress_line line = progress_begin("Margins", "features",
                                        (double)w.source.p,
                                        w.control.progress);
    walk_features(&w, &line);
    progress_end(&line);
    SEXP out = PROTECT(write_label_sums(w.sums, w.source.p));
    UNPROTECT(2);
    return out;
}
