/* The pair of samples that changes an eigenvector most, with bounds of what the
 * pairs of a sample score. */
#include "ask_sensitivity.h"

#include <math.h>

static double pair_score(const lr_sensitivity *s, size_t i, size_t j)
{
    double sum = 0.0;
    for (size_t r = 0; r < s->q; r++) {
        const double *v = s->v + r * s->n, *g = s->g + r * s->n;
        sum += fabs((v[i] - v[j]) * (g[i] - g[j]));
    }
    return sum;
}

static int is_used(const lr_sensitivity *s, size_t i, size_t j)
{
    double key = i < j ? (double)i * (double)s->n + (double)j + 1.0
                       : (double)j * (double)s->n + (double)i + 1.0;
    size_t low = 0, high = s->n_used;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->used[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n_used && s->used[low] == key;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* No pair of sample i scores more. `box` holds for each r the lowest v, the
 * highest v, the lowest g and the highest g of all samples. */
static double row_bound(const lr_sensitivity *s, size_t i, const double *box)
{
    double bound = 0.0;
    for (size_t r = 0; r < s->q; r++, box += 4) {
        double v = s->v[r * s->n + i], g = s->g[r * s->n + i];
        bound += larger(v - box[0], box[1] - v)
            * larger(g - box[2], box[3] - g);
    }
    /* its roundings are others than those of the scores */
    return bound * (1.0 + 1e-14);
}

static void fill_box(const lr_sensitivity *s, double *box)
{
    for (size_t r = 0; r < s->q; r++, box += 4) {
        const double *v = s->v + r * s->n, *g = s->g + r * s->n;
        box[0] = box[1] = v[0];
        box[2] = box[3] = g[0];
        for (size_t i = 1; i < s->n; i++) {
            box[0] = v[i] < box[0] ? v[i] : box[0];
            box[1] = larger(v[i], box[1]);
            box[2] = g[i] < box[2] ? g[i] : box[2];
            box[3] = larger(g[i], box[3]);
        }
    }
}

int lr_best_pair(const lr_sensitivity *s, int row, double *box, int *first,
                 int *second, double *score)
{
    size_t from = row < 0 ? 0 : (size_t)row, to = row < 0 ? s->n : from + 1;
    double best = -1.0, largest = 0.0;
    fill_box(s, box);
    for (size_t i = 0; i < s->n; i++)
        largest = larger(largest, row_bound(s, i, box));
    for (size_t i = from; i < to; i++) {
        double bound = row_bound(s, i, box);
        for (size_t j = row < 0 ? i + 1 : 0; j < s->n && bound > best; j++) {
            double here = pair_score(s, i, j);
            if (here > best && i != j && !is_used(s, i, j))
                best = here;
        }
    }
    if (best < 0.0)
        return 0;
    *score = best;
    /* scores that are rounding next to the largest there could be are 0 */
    double least = best < 1e-14 * largest ? 0.0 : best * (1.0 - 1e-10);
    for (size_t i = from; i < to; i++) {
        double bound = row_bound(s, i, box);
        for (size_t j = row < 0 ? i + 1 : 0; j < s->n && bound >= least; j++)
            if (i != j && pair_score(s, i, j) >= least && !is_used(s, i, j)) {
                *first = (int)(i < j ? i : j);
                *second = (int)(i < j ? j : i);
                return 1;
            }
    }
    return 0;
}
