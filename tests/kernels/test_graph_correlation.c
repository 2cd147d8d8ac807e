/* Correlations, nearest features, and pruning against the
 * definitions. */
#include "graph_correlation.h"

#include "check.h"
#include "random.h"

enum { N = 11 };

static double naive_correlation(const double *a, const double *b)
{
    double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < N; i++) {
        ma += a[i] / N;
        mb += b[i] / N;
    }
    for (int i = 0; i < N; i++) {
        ab += (a[i] - ma) * (b[i] - mb);
        aa += (a[i] - ma) * (a[i] - ma);
        bb += (b[i] - mb) * (b[i] - mb);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0.0;
}

static void fill(double *x, double *z, size_t p)
{
    for (size_t i = 0; i < N * p; i++)
        x[i] = 3.0 + random_unit();
    for (int i = 0; i < N; i++) {
        x[i] = 2.0;                      /* constant */
        x[i + 3 * N] = 7.0 - 2.0 * x[i + 2 * N]; /* opposite of another */
    }
    memcpy(z, x, N * p * sizeof(double));
    for (size_t j = 0; j < p; j++)
        lr_standardize(z + j * N, N);
}

static void check_nearest(const double *x, const double *z, size_t p, size_t k)
{
    int *nearest = integers(LR_NEAREST_TARGETS * k);
    double *r = doubles(LR_NEAREST_TARGETS * k);
    double *scratch = doubles(lr_nearest_scratch(N));
    lr_standard columns = {z, N, p};
    for (size_t first = 0; first < p; first += LR_NEAREST_TARGETS) {
        size_t count = p - first < LR_NEAREST_TARGETS ? p - first
                                                      : LR_NEAREST_TARGETS;
        lr_nearest_correlated(&columns, first, count, k, nearest, r, scratch);
        for (size_t t = 0; t < count; t++) {
            const double *own = x + (first + t) * N;
            size_t better = 0;
            int good = 1;
            for (size_t i = 0; i < k; i++) {
                double want = naive_correlation(
                    own, x + (size_t)nearest[t * k + i] * N);
                good = good && fabs(want - r[t * k + i]) < 1e-13
                    && (i == 0 || fabs(r[t * k + i]) <= fabs(r[t * k + i - 1]));
            }
            for (size_t j = 0; j < p; j++)
                better += j != first + t
                    && fabs(naive_correlation(own, x + j * N))
                        > fabs(r[t * k + k - 1]) + 1e-12;
            CHECK(good);
            CHECK(better < k);
        }
    }
    free(nearest), free(r), free(scratch);
}

static void check_keep(const double *x, const double *z, size_t p, double most)
{
    int *kept = integers(p), *want = integers(p);
    size_t count = 0, n_kept = 0;
    for (size_t j = 0; j < p; j++) {
        int keep = 1;
        for (size_t k = 0; k < count; k++)
            keep = keep && fabs(naive_correlation(
                               x + j * N, x + (size_t)want[k] * N)) <= most;
        if (keep)
            want[count++] = (int)j;
    }
    n_kept = lr_keep_uncorrelated(z, N, 0, p / 2, most, kept, 0);
    n_kept = lr_keep_uncorrelated(z, N, p / 2, p, most, kept, n_kept);
    CHECK_BITS(n_kept == count &&
                   memcmp(kept, want, count * sizeof(int)) == 0,
               "other features than by all correlations");
    free(kept), free(want);
}

static void check_sums(const double *x, const double *z, size_t p)
{
    double sum = 0, absolute = 0, want = 0, want_absolute = 0;
    double *scratch = doubles(lr_nearest_scratch(N));
    for (size_t first = 0; first < p; first += LR_NEAREST_TARGETS)
        lr_sum_correlations(z, N, first,
                            p - first < LR_NEAREST_TARGETS
                                ? p - first : LR_NEAREST_TARGETS,
                            &sum, &absolute, scratch);
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < i; j++) {
            double r = naive_correlation(x + i * N, x + j * N);
            want += r;
            want_absolute += fabs(r);
        }
    CHECK_NEAR(sum, want, 1e-9);
    CHECK_NEAR(absolute, want_absolute, 1e-9);
    free(scratch);
}

int main(void)
{
    const size_t sizes[] = {5, 64, 70, 300};
    random_seed(4);
    for (int s = 0; s < 4; s++) {
        size_t p = sizes[s];
        double *x = doubles(N * p), *z = doubles(N * p);
        fill(x, z, p);
        check_nearest(x, z, p, 1);
        check_nearest(x, z, p, 4);
        check_keep(x, z, p, 0.5);
        check_keep(x, z, p, 0.9);
        check_keep(x, z, p, 1.0);
        check_sums(x, z, p);
        free(x), free(z);
    }
    return check_report();
}
