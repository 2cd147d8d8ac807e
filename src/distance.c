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

void lr_pack_ends(const lr_block *block, const lr_scaling *scaling,
                  const int *ends, size_t n_ends, double *packed)
{
    size_t count = block->count;
    memset(packed, 0, lr_packed_size(n_ends, count) * sizeof(double));
    for (size_t e = 0; e < n_ends; e++) {
        double *group = packed + e / LR_PARTNERS * LR_PARTNERS * count;
        const double *cell = block->values + ends[e];
        for (size_t j = 0; j < count; j++)
            group[j * LR_PARTNERS + e % LR_PARTNERS] = lr_scale_cell(
                scaling, block->first + j, cell[j * block->stride]);
    }
}

size_t lr_count_missing(const lr_block *block, const lr_scaling *scaling)
{
    size_t count = 0;
    for (size_t j = 0; j < block->count; j++)
        count += scaling->missing[block->first + j] > 0;
    return count;
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

/* Scales LR_ROWS rows of some features, [feature][row]; 0 beyond the data. */
static void pack_rows(const lr_panel *p, size_t first_row, size_t rows,
                      size_t first, size_t count, double *pack)
{
    const lr_block *b = p->block;
    for (size_t j = 0; j < count; j++, pack += LR_ROWS) {
        size_t feature = b->first + first + j;
        const double *x = b->values + (first + j) * b->stride + first_row;
        double center = p->scaling->center[feature];
        double divisor = p->scaling->divisor[feature];
        if (rows < LR_ROWS || divisor == 0.0)
            memset(pack, 0, LR_ROWS * sizeof(double));
        if (divisor == 0.0)
            continue;
        if (rows == LR_ROWS)
            for (size_t r = 0; r < LR_ROWS; r++)
                pack[r] = (x[r] - center) / divisor;
        else
            for (size_t r = 0; r < rows; r++)
                pack[r] = (x[r] - center) / divisor;
    }
}

static void add_plain(const lr_panel *p, kernel k, size_t first_row,
                      size_t rows, size_t first, size_t count,
                      double *distance, size_t ld, double *pack)
{
    size_t features = p->block->count;
    pack_rows(p, first_row, rows, first, count, pack);
    for (size_t e = 0; e < p->n_ends; e += LR_PARTNERS) {
        const double *group =
            p->packed + (e * features + first * LR_PARTNERS);
        for (size_t r = 0; r < rows; r += k.rows)
            k.tile(pack + r, group, count, distance + e * ld + r, ld);
    }
}

/* ---- one feature that is a category, ramped or has missing cells -------- */

static void add_other(const lr_panel *p, size_t first_row, size_t rows,
                      size_t j, const double *expected, double *distance,
                      size_t ld, double *u)
{
    const lr_block *b = p->block;
    const lr_scaling *s = p->scaling;
    size_t feature = b->first + j;
    lr_rule rule = lr_rule_of(s, feature);
    const double *x = b->values + j * b->stride + first_row;
    for (size_t r = 0; r < rows; r++)
        u[r] = lr_scale_cell(s, feature, x[r]);
    for (size_t e = 0; e < p->n_ends; e++) {
        size_t end = (size_t)p->ends[e];
        double ue = p->packed[e / LR_PARTNERS * LR_PARTNERS * b->count
                              + j * LR_PARTNERS + e % LR_PARTNERS];
        const double *to_end =
            expected ? expected + lr_table_of(s, end) * b->n + first_row : NULL;
        double *out = distance + e * ld;
        for (size_t r = 0; r < rows; r++) {
            double ee = 0.0, er = 0.0;
            if (expected) {
                ee = expected[lr_table_of(s, first_row + r) * b->n + end];
                er = to_end[r];
            }
            double d = lr_difference(ue, u[r], ee, er, &rule);
            out[r] += p->metric == LR_MANHATTAN ? d : d * d;
        }
    }
}

/* Column order: runs of plain features in packs, the others one by one. */
void lr_distance_rows(const lr_panel *panel, size_t first_row,
                      double *distance, size_t ld, double *pack)
{
    const lr_block *b = panel->block;
    const lr_scaling *s = panel->scaling;
    const double *expected = panel->expected;
    kernel k = choose_kernel(panel->metric, panel->level);
    size_t rows = b->n - first_row < LR_ROWS ? b->n - first_row : LR_ROWS;
    size_t j = 0;
    while (j < b->count) {
        if (lr_is_plain(s, b->first + j)) {
            size_t run = 1;
            while (run < LR_FEATURES && j + run < b->count
                   && lr_is_plain(s, b->first + j + run))
                run++;
            add_plain(panel, k, first_row, rows, j, run, distance, ld, pack);
            j += run;
            continue;
        }
        int missing = s->missing[b->first + j] > 0;
        if (!lr_is_constant(s, b->first + j))
            add_other(panel, first_row, rows, j, missing ? expected : NULL,
                      distance, ld, pack);
        if (missing)
            expected += b->n * lr_class_tables(s);
        j++;
    }
}
