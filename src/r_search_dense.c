/* Distances from cells read as they are: a double matrix at once, all else in
 * blocks of features. */
#include "lr_missing.h"
#include "lr_threads.h"
#include "r_search_backends.h"

enum {
    EXPECTED_BYTES = 64 << 20, /* for all features at once */
    PAIR_WORK = 6,             /* operations, however few the features */
    OTHER_WORK = 5             /* of a category or a ramp */
};

void allocate_distances(dense_distances *d, size_t n_ends)
{
    size_t size = lr_packed_size(n_ends, d->source.per_block);
    size_t threads = (size_t)d->control.threads;
    d->panel.packed = new_doubles(size);
    d->packs = (lr_pack *)R_alloc(threads, sizeof(lr_pack));
    if (!d->expected)
        return;
    d->panel.gaps = (unsigned char *)R_alloc(size / LR_PARTNERS, 1);
    d->scratch_size = d->source.n
        + lr_expected_scratch(d->source.n, lr_class_tables(&d->scaling));
    d->scratch = new_doubles(threads * d->scratch_size);
}

static void expect_item(void *context, size_t j)
{
    const dense_distances *d = (const dense_distances *)context;
    size_t thread = (size_t)lr_own_thread();
    if (d->scaling.missing[d->block.first + j] > 0)
        lr_expected_feature(&d->panel, j, d->scratch + thread * d->scratch_size);
}

void read_distances(dense_distances *d, size_t block)
{
    d->block = source_block(&d->source, block * d->source.per_block);
    if (!d->expected)
        return;
    size_t size = lr_class_tables(&d->scaling) * d->source.n;
    double *expected = d->expected;
    for (size_t j = 0; j < d->block.count; j++) {
        d->panel.expected[j] = expected;
        if (d->scaling.missing[d->block.first + j] > 0)
            expected += size;
    }
    double work = 30.0 * (double)(expected - d->expected);
    lr_run_items(team_size(&d->control, work), d->block.count, expect_item, d);
}

/* Expected differences of all features when they fit into memory, else of a block,
 * which becomes smaller for them. */
static void open_source(dense_distances *d, SEXP data)
{
    size_t n = list_size(data, "n"), p = list_size(data, "p"), missing = 0;
    size_t tables = lr_class_tables(&d->scaling);
    for (size_t j = 0; j < p; j++)
        missing += d->scaling.missing[j] > 0;
    double bytes = (double)missing * (double)(n * tables * sizeof(double));
    d->source = source_open(data, bytes <= EXPECTED_BYTES); /* protects one */
    if (missing == 0)
        return;
    if (bytes > EXPECTED_BYTES)
        source_divide(&d->source, tables);
    missing = smaller(missing, d->source.per_block);
    d->expected = new_doubles(missing * n * tables);
    d->panel.expected =
        (double **)R_alloc(d->source.per_block, sizeof(double *));
}

/* Operations of a pair in a block: four plain features take one. */
static double pair_work(const dense_distances *d)
{
    size_t p = d->source.p, other = 0;
    for (size_t j = 0; j < p; j++)
        other += d->scaling.ramp || d->scaling.category[j];
    double share = p > 0 ? (double)other / (double)p : 0.0;
    return PAIR_WORK + (double)d->source.per_block
                           * (0.25 + (OTHER_WORK - 0.25) * share);
}

dense_distances *open_distances(SEXP data, SEXP scaling, lr_metric metric,
                                run_control control)
{
    dense_distances *d =
        (dense_distances *)zero_structs(1, sizeof(dense_distances));
    d->scaling = read_scaling(scaling);
    d->control = control;
    open_source(d, data); /* protects one */
    d->panel.block = &d->block;
    d->panel.scaling = &d->scaling;
    d->panel.metric = metric;
    d->panel.level = control.level;
    d->n_blocks = (d->source.p + d->source.per_block - 1) / d->source.per_block;
    d->work = pair_work(d);
    return d;
}
