#include "search_dense.h"

#include <math.h>
#include <string.h>

#include "lr_difference.h"
#include "lr_missing.h"
#include "read_gather.h"

size_t lr_packed_size(size_t n_ends, size_t features)
{
    size_t groups = (n_ends + LR_PARTNERS - 1) / LR_PARTNERS;
    return groups * LR_PARTNERS * features;
}

/* One group of end points, and which of their cells are missing. */
static void pack_group(const lr_panel *p, const lr_tile *tile, size_t group)
{
    const lr_block *b = p->block;
    size_t first = group * LR_PARTNERS, count = tile->n_ends - first;
    double *packed = p->packed + first * b->count;
    unsigned char *gaps = p->gaps ? p->gaps + group * b->count : NULL;
    if (count < LR_PARTNERS)
        memset(packed, 0, LR_PARTNERS * b->count * sizeof(double));
    else
        count = LR_PARTNERS;
    if (gaps)
        memset(gaps, 0, b->count);
    for (size_t e = 0; e < count; e++) {
        const double *cell = b->values + tile->ends[first + e];
        for (size_t j = 0; j < b->count; j++) {
            double u =
                lr_scale_cell(p->scaling, b->first + j, cell[j * b->stride]);
            packed[j * LR_PARTNERS + e] = u;
            if (gaps && isnan(u))
                gaps[j] |= (unsigned char)(1 << e);
        }
    }
}

void lr_pack_ends(const lr_panel *panel, const lr_tile *tile, lr_chunk chunk)
{
    size_t groups = (tile->n_ends + LR_PARTNERS - 1) / LR_PARTNERS;
    for (size_t g = chunk.number; g < groups; g += chunk.count)
        pack_group(panel, tile, g);
}

void lr_expected_feature(const lr_panel *panel, size_t j, double *scratch)
{
    const lr_block *b = panel->block;
    const double *x = b->values + j * b->stride;
    size_t feature = b->first + j;
    lr_scale_cells(panel->scaling, feature, x, b->n, scratch);
    lr_rule rule = lr_rule_of(panel->scaling, feature);
    lr_expected_differences(scratch, b->n, panel->scaling, &rule,
                            panel->expected[j], scratch + b->n);
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
/* The same, 0 where a cell is missing. */
#define PRESENT(vec, mask, d, size) ((vec)((mask)(size) & (mask)((d) == (d))))
#define ABSOLUTE_PRESENT(vec, mask, d)                                        \
    PRESENT(vec, mask, d, ABSOLUTE(vec, mask, d))
#define SQUARE_PRESENT(vec, mask, d)                                          \
    PRESENT(vec, mask, d, SQUARE(vec, mask, d))

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
TILE(manhattan_present_16, , v16, m16, ABSOLUTE_PRESENT)
TILE(euclidean_present_16, , v16, m16, SQUARE_PRESENT)

#if defined(__x86_64__) || defined(__i386__)
#define LR_WIDE_TILES
TILE(manhattan_32, __attribute__((target("avx2"))), v32, m32, ABSOLUTE)
TILE(euclidean_32, __attribute__((target("avx2"))), v32, m32, SQUARE)
TILE(manhattan_present_32, __attribute__((target("avx2"))), v32, m32,
     ABSOLUTE_PRESENT)
TILE(euclidean_present_32, __attribute__((target("avx2"))), v32, m32,
     SQUARE_PRESENT)
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
TILE_PLAIN(manhattan_present_16, isnan(d) ? 0.0 : fabs(d))
TILE_PLAIN(euclidean_present_16, isnan(d) ? 0.0 : d * d)

#endif

typedef void register_tile(const double *pack, const double *group,
                           size_t count, double *out, size_t ld);

typedef struct {
    register_tile *tile, *present; /* present: missing cells add 0 */
    size_t rows;
} kernel;

static kernel choose_kernel(lr_metric metric, lr_level level)
{
#ifdef LR_WIDE_TILES
    if (level == LR_FASTEST && __builtin_cpu_supports("avx2"))
        return metric == LR_MANHATTAN
            ? (kernel){manhattan_32, manhattan_present_32, 8}
            : (kernel){euclidean_32, euclidean_present_32, 8};
#endif
    (void)level;
    return metric == LR_MANHATTAN
        ? (kernel){manhattan_16, manhattan_present_16, 4}
        : (kernel){euclidean_16, euclidean_present_16, 4};
}

/* What lr_fill_rows() has in work: rows of a tile, by their numbers in the
 * data, and the end points that they need. */
typedef struct {
    const lr_panel *panel;
    const lr_tile *tile;
    kernel k;
    size_t first_row, rows, n_ends;
    double *distance; /* of the first end and row */
    lr_pack *pack;
} row_work;

/* Scales LR_ROWS rows of some features; 0 beyond the data. */
static void pack_rows(const row_work *w, size_t first, size_t count)
{
    const lr_block *b = w->panel->block;
    double *pack = w->pack->u;
    for (size_t j = first; j < first + count; j++, pack += LR_ROWS) {
        if (w->rows < LR_ROWS)
            memset(pack, 0, LR_ROWS * sizeof(double));
        lr_scale_cells(w->panel->scaling, b->first + j,
                       b->values + j * b->stride + w->first_row, w->rows,
                       pack);
    }
}

/* Notes where the pack has missing cells; returns whether it has any. */
static int mark_gaps(const row_work *w, size_t first, size_t count)
{
    const lr_panel *p = w->panel;
    lr_pack *pack = w->pack;
    int any = 0;
    for (size_t t = 0; t < LR_ROWS / w->k.rows; t++)
        memset(pack->gaps[t], 0, count);
    for (size_t j = 0; j < count; j++) {
        if (p->scaling->missing[p->block->first + first + j] == 0)
            continue;
        any = 1;
        for (size_t r = 0; r < w->rows; r++)
            if (isnan(pack->u[j * LR_ROWS + r]))
                pack->gaps[r / w->k.rows][j] |=
                    (unsigned char)(1 << r % w->k.rows);
    }
    return any;
}

/* ---- numeric features with missing cells ----------------------------------
 *
 * A register tile runs up to the next feature that misses a cell of its end
 * points or rows; of that one it takes the pairs of observed cells, and the
 * expected differences are added for the others. */

/* Some rows and a group of end points. */
typedef struct {
    size_t e, r;
    double *out;
} tile_corner;

static double in_metric(const row_work *w, double difference)
{
    return w->panel->metric == LR_MANHATTAN ? difference
                                            : difference * difference;
}

/* Feature number j of the block; of_ends, of_rows: bits of the end points and
 * rows whose cells are missing. */
static void add_expected(const row_work *w, tile_corner c, size_t j,
                         unsigned of_ends, unsigned of_rows)
{
    const lr_scaling *s = w->panel->scaling;
    const double *expected = w->panel->expected[j];
    size_t n = w->panel->block->n, ld = w->tile->ld, row = w->first_row + c.r;
    size_t rows = w->rows - c.r < w->k.rows ? w->rows - c.r : w->k.rows;
    size_t ends =
        w->n_ends - c.e < LR_PARTNERS ? w->n_ends - c.e : LR_PARTNERS;
    const int *end = w->tile->ends + c.e;
    for (size_t e = 0; of_ends >> e && e < ends; e++) {
        if (!(of_ends >> e & 1))
            continue;
        const double *from =
            expected + lr_table_of(s, (size_t)end[e]) * n + row;
        for (size_t r = 0; r < rows; r++)
            c.out[e * ld + r] += in_metric(w, from[r]);
    }
    for (size_t r = 0; of_rows >> r; r++) {
        if (!(of_rows >> r & 1))
            continue;
        const double *from = expected + lr_table_of(s, row + r) * n;
        for (size_t e = 0; e < ends; e++)
            if (!(of_ends >> e & 1))
                c.out[e * ld + r] += in_metric(w, from[end[e]]);
    }
}

/* The register tile's features first .. first + count - 1, which are the
 * pack's 0 .. count - 1. */
static void add_gapped(const row_work *w, tile_corner c, size_t first,
                       size_t count)
{
    const lr_panel *p = w->panel;
    size_t features = p->block->count;
    const unsigned char *of_rows = w->pack->gaps[c.r / w->k.rows];
    const unsigned char *of_ends =
        p->gaps + c.e / LR_PARTNERS * features + first;
    const double *group = p->packed + c.e * features + first * LR_PARTNERS;
    const double *u = w->pack->u + c.r;
    for (size_t j = 0, next = 0; j < count; j = ++next) {
        while (next < count && !(of_rows[next] | of_ends[next]))
            next++;
        if (next > j)
            w->k.tile(u + j * LR_ROWS, group + j * LR_PARTNERS, next - j,
                      c.out, w->tile->ld);
        if (next < count) {
            w->k.present(u + next * LR_ROWS, group + next * LR_PARTNERS, 1,
                         c.out, w->tile->ld);
            add_expected(w, c, first + next, of_ends[next], of_rows[next]);
        }
    }
}

static void add_numeric(const row_work *w, size_t first, size_t count)
{
    const lr_panel *p = w->panel;
    pack_rows(w, first, count);
    int gapped = p->gaps && mark_gaps(w, first, count);
    for (size_t e = 0; e < w->n_ends; e += LR_PARTNERS) {
        const double *group =
            p->packed + e * p->block->count + first * LR_PARTNERS;
        for (size_t r = 0; r < w->rows; r += w->k.rows) {
            tile_corner c = {e, r, w->distance + e * w->tile->ld + r};
            if (gapped)
                add_gapped(w, c, first, count);
            else
                w->k.tile(w->pack->u + r, group, count, c.out, w->tile->ld);
        }
    }
}

/* ---- one feature that is a category or ramped ---------------------------- */

static double packed_cell(const lr_panel *p, size_t e, size_t j)
{
    size_t group = e / LR_PARTNERS * LR_PARTNERS * p->block->count;
    return p->packed[group + j * LR_PARTNERS + e % LR_PARTNERS];
}

static void add_other(const row_work *w, size_t j)
{
    const lr_block *b = w->panel->block;
    const lr_scaling *s = w->panel->scaling;
    size_t feature = b->first + j;
    lr_rule rule = lr_rule_of(s, feature);
    const double *expected =
        s->missing[feature] > 0 ? w->panel->expected[j] : NULL;
    const double *x = b->values + j * b->stride + w->first_row;
    double *u = w->pack->u;
    lr_scale_cells(s, feature, x, w->rows, u);
    for (size_t e = 0; e < w->n_ends; e++) {
        size_t end = (size_t)w->tile->ends[e];
        double ue = packed_cell(w->panel, e, j);
        double *out = w->distance + e * w->tile->ld;
        for (size_t r = 0; r < w->rows; r++) {
            double ee = 0.0, er = 0.0;
            if (expected) {
                size_t row = w->first_row + r;
                ee = expected[lr_table_of(s, row) * b->n + end];
                er = expected[lr_table_of(s, end) * b->n + row];
            }
            out[r] += in_metric(w, lr_difference(ue, u[r], ee, er, &rule));
        }
    }
}

static row_work open_rows(const lr_panel *panel, const lr_tile *tile,
                          size_t from, lr_pack *pack)
{
    row_work w = {panel, tile, choose_kernel(panel->metric, panel->level),
                  tile->first_row + from, tile->n_rows - from, tile->n_ends,
                  tile->distance + from, pack};
    if (w.rows > LR_ROWS)
        w.rows = LR_ROWS;
    size_t last = w.first_row + w.rows - 1;
    while (tile->half && w.n_ends > 0
           && (size_t)tile->ends[w.n_ends - 1] >= last)
        w.n_ends--;
    return w;
}

static int is_numeric(const lr_scaling *s, size_t feature)
{
    return !s->category[feature] && !s->ramp;
}

/* Column order: runs of numeric features in packs, the others one by one. */
void lr_fill_rows(const lr_panel *panel, const lr_tile *tile, size_t from,
                  lr_pack *pack)
{
    const lr_block *b = panel->block;
    const lr_scaling *s = panel->scaling;
    row_work w = open_rows(panel, tile, from, pack);
    for (size_t j = 0, run; j < b->count; j += run) {
        run = 0;
        while (run < LR_FEATURES && j + run < b->count
               && is_numeric(s, b->first + j + run))
            run++;
        if (run > 0) {
            add_numeric(&w, j, run);
            continue;
        }
        run = 1;
        if (!lr_is_constant(s, b->first + j))
            add_other(&w, j);
    }
}
