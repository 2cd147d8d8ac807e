#include "subset_forward.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lr_vector.h"

/* ---- exact --------------------------------------------------------------- */

static inline double square_difference(lr_candidate f, size_t i, size_t j)
{
    double d = f.u[i] - f.u[j];
    return f.category ? (double)(d != 0.0) : d * d;
}

void lr_subset_product(const lr_pair_lists *pairs, lr_candidate f,
                       double width, const double *w, size_t from, size_t to,
                       double *next)
{
    for (size_t j = from; j < to; j++)
        for (size_t t = pairs->start[j]; t < pairs->start[j + 1]; t++) {
            size_t i = (size_t)pairs->partner[t];
            next[t] = w[t] * exp(-square_difference(f, i, j) / width);
        }
}

double lr_subset_sum(const lr_pair_lists *pairs, const double *w)
{
    double sum = 0.0;
    for (size_t j = 0; j < pairs->samples; j++)
        for (size_t t = pairs->start[j]; t < pairs->start[j + 1]; t++) {
            double d = w[t] - (t < pairs->must_end[j] ? 1.0 : 0.0);
            sum += d * d;
        }
    return sum;
}

void lr_subset_squares(const lr_pair_lists *pairs, lr_candidate f,
                       double *squares)
{
    for (size_t j = 0; j < pairs->samples; j++)
        for (size_t t = pairs->start[j]; t < pairs->start[j + 1]; t++)
            squares[t] += square_difference(f, (size_t)pairs->partner[t], j);
}

double lr_subset_error(const lr_pair_lists *pairs, const double *squares,
                       double width)
{
    double sum = 0.0;
    for (size_t j = 0; j < pairs->samples; j++)
        for (size_t t = pairs->start[j]; t < pairs->start[j + 1]; t++) {
            double target = t < pairs->must_end[j] ? 1.0 : 0.0;
            double d = exp(-squares[t] / width) - target;
            sum += d * d;
        }
    return sum;
}

/* ---- how to screen ------------------------------------------------------- */

static const double unit = 1.0 / 16777216.0; /* rounding of a float: 2^-24 */

enum { SEGMENT = 64 }; /* additions in single precision before a double one */

/* I_k(a), the modified Bessel function: exp(a x) = I_0 + 2 sum I_k T_k(x). */
static double bessel(int k, double a)
{
    double term = 1.0, sum = 0.0;
    for (int i = 1; i <= k; i++)
        term *= 0.5 * a / i;
    for (int m = 1; m < 30; m++) {
        sum += term;
        term *= 0.25 * a * a / ((double)m * (double)(m + k));
    }
    return sum;
}

/* exp(y) for |y| <= a as a polynomial: Chebyshev's series cut off, transposed into
 * powers. Returns a bound of its error. */
static double fit_exp(double a, int degree, float *coefficient)
{
    double before[LR_MAX_DEGREE + 1] = {1.0}; /* T_(k-1), powers of y / a */
    double now[LR_MAX_DEGREE + 1] = {0.0, 1.0};
    double sum[LR_MAX_DEGREE + 1] = {0.0};
    sum[0] = bessel(0, a);
    for (int k = 1; k <= degree; k++) {
        double c = 2.0 * bessel(k, a), next[LR_MAX_DEGREE + 1];
        for (int i = 0; i <= LR_MAX_DEGREE; i++) {
            sum[i] += c * now[i];
            next[i] = (i > 0 ? 2.0 * now[i - 1] : 0.0) - before[i];
        }
        memcpy(before, now, sizeof now);
        memcpy(now, next, sizeof next);
    }
    double scale = 1.0;
    for (int i = 0; i <= degree; i++, scale *= a)
        coefficient[i] = (float)(sum[i] / scale);
    return 4.0 * bessel(degree + 1, a);
}

/* Roundings of one kernel value, each of one unit: v and the product of two
 * (five, times the largest exponent), Horner's scheme with its coefficients
 * (three and the part of the smaller terms), g_i, g_j, w and three products. */
static double rounding(double exponent, double a)
{
    return (5.0 * exponent + 9.0 + 3.0 * a * exp(2.0 * a)) * unit;
}

lr_screen_plan lr_plan_screen(double half)
{
    static const int degrees[] = {3, 5, 8};
    lr_screen_plan plan = {LR_TOO_WIDE, 0, {0.0f}, 0.0};
    double a = 2.0 * half * half;
    /* a hair wider than the values, which are rounded */
    double wide = a * (1.0 + 1e-6) + 1e-6;
    for (size_t d = 0; d < sizeof degrees / sizeof *degrees; d++) {
        double miss = fit_exp(wide, degrees[d], plan.coefficient) * exp(wide);
        if (miss > 1e-7)
            continue;
        plan.kind = LR_POLYNOMIAL;
        plan.degree = degrees[d];
        plan.error = miss + rounding(wide, wide);
        return plan;
    }
    double exponent = 4.0 * half * half;
    if (exponent < 60.0) {
        /* 2^f, |f| <= 1/2: the coefficients take up log(2) */
        double b = 0.5 * log(2.0), power = 1.0;
        double miss = fit_exp(b * (1.0 + 1e-6), 5, plan.coefficient);
        for (int i = 0; i <= 5; i++, power *= log(2.0))
            plan.coefficient[i] = (float)(plan.coefficient[i] * power);
        plan.kind = LR_POWER;
        plan.degree = 5;
        plan.error = 2.0 * miss + rounding(exponent, b);
    }
    return plan;
}

/* The middle of a feature's range: what makes |v| smallest. */
static double middle(const double *u, size_t n)
{
    double low = u[0], high = u[0];
    for (size_t i = 1; i < n; i++) {
        low = u[i] < low ? u[i] : low;
        high = u[i] > high ? u[i] : high;
    }
    return 0.5 * low + 0.5 * high;
}

void lr_pack_candidates(const lr_screen_plan *plan, const lr_candidate *f,
                        size_t count, size_t samples, double width, float *v,
                        float *g)
{
    double scale = 1.0 / sqrt(width);
    if (plan->kind == LR_POWER)
        scale *= sqrt(1.0 / log(2.0));
    for (size_t l = 0; l < LR_CANDIDATES; l++) {
        int there = l < count && !f[l].category;
        double mid = there ? middle(f[l].u, samples) : 0.0;
        for (size_t i = 0; i < samples; i++) {
            double value = there ? (f[l].u[i] - mid) * scale : 0.0;
            v[i * LR_CANDIDATES + l] = (float)value;
            /* of the rounded value: its rounding then cancels nowhere */
            value = (double)(float)value;
            g[i * LR_CANDIDATES + l] = (float)exp(-value * value);
        }
    }
}

/* Squares of smaller kernels would lie below the range of a float. */
static const double negligible = 1e-15;

double lr_narrow_kernels(const lr_pair_lists *pairs, const double *w,
                         float *narrow)
{
    double lost = 0.0;
    for (size_t j = 0; j < pairs->samples; j++)
        for (size_t t = pairs->start[j]; t < pairs->start[j + 1]; t++) {
            int small = w[t] < negligible;
            narrow[t] = small ? 0.0f : (float)w[t];
            if (small)
                lost += t < pairs->must_end[j] ? 2.0 * w[t] : w[t] * w[t];
        }
    return lost;
}

/* ---- screening ----------------------------------------------------------- */

/* Sums over all pairs of p and p^2, p the kernel of F and the candidate. */
typedef struct {
    double first[LR_CANDIDATES], second[LR_CANDIDATES];
} kernel_sums;

typedef struct {
    const lr_pair_lists *pairs;
    const float *narrow, *v, *g, *coefficient;
} screen_input;

#ifdef LR_HAS_VECTORS

typedef float f16 __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t i16 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float f32 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t i32 __attribute__((vector_size(32), aligned(4), may_alias));

#define HORNER_3(c, y) (((c[3] * y + c[2]) * y + c[1]) * y + c[0])
#define HORNER_5(c, y)                                                        \
    (((((c[5] * y + c[4]) * y + c[3]) * y + c[2]) * y + c[1]) * y + c[0])
#define HORNER_8(c, y)                                                        \
    ((((((((c[8] * y + c[7]) * y + c[6]) * y + c[5]) * y + c[4]) * y + c[3])  \
       * y + c[2]) * y + c[1]) * y + c[0])

#define POLYNOMIAL(horner, c, vi, gi, vj, vec, whole)                         \
    (__extension__({ vec y = (vi) * (vj); horner(c, y) * (gi); }))

/* 2^(-d^2): adding 1.5 * 2^23 leaves the nearest whole number in the last
 * bits, which then move into the exponent. */
#define POWER(horner, c, vi, gi, vj, vec, whole)                              \
    (__extension__({                                                          \
        vec d = (vi) - (vj), y = -(d * d), z = y + 12582912.0f;               \
        vec f = y - (z - 12582912.0f), p = horner(c, f);                      \
        (vec)((whole)p + ((whole)z << 23));                                   \
    }))

/* Partners from t to end: two vectors of candidates side by side. The column's
 * own factor g_j waits until the column's end. */
#define SUM_PARTNERS(vec, whole, value, horner, with_first)                   \
    while (t < end) {                                                         \
        size_t stop = end - t > SEGMENT ? t + SEGMENT : end;                  \
        vec p1 = {0}, q1 = {0}, p2 = {0}, q2 = {0};                           \
        for (; t < stop; t++) {                                               \
            size_t at = (size_t)partner[t] * LR_CANDIDATES + lane;            \
            float w = narrow[t];                                              \
            vec p = value(horner, c, *(const vec *)(v + at),                  \
                          *(const vec *)(g + at), vj, vec, whole) * w;        \
            vec q = value(horner, c, *(const vec *)(v + at + W),              \
                          *(const vec *)(g + at + W), wj, vec, whole) * w;    \
            if (with_first) {                                                 \
                p1 += p;                                                      \
                q1 += q;                                                      \
            }                                                                 \
            p2 += p * p;                                                      \
            q2 += q * q;                                                      \
        }                                                                     \
        for (int l = 0; l < W; l++) {                                         \
            if (with_first) {                                                 \
                first[l] += p1[l];                                            \
                first[W + l] += q1[l];                                        \
            }                                                                 \
            second[l] += p2[l];                                               \
            second[W + l] += q2[l];                                           \
        }                                                                     \
    }

#define SCREEN(name, attribute, vec, whole, value, horner, twice, factored)   \
    attribute static void name(const screen_input *input, kernel_sums *sums)  \
    {                                                                         \
        enum { W = sizeof(vec) / sizeof(float) };                             \
        const lr_pair_lists *pairs = input->pairs;                            \
        const int *partner = pairs->partner;                                  \
        const float *narrow = input->narrow, *v = input->v, *g = input->g;    \
        vec c[LR_MAX_DEGREE + 1];                                             \
        for (int k = 0; k <= LR_MAX_DEGREE; k++)                              \
            c[k] = (vec){0} + input->coefficient[k];                          \
        for (size_t lane = 0; lane < LR_CANDIDATES; lane += 2 * W) {          \
            for (size_t j = 0; j < pairs->samples; j++) {                     \
                double first[2 * W] = {0.0}, second[2 * W] = {0.0};           \
                const float *own = v + j * LR_CANDIDATES + lane;              \
                vec vj = *(const vec *)own * twice;                           \
                vec wj = *(const vec *)(own + W) * twice;                     \
                size_t t = pairs->start[j], end = pairs->must_end[j];         \
                SUM_PARTNERS(vec, whole, value, horner, 1)                    \
                end = pairs->start[j + 1];                                    \
                SUM_PARTNERS(vec, whole, value, horner, 0)                    \
                for (size_t l = 0; l < 2 * W; l++) {                          \
                    double gj = factored                                      \
                        ? g[j * LR_CANDIDATES + lane + l] : 1.0;              \
                    sums->first[lane + l] += gj * first[l];                   \
                    sums->second[lane + l] += gj * gj * second[l];            \
                }                                                             \
            }                                                                 \
        }                                                                     \
    }

SCREEN(polynomial_3_16, , f16, i16, POLYNOMIAL, HORNER_3, 2.0f, 1)
SCREEN(polynomial_5_16, , f16, i16, POLYNOMIAL, HORNER_5, 2.0f, 1)
SCREEN(polynomial_8_16, , f16, i16, POLYNOMIAL, HORNER_8, 2.0f, 1)
SCREEN(power_16, , f16, i16, POWER, HORNER_5, 1.0f, 0)

#ifdef LR_HAS_WIDE
SCREEN(polynomial_3_32, LR_WIDE, f32, i32, POLYNOMIAL, HORNER_3, 2.0f, 1)
SCREEN(polynomial_5_32, LR_WIDE, f32, i32, POLYNOMIAL, HORNER_5, 2.0f, 1)
SCREEN(polynomial_8_32, LR_WIDE, f32, i32, POLYNOMIAL, HORNER_8, 2.0f, 1)
SCREEN(power_32, LR_WIDE, f32, i32, POWER, HORNER_5, 1.0f, 0)
#endif

#else /* no vector extension: one candidate after the other */

static float plain_kernel(const screen_input *input, size_t i, size_t j,
                          int degree, int factored)
{
    float vi = input->v[i], vj = input->v[j], y, d = vi - vj;
    const float *c = input->coefficient;
    if (!factored)
        return exp2f(-(d * d));
    y = 2.0f * vi * vj;
    float p = c[degree];
    for (int k = degree - 1; k >= 0; k--)
        p = p * y + c[k];
    return p * input->g[i] * input->g[j];
}

static void plain_screen(const screen_input *input, kernel_sums *sums,
                         int degree, int factored)
{
    const lr_pair_lists *pairs = input->pairs;
    for (size_t l = 0; l < LR_CANDIDATES; l++)
        for (size_t j = 0; j < pairs->samples; j++)
            for (size_t t = pairs->start[j]; t < pairs->start[j + 1]; t++) {
                size_t i = (size_t)pairs->partner[t] * LR_CANDIDATES + l;
                double p = plain_kernel(input, i, j * LR_CANDIDATES + l,
                                        degree, factored) * input->narrow[t];
                if (t < pairs->must_end[j])
                    sums->first[l] += p;
                sums->second[l] += p * p;
            }
}

#define SCREEN(name, degree, factored)                                        \
    static void name(const screen_input *input, kernel_sums *sums)            \
    {                                                                         \
        plain_screen(input, sums, degree, factored);                          \
    }

SCREEN(polynomial_3_16, 3, 1)
SCREEN(polynomial_5_16, 5, 1)
SCREEN(polynomial_8_16, 8, 1)
SCREEN(power_16, 5, 0)

#endif

typedef void (*screen_kernel)(const screen_input *, kernel_sums *);

static screen_kernel choose_screen(const lr_screen_plan *plan, lr_level level)
{
    int at = plan->kind == LR_POWER ? 3
        : plan->degree == 3 ? 0 : plan->degree == 5 ? 1 : 2;
#ifdef LR_HAS_WIDE
    static const screen_kernel wide[] = {polynomial_3_32, polynomial_5_32,
                                         polynomial_8_32, power_32};
    if (lr_is_wide(level))
        return wide[at];
#endif
    static const screen_kernel portable[] = {
        polynomial_3_16, polynomial_5_16, polynomial_8_16, power_16};
    (void)level;
    return portable[at];
}

void lr_subset_screen(const lr_pair_lists *pairs, const lr_screen_pack *pack,
                      lr_level level, double *score, double *bound)
{
    const lr_screen_plan *plan = pack->plan;
    screen_input input = {pairs, pack->narrow, pack->v, pack->g,
                          plan->coefficient};
    kernel_sums sums;
    memset(&sums, 0, sizeof sums);
    choose_screen(plan, level)(&input, &sums);
    double must = 0.0, count = (double)pairs->start[pairs->samples];
    for (size_t j = 0; j < pairs->samples; j++)
        must += (double)(pairs->must_end[j] - pairs->start[j]);
    /* sums of a segment in floats, all of them in doubles here and there */
    double summing = (SEGMENT + 2) * unit, both = count * 4.5e-16;
    double one = plan->error;
    for (int l = 0; l < LR_CANDIDATES; l++) {
        score[l] = sums.second[l] - 2.0 * sums.first[l];
        bound[l] = 1.01
            * ((2.0 * one + summing) * sums.second[l]
               + 2.0 * (one + summing) * sums.first[l]
               + both * (sums.second[l] + must) + pack->lost);
    }
}
