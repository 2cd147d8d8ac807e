#include "expected.h"

#include <math.h>

static void sift_down(double *v, size_t root, size_t n)
{
    double value = v[root];
    size_t child;
    while ((child = 2 * root + 1) < n) {
        if (child + 1 < n && v[child + 1] > v[child])
            child++;
        if (v[child] <= value)
            break;
        v[root] = v[child];
        root = child;
    }
    v[root] = value;
}

void lr_sort(double *v, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        sift_down(v, i, n);
    for (size_t last = n; last-- > 1;) {
        double top = v[0];
        v[0] = v[last];
        v[last] = top;
        sift_down(v, 0, last);
    }
}

/* Number of elements below `value` (or not above it, with `or_equal`). */
static size_t count_below(const double *sorted, size_t n, double value,
                          int or_equal)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < value || (or_equal && sorted[middle] == value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The observed values of one class, ascending, and their running sums. */
typedef struct {
    const double *sorted, *running;
    size_t count;
} observed_values;

/* Mean of max(|value - V| - beyond, 0). */
static double mean_beyond(double value, double beyond,
                          const observed_values *v)
{
    size_t below = count_below(v->sorted, v->count, value - beyond, 1);
    size_t upto = beyond > 0.0
        ? count_below(v->sorted, v->count, value + beyond, 0) : below;
    double left = (value - beyond) * (double)below - v->running[below];
    double right = (v->running[v->count] - v->running[upto])
        - (value + beyond) * (double)(v->count - upto);
    return (left + right) / (double)v->count;
}

static double expected_of(double value, const observed_values *v,
                          const lr_rule *rule)
{
    if (rule->category) {
        size_t upto = count_below(v->sorted, v->count, value, 1);
        size_t below = count_below(v->sorted, v->count, value, 0);
        return rule->step * (1.0 - (double)(upto - below) / (double)v->count);
    }
    if (rule->ramp)
        return (mean_beyond(value, rule->ramp[0], v)
                - mean_beyond(value, rule->ramp[1], v))
            / (rule->ramp[1] - rule->ramp[0]);
    return mean_beyond(value, 0.0, v);
}

static int stands_for(const lr_scaling *s, size_t table, size_t sample)
{
    return !s->class_of || table == s->n_classes
        || s->class_of[sample] == (int)table;
}

static observed_values collect(const double *u, size_t n, const lr_scaling *s,
                               size_t table, double *scratch)
{
    double *sorted = scratch, *running = scratch + n;
    observed_values v = {sorted, running, 0};
    for (size_t i = 0; i < n; i++)
        if (!isnan(u[i]) && stands_for(s, table, i))
            sorted[v.count++] = u[i];
    if (v.count == 0)
        return collect(u, n, s, s->n_classes, scratch);
    lr_sort(sorted, v.count);
    running[0] = 0.0;
    for (size_t i = 0; i < v.count; i++)
        running[i + 1] = running[i] + sorted[i];
    return v;
}

/* Mean of the observed cells' results that a missing cell of the class of
 * table `own` stands for. */
static double mean_of_class(const double *u, size_t n, const lr_scaling *s,
                            size_t own, const double *out)
{
    double total = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(u[i]) && stands_for(s, own, i)) {
            total += out[i];
            count++;
        }
    if (count == 0)
        return mean_of_class(u, n, s, s->n_classes, out);
    return total / (double)count;
}

void lr_expected_differences(const double *u, size_t n, const lr_scaling *s,
                             const lr_rule *rule, double *out, double *scratch)
{
    size_t tables = lr_class_tables(s);
    for (size_t table = 0; table < tables; table++, out += n) {
        observed_values v = collect(u, n, s, table, scratch);
        for (size_t i = 0; i < n; i++)
            if (!isnan(u[i]))
                out[i] = expected_of(u[i], &v, rule);
        for (size_t own = 0; own < tables; own++) {
            double mean = mean_of_class(u, n, s, own, out);
            for (size_t i = 0; i < n; i++)
                if (isnan(u[i]) && lr_table_of(s, i) == own)
                    out[i] = mean;
        }
    }
}
