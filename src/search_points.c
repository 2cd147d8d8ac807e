/* Leaves of near samples and bounds of distances in few dimensions. */
#include "search_points.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "lr_vector.h"

enum { GROUP = LR_PARTNERS };

/* ---- leaves -------------------------------------------------------------- */

/* The `at` samples with the smallest x come first (Hoare 1961). */
static void split_at(const double *x, int *sample, size_t count, size_t at)
{
    long low = 0, high = (long)count - 1, middle = (long)at;
    while (low < high) {
        double pivot = x[sample[low + (high - low) / 2]];
        long i = low, j = high;
        while (i <= j) {
            while (x[sample[i]] < pivot)
                i++;
            while (x[sample[j]] > pivot)
                j--;
            if (i <= j) {
                int other = sample[i];
                sample[i++] = sample[j];
                sample[j--] = other;
            }
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static size_t widest_dimension(const double *u, size_t n, size_t p,
                               const int *sample, size_t count)
{
    size_t widest = 0;
    double most = -1.0;
    for (size_t j = 0; j < p; j++) {
        const double *x = u + j * n;
        double low = x[sample[0]], high = low;
        for (size_t i = 1; i < count; i++) {
            low = x[sample[i]] < low ? x[sample[i]] : low;
            high = x[sample[i]] > high ? x[sample[i]] : high;
        }
        if (high - low > most) {
            most = high - low;
            widest = j;
        }
    }
    return widest;
}

void lr_order_points(const double *u, size_t n, size_t p, int *sample,
                     size_t count)
{
    while (count > LR_LEAF) {
        size_t leaves = (count + LR_LEAF - 1) / LR_LEAF;
        size_t left = leaves / 2 * LR_LEAF;
        size_t j = widest_dimension(u, n, p, sample, count);
        split_at(u + j * n, sample, count, left);
        lr_order_points(u, n, p, sample, left);
        sample += left;
        count -= left;
    }
}

void lr_fill_leaf(lr_leaves *l, size_t leaf, const double *u, size_t n)
{
    const int *sample = l->sample + leaf * LR_LEAF;
    for (size_t j = 0; j < l->p; j++) {
        double *cell = l->cells + (leaf * l->p + j) * LR_LEAF;
        double low = INFINITY, high = -INFINITY;
        memset(cell, 0, LR_LEAF * sizeof(double));
        for (int r = 0; r < l->count[leaf]; r++) {
            cell[r] = u[(size_t)sample[r] + j * n];
            low = fmin(low, cell[r]);
            high = fmax(high, cell[r]);
        }
        l->low[leaf * l->p + j] = low;
        l->high[leaf * l->p + j] = high;
    }
}

/* ---- bundles ------------------------------------------------------------- */

/* What is taken off the half of a squared length, as a share of it. */
static double allowance(size_t p)
{
    return (2.0 * (double)p + 16.0) * 0x1p-24;
}

static float round_up(double x)
{
    x += fabs(x) * 0x1p-22;
    return x < FLT_MAX ? (float)x : INFINITY;
}

/* The half of a limit of distances, and what may vanish. */
static double half_limit(const lr_leaves *l, double limit)
{
    return limit * (0.5 + 1e-12)
        + (double)l->p * 0x1p-124 * (1.0 + l->extent);
}

static void find_box(lr_bundle *b, const lr_leaves *l)
{
    for (size_t j = 0; j < l->p; j++) {
        b->low[j] = INFINITY;
        b->high[j] = -INFINITY;
        for (size_t leaf = b->first; leaf < b->first + b->n_leaves; leaf++) {
            b->low[j] = fmin(b->low[j], l->low[leaf * l->p + j]);
            b->high[j] = fmax(b->high[j], l->high[leaf * l->p + j]);
        }
        b->centre[j] = b->low[j] + (b->high[j] - b->low[j]) / 2.0;
    }
}

static const double *cells_of(const lr_leaves *l, size_t leaf, size_t number)
{
    return l->cells + (leaf + number / LR_LEAF) * l->p * LR_LEAF
        + number % LR_LEAF;
}

void lr_begin_bundle(lr_bundle *b, const lr_leaves *l)
{
    size_t p = l->p, last;
    b->list = -1;
    b->count = 0;
    for (size_t leaf = 0; leaf < b->n_leaves; leaf++)
        b->count += (size_t)l->count[b->first + leaf];
    find_box(b, l);
    last = (b->count + GROUP - 1) / GROUP * GROUP;
    for (size_t e = 0; e < last; e++) {
        /* beyond the last one: the first, whose result is not used */
        const double *cell = cells_of(l, b->first, e < b->count ? e : 0);
        float *packed = b->packed + e / GROUP * GROUP * p + e % GROUP;
        double square = 0.0;
        for (size_t j = 0; j < p; j++) {
            float v = (float)(cell[j * LR_LEAF] - b->centre[j]);
            packed[j * GROUP] = v;
            square += (double)v * v;
        }
        b->own[e] = square * (0.5 - allowance(p));
        b->least_own[e] = (float)(b->own[e] * (1.0 - 0x1p-22));
    }
}

/* ---- what is too far ----------------------------------------------------- */

static double limit_of(const lr_lists *lists, int list, int sample)
{
    return lists->limit[(size_t)list * lists->n_slots + (size_t)sample];
}

static void set_limit(lr_bundle *b, const lr_leaves *l, size_t e, double limit)
{
    b->limit[e] = round_up(half_limit(l, limit) - b->own[e]);
}

/* Of the bundle's samples, in the list at hand. */
static void find_limits(lr_bundle *b, const lr_leaves *l, const lr_lists *lists)
{
    const int *sample = l->sample + b->first * LR_LEAF;
    b->reach = -INFINITY;
    for (size_t e = b->count; e % GROUP > 0; e++)
        b->limit[e] = -INFINITY;
    for (size_t e = 0; e < b->count; e++) {
        double limit = limit_of(lists, b->list, sample[e]);
        set_limit(b, l, e, limit);
        b->reach = limit > b->reach ? limit : b->reach;
    }
}

/* The largest distance that a sample of the leaf took when its limits were
 * found last, in the list that takes the bundle's. */
static double *reach_of(const lr_bundle *b, const lr_leaves *l, size_t leaf)
{
    return l->reach + (size_t)l->list[b->first] * l->n_leaves + leaf;
}

/* Of the leaf's samples, in the list that takes the bundle's. */
static void find_row_limits(lr_bundle *b, const lr_leaves *l, size_t leaf,
                            const lr_lists *lists)
{
    double reach = -INFINITY;
    size_t count = leaf < b->first + b->n_leaves ? 0 : (size_t)l->count[leaf];
    for (size_t r = 0; r < LR_LEAF; r++)
        b->row_limit[r] = -INFINITY;
    for (size_t r = 0; r < count; r++) {
        double limit = limit_of(lists, l->list[b->first],
                                l->sample[leaf * LR_LEAF + r]);
        b->row_limit[r] = round_up(half_limit(l, limit));
        reach = limit > reach ? limit : reach;
    }
    if (count > 0)
        *reach_of(b, l, leaf) = reach;
}

/* Is the leaf farther away than what its samples and those of the bundle take?
 * Limits only fall, so that old ones will do. */
static int is_far(const lr_bundle *b, const lr_leaves *l, size_t leaf)
{
    const double *low = l->low + leaf * l->p, *high = l->high + leaf * l->p;
    double reach = *reach_of(b, l, leaf), sum = 0.0;
    reach = reach > b->reach ? reach : b->reach;
    for (size_t j = 0; j < l->p; j++) {
        double below = b->low[j] - high[j], above = low[j] - b->high[j];
        double gap = above > below ? above : below;
        sum += gap > 0.0 ? gap * gap : 0.0;
    }
    return sum * (1.0 - 1e-12) > reach;
}

/* ---- distances in floats ------------------------------------------------- */

/* The samples of a leaf, less the centre, and what f begins with. */
LR_INLINE void center_cells(lr_bundle *b, const double *cells, size_t p)
{
    float by = (float)(0.5 - allowance(p)), square[LR_LEAF] = {0.0f};
    for (size_t j = 0; j < p; j++, cells += LR_LEAF) {
        double centre = b->centre[j];
        float row[LR_LEAF];
        for (size_t r = 0; r < LR_LEAF; r++) {
            row[r] = (float)(cells[r] - centre);
            square[r] += row[r] * row[r];
        }
        memcpy(b->rows + j * LR_LEAF, row, sizeof row);
    }
    for (size_t r = 0; r < LR_LEAF; r++)
        b->half[r] = square[r] * by;
}

LR_INLINE int is_any(const void *marks, size_t size)
{
    int32_t mark[16], any = 0;
    memcpy(mark, marks, size);
    for (size_t i = 0; i < size / sizeof *mark; i++)
        any |= mark[i];
    return any != 0;
}

/* f of a leaf's samples and four of a bundle, and a bit for each of these that
 * may be near one of them, in either's list. Two vectors of the leaf meet the
 * four in eight accumulators, which stay in registers. */
#define MARK(t, a, b)                                                         \
    (a <= limit[t]) | (b <= limit[t]) | (a + own[t] <= x) | (b + own[t] <= y)
#define KEEP(vec, t, a, b)                                                    \
    *(vec *)(out + t * LR_LEAF) = a; *(vec *)(out + t * LR_LEAF + W) = b
#define SCREEN(name, attribute, vec, whole)                                   \
    attribute static void center_##name(lr_bundle *b, const double *cells,    \
                                        size_t p)                             \
    {                                                                         \
        center_cells(b, cells, p);                                            \
    }                                                                         \
    attribute static int screen_##name(lr_bundle *b, size_t e, size_t p)      \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(float) };                             \
        const float *limit = b->limit + e, *own = b->least_own + e;           \
        float *out = b->screened;                                             \
        whole m0 = {0}, m1 = {0}, m2 = {0}, m3 = {0}, all;                    \
        for (size_t r = 0; r < LR_LEAF; r += 2 * W, out += 2 * W) {           \
            const float *row = b->rows + r, *of = b->packed + e * p;          \
            vec a0 = *(const vec *)(b->half + r), a1 = a0, a2 = a0, a3 = a0;  \
            vec b0 = *(const vec *)(b->half + r + W), b1 = b0, b2 = b0;       \
            vec b3 = b0, x, y;                                                \
            for (size_t j = 0; j < p; j++, row += LR_LEAF, of += GROUP) {     \
                x = *(const vec *)row;                                        \
                y = *(const vec *)(row + W);                                  \
                a0 -= x * of[0]; b0 -= y * of[0];                             \
                a1 -= x * of[1]; b1 -= y * of[1];                             \
                a2 -= x * of[2]; b2 -= y * of[2];                             \
                a3 -= x * of[3]; b3 -= y * of[3];                             \
            }                                                                 \
            x = *(const vec *)(b->row_limit + r);                             \
            y = *(const vec *)(b->row_limit + r + W);                         \
            m0 |= MARK(0, a0, b0);                                            \
            m1 |= MARK(1, a1, b1);                                            \
            m2 |= MARK(2, a2, b2);                                            \
            m3 |= MARK(3, a3, b3);                                            \
            KEEP(vec, 0, a0, b0);                                             \
            KEEP(vec, 1, a1, b1);                                             \
            KEEP(vec, 2, a2, b2);                                             \
            KEEP(vec, 3, a3, b3);                                             \
        }                                                                     \
        all = m0 | m1 | m2 | m3;                                              \
        if (!is_any(&all, sizeof all))                                        \
            return 0;                                                         \
        return is_any(&m0, sizeof m0) | is_any(&m1, sizeof m1) << 1           \
            | is_any(&m2, sizeof m2) << 2 | is_any(&m3, sizeof m3) << 3;      \
    }

SCREEN(16, , lr_floats, lr_marks)

#ifdef LR_HAS_WIDE
/* What is screened is recomputed, and a fused product rounds less than the
 * bound allows. */
#ifdef __clang__
#define FUSED(set) __attribute__((target(set)))
#else
#define FUSED(set) __attribute__((target(set), optimize("fp-contract=fast")))
#endif
SCREEN(32, FUSED("avx2,fma"), lr_f32, lr_m32)
SCREEN(64, FUSED("avx512f"), lr_f64, lr_m64)
#endif

typedef struct {
    void (*center)(lr_bundle *b, const double *cells, size_t p);
    int (*screen)(lr_bundle *b, size_t e, size_t p);
} kernel;

static const kernel kernels[] = {
    {center_16, screen_16},
#ifdef LR_HAS_WIDE
    {center_32, screen_32}, {center_64, screen_64}
#endif
};

/* ---- what passes --------------------------------------------------------- */

typedef struct {
    lr_bundle *b;
    const lr_leaves *leaves;
    lr_lists *lists;
    size_t leaf;
    const float *screened; /* of the bundle's sample at hand */
} meeting;

static double exact_distance(const double *x, const double *y, size_t p)
{
    double sum = 0.0;
    for (size_t j = 0; j < p; j++) {
        double d = x[j * LR_LEAF] - y[j * LR_LEAF];
        sum += d * d;
    }
    return sum;
}

/* Puts a sample into a list of another one; returns the limit of the list. */
static double put_sample(const meeting *m, size_t e, size_t r, int of, int list,
                         int sample)
{
    const lr_leaves *l = m->leaves;
    if (of != sample)
        lr_lists_put(m->lists, (size_t)of, (size_t)list,
                     exact_distance(cells_of(l, m->leaf, r),
                                    cells_of(l, m->b->first, e), l->p), sample);
    return limit_of(m->lists, list, of);
}

/* Sample r of the leaf to sample e of the bundle. */
static void put_row(const meeting *m, size_t e, size_t r)
{
    const lr_leaves *l = m->leaves;
    set_limit(m->b, l, e,
              put_sample(m, e, r, l->sample[m->b->first * LR_LEAF + e],
                         l->list[m->leaf], l->sample[m->leaf * LR_LEAF + r]));
}

static void put_own(const meeting *m, size_t e, size_t r)
{
    const lr_leaves *l = m->leaves;
    double limit = put_sample(m, e, r, l->sample[m->leaf * LR_LEAF + r],
                              l->list[m->b->first],
                              l->sample[m->b->first * LR_LEAF + e]);
    m->b->row_limit[r] = round_up(half_limit(l, limit));
}

/* A limit becomes smaller with each sample that a full list takes. */
static void offer_samples(const meeting *m, size_t e)
{
    const float *limit = m->b->limit + e, *f = m->screened;
    const float *row_limit = m->b->row_limit;
    size_t count = (size_t)m->leaves->count[m->leaf];
    float own = m->b->least_own[e];
    for (size_t r = 0; r < count; r++) {
        if (f[r] <= *limit)
            put_row(m, e, r);
        if (f[r] + own <= row_limit[r])
            put_own(m, e, r);
    }
}

void lr_meet_leaf(lr_bundle *b, const lr_leaves *l, size_t leaf,
                  lr_lists *lists, lr_level level)
{
    meeting m = {b, l, lists, leaf, NULL};
    kernel use = kernels[lr_width(level)];
    size_t p = l->p;
    int some = 0;
    if (l->list[leaf] != b->list) {
        b->list = l->list[leaf];
        find_limits(b, l, lists);
    }
    if (is_far(b, l, leaf))
        return;
    find_row_limits(b, l, leaf, lists);
    use.center(b, l->cells + leaf * p * LR_LEAF, p);
    for (size_t e = 0; e < b->count; e += GROUP) {
        int near = use.screen(b, e, p);
        some |= near;
        for (size_t t = 0; near >> t; t++) {
            m.screened = b->screened + t * LR_LEAF;
            if (near >> t & 1 && e + t < b->count)
                offer_samples(&m, e + t);
        }
    }
    if (some)
        find_limits(b, l, lists);
}
