/* Blocks of features copied out of whatever holds the data. */
#include "read_source.h"

#include <limits.h>

enum {
    BLOCK_BYTES = 16 << 20,
    SPARSE_FEATURES = 1024 /* of few samples: they are cheap to expand */
};

/* Are blocks parts of the matrix itself? */
static int is_direct(const feature_data *d)
{
    return d->layout == LAYOUT_COLUMNS && d->values;
}

feature_source source_open(const feature_data *data, int whole)
{
    feature_source s = {data, data->n, data->p,
                        BLOCK_BYTES / sizeof(double) / data->n, NULL};
    if (data->layout == LAYOUT_READER)
        s.per_block = data->per_call;
    if (is_stored(data) && s.per_block > SPARSE_FEATURES)
        s.per_block = SPARSE_FEATURES;
    if (is_direct(data) && whole)
        s.per_block = s.p;
    s.per_block = smaller(s.per_block, s.p);
    if (s.per_block < 1)
        s.per_block = 1;
    return s;
}

void source_divide(feature_source *s, size_t parts)
{
    if (s->data->layout == LAYOUT_READER)
        return;
    s->per_block = s->per_block / parts > 0 ? s->per_block / parts : 1;
}

static double int_to_double(const feature_data *d, int v)
{
    return v == INT_MIN ? d->missing : (double)v;
}

static void copy_columns(const feature_source *s, size_t first, size_t count)
{
    const int *integers = s->data->integers + first * s->n;
    for (size_t i = 0; i < s->n * count; i++)
        s->buffer[i] = int_to_double(s->data, integers[i]);
}

/* Features are rows here, as Bioconductor has it: transposed in small squares,
 * so that both sides stay in cache. */
static void copy_rows(const feature_source *s, size_t first, size_t count)
{
    enum { SIDE = 32 };
    const feature_data *d = s->data;
    for (size_t i0 = 0; i0 < s->n; i0 += SIDE)
        for (size_t j0 = 0; j0 < count; j0 += SIDE)
            for (size_t i = i0; i < i0 + SIDE && i < s->n; i++)
                for (size_t j = j0; j < j0 + SIDE && j < count; j++) {
                    size_t at = first + j + i * s->p;
                    s->buffer[i + j * s->n] = d->values
                        ? d->values[at] : int_to_double(d, d->integers[at]);
                }
}

static void copy_sparse(const feature_source *s, size_t first, size_t count)
{
    lr_sparse_tile t;
    stored_cells(s->data, &t);
    memset(s->buffer, 0, s->n * count * sizeof(double));
    for (size_t j = 0; j < count; j++)
        for (int e = t.start[first + j]; e < t.start[first + j + 1]; e++)
            s->buffer[(size_t)t.row[e] + j * s->n] = t.value[e];
}

lr_block source_block(feature_source *s, size_t first)
{
    const feature_data *d = s->data;
    size_t count = smaller(s->p - first, s->per_block);
    if (!s->buffer && !is_direct(d) && d->layout != LAYOUT_READER)
        s->buffer = new_doubles(s->n * s->per_block);
    lr_block b = {s->buffer, s->n, s->n, first, count, NULL};
    switch (d->layout) {
    case LAYOUT_COLUMNS:
        if (s->buffer)
            copy_columns(s, first, count);
        else
            b.values = d->values + first * s->n;
        break;
    case LAYOUT_ROWS:
        copy_rows(s, first, count);
        break;
    case LAYOUT_SPARSE:
    case LAYOUT_BY_SAMPLE:
    case LAYOUT_MAPPED:
        copy_sparse(s, first, count);
        break;
    case LAYOUT_READER:
        b.values = call_reader(d, first, count);
        break;
    }
    return b;
}
