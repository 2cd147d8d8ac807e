#include "distance.h"

#include <math.h>
#include <string.h>

#include "difference.h"
#include "expected.h"

size_t lr_packed_size(size_t n_ends, size_t features)
{
    size_t groups = (n_ends + LR_PARTNERS - 1) / LR_PARTNERS;
    return groups * LR_PARTNERS * features;
}

void lr_pack_ends(const lr_panel *panel, const lr_tile *tile, lr_share share)
{
    const lr_block *b = panel->block;
    size_t groups = (tile->n_ends + LR_PARTNERS - 1) / LR_PARTNERS;
    for (size_t g = share.number; g < groups; g += share.count) {
        double *group = panel->packed + g * LR_PARTNERS * b->count;
        size_t first = g * LR_PARTNERS;
        if (tile->n_ends - first < LR_PARTNERS)
            memset(group, 0, LR_PARTNERS * b->count * sizeof(double));
        for (size_t e = first; e < first + LR_PARTNERS && e < tile->n_ends;
             e++) {
            const double *cell = b->values + tile->ends[e];
            for (size_t j = 0; j < b->count; j++)
                group[j * LR_PARTNERS + e - first] = lr_scale_cell(
                    panel->scaling, b->first + j, cell[j * b->stride]);
        }
    }
}

void lr_expected_block(const lr_block *block, const lr_scaling *scaling,
                       double *expected, double *scratch)
{
    double *u = scratch + 2 * block->n + 1;
    for (size_t j = 0; j < block->count; j++) {
        size_t feature = block->first + j;
        if (scaling->missing[feature] == 0)
            continue;
        const double *x = block->values + j * block->stride;
        for (size_t i = 0; i < block->n; i++)
            u[i] = lr_scale_cell(scaling, feature, x[i]);
        lr_rule rule = lr_rule_of(scaling, feature);
        lr_expected_differences(u, block->n, scaling, &rule, expected,
                                scratch);
        expected += block->n * lr_class_tables(scaling);
    }
}

/* ---- plain features: register tiles of 4 end points x 2 vectors of rows ---
 *
 * One tile loads two vectors of packed rows and broadcasts four end points per
 * feature; its eight accumulators stay in registers over LR_FEATURES features.
 * Written once for 16-byte vectors (any machine) and once for 32-byte ones. */

#if defined(__GNUC__)

typedef double v16 __attribute__((vector_size(16), aligned(8), may_alias));
typedef long long m16 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double v32 __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long m32 __attribute__((vector_size(32), aligned(8), may_alias));

#define ABSOLUTE(vec, mask, d) ((vec)((mask)(d) & 0x7fffffffffffffffLL))
#define SQUARE(vec, mask, d) ((d) * (d))

#define TILE(name, attribute, vec, mask, term)                                \
    attribute static void name(const double *pack, const double *group,       \
                               size_t count, double *out, size_t ld)          \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(double) };                            \
        double *o1 = out + ld, *o2 = o1 + ld, *o3 = o2 + ld;                  \
        vec a0 = *(const vec *)out, b0 = *(const vec *)(out + W);             \
        vec a1 = *(const vec *)o1, b1 = *(const vec *)(o1 + W);               \
        vec a2 = *(const vec *)o2, b2 = *(const vec *)(o2 + W);               \
        vec a3 = *(const vec *)o3, b3 = *(const vec *)(o3 + W);               \
        for (size_t j = 0; j < count; j++) {                                  \
            vec p = *(const vec *)pack, q = *(const vec *)(pack + W), d;      \
            d = p - group[0]; a0 += term(vec, mask, d);                       \
            d = q - group[0]; b0 += term(vec, mask, d);                       \
            d = p - group[1]; a1 += term(vec, mask, d);                       \
            d = q - group[1]; b1 += term(vec, mask, d);                       \
            d = p - group[2]; a2 += term(vec, mask, d);                       \
            d = q - group[2]; b2 += term(vec, mask, d);                       \
            d = p - group[3]; a3 += term(vec, mask, d);                       \
            d = q - group[3]; b3 += term(vec, mask, d);                       \
            pack += LR_ROWS;                                                  \
            group += LR_PARTNERS;                                             \
        }                                                                     \
        *(vec *)out = a0; *(vec *)(out + W) = b0;                             \
        *(vec *)o1 = a1; *(vec *)(o1 + W) = b1;                               \
        *(vec *)o2 = a2; *(vec *)(o2 + W) = b2;                               \
        *(vec *)o3 = a3; *(vec *)(o3 + W) = b3;                               \
    }

TILE(manhattan_16, , v16, m16, ABSOLUTE)
TILE(euclidean_16, , v16, m16, SQUARE)

#if defined(__x86_64__) || defined(__i386__)
#define LR_WIDE_TILES
TILE(manhattan_32, __attribute__((target("avx2"))), v32, m32, ABSOLUTE)
TILE(euclidean_32, __attribute__((target("avx2"))), v32, m32, SQUARE)
#endif

#else /* no vector extension: the same sums, one at a time */

#define TILE_PLAIN(name, term)                                                \
    static void name(const double *pack, const double *group, size_t count,   \
                     double *out, size_t ld)                                  \
    {                                                                         \
        for (int e = 0; e < LR_PARTNERS; e++)                                 \
            for (int r = 0; r < 4; r++)                                       \
                for (size_t j = 0; j < count; j++) {                          \
                    double d = pack[j * LR_ROWS + r]                          \
                        - group[j * LR_PARTNERS + e];                         \
                    out[e * ld + r] += term;                                  \
                }                                                             \
    }

TILE_PLAIN(manhattan_16, fabs(d))
TILE_PLAIN(euclidean_16, d * d)

#endif

typedef struct {
    void (*tile)(const double *, const double *, size_t, double *, size_t);
    size_t rows;
} kernel;

static kernel choose_kernel(lr_metric metric, lr_level level)
{
#ifdef LR_WIDE_TILES
    if (level == LR_FASTEST && __builtin_cpu_supports("avx2"))
        return metric == LR_MANHATTAN ? (kernel){manhattan_32, 8}
                                      : (kernel){euclidean_32, 8};
#endif
    (void)level;
    return metric == LR_MANHATTAN ? (kernel){manhattan_16, 4}
                                  : (kernel){euclidean_16, 4};
}

/* What lr_fill_rows() has in work: rows of a tile, by their numbers in the
 * data, and the end points that they need. */
typedef struct {
    const lr_panel *panel;
    const lr_tile *tile;
    size_t first_row, rows, n_ends;
    double *distance; /* of the first end and row */
    double *pack;
} row_work;

/* Scales LR_ROWS rows of some features, [feature][row]; 0 beyond the data. */
static void pack_rows(const row_work *w, size_t first, size_t count)
{
    const lr_block *b = w->panel->block;
    const lr_scaling *s = w->panel->scaling;
    double *pack = w->pack;
    for (size_t j = 0; j < count; j++, pack += LR_ROWS) {
        size_t feature = b->first + first + j;
        const double *x =
            b->values + (first + j) * b->stride + w->first_row;
        double center = s->center[feature], divisor = s->divisor[feature];
        if (w->rows < LR_ROWS || divisor == 0.0)
            memset(pack, 0, LR_ROWS * sizeof(double));
        if (divisor == 0.0)
            continue;
        if (w->rows == LR_ROWS)
            for (size_t r = 0; r < LR_ROWS; r++)
                pack[r] = (x[r] - center) / divisor;
        else
            for (size_t r = 0; r < w->rows; r++)
                pack[r] = (x[r] - center) / divisor;
    }
}

static void add_plain(const row_work *w, kernel k, size_t first, size_t count)
{
    size_t features = w->panel->block->count, ld = w->tile->ld;
    pack_rows(w, first, count);
    for (size_t e = 0; e < w->n_ends; e += LR_PARTNERS) {
        const double *group =
            w->panel->packed + (e * features + first * LR_PARTNERS);
        for (size_t r = 0; r < w->rows; r += k.rows)
            k.tile(w->pack + r, group, count, w->distance + e * ld + r, ld);
    }
}

/* ---- one feature that is a category, ramped or has missing cells -------- */

static double packed_cell(const lr_panel *p, size_t e, size_t j)
{
    size_t group = e / LR_PARTNERS * LR_PARTNERS * p->block->count;
    return p->packed[group + j * LR_PARTNERS + e % LR_PARTNERS];
}

static void add_other(const row_work *w, size_t j, const double *expected)
{
    const lr_block *b = w->panel->block;
    const lr_scaling *s = w->panel->scaling;
    size_t feature = b->first + j;
    lr_rule rule = lr_rule_of(s, feature);
    const double *x = b->values + j * b->stride + w->first_row;
    double *u = w->pack;
    for (size_t r = 0; r < w->rows; r++)
        u[r] = lr_scale_cell(s, feature, x[r]);
    for (size_t e = 0; e < w->n_ends; e++) {
        size_t end = (size_t)w->tile->ends[e];
        double ue = packed_cell(w->panel, e, j);
        const double *to_end = expected
            ? expected + lr_table_of(s, end) * b->n + w->first_row : NULL;
        double *out = w->distance + e * w->tile->ld;
        for (size_t r = 0; r < w->rows; r++) {
            double ee = 0.0, er = 0.0;
            if (expected) {
                ee = expected[lr_table_of(s, w->first_row + r) * b->n + end];
                er = to_end[r];
            }
            double d = lr_difference(ue, u[r], ee, er, &rule);
            out[r] += w->panel->metric == LR_MANHATTAN ? d : d * d;
        }
    }
}

static row_work open_rows(const lr_panel *panel, const lr_tile *tile,
                          size_t from, double *pack)
{
    row_work w = {panel, tile, tile->first_row + from, tile->n_rows - from,
                  tile->n_ends, tile->distance + from, pack};
    if (w.rows > LR_ROWS)
        w.rows = LR_ROWS;
    size_t last = w.first_row + w.rows - 1;
    while (tile->half && w.n_ends > 0
           && (size_t)tile->ends[w.n_ends - 1] >= last)
        w.n_ends--;
    return w;
}

/* Column order: runs of plain features in packs, the others one by one. */
void lr_fill_rows(const lr_panel *panel, const lr_tile *tile, size_t from,
                  double *pack)
{
    const lr_block *b = panel->block;
    const lr_scaling *s = panel->scaling;
    const double *expected = panel->expected;
    kernel k = choose_kernel(panel->metric, panel->level);
    row_work w = open_rows(panel, tile, from, pack);
    size_t j = 0;
    while (j < b->count) {
        if (lr_is_plain(s, b->first + j)) {
            size_t run = 1;
            while (run < LR_FEATURES && j + run < b->count
                   && lr_is_plain(s, b->first + j + run))
                run++;
            add_plain(&w, k, j, run);
            j += run;
            continue;
        }
        int missing = s->missing[b->first + j] > 0;
        if (!lr_is_constant(s, b->first + j))
            add_other(&w, j, missing ? expected : NULL);
        if (missing)
            expected += b->n * lr_class_tables(s);
        j++;
    }
}
