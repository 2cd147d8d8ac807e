#include "margin_walk.h"

/* One per thread. */
typedef struct {
    lr_entries entries;
    lr_label_buffer *buffer;
} label_worker;

typedef struct {
    lr_labels labels;
    const feature_data *data;
    const lr_sparse_tile *stored; /* NULL: columns are whole */
    label_worker *workers;
    lr_label_sum *sums; /* one per feature */
} label_walk;

static void allocate_workers(label_walk *w, int threads)
{
    size_t n = w->labels.n, bytes = lr_label_bytes(&w->labels);
    w->workers =
        (label_worker *)lr_allocate((size_t)threads, sizeof(label_worker));
    for (int t = 0; t < threads; t++)
        w->workers[t] = (label_worker){
            {new_ints(n), new_doubles(n), 0},
            lr_label_buffer_in(&w->labels,
                               new_doubles(bytes / sizeof(double) + 1))};
}

/* Margins of one feature of a block; features that are constant, categories or
 * incomplete keep sums of 0. Sparse data are read as they are. */
static void sum_feature(void *context, const lr_block *block, size_t j)
{
    const label_walk *w = (const label_walk *)context;
    label_worker *worker = w->workers + lr_own_thread();
    size_t feature = block->first + j;
    if (lr_is_constant(&w->data->scaling, feature)
        || !lr_is_plain(&w->data->scaling, feature))
        return;
    lr_shift shift =
        lr_shift_of(&w->data->scaling, feature, w->data->minimum[feature],
                    w->data->maximum[feature]);
    lr_entries_of_feature(&shift, block, j, w->stored, &worker->entries);
    lr_label_margins(&w->labels, &worker->entries, worker->buffer,
                     w->sums + feature);
}

void sum_label_margins(const feature_data *data, lr_labels labels,
                       lr_label_sum *sums)
{
    lr_sparse_tile storage;
    label_walk w = {.labels = labels, .data = data,
                    .stored = stored_cells(data, &storage), .sums = sums};
    allocate_workers(&w, data->control.threads);
    double hits = (double)labels.start[labels.n_labelled];
    column_walk walk = {.data = data, .task = "Margins",
                        .work = 300.0 * (hits + (double)data->n),
                        .use = sum_feature, .context = &w, .as_stored = 1};
    walk_columns(&walk);
}
