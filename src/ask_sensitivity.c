/* The pair of samples that changes an eigenvector most, found in boxes of pairs
 * with bounds of their scores. */
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

/* The smallest box around the samples of a block, for each r: lowest v, highest
 * v, lowest g, highest g. */
static void fill_box(const lr_sensitivity *s, const int *order, size_t block,
                     double *box)
{
    size_t from = block * LR_PAIR_BLOCK, to = from + LR_PAIR_BLOCK;
    for (size_t r = 0; r < s->q; r++, box += 4) {
        const double *v = s->v + r * s->n, *g = s->g + r * s->n;
        box[0] = box[1] = v[order[from]];
        box[2] = box[3] = g[order[from]];
        for (size_t t = from + 1; t < to && t < s->n; t++) {
            double x = v[order[t]], y = g[order[t]];
            box[0] = x < box[0] ? x : box[0];
            box[1] = x > box[1] ? x : box[1];
            box[2] = y < box[2] ? y : box[2];
            box[3] = y > box[3] ? y : box[3];
        }
    }
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* No pair of samples of the two blocks scores more. */
static double box_bound(const lr_sensitivity *s, const double *a,
                        const double *b)
{
    double bound = 0.0;
    for (size_t r = 0; r < s->q; r++, a += 4, b += 4)
        bound += larger(a[1] - b[0], b[1] - a[0])
            * larger(a[3] - b[2], b[3] - a[2]);
    /* its roundings are others than those of the scores */
    return bound * (1.0 + 1e-14);
}

/* What is found on the way through the pairs. */
typedef struct {
    double best;       /* largest score so far, -1: none */
    double least;      /* in the second pass: scores that count as equal */
    int first, second; /* the lowest pair that reaches `least`, or -1 */
} pair_search;

static void look_at_pair(const lr_sensitivity *s, size_t i, size_t j,
                         int second_pass, pair_search *search)
{
    double score = pair_score(s, i, j);
    if (!second_pass) {
        if (score > search->best && !is_used(s, i, j))
            search->best = score;
        return;
    }
    int a = (int)(i < j ? i : j), b = (int)(i < j ? j : i);
    int lower = search->first < 0 || a < search->first
        || (a == search->first && b < search->second);
    if (score >= search->least && lower && !is_used(s, i, j)) {
        search->first = a;
        search->second = b;
    }
}

static void look_at_row(const lr_sensitivity *s, size_t i, int second_pass,
                        pair_search *search)
{
    for (size_t j = 0; j < s->n; j++)
        if (j != i)
            look_at_pair(s, i, j, second_pass, search);
}

static void look_at_blocks(const lr_sensitivity *s, const int *order, size_t a,
                           size_t b, int second_pass, pair_search *search)
{
    size_t end_a = (a + 1) * LR_PAIR_BLOCK, end_b = (b + 1) * LR_PAIR_BLOCK;
    for (size_t t = a * LR_PAIR_BLOCK; t < end_a && t < s->n; t++) {
        size_t u = a == b ? t + 1 : b * LR_PAIR_BLOCK;
        for (; u < end_b && u < s->n; u++)
            look_at_pair(s, (size_t)order[t], (size_t)order[u], second_pass,
                         search);
    }
}

static void look_at_all(const lr_sensitivity *s, const int *order,
                        const double *boxes, int second_pass,
                        pair_search *search)
{
    size_t blocks = (s->n + LR_PAIR_BLOCK - 1) / LR_PAIR_BLOCK;
    for (size_t a = 0; a < blocks; a++)
        for (size_t b = a; b < blocks; b++) {
            double bound =
                box_bound(s, boxes + 4 * s->q * a, boxes + 4 * s->q * b);
            if (second_pass ? bound >= search->least : bound > search->best)
                look_at_blocks(s, order, a, b, second_pass, search);
        }
}

/* The pairs of extreme samples give a best that rules most blocks out. */
static void look_at_extremes(const lr_sensitivity *s, pair_search *search)
{
    size_t end[4] = {0, 0, 0, 0};
    for (size_t i = 1; i < s->n; i++) {
        end[0] = s->v[i] < s->v[end[0]] ? i : end[0];
        end[1] = s->v[i] > s->v[end[1]] ? i : end[1];
        end[2] = s->g[i] < s->g[end[2]] ? i : end[2];
        end[3] = s->g[i] > s->g[end[3]] ? i : end[3];
    }
    for (int t = 0; t < 4; t++)
        look_at_row(s, end[t], 0, search);
}

int lr_best_pair(const lr_sensitivity *s, int row, const int *order,
                 double *boxes, int *first, int *second, double *score)
{
    pair_search search = {-1.0, 0.0, -1, -1};
    size_t blocks = (s->n + LR_PAIR_BLOCK - 1) / LR_PAIR_BLOCK;
    double largest = 0.0;
    for (size_t a = 0; a < blocks; a++)
        fill_box(s, order, a, boxes + 4 * s->q * a);
    for (size_t a = 0; a < blocks; a++)
        for (size_t b = a; b < blocks; b++)
            largest = larger(largest, box_bound(s, boxes + 4 * s->q * a,
                                                boxes + 4 * s->q * b));
    if (row >= 0) {
        look_at_row(s, (size_t)row, 0, &search);
    } else {
        look_at_extremes(s, &search);
        look_at_all(s, order, boxes, 0, &search);
    }
    if (search.best < 0.0)
        return 0;
    /* scores that are rounding next to the largest there could be are 0 */
    search.least =
        search.best < 1e-14 * largest ? 0.0 : search.best * (1.0 - 1e-10);
    if (row >= 0)
        look_at_row(s, (size_t)row, 1, &search);
    else
        look_at_all(s, order, boxes, 1, &search);
    *first = search.first;
    *second = search.second;
    *score = search.best;
    return 1;
}
