#include <string.h>

#include "distance.h"
#include "hits.h"
#include "r_entry.h"
#include "threads.h"

#ifdef _OPENMP
#include <omp.h>
#endif

enum {
    PANEL_BYTES = 128 << 20, /* distances held when all rows are in work */
    PACKED_BYTES = 64 << 20, /* scaled end points */
    ROW_CHUNK = 1024         /* rows in work when all features are at hand */
};

/* One search: some end points against all samples. When the whole matrix is at
 * hand, rows are outermost and few distances are held; when features come in
 * blocks (sparse, rows, reader, missing values), all rows of the panel are. */
typedef struct {
    feature_source source;
    lr_scaling scaling;
    const lr_links *links;
    lr_metric metric;
    run_control control;
    const int *ends; /* of this pass */
    size_t n_ends;
    size_t rows;     /* rows in work: the panel's height */
    size_t ld;       /* the same, rounded up to LR_ROWS */
    double *panel, *packed, *expected, *scratch, *packs;
    lr_nearest *others, *group;
} search;

static int has_missing(const lr_scaling *s, size_t p)
{
    for (size_t j = 0; j < p; j++)
        if (s->missing[j] > 0)
            return 1;
    return 0;
}

size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* How many end points share a pass, within the memory stated above. */
static size_t ends_per_pass(const search *s, size_t n_ends)
{
    size_t by_panel = PANEL_BYTES / sizeof(double) / s->ld;
    size_t by_packed = PACKED_BYTES / sizeof(double) / s->source.chunk;
    size_t ends = by_panel < by_packed ? by_panel : by_packed;
    ends = ends / LR_PARTNERS * LR_PARTNERS;
    if (ends < LR_PARTNERS)
        ends = LR_PARTNERS;
    return ends < n_ends ? ends : n_ends;
}

static void allocate_search(search *s, size_t ends, int missing)
{
    size_t n = s->source.n, padded = round_up(ends, LR_PARTNERS);
    s->panel = (double *)R_alloc(padded * s->ld, sizeof(double));
    s->packed = (double *)R_alloc(lr_packed_size(ends, s->source.chunk),
                                  sizeof(double));
    s->packs = (double *)R_alloc(
        (size_t)s->control.threads * LR_ROWS * LR_FEATURES, sizeof(double));
    s->expected = s->scratch = NULL;
    if (missing) {
        s->expected = (double *)R_alloc(n * s->source.chunk, sizeof(double));
        s->scratch = (double *)R_alloc(3 * n + 1, sizeof(double));
    }
}

lr_nearest *allocate_lists(size_t count, size_t capacity)
{
    lr_nearest *lists = (lr_nearest *)R_alloc(count, sizeof(lr_nearest));
    double *distance = (double *)R_alloc(count * capacity + 1, sizeof(double));
    int *row = (int *)R_alloc(count * capacity + 1, sizeof(int));
    for (size_t e = 0; e < count; e++) {
        lists[e].distance = distance + e * capacity;
        lists[e].row = row + e * capacity;
        lists[e].capacity = capacity;
        lists[e].count = 0;
    }
    return lists;
}

/* Every row block and every end point is one thread's alone. */
static void add_block(search *s, const lr_block *block, size_t first_row,
                      size_t rows)
{
    lr_panel panel = {block,     &s->scaling, s->metric, s->control.level,
                      s->ends,   s->n_ends,   s->packed, s->expected};
    int blocks = (int)((rows + LR_ROWS - 1) / LR_ROWS);
    double work = (double)rows * (double)s->n_ends * (double)block->count;
    int threads = lr_num_threads(s->control.threads, work / 4.0);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int b = 0; b < blocks; b++) {
#ifdef _OPENMP
        int thread = omp_get_thread_num();
#else
        int thread = 0;
#endif
        lr_distance_rows(&panel, first_row + (size_t)b * LR_ROWS,
                         s->panel + (size_t)b * LR_ROWS, s->ld,
                         s->packs + (size_t)thread * LR_ROWS * LR_FEATURES);
    }
    (void)threads;
}

static void offer_rows(search *s, size_t first_row, size_t rows)
{
    for (size_t e = 0; e < s->n_ends; e++)
        lr_offer_rows(s->ends[e], s->panel + e * s->ld, first_row, rows,
                      s->links, s->others + e, s->group + e);
}

static void run_pass(search *s, progress_line *line, double done)
{
    size_t n = s->source.n, p = s->source.p;
    for (size_t first = 0; first < p; first += s->source.chunk) {
        lr_block block = source_block(&s->source, first);
        lr_pack_ends(&block, &s->scaling, s->ends, s->n_ends, s->packed);
        if (s->expected)
            lr_expected_block(&block, &s->scaling, s->expected, s->scratch);
        for (size_t row = 0; row < n; row += s->rows) {
            size_t rows = n - row < s->rows ? n - row : s->rows;
            if (first == 0)
                memset(s->panel, 0,
                       round_up(s->n_ends, LR_PARTNERS) * s->ld
                           * sizeof(double));
            add_block(s, &block, row, rows);
            if (first + block.count == p)
                offer_rows(s, row, rows);
            double part = ((double)first / (double)p)
                + (double)(row + rows) / (double)n * (double)block.count
                    / (double)p;
            progress_tick(line, done + part * (double)s->n_ends);
        }
    }
}

/* Row numbers from 1, one column per end point, 0 where there are no more. */
static void write_lists(lr_nearest *lists, size_t count, int *p_out)
{
    for (size_t e = 0; e < count; e++) {
        lr_nearest *l = lists + e;
        lr_nearest_sort(l);
        for (size_t j = 0; j < l->capacity; j++)
            *p_out++ = j < l->count ? l->row[j] + 1 : 0;
    }
}

/* list(others, group): the nearest samples of each end point, k rows each, as
 * lr_offer_rows() sorts them into the two. `k`: room in the two lists. */
SEXP r_neighbour_lists(SEXP data, SEXP scaling, SEXP ends, SEXP k, SEXP links,
                       SEXP metric, SEXP control)
{
    search s;
    lr_links storage;
    s.control = read_control(control);
    s.scaling = read_scaling(scaling);
    s.links = read_links(links, &storage);
    s.metric = (lr_metric)Rf_asInteger(metric);
    size_t p = (size_t)Rf_asReal(list_element(data, "p"));
    int missing = has_missing(&s.scaling, p);
    s.source = source_open(data, !missing); /* protects one */
    size_t n = s.source.n, n_ends = (size_t)Rf_xlength(ends);
    s.rows = s.source.chunk == p && n > ROW_CHUNK ? ROW_CHUNK : n;
    s.ld = round_up(s.rows, LR_ROWS);
    size_t per_pass = ends_per_pass(&s, n_ends);
    allocate_search(&s, per_pass, missing);

    const char *names[] = {"others", "group", ""};
    int k_others = INTEGER(k)[0], k_group = s.links ? INTEGER(k)[1] : 0;
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_allocMatrix(INTSXP, k_others, (int)n_ends));
    SET_VECTOR_ELT(out, 1, Rf_allocMatrix(INTSXP, k_group, (int)n_ends));
    int *rows = (int *)R_alloc(n_ends, sizeof(int));
    for (size_t e = 0; e < n_ends; e++)
        rows[e] = INTEGER(ends)[e] - 1;
    s.others = allocate_lists(per_pass, (size_t)k_others);
    s.group = allocate_lists(per_pass, (size_t)k_group);

    progress_line line = progress_begin("Neighbours", "samples", (double)n_ends,
                                        s.control.progress);
    for (size_t e = 0; e < n_ends; e += per_pass) {
        s.ends = rows + e;
        s.n_ends = n_ends - e < per_pass ? n_ends - e : per_pass;
        for (size_t i = 0; i < s.n_ends; i++)
            s.others[i].count = s.group[i].count = 0;
        run_pass(&s, &line, (double)e);
        write_lists(s.others, s.n_ends,
                    INTEGER(VECTOR_ELT(out, 0)) + e * (size_t)k_others);
        write_lists(s.group, s.n_ends,
                    INTEGER(VECTOR_ELT(out, 1)) + e * (size_t)k_group);
    }
    progress_end(&line);
    UNPROTECT(2);
    return out;
}
