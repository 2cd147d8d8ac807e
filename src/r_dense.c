/* Fills tiles from cells read as they are: a double matrix at once, all else
 * in blocks of features. */
#include <string.h>

#include "distance.h"
#include "r_pairs.h"

typedef struct {
    feature_source source;
    lr_scaling scaling;
    lr_block block;
    lr_panel panel;
    double *expected, *scratch;
    double *packs; /* of each thread */
} dense_data;

static int has_missing(const lr_scaling *s, size_t p)
{
    for (size_t j = 0; j < p; j++)
        if (s->missing[j] > 0)
            return 1;
    return 0;
}

static void allocate_dense(void *context, size_t n_ends, int threads)
{
    dense_data *d = (dense_data *)context;
    d->panel.packed = (double *)R_alloc(
        lr_packed_size(n_ends, d->source.chunk), sizeof(double));
    d->packs = (double *)R_alloc((size_t)threads * LR_ROWS * LR_FEATURES,
                                 sizeof(double));
}

static void read_dense(void *context, size_t block)
{
    dense_data *d = (dense_data *)context;
    d->block = source_block(&d->source, block * d->source.chunk);
    if (d->expected)
        lr_expected_block(&d->block, &d->scaling, d->expected, d->scratch);
}

static void pack_dense(void *context, const lr_tile *tile, lr_share share)
{
    dense_data *d = (dense_data *)context;
    lr_pack_ends(&d->panel, tile, share);
}

static void fill_dense(void *context, const lr_tile *tile, size_t from,
                       size_t to, int thread)
{
    dense_data *d = (dense_data *)context;
    double *pack = d->packs + (size_t)thread * LR_ROWS * LR_FEATURES;
    for (; from < to; from += LR_ROWS)
        lr_fill_rows(&d->panel, tile, from, pack);
}

lr_filler dense_filler(SEXP data, SEXP scaling, lr_metric metric,
                       const run_control *control)
{
    dense_data *d = (dense_data *)R_alloc(1, sizeof(dense_data));
    memset(d, 0, sizeof *d);
    d->scaling = read_scaling(scaling);
    size_t p = (size_t)Rf_asReal(list_element(data, "p"));
    int missing = has_missing(&d->scaling, p);
    d->source = source_open(data, !missing); /* protects one */
    size_t tables = lr_class_tables(&d->scaling), n = d->source.n;
    if (missing) {
        source_share(&d->source, tables);
        d->expected = (double *)R_alloc(n * d->source.chunk * tables,
                                        sizeof(double));
        d->scratch = (double *)R_alloc(3 * n + 1, sizeof(double));
    }
    lr_panel panel = {&d->block, &d->scaling, metric, control->level, NULL,
                      d->expected};
    d->panel = panel;
    size_t chunk = d->source.chunk;
    lr_filler f = {d, (p + chunk - 1) / chunk, LR_ROWS,
                   chunk * sizeof(double), (double)chunk / 4.0,
                   d->source.layout == LAYOUT_READER, allocate_dense,
                   read_dense, pack_dense, fill_dense};
    return f;
}
