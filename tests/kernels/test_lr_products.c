/* Tiles against loops written out, for every number of features and targets
 * around the sizes of packs and panels. */
#include "lr_products.h"

#include "check.h"
#include "random.h"

static void fill(double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        x[i] = random_unit() - 0.3;
}

static void check_size(size_t n, size_t count, size_t targets)
{
    size_t ld = lr_pack_size(count, 1, LR_FLOAT_LANES), rows = (targets + 3) / 4 * 4;
    double *u = doubles(n * count), *v = doubles(n * targets);
    const double **vector =
        (const double **)buffer(targets, sizeof(double *));
    fill(u, n * count);
    fill(v, n * targets);
    for (size_t t = 0; t < targets; t++)
        vector[t] = v + t * n;
    float *fpack = (float *)buffer(lr_pack_size(count, n, LR_FLOAT_LANES),
                                 sizeof(float));
    float *fpanel = (float *)buffer(lr_pack_size(targets, n, LR_TARGETS),
                                  sizeof(float));
    float *fout = (float *)buffer(rows * ld, sizeof(float));
    double *dpack = doubles(lr_pack_size(count, n, LR_DOUBLE_LANES));
    double *dpanel = doubles(lr_pack_size(targets, n, LR_TARGETS));
    double *dout = doubles(rows * ld);
    lr_pack_floats(u, count, n, fpack);
    lr_pack_doubles(u, count, n, dpack);
    lr_panel_floats(vector, targets, n, fpanel);
    lr_panel_doubles(vector, targets, n, dpanel);
    int same = 1;
    lr_products_floats(fpack, count, n, fpanel, targets, fout, ld);
    lr_products_doubles(dpack, count, n, dpanel, targets, dout, ld);
    for (size_t t = 0; t < targets; t++)
        for (size_t j = 0; j < count; j++) {
            float fsum = 0;
            double dsum = 0;
            for (size_t i = 0; i < n; i++) {
                fsum += (float)u[i + j * n] * (float)v[i + t * n];
                dsum += u[i + j * n] * v[i + t * n];
            }
            same = same && fout[t * ld + j] == fsum
                && dout[t * ld + j] == dsum;
        }
    CHECK_BITS(same, "n %lu, %lu features, %lu targets", (unsigned long)n,
               (unsigned long)count, (unsigned long)targets);
    free(u), free(v), free(vector), free(fpack), free(fpanel), free(fout);
    free(dpack), free(dpanel), free(dout);
}

static void check_vectors(void)
{
    for (size_t n = 0; n < 11; n++) {
        double *a = doubles(n), *b = doubles(n), sum = 0.0;
        fill(a, n);
        fill(b, n);
        for (size_t i = 0; i < n; i++)
            sum += a[i] * b[i];
        CHECK_NEAR(lr_dot(a, b, n), sum, 1e-15);
        double *want = doubles(n);
        for (size_t i = 0; i < n; i++)
            want[i] = a[i] - 0.7 * b[i];
        const double *columns[LR_DOTS] = {a, b, want, a};
        double four[LR_DOTS], one[LR_DOTS];
        lr_dot_four(columns, b, n, four);
        for (size_t k = 0; k < LR_DOTS; k++)
            one[k] = lr_dot(columns[k], b, n);
        CHECK_SAMES(four, one, LR_DOTS);
        lr_subtract(a, 0.7, b, n);
        CHECK_SAMES(a, want, n);
        free(a), free(b), free(want);
    }
}

int main(void)
{
    random_seed(1);
    const size_t counts[] = {1, 4, 7, 8, 9, 15, 16, 17, 33};
    for (size_t c = 0; c < 9; c++)
        for (size_t targets = 1; targets <= 9; targets += 4) {
            check_size(1, counts[c], targets);
            check_size(13, counts[c], targets);
        }
    check_vectors();
    return check_report();
}
