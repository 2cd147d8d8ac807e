/* Distances of packed end points to rows, cell by cell. */
#include "search_dense.h"

#include <string.h>

#include "lr_difference.h"
#include "read_gather.h"

enum {
    GROUPS_AT_ONCE = 32,  /* whose expected differences are packed */
    FEATURES_AT_ONCE = 64 /* of all groups, as they share what is read */
};

/* A tile reads as many expected differences at a time as it has rows. */
typedef char lr_tables_are_long_enough[(int)LR_BEHIND >= (int)LR_ROWS ? 1 : -1];

size_t lr_packed_size(size_t n_ends, size_t features)
{
    size_t groups = (n_ends + LR_PARTNERS - 1) / LR_PARTNERS;
    return groups * LR_PARTNERS * features;
}

static int is_numeric(const lr_scaling *s, size_t feature)
{
    return !s->category[feature] && !s->ramp;
}

static double in_metric(const lr_panel *p, double difference)
{
    return p->metric == LR_MANHATTAN ? difference : difference * difference;
}

/* One group of end points in features from .. to - 1, and which of their cells
 * are missing. A missing cell is packed as 0: expected differences are read
 * instead of rows then, and less 0 they stay what they are. */
static void pack_group(const lr_panel *p, const lr_tile *tile, size_t group,
                       size_t from, size_t to)
{
    const lr_block *b = p->block;
    size_t first = group * LR_PARTNERS, count = tile->n_ends - first;
    double *packed = p->packed + first * b->count;
    unsigned char *gaps = p->gaps ? p->gaps + group * b->count : NULL;
    if (count < LR_PARTNERS)
        memset(packed + LR_PARTNERS * from, 0,
               LR_PARTNERS * (to - from) * sizeof(double));
    else
        count = LR_PARTNERS;
    if (gaps)
        memset(gaps + from, 0, to - from);
    for (size_t e = 0; e < count; e++) {
        const double *cell = b->values + tile->ends[first + e];
        for (size_t j = from; j < to; j++) {
            double u =
                lr_scale_cell(p->scaling, b->first + j, cell[j * b->stride]);
            if (gaps && isnan(u)) {
                gaps[j] |= (unsigned char)(1 << e);
                if (is_numeric(p->scaling, b->first + j))
                    u = 0.0;
            }
            packed[j * LR_PARTNERS + e] = u;
        }
    }
}

/* The expected differences of table number `table` of the block, feature by
 * feature, to a group of end points; to its first one where there are less. */
static void pack_table(const lr_panel *p, const lr_tile *tile, size_t group,
                       const double *expected, size_t table)
{
    size_t first = group * LR_PARTNERS, left = tile->n_ends - first;
    const int *end = tile->ends + first;
    double *out = p->packed_expected
        + first * p->n_gapped * p->n_tables + table * LR_PARTNERS;
    for (size_t e = 0; e < LR_PARTNERS; e++)
        out[e] = in_metric(p, expected[end[e < left ? e : 0]]);
}

/* Those of some groups, a table for all of them before the next one. */
static void pack_expected(const lr_panel *p, const lr_tile *tile, size_t from,
                          size_t to, size_t by)
{
    const lr_block *b = p->block;
    size_t table = 0;
    for (size_t j = 0; j < b->count; j++) {
        if (p->scaling->missing[b->first + j] == 0)
            continue;
        for (size_t t = 0; t < p->n_tables; t++, table++)
            for (size_t g = from; g < to; g += by)
                pack_table(p, tile, g, p->expected[j] + t * b->n, table);
    }
}

void lr_pack_ends(const lr_panel *panel, const lr_tile *tile, lr_chunk chunk)
{
    size_t groups = (tile->n_ends + LR_PARTNERS - 1) / LR_PARTNERS;
    size_t features = panel->block->count;
    for (size_t j = 0, to; j < features; j = to) {
        to = j + FEATURES_AT_ONCE < features ? j + FEATURES_AT_ONCE : features;
        for (size_t g = chunk.number; g < groups; g += chunk.count)
            pack_group(panel, tile, g, j, to);
    }
    size_t some = GROUPS_AT_ONCE * chunk.count;
    for (size_t g = chunk.number; panel->gaps && g < groups; g += some)
        pack_expected(panel, tile, g, g + some < groups ? g + some : groups,
                      chunk.count);
}

/* ---- plain features: register tiles of 4 end points x 2 vectors of rows ---
 *
 * One tile loads two vectors of packed rows and broadcasts four end points per
 * feature; its eight accumulators stay in registers over LR_FEATURES features.
 * Vectors have 16 bytes, on any machine, or 32 or 64; where cells are missing
 * those of 64 would save less than a tenth of the time. */

#ifdef LR_HAS_VECTORS
typedef long long m16 __attribute__((vector_size(16), aligned(8), may_alias));
typedef long long m32 __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long m64 __attribute__((vector_size(64), aligned(8), may_alias));
#define PREFETCH(address) __builtin_prefetch(address)
#define ABSOLUTE(vec, mask, d) ((vec)((mask)(d) & 0x7fffffffffffffffLL))
#define WHOLE(d) (d)
#define PATCHED(vec, mask, d, kept, at)                                       \
    ((vec)(((mask)(d) & (kept)) | *(const mask *)(add + (at))))
#else /* a vector is one number */
typedef int64_t m16;
#define PREFETCH(address) ((void)(address))
#define ABSOLUTE(vec, mask, d) fabs(d)
#define WHOLE(d) fabs(d)
#define PATCHED(vec, mask, d, kept, at) ((kept) != 0 ? (d) : add[at])
#endif
#define SQUARE(vec, mask, d) ((d) * (d))
#define SQUARED(d) ((d) * (d))

/* The sums of a tile: a of the first vector of rows, b of the second. */
#define OPEN_SUMS(vec)                                                        \
    enum { W = sizeof(vec) / sizeof(double), R = 2 * W };                     \
    double *o1 = out + ld, *o2 = o1 + ld, *o3 = o2 + ld;                      \
    vec a0 = *(const vec *)out, b0 = *(const vec *)(out + W);                 \
    vec a1 = *(const vec *)o1, b1 = *(const vec *)(o1 + W);                   \
    vec a2 = *(const vec *)o2, b2 = *(const vec *)(o2 + W);                   \
    vec a3 = *(const vec *)o3, b3 = *(const vec *)(o3 + W);
#define STORE_SUMS(vec)                                                       \
    *(vec *)out = a0; *(vec *)(out + W) = b0;                                 \
    *(vec *)o1 = a1; *(vec *)(o1 + W) = b1;                                   \
    *(vec *)o2 = a2; *(vec *)(o2 + W) = b2;                                   \
    *(vec *)o3 = a3; *(vec *)(o3 + W) = b3;

#define MEET_END(vec, mask, term, e, a, b)                                    \
    d = p - group[e]; a += term(vec, mask, d);                                \
    d = q - group[e]; b += term(vec, mask, d);
#define TILE(name, attribute, vec, mask, term)                                \
    attribute static void name(const double *pack, const double *group,       \
                               size_t count, double *out, size_t ld)          \
    {                                                                         \
        OPEN_SUMS(vec)                                                        \
        for (size_t j = 0; j < count; j++) {                                  \
            vec p = *(const vec *)pack, q = *(const vec *)(pack + W), d;      \
            MEET_END(vec, mask, term, 0, a0, b0)                              \
            MEET_END(vec, mask, term, 1, a1, b1)                              \
            MEET_END(vec, mask, term, 2, a2, b2)                              \
            MEET_END(vec, mask, term, 3, a3, b3)                              \
            pack += LR_ROWS;                                                  \
            group += LR_PARTNERS;                                             \
        }                                                                     \
        STORE_SUMS(vec)                                                       \
    }

/* The same where cells are missing, see lr_pack_gaps. */
#define MEET_GAPPED_END(vec, mask, term, e, a, b)                             \
    d = *(const vec *)(from[e] + r) - group[e];                               \
    a += PATCHED(vec, mask, term(d), p, (e) * R);                             \
    d = *(const vec *)(from[e] + r + W) - group[e];                           \
    b += PATCHED(vec, mask, term(d), q, (e) * R + W);

#define GAPPED(name, attribute, vec, mask, term)                              \
    attribute static void name(const lr_pack_gaps *gaps, size_t tile,         \
                               const double *group, size_t count,             \
                               double *out, size_t ld)                        \
    {                                                                         \
        OPEN_SUMS(vec)                                                        \
        size_t r = tile * R;                                                  \
        for (size_t j = 0; j < count; j++) {                                  \
            const double *const *from = gaps->from[j];                        \
            size_t patch = (size_t)gaps->patch[tile][j] * R;                  \
            const double *add = gaps->add + patch * LR_PARTNERS;              \
            mask p = *(const mask *)(gaps->keep + patch);                     \
            mask q = *(const mask *)(gaps->keep + patch + W);                 \
            vec d;                                                            \
            MEET_GAPPED_END(vec, mask, term, 0, a0, b0)                       \
            MEET_GAPPED_END(vec, mask, term, 1, a1, b1)                       \
            MEET_GAPPED_END(vec, mask, term, 2, a2, b2)                       \
            MEET_GAPPED_END(vec, mask, term, 3, a3, b3)                       \
            group += LR_PARTNERS;                                             \
        }                                                                     \
        STORE_SUMS(vec)                                                       \
    }

TILE(manhattan_16, , lr_doubles, m16, ABSOLUTE)
TILE(euclidean_16, , lr_doubles, m16, SQUARE)
GAPPED(manhattan_gapped_16, , lr_doubles, m16, WHOLE)
GAPPED(euclidean_gapped_16, , lr_doubles, m16, SQUARED)

#ifdef LR_HAS_WIDE
TILE(manhattan_32, LR_WIDE, lr_v32, m32, ABSOLUTE)
TILE(euclidean_32, LR_WIDE, lr_v32, m32, SQUARE)
GAPPED(manhattan_gapped_32, LR_WIDE, lr_v32, m32, WHOLE)
GAPPED(euclidean_gapped_32, LR_WIDE, lr_v32, m32, SQUARED)
TILE(manhattan_64, LR_WIDEST, lr_v64, m64, ABSOLUTE)
TILE(euclidean_64, LR_WIDEST, lr_v64, m64, SQUARE)
#endif

typedef void register_tile(const double *pack, const double *group,
                           size_t count, double *out, size_t ld);
typedef void gapped_tile(const lr_pack_gaps *gaps, size_t tile,
                         const double *group, size_t count, double *out,
                         size_t ld);

typedef struct {
    register_tile *tile;
    size_t tile_rows;
    gapped_tile *gapped;
    size_t rows; /* of a gapped tile */
} kernel;

/* By the width of vectors and by metric. */
static const kernel kernels[][2] = {
    {{manhattan_16, LR_TILE_ROWS, manhattan_gapped_16, LR_TILE_ROWS},
     {euclidean_16, LR_TILE_ROWS, euclidean_gapped_16, LR_TILE_ROWS}},
#ifdef LR_HAS_WIDE
    {{manhattan_32, LR_WIDE_ROWS, manhattan_gapped_32, LR_WIDE_ROWS},
     {euclidean_32, LR_WIDE_ROWS, euclidean_gapped_32, LR_WIDE_ROWS}},
    {{manhattan_64, LR_WIDEST_ROWS, manhattan_gapped_32, LR_WIDE_ROWS},
     {euclidean_64, LR_WIDEST_ROWS, euclidean_gapped_32, LR_WIDE_ROWS}}
#endif
};

/* What lr_fill_rows() has in work: rows of a tile, by their numbers in the
 * data, and the end points that they need. */
typedef struct {
    const lr_panel *panel;
    const lr_tile *tile;
    kernel k;
    size_t first_row, rows, n_ends;
    size_t n_gapped;  /* features with missing cells so far in the block */
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

/* ---- numeric features with missing cells --------------------------------- */

/* Makes a patch that keeps all differences (of Manhattan: their absolute
 * value) and adds nothing. */
static void clear_patch(const row_work *w, size_t patch)
{
    lr_pack_gaps *g = w->pack->gaps;
    size_t rows = w->k.rows, ends = LR_PARTNERS;
    uint64_t *keep = g->keep + patch * rows;
    for (size_t r = 0; r < rows; r++)
        keep[r] = w->panel->metric == LR_MANHATTAN ? UINT64_MAX >> 1
                                                   : UINT64_MAX;
    memset(g->add + patch * rows * ends, 0, rows * ends * sizeof(double));
}

/* The gaps of feature number j of the pack, the block's next one with missing
 * cells after `number` others, in the rows of a register tile. */
static void mark_feature(const row_work *w, size_t tile, size_t j,
                         size_t number, size_t *patches)
{
    lr_pack_gaps *g = w->pack->gaps;
    size_t rows = w->k.rows, first = tile * rows;
    const double *u = w->pack->u + j * LR_ROWS + first;
    for (size_t r = 0; r < rows && first + r < w->rows; r++) {
        if (!isnan(u[r]))
            continue;
        if (g->patch[tile][j] == 0) {
            clear_patch(w, *patches);
            g->patch[tile][j] = (unsigned short)(*patches)++;
        }
        size_t patch = g->patch[tile][j] * rows;
        size_t row = w->first_row + first + r;
        g->keep[patch + r] = 0;
        const lr_scaling *s = w->panel->scaling;
        size_t table = number * w->panel->n_tables + lr_table_of(s, row);
        g->gaps[g->gap_start[tile + 1]++] = (lr_gap){
            table * LR_PARTNERS, g->add + patch * LR_PARTNERS + r};
    }
}

/* Prepares pack->gaps for the rows of the block's features first .. first +
 * count - 1; returns whether any of these has missing cells. */
static int mark_gaps(const row_work *w, size_t first, size_t count)
{
    const lr_panel *p = w->panel;
    const int *missing = p->scaling->missing + p->block->first + first;
    lr_pack_gaps *g = w->pack->gaps;
    size_t patches = 1, any = 0;
    for (size_t j = 0; j < count; j++)
        any += missing[j] > 0;
    if (any == 0)
        return 0;
    for (size_t j = 0; j < count; j++)
        for (size_t e = 0; e < LR_PARTNERS; e++)
            g->from[j][e] = w->pack->u + j * LR_ROWS;
    clear_patch(w, 0);
    g->n_turned = 0;
    g->gap_start[0] = 0;
    for (size_t tile = 0; tile < LR_ROWS / w->k.rows; tile++) {
        g->gap_start[tile + 1] = g->gap_start[tile];
        for (size_t j = 0, number = w->n_gapped; j < count; j++) {
            g->patch[tile][j] = 0;
            if (missing[j] > 0)
                mark_feature(w, tile, j, number++, &patches);
        }
    }
    return 1;
}

/* Where the cell of an end point of this group is missing, `from` leads to its
 * expected differences instead of the rows. What was set for the group before
 * is set back first. */
static void turn_ends(const row_work *w, size_t e, size_t first, size_t count)
{
    const lr_panel *p = w->panel;
    lr_pack_gaps *g = w->pack->gaps;
    const unsigned char *of_ends =
        p->gaps + e / LR_PARTNERS * p->block->count + first;
    const int *end = w->tile->ends + e;
    for (size_t k = 0; k < g->n_turned; k++)
        for (size_t i = 0; i < LR_PARTNERS; i++)
            g->from[g->turned[k]][i] = w->pack->u + g->turned[k] * LR_ROWS;
    g->n_turned = 0;
    for (size_t j = 0; j < count; j++) {
        /* no branch, as what is missing cannot be foreseen */
        g->turned[g->n_turned] = (unsigned char)j;
        g->n_turned += of_ends[j] != 0;
    }
    for (size_t k = 0; k < g->n_turned; k++) {
        size_t j = g->turned[k];
        const double *expected = p->expected[first + j] + w->first_row;
        for (size_t i = 0; of_ends[j] >> i; i++)
            if (of_ends[j] >> i & 1) {
                g->from[j][i] = expected
                    + lr_table_of(p->scaling, (size_t)end[i]) * p->block->n;
                for (size_t r = 0; r < w->rows; r += LR_WIDE_ROWS)
                    PREFETCH(g->from[j][i] + r);
            }
    }
}

/* The expected differences of a register tile's rows to a group's ends. */
static void fill_patches(const row_work *w, size_t tile, size_t e)
{
    const lr_panel *p = w->panel;
    const lr_pack_gaps *g = w->pack->gaps;
    const lr_gap *last = g->gaps + g->gap_start[tile + 1];
    size_t rows = w->k.rows, size = p->n_gapped * p->n_tables;
    const double *expected = p->packed_expected + e * size;
    for (const lr_gap *gap = g->gaps + g->gap_start[tile]; gap < last; gap++) {
        const double *from = expected + gap->from;
        PREFETCH(from + LR_PARTNERS * size);
        gap->to[0] = from[0];
        gap->to[rows] = from[1];
        gap->to[2 * rows] = from[2];
        gap->to[3 * rows] = from[3];
    }
}

static void add_gapped(const row_work *w, size_t first, size_t count)
{
    const lr_panel *p = w->panel;
    size_t features = p->block->count, ld = w->tile->ld;
    for (size_t e = 0; e < w->n_ends; e += LR_PARTNERS) {
        const double *group = p->packed + e * features + first * LR_PARTNERS;
        turn_ends(w, e, first, count);
        for (size_t r = 0; r < w->rows; r += w->k.rows) {
            fill_patches(w, r / w->k.rows, e);
            w->k.gapped(w->pack->gaps, r / w->k.rows, group, count,
                        w->distance + e * ld + r, ld);
        }
    }
}

/* ---- numeric features ---------------------------------------------------- */

static void add_numeric(const row_work *w, size_t first, size_t count)
{
    const lr_panel *p = w->panel;
    pack_rows(w, first, count);
    if (p->gaps && mark_gaps(w, first, count)) {
        add_gapped(w, first, count);
        return;
    }
    for (size_t e = 0; e < w->n_ends; e += LR_PARTNERS) {
        const double *group =
            p->packed + e * p->block->count + first * LR_PARTNERS;
        for (size_t r = 0; r < w->rows; r += w->k.tile_rows)
            w->k.tile(w->pack->u + r, group, count,
                      w->distance + e * w->tile->ld + r, w->tile->ld);
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
            out[r] +=
                in_metric(w->panel, lr_difference(ue, u[r], ee, er, &rule));
        }
    }
}

static row_work open_rows(const lr_panel *panel, const lr_tile *tile,
                          size_t from, lr_pack *pack)
{
    row_work w = {panel, tile, kernels[lr_width(panel->level)][panel->metric],
                  tile->first_row + from, tile->n_rows - from, tile->n_ends, 0,
                  tile->distance + from, pack};
    if (w.rows > LR_ROWS)
        w.rows = LR_ROWS;
    size_t last = w.first_row + w.rows - 1;
    while (tile->half && w.n_ends > 0
           && (size_t)tile->ends[w.n_ends - 1] >= last)
        w.n_ends--;
    return w;
}

/* Column order: runs of numeric features in packs, the others one by one. */
void lr_fill_rows(const lr_panel *panel, const lr_tile *tile, size_t from,
                  lr_pack *pack)
{
    const lr_block *b = panel->block;
    const lr_scaling *s = panel->scaling;
    size_t most = panel->gaps ? LR_GAPPED : LR_FEATURES;
    row_work w = open_rows(panel, tile, from, pack);
    for (size_t j = 0, run; j < b->count; j += run) {
        run = 0;
        while (run < most && j + run < b->count
               && is_numeric(s, b->first + j + run))
            run++;
        if (run > 0) {
            add_numeric(&w, j, run);
        } else {
            run = 1;
            if (!lr_is_constant(s, b->first + j))
                add_other(&w, j);
        }
        for (size_t i = j; i < j + run; i++)
            w.n_gapped += s->missing[b->first + i] > 0;
    }
}
