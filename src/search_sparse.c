/* Bounds of distances from the cells that two sparse samples share. */
#include "search_sparse.h"

#include <math.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

int lr_sparse_bounded(size_t p, double largest, lr_metric metric)
{
    return p < 1000000 && largest <= (metric == LR_MANHATTAN ? 1e30 : 1e15);
}

/* ---- end points by feature ----------------------------------------------- */

void lr_panel_plan(lr_sparse_panel *panel, const lr_sparse_rows *ends,
                   const double *zero, int *count)
{
    memset(count, 0, panel->p * sizeof(int));
    for (size_t q = 0; q < ends->start[panel->n_ends]; q++)
        count[ends->feature[q]] += ends->u[q] != zero[ends->feature[q]];
    panel->n_full = 0;
    for (size_t j = 0; j < panel->p; j++)
        panel->full[j] = (double)count[j] > 0.15 * (double)panel->n_ends
            ? (int)panel->n_full++ : -1;
}

static void count_signs(lr_sparse_panel *panel, const lr_sparse_rows *ends,
                        const double *zero)
{
    size_t p = panel->p;
    memset(panel->start, 0, (p + 1) * sizeof(size_t));
    memset(panel->middle, 0, (p + 1) * sizeof(size_t));
    for (size_t q = 0; q < ends->start[panel->n_ends]; q++) {
        int j = ends->feature[q];
        double w = ends->u[q] - zero[j];
        if (panel->full[j] >= 0 || w == 0.0)
            continue;
        panel->start[j + 1]++;
        panel->middle[j] += w > 0.0;
    }
    for (size_t j = 0; j < p; j++) {
        panel->start[j + 1] += panel->start[j];
        panel->middle[j] += panel->start[j];
    }
}

static void put_cell(lr_sparse_panel *panel, size_t e, int j, double w,
                     size_t *next)
{
    int signed_values = panel->metric == LR_EUCLIDEAN;
    float size = (float)(signed_values ? w : fabs(w));
    if (panel->full[j] >= 0) {
        size_t at = (size_t)panel->full[j] * panel->ld + e;
        if (signed_values || w > 0.0)
            panel->positive[at] = size;
        else
            panel->negative[at] = size;
        return;
    }
    size_t at = next[2 * (size_t)j + (w < 0.0)]++;
    panel->end[at] = (int)e;
    panel->size[at] = size;
}

void lr_panel_fill(lr_sparse_panel *panel, const lr_sparse_rows *ends,
                   const double *zero, double largest, size_t *next)
{
    size_t bytes = panel->n_full * panel->ld * sizeof(float);
    int manhattan = panel->metric == LR_MANHATTAN;
    count_signs(panel, ends, zero);
    memset(panel->positive, 0, bytes);
    if (manhattan)
        memset(panel->negative, 0, bytes);
    for (size_t j = 0; j < panel->p; j++) {
        next[2 * j] = panel->start[j];
        next[2 * j + 1] = panel->middle[j];
    }
    for (size_t e = 0; e < panel->n_ends; e++) {
        double sum = 0.0;
        size_t used = 0;
        for (size_t q = ends->start[e]; q < ends->start[e + 1]; q++) {
            double w = ends->u[q] - zero[ends->feature[q]];
            if (w == 0.0)
                continue;
            sum += manhattan ? fabs(w) : w * w;
            used++;
            put_cell(panel, e, ends->feature[q], w, next);
        }
        double x = ldexp((double)used + 3.0, -24);
        panel->sum[e] = sum;
        panel->root[e] = sqrt(sum);
        panel->slack[e] = 2.0 * x / (1.0 - 2.0 * x) * (1.0 + 1e-9);
    }
    double p = (double)panel->p;
    panel->relative = ldexp(2.0 * p + 16.0, -52);
    panel->vanished = manhattan
        ? ldexp(p, -148) : ldexp(p, -146) * (1.0 + largest) * (1.0 + largest);
}

/* ---- sums over common features ------------------------------------------- */

#ifdef __SSE2__

static inline void add_four_smaller(float *sum, const float *a, __m128 b)
{
    _mm_storeu_ps(sum, _mm_add_ps(_mm_loadu_ps(sum),
                                  _mm_min_ps(_mm_loadu_ps(a), b)));
}

static inline void add_four_products(float *sum, const float *a, __m128 b)
{
    _mm_storeu_ps(sum, _mm_add_ps(_mm_loadu_ps(sum),
                                  _mm_mul_ps(_mm_loadu_ps(a), b)));
}

/* n is a multiple of 16. */
#define OVER_ENDS(add)                                                        \
    __m128 v = _mm_set1_ps(b);                                                \
    for (size_t e = 0; e < n; e += 16) {                                      \
        add(sum + e, a + e, v);                                               \
        add(sum + e + 4, a + e + 4, v);                                       \
        add(sum + e + 8, a + e + 8, v);                                       \
        add(sum + e + 12, a + e + 12, v);                                     \
    }

static void add_smaller(float *sum, const float *a, float b, size_t n)
{
    OVER_ENDS(add_four_smaller)
}

static void add_product(float *sum, const float *a, float b, size_t n)
{
    OVER_ENDS(add_four_products)
}

#else

static void add_smaller(float *sum, const float *a, float b, size_t n)
{
    for (size_t e = 0; e < n; e++)
        sum[e] += a[e] < b ? a[e] : b;
}

static void add_product(float *sum, const float *a, float b, size_t n)
{
    for (size_t e = 0; e < n; e++)
        sum[e] += a[e] * b;
}

#endif

static void add_cell(const lr_sparse_panel *panel, size_t j, double w,
                     float *sum)
{
    size_t ld = panel->ld;
    int full = panel->full[j];
    if (panel->metric == LR_EUCLIDEAN) {
        float b = (float)w;
        if (full >= 0)
            add_product(sum, panel->positive + (size_t)full * ld, b, ld);
        else
            for (size_t q = panel->start[j]; q < panel->start[j + 1]; q++)
                sum[panel->end[q]] += panel->size[q] * b;
        return;
    }
    float b = (float)fabs(w);
    if (full >= 0) {
        const float *a = w > 0.0 ? panel->positive : panel->negative;
        add_smaller(sum, a + (size_t)full * ld, b, ld);
        return;
    }
    size_t q = w > 0.0 ? panel->start[j] : panel->middle[j];
    size_t last = w > 0.0 ? panel->middle[j] : panel->start[j + 1];
    for (; q < last; q++) {
        float a = panel->size[q];
        sum[panel->end[q]] += a < b ? a : b;
    }
}

void lr_panel_sums(const lr_sparse_panel *panel, const lr_sparse_cells *cells,
                   size_t from, size_t to, int *cursor, float *common,
                   double *own)
{
    const lr_sparse_tile *t = &cells->tile;
    size_t ld = panel->ld;
    int manhattan = panel->metric == LR_MANHATTAN;
    int begin = (int)(from - t->first), end = (int)(to - t->first);
    memset(common, 0, (to - from) * ld * sizeof(float));
    memset(own, 0, (to - from) * sizeof(double));
    for (size_t j = 0; j < panel->p; j++) {
        double center = cells->center[j], divisor = cells->divisor[j];
        double zero = cells->zero[j];
        int q = cursor[j], last = t->start[j + 1];
        int shared = panel->full[j] >= 0
            || panel->start[j] < panel->start[j + 1];
        while (q < last && t->row[q] < begin)
            q++;
        for (; q < last && t->row[q] < end; q++) {
            if (divisor == 0.0)
                continue;
            double w = (t->value[q] - center) / divisor - zero;
            size_t r = (size_t)(t->row[q] - begin);
            if (w == 0.0)
                continue;
            own[r] += manhattan ? fabs(w) : w * w;
            if (shared)
                add_cell(panel, j, w, common + r * ld);
        }
        cursor[j] = q;
    }
}

/* ---- bounds -------------------------------------------------------------- */

void lr_panel_offer(const lr_sparse_panel *panel, const lr_screen_rule *rule,
                    size_t from, size_t to, const float *common,
                    const double *own, double *bounds, lr_screen *screen)
{
    double *low = bounds, *upper = bounds + panel->n_ends;
    int manhattan = panel->metric == LR_MANHATTAN;
    for (size_t j = from; j < to; j++, common += panel->ld, own++) {
        double root = sqrt(*own);
        for (size_t e = 0; e < panel->n_ends; e++) {
            double m = common[e], sum = panel->sum[e] + *own;
            double scale = manhattan ? m : panel->root[e] * root;
            double error = panel->slack[e] * scale + panel->relative * sum
                + panel->vanished;
            low[e] = sum - 2.0 * m - error;
            upper[e] = sum - 2.0 * m + error;
        }
        lr_screen_row(screen, rule, (int)j, low, upper);
    }
}

/* ---- samples one by one -------------------------------------------------- */

/* Puts a cell of a wanted sample where its next one belongs; counts it only
 * where `rows` is NULL. */
static inline void take_cell(size_t j, double value, double center,
                             double divisor, size_t *next, lr_sparse_rows *rows)
{
    if (divisor == 0.0)
        return;
    if (rows) {
        rows->feature[*next] = (int)j;
        rows->u[*next] = (value - center) / divisor;
    }
    ++*next;
}

static void take_cells(const lr_sparse_cells *c, const int *place, size_t *next,
                       lr_sparse_rows *rows)
{
    const lr_sparse_tile *t = &c->tile;
    const lr_sample_cells *s = c->samples;
    for (size_t i = 0; s && i < s->n; i++)
        for (int q = s->start[i]; place[i] >= 0 && q < s->start[i + 1]; q++)
            take_cell((size_t)s->feature[q], s->value[q],
                      c->center[s->feature[q]], c->divisor[s->feature[q]],
                      next + place[i], rows);
    for (size_t j = 0; !s && j < c->p; j++) {
        /* once a feature: a store through `rows` might change them */
        const double center = c->center[j], divisor = c->divisor[j];
        for (int q = t->start[j]; q < t->start[j + 1]; q++)
            if (place[t->row[q]] >= 0)
                take_cell(j, t->value[q], center, divisor,
                          next + place[t->row[q]], rows);
    }
}

void lr_count_cells(const lr_sparse_cells *c, const int *place, size_t count,
                    lr_sparse_rows *rows)
{
    memset(rows->start, 0, (count + 1) * sizeof(size_t));
    take_cells(c, place, rows->start + 1, NULL);
    for (size_t i = 0; i < count; i++)
        rows->start[i + 1] += rows->start[i];
}

void lr_extract_cells(const lr_sparse_cells *c, const int *place,
                      size_t count, lr_sparse_rows *rows, size_t *next)
{
    memcpy(next, rows->start, count * sizeof(size_t));
    take_cells(c, place, next, rows);
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
