/* Distances from cells read as they are: a double matrix at once, all else in
 * blocks of features. */
#include "lr_missing.h"
#include "read_gather.h"
#include "read_walk.h"
#include "search_backends.h"

enum {
    EXPECTED_BYTES = 64 << 20, /* for all features at once */
    PAIR_WORK = 6,             /* operations, however few the features */
    OTHER_WORK = 5             /* of a category or a ramp */
};

void allocate_distances(dense_distances *d, size_t n_ends)
{
    size_t size = lr_packed_size(n_ends, d->source.per_block);
    size_t threads = (size_t)d->source.data->control.threads;
    d->panel.packed = new_doubles(size);
    d->packs = zero_structs(threads, sizeof(lr_pack));
    if (d->most_gapped == 0)
        return;
    for (size_t t = 0; t < threads; t++)
        d->packs[t].gaps = lr_allocate(1, sizeof(lr_pack_gaps));
    d->panel.gaps = lr_allocate(size / LR_PARTNERS, 1);
    d->panel.packed_expected = new_doubles(
        lr_packed_size(n_ends, d->most_gapped) * d->panel.n_tables);
}

static expected_task open_expected(const feature_data *data, double *out)
{
    size_t tables = lr_class_tables(&data->scaling);
    size_t size = data->n + lr_expected_scratch(data->n, tables);
    size_t threads = (size_t)data->control.threads;
    return (expected_task){data, new_sizes(data->p), out,
                           new_doubles(threads * size), size};
}

static void expect_column(void *context, const lr_block *b, size_t j)
{
    const expected_task *t = context;
    size_t thread = (size_t)lr_own_thread(), feature = b->first + j;
    if (t->data->scaling.missing[feature] > 0)
        lr_expected_feature(b, &t->data->scaling, j, t->out + t->at[feature],
                            t->scratch + thread * t->scratch_size);
}

static void expect_item(void *context, size_t j)
{
    dense_distances *d = context;
    expect_column(&d->expected, &d->block, j);
}

void read_distances(dense_distances *d, size_t block)
{
    d->block = source_block(&d->source, block * d->source.per_block);
    if (d->most_gapped == 0)
        return;
    const lr_scaling *s = &d->source.data->scaling;
    size_t size = lr_class_tables(s) * d->source.n, at = 0;
    d->panel.n_gapped = 0;
    for (size_t j = 0; j < d->block.count; j++) {
        size_t feature = d->block.first + j;
        d->panel.expected[j] = s->expected ? s->expected[feature]
                                           : d->expected.out + at;
        if (s->missing[feature] == 0)
            continue;
        if (!s->expected)
            d->expected.at[feature] = at;
        d->panel.n_gapped++;
        at += size;
    }
    if (!s->expected)
        lr_run_items(team_size(&d->source.data->control, 30.0 * (double)at),
                     d->block.count, expect_item, d);
}

/* The last table belongs to no class when all classes are known. */
static size_t used_tables(const lr_scaling *s, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++)
        if (lr_table_of(s, i) >= used)
            used = lr_table_of(s, i) + 1;
    return used;
}

/* Expected differences of all features when they fit into memory, else of a
 * block, which becomes smaller for them. */
static void open_source(dense_distances *d, const feature_data *data)
{
    size_t n = data->n, p = data->p, missing = 0;
    size_t tables = lr_class_tables(&data->scaling);
    for (size_t j = 0; j < p; j++)
        missing += data->scaling.missing[j] > 0;
    double bytes = (double)missing * (double)(n * tables * sizeof(double));
    d->source = source_open(data, bytes <= EXPECTED_BYTES);
    if (missing == 0)
        return;
    if (bytes > EXPECTED_BYTES)
        source_divide(&d->source, tables);
    d->most_gapped = smaller(missing, d->source.per_block);
    d->panel.n_tables = used_tables(&data->scaling, n);
    d->panel.expected = lr_allocate(d->source.per_block, sizeof(double *));
    if (!data->scaling.expected)
        d->expected = open_expected(
            data, new_doubles(d->most_gapped * n * tables + LR_BEHIND));
}

/* Operations of a pair in a block: four plain features take one. */
static double pair_work(const dense_distances *d)
{
    size_t p = d->source.p, other = 0;
    const lr_scaling *s = &d->source.data->scaling;
    for (size_t j = 0; j < p; j++)
        other += s->ramp || s->category[j];
    double share = p > 0 ? (double)other / (double)p : 0.0;
    return PAIR_WORK + (double)d->source.per_block
                           * (0.25 + (OTHER_WORK - 0.25) * share);
}

dense_distances *open_distances(const pair_walk *walk)
{
    dense_distances *d = zero_structs(1, sizeof(dense_distances));
    open_source(d, walk->data);
    d->panel.block = &d->block;
    d->panel.scaling = &d->source.data->scaling;
    d->panel.metric = walk->metric;
    d->panel.level = walk->data->control.level;
    d->n_blocks = (d->source.p + d->source.per_block - 1) / d->source.per_block;
    d->work = pair_work(d);
    d->end_bytes = (d->source.per_block + d->most_gapped * d->panel.n_tables)
        * sizeof(double);
    return d;
}

/* ---- expected differences of all features -------------------------------- */

size_t expected_size(const feature_data *data)
{
    size_t missing = 0;
    for (size_t j = 0; j < data->p; j++)
        missing += data->scaling.missing[j] > 0;
    double size = (double)missing * (double)lr_class_tables(&data->scaling)
        * (double)data->n;
    return missing == 0 || size * sizeof(double) > EXPECTED_BYTES
        ? 0 : (size_t)size + LR_BEHIND;
}

void expect_features(const feature_data *data, double *out)
{
    size_t n = data->n, tables = lr_class_tables(&data->scaling), missing = 0;
    expected_task t = open_expected(data, out);
    for (size_t j = 0; j < data->p; j++) {
        t.at[j] = missing * tables * n;
        missing += data->scaling.missing[j] > 0;
    }
    column_walk walk = {.data = data, .work = 30.0 * (double)(tables * n),
                        .use = expect_column, .context = &t};
    walk_columns(&walk);
}

const double *const *expected_places(const feature_data *data,
                                     const double *all)
{
    size_t size = lr_class_tables(&data->scaling) * data->n, number = 0;
    const double **out = lr_allocate(data->p, sizeof *out);
    for (size_t j = 0; j < data->p; j++)
        out[j] = data->scaling.missing[j] > 0 ? all + number++ * size : NULL;
    return out;
}
