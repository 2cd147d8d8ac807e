/* The pair of samples that changes an eigenvector most, with bounds of what the
 * pairs of a sample score. */
#include "ask_sensitivity.h"

#include <math.h>
#include <string.h>

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

typedef struct {
    double low, high;
} extent;

static extent widen(extent e, double x)
{
    return (extent){fmin(e.low, x), fmax(e.high, x)};
}

static double reach(extent e, double x)
{
    return fmax(x - e.low, e.high - x);
}

/* What a pair of sample i scores at most, with x = a v and y = g / a: the score
 * |dx dy| = |(dx + dy)^2 - (dx - dy)^2| / 4 is at most a quarter of the larger
 * square, and i is so far from the ends of all x + y and x - y. The margin is
 * for roundings, those of the scores too. */
static void add_bounds(const double *v, const double *g, size_t n,
                       double *bound)
{
    extent of_v = {0.0, 0.0}, of_g = of_v, of_sum = of_v, of_rest = of_v;
    for (size_t i = 0; i < n; i++) {
        of_v = widen(of_v, v[i] - v[0]);
        of_g = widen(of_g, g[i] - g[0]);
    }
    double wide = of_v.high - of_v.low, high = of_g.high - of_g.low;
    double a = wide > 0.0 && high > 0.0 ? sqrt(high / wide) : 1.0;
    for (size_t i = 0; i < n; i++) {
        double x = a * (v[i] - v[0]), y = (g[i] - g[0]) / a;
        of_sum = widen(of_sum, x + y);
        of_rest = widen(of_rest, x - y);
    }
    for (size_t i = 0; i < n; i++) {
        double x = a * (v[i] - v[0]), y = (g[i] - g[0]) / a;
        double most = fmax(reach(of_sum, x + y), reach(of_rest, x - y));
        bound[i] += most * most / 4.0 + 1e-14 * wide * high;
    }
}

int lr_best_pair(const lr_sensitivity *s, int row, double *bound, int *first,
                 int *second)
{
    size_t from = row < 0 ? 0 : (size_t)row, to = row < 0 ? s->n : from + 1;
    double best = -1.0, largest = 0.0;
    memset(bound, 0, s->n * sizeof(double));
    for (size_t r = 0; r < s->q; r++)
        add_bounds(s->v + r * s->n, s->g + r * s->n, s->n, bound);
    for (size_t i = 0; i < s->n; i++)
        largest = fmax(largest, bound[i]);
    for (size_t i = from; i < to; i++)
        for (size_t j = row < 0 ? i + 1 : 0; j < s->n && bound[i] > best; j++) {
            double here = pair_score(s, i, j);
            if (here > best && i != j && !is_used(s, i, j))
                best = here;
        }
    if (best < 0.0)
        return 0;
    /* scores that are rounding next to the largest there could be are 0 */
    double least = best < 1e-14 * largest ? 0.0 : best * (1.0 - 1e-10);
    for (size_t i = from; i < to; i++)
        for (size_t j = row < 0 ? i + 1 : 0; j < s->n && bound[i] >= least; j++)
            if (i != j && pair_score(s, i, j) >= least && !is_used(s, i, j)) {
                *first = (int)(i < j ? i : j);
                *second = (int)(i < j ? j : i);
                return 1;
            }
    return 0;
}
