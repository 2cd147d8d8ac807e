/* Moments, ranks and detection of groups of samples in one feature. */
#include "markers.h"

#include <math.h>

#define ITEM lr_cell_entry
#define KEY(item) ((item).value)
#include "lr_merge_sort.h"

/* ---- means and squares --------------------------------------------------- */

/* Counts, and in `mean` a value that each cell holds, from which deviations are
 * taken: 0, or the first one where there is no 0. */
static void count_entries(const lr_group_design *d, const lr_entries *e,
                          lr_cell_moments *m)
{
    size_t cells = lr_cell_count(d);
    memcpy(m->known, d->count, cells * sizeof(double));
    memset(m->mean, 0, cells * sizeof(double));
    memset(m->above, 0, cells * sizeof(double));
    memset(m->stored, 0, cells * sizeof(double));
    for (size_t k = 0; k < e->count; k++) {
        int c = d->cell_of[e->row[k]];
        if (c < 0)
            continue;
        if (isnan(e->value[k])) {
            m->known[c] -= 1.0;
            continue;
        }
        if (m->stored[c] == 0.0)
            m->mean[c] = e->value[k];
        m->stored[c] += 1.0;
        m->above[c] += e->value[k] > 0.0;
    }
    for (size_t c = 0; c < cells; c++)
        if (m->stored[c] < m->known[c])
            m->mean[c] = 0.0;
}

/* Adds the deviations from `mean`, or their squares, to `square`. */
static void add_deviations(const lr_group_design *d, const lr_entries *e,
                           int squared, lr_cell_moments *m)
{
    memset(m->square, 0, lr_cell_count(d) * sizeof(double));
    for (size_t k = 0; k < e->count; k++) {
        int c = d->cell_of[e->row[k]];
        if (c < 0 || isnan(e->value[k]))
            continue;
        double deviation = e->value[k] - m->mean[c];
        m->square[c] += squared ? deviation * deviation : deviation;
    }
}

void lr_moments_of_cells(const lr_group_design *d, const lr_entries *e,
                         lr_cell_moments *m)
{
    size_t cells = lr_cell_count(d);
    count_entries(d, e, m);
    add_deviations(d, e, 0, m);
    for (size_t c = 0; c < cells; c++)
        m->mean[c] += m->square[c] / m->known[c];
    add_deviations(d, e, 1, m);
    for (size_t c = 0; c < cells; c++) {
        double zeros = m->known[c] - m->stored[c];
        if (zeros > 0.0)
            m->square[c] += zeros * (m->mean[c] * m->mean[c]);
    }
}

/* ---- areas under the curve ----------------------------------------------- */

/* The entries of samples in groups, sorted by value; returns how many. */
static size_t collect_entries(const lr_group_design *d, const lr_entries *e,
                              lr_cell_entry *entry, lr_cell_entry **sorted)
{
    size_t count = 0;
    for (size_t k = 0; k < e->count; k++) {
        int c = d->cell_of[e->row[k]];
        if (c >= 0)
            entry[count++] = (lr_cell_entry){e->value[k], c};
    }
    *sorted = sort_items(entry, entry + count, count);
    return count;
}

/* `times` samples of a cell win against those below them, and half against
 * those of the same value, of the same block. */
static inline void add_wins(const lr_group_design *d, const lr_auc_scratch *s,
                            size_t cell, double times, int with_ties)
{
    size_t block = cell - cell % d->n_groups;
    double *restrict wins = s->wins + cell * d->n_groups;
    const double *restrict below = s->below + block;
    const double *restrict tied = s->tied + block;
    if (with_ties)
        for (size_t h = 0; h < d->n_groups; h++)
            wins[h] += times * (below[h] + 0.5 * tied[h]);
    else
        for (size_t h = 0; h < d->n_groups; h++)
            wins[h] += below[h];
}

/* The samples that have no entry: their value is 0. */
static void add_zeros(const lr_group_design *d, const lr_auc_scratch *s,
                      const lr_cell_entry *e, size_t count)
{
    size_t cells = lr_cell_count(d);
    memcpy(s->tied, d->count, cells * sizeof(double));
    for (size_t k = 0; k < count; k++)
        s->tied[e[k].cell] -= 1.0;
    for (size_t c = 0; c < cells; c++)
        if (s->tied[c] > 0.0)
            add_wins(d, s, c, s->tied[c], 1);
    for (size_t c = 0; c < cells; c++) {
        s->below[c] += s->tied[c];
        s->tied[c] = 0.0;
    }
}

/* Entries of one value. */
static void add_tie(const lr_group_design *d, const lr_auc_scratch *s,
                    const lr_cell_entry *e, size_t count)
{
    if (count == 1) {
        add_wins(d, s, (size_t)e->cell, 1.0, 0);
        s->below[e->cell] += 1.0;
        return;
    }
    for (size_t k = 0; k < count; k++)
        s->tied[e[k].cell] += 1.0;
    for (size_t k = 0; k < count; k++)
        add_wins(d, s, (size_t)e[k].cell, 1.0, 1);
    for (size_t k = 0; k < count; k++) {
        s->below[e[k].cell] += 1.0;
        s->tied[e[k].cell] = 0.0;
    }
}

static void add_entries(const lr_group_design *d, const lr_auc_scratch *s,
                        const lr_cell_entry *e, size_t count)
{
    size_t next;
    for (size_t k = 0; k < count; k = next) {
        for (next = k + 1; next < count && e[next].value == e[k].value;)
            next++;
        add_tie(d, s, e + k, next - k);
    }
}

/* e: sorted, the first `negative` of them below 0; `count` of `samples` samples
 * are not 0. */
static void count_others(const lr_group_design *d, const lr_cell_entry *e,
                         size_t negative, size_t count, size_t samples,
                         double *other)
{
    size_t zeros = samples - count;
    size_t middle = samples > 0 ? (samples - 1) / 2 : 0;
    double median = 0.0, low = 0.0, high = 0.0;
    if (middle < negative)
        median = e[middle].value;
    else if (middle >= negative + zeros && count > 0)
        median = e[middle - zeros].value;
    if (count > 0) {
        low = zeros > 0 ? fmin(e[0].value, 0.0) : e[0].value;
        high = zeros > 0 ? fmax(e[count - 1].value, 0.0) : e[count - 1].value;
    }
    double rounding = 1e-9 * (high - low);
    int zeros_too = fabs(median) <= rounding;
    for (size_t c = 0; c < lr_cell_count(d); c++)
        other[c] = zeros_too ? 0.0 : d->count[c];
    for (size_t k = 0; k < count; k++)
        other[e[k].cell] +=
            zeros_too - (fabs(e[k].value - median) <= rounding);
}

/* Shares of wins, over the blocks that hold both groups. */
static double mean_share(const lr_group_design *d, const double *wins,
                         size_t g, size_t h)
{
    double sum = 0.0, weights = 0.0;
    for (size_t b = 0; b < d->n_blocks; b++) {
        size_t block = b * d->n_groups;
        double pairs = d->count[block + g] * d->count[block + h];
        if (pairs == 0.0)
            continue;
        double weight = pairs / (d->count[block + g] + d->count[block + h]);
        sum += weight * (wins[(block + g) * d->n_groups + h] / pairs);
        weights += weight;
    }
    return sum / weights;
}

void lr_auc_of_groups(const lr_group_design *d, const lr_entries *entries,
                      const lr_auc_scratch *s, double *auc)
{
    size_t cells = lr_cell_count(d), negative = 0;
    double samples = 0.0;
    lr_cell_entry *sorted;
    size_t count = collect_entries(d, entries, s->entry, &sorted);
    while (negative < count && sorted[negative].value < 0.0)
        negative++;
    for (size_t c = 0; c < cells; c++)
        samples += d->count[c];
    count_others(d, sorted, negative, count, (size_t)samples, s->other);
    memset(s->below, 0, cells * sizeof(double));
    memset(s->tied, 0, cells * sizeof(double));
    memset(s->wins, 0, cells * d->n_groups * sizeof(double));
    add_entries(d, s, sorted, negative);
    add_zeros(d, s, sorted, count);
    add_entries(d, s, sorted + negative, count - negative);
    for (size_t g = 0; g < d->n_groups; g++)
        for (size_t h = 0; h < d->n_groups; h++)
            auc[h + g * d->n_groups] =
                g == h ? NAN : mean_share(d, s->wins, g, h);
}
