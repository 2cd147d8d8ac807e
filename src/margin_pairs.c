/* Margins of listed pairs: mean differences to the hits of both ends. */
#include "margin_pairs.h"

#include <string.h>

#include "lr_difference.h"

/* Sums of LR_LANES features, so that the compiler keeps them side by side:
 * lr_margin_sum, each number of it by lanes. */
typedef struct {
    double sum[LR_LANES], deviation[LR_LANES], square[LR_LANES];
    double size[LR_LANES], first[LR_LANES];
} lane_sums;

enum { MEMBERS = sizeof(lr_margin_sum) / sizeof(double) };

/* out = mean over the hits of `owner` of |u_sample - u_hit|, lane by lane. */
static inline void mean_to_hits(const lr_margin_pairs *p, const double *u,
                                int sample, int owner, double *restrict out)
{
    const double *restrict a = u + (size_t)p->end[sample] * LR_LANES;
    const int *hit = p->hit + (size_t)owner * p->k;
    double sum[LR_LANES] = {0.0};
    int count = p->count[owner];
    for (int j = 0; j < count; j++) {
        const double *restrict b = u + (size_t)hit[j] * LR_LANES;
        for (int l = 0; l < LR_LANES; l++)
            sum[l] += fabs(a[l] - b[l]);
    }
    double divisor = count > 0 ? (double)count : 1.0;
    for (int l = 0; l < LR_LANES; l++)
        out[l] = sum[l] / divisor;
}

static inline void add_margins(lane_sums *restrict s,
                               const double *restrict margin,
                               const double *restrict size, int is_first)
{
    if (is_first)
        memcpy(s->first, margin, sizeof s->first);
    for (int l = 0; l < LR_LANES; l++) {
        double d = margin[l] - s->first[l];
        s->sum[l] += margin[l];
        s->deviation[l] += d;
        s->square[l] += d * d;
        s->size[l] = size[l] > s->size[l] ? size[l] : s->size[l];
    }
}

/* The hits of one end are the misses of the other: miss - hit, and with both
 * directions the mean of the two. */
void lr_margins_plain(const lr_margin_pairs *p, const double *u, int fresh,
                      lr_margin_sum *sums, double *scratch)
{
    lane_sums s;
    double miss[LR_LANES], back[LR_LANES], margin[LR_LANES], size[LR_LANES];
    for (size_t e = 0; e < p->n_ends; e++)
        mean_to_hits(p, u, (int)e, (int)e, scratch + e * LR_LANES);
    if (fresh)
        memset(sums, 0, LR_LANES * sizeof *sums);
    lr_turn((const double *)sums, LR_LANES, MEMBERS, (double *)&s);
    for (size_t t = 0; t < p->n_pairs; t++) {
        int n = p->first[t], m = p->second[t];
        const double *hit_n = scratch + (size_t)n * LR_LANES;
        const double *hit_m = scratch + (size_t)m * LR_LANES;
        mean_to_hits(p, u, n, m, miss);
        for (int l = 0; l < LR_LANES; l++) {
            margin[l] = miss[l] - hit_n[l];
            size[l] = miss[l] + hit_n[l];
        }
        if (p->both) {
            mean_to_hits(p, u, m, n, back);
            for (int l = 0; l < LR_LANES; l++) {
                double other = back[l] + hit_m[l];
                margin[l] = 0.5 * (margin[l] + (back[l] - hit_m[l]));
                size[l] = other > size[l] ? other : size[l];
            }
        }
        for (int l = 0; p->weight && l < LR_LANES; l++) {
            margin[l] *= p->weight[t];
            size[l] *= p->weight[t];
        }
        add_margins(&s, margin, size, fresh && t == 0);
    }
    lr_turn((const double *)&s, MEMBERS, LR_LANES, (double *)sums);
}

static double mean_to_hits_other(const lr_margin_pairs *p, const double *u,
                                 const double *expected, const lr_rule *rule,
                                 int sample, int owner)
{
    int a = p->end[sample], count = p->count[owner];
    const int *hit = p->hit + (size_t)owner * p->k;
    double sum = 0.0, ea = expected ? expected[a] : 0.0;
    for (int j = 0; j < count; j++) {
        double eb = expected ? expected[hit[j]] : 0.0;
        if (hit[j] != a) /* one unknown value is not two */
            sum += lr_difference(u[a], u[hit[j]], ea, eb, rule);
    }
    return count > 0 ? sum / count : 0.0;
}

static void add_margin(lr_margin_sum *s, double margin, double size,
                       int is_first)
{
    if (is_first)
        s->first = margin;
    double d = margin - s->first;
    s->sum += margin;
    s->deviation += d;
    s->square += d * d;
    if (size > s->size)
        s->size = size;
}

void lr_margins_other(const lr_margin_pairs *p, const double *u,
                      const double *expected, const lr_rule *rule, int fresh,
                      lr_margin_sum *sum, double *scratch)
{
    for (size_t e = 0; e < p->n_ends; e++)
        scratch[e] =
            mean_to_hits_other(p, u, expected, rule, (int)e, (int)e);
    if (fresh)
        memset(sum, 0, sizeof *sum);
    for (size_t t = 0; t < p->n_pairs; t++) {
        int n = p->first[t], m = p->second[t];
        double miss = mean_to_hits_other(p, u, expected, rule, n, m);
        double margin = miss - scratch[n], size = miss + scratch[n];
        if (p->both) {
            double back = mean_to_hits_other(p, u, expected, rule, m, n);
            margin = 0.5 * (margin + (back - scratch[m]));
            size = fmax(size, back + scratch[m]);
        }
        double weight = p->weight ? p->weight[t] : 1.0;
        add_margin(sum, weight * margin, weight * size, fresh && t == 0);
    }
}
