/* Fills tiles from cells read as they are: a double matrix at once, all else
 * in blocks of features. */
#include <string.h>

#include "lr_missing.h"
#include "lr_threads.h"
#include "r_search_backends.h"
#include "search_dense.h"

typedef struct {
    feature_source source;
    lr_scaling scaling;
    run_control control;
    lr_block block;
    lr_panel panel;
    lr_pack *packs;   /* of each thread */
    double *expected; /* of the block's features with missing cells; NULL when
                         there are none at all */
    double *scratch;  /* scratch_size of each thread */
    size_t scratch_size;
} dense_data;

enum {
    EXPECTED_BYTES = 64 << 20, /* for all features at once */
    PAIR_WORK = 6,             /* operations, however few the features */
    OTHER_WORK = 5             /* of a category or a ramp */
};

static size_t count_missing(const lr_scaling *s, size_t p)
{
    size_t count = 0;
    for (size_t j = 0; j < p; j++)
        count += s->missing[j] > 0;
    return count;
}

static void allocate_dense(void *context, size_t n_ends, int threads)
{
    dense_data *d = (dense_data *)context;
    size_t size = lr_packed_size(n_ends, d->source.per_block);
    d->panel.packed = (double *)R_alloc(size, sizeof(double));
    d->packs = (lr_pack *)R_alloc((size_t)threads, sizeof(lr_pack));
    if (!d->expected)
        return;
    d->panel.gaps = (unsigned char *)R_alloc(size / LR_PARTNERS, 1);
    d->scratch_size = d->source.n
        + lr_expected_scratch(d->source.n, lr_class_tables(&d->scaling));
    d->scratch = (double *)R_alloc((size_t)threads * d->scratch_size,
                                   sizeof(double));
}

static void expect_item(void *context, size_t j, int thread)
{
    const dense_data *d = (const dense_data *)context;
    if (d->scaling.missing[d->block.first + j] > 0)
        lr_expected_feature(&d->panel, j,
                            d->scratch + (size_t)thread * d->scratch_size);
}

static void expect_block(dense_data *d)
{
    const lr_scaling *s = &d->scaling;
    size_t tables = lr_class_tables(s), size = tables * d->source.n;
    double *expected = d->expected;
    for (size_t j = 0; j < d->block.count; j++) {
        d->panel.expected[j] = expected;
        if (s->missing[d->block.first + j] > 0)
            expected += size;
    }
    double work = 30.0 * (double)(expected - d->expected);
    lr_run_items(team_size(&d->control, work), d->block.count, expect_item, d);
}

static void read_dense(void *context, size_t block)
{
    dense_data *d = (dense_data *)context;
    d->block = source_block(&d->source, block * d->source.per_block);
    if (d->expected)
        expect_block(d);
}

static void pack_dense(void *context, const lr_tile *tile, lr_chunk chunk)
{
    dense_data *d = (dense_data *)context;
    lr_pack_ends(&d->panel, tile, chunk);
}

static void fill_dense(void *context, const lr_tile *tile, size_t from,
                       size_t to, int thread)
{
    dense_data *d = (dense_data *)context;
    for (; from < to; from += LR_ROWS)
        lr_fill_rows(&d->panel, tile, from, d->packs + thread);
}

/* Expected differences of all features when they fit into memory, else of a block,
 * which becomes smaller for them. */
static void open_source(dense_data *d, SEXP data)
{
    size_t n = (size_t)list_real(data, "n"), p = (size_t)list_real(data, "p");
    size_t missing = count_missing(&d->scaling, p);
    size_t tables = lr_class_tables(&d->scaling);
    double bytes = (double)missing * (double)(n * tables * sizeof(double));
    d->source = source_open(data, bytes <= EXPECTED_BYTES); /* protects one */
    if (missing == 0)
        return;
    if (bytes > EXPECTED_BYTES)
        source_divide(&d->source, tables);
    if (missing > d->source.per_block)
        missing = d->source.per_block;
    d->expected =
        (double *)R_alloc(missing * n * tables, sizeof(double));
    d->panel.expected =
        (double **)R_alloc(d->source.per_block, sizeof(double *));
}

/* Operations of a pair in a block: four plain features take one. */
static double pair_work(const dense_data *d)
{
    size_t p = d->source.p, other = 0;
    for (size_t j = 0; j < p; j++)
        other += d->scaling.ramp || d->scaling.category[j];
    double share = p > 0 ? (double)other / (double)p : 0.0;
    return PAIR_WORK + (double)d->source.per_block
                           * (0.25 + (OTHER_WORK - 0.25) * share);
}

lr_filler dense_filler(SEXP data, SEXP scaling, lr_metric metric,
                       const run_control *control)
{
    dense_data *d = (dense_data *)R_alloc(1, sizeof(dense_data));
    memset(d, 0, sizeof *d);
    d->scaling = read_scaling(scaling);
    d->control = *control;
    open_source(d, data); /* protects one */
    d->panel.block = &d->block;
    d->panel.scaling = &d->scaling;
    d->panel.metric = metric;
    d->panel.level = control->level;
    size_t per_block = d->source.per_block;
    lr_filler f = {d, (d->source.p + per_block - 1) / per_block, LR_ROWS,
                   per_block * sizeof(double), pair_work(d),
                   d->source.layout == LAYOUT_READER, allocate_dense,
                   read_dense, pack_dense, fill_dense};
    return f;
}
