/* Weights of I-Relief (2.30-2.37 [Hijazi 2019]) from distances of one end
 * point. */
#include "margin_irelief.h"

static int takes_part(const lr_irelief *p, size_t r, int end)
{
    return p->class_of[r] >= 0 && (int)r != end;
}

/* Per class the nearest distance, the sum of the kernel relative to it, and
 * (factor) what makes it relative to the nearest sample of all. */
static void sum_classes(const lr_irelief *p, int end, double *distance,
                        double *nearest, double *sum, double *factor)
{
    double least = INFINITY;
    for (size_t c = 0; c < p->n_classes; c++) {
        nearest[c] = INFINITY;
        sum[c] = 0.0;
    }
    for (size_t r = 0; r < p->n; r++)
        if (takes_part(p, r, end) && distance[r] < nearest[p->class_of[r]])
            nearest[p->class_of[r]] = distance[r];
    for (size_t c = 0; c < p->n_classes; c++)
        if (nearest[c] < least)
            least = nearest[c];
    for (size_t r = 0; r < p->n; r++) {
        if (!takes_part(p, r, end)) {
            distance[r] = 0.0;
            continue;
        }
        int c = p->class_of[r];
        distance[r] = exp((nearest[c] - distance[r]) / p->sigma);
        sum[c] += distance[r];
    }
    for (size_t c = 0; c < p->n_classes; c++)
        factor[c] = sum[c] > 0.0 ? exp((least - nearest[c]) / p->sigma) : 0.0;
}

double lr_irelief_coefficients(const lr_irelief *p, int end, double *distance,
                               double *scratch)
{
    double *nearest = scratch, *sum = scratch + p->n_classes;
    double *factor = sum + p->n_classes, total = 0.0, misses = 0.0;
    size_t own = (size_t)p->class_of[end];
    sum_classes(p, end, distance, nearest, sum, factor);
    double closest = INFINITY; /* miss, so that not all of them vanish */
    for (size_t c = 0; c < p->n_classes; c++) {
        total += sum[c] * factor[c];
        if (c != own && nearest[c] < closest)
            closest = nearest[c];
    }
    for (size_t c = 0; c < p->n_classes; c++)
        if (c != own && sum[c] > 0.0)
            misses += sum[c] * exp((closest - nearest[c]) / p->sigma);
    double gamma = sum[own] * factor[own] / total;
    for (size_t c = 0; c < p->n_classes; c++) {
        if (sum[c] == 0.0)
            continue;
        double weight = p->prior[c] / (1.0 - p->prior[own]) / sum[c];
        if (p->variant == LR_TOGETHER)
            weight = exp((closest - nearest[c]) / p->sigma) / misses;
        factor[c] = c == own ? -gamma / sum[c] : gamma * weight;
    }
    for (size_t r = 0; r < p->n; r++)
        if (takes_part(p, r, end))
            distance[r] *= factor[p->class_of[r]];
    return gamma;
}

static inline void add_weighted(const double *restrict a,
                                const double *restrict b, double c,
                                double *restrict v)
{
    for (int l = 0; l < LR_LANES; l++)
        v[l] += c * fabs(a[l] - b[l]);
}

void lr_irelief_plain(const lr_tile *tile, const double *u, double *v)
{
    double sum[LR_LANES];
    for (int l = 0; l < LR_LANES; l++)
        sum[l] = v[l];
    for (size_t e = 0; e < tile->n_ends; e++) {
        const double *a = u + (size_t)tile->ends[e] * LR_LANES;
        const double *c = tile->distance + e * tile->ld;
        for (size_t r = 0; r < tile->n_rows; r++)
            add_weighted(a, u + r * LR_LANES, c[r], sum);
    }
    for (int l = 0; l < LR_LANES; l++)
        v[l] = sum[l];
}

void lr_irelief_other(const lr_tile *tile, const lr_values *f, const int *table,
                      double *v)
{
    size_t n = tile->n_rows;
    for (size_t e = 0; e < tile->n_ends; e++) {
        const double *c = tile->distance + e * tile->ld;
        size_t end = (size_t)tile->ends[e];
        for (size_t r = 0; r < n; r++) {
            double ea = 0.0, eb = 0.0;
            if (f->expected) {
                ea = f->expected[(size_t)table[r] * n + end];
                eb = f->expected[(size_t)table[end] * n + r];
            }
            *v += c[r] * lr_difference(f->u[end], f->u[r], ea, eb, f->rule);
        }
    }
}
