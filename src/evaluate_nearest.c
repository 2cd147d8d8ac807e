/* Votes of the nearest training samples while the list of features grows. */
#include "evaluate_nearest.h"

#include <math.h>
#include <string.h>

void lr_add_exactly(double sum[2], double value)
{
    double total = sum[0] + value;
    double moved = total - sum[0];
    sum[1] += (sum[0] - (total - moved)) + (value - moved);
    sum[0] = total;
}

static void add_feature(const double *restrict train, size_t n, double value,
                        double *restrict distance)
{
    for (size_t i = 0; i < n; i++) {
        double d = value - train[i];
        distance[i] += d * d;
    }
}

/* Four running minima, so that no comparison waits for the one before. */
static double least(const double *distance, size_t n)
{
    double m[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int l = 0; l < 4; l++)
            m[l] = distance[i + l] < m[l] ? distance[i + l] : m[l];
    for (; i < n; i++)
        m[0] = distance[i] < m[0] ? distance[i] : m[0];
    m[0] = m[1] < m[0] ? m[1] : m[0];
    m[2] = m[3] < m[2] ? m[3] : m[2];
    return m[2] < m[0] ? m[2] : m[0];
}

/* The k-th smallest, k from 1: by parts, in scratch. */
static double kth_smallest(const double *distance, size_t n, size_t k,
                           double *a)
{
    if (k == 1)
        return least(distance, n);
    memcpy(a, distance, n * sizeof(double));
    size_t low = 0, high = n - 1;
    k--;
    while (low < high) {
        double pivot = a[low + (high - low) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i >= j)
                break;
            double t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
        /* low .. j <= pivot <= j + 1 .. high */
        if (i == j && a[j] > pivot)
            j--;
        if (k <= j)
            high = j;
        else
            low = j + 1;
    }
    return a[k];
}

/* Votes per class: a nearer sample has one, those at the k-th distance share
 * what is left of k. A number of samples times the share, not a sum of shares:
 * so the order of the samples changes no bit. */
static void count_votes(const lr_nearest_task *t, const double *distance,
                        double limit, double *votes)
{
    double *tied = votes + t->n_classes, left = (double)t->k, at = 0;
    memset(votes, 0, 2 * t->n_classes * sizeof(double));
    for (size_t i = 0; i < t->n_train; i++) {
        if (distance[i] > limit)
            continue;
        if (distance[i] < limit) {
            votes[t->label[i]] += 1;
            left -= 1;
        } else {
            tied[t->label[i]] += 1;
            at += 1;
        }
    }
    for (size_t c = 0; c < t->n_classes; c++)
        votes[c] += tied[c] * (left / at);
}

/* Equal parts for the classes with most votes. */
static void choose_classes(double *votes, size_t n)
{
    double most = 0, chosen = 0;
    for (size_t c = 0; c < n; c++)
        most = votes[c] > most ? votes[c] : most;
    for (size_t c = 0; c < n; c++)
        chosen += votes[c] >= most - 1e-12;
    for (size_t c = 0; c < n; c++)
        votes[c] = votes[c] >= most - 1e-12 ? 1 / chosen : 0;
}

/* `shares`: [class][n_test] or NULL. */
static double judge_class(const lr_nearest_task *t, size_t sample,
                          const double *distance,
                          const lr_nearest_buffer *buffer,
                          double (*mass)[2], double *shares)
{
    int truth = t->truth[sample];
    if (truth < 0)
        return 0;
    double limit = kth_smallest(distance, t->n_train, t->k, buffer->order);
    count_votes(t, distance, limit, buffer->votes);
    for (size_t c = 0; shares && c < t->n_classes; c++)
        shares[c * t->n_test + sample] = buffer->votes[c] / (double)t->k;
    if (t->k > 1)
        choose_classes(buffer->votes, t->n_classes);
    for (size_t c = 0; c < t->n_classes; c++)
        if (buffer->votes[c] > 0)
            lr_add_exactly(mass[c], buffer->votes[c]);
    return (size_t)truth < t->n_classes ? buffer->votes[truth] : 0;
}

static double mean_number(const lr_nearest_task *t, const double *distance,
                          const lr_nearest_buffer *buffer)
{
    double limit = kth_smallest(distance, t->n_train, t->k, buffer->order);
    double sum = 0, tied = 0;
    size_t nearer = 0, at = 0;
    for (size_t i = 0; i < t->n_train; i++) {
        if (distance[i] < limit) {
            sum += t->y[i];
            nearer++;
        } else if (distance[i] == limit) {
            tied += t->y[i];
            at++;
        }
    }
    sum += tied * ((double)(t->k - nearer) / (double)at);
    return sum / (double)t->k;
}

/* The lowest row at the least distance. */
static double nearest_row(const lr_nearest_task *t, const double *distance)
{
    double limit = least(distance, t->n_train);
    size_t i = 0;
    while (distance[i] > limit)
        i++;
    return (double)i;
}

static double judge(const lr_nearest_task *t, size_t sample,
                    const double *distance, const lr_nearest_buffer *buffer,
                    size_t at, double *shares)
{
    if (t->y)
        return mean_number(t, distance, buffer);
    if (!t->label)
        return nearest_row(t, distance);
    return judge_class(t, sample, distance, buffer,
                       (double(*)[2])(buffer->mass + 2 * at * t->n_classes),
                       shares ? shares + at * t->n_classes * t->n_test : NULL);
}

void lr_nearest_along(const lr_nearest_task *t, size_t first, size_t rows,
                      const lr_nearest_buffer *buffer, double *result,
                      double *shares)
{
    size_t at = 0, n = t->n_train;
    memset(buffer->distance, 0, rows * n * sizeof(double));
    for (size_t j = 0; at < t->n_counts; j++) {
        const double *train = t->train + j * n;
        const double *test = t->test + j * t->n_test + first;
        for (size_t r = 0; r < rows; r++)
            add_feature(train, n, test[r], buffer->distance + r * n);
        if ((size_t)t->counts[at] != j + 1)
            continue;
        for (size_t r = 0; r < rows; r++)
            result[at * t->n_test + first + r] =
                judge(t, first + r, buffer->distance + r * n, buffer, at,
                      shares);
        at++;
    }
}
