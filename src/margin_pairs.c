/* Margins of listed pairs: mean differences to the hits of both ends. */
#include "margin_pairs.h"

#include <string.h>

/* Sums of LR_LANES features, so that the compiler keeps them side by side:
 * lr_margin_sum, each number of it by lanes. */
typedef struct {
    double sum[LR_LANES], deviation[LR_LANES], square[LR_LANES];
    double size[LR_LANES], first[LR_LANES];
} lane_sums;

enum { MEMBERS = sizeof(lr_margin_sum) / sizeof(double) };

static inline void add_absolute(const double *restrict a,
                                const double *restrict b, double *restrict sum)
{
    for (int l = 0; l < LR_LANES; l++)
        sum[l] += fabs(a[l] - b[l]);
}

/* out = mean over the hits of `owner` of |u_sample - u_hit|, lane by lane; of a
 * feature that is not plain there is one lane. */
LR_INLINE void mean_to_hits(const lr_margin_pairs *p, const lr_values *v,
                            int lanes, int sample, int owner,
                            double *restrict out)
{
    int a = p->end[sample], count = p->count[owner];
    const int *hit = p->hit + (size_t)owner * p->k;
    double sum[LR_LANES] = {0.0};
    for (int j = 0; j < count; j++) {
        size_t b = (size_t)hit[j];
        if (lanes > 1)
            add_absolute(v->u + (size_t)a * LR_LANES, v->u + b * LR_LANES, sum);
        else if (hit[j] != a) /* one unknown value is not two */
            sum[0] += lr_difference(v->u[a], v->u[b],
                                    v->expected ? v->expected[a] : 0.0,
                                    v->expected ? v->expected[b] : 0.0,
                                    v->rule);
    }
    double divisor = count > 0 ? (double)count : 1.0;
    for (int l = 0; l < lanes; l++)
        out[l] = sum[l] / divisor;
}

LR_INLINE void add_margins(lane_sums *restrict s, int lanes,
                           const double *restrict margin,
                           const double *restrict size, int is_first)
{
    if (is_first)
        memcpy(s->first, margin, sizeof s->first);
    for (int l = 0; l < lanes; l++) {
        double d = margin[l] - s->first[l];
        s->sum[l] += margin[l];
        s->deviation[l] += d;
        s->square[l] += d * d;
        s->size[l] = size[l] > s->size[l] ? size[l] : s->size[l];
    }
}

/* The hits of one end are the misses of the other: miss - hit, and with both
 * directions the mean of the two. sums: of LR_LANES features. */
LR_INLINE void add_pairs(const lr_margin_pairs *p, const lr_values *v,
                         int lanes, int fresh, lr_margin_sum *sums,
                         double *scratch)
{
    lane_sums s;
    double miss[LR_LANES], back[LR_LANES];
    double margin[LR_LANES] = {0.0}, size[LR_LANES];
    for (size_t e = 0; e < p->n_ends; e++)
        mean_to_hits(p, v, lanes, (int)e, (int)e, scratch + e * (size_t)lanes);
    if (fresh)
        memset(sums, 0, LR_LANES * sizeof *sums);
    lr_turn((const double *)sums, LR_LANES, MEMBERS, (double *)&s);
    for (size_t t = 0; t < p->n_pairs; t++) {
        int n = p->first[t], m = p->second[t];
        const double *hit_n = scratch + (size_t)n * (size_t)lanes;
        const double *hit_m = scratch + (size_t)m * (size_t)lanes;
        mean_to_hits(p, v, lanes, n, m, miss);
        for (int l = 0; l < lanes; l++) {
            margin[l] = miss[l] - hit_n[l];
            size[l] = miss[l] + hit_n[l];
        }
        if (p->both) {
            mean_to_hits(p, v, lanes, m, n, back);
            for (int l = 0; l < lanes; l++) {
                double other = back[l] + hit_m[l];
                margin[l] = 0.5 * (margin[l] + (back[l] - hit_m[l]));
                size[l] = other > size[l] ? other : size[l];
            }
        }
        for (int l = 0; p->weight && l < lanes; l++) {
            margin[l] *= p->weight[t];
            size[l] *= p->weight[t];
        }
        add_margins(&s, lanes, margin, size, fresh && t == 0);
    }
    lr_turn((const double *)&s, MEMBERS, LR_LANES, (double *)sums);
}

void lr_margins(const lr_margin_pairs *pairs, const lr_values *values,
                int fresh, lr_margin_sum *sums, double *scratch)
{
    if (!values->rule) {
        add_pairs(pairs, values, LR_LANES, fresh, sums, scratch);
        return;
    }
    lr_margin_sum one[LR_LANES] = {*sums};
    add_pairs(pairs, values, 1, fresh, one, scratch);
    *sums = one[0];
}
