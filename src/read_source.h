/* The data as walks see them, read in blocks of features, and how a call uses
 * them. */
#pragma once

#include "lr_host.h"
#include "read_entries.h"
#include "read_transpose.h"

/* How the values are stored: `layout` in R. The blocks of a reader are the
 * size that R says; all others can be made smaller. */
typedef enum {
    LAYOUT_COLUMNS,
    LAYOUT_ROWS,
    LAYOUT_SPARSE,
    LAYOUT_BY_SAMPLE, /* sparse */
    LAYOUT_READER,
    LAYOUT_MAPPED     /* sparse, in a temporary file that is memory */
} data_layout;

typedef struct {
    size_t n, p;
    data_layout layout;
    const double *values; /* n x p, or p x n of LAYOUT_ROWS; NULL: they are */
    const int *integers;  /*   integers, of which INT_MIN is `missing`, or in */
    double missing;       /*   none of the two layouts */
    const double *minimum, *maximum; /* of each feature, known with a scaling */
    lr_sample_cells samples; /* LAYOUT_BY_SAMPLE */
    size_t per_call;      /* LAYOUT_READER: features in a block */
    void *host;           /* what the host needs to read the others */
    int slot;             /* and where it keeps the block that was read last */
    lr_scaling scaling;   /* of the call, zeros when it has none */
    run_control control;
} feature_data;

/* ---- from the host ------------------------------------------------------- */

/* All cells of sparse data feature by feature, or NULL for data of other kinds.
 * If they are stored by sample, in memory or on disk, this transposes them when
 * it is first called, and so it allocates. */
const lr_sparse_tile *stored_cells(const feature_data *data,
                                   lr_sparse_tile *storage);

/* LAYOUT_READER: n x count values, valid until the next call. */
const double *call_reader(const feature_data *data, size_t first, size_t count);

/* ---- features in blocks -------------------------------------------------- */

/* Sparse data whose cells are there feature by feature? */
static inline int is_stored(const feature_data *data)
{
    return data->layout == LAYOUT_SPARSE || data->layout == LAYOUT_BY_SAMPLE
        || data->layout == LAYOUT_MAPPED;
}

typedef struct {
    const feature_data *data;
    size_t n, p;
    size_t per_block; /* features in a block, but for the last one */
    double *buffer;   /* n * per_block doubles; NULL when blocks need no copy */
} feature_source;

/* Opens the data for reading, one source at a time. `whole`: a double matrix
 * may come as a single block; else no block is larger than about 16 MB. */
feature_source source_open(const feature_data *data, int whole);

/* Smaller blocks, when something is held for each of their cells. */
void source_divide(feature_source *source, size_t parts);

/* Features first .. first + per_block - 1; valid until the next call. */
lr_block source_block(feature_source *source, size_t first);
