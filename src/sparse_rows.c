#include "sparse_rows.h"

#include <math.h>
#include <string.h>

/* ---- sample by sample ---------------------------------------------------- */

static void count_samples(const lr_sparse_cells *c, const int *place,
                          lr_sparse_rows *rows)
{
    const lr_sample_cells *s = c->samples;
    for (size_t i = 0; i < s->n; i++) {
        if (place[i] < 0)
            continue;
        for (int q = s->start[i]; q < s->start[i + 1]; q++)
            rows->start[place[i] + 1] += c->divisor[s->feature[q]] != 0.0;
    }
}

static void extract_samples(const lr_sparse_cells *c, const int *place,
                            lr_sparse_rows *rows)
{
    const lr_sample_cells *s = c->samples;
    for (size_t i = 0; i < s->n; i++) {
        if (place[i] < 0)
            continue;
        size_t at = rows->start[place[i]];
        for (int q = s->start[i]; q < s->start[i + 1]; q++) {
            int j = s->feature[q];
            if (c->divisor[j] == 0.0)
                continue;
            rows->feature[at] = j;
            rows->u[at++] = (s->value[q] - c->center[j]) / c->divisor[j];
        }
    }
}

/* ---- either way ---------------------------------------------------------- */

void lr_count_cells(const lr_sparse_cells *c, const int *place, size_t count,
                    lr_sparse_rows *rows)
{
    const lr_sparse_tile *t = &c->tile;
    memset(rows->start, 0, (count + 1) * sizeof(size_t));
    if (c->samples)
        count_samples(c, place, rows);
    for (size_t j = 0; !c->samples && j < c->p; j++) {
        if (c->divisor[j] == 0.0)
            continue;
        for (int q = t->start[j]; q < t->start[j + 1]; q++)
            if (place[t->row[q]] >= 0)
                rows->start[place[t->row[q]] + 1]++;
    }
    for (size_t i = 0; i < count; i++)
        rows->start[i + 1] += rows->start[i];
}

void lr_extract_cells(const lr_sparse_cells *c, const int *place,
                      size_t count, lr_sparse_rows *rows, size_t *next)
{
    const lr_sparse_tile *t = &c->tile;
    if (c->samples) {
        extract_samples(c, place, rows);
        return;
    }
    memcpy(next, rows->start, count * sizeof(size_t));
    for (size_t j = 0; j < c->p; j++) {
        double center = c->center[j], divisor = c->divisor[j];
        if (divisor == 0.0)
            continue;
        for (int q = t->start[j]; q < t->start[j + 1]; q++) {
            int at = place[t->row[q]];
            if (at < 0)
                continue;
            rows->feature[next[at]] = (int)j;
            rows->u[next[at]++] = (t->value[q] - center) / divisor;
        }
    }
}

double lr_sparse_distance(const lr_sparse_rows *left, size_t a,
                          const lr_sparse_rows *right, size_t b,
                          const double *zero, lr_metric metric)
{
    size_t i = left->start[a], last_i = left->start[a + 1];
    size_t j = right->start[b], last_j = right->start[b + 1];
    double sum = 0.0;
    while (i < last_i || j < last_j) {
        double d;
        int only_left = j == last_j
            || (i < last_i && left->feature[i] < right->feature[j]);
        if (only_left) {
            d = left->u[i] - zero[left->feature[i]];
            i++;
        } else if (i == last_i || right->feature[j] < left->feature[i]) {
            d = zero[right->feature[j]] - right->u[j];
            j++;
        } else {
            d = left->u[i++] - right->u[j++];
        }
        sum += metric == LR_MANHATTAN ? fabs(d) : d * d;
    }
    return sum;
}
