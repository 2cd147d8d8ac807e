/* Hits of relabelled samples, and counts of their margins beside the given
 * ones. */
#include "margin_permutations.h"

#include <math.h>

static int is_among(const int *numbers, size_t count, int number)
{
    size_t i = 0;
    while (i < count && numbers[i] != number)
        i++;
    return i < count;
}

/* The members of the component, each sample once and without the end point. */
static size_t take_group(const lr_relabelled *set, int component, int end,
                         int *hits)
{
    const lr_links *links = set->links;
    size_t taken = 0;
    for (int i = links->member_start[component];
         i < links->member_start[component + 1]; i++) {
        int other = set->to[links->member[i]];
        if (other != end && set->component[other] == component
            && !is_among(hits, taken, other)
            && (!set->block || set->block[other] == set->block[end]))
            hits[taken++] = other;
    }
    return taken;
}

size_t lr_relabelled_hits(const lr_relabelled *set, int base, const int *near,
                          size_t n_near, size_t k, int *hits)
{
    size_t taken = 0;
    if (!set->links) {
        for (; taken < k && taken < n_near; taken++)
            hits[taken] = near[taken];
        return taken;
    }
    int end = set->to[base], own = set->component[end];
    const int *start = set->links->member_start + own;
    /* at most k members besides the end point: all of them */
    if ((size_t)(start[1] - start[0]) <= k + 1)
        taken = take_group(set, own, end, hits);
    else
        for (size_t j = 0; j < n_near && taken < k; j++)
            if (set->component[near[j]] == own)
                hits[taken++] = near[j];
    lr_links links = *set->links;
    links.component = set->component;
    for (size_t j = 0; j < n_near && taken < k; j++)
        if (set->component[near[j]] != own
            && !lr_cannot_link(&links, end, near[j]))
            hits[taken++] = near[j];
    return taken;
}

/* z_b - z_0, 0 when it is no more than rounding. */
static inline double difference(const lr_all_margins *all, size_t feature,
                                double z)
{
    double d = z - all->chunk[0].z[feature];
    return fabs(d) <= all->rounding[feature] ? 0.0 : d;
}

lr_margin_spread lr_spread_of_margins(const lr_all_margins *all,
                                      size_t feature)
{
    lr_margin_spread s = {0.0, 0.0, 0.0};
    double count = 0.0, square = 0.0;
    for (size_t c = 0; c < all->n_chunks; c++) {
        size_t n = all->chunk[c].n_sets;
        const double *z = all->chunk[c].z + feature * n;
        for (size_t b = 0; b < n; b++) {
            double d = difference(all, feature, z[b]);
            s.mean += d;
            s.at_least += d >= 0.0;
        }
        count += (double)n;
    }
    s.mean /= count;
    for (size_t c = 0; c < all->n_chunks; c++) {
        size_t n = all->chunk[c].n_sets;
        const double *z = all->chunk[c].z + feature * n;
        for (size_t b = 0; b < n; b++) {
            double d = difference(all, feature, z[b]) - s.mean;
            square += d * d;
        }
    }
    s.deviation = count > 1.0 ? sqrt(square / (count - 1.0)) : 0.0;
    if (s.deviation <= all->rounding[feature])
        s.deviation = 0.0;
    return s;
}

/* How many thresholds are at most t, without a branch to be mispredicted. */
static size_t reached(const double *threshold, size_t count, double t)
{
    const double *from = threshold;
    for (; count > 1; count -= count / 2)
        from += (count / 2) * (from[count / 2 - 1] <= t);
    return (size_t)(from - threshold) + (count && *from <= t);
}

void lr_count_standardised(const lr_all_margins *all, size_t feature,
                           lr_margin_spread spread, const double *threshold,
                           size_t n_thresholds, double *count, double *largest)
{
    for (size_t c = 0; c < all->n_chunks; c++) {
        size_t n = all->chunk[c].n_sets;
        const double *z = all->chunk[c].z + feature * n;
        for (size_t b = 0; b < n; b++) {
            double d = difference(all, feature, z[b]) - spread.mean;
            double t = spread.deviation > 0.0 ? d / spread.deviation : 0.0;
            count[reached(threshold, n_thresholds, t)] += 1.0;
            if (t > largest[b])
                largest[b] = t;
        }
        largest += n;
    }
}
