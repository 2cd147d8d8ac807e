/* The steps of PCK-means: seeds, assignment, cluster centres. */
#include "cluster_pck.h"

#include <string.h>

static double square_distance(const double *x, const double *center, size_t d)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    size_t whole = d - d % 4;
    for (size_t j = 0; j < whole; j += 4)
        for (int l = 0; l < 4; l++) {
            double e = x[j + l] - center[j + l];
            sum[l] += e * e;
        }
    for (size_t j = whole; j < d; j++) {
        double e = x[j] - center[j];
        sum[0] += e * e;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void lr_pck_begin(const lr_pck *p, lr_pck_state *s)
{
    for (size_t i = 0; i < p->n; i++)
        s->cluster[i] = -1;
    memset(s->members, 0, p->n_components * p->clusters * sizeof(int));
    memset(s->sizes, 0, p->clusters * sizeof(int));
}

static void move(const lr_pck *p, lr_pck_state *s, size_t i, int to)
{
    int *members =
        s->members + (size_t)p->links->component[i] * p->clusters;
    int from = s->cluster[i];
    if (from >= 0) {
        members[from]--;
        s->sizes[from]--;
    }
    if (to >= 0) {
        members[to]++;
        s->sizes[to]++;
    }
    s->cluster[i] = to;
}

/* What sample i, at present in no cluster, would pay in each. */
static void costs(const lr_pck *p, const lr_pck_state *s, size_t i)
{
    const lr_links *links = p->links;
    int c = links->component[i];
    const int *own = s->members + (size_t)c * p->clusters;
    double assigned = 0.0;
    for (size_t k = 0; k < p->clusters; k++)
        assigned += own[k];
    for (size_t k = 0; k < p->clusters; k++)
        s->cost[k] = 0.5 * square_distance(p->x + i * p->features,
                                           s->centers + k * p->features,
                                           p->features)
            + p->penalty * (assigned - own[k]);
    for (int e = links->against_start[c]; e < links->against_start[c + 1];
         e++) {
        const int *other = s->members + (size_t)links->against[e] * p->clusters;
        for (size_t k = 0; k < p->clusters; k++)
            s->cost[k] += p->penalty * other[k];
    }
}

static void fill_empty(const lr_pck *p, lr_pck_state *s, int empty)
{
    double farthest = 0.0;
    size_t taken = p->n;
    for (size_t i = 0; i < p->n; i++) {
        int k = s->cluster[i];
        if (s->sizes[k] < 2)
            continue;
        double d = square_distance(p->x + i * p->features,
                                   s->centers + (size_t)k * p->features,
                                   p->features);
        if (d > farthest) {
            farthest = d;
            taken = i;
        }
    }
    if (taken < p->n)
        move(p, s, taken, empty);
}

size_t lr_pck_assign(const lr_pck *p, lr_pck_state *s)
{
    size_t moved = 0;
    for (size_t i = 0; i < p->n; i++) {
        int before = s->cluster[i], best = 0;
        move(p, s, i, -1);
        costs(p, s, i);
        for (size_t k = 1; k < p->clusters; k++)
            if (s->cost[k] < s->cost[best])
                best = (int)k;
        move(p, s, i, best);
        moved += best != before;
    }
    for (size_t k = 0; k < p->clusters; k++)
        if (s->sizes[k] == 0)
            fill_empty(p, s, (int)k);
    return moved;
}

void lr_pck_update(const lr_pck *p, lr_pck_state *s)
{
    size_t d = p->features;
    for (size_t k = 0; k < p->clusters; k++)
        if (s->sizes[k] > 0)
            memset(s->centers + k * d, 0, d * sizeof(double));
    for (size_t i = 0; i < p->n; i++) {
        double *center = s->centers + (size_t)s->cluster[i] * d;
        const double *x = p->x + i * d;
        for (size_t j = 0; j < d; j++)
            center[j] += x[j];
    }
    for (size_t k = 0; k < p->clusters; k++)
        for (size_t j = 0; j < d && s->sizes[k] > 0; j++)
            s->centers[k * d + j] /= s->sizes[k];
}

lr_pck_value lr_pck_evaluate(const lr_pck *p, const lr_pck_state *s)
{
    lr_pck_value v = {0.0, 0.0, 0.0};
    const lr_links *links = p->links;
    for (size_t i = 0; i < p->n; i++)
        v.objective += 0.5
            * square_distance(p->x + i * p->features,
                              s->centers
                                  + (size_t)s->cluster[i] * p->features,
                              p->features);
    for (size_t c = 0; c < p->n_components; c++) {
        const int *own = s->members + c * p->clusters;
        double size =
            (double)(links->member_start[c + 1] - links->member_start[c]);
        v.broken_must += 0.5 * size * (size - 1.0);
        for (size_t k = 0; k < p->clusters; k++)
            v.broken_must -= 0.5 * (double)own[k] * ((double)own[k] - 1.0);
        for (int e = links->against_start[c]; e < links->against_start[c + 1];
             e++) {
            size_t h = (size_t)links->against[e];
            for (size_t k = 0; h > c && k < p->clusters; k++)
                v.broken_cannot +=
                    (double)own[k] * s->members[h * p->clusters + k];
        }
    }
    v.objective += p->penalty * v.broken_must + p->penalty * v.broken_cannot;
    return v;
}
