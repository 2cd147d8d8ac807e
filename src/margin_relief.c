/* Sums of differences of Relief and its relatives over hits and misses. */
#include "margin_relief.h"

#include <string.h>

static inline void add_absolute(const double *restrict a,
                                const double *restrict b, double *restrict sum)
{
    for (int l = 0; l < LR_LANES; l++)
        sum[l] += fabs(a[l] - b[l]);
}

static inline void add_squares(const double *restrict a,
                               const double *restrict b, double *restrict sum)
{
    for (int l = 0; l < LR_LANES; l++)
        sum[l] += (a[l] - b[l]) * (a[l] - b[l]);
}

/* Eight segments are summed before they are added to the rest: their sums need
 * not wait for each other, and where nothing is stored eight are left out. */
void lr_relief_plain(const lr_segments *g, const double *u, double *sums)
{
    for (size_t first = 0; first < g->n_segments; first += LR_GROUP) {
        size_t last = first + LR_GROUP;
        double group[LR_LANES] = {0.0};
        if (last > g->n_segments)
            last = g->n_segments;
        for (size_t s = first; s < last; s++) {
            const double *a = u + (size_t)g->owner[s] * LR_LANES;
            double part[LR_LANES] = {0.0};
            for (int j = g->start[s]; j < g->start[s + 1]; j++) {
                const double *b = u + (size_t)g->neighbour[j] * LR_LANES;
                if (g->square)
                    add_squares(a, b, part);
                else
                    add_absolute(a, b, part);
            }
            for (int l = 0; l < LR_LANES; l++)
                group[l] += g->coefficient[s] * part[l];
        }
        for (int l = 0; l < LR_LANES; l++)
            sums[l] += group[l];
    }
}

static double sum_segment(const lr_segments *g, size_t s, const double *u)
{
    const int *at = g->neighbour + g->start[s];
    const int *end = g->neighbour + g->start[s + 1];
    double a = u[g->owner[s]], part = 0.0;
    if (g->square)
        for (; at < end; at++)
            part += (a - u[*at]) * (a - u[*at]);
    else
        for (; at < end; at++)
            part += fabs(a - u[*at]);
    return part;
}

/* What sample i, alone not zero, adds to the segments that it is a neighbour
 * in: neighbours ascend, so that each of them is summed in its own order. */
static void add_to_segments(const lr_segments *g, const lr_memberships *in,
                            size_t i, double difference,
                            lr_relief_buffer *buffer)
{
    double size = g->square ? difference * difference : fabs(difference);
    double *part = buffer->part;
    unsigned char *touched = buffer->touched;
    const int *end = in->segment + in->start[i + 1];
    for (const int *s = in->segment + in->start[i]; s < end; s++) {
        part[*s] += size;
        touched[(size_t)*s / LR_GROUP] = 1;
    }
}

static void sum_own_segments(const lr_segments *g, const lr_memberships *in,
                             size_t i, lr_relief_buffer *buffer)
{
    double *part = buffer->part;
    for (size_t q = in->own_start[i]; q < in->own_start[i + 1]; q++) {
        size_t s = (size_t)in->own[q];
        part[s] = sum_segment(g, s, buffer->values);
        buffer->touched[s / LR_GROUP] = 1;
    }
}

static double sum_group(const lr_segments *g, size_t first, double *part)
{
    size_t last = first + LR_GROUP < g->n_segments ? first + LR_GROUP
                                                   : g->n_segments;
    double sum = 0.0;
    for (size_t s = first; s < last; s++)
        sum += g->coefficient[s] * part[s];
    memset(part + first, 0, (last - first) * sizeof(double));
    return sum;
}

void lr_relief_stored(const lr_segments *g, const lr_memberships *in,
                      const lr_stored_places *stored, lr_relief_buffer *buffer,
                      double *sum)
{
    for (size_t i = 0; i < g->n_places; i++)
        buffer->values[i] = stored->zero;
    for (size_t k = 0; k < stored->count; k++) {
        size_t i = (size_t)stored->place[k];
        buffer->values[i] = stored->u[k];
        if (stored->u[k] != stored->zero)
            add_to_segments(g, in, i, stored->zero - stored->u[k], buffer);
    }
    for (size_t k = 0; k < stored->count; k++)
        if (stored->u[k] != stored->zero)
            sum_own_segments(g, in, (size_t)stored->place[k], buffer);
    for (size_t group = 0; group * LR_GROUP < g->n_segments; group++)
        if (buffer->touched[group]) {
            *sum += sum_group(g, group * LR_GROUP, buffer->part);
            buffer->touched[group] = 0;
        }
}

static inline double difference(const lr_segments *g, const lr_values *v, int a,
                                int b)
{
    /* few pairs need what is read here */
    if (v->expected && isnan(v->u[a]))
        return v->expected[(size_t)g->table[a] * g->n_places + (size_t)b];
    if (v->expected && isnan(v->u[b]))
        return v->expected[(size_t)g->table[b] * g->n_places + (size_t)a];
    return lr_difference(v->u[a], v->u[b], 0.0, 0.0, v->rule);
}

static inline double in_metric(const lr_segments *g, double d)
{
    return g->square ? d * d : d;
}

/* A segment of a numeric feature that has missing cells and no ramp. */
static double sum_gapped(const lr_segments *g, const lr_values *v, size_t s)
{
    int owner = g->owner[s];
    double a = v->u[owner], part = 0.0;
    const int *at = g->neighbour + g->start[s];
    const int *end = g->neighbour + g->start[s + 1];
    if (isnan(a)) {
        const double *to = v->expected + (size_t)g->table[owner] * g->n_places;
        for (; at < end; at++)
            part += in_metric(g, to[*at]);
        return part;
    }
    for (; at < end; at++) {
        double d = fabs(a - v->u[*at]);
        if (isnan(d))
            d = v->expected[(size_t)g->table[*at] * g->n_places
                            + (size_t)owner];
        part += in_metric(g, d);
    }
    return part;
}

static double sum_other(const lr_segments *g, const lr_values *v, size_t s)
{
    double part = 0.0;
    for (int j = g->start[s]; j < g->start[s + 1]; j++)
        part += in_metric(g, difference(g, v, g->owner[s], g->neighbour[j]));
    return part;
}

void lr_relief_other(const lr_segments *g, const lr_values *v, double *sum)
{
    int gapped = v->expected && !v->rule->category && !v->rule->ramp;
    for (size_t s = 0; s < g->n_segments; s++)
        *sum += g->coefficient[s]
            * (gapped ? sum_gapped(g, v, s) : sum_other(g, v, s));
}

/* Sums of LR_LANES features, so that the compiler keeps them side by side:
 * lr_stir_sum, each number of it by lanes. */
typedef struct {
    double first[2][LR_LANES], deviation[2][LR_LANES], square[2][LR_LANES];
} lane_sums;

enum { MEMBERS = sizeof(lr_stir_sum) / sizeof(double) };

static inline void add_deviations(const double *restrict a,
                                  const double *restrict b,
                                  const double *restrict first,
                                  double *restrict deviation,
                                  double *restrict square)
{
    for (int l = 0; l < LR_LANES; l++) {
        double d = fabs(a[l] - b[l]) - first[l];
        deviation[l] += d;
        square[l] += d * d;
    }
}

static void add_plain(const lr_segments *g, const double *u, const int *fresh,
                      lr_stir_sum *sums)
{
    int is_fresh[2] = {fresh[0], fresh[1]};
    lane_sums lanes;
    lr_turn((const double *)sums, LR_LANES, MEMBERS, (double *)&lanes);
    for (size_t s = 0; s < g->n_segments; s++) {
        const double *a = u + (size_t)g->owner[s] * LR_LANES;
        int of = g->group[s];
        double deviation[LR_LANES], square[LR_LANES];
        if (is_fresh[of] && g->start[s] < g->start[s + 1]) {
            const double *b =
                u + (size_t)g->neighbour[g->start[s]] * LR_LANES;
            for (int l = 0; l < LR_LANES; l++)
                lanes.first[of][l] = fabs(a[l] - b[l]);
            is_fresh[of] = 0;
        }
        memcpy(deviation, lanes.deviation[of], sizeof deviation);
        memcpy(square, lanes.square[of], sizeof square);
        for (int j = g->start[s]; j < g->start[s + 1]; j++)
            add_deviations(a, u + (size_t)g->neighbour[j] * LR_LANES,
                           lanes.first[of], deviation, square);
        memcpy(lanes.deviation[of], deviation, sizeof deviation);
        memcpy(lanes.square[of], square, sizeof square);
    }
    lr_turn((const double *)&lanes, MEMBERS, LR_LANES, (double *)sums);
}

static void add_other(const lr_segments *g, const lr_values *v,
                      const int *fresh, lr_stir_sum *sum)
{
    int is_fresh[2] = {fresh[0], fresh[1]};
    for (size_t s = 0; s < g->n_segments; s++) {
        int of = g->group[s];
        for (int j = g->start[s]; j < g->start[s + 1]; j++) {
            double d = difference(g, v, g->owner[s], g->neighbour[j]);
            if (is_fresh[of])
                sum->first[of] = d;
            is_fresh[of] = 0;
            d -= sum->first[of];
            sum->deviation[of] += d;
            sum->square[of] += d * d;
        }
    }
}

void lr_stir(const lr_segments *segments, const lr_values *values,
             const int *fresh, lr_stir_sum *sums)
{
    if (values->rule)
        add_other(segments, values, fresh, sums);
    else
        add_plain(segments, values->u, fresh, sums);
}
