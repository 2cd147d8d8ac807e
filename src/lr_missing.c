/* Expected differences of a feature with missing cells, from sorted values. */
#include "lr_missing.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    double value;
    uint32_t sample;
    uint32_t key; /* what it is sorted by */
} observed_cell;

size_t lr_expected_scratch(size_t n, size_t tables)
{
    return n * (2 * sizeof(observed_cell) / sizeof(double) + 1)
        + 3 * tables + 1;
}

/* Sorts by two bytes of the keys, equal ones staying in order. */
static void sort_by_bytes(observed_cell *cells, observed_cell *other,
                          size_t count, int shift)
{
    uint32_t place[2][256] = {{0}};
    for (size_t i = 0; i < count; i++) {
        place[0][cells[i].key >> shift & 255]++;
        place[1][cells[i].key >> (shift + 8) & 255]++;
    }
    for (int byte = 0; byte < 2; byte++, shift += 8) {
        uint32_t *at = place[byte], sum = 0;
        for (int value = 0; value < 256; value++) {
            uint32_t of_value = at[value];
            at[value] = sum;
            sum += of_value;
        }
        for (size_t i = 0; i < count; i++)
            other[at[cells[i].key >> shift & 255]++] = cells[i];
        observed_cell *sorted = other;
        other = cells;
        cells = sorted;
    }
}

/* Puts cells in order that almost are; 0 where it is given up, since they are
 * not. */
static int finish_order(observed_cell *cells, size_t count)
{
    size_t moves = 16 * count;
    for (size_t i = 1; i < count; i++) {
        observed_cell cell = cells[i];
        size_t at = i;
        for (; at > 0 && cells[at - 1].value > cell.value; at--)
            cells[at] = cells[at - 1];
        cells[at] = cell;
        if (i - at > moves)
            return 0;
        moves -= i - at;
    }
    return 1;
}

/* Half of a number that is ordered as the values are. */
static uint32_t half_of(double value, int half)
{
    uint64_t bits, sign = (uint64_t)1 << 63;
    memcpy(&bits, &value, sizeof bits);
    return (uint32_t)((bits & sign ? ~bits : bits | sign) >> 32 * half);
}

/* Ascending: by 65,536 steps of the range, which few cells share unless some
 * are far from all others, else by all bytes. */
static void sort_cells(observed_cell *cells, observed_cell *other,
                       size_t count, double low, double high)
{
    double steps = 65535.0 / (high - low);
    int known = isfinite(steps) && steps > 0.0; /* else one step for all */
    for (size_t i = 0; i < count; i++)
        cells[i].key = known ? (uint32_t)((cells[i].value - low) * steps) : 0;
    sort_by_bytes(cells, other, count, 0);
    int sorted = finish_order(cells, count);
    for (int half = 0; half < 2 && !sorted; half++) {
        for (size_t i = 0; i < count; i++)
            cells[i].key = half_of(cells[i].value, half);
        sort_by_bytes(cells, other, count, 0);
        sort_by_bytes(cells, other, count, 16);
    }
}

/* One feature, while its tables are made. */
typedef struct {
    const double *u;
    size_t n, tables;
    const lr_scaling *scaling;
    observed_cell *cells; /* the observed ones, ascending, and the others */
    size_t n_cells;       /* of the observed ones */
    double *sorted;  /* the values of one table, ascending, */
    double *running; /*   and their running sums, from 0 */
    size_t count;
    size_t *upto;    /* of each cell: how many values up to its place */
    double *mean, *observed; /* per table: of the cells' differences */
    double *wanted;          /* per table: is a cell of its samples missing? */
} feature_cells;

/* The values that replace a missing cell of the table's class. */
static void collect(feature_cells *f, size_t table)
{
    const int *class_of = f->scaling->class_of;
    int all = !class_of || table == f->scaling->n_classes;
    double sum = 0.0;
    f->count = 0;
    f->running[0] = 0.0;
    for (size_t i = 0; i < f->n_cells; i++) {
        observed_cell cell = f->cells[i];
        /* no branch, as the classes of sorted cells cannot be foreseen */
        int own = all || class_of[cell.sample] == (int)table;
        double next = sum + cell.value;
        f->sorted[f->count] = cell.value;
        f->running[f->count + 1] = next;
        sum = own ? next : sum;
        f->count += (size_t)own;
        f->upto[i] = f->count;
    }
    if (f->count == 0)
        collect(f, f->scaling->n_classes);
}

/* Moves a place up to the first value that is not below `value`, or, when
 * `or_equal`, not below or equal. */
static size_t pass(const feature_cells *f, size_t at, double value,
                   int or_equal)
{
    while (at < f->count
           && (f->sorted[at] < value || (or_equal && f->sorted[at] == value)))
        at++;
    return at;
}

/* Where ascending values have come to among the sorted ones. */
typedef struct {
    size_t below, upto;
} sweep;

/* Mean of max(|value - V| - beyond, 0). */
static double mean_beyond(const feature_cells *f, double value, double beyond,
                          sweep *at)
{
    at->below = pass(f, at->below, value - beyond, 1);
    at->upto = beyond > 0.0 ? pass(f, at->upto, value + beyond, 0) : at->below;
    double left = (value - beyond) * (double)at->below - f->running[at->below];
    double right = (f->running[f->count] - f->running[at->upto])
        - (value + beyond) * (double)(f->count - at->upto);
    return (left + right) / (double)f->count;
}

/* A mean of differences that rounding has put below 0, as that of equal values
 * can be. */
static double not_negative(double mean)
{
    return mean < 0.0 ? 0.0 : mean;
}

/* Mean of |value - V| of all observed cells: where a value stands among those
 * of the table was counted by collect(). */
static void expect_plain(const feature_cells *f, double *out)
{
    double all = f->running[f->count], count = (double)f->count, next = NAN;
    size_t upto = 0;
    for (size_t i = f->n_cells; i-- > 0;) {
        size_t sample = f->cells[i].sample;
        double value = f->cells[i].value;
        upto = value == next ? upto : f->upto[i];
        double below = (double)(ptrdiff_t)upto, sum = f->running[upto];
        double left = value * below - sum;
        double right = all - sum - value * (count - below);
        out[sample] = not_negative((left + right) / count);
        next = value;
    }
}

static double expected_of(const feature_cells *f, double value,
                          const lr_rule *rule, sweep *at)
{
    if (rule->category) {
        at->upto = pass(f, at->upto, value, 1);
        at->below = pass(f, at->below, value, 0);
        return rule->step
            * (1.0 - (double)(at->upto - at->below) / (double)f->count);
    }
    return not_negative((mean_beyond(f, value, rule->ramp[0], at)
                         - mean_beyond(f, value, rule->ramp[1], at + 1))
                        / (rule->ramp[1] - rule->ramp[0]));
}

static void expect_each(const feature_cells *f, const lr_rule *rule,
                        double *out)
{
    sweep at[2] = {{0, 0}, {0, 0}};
    for (size_t i = 0; i < f->n_cells; i++) {
        size_t sample = f->cells[i].sample;
        out[sample] = expected_of(f, f->cells[i].value, rule, at);
    }
}

/* Per class the mean of its observed cells' differences, in row order; of all
 * observed cells for the last table and for classes without any. */
static void average(feature_cells *f, const double *out)
{
    const int *class_of = f->scaling->class_of;
    size_t all = f->tables - 1;
    /* and what was observed, which stands behind the means */
    memset(f->mean, 0, 2 * f->tables * sizeof(double));
    double sum = 0.0;
    for (size_t i = 0; i < f->n; i++)
        sum += isnan(f->u[i]) ? 0.0 : out[i];
    f->mean[all] = sum / (double)f->n_cells;
    for (size_t i = 0; class_of && i < f->n; i++)
        if (class_of[i] >= 0 && !isnan(f->u[i])) {
            f->mean[class_of[i]] += out[i];
            f->observed[class_of[i]] += 1.0;
        }
    for (size_t c = 0; c < all; c++)
        f->mean[c] = f->observed[c] > 0.0 ? f->mean[c] / f->observed[c]
                                          : f->mean[all];
}

/* Two missing cells: what the lower one of their tables says, so that they
 * differ by the same number from both sides. */
static void fill_missing(const feature_cells *f, size_t table, double *out)
{
    for (size_t k = f->n_cells; k < f->n; k++) {
        size_t i = f->cells[k].sample, own = lr_table_of(f->scaling, i);
        if (own >= table)
            out[i] = f->mean[own];
        for (size_t t = table + 1; own == table && t < f->tables; t++)
            out[(t - table) * f->n + i] = f->mean[t];
    }
}

static feature_cells open_feature(const double *u, size_t n,
                                  const lr_scaling *s, double *scratch)
{
    observed_cell *cells = (observed_cell *)scratch;
    feature_cells f = {.u = u, .n = n, .tables = lr_class_tables(s),
                       .scaling = s, .cells = cells};
    f.sorted = (double *)(cells + n);
    f.running = f.sorted + n;
    f.mean = f.running + n + 1;
    f.upto = (size_t *)(f.mean + 3 * f.tables);
    f.observed = f.mean + f.tables;
    f.wanted = f.observed + f.tables;
    memset(f.wanted, 0, f.tables * sizeof(double));
    double low = INFINITY, high = -INFINITY;
    /* missing ones from the end on, without a branch that is hard to foresee */
    for (size_t i = 0; i < n; i++) {
        int gone = isnan(u[i]);
        size_t at = gone ? n - 1 - (i - f.n_cells) : f.n_cells;
        cells[at] = (observed_cell){u[i], (uint32_t)i, 0};
        f.n_cells += !gone;
        low = u[i] < low ? u[i] : low;
        high = u[i] > high ? u[i] : high;
    }
    for (size_t i = f.n_cells; i < n; i++)
        f.wanted[lr_table_of(s, cells[i].sample)] = 1.0;
    sort_cells(cells, cells + n, f.n_cells, low, high);
    return f;
}

void lr_expected_differences(const double *u, size_t n, const lr_scaling *s,
                             const lr_rule *rule, double *out, double *scratch)
{
    feature_cells f = open_feature(u, n, s, scratch);
    for (size_t table = 0; table < f.tables; table++, out += n) {
        if (f.wanted[table] == 0.0)
            continue;
        collect(&f, table);
        if (rule->category || rule->ramp)
            expect_each(&f, rule, out);
        else
            expect_plain(&f, out);
        average(&f, out);
        fill_missing(&f, table, out);
    }
}
