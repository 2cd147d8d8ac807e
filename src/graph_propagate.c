/* Products of a normalized graph with many vectors, and conjugate gradients. */
#include "graph_propagate.h"

#include <math.h>
#include <string.h>

#include "lr_vector.h"
#include "lr_union_find.h"

size_t lr_lanes_size(size_t n, size_t columns)
{
    return (columns + LR_SOLVE_LANES - 1) / LR_SOLVE_LANES * LR_SOLVE_LANES * n;
}

/* ---- the register tile --------------------------------------------------- */

/* out[lane] += two vectors of lanes. */
LR_INLINE void add_lanes(double *out, lr_doubles s, lr_doubles t)
{
    *(lr_doubles *)out += s;
    *(lr_doubles *)(out + LR_DOUBLES) += t;
}

/* out[row][lane] += sum over k of a[row][k] b[k][lane]: 4 rows, 4 lanes. */
static void tile(const double *a, size_t stride, const double *b, size_t k,
                 double *out)
{
    const double *a1 = a + stride, *a2 = a1 + stride, *a3 = a2 + stride;
    for (int lane = 0; lane < LR_SOLVE_LANES; lane += 2 * LR_DOUBLES) {
        lr_doubles s0 = {0}, t0 = {0}, s1 = {0}, t1 = {0};
        lr_doubles s2 = {0}, t2 = {0}, s3 = {0}, t3 = {0};
        const double *at = b + lane;
        for (size_t i = 0; i < k; i++, at += LR_SOLVE_LANES) {
            lr_doubles x = *(const lr_doubles *)at;
            lr_doubles y = *(const lr_doubles *)(at + LR_DOUBLES);
            s0 += a[i] * x;
            t0 += a[i] * y;
            s1 += a1[i] * x;
            t1 += a1[i] * y;
            s2 += a2[i] * x;
            t2 += a2[i] * y;
            s3 += a3[i] * x;
            t3 += a3[i] * y;
        }
        add_lanes(out + lane, s0, t0);
        add_lanes(out + LR_SOLVE_LANES + lane, s1, t1);
        add_lanes(out + 2 * LR_SOLVE_LANES + lane, s2, t2);
        add_lanes(out + 3 * LR_SOLVE_LANES + lane, s3, t3);
    }
}

/* ---- entries of H Y' ----------------------------------------------------- */

static size_t rows_left(size_t n, size_t row)
{
    return n - row < LR_TILE_ROWS ? n - row : LR_TILE_ROWS;
}

static void entries(const lr_product *g, size_t row, size_t group, double *out)
{
    memset(out, 0, LR_TILE_ROWS * LR_SOLVE_LANES * sizeof(double));
    tile(g->h + row * g->k, g->k, g->packed + group * g->k * LR_SOLVE_LANES,
         g->k, out);
}

void lr_row_maxima(const lr_product *g, size_t row, double *maximum)
{
    double out[LR_TILE_ROWS * LR_SOLVE_LANES];
    for (size_t r = 0; r < rows_left(g->n, row); r++)
        maximum[row + r] = -HUGE_VAL;
    for (size_t group = 0; group * LR_SOLVE_LANES < g->n; group++) {
        entries(g, row, group, out);
        for (size_t r = 0; r < rows_left(g->n, row); r++)
            for (size_t lane = 0; lane < LR_SOLVE_LANES; lane++) {
                double v = out[r * LR_SOLVE_LANES + lane];
                if (v > maximum[row + r]
                    && group * LR_SOLVE_LANES + lane < g->n)
                    maximum[row + r] = v;
            }
    }
}

/* The strong entries among those of `row` and the columns from `column` on;
 * returns the place behind the last one. */
static size_t add_strong(const lr_strong *s, const double *out, size_t row,
                          size_t column, size_t n, size_t at)
{
    for (size_t lane = 0; lane < LR_SOLVE_LANES; lane++) {
        size_t j = column + lane;
        double v = out[lane];
        if (j <= row || j >= n || !(v >= s->tau || (s->both && v <= -s->tau)))
            continue;
        if (s->first) {
            s->first[at] = (int)row;
            s->second[at] = (int)j;
            s->value[at] = v;
        }
        at++;
    }
    return at;
}

size_t lr_strong_entries(const lr_product *g, size_t row, const lr_strong *s,
                         size_t at)
{
    double out[LR_TILE_ROWS * LR_SOLVE_LANES];
    size_t begin = at, group = row / LR_SOLVE_LANES;
    for (; group * LR_SOLVE_LANES < g->n; group++) {
        entries(g, row, group, out);
        for (size_t r = 0; r < rows_left(g->n, row); r++)
            at = add_strong(s, out + r * LR_SOLVE_LANES, row + r,
                             group * LR_SOLVE_LANES, g->n, at);
    }
    return at - begin;
}

/* ---- which pairs may enter ----------------------------------------------- */

/* Components with, for each root, the chain of samples it is cannot-linked
 * to. */
typedef struct {
    int *parent, *head, *tail, *length; /* n each */
    int *next, *other;                  /* two for each pair */
    int used;
} link_sets;

static void add_against(link_sets *s, int root, int other)
{
    int at = s->used++;
    s->other[at] = other;
    s->next[at] = s->head[root];
    if (s->head[root] < 0)
        s->tail[root] = at;
    s->head[root] = at;
    s->length[root]++;
}

static int are_cannot_linked(link_sets *s, int a, int b)
{
    int from = s->length[a] <= s->length[b] ? a : b, to = from == a ? b : a;
    for (int e = s->head[from]; e >= 0; e = s->next[e])
        if (lr_root_of(s->parent, s->other[e]) == to)
            return 1;
    return 0;
}

/* The chain of b is hung behind that of a, or the other way round when a's is
 * empty; the longer list's root stays on top. */
static void join(link_sets *s, int a, int b)
{
    if (s->length[a] < s->length[b]) {
        int swap = a;
        a = b;
        b = swap;
    }
    s->parent[b] = a;
    if (s->head[b] < 0)
        return;
    s->next[s->tail[b]] = s->head[a];
    s->head[a] = s->head[b];
    s->length[a] += s->length[b];
}

void lr_admit_pairs(size_t n, size_t n_given, size_t n_pairs, const int *first,
                    const int *second, const int *must_link, int *taken,
                    int *scratch)
{
    link_sets s = {scratch,         scratch + n,
                   scratch + 2 * n, scratch + 3 * n,
                   scratch + 4 * n, scratch + 4 * n + 2 * n_pairs,
                   0};
    for (size_t i = 0; i < n; i++) {
        s.parent[i] = (int)i;
        s.head[i] = s.tail[i] = -1;
        s.length[i] = 0;
    }
    for (size_t t = 0; t < n_pairs; t++) {
        int a = lr_root_of(s.parent, first[t]);
        int b = lr_root_of(s.parent, second[t]);
        int agrees = must_link[t] ? !are_cannot_linked(&s, a, b) : a != b;
        taken[t] = t < n_given || agrees;
        if (!taken[t] || a == b)
            continue;
        if (must_link[t]) {
            join(&s, a, b);
        } else {
            add_against(&s, a, b);
            add_against(&s, b, a);
        }
    }
}
