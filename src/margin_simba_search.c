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

/* ---- plain features: LR_SIMBA_ROWS rows side by side --------------------- */

/* out += w (pack - end)^2 over some features, LR_FOUR rows at a time. */
static void add_rows(const double *pack, size_t width, const double *end,
                     const double *w, size_t count, double *out)
{
    lr_four sum = lr_load_four(out);
    for (size_t f = 0; f < count; f++, pack += width) {
        lr_four g = lr_load_four(pack);
        g.a -= end[f];
        g.b -= end[f];
        g.c -= end[f];
        g.d -= end[f];
        sum.a += g.a * g.a * w[f];
        sum.b += g.b * g.b * w[f];
        sum.c += g.c * g.c * w[f];
        sum.d += g.d * g.d * w[f];
    }
    lr_store_four(out, sum);
}

#ifdef LR_HAS_WIDE
/* The same for LR_SIMBA_ROWS rows. */
LR_WIDE static void add_rows_wide(const double *pack, size_t width,
                                  const double *end, const double *w,
                                  size_t count, double *out)
{
    lr_v32 a = *(const lr_v32 *)out, b = *(const lr_v32 *)(out + 4);
    lr_v32 c = *(const lr_v32 *)(out + 8), d = *(const lr_v32 *)(out + 12);
    for (size_t f = 0; f < count; f++, pack += width) {
        lr_v32 g = *(const lr_v32 *)pack - end[f];
        lr_v32 h = *(const lr_v32 *)(pack + 4) - end[f];
        lr_v32 i = *(const lr_v32 *)(pack + 8) - end[f];
        lr_v32 j = *(const lr_v32 *)(pack + 12) - end[f];
        a += g * g * w[f];
        b += h * h * w[f];
        c += i * i * w[f];
        d += j * j * w[f];
    }
    *(lr_v32 *)out = a;
    *(lr_v32 *)(out + 4) = b;
    *(lr_v32 *)(out + 8) = c;
    *(lr_v32 *)(out + 12) = d;
}
#else
#define add_rows_wide add_rows
#endif

/* Rows from .. to - 1. */
typedef struct {
    size_t from, to;
} search_rows;

/* Some plain features of a block of rows. */
static void add_plain(const lr_simba_data *d, const search_rows *s, size_t row,
                      size_t first, size_t count, const lr_simba_query *q)
{
    int wide = lr_is_wide(d->level);
    size_t step = wide ? LR_SIMBA_ROWS : LR_FOUR;
    const double *end = lr_simba_sample(d, (size_t)q->sample) + first;
    const double *pack = d->packed + row * d->p + first * d->width;
    size_t last = s->to - row < d->width ? s->to - row : d->width;
    for (size_t r = s->from > row ? s->from - row : 0; r < last; r += step)
        (wide ? add_rows_wide : add_rows)(pack + r, d->width, end,
                                          q->squares + first, count,
                                          q->distance + row + r);
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
        for (size_t i = 0; i < n_queries; i++)
            add_plain(d, s, row, first, count, q + i);
}

void lr_simba_search(const lr_simba_data *d, const lr_simba_query *q,
                     size_t n_queries, size_t from, size_t to)
{
    search_rows s = {from, to < d->n ? to : d->n};
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

double lr_simba_distance(const lr_simba_data *d, const double *squares,
                         size_t a, size_t b)
{
    const double *u = lr_simba_sample(d, a), *v = lr_simba_sample(d, b);
    double sum = 0.0;
    for (size_t f = 0; f < d->p; f++) {
        double difference = u[f] - v[f];
        if (d->run[f] == 0) {
            lr_rule rule = lr_rule_of(d->scaling, f);
            difference = lr_is_constant(d->scaling, f)
                ? 0.0 : lr_simba_difference(d, f, &rule, a, b);
        }
        sum += difference * difference * squares[f];
    }
    return sum;
}
