#include "r_search.h"

#include <string.h>

#include "threads.h"

enum {
    PANEL_BYTES = 128 << 20, /* distances held when all rows are in work */
    PACKED_BYTES = 64 << 20, /* scaled end points */
    ROW_CHUNK = 1024         /* rows in work when all features are at hand */
};

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

void search_open(panel_search *s, SEXP data, SEXP scaling, lr_metric metric,
                 int all_rows, SEXP control)
{
    s->control = read_control(control);
    s->scaling = read_scaling(scaling);
    s->metric = metric;
    size_t p = (size_t)Rf_asReal(list_element(data, "p"));
    int missing = has_missing(&s->scaling, p);
    s->source = source_open(data, !missing); /* protects one */
    if (missing)
        source_share(&s->source, lr_class_tables(&s->scaling));
    size_t n = s->source.n;
    s->rows =
        !all_rows && s->source.chunk == p && n > ROW_CHUNK ? ROW_CHUNK : n;
    s->ld = round_up(s->rows, LR_ROWS);
    s->expected = s->scratch = NULL;
    if (missing) {
        size_t tables = lr_class_tables(&s->scaling);
        s->expected = (double *)R_alloc(n * s->source.chunk * tables,
                                        sizeof(double));
        s->scratch = (double *)R_alloc(3 * n + 1, sizeof(double));
    }
}

size_t search_allocate(panel_search *s, size_t n_ends, size_t most)
{
    size_t by_panel = PANEL_BYTES / sizeof(double) / s->ld;
    size_t by_packed = PACKED_BYTES / sizeof(double) / s->source.chunk;
    size_t ends = by_panel < by_packed ? by_panel : by_packed;
    if (most > 0 && ends > most)
        ends = most;
    ends = ends / LR_PARTNERS * LR_PARTNERS;
    if (ends < LR_PARTNERS)
        ends = LR_PARTNERS;
    if (ends > n_ends)
        ends = n_ends;
    s->panel = (double *)R_alloc(round_up(ends, LR_PARTNERS) * s->ld,
                                 sizeof(double));
    s->packed = (double *)R_alloc(lr_packed_size(ends, s->source.chunk),
                                  sizeof(double));
    s->packs = (double *)R_alloc(
        (size_t)s->control.threads * LR_ROWS * LR_FEATURES, sizeof(double));
    return ends;
}

/* Every row block is one thread's alone. */
static void add_block(panel_search *s, const lr_block *block, size_t first_row,
                      size_t rows)
{
    lr_panel panel = {block,     &s->scaling, s->metric, s->control.level,
                      s->ends,   s->n_ends,   s->packed, s->expected};
    int blocks = (int)((rows + LR_ROWS - 1) / LR_ROWS);
    double work = (double)rows * (double)s->n_ends * (double)block->count;
    int threads = team_size(&s->control, work / 4.0);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int b = 0; b < blocks; b++) {
        int thread = lr_own_thread();
        lr_distance_rows(&panel, first_row + (size_t)b * LR_ROWS,
                         s->panel + (size_t)b * LR_ROWS, s->ld,
                         s->packs + (size_t)thread * LR_ROWS * LR_FEATURES);
    }
    (void)threads;
}

void search_pass(panel_search *s, size_t first_row, progress_line *line,
                 double done, double share)
{
    size_t n = s->source.n, p = s->source.p;
    double cells = (double)(n - first_row) * (double)p;
    for (size_t first = 0; first < p; first += s->source.chunk) {
        lr_block block = source_block(&s->source, first);
        lr_pack_ends(&block, &s->scaling, s->ends, s->n_ends, s->packed);
        if (s->expected)
            lr_expected_block(&block, &s->scaling, s->expected, s->scratch);
        for (size_t row = first_row; row < n; row += s->rows) {
            size_t rows = n - row < s->rows ? n - row : s->rows;
            if (first == 0)
                memset(s->panel, 0,
                       round_up(s->n_ends, LR_PARTNERS) * s->ld
                           * sizeof(double));
            add_block(s, &block, row, rows);
            if (first + block.count == p)
                s->finished(s, row, rows);
            double part = (double)first * (double)(n - first_row)
                + (double)(row + rows - first_row) * (double)block.count;
            progress_tick(line, done + part / cells * share);
        }
    }
}
