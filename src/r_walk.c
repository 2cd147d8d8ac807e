#include "r_walk.h"

#include "expected.h"
#include "threads.h"

row_places places_open(size_t n)
{
    row_places r = {(int *)R_alloc(n, sizeof(int)),
                    (int *)R_alloc(n, sizeof(int)), 0};
    for (size_t i = 0; i < n; i++)
        r.place[i] = -1;
    return r;
}

void places_mark(row_places *r, SEXP numbers)
{
    const int *p_numbers = INTEGER(numbers);
    for (R_xlen_t i = 0; i < Rf_xlength(numbers); i++)
        if (p_numbers[i] > 0)
            r->place[p_numbers[i] - 1] = 0;
}

void places_number(row_places *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (r->place[i] == 0) {
            r->place[i] = (int)r->n_rows;
            r->rows[r->n_rows++] = (int)i;
        }
}

static void sort_features(const lr_block *b, const lr_scaling *s,
                          feature_items *items)
{
    items->n_plain = items->n_other = 0;
    for (size_t j = 0; j < b->count; j++) {
        if (lr_is_constant(s, b->first + j))
            continue;
        if (lr_is_plain(s, b->first + j))
            items->plain[items->n_plain++] = j;
        else
            items->other[items->n_other++] = j;
    }
}

static thread_room *allocate_rooms(int threads, size_t places, size_t n_ends,
                                   size_t n, size_t tables)
{
    thread_room *rooms = (thread_room *)R_alloc(threads, sizeof(thread_room));
    for (int t = 0; t < threads; t++) {
        rooms[t].u = (double *)R_alloc(places * LR_LANES + 1, sizeof(double));
        rooms[t].hits = (double *)R_alloc(n_ends * LR_LANES, sizeof(double));
        rooms[t].column =
            (double *)R_alloc((3 + tables) * n + 1, sizeof(double));
        rooms[t].expected =
            (double *)R_alloc(tables * places + 1, sizeof(double));
    }
    return rooms;
}

/* Scaled cells of one category or incomplete feature by place, and their
 * expected differences; returns the latter, or NULL when nothing is missing. */
static const double *gather_other(const lr_block *b, const lr_scaling *s,
                                  size_t j, const row_places *r,
                                  thread_room *room)
{
    size_t feature = b->first + j;
    const double *x = b->values + j * b->stride;
    size_t tables = lr_class_tables(s);
    double *u = room->column, *all = u + b->n, *scratch = all + tables * b->n;
    if (s->missing[feature] == 0) {
        for (size_t i = 0; i < r->n_rows; i++)
            room->u[i] = lr_scale_cell(s, feature, x[r->rows[i]]);
        return NULL;
    }
    for (size_t i = 0; i < b->n; i++)
        u[i] = lr_scale_cell(s, feature, x[i]);
    lr_rule rule = lr_rule_of(s, feature);
    lr_expected_differences(u, b->n, s, &rule, all, scratch);
    for (size_t i = 0; i < r->n_rows; i++) {
        room->u[i] = u[r->rows[i]];
        for (size_t t = 0; t < tables; t++)
            room->expected[t * r->n_rows + i] = all[t * b->n + r->rows[i]];
    }
    return room->expected;
}

static void run_block(feature_task *task, const lr_block *b)
{
    const lr_scaling *s = task->scaling;
    feature_items *f = &task->items;
    sort_features(b, s, f);
    int groups = (int)((f->n_plain + LR_LANES - 1) / LR_LANES);
    int items = groups + (int)f->n_other;
    int threads = team_size(&task->control, task->work * (double)b->count);
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static)
#endif
    for (int item = 0; item < items; item++) {
        size_t feature[LR_LANES], count = 0;
        thread_room *room = task->rooms + lr_own_thread();
        if (item >= groups) {
            size_t j = f->other[item - groups];
            const double *expected =
                gather_other(b, s, j, task->rows, room);
            lr_rule rule = lr_rule_of(s, b->first + j);
            task->other(task, b->first + j, expected, &rule, room);
            continue;
        }
        const size_t *from = f->plain + (size_t)item * LR_LANES;
        while (count < LR_LANES && from + count < f->plain + f->n_plain)
            count++;
        lr_gather_plain(b, s, from, count, task->rows->rows,
                        task->rows->n_rows, room->u);
        for (size_t l = 0; l < count; l++)
            feature[l] = b->first + from[l];
        task->plain(task, feature, count, room);
    }
    (void)threads;
}

void run_features(feature_task *task, feature_source *source,
                  progress_line *line, double done, double share)
{
    for (size_t first = 0; first < source->p; first += source->chunk) {
        lr_block b = source_block(source, first);
        run_block(task, &b);
        progress_tick(line, done + share * (double)(first + b.count)
                                / (double)source->p);
    }
}

void limit_chunk(feature_source *source, double work)
{
    double features = 2e9 / (work + 1.0);
    if (features < LR_LANES)
        features = LR_LANES;
    if ((double)source->chunk > features && source->layout != LAYOUT_READER)
        source->chunk = (size_t)features;
}

void prepare_task(feature_task *task, const feature_source *source,
                  const lr_scaling *scaling, const row_places *rows,
                  size_t n_ends, run_control control)
{
    task->scaling = scaling;
    task->rows = rows;
    task->control = control;
    task->rooms =
        allocate_rooms(control.threads, rows->n_rows, n_ends, source->n,
                       lr_class_tables(scaling));
    task->items.plain = (size_t *)R_alloc(source->chunk, sizeof(size_t));
    task->items.other = (size_t *)R_alloc(source->chunk, sizeof(size_t));
}

