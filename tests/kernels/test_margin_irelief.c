/* I-Relief's probabilities and sums against the formulas written out. */
#include "margin_irelief.h"

#include "check.h"
#include "random.h"

enum { N = 15, CLASSES = 3 };

static void check_coefficients(lr_variant variant, double sigma)
{
    int class_of[N];
    double prior[] = {0.5, 0.3, 0.2}, d[N], c[N], scratch[3 * CLASSES];
    for (int i = 0; i < N; i++) {
        class_of[i] = i < 3 ? i : random_below(CLASSES + 1) - 1;
        d[i] = c[i] = 3.0 * random_unit();
    }
    int end = 1, own = class_of[end];
    lr_irelief p = {class_of, N, CLASSES, prior, sigma, variant};
    double gamma = lr_irelief_coefficients(&p, end, c, scratch);
    double sum[CLASSES] = {0.0}, misses = 0.0;
    for (int i = 0; i < N; i++)
        if (class_of[i] >= 0 && i != end)
            sum[class_of[i]] += exp(-d[i] / sigma);
    for (int k = 0; k < CLASSES; k++)
        misses += k == own ? 0.0 : sum[k];
    double wanted = sum[own] / (sum[own] + misses);
    CHECK_NEAR(gamma, wanted, 1e-14);
    for (int i = 0; i < N; i++) {
        double f = exp(-d[i] / sigma), v = 0.0;
        int k = class_of[i];
        if (k >= 0 && i != end) {
            if (k == own)
                v = -f / sum[own];
            else if (variant == LR_BY_CLASS)
                v = prior[k] / (1.0 - prior[own]) * f / sum[k];
            else
                v = f / misses;
        }
        CHECK_NEAR(c[i], wanted * v, 1e-14);
    }
}

/* exp(-1e5) is 0, but the nearest of each class still counts. */
static void test_far_samples(void)
{
    int class_of[] = {0, 0, 1, 1};
    double prior[] = {0.5, 0.5}, scratch[6];
    double c[] = {0.0, 1e5, 1e5, 2e5};
    lr_irelief p = {class_of, 4, 2, prior, 1.0, LR_BY_CLASS};
    CHECK_NEAR(lr_irelief_coefficients(&p, 0, c, scratch), 0.5, 1e-15);
    CHECK_NEAR(c[1], -0.5, 1e-15);
    CHECK_NEAR(c[2], 0.5, 1e-15);
    CHECK_SAME(c[3], 0.0);
    /* nobody of its class: no hit, and surely an outlier */
    class_of[1] = 1;
    double alone[] = {0.0, 1.0, 1.0, 1.0};
    CHECK_SAME(lr_irelief_coefficients(&p, 0, alone, scratch), 0.0);
    for (int i = 0; i < 4; i++)
        CHECK_SAME(alone[i], 0.0);
}

static void test_sums(void)
{
    enum { ENDS = 4, LD = 20 };
    double u[N * LR_LANES], one[N], c[ENDS * LD], v[LR_LANES], other;
    int ends[] = {2, 3, 7, 14};
    lr_rule rule = {0, 1.0, NULL};
    for (int i = 0; i < N * LR_LANES; i++)
        u[i] = random_unit();
    for (int i = 0; i < ENDS * LD; i++)
        c[i] = random_unit() - 0.5;
    for (int l = 0; l < LR_LANES; l++)
        v[l] = 1.0;
    lr_tile tile = {ends, ENDS, 0, 0, N, 0, c, LD};
    lr_irelief_plain(&tile, u, v);
    for (int l = 0; l < LR_LANES; l++) {
        double wanted = 1.0;
        for (int e = 0; e < ENDS; e++)
            for (int r = 0; r < N; r++)
                wanted += c[e * LD + r]
                    * fabs(u[ends[e] * LR_LANES + l] - u[r * LR_LANES + l]);
        CHECK_NEAR(v[l], wanted, 1e-13);
        for (int r = 0; r < N; r++)
            one[r] = u[r * LR_LANES + l];
        other = 1.0;
        lr_values values = {one, NULL, &rule};
        lr_irelief_other(&tile, &values, NULL, &other);
        CHECK_SAME(other, v[l]);
    }
}

int main(void)
{
    random_seed(1);
    for (int t = 0; t < 20; t++) {
        check_coefficients(LR_BY_CLASS, 0.1 + random_unit());
        check_coefficients(LR_TOGETHER, 0.1 + random_unit());
    }
    test_far_samples();
    test_sums();
    return check_report();
}
