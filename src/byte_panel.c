#include "byte_panel.h"

#include <math.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

static double clamp(double t)
{
    return t < 0.0 ? 0.0 : t > 255.0 ? 255.0 : t;
}

int lr_is_unit_range(const lr_dense_cells *c, const double *minimum,
                     const double *maximum)
{
    for (size_t j = 0; j < c->p; j++)
        if (c->divisor[j] != 0.0
            && (c->divisor[j] < 1e-290 || c->center[j] != minimum[j]
                || c->divisor[j] != maximum[j] - minimum[j]))
            return 0;
    return 1;
}

size_t lr_byte_rows(size_t ld)
{
    size_t rows = LR_BYTE_BLOCK / ld / LR_BYTE_UNIT * LR_BYTE_UNIT;
    return rows < LR_BYTE_UNIT ? LR_BYTE_UNIT
        : rows > LR_BYTE_MOST_ROWS ? LR_BYTE_MOST_ROWS : rows;
}

/* ---- rounding ------------------------------------------------------------ */

static void round_plainly(const double *x, size_t n, double center,
                          double factor, unsigned char *out, double *residual)
{
    for (size_t i = 0; i < n; i++) {
        double t = (x[i] - center) * factor;
        int q = (int)(clamp(t) + 0.5);
        out[i] = (unsigned char)q;
        residual[i] += fabs(t - q);
    }
}

#ifdef __SSE2__

/* Two cells: their bytes in the lower two ints, their residuals added. */
static inline __m128i round_two(const double *x, __m128d center,
                                __m128d factor, double *residual)
{
    __m128d t = _mm_mul_pd(_mm_sub_pd(_mm_loadu_pd(x), center), factor);
    __m128d inside = _mm_min_pd(_mm_max_pd(t, _mm_setzero_pd()),
                                _mm_set1_pd(255.0));
    __m128i q = _mm_cvtpd_epi32(inside);
    __m128d rest = _mm_andnot_pd(_mm_set1_pd(-0.0),
                                 _mm_sub_pd(t, _mm_cvtepi32_pd(q)));
    _mm_storeu_pd(residual, _mm_add_pd(_mm_loadu_pd(residual), rest));
    return q;
}

static inline __m128i round_four(const double *x, __m128d center,
                                 __m128d factor, double *residual)
{
    return _mm_unpacklo_epi64(round_two(x, center, factor, residual),
                              round_two(x + 2, center, factor, residual + 2));
}

static void round_column(const double *x, size_t n, double center,
                         double factor, unsigned char *out, double *residual)
{
    __m128d c = _mm_set1_pd(center), f = _mm_set1_pd(factor);
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i q[4];
        for (int k = 0; k < 4; k++)
            q[k] = round_four(x + i + 4 * k, c, f, residual + i + 4 * k);
        _mm_storeu_si128((__m128i *)(out + i),
                         _mm_packus_epi16(_mm_packs_epi32(q[0], q[1]),
                                          _mm_packs_epi32(q[2], q[3])));
    }
    round_plainly(x + i, n - i, center, factor, out + i, residual + i);
}

/* 16 columns of 16 bytes, `from` apart, as rows `to` apart: four times the
 * first half of the columns is dealt between the second. */
static void turn(const unsigned char *in, size_t from, unsigned char *out,
                 size_t to)
{
    __m128i a[16], b[16];
    for (int i = 0; i < 16; i++)
        a[i] = _mm_loadu_si128((const __m128i *)(in + (size_t)i * from));
    for (int times = 0; times < 4; times++) {
        for (int i = 0; i < 8; i++) {
            b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 8]);
            b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 8]);
        }
        memcpy(a, b, sizeof a);
    }
    for (int i = 0; i < 16; i++)
        _mm_storeu_si128((__m128i *)(out + (size_t)i * to), a[i]);
}

#else

#define round_column round_plainly

static void turn(const unsigned char *in, size_t from, unsigned char *out,
                 size_t to)
{
    for (size_t i = 0; i < 16; i++)
        for (size_t j = 0; j < 16; j++)
            out[j * to + i] = in[i * from + j];
}

#endif

void lr_round_rows(const lr_dense_cells *c, size_t from, size_t to, size_t ld,
                   unsigned char *bytes, double *residual, unsigned char *tile)
{
    size_t n = to - from, rows = (n + 15) / 16 * 16;
    memset(residual, 0, rows * sizeof(double));
    for (size_t first = 0; first < ld; first += LR_BYTE_TILE) {
        memset(tile, 0, (size_t)LR_BYTE_TILE * LR_BYTE_MOST_ROWS);
        for (size_t j = 0; j < LR_BYTE_TILE && first + j < c->p; j++) {
            size_t feature = first + j;
            if (c->divisor[feature] != 0.0)
                round_column(c->values + feature * c->n + from, n,
                             c->center[feature], 255.0 / c->divisor[feature],
                             tile + j * LR_BYTE_MOST_ROWS, residual);
        }
        for (size_t i = 0; i < rows; i += 16)
            for (size_t j = 0; j < LR_BYTE_TILE; j += 16)
                turn(tile + j * LR_BYTE_MOST_ROWS + i, LR_BYTE_MOST_ROWS,
                     bytes + i * ld + first + j, ld);
    }
}

void lr_byte_panel_fill(lr_byte_panel *panel, const lr_dense_cells *c,
                        const int *end)
{
    size_t n_ends = panel->n_ends;
    double p = (double)c->p;
    memset(panel->bytes, 0, n_ends * panel->ld);
    memset(panel->residual, 0, n_ends * sizeof(double));
    panel->rounding = ldexp(p * (p + 16.0), -50);
    for (size_t j = 0; j < c->p; j++) {
        double center = c->center[j], divisor = c->divisor[j];
        double *u = panel->u + j * n_ends;
        for (size_t e = 0; e < n_ends; e++) {
            const double *x = c->values + j * c->n + end[e];
            u[e] = divisor == 0.0 ? 0.0 : (*x - center) / divisor;
            if (divisor != 0.0)
                round_plainly(x, 1, center, 255.0 / divisor,
                              panel->bytes + e * panel->ld + j,
                              panel->residual + e);
        }
    }
}

/* ---- sums of differences ------------------------------------------------- */

/* Four rows, `ld` bytes each, against one end point. */
typedef void (*byte_sums)(const unsigned char *rows, const unsigned char *end,
                          size_t ld, int *sum);

#ifdef __SSE2__

static inline int add_halves(__m128i s)
{
    return _mm_cvtsi128_si32(s) + _mm_cvtsi128_si32(_mm_srli_si128(s, 8));
}

/* Each sum has its name: gcc -O2 keeps the entries of an array in memory,
 * which takes twice as long. */
#define EACH_ROW(use) use(0) use(1) use(2) use(3)

#define OPEN_16(r)                                                            \
    const unsigned char *row##r = rows + r * ld;                              \
    __m128i s##r = _mm_setzero_si128();
#define ADD_16(r)                                                             \
    s##r = _mm_add_epi64(                                                     \
        s##r, _mm_sad_epu8(e, _mm_loadu_si128((const __m128i *)(row##r + i))));
#define SHUT_16(r) sum[r] = add_halves(s##r);

static void sums_16(const unsigned char *rows, const unsigned char *end,
                    size_t ld, int *sum)
{
    EACH_ROW(OPEN_16)
    for (size_t i = 0; i < ld; i += 16) {
        __m128i e = _mm_loadu_si128((const __m128i *)(end + i));
        EACH_ROW(ADD_16)
    }
    EACH_ROW(SHUT_16)
}

#else

static void sums_16(const unsigned char *rows, const unsigned char *end,
                    size_t ld, int *sum)
{
    for (size_t r = 0; r < 4; r++) {
        sum[r] = 0;
        for (size_t i = 0; i < ld; i++)
            sum[r] += rows[r * ld + i] > end[i] ? rows[r * ld + i] - end[i]
                                                : end[i] - rows[r * ld + i];
    }
}

#endif

#if defined(__SSE2__) && defined(__GNUC__)
#define LR_WIDE_BYTES

#define OPEN_32(r)                                                            \
    const unsigned char *row##r = rows + r * ld;                              \
    __m256i s##r = _mm256_setzero_si256();
#define ADD_32(r)                                                             \
    s##r = _mm256_add_epi64(                                                  \
        s##r, _mm256_sad_epu8(                                                \
                  e, _mm256_loadu_si256((const __m256i *)(row##r + i))));
#define SHUT_32(r)                                                            \
    sum[r] = add_halves(_mm_add_epi64(_mm256_castsi256_si128(s##r),           \
                                      _mm256_extracti128_si256(s##r, 1)));

__attribute__((target("avx2")))
static void sums_32(const unsigned char *rows, const unsigned char *end,
                    size_t ld, int *sum)
{
    EACH_ROW(OPEN_32)
    for (size_t i = 0; i < ld; i += 32) {
        __m256i e = _mm256_loadu_si256((const __m256i *)(end + i));
        EACH_ROW(ADD_32)
    }
    EACH_ROW(SHUT_32)
}

#endif

static byte_sums choose_sums(lr_level level)
{
#ifdef LR_WIDE_BYTES
    if (level == LR_FASTEST && __builtin_cpu_supports("avx2"))
        return sums_32;
#endif
    (void)level;
    return sums_16;
}

void lr_byte_offer(const lr_byte_panel *panel, const lr_screen_rule *rule,
                   const lr_rounded_rows *samples, double *bounds, int *sums,
                   lr_screen *screen)
{
    size_t n_ends = panel->n_ends, ld = panel->ld;
    double *low = bounds, *upper = bounds + n_ends;
    byte_sums add = choose_sums(panel->level);
    for (size_t row = samples->from; row < samples->to; row += 4) {
        size_t place = row - samples->from;
        const unsigned char *rows = samples->bytes + place * ld;
        for (size_t e = 0; e < n_ends; e++)
            add(rows, panel->bytes + e * ld, ld, sums + 4 * e);
        for (size_t r = 0; r < 4 && row + r < samples->to; r++) {
            double own = samples->residual[place + r];
            for (size_t e = 0; e < n_ends; e++) {
                double error = (panel->residual[e] + own) / 255.0
                    + panel->rounding;
                low[e] = sums[4 * e + r] / 255.0 - error;
                upper[e] = sums[4 * e + r] / 255.0 + error;
            }
            lr_screen_row(screen, rule, (int)(row + r), low, upper);
        }
    }
}

/* ---- exact distances ----------------------------------------------------- */

void lr_measure_pairs(const lr_byte_panel *panel, const lr_dense_cells *c,
                      lr_candidate *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pairs[i].distance = 0.0;
    for (size_t j = 0; j < c->p; j++) {
        double center = c->center[j], divisor = c->divisor[j];
        const double *x = c->values + j * c->n;
        const double *u = panel->u + j * panel->n_ends;
        if (divisor == 0.0)
            continue;
        for (size_t i = 0; i < count; i++)
            pairs[i].distance +=
                fabs(u[pairs[i].end] - (x[pairs[i].row] - center) / divisor);
    }
}
