/* Sums of the score of a subset and a candidate, by vectors where there are
 * any. */
#include "subset_forward.h"

#include <math.h>

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

/* ---- what screening works on --------------------------------------------- */

static const double unit = 1.0 / 16777216.0; /* rounding of a float: 2^-24 */

enum { SEGMENT = 64 }; /* additions in single precision before a double one */

/* 2^f for |f| <= 1/2: Chebyshev's series of exp(f log 2), cut off after the
 * fifth power, as powers of f, and a bound of its relative error. */
static const float power[] = {1.00000012f,   0.693147182f,  0.240221083f,
                              0.0555032715f, 0.00967603736f, 0.00134004315f};
static const double series_error = 3.03e-7;

double lr_screen_error(double half)
{
    double exponent = 4.0 * half * half, b = 0.5 * log(2.0);
    /* Roundings of one kernel value, each of one unit: v and the product of
     * two (five, times the largest exponent), Horner's scheme with its
     * coefficients (three and the part of the smaller terms), w and three
     * products. */
    return exponent >= 60.0 ? INFINITY
        : series_error
            + (5.0 * exponent + 9.0 + 3.0 * b * exp(2.0 * b)) * unit;
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

void lr_pack_candidates(const lr_candidate *f, size_t count, size_t samples,
                        double width, float *v)
{
    double scale = sqrt(1.0 / (width * log(2.0)));
    for (size_t l = 0; l < LR_CANDIDATES; l++) {
        int there = l < count && !f[l].category;
        double mid = there ? middle(f[l].u, samples) : 0.0;
        for (size_t i = 0; i < samples; i++)
            v[i * LR_CANDIDATES + l] =
                there ? (float)((f[l].u[i] - mid) * scale) : 0.0f;
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

/* A stretch of one sample's partners, which all belong with it or all not. */
typedef struct {
    const int *partner;
    const float *narrow, *own; /* own: v of the sample itself */
    size_t count;
} segment;

#define POWER_OF_TWO(f)                                                       \
    (((((power[5] * f + power[4]) * f + power[3]) * f + power[2]) * f         \
      + power[1]) * f + power[0])

/* p with the last bits of z added to its exponent. */
#ifdef LR_HAS_VECTORS
#define MOVED(vec, whole, p, z) ((vec)((whole)(p) + ((whole)(z) << 23)))
#else /* a vector is one number */
#define SEEN_AS(to, from, x) (((union { from a; to b; }){(x)}).b)
#define BITS(x) SEEN_AS(uint32_t, float, x)
#define MOVED(v, w, p, z) SEEN_AS(float, uint32_t, BITS(p) + (BITS(z) << 23))
#endif

/* Sums of p and p^2 of a vector of candidates. p is 2^(-d^2): adding
 * 1.5 * 2^23 leaves the nearest whole number in the last bits, which then move
 * into the exponent. */
#define SCREEN(name, attribute, vec, whole)                                   \
    attribute static void name(const segment *s, const float *v,              \
                               float *first, float *second)                   \
    {                                                                         \
        vec own = *(const vec *)s->own, p1 = {0}, p2 = {0};                   \
        for (size_t t = 0; t < s->count; t++) {                               \
            size_t at = (size_t)s->partner[t] * LR_CANDIDATES;                \
            vec d = *(const vec *)(v + at) - own;                             \
            vec y = -(d * d), z = y + 12582912.0f;                            \
            vec f = y - (z - 12582912.0f), p = POWER_OF_TWO(f);               \
            p = MOVED(vec, whole, p, z) * s->narrow[t];                       \
            p1 += p;                                                          \
            p2 += p * p;                                                      \
        }                                                                     \
        *(vec *)first = p1;                                                   \
        *(vec *)second = p2;                                                  \
    }

SCREEN(screen_narrow, , lr_floats, lr_marks)

#ifdef LR_HAS_WIDE
SCREEN(screen_wide, LR_WIDE, lr_f32, lr_m32)
SCREEN(screen_widest, LR_WIDEST, lr_f64, lr_m64)
#endif

/* By the width of vectors, each for twice the candidates of the one before. */
static void (*const screens[])(const segment *, const float *, float *,
                               float *) = {
    screen_narrow,
#ifdef LR_HAS_WIDE
    screen_wide, screen_widest
#endif
};

/* All candidates of a pack against one segment. */
static void add_segment(const segment *s, const float *v, int width,
                        int is_must, kernel_sums *sums)
{
    size_t step = (size_t)LR_FLOATS << width;
    float first[LR_CANDIDATES], second[LR_CANDIDATES];
    for (size_t l = 0; l < LR_CANDIDATES; l += step) {
        segment part = *s;
        part.own += l;
        screens[width](&part, v + l, first + l, second + l);
    }
    for (int l = 0; l < LR_CANDIDATES; l++) {
        sums->first[l] += is_must ? first[l] : 0.0f;
        sums->second[l] += second[l];
    }
}

void lr_subset_screen(const lr_pair_lists *pairs, const lr_screen_pack *pack,
                      lr_level level, double *score, double *bound)
{
    kernel_sums sums = {{0.0}, {0.0}};
    double must = 0.0, count = (double)pairs->start[pairs->samples];
    int width = lr_width(level);
    for (size_t j = 0; j < pairs->samples; j++) {
        size_t t = pairs->start[j], must_end = pairs->must_end[j];
        must += (double)(must_end - t);
        while (t < pairs->start[j + 1]) {
            size_t end = t < must_end ? must_end : pairs->start[j + 1];
            segment s = {pairs->partner + t, pack->narrow + t,
                         pack->v + j * LR_CANDIDATES,
                         end - t < SEGMENT ? end - t : SEGMENT};
            add_segment(&s, pack->v, width, t < must_end, &sums);
            t += s.count;
        }
    }
    /* sums of a segment in floats, all of them in doubles here and there */
    double summing = (SEGMENT + 2) * unit, both = count * 4.5e-16;
    double one = pack->error;
    for (int l = 0; l < LR_CANDIDATES; l++) {
        score[l] = sums.second[l] - 2.0 * sums.first[l];
        bound[l] = 1.01
            * ((2.0 * one + summing) * sums.second[l]
               + 2.0 * (one + summing) * sums.first[l]
               + both * (sums.second[l] + must) + pack->lost);
    }
}
