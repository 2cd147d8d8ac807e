/* The most correlated features of each feature, in panels of products. */
#include "graph_correlation.h"

#include <math.h>

#include "lr_products.h"

enum { CHUNK = 256 }; /* features whose products are held at a time */

void lr_standardize(double *x, size_t n)
{
    /* twice: what rounding left of the mean in the first pass */
    for (int pass = 0; pass < 2; pass++) {
        double mean = 0.0;
        for (size_t i = 0; i < n; i++)
            mean += x[i];
        mean /= (double)n;
        for (size_t i = 0; i < n; i++)
            x[i] -= mean;
    }
    double length = sqrt(lr_dot(x, x, n));
    for (size_t i = 0; i < n; i++)
        x[i] = length > 0.0 ? x[i] / length : 0.0;
}

/* Rounding may leave |r| a little above 1. */
static double correlation(double product)
{
    return fmax(-1.0, fmin(1.0, product));
}

size_t lr_nearest_scratch(size_t n)
{
    return (LR_NEAREST_TARGETS + LR_DOUBLE_LANES) * n
        + LR_NEAREST_TARGETS * CHUNK;
}

typedef struct {
    double *panel, *pack, *products;
} product_panel;

static product_panel open_panel(const double *z, size_t n, size_t first,
                                size_t count, double *scratch)
{
    const double *vector[LR_NEAREST_TARGETS];
    product_panel b = {scratch, scratch + LR_NEAREST_TARGETS * n, NULL};
    b.products = b.pack + LR_DOUBLE_LANES * n;
    for (size_t t = 0; t < count; t++)
        vector[t] = z + (first + t) * n;
    lr_panel_doubles(vector, count, n, b.panel);
    return b;
}

static void insert(int *nearest, double *r, size_t *count, size_t k,
                   int feature, double value)
{
    size_t at = *count < k ? (*count)++ : k - 1;
    for (; at > 0 && fabs(r[at - 1]) < fabs(value); at--) {
        r[at] = r[at - 1];
        nearest[at] = nearest[at - 1];
    }
    r[at] = value;
    nearest[at] = feature;
}

void lr_nearest_correlated(const lr_standard *s, size_t first, size_t count,
                           size_t k, int *nearest, double *r, double *scratch)
{
    product_panel b = open_panel(s->z, s->n, first, count, scratch);
    size_t found[LR_NEAREST_TARGETS] = {0};
    for (size_t begin = 0; begin < s->p; begin += CHUNK) {
        size_t end = begin + CHUNK < s->p ? begin + CHUNK : s->p;
        lr_products_columns(s->z + begin * s->n, end - begin, s->n, b.pack,
                            b.panel, count, b.products, CHUNK);
        for (size_t t = 0; t < count; t++) {
            const double *c = b.products + t * CHUNK;
            double *own = r + t * k;
            for (size_t j = begin; j < end; j++) {
                if (found[t] == k && fabs(c[j - begin]) <= fabs(own[k - 1]))
                    continue;
                double value = correlation(c[j - begin]);
                if (j != first + t
                    && (found[t] < k || fabs(value) > fabs(own[k - 1])))
                    insert(nearest + t * k, own, found + t, k, (int)j, value);
            }
        }
    }
}

size_t lr_keep_uncorrelated(const double *z, size_t n, size_t first,
                            size_t end, double most, int *kept, size_t n_kept)
{
    for (size_t j = first; j < end; j++) {
        size_t k = 0;
        while (k < n_kept
               && fabs(correlation(lr_dot(z + j * n, z + (size_t)kept[k] * n,
                                          n))) <= most)
            k++;
        if (k == n_kept)
            kept[n_kept++] = (int)j;
    }
    return n_kept;
}

void lr_sum_correlations(const double *z, size_t n, size_t first, size_t count,
                         double *sum, double *absolute, double *scratch)
{
    product_panel b = open_panel(z, n, first, count, scratch);
    size_t last = first + count;
    for (size_t begin = 0; begin < last; begin += CHUNK) {
        size_t end = begin + CHUNK < last ? begin + CHUNK : last;
        lr_products_columns(z + begin * n, end - begin, n, b.pack, b.panel,
                            count, b.products, CHUNK);
        for (size_t t = 0; t < count; t++)
            for (size_t j = begin; j < end && j < first + t; j++) {
                double r = correlation(b.products[t * CHUNK + j - begin]);
                *sum += r;
                *absolute += fabs(r);
            }
    }
}
