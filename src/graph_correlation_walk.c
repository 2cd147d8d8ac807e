/* Correlations of features along a ranking. */
#include "graph_correlation.h"
#include "graph_walk.h"
#include "lr_products.h"

typedef struct {
    const some_features *features;
    const int *place;
    double *z;
} standard_task;

static void standardize_column(void *context, const lr_block *b, size_t j)
{
    const standard_task *t = (const standard_task *)context;
    size_t feature = b->first + j;
    double *out = t->z + (size_t)t->place[feature] * b->n;
    lr_scale_column(b, &t->features->data->scaling, j,
                    t->features->fill[feature], out);
    lr_standardize(out, b->n);
}

/* Standardized columns of the features, in their order. */
static double *standardized(const some_features *f)
{
    size_t n = f->data->n;
    standard_task t = {f, feature_places(f->data->p, f->features, f->count),
                       new_doubles(n * f->count)};
    column_walk walk = {.data = f->data, .place = t.place, .work = (double)n,
                        .use = standardize_column, .context = &t, .alone = 1};
    walk_columns(&walk);
    return t.z;
}

size_t keep_uncorrelated(const some_features *f, double most, int *keep)
{
    enum { STEP = 64 };
    size_t kept = 0;
    double *z = standardized(f);
    progress_line line =
        progress_begin("Pruning", "features", (double)f->count,
                       f->data->control.progress);
    for (size_t first = 0; first < f->count; first += STEP) {
        size_t end = smaller(first + STEP, f->count);
        kept = lr_keep_uncorrelated(z, f->data->n, first, end, most, keep,
                                    kept);
        progress_tick(&line, (double)end);
    }
    progress_end(&line);
    return kept;
}

void sum_correlations(const some_features *f, double *sums)
{
    size_t n = f->data->n;
    double *z = standardized(f), *scratch = new_doubles(lr_nearest_scratch(n));
    sums[0] = sums[1] = 0.0;
    progress_line line =
        progress_begin("Correlations", "features", (double)f->count,
                       f->data->control.progress);
    for (size_t first = 0; first < f->count; first += LR_NEAREST_TARGETS) {
        size_t some = smaller(f->count - first, LR_NEAREST_TARGETS);
        lr_sum_correlations(z, n, first, some, sums, sums + 1, scratch);
        progress_tick(&line, (double)(first + some));
    }
    progress_end(&line);
}
