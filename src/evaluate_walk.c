/* Test samples in blocks, which threads share. */
#include "evaluate_walk.h"

enum { TEST_ROWS = 16 }; /* test samples whose distances stay in cache */

typedef struct {
    const lr_nearest_task *task;
    const lr_nearest_buffer *buffers; /* one per thread */
    size_t first;                 /* block of this portion */
    double *out, *shares;
} block_run;

/* One block of test samples is one thread's alone. */
static void classify_block(void *context, size_t item)
{
    const block_run *r = context;
    size_t row = (r->first + item) * TEST_ROWS;
    lr_nearest_along(r->task, row, smaller(r->task->n_test - row, TEST_ROWS),
                     r->buffers + lr_own_thread(), r->out, r->shares);
}

static lr_nearest_buffer *open_buffers(const lr_nearest_task *t, int threads)
{
    lr_nearest_buffer *buffer = lr_allocate((size_t)threads, sizeof *buffer);
    for (int i = 0; i < threads; i++)
        buffer[i] = (lr_nearest_buffer){
            .distance = new_doubles(TEST_ROWS * t->n_train),
            .order = new_doubles(t->n_train),
            .votes = new_doubles(2 * t->n_classes),
            .mass = zero_doubles(2 * t->n_counts * t->n_classes)};
    return buffer;
}

static void run_blocks(const lr_nearest_task *t, const run_control *c,
                       const lr_nearest_buffer *buffer, double *p_out,
                       double *p_shares)
{
    size_t blocks = (t->n_test + TEST_ROWS - 1) / TEST_ROWS;
    double per_block = (double)TEST_ROWS * (double)t->n_train
        * (double)(t->counts[t->n_counts - 1] + (int)t->n_counts);
    size_t at_once = (size_t)(5e8 / per_block) + (size_t)c->threads;
    progress_line line = progress_begin("Nearest samples", "samples",
                                        (double)t->n_test, c->progress);
    int team = team_size(c, per_block * (double)blocks);
    block_run r = {t, buffer, 0, p_out, p_shares};
    for (; r.first < blocks; r.first += at_once) {
        size_t count = smaller(blocks - r.first, at_once);
        lr_run_items(team, count, classify_block, &r);
        progress_tick(&line, (double)((r.first + count) * TEST_ROWS));
    }
    progress_end(&line);
}

/* What all threads gave to each class. */
static void sum_masses(const lr_nearest_task *t,
                       const lr_nearest_buffer *buffer, int threads,
                       double *out)
{
    for (size_t j = 0; j < t->n_classes * t->n_counts; j++) {
        double sum[2] = {0, 0};
        for (int i = 0; i < threads; i++) {
            lr_add_exactly(sum, buffer[i].mass[2 * j]);
            lr_add_exactly(sum, buffer[i].mass[2 * j + 1]);
        }
        out[j] = sum[0] + sum[1];
    }
}

void nearest_along(const lr_nearest_task *task, run_control control,
                   double *result, double *shares, double *mass)
{
    lr_nearest_buffer *buffer = open_buffers(task, control.threads);
    run_blocks(task, &control, buffer, result, shares);
    sum_masses(task, buffer, control.threads, mass);
}
