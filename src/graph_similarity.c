/* Edges joined to a graph in compressed columns, and their weights. */
#include "graph_similarity.h"

#include <math.h>
#include <string.h>

/* Sorts entries by key; equal keys keep their order. `place` gets where each
 * entry goes, `start` the first place of each key. */
static void sort_places(size_t n, const int *key, size_t count, int *start,
                        int *place)
{
    memset(start, 0, (n + 1) * sizeof(int));
    for (size_t e = 0; e < count; e++)
        start[key[e] + 1]++;
    for (size_t i = 0; i < n; i++)
        start[i + 1] += start[i];
    for (size_t e = 0; e < count; e++)
        place[e] = start[key[e]]++;
    memmove(start + 1, start, n * sizeof(int));
    start[0] = 0;
}

/* Entries sorted by column, then row: one of two equal ones stays; under
 * `mutual` nothing stays but these. */
static size_t drop_repeats(size_t n, int *start, int *row, double *value,
                           int mutual)
{
    size_t kept = 0;
    int begin = 0;
    for (size_t c = 0; c < n; c++) {
        int end = start[c + 1];
        for (int e = begin; e < end;) {
            int twice = e + 1 < end && row[e + 1] == row[e];
            if (!mutual || twice) {
                row[kept] = row[e];
                value[kept++] = value[e];
            }
            e += 1 + twice;
        }
        begin = end;
        start[c + 1] = (int)kept;
    }
    return kept;
}

size_t lr_join_edges(size_t n, const lr_graph_edges *edges, int mutual,
                     const lr_graph_buffer *buffer)
{
    const int *first = edges->first, *second = edges->second;
    size_t count = edges->count;
    int *start = buffer->start, *row = buffer->row;
    int *column = buffer->scratch, *place = column + 2 * count;
    for (size_t e = 0; e < count; e++) {
        row[2 * e] = column[2 * e + 1] = first[e];
        row[2 * e + 1] = column[2 * e] = second[e];
    }
    /* first by row, then by column: rows ascend within a column */
    int *sorted_row = column, *sorted_column = row;
    sort_places(n, row, 2 * count, start, place);
    for (size_t e = 0; e < count; e++) {
        buffer->old_value[place[2 * e]] = edges->square[e];
        buffer->old_value[place[2 * e + 1]] = edges->square[e];
        sorted_column[place[2 * e]] = second[e];
        sorted_column[place[2 * e + 1]] = first[e];
    }
    for (size_t i = 0; i < n; i++)
        for (int e = start[i]; e < start[i + 1]; e++)
            sorted_row[e] = (int)i;
    sort_places(n, sorted_column, 2 * count, start, place);
    for (size_t e = 0; e < 2 * count; e++)
        buffer->value[place[e]] = buffer->old_value[e];
    /* `row` held the columns, which `place` has taken in */
    for (size_t e = 0; e < 2 * count; e++)
        row[place[e]] = sorted_row[e];
    return drop_repeats(n, start, row, buffer->value, mutual);
}

static double weigh(const lr_weighting *w, double square, size_t r, size_t c)
{
    switch (w->kind) {
    case LR_BINARY:
        return 1.0;
    case LR_HEAT:
        return exp(-square / w->t);
    case LR_GAUSSIAN:
        return exp(-square / (2.0 * w->sigma * w->sigma));
    case LR_SELF_TUNING:
        return exp(-square / (2.0 * w->scale[r] * w->scale[c]));
    case LR_INVERSE:
        return 1.0 / (square / (w->sigma * w->sigma) + 1.0);
    default:
        return square;
    }
}

void lr_weigh_edges(const lr_graph *graph, double *value, size_t from,
                    size_t to, const lr_weighting *weighting)
{
    size_t n = graph->n;
    for (size_t c = from; c < to; c++) {
        if (graph->row) {
            for (int e = graph->start[c]; e < graph->start[c + 1]; e++)
                value[e] = weigh(weighting, value[e], (size_t)graph->row[e], c);
            continue;
        }
        for (size_t r = 0; r < n; r++)
            value[r + c * n] = weigh(weighting, value[r + c * n], r, c);
        value[c + c * n] = 0.0;
    }
}

void lr_fix_scales(double *scale, size_t n)
{
    double smallest = 0.0;
    for (size_t i = 0; i < n; i++)
        if (scale[i] > 0.0 && (smallest == 0.0 || scale[i] < smallest))
            smallest = scale[i];
    for (size_t i = 0; i < n; i++)
        if (!(scale[i] > 0.0))
            scale[i] = smallest > 0.0 ? smallest : 1.0;
}

void lr_degrees(const lr_graph *graph, double *degree)
{
    size_t n = graph->n;
    for (size_t c = 0; c < n; c++) {
        double sum = 0.0;
        if (graph->row) {
            for (int e = graph->start[c]; e < graph->start[c + 1]; e++)
                sum += graph->weight ? graph->weight[e] : 1.0;
        } else {
            for (size_t r = 0; r < n; r++)
                sum += r == c ? 0.0 : graph->weight[r + c * n];
        }
        degree[c] = sum;
    }
}
