#include "simba.h"

#include <math.h>
#include <string.h>

#include "difference.h"

static const double *sample_of(const lr_simba_data *d, size_t sample)
{
    return d->samples + sample * d->p;
}

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

#if defined(__GNUC__)

typedef double v16 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double v32 __attribute__((vector_size(32), aligned(8), may_alias));

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

TILE_FOUR(four_16, , v16)
TILE_ONE(one_16, , v16)

#if defined(__x86_64__) || defined(__i386__)
#define LR_WIDE_TILES
TILE_FOUR(four_32, __attribute__((target("avx2"))), v32)
TILE_ONE(one_32, __attribute__((target("avx2"))), v32)
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
#ifdef LR_WIDE_TILES
    if (level == LR_FASTEST && __builtin_cpu_supports("avx2"))
        return (tiles){four_32, one_32, 8, 8};
#endif
    (void)level;
    return (tiles){four_16, one_16, 4, 8};
}

/* Some plain features of a block of rows, for 1 or 4 queries of a sample. */
static void add_plain(const lr_simba_data *d, tiles t, size_t row,
                      size_t first, size_t count, const lr_simba_query *q,
                      size_t n_queries)
{
    const double *end = sample_of(d, (size_t)q->sample) + first;
    const double *pack = d->packed + row * d->p + first * d->width;
    const double *w[4];
    double *out[4];
    for (size_t s = 0; s < n_queries; s++) {
        w[s] = q[s].squares + first;
        out[s] = q[s].distance;
    }
    tile *run = n_queries == 4 ? t.four : t.one;
    size_t step = n_queries == 4 ? t.four_rows : t.one_rows;
    size_t rows = d->n - row < d->width ? d->n - row : d->width;
    for (size_t r = 0; r < rows; r += step)
        run(pack + r, d->width, end, w, count, out, row + r);
}

/* ---- features that are categories or have missing cells ------------------ */

static double other_difference(const lr_simba_data *d, size_t feature,
                               const lr_rule *rule, size_t a, size_t b)
{
    double ea = 0.0, eb = 0.0;
    if (a == b)
        return 0.0; /* in a missing cell too: one unknown value is not two */
    if (d->scaling->missing[feature] > 0) {
        const double *expected = d->expected
            + d->expected_at[feature] * lr_class_tables(d->scaling) * d->n;
        ea = expected[lr_table_of(d->scaling, b) * d->n + a];
        eb = expected[lr_table_of(d->scaling, a) * d->n + b];
    }
    return lr_difference(sample_of(d, a)[feature], sample_of(d, b)[feature],
                         ea, eb, rule);
}

static void add_other(const lr_simba_data *d, size_t feature,
                      const lr_simba_query *q)
{
    lr_rule rule = lr_rule_of(d->scaling, feature);
    for (size_t r = 0; r < d->n; r++) {
        double v = other_difference(d, feature, &rule, (size_t)q->sample, r);
        q->distance[r] += v * v * q->squares[feature];
    }
}

/* ---- queries ------------------------------------------------------------- */

/* Queries innermost: the cells of the block stay in cache for all of them. */
static void search_features(const lr_simba_data *d, tiles t, size_t first,
                            size_t count, const lr_simba_query *q,
                            size_t n_queries)
{
    for (size_t row = 0; row < d->n; row += d->width)
        for (size_t i = 0; i < n_queries;) {
            size_t same = 1;
            while (same < 4 && i + same < n_queries
                   && q[i + same].sample == q[i].sample)
                same++;
            if (same < 4)
                same = 1;
            add_plain(d, t, row, first, count, q + i, same);
            i += same;
        }
}

void lr_simba_search(const lr_simba_data *d, const lr_simba_query *q,
                     size_t n_queries)
{
    tiles t = choose_tiles(d->level);
    size_t padded = (d->n + d->width - 1) / d->width * d->width;
    for (size_t i = 0; i < n_queries; i++)
        memset(q[i].distance, 0, padded * sizeof(double));
    /* features outermost: their cells and weights stay in cache */
    for (size_t f = 0; f < d->p;) {
        if (d->run[f] > 0) {
            size_t run = (size_t)d->run[f];
            search_features(d, t, f, run, q, n_queries);
            f += run;
            continue;
        }
        if (!lr_is_constant(d->scaling, f))
            for (size_t i = 0; i < n_queries; i++)
                add_other(d, f, q + i);
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
        a[i] = sample_of(d, (size_t)pairs[i].a) + first;
        b[i] = sample_of(d, (size_t)pairs[i].b) + first;
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
                double v = other_difference(d, f, &rule, (size_t)pairs[i].a,
                                            (size_t)pairs[i].b);
                distance[i] += v * v * squares[f];
            }
        }
        f += run;
    }
}

/* ---- steps --------------------------------------------------------------- */

enum { LANES = 8 };

static inline void add_change(const double *restrict a,
                              const double *restrict b, double factor,
                              double *restrict change)
{
    for (int l = 0; l < LANES; l++) {
        double v = a[l] - b[l];
        change[l] += factor * (v * v);
    }
}

static inline void apply_change(const double *restrict change,
                                double *restrict w, double *restrict squares,
                                double *restrict largest)
{
    for (int l = 0; l < LANES; l++) {
        w[l] += change[l] * w[l];
        squares[l] = w[l] * w[l];
        largest[l] = squares[l] > largest[l] ? squares[l] : largest[l];
    }
}

static void update_plain(const lr_simba_data *d, lr_simba_start *s,
                         size_t first, size_t count)
{
    double change[LR_SIMBA_FEATURES] = {0.0};
    double largest[LANES] = {0.0};
    double *w = s->w + first, *squares = s->squares + first;
    size_t whole = count / LANES * LANES;
    for (size_t i = 0; i < s->n_parts; i++) {
        const lr_simba_part *part = s->parts + i;
        const double *a = sample_of(d, (size_t)part->a) + first;
        const double *b = sample_of(d, (size_t)part->b) + first;
        for (size_t f = 0; f < whole; f += LANES)
            add_change(a + f, b + f, part->factor, change + f);
        for (size_t f = whole; f < count; f++)
            change[f] += part->factor * ((a[f] - b[f]) * (a[f] - b[f]));
    }
    for (size_t f = 0; f < whole; f += LANES)
        apply_change(change + f, w + f, squares + f, largest);
    for (size_t f = whole; f < count; f++) {
        w[f] += change[f] * w[f];
        squares[f] = w[f] * w[f];
        largest[0] = squares[f] > largest[0] ? squares[f] : largest[0];
    }
    for (int l = 0; l < LANES; l++)
        s->largest = largest[l] > s->largest ? largest[l] : s->largest;
}

static void update_other(const lr_simba_data *d, lr_simba_start *s,
                         size_t feature)
{
    lr_rule rule = lr_rule_of(d->scaling, feature);
    double change = 0.0;
    for (size_t i = 0; i < s->n_parts; i++) {
        const lr_simba_part *part = s->parts + i;
        if (lr_is_constant(d->scaling, feature))
            continue;
        double v = other_difference(d, feature, &rule, (size_t)part->a,
                                    (size_t)part->b);
        change += part->factor * (v * v);
    }
    double w = s->w[feature];
    w += change * w;
    s->w[feature] = w;
    s->squares[feature] = w * w;
    if (w * w > s->largest)
        s->largest = w * w;
}

void lr_simba_update(const lr_simba_data *d, lr_simba_start *starts,
                     size_t n_starts)
{
    for (size_t s = 0; s < n_starts; s++)
        starts[s].largest = 0.0;
    for (size_t f = 0; f < d->p;) {
        size_t run = d->run[f] > 0 ? (size_t)d->run[f] : 1;
        for (size_t s = 0; s < n_starts; s++) {
            if (d->run[f] > 0)
                update_plain(d, starts + s, f, run);
            else
                update_other(d, starts + s, f);
        }
        f += run;
    }
}

void lr_simba_normalise(lr_simba_start *s, size_t p)
{
    double largest = s->largest;
    for (size_t f = 0; f < p; f++) {
        s->w[f] = largest > 0.0 ? s->squares[f] / largest : 0.0;
        s->squares[f] = s->w[f] * s->w[f];
    }
    s->largest = largest > 0.0 ? 1.0 : 0.0;
}

/* ---- nearest samples ----------------------------------------------------- */

/* Nearest sample of the class `own` or, with `other`, of any other class. */
static int nearest_of_class(const double *distance, size_t n, int end,
                            const int *class_of, int other)
{
    int best = -1, own = class_of[end];
    double least = INFINITY;
    for (size_t r = 0; r < n; r++) {
        if (!(distance[r] < least) || (int)r == end || class_of[r] < 0)
            continue;
        if ((class_of[r] != own) == (other != 0)) {
            best = (int)r;
            least = distance[r];
        }
    }
    return best;
}

int lr_simba_hit(const double *distance, size_t n, int end,
                 const lr_links *links)
{
    int best = -1;
    double least = INFINITY;
    if (links) {
        int c = links->component[end];
        for (int m = links->member_start[c]; m < links->member_start[c + 1];
             m++) {
            int row = links->member[m];
            if (row != end && distance[row] < least) {
                best = row;
                least = distance[row];
            }
        }
        if (best >= 0)
            return best;
    }
    for (size_t r = 0; r < n; r++)
        if (distance[r] < least && (int)r != end
            && !(links && lr_cannot_link(links, end, (int)r))) {
            best = (int)r;
            least = distance[r];
        }
    return best;
}

/* ---- visits -------------------------------------------------------------- */

size_t lr_simba_ask(const lr_simba_visits *visits, size_t v, int samples[2])
{
    samples[0] = visits->first[v];
    if (!visits->second)
        return 1;
    samples[1] = visits->second[v];
    return 2;
}

/* Adds the part of a norm; returns the norm. */
static double add_part(lr_simba_start *s, int a, int b, const double *distance,
                       double share)
{
    if (b < 0)
        return 0.0;
    double norm = sqrt(distance[b]);
    if (norm > 0.0)
        s->parts[s->n_parts++] = (lr_simba_part){a, b, share / norm};
    return norm;
}

double lr_simba_answer(const lr_simba_visits *visits, size_t v, size_t n,
                       const double *const distance[2], lr_simba_start *s)
{
    int a = visits->first[v];
    s->n_parts = 0;
    if (!visits->second) {
        int hit = nearest_of_class(distance[0], n, a, visits->class_of, 0);
        int miss = nearest_of_class(distance[0], n, a, visits->class_of, 1);
        double margin = add_part(s, a, miss, distance[0], 1.0);
        return margin - add_part(s, a, hit, distance[0], -1.0);
    }
    int b = visits->second[v];
    int hit_a = lr_simba_hit(distance[0], n, a, visits->links);
    int hit_b = lr_simba_hit(distance[1], n, b, visits->links);
    double share = visits->both ? 0.5 : 1.0;
    double margin = add_part(s, a, hit_b, distance[0], share)
        - add_part(s, a, hit_a, distance[0], -share);
    if (visits->both)
        margin = 0.5
            * (margin + (add_part(s, b, hit_a, distance[1], share)
                         - add_part(s, b, hit_b, distance[1], -share)));
    return margin;
}

/* Where a norm is missing, the pair of a sample with itself has 0. */
static lr_simba_pair pair_of(int a, int b)
{
    return (lr_simba_pair){a, b < 0 ? a : b};
}

void lr_simba_pair_margins(const lr_simba_data *d,
                           const lr_simba_visits *visits, size_t v,
                           size_t count, const double *squares, const int *hit,
                           double *margin)
{
    for (size_t i = 0; i < count; i++) {
        int a = visits->first[v + i], b = visits->second[v + i];
        lr_simba_pair pairs[4] = {pair_of(a, hit[b]), pair_of(a, hit[a]),
                                  pair_of(b, hit[a]), pair_of(b, hit[b])};
        double norm[4];
        lr_simba_distances(d, squares, pairs, norm);
        margin[i] = sqrt(norm[0]) - sqrt(norm[1]);
        if (visits->both)
            margin[i] = 0.5 * (margin[i] + (sqrt(norm[2]) - sqrt(norm[3])));
    }
}
