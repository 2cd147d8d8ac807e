/* The largest entries of a product, and which pairs may enter a closure. */
#include "graph_propagate.h"

#include <math.h>
#include <string.h>

#include "lr_products.h"
#include "lr_union_find.h"

/* ---- entries of H Y' ----------------------------------------------------- */

enum { TILE = LR_TARGETS * LR_DOUBLE_LANES };

static size_t rows_left(size_t n, size_t row)
{
    return n - row < LR_TARGETS ? n - row : LR_TARGETS;
}

/* Of the four rows from `row` on and the columns from `column` on. */
static void entries(const lr_product *g, size_t row, size_t column, double *out)
{
    lr_products_doubles(g->y + column * g->k, LR_DOUBLE_LANES, g->k,
                        g->h + row * g->k, LR_TARGETS, out, LR_DOUBLE_LANES);
}

void lr_row_maxima(const lr_product *g, size_t row, double *maximum)
{
    double out[TILE];
    for (size_t r = 0; r < rows_left(g->n, row); r++)
        maximum[row + r] = -HUGE_VAL;
    for (size_t column = 0; column < g->n; column += LR_DOUBLE_LANES) {
        entries(g, row, column, out);
        for (size_t r = 0; r < rows_left(g->n, row); r++)
            for (size_t lane = 0; lane < LR_DOUBLE_LANES; lane++) {
                double v = out[r * LR_DOUBLE_LANES + lane];
                if (v > maximum[row + r] && column + lane < g->n)
                    maximum[row + r] = v;
            }
    }
}

/* The strong entries among those of `row` and the columns from `column` on;
 * returns the place behind the last one. */
static size_t add_strong(const lr_strong *s, const double *out, size_t row,
                          size_t column, size_t n, size_t at)
{
    for (size_t lane = 0; lane < LR_DOUBLE_LANES; lane++) {
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
    double out[TILE];
    size_t begin = at, column = row / LR_DOUBLE_LANES * LR_DOUBLE_LANES;
    for (; column < g->n; column += LR_DOUBLE_LANES) {
        entries(g, row, column, out);
        for (size_t r = 0; r < rows_left(g->n, row); r++)
            at = add_strong(s, out + r * LR_DOUBLE_LANES, row + r, column, g->n,
                            at);
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
