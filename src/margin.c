#include "margin.h"

#include <math.h>
#include <string.h>

#include "difference.h"

void lr_gather_plain(const lr_block *block, const lr_scaling *scaling,
                     const size_t *features, size_t count, const int *rows,
                     size_t n_rows, double *u)
{
    if (count < LR_LANES)
        memset(u, 0, n_rows * LR_LANES * sizeof(double));
    for (size_t l = 0; l < count; l++) {
        const double *x = block->values + features[l] * block->stride;
        size_t feature = block->first + features[l];
        for (size_t i = 0; i < n_rows; i++)
            u[i * LR_LANES + l] = lr_scale_cell(scaling, feature, x[rows[i]]);
    }
}

/* out = mean over the hits of `owner` of |u_sample - u_hit|, lane by lane. */
static void mean_to_hits(const lr_margin_pairs *p, const double *u, int sample,
                         int owner, double *out)
{
    const double *a = u + (size_t)p->end[sample] * LR_LANES;
    const int *hit = p->hit + (size_t)owner * p->k;
    double sum[LR_LANES] = {0.0};
    int count = p->count[owner];
    for (int j = 0; j < count; j++) {
        const double *b = u + (size_t)hit[j] * LR_LANES;
        for (int l = 0; l < LR_LANES; l++)
            sum[l] += fabs(a[l] - b[l]);
    }
    for (int l = 0; l < LR_LANES; l++)
        out[l] = count > 0 ? sum[l] / count : 0.0;
}

static void add_margin(lr_margin_sum *s, double margin, double size, int fresh)
{
    if (fresh)
        s->first = margin;
    double d = margin - s->first;
    s->sum += margin;
    s->deviation += d;
    s->square += d * d;
    if (size > s->size)
        s->size = size;
}

static void reset(lr_margin_sum *s)
{
    s->sum = s->first = s->deviation = s->square = s->size = 0.0;
}

/* One direction: misses are hits of the other end; both: their mean. */
static double combine(double miss1, double hit1, double miss2, double hit2,
                      int both, double *size)
{
    double margin = miss1 - hit1;
    *size = miss1 + hit1;
    if (both) {
        margin = 0.5 * (margin + (miss2 - hit2));
        if (miss2 + hit2 > *size)
            *size = miss2 + hit2;
    }
    return margin;
}

void lr_margins_plain(const lr_margin_pairs *p, const double *u, int fresh,
                      lr_margin_sum *sums, double *scratch)
{
    double miss1[LR_LANES], miss2[LR_LANES] = {0.0};
    for (size_t e = 0; e < p->n_ends; e++)
        mean_to_hits(p, u, (int)e, (int)e, scratch + e * LR_LANES);
    if (fresh)
        for (int l = 0; l < LR_LANES; l++)
            reset(sums + l);
    for (size_t t = 0; t < p->n_pairs; t++) {
        int n = p->first[t], m = p->second[t];
        const double *hit_n = scratch + (size_t)n * LR_LANES;
        const double *hit_m = scratch + (size_t)m * LR_LANES;
        mean_to_hits(p, u, n, m, miss1);
        if (p->both)
            mean_to_hits(p, u, m, n, miss2);
        for (int l = 0; l < LR_LANES; l++) {
            double size;
            double margin = combine(miss1[l], hit_n[l], miss2[l], hit_m[l],
                                    p->both, &size);
            add_margin(sums + l, margin, size, fresh && t == 0);
        }
    }
}

static double mean_to_hits_other(const lr_margin_pairs *p, const double *u,
                                 const double *expected, int category,
                                 int sample, int owner)
{
    int a = p->end[sample], count = p->count[owner];
    const int *hit = p->hit + (size_t)owner * p->k;
    double sum = 0.0, ea = expected ? expected[a] : 0.0;
    for (int j = 0; j < count; j++) {
        double eb = expected ? expected[hit[j]] : 0.0;
        sum += lr_difference(u[a], u[hit[j]], ea, eb, category);
    }
    return count > 0 ? sum / count : 0.0;
}

void lr_margins_other(const lr_margin_pairs *p, const double *u,
                      const double *expected, int category, int fresh,
                      lr_margin_sum *sum, double *scratch)
{
    for (size_t e = 0; e < p->n_ends; e++)
        scratch[e] =
            mean_to_hits_other(p, u, expected, category, (int)e, (int)e);
    if (fresh)
        reset(sum);
    for (size_t t = 0; t < p->n_pairs; t++) {
        int n = p->first[t], m = p->second[t];
        double size, miss2 = 0.0;
        double miss1 = mean_to_hits_other(p, u, expected, category, n, m);
        if (p->both)
            miss2 = mean_to_hits_other(p, u, expected, category, m, n);
        double margin = combine(miss1, scratch[n], miss2, scratch[m], p->both,
                                &size);
        add_margin(sum, margin, size, fresh && t == 0);
    }
}
