/* Search and update of one start of Simba in its own space of weights. */
#include "margin_simba.h"

#include <string.h>

#include "lr_vector.h"

/* ==== the search ========================================================== */

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

/* out += w (pack - end)^2 over some features, four vectors of rows at once. */
#define ADD_ROWS(name, attribute, vec)                                        \
    attribute static void name(const double *pack, size_t width,              \
                               const double *end, const double *w,            \
                               size_t count, double *out)                     \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(double) };                            \
        vec a = *(const vec *)out, b = *(const vec *)(out + W);               \
        vec c = *(const vec *)(out + 2 * W), d = *(const vec *)(out + 3 * W); \
        for (size_t f = 0; f < count; f++, pack += width) {                   \
            vec g = *(const vec *)pack - end[f];                              \
            vec h = *(const vec *)(pack + W) - end[f];                        \
            vec i = *(const vec *)(pack + 2 * W) - end[f];                    \
            vec j = *(const vec *)(pack + 3 * W) - end[f];                    \
            a += g * g * w[f];                                                \
            b += h * h * w[f];                                                \
            c += i * i * w[f];                                                \
            d += j * j * w[f];                                                \
        }                                                                     \
        *(vec *)out = a;                                                      \
        *(vec *)(out + W) = b;                                                \
        *(vec *)(out + 2 * W) = c;                                            \
        *(vec *)(out + 3 * W) = d;                                            \
    }

ADD_ROWS(add_rows, , lr_doubles)

#ifdef LR_HAS_WIDE
ADD_ROWS(add_rows_wide, LR_WIDE, lr_v32)
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
    int wide = lr_width(d->level) > 0;
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

/* ==== the steps =========================================================== */

/* ---- steps --------------------------------------------------------------- */

static void change_plain(const lr_simba_data *d, lr_simba_start *s,
                         size_t first, size_t count)
{
    double *change = s->change + first;
    memset(change, 0, count * sizeof(double));
    for (size_t i = 0; i < s->n_parts; i++) {
        const lr_simba_part *part = s->parts + i;
        double factor = lr_simba_factor(part, 0.0);
        const double *a = lr_simba_sample(d, (size_t)part->a) + first;
        const double *b = lr_simba_sample(d, (size_t)part->b) + first;
        for (size_t f = 0; f < count; f++)
            change[f] += factor * ((a[f] - b[f]) * (a[f] - b[f]));
    }
}

void lr_simba_change(const lr_simba_data *d, lr_simba_start *s, size_t feature,
                     double own_square)
{
    lr_rule rule = lr_rule_of(d->scaling, feature);
    double change = 0.0;
    if (!lr_is_constant(d->scaling, feature))
        for (size_t i = 0; i < s->n_parts; i++) {
            const lr_simba_part *part = s->parts + i;
            double v = lr_simba_difference(d, feature, &rule, (size_t)part->a,
                                           (size_t)part->b);
            change += lr_simba_factor(part, own_square * (v * v)) * (v * v);
        }
    s->change[feature] = change;
}

void lr_simba_changes(const lr_simba_data *d, lr_simba_start *s, size_t from,
                      size_t to)
{
    for (size_t f = from; f < to;) {
        size_t run = d->run[f] > 0 ? (size_t)d->run[f] : 1;
        if (run > to - f)
            run = to - f;
        if (d->run[f] > 0)
            change_plain(d, s, f, run);
        else
            lr_simba_change(d, s, f, 0.0);
        f += run;
    }
}

void lr_simba_update(lr_simba_start *s, size_t p)
{
    double largest = 0.0;
    for (size_t f = 0; f < p; f++) {
        s->w[f] += s->change[f] * s->w[f];
        s->squares[f] = s->w[f] * s->w[f];
        largest = s->squares[f] > largest ? s->squares[f] : largest;
    }
    s->largest = largest;
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
                       double factor)
{
    if (b < 0)
        return 0.0;
    s->parts[s->n_parts++] = (lr_simba_part){a, b, factor, distance[b]};
    return sqrt(distance[b]);
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
    double weight = visits->weight ? visits->weight[v] : 1.0;
    double factor = visits->both ? 0.5 * weight : weight;
    double margin = add_part(s, a, hit_b, distance[0], factor)
        - add_part(s, a, hit_a, distance[0], -factor);
    if (visits->both)
        margin = 0.5
            * (margin + (add_part(s, b, hit_a, distance[1], factor)
                         - add_part(s, b, hit_b, distance[1], -factor)));
    return weight * margin;
}

/* 0 where there is no such sample. */
static double norm_to(const lr_simba_data *d, const double *squares, int a,
                      int b)
{
    return b < 0 ? 0.0
        : sqrt(lr_simba_distance(d, squares, (size_t)a, (size_t)b));
}

double lr_simba_pair_margin(const lr_simba_data *d,
                            const lr_simba_visits *visits, size_t v,
                            const double *squares, const int *hit)
{
    int a = visits->first[v], b = visits->second[v];
    double margin = norm_to(d, squares, a, hit[b])
        - norm_to(d, squares, a, hit[a]);
    if (visits->both)
        margin = 0.5
            * (margin + (norm_to(d, squares, b, hit[a])
                         - norm_to(d, squares, b, hit[b])));
    return visits->weight ? margin * visits->weight[v] : margin;
}
