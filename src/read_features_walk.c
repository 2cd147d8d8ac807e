/* One pass over all features for ranges, moments, or what varies. */
#include "read_walk.h"

/* ---- ranges and moments -------------------------------------------------- */

/* `count` cells of a feature, all or those that sparse data store. */
static const double *column_cells(const lr_block *b, size_t j, size_t *count)
{
    *count = b->n;
    if (!b->stored)
        return b->values + j * b->stride;
    const int *start = b->stored->start + b->first + j;
    *count = (size_t)(start[1] - start[0]);
    return b->stored->value + start[0];
}

typedef struct {
    lr_is_missing is_missing;
    feature_ranges out;
} scan_task;

static void scan_column(void *context, const lr_block *b, size_t j)
{
    const scan_task *t = context;
    size_t feature = b->first + j, count;
    const double *x = column_cells(b, j, &count);
    lr_summary v = lr_scan(x, count, b->n, t->is_missing);
    int zero_between = count < b->n && v.minimum < 0.0 && v.maximum > 0.0;
    t->out.several[feature] = zero_between || lr_has_several(x, count, &v);
    t->out.minimum[feature] = v.minimum;
    t->out.maximum[feature] = v.maximum;
    t->out.missing[feature] = v.missing;
    t->out.bad[feature] = v.bad;
}

void scan_features(const feature_data *data, lr_is_missing is_missing,
                   feature_ranges out)
{
    scan_task t = {is_missing, out};
    column_walk walk = {.data = data, .task = "Reading",
                        .work = (double)data->n, .use = scan_column,
                        .context = &t, .as_stored = 1};
    walk_columns(&walk);
}

typedef struct {
    double *mean, *deviation;
} moment_task;

/* With the columns behind it that a kernel takes along; stored ones are not of
 * one length, and go alone. */
static void column_moments(void *context, const lr_block *b, size_t j)
{
    const moment_task *t = context;
    const double *x[LR_DOUBLES];
    double mean[LR_DOUBLES], deviation[LR_DOUBLES];
    size_t last = b->stored ? j : smaller(j + LR_DOUBLES, b->count) - 1, count;
    if (!b->stored && j % LR_DOUBLES > 0)
        return;
    for (size_t l = 0; l < LR_DOUBLES; l++)
        x[l] = column_cells(b, smaller(j + l, last), &count);
    lr_moments(x, count, b->n, mean, deviation);
    for (size_t l = 0; j + l <= last; l++) {
        t->mean[b->first + j + l] = mean[l];
        t->deviation[b->first + j + l] = deviation[l];
    }
}

void feature_moments(const feature_data *data, double *mean, double *deviation)
{
    moment_task t = {mean, deviation};
    column_walk walk = {.data = data, .task = "Reading",
                        .work = 4.0 * (double)data->n, .use = column_moments,
                        .context = &t, .as_stored = 1};
    walk_columns(&walk);
}

/* ---- nearly constant features -------------------------------------------- */

typedef struct {
    const int *samples;
    size_t count;
    double least;
    double *cells; /* `count` per thread */
    int *varied;
} varied_task;

static void look_at_cells(void *context, const lr_block *b, size_t j)
{
    const varied_task *t = context;
    const double *x = b->values + j * b->stride;
    double *cells = t->cells + (size_t)lr_own_thread() * t->count;
    for (size_t i = 0; i < t->count; i++)
        cells[i] = x[t->samples[i] - 1];
    t->varied[b->first + j] = lr_is_varied(cells, t->count, t->least);
}

void find_varied(const feature_data *data, const int *samples, size_t count,
                 double least, int *varied)
{
    varied_task t = {
        samples, count, least,
        new_doubles(count * (size_t)data->control.threads), varied};
    column_walk walk = {.data = data, .work = 4.0 * (double)count,
                        .use = look_at_cells, .context = &t};
    walk_columns(&walk);
}

/* ---- cells --------------------------------------------------------------- */

typedef struct {
    const feature_data *data;
    const int *place;
    int scaled;
    double *out;
} copy_task;

static void copy_column(void *context, const lr_block *b, size_t j)
{
    const copy_task *t = context;
    size_t feature = b->first + j;
    const double *x = b->values + j * b->stride;
    double *out = t->out + (size_t)t->place[feature] * b->n;
    if (t->scaled)
        lr_scale_cells(&t->data->scaling, feature, x, b->n, out);
    else
        memcpy(out, x, b->n * sizeof(double));
}

void copy_features(const feature_data *data, const int *features, size_t count,
                   int scaled, double *out)
{
    copy_task t = {data, features ? feature_places(data->p, features, count)
                                  : all_places(data->p).place, scaled, out};
    column_walk walk = {.data = data, .place = t.place,
                        .work = scaled ? (double)data->n : 1.0,
                        .use = copy_column, .context = &t};
    walk_columns(&walk);
    /* the walk fills one of several places of a feature */
    for (size_t k = 0; features && k < count; k++) {
        size_t from = (size_t)t.place[features[k] - 1];
        if (from != k)
            memcpy(out + k * data->n, out + from * data->n,
                   data->n * sizeof(double));
    }
}

typedef struct {
    const feature_data *data;
    const int *samples; /* from 1 */
    size_t count;
    double *out;
} sample_task;

static void read_cells(void *context, const lr_block *b, size_t j)
{
    const sample_task *t = context;
    size_t feature = b->first + j;
    for (size_t e = 0; e < t->count; e++)
        t->out[e + feature * t->count] = lr_scale_cell(
            &t->data->scaling, feature,
            b->values[(size_t)t->samples[e] - 1 + j * b->stride]);
}

void scale_samples(const feature_data *data, const int *samples, size_t count,
                   double *out)
{
    sample_task t = {data, samples, count, out};
    column_walk walk = {.data = data, .work = (double)count,
                        .use = read_cells, .context = &t};
    walk_columns(&walk);
}
