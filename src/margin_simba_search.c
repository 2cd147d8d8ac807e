#include "margin_simba_search.h"

#include <string.h>

#include "lr_vector.h"

void lr_simba_runs(const lr_scaling *scaling, size_t p, int *run)
{
    for (size_t f = p; f-- > 0;) {
        int next = f + 1 < p ? run[f + 1] : 0;
        run[f] = !lr_is_plain(scaling, f) ? 0
            : next < LR_SIMBA_FEATURES    ? next + 1
                                          : LR_SIMBA_FEATURES;
    }
}

/* ---- plain features: rows side by side, up to four starts share a pass ---
 *
 * Squares of differences are made once for the starts of a tile; each start
 * multiplies them by its own weights and adds. */

#ifdef LR_HAS_VECTORS

/* 2 vectors of rows, 4 starts; w: their squared weights. */
#define TILE_FOUR(name, attribute, vec)                                       \
    attribute static void name(const double *pack, size_t width,              \
                               const double *end, const double *const *w,     \
                               size_t count, double *const *out, size_t at)   \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(double) };                            \
        const double *w0 = w[0], *w1 = w[1], *w2 = w[2], *w3 = w[3];          \
        double *o0 = out[0] + at, *o1 = out[1] + at;                          \
        double *o2 = out[2] + at, *o3 = out[3] + at;                          \
        vec a0 = *(const vec *)o0, b0 = *(const vec *)(o0 + W);               \
        vec a1 = *(const vec *)o1, b1 = *(const vec *)(o1 + W);               \
        vec a2 = *(const vec *)o2, b2 = *(const vec *)(o2 + W);               \
        vec a3 = *(const vec *)o3, b3 = *(const vec *)(o3 + W);               \
        for (size_t f = 0; f < count; f++) {                                  \
            vec p = *(const vec *)pack - end[f];                              \
            vec q = *(const vec *)(pack + W) - end[f];                        \
            p = p * p;                                                        \
            q = q * q;                                                        \
            a0 += p * w0[f]; b0 += q * w0[f];                                 \
            a1 += p * w1[f]; b1 += q * w1[f];                                 \
            a2 += p * w2[f]; b2 += q * w2[f];                                 \
            a3 += p * w3[f]; b3 += q * w3[f];                                 \
            pack += width;                                                    \
        }                                                                     \
        *(vec *)o0 = a0; *(vec *)(o0 + W) = b0;                               \
        *(vec *)o1 = a1; *(vec *)(o1 + W) = b1;                               \
        *(vec *)o2 = a2; *(vec *)(o2 + W) = b2;                               \
        *(vec *)o3 = a3; *(vec *)(o3 + W) = b3;                               \
    }

/* 8 rows, 1 start */
#define TILE_ONE(name, attribute, vec)                                        \
    attribute static void name(const double *pack, size_t width,              \
                               const double *end, const double *const *w,     \
                               size_t count, double *const *out, size_t at)   \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(double), N = 8 / W };                 \
        double *o = out[0] + at;                                              \
        const double *w0 = w[0];                                              \
        vec a[N];                                                             \
        for (int i = 0; i < N; i++)                                           \
            a[i] = *(const vec *)(o + i * W);                                 \
        for (size_t f = 0; f < count; f++) {                                  \
            _Pragma("GCC unroll 4")                                           \
            for (int i = 0; i < N; i++) {                                     \
                vec p = *(const vec *)(pack + i * W) - end[f];                \
                a[i] += p * p * w0[f];                                        \
            }                                                                 \
            pack += width;                                                    \
        }                                                                     \
        for (int i = 0; i < N; i++)                                           \
            *(vec *)(o + i * W) = a[i];                                       \
    }

TILE_FOUR(four_16, , lr_v16)
TILE_ONE(one_16, , lr_v16)

#ifdef LR_HAS_WIDE
TILE_FOUR(four_32, LR_WIDE, lr_v32)
TILE_ONE(one_32, LR_WIDE, lr_v32)
#endif

#else /* no vector extension: the same sums, one at a time */

#define TILE_PLAIN(name, starts, rows)                                        \
    static void name(const double *pack, size_t width, const double *end,     \
                     const double *const *w, size_t count,                    \
                     double *const *out, size_t at)                           \
    {                                                                         \
        for (size_t f = 0; f < count; f++, pack += width)                     \
            for (int r = 0; r < rows; r++) {                                  \
                double d = pack[r] - end[f];                                  \
                d = d * d;                                                    \
                for (int s = 0; s < starts; s++)                              \
                    out[s][at + r] += d * w[s][f];                            \
            }                                                                 \
    }

TILE_PLAIN(four_16, 4, 4)
TILE_PLAIN(one_16, 1, 8)

#endif

typedef void tile(const double *, size_t, const double *, const double *const *,
                  size_t, double *const *, size_t);

typedef struct {
    tile *four, *one;
    size_t four_rows, one_rows;
} tiles;

static tiles choose_tiles(lr_level level)
{
#ifdef LR_HAS_WIDE
    if (lr_is_wide(level))
        return (tiles){four_32, one_32, 8, 8};
#endif
    (void)level;
    return (tiles){four_16, one_16, 4, 8};
}

/* Rows from .. to - 1 with the tiles for them. */
typedef struct {
    tiles tiles;
    size_t from, to;
} search_rows;

/* Some plain features of a block of rows, for 1 or 4 queries of a sample. */
static void add_plain(const lr_simba_data *d, const search_rows *s, size_t row,
                      size_t first, size_t count, const lr_simba_query *q,
                      size_t n_queries)
{
    const double *end = lr_simba_sample(d, (size_t)q->sample) + first;
    const double *pack = d->packed + row * d->p + first * d->width;
    const double *w[4];
    double *out[4];
    for (size_t i = 0; i < n_queries; i++) {
        w[i] = q[i].squares + first;
        out[i] = q[i].distance;
    }
    tile *run = n_queries == 4 ? s->tiles.four : s->tiles.one;
    size_t step = n_queries == 4 ? s->tiles.four_rows : s->tiles.one_rows;
    size_t last = s->to - row < d->width ? s->to - row : d->width;
    for (size_t r = s->from > row ? s->from - row : 0; r < last; r += step)
        run(pack + r, d->width, end, w, count, out, row + r);
}

/* ---- features that are categories or have missing cells ------------------ */

static void add_other(const lr_simba_data *d, const search_rows *s,
                      size_t feature, const lr_simba_query *q)
{
    lr_rule rule = lr_rule_of(d->scaling, feature);
    for (size_t r = s->from; r < s->to; r++) {
        double v = lr_simba_difference(d, feature, &rule, (size_t)q->sample, r);
        q->distance[r] += v * v * q->squares[feature];
    }
}

/* ---- queries ------------------------------------------------------------- */

/* Queries innermost: the cells of the block stay in cache for all of them. */
static void search_features(const lr_simba_data *d, const search_rows *s,
                            size_t first, size_t count,
                            const lr_simba_query *q, size_t n_queries)
{
    size_t begin = s->from / d->width * d->width;
    for (size_t row = begin; row < s->to; row += d->width)
        for (size_t i = 0; i < n_queries;) {
            size_t same = 1;
            while (same < 4 && i + same < n_queries
                   && q[i + same].sample == q[i].sample)
                same++;
            if (same < 4)
                same = 1;
            add_plain(d, s, row, first, count, q + i, same);
            i += same;
        }
}

void lr_simba_search(const lr_simba_data *d, const lr_simba_query *q,
                     size_t n_queries, size_t from, size_t to)
{
    search_rows s = {choose_tiles(d->level), from, to < d->n ? to : d->n};
    for (size_t i = 0; i < n_queries; i++)
        memset(q[i].distance + from, 0, (to - from) * sizeof(double));
    /* features outermost: their cells and weights stay in cache */
    for (size_t f = 0; f < d->p;) {
        if (d->run[f] > 0) {
            size_t run = (size_t)d->run[f];
            search_features(d, &s, f, run, q, n_queries);
            f += run;
            continue;
        }
        if (!lr_is_constant(d->scaling, f))
            for (size_t i = 0; i < n_queries; i++)
                add_other(d, &s, f, q + i);
        f++;
    }
}

/* Adds a run of plain features to the distances of four pairs, which hide the
 * time of one another's additions. */
static void add_to_four(const lr_simba_data *d, const double *squares,
                        const lr_simba_pair *pairs, size_t first, size_t count,
                        double *sum)
{
    const double *a[4], *b[4];
    double s0 = sum[0], s1 = sum[1], s2 = sum[2], s3 = sum[3];
    for (int i = 0; i < 4; i++) {
        a[i] = lr_simba_sample(d, (size_t)pairs[i].a) + first;
        b[i] = lr_simba_sample(d, (size_t)pairs[i].b) + first;
    }
    squares += first;
    for (size_t f = 0; f < count; f++) {
        double v0 = a[0][f] - b[0][f], v1 = a[1][f] - b[1][f];
        double v2 = a[2][f] - b[2][f], v3 = a[3][f] - b[3][f];
        s0 += v0 * v0 * squares[f];
        s1 += v1 * v1 * squares[f];
        s2 += v2 * v2 * squares[f];
        s3 += v3 * v3 * squares[f];
    }
    sum[0] = s0;
    sum[1] = s1;
    sum[2] = s2;
    sum[3] = s3;
}

void lr_simba_distances(const lr_simba_data *d, const double *squares,
                        const lr_simba_pair *pairs, double *distance)
{
    for (int i = 0; i < 4; i++)
        distance[i] = 0.0;
    for (size_t f = 0; f < d->p;) {
        size_t run = 1;
        if (d->run[f] > 0) {
            run = (size_t)d->run[f];
            add_to_four(d, squares, pairs, f, run, distance);
        } else if (!lr_is_constant(d->scaling, f)) {
            lr_rule rule = lr_rule_of(d->scaling, f);
            for (int i = 0; i < 4; i++) {
                double v = lr_simba_difference(d, f, &rule, (size_t)pairs[i].a,
                                            (size_t)pairs[i].b);
                distance[i] += v * v * squares[f];
            }
        }
        f += run;
    }
}
