#include "margin_labels.h"

#include <math.h>
#include <string.h>

#include "margin_label_tree.h"

/* ---- memory -------------------------------------------------------------- */

/* Returns a part of `memory`, or only counts when that is NULL. */
static void *take(char *memory, size_t *used, size_t count, size_t size)
{
    void *part = memory ? memory + *used : NULL;
    *used += (count * size + 15) / 16 * 16;
    return part;
}

static size_t lay_out(const lr_labels *l, lr_label_buffer *r, char *memory)
{
    size_t n = l->n, e = l->n_labelled, h = (size_t)l->start[e];
    size_t used = 0;
    take(memory, &used, 1, sizeof *r);
    r->w = take(memory, &used, n, sizeof(double));
    r->order = take(memory, &used, n, sizeof(int));
    r->listed = take(memory, &used, e, sizeof(int));
    r->items = take(memory, &used, n, sizeof(lr_item));
    r->spare = take(memory, &used, n, sizeof(lr_item));
    r->bucket = take(memory, &used, n + 2, sizeof(int));
    r->value = take(memory, &used, e, sizeof(double));
    r->own = take(memory, &used, e, sizeof(double));
    r->weight = take(memory, &used, e, sizeof(double));
    r->mean = take(memory, &used, e, sizeof(double));
    r->distance = take(memory, &used, e, sizeof(double));
    r->below = take(memory, &used, e, sizeof(double));
    r->met = take(memory, &used, e, sizeof(int));
    r->position = take(memory, &used, e, sizeof(int));
    r->reach = take(memory, &used, e, sizeof(int));
    r->point = take(memory, &used, e, sizeof(int));
    r->point_spare = take(memory, &used, e, sizeof(int));
    r->hit_value = take(memory, &used, h, sizeof(double));
    r->jump = take(memory, &used, 3 * h, sizeof(double));
    r->hit_position = take(memory, &used, h, sizeof(int));
    r->rank = take(memory, &used, h, sizeof(int));
    r->query = take(memory, &used, h, sizeof(int));
    r->query_spare = take(memory, &used, h, sizeof(int));
    r->tree = take(memory, &used, h + 1, sizeof(lr_products));
    r->prefix = take(memory, &used, h + 1, sizeof(lr_products));
    r->part = take(memory, &used, 4 * l->n_nodes, sizeof(size_t));
    return used;
}

size_t lr_label_bytes(const lr_labels *labels)
{
    lr_label_buffer buffer;
    return lay_out(labels, &buffer, NULL);
}

lr_label_buffer *lr_label_buffer_in(const lr_labels *labels, void *memory)
{
    lr_label_buffer *buffer = memory;
    lay_out(labels, buffer, memory);
    memset(buffer->w, 0, labels->n * sizeof(double));
    memset(buffer->listed, 0, labels->n_labelled * sizeof(int));
    return buffer;
}

/* ---- what a feature needs before classes meet ---------------------------- */

static void merge(const lr_item *a, size_t n_a, const lr_item *b, size_t n_b,
                  lr_item *out)
{
    size_t i = 0, j = 0;
    while (i < n_a && j < n_b)
        *out++ = b[j].value < a[i].value ? b[j++] : a[i++];
    while (i < n_a)
        *out++ = a[i++];
    while (j < n_b)
        *out++ = b[j++];
}

/* Ascending by value, equal values in the order given. */
static lr_item *sort_items(lr_item *items, lr_item *spare, size_t n)
{
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t at = 0; at < n; at += 2 * width) {
            size_t n_a = n - at < width ? n - at : width;
            size_t left = n - at - n_a, n_b = left < width ? left : width;
            merge(items + at, n_a, items + at + n_a, n_b, spare + at);
        }
        lr_item *other = items;
        items = spare;
        spare = other;
    }
    return items;
}

static void place_values(const lr_entries *e, lr_label_buffer *r)
{
    for (size_t i = 0; i < e->count; i++) {
        lr_item one = {e->value[i], e->row[i]};
        r->items[i] = one;
        r->w[e->row[i]] = e->value[i];
    }
    lr_item *sorted = sort_items(r->items, r->spare, e->count);
    int at = 0;
    r->zero = 0;
    for (size_t i = 0; i < e->count; i++) {
        if (sorted[i].value > 0.0 && at == r->zero)
            at++;
        else if (sorted[i].value < 0.0)
            r->zero++;
        r->order[sorted[i].row] = at++;
    }
    r->n_positions = e->count + 1;
}

static int position_of(const lr_label_buffer *r, int row)
{
    return r->w[row] == 0.0 ? r->zero : r->order[row];
}

static void list_sample(const lr_labels *l, lr_label_buffer *r, int number)
{
    if (r->listed[number])
        return;
    r->listed[number] = 1;
    r->point_spare[r->n_points++] = number;
    r->value[number] = r->w[l->row[number]];
    r->position[number] = position_of(r, l->row[number]);
    for (int q = l->start[number]; q < l->start[number + 1]; q++) {
        r->hit_value[q] = r->w[l->hit[q]];
        r->hit_position[q] = position_of(r, l->hit[q]);
        r->query_spare[r->n_queries++] = q;
    }
}

/* `list` by position, equal positions in the order given. */
static void order_by_position(const int *list, size_t n, const int *position,
                              lr_label_buffer *r, int *out)
{
    memset(r->bucket, 0, (r->n_positions + 1) * sizeof(int));
    for (size_t i = 0; i < n; i++)
        r->bucket[position[list[i]] + 1]++;
    for (size_t b = 0; b < r->n_positions; b++)
        r->bucket[b + 1] += r->bucket[b];
    for (size_t i = 0; i < n; i++)
        out[r->bucket[position[list[i]]]++] = list[i];
}

static void list_samples(const lr_labels *l, const lr_entries *e,
                         lr_label_buffer *r)
{
    r->n_points = r->n_queries = 0;
    for (size_t i = 0; i < e->count; i++) {
        int row = e->row[i];
        if (l->number[row] >= 0)
            list_sample(l, r, l->number[row]);
        for (int j = l->user_start[row]; j < l->user_start[row + 1]; j++)
            list_sample(l, r, l->user[j]);
    }
    order_by_position(r->point_spare, r->n_points, r->position, r, r->point);
    order_by_position(r->query_spare, r->n_queries, r->hit_position, r,
                      r->query);
}

/* Sums over the hits of each listed sample. */
static void prepare_samples(const lr_labels *l, lr_label_buffer *r)
{
    for (size_t i = 0; i < r->n_points; i++) {
        int e = r->point[i], first = l->start[e], last = l->start[e + 1];
        double differences = 0.0, sum = 0.0, sizes = 0.0;
        double count = last > first ? (double)(last - first) : 1.0;
        for (int q = first; q < last; q++) {
            differences += fabs(r->value[e] - r->hit_value[q]);
            sum += r->hit_value[q];
            sizes += fabs(r->hit_value[q]);
        }
        r->own[e] = differences / count;
        r->weight[e] = 1.0 / count;
        r->mean[e] = sum / count;
        r->distance[e] = fabs(r->value[e]) * (sizes / count);
        r->below[e] = 0.0;
        r->met[e] = 0;
    }
}

/* Right of s of its c hits, f(w) = a w + b with a = (2 s - c) / c and b = (sum
 * of the hits to the right - sum of those to the left) / c. What a^2, 2 a b
 * and b^2 lose at a hit times the moments of the samples to its left, and the
 * last a = 1, b = -mean times those of all samples, is the sum of f^2. */
static void prepare_jumps(const lr_labels *l, lr_label_buffer *r)
{
    for (size_t i = 0; i < r->n_queries; i++) {
        int q = r->query[i], e = l->owner[q];
        double weight = r->weight[e];
        double a = 2.0 * r->met[e] * weight - 1.0;
        double b = r->mean[e] - 2.0 * r->below[e] * weight;
        r->met[e]++;
        r->below[e] += r->hit_value[q];
        double next_a = 2.0 * r->met[e] * weight - 1.0;
        double next_b = r->mean[e] - 2.0 * r->below[e] * weight;
        r->jump[3 * q] = a * a - next_a * next_a;
        r->jump[3 * q + 1] = 2.0 * (a * b - next_a * next_b);
        r->jump[3 * q + 2] = b * b - next_b * next_b;
    }
}

static double largest_term(const lr_labels *l, const lr_entries *e,
                           const lr_label_buffer *r)
{
    double low = 0.0, high = 0.0, own = 0.0;
    for (size_t i = 0; i < e->count; i++) {
        low = fmin(low, e->value[i]);
        high = fmax(high, e->value[i]);
    }
    double far = fmax(high, -low);
    for (size_t i = 0; i < r->n_points; i++) {
        int m = r->point[i];
        own = fmax(own, r->own[m]);
        for (int q = l->start[m]; q < l->start[m + 1]; q++)
            far = fmax(far, fmax(high - r->hit_value[q],
                                 r->hit_value[q] - low));
    }
    return own + far;
}

void lr_label_margins(const lr_labels *labels, const lr_entries *entries,
                      lr_label_buffer *buffer, lr_label_sum *sum)
{
    lr_label_buffer *r = buffer;
    lr_label_totals t = {0, 0, 0, 0, 0, 0, 0, 0};
    place_values(entries, r);
    list_samples(labels, entries, r);
    prepare_samples(labels, r);
    prepare_jumps(labels, r);
    lr_label_meet(labels, r, &t);
    sum->sum = 0.5 * (t.f - t.h);
    sum->square = 0.25 * (((t.ff - 2.0 * t.f_here) + t.hh)
                          + ((t.f_both - 2.0 * t.f_there) + t.h_both));
    sum->magnitude = 0.25 * (((t.ff + 2.0 * t.f_here) + t.hh)
                             + ((t.f_both + 2.0 * t.f_there) + t.h_both));
    sum->size = largest_term(labels, entries, r);
    for (size_t i = 0; i < r->n_points; i++)
        r->listed[r->point[i]] = 0;
    for (size_t i = 0; i < entries->count; i++)
        r->w[entries->row[i]] = 0.0;
}
