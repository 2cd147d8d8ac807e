/* Scores of candidates against loops written out, and that screening tells the
 * truth about its error, for every way it works. */
#include "subset_forward.h"

#include "check.h"
#include "random.h"

enum { SAMPLES = 23, FEATURES = 11 };

typedef struct {
    size_t start[SAMPLES + 1], must_end[SAMPLES];
    int partner[SAMPLES * SAMPLES];
    lr_pair_lists lists;
} pair_buffer;

/* Some or all pairs, of `classes` classes. */
static void make_pairs(pair_buffer *buffer, int classes, double share)
{
    int label[SAMPLES];
    size_t at = 0;
    for (int i = 0; i < SAMPLES; i++)
        label[i] = random_below(classes);
    for (int j = 0; j < SAMPLES; j++) {
        buffer->start[j] = at;
        for (int other = 0; other < 2; other++) {
            for (int i = 0; i < j; i++)
                if ((label[i] != label[j]) == other && random_unit() < share)
                    buffer->partner[at++] = i;
            if (!other)
                buffer->must_end[j] = at;
        }
    }
    buffer->start[SAMPLES] = at;
    buffer->lists.samples = SAMPLES;
    buffer->lists.start = buffer->start;
    buffer->lists.must_end = buffer->must_end;
    buffer->lists.partner = buffer->partner;
}

static double plain_score(const pair_buffer *buffer, const double *u, int category,
                          double width, const double *w)
{
    double sum = 0.0;
    for (size_t j = 0; j < SAMPLES; j++)
        for (size_t t = buffer->start[j]; t < buffer->start[j + 1]; t++) {
            double d = u[buffer->partner[t]] - u[j];
            double square = category ? (d != 0.0 ? 1.0 : 0.0) : d * d;
            double miss = w[t] * exp(-square / width)
                - (t < buffer->must_end[j] ? 1.0 : 0.0);
            sum += miss * miss;
        }
    return sum;
}

/* In two shares, as two threads would. */
static double exact_score(const lr_pair_lists *pairs, lr_candidate f,
                          double width, const double *w)
{
    static double next[SAMPLES * SAMPLES];
    lr_subset_product(pairs, f, width, w, SAMPLES / 3, SAMPLES, next);
    lr_subset_product(pairs, f, width, w, 0, SAMPLES / 3, next);
    return lr_subset_sum(pairs, next);
}

static void test_exact(void)
{
    pair_buffer pairs;
    double u[SAMPLES], w[SAMPLES * SAMPLES], squares[SAMPLES * SAMPLES];
    random_seed(1);
    for (int turn = 0; turn < 20; turn++) {
        make_pairs(&pairs, 3, turn % 2 ? 1.0 : 0.3);
        size_t count = pairs.start[SAMPLES];
        for (size_t t = 0; t < count; t++) {
            w[t] = random_unit();
            squares[t] = 0.0;
        }
        for (int i = 0; i < SAMPLES; i++)
            u[i] = turn % 3 ? random_unit() : random_below(3);
        lr_candidate f = {u, turn % 4 == 0};
        double got = exact_score(&pairs.lists, f, 0.7, w);
        CHECK_SAME(got, plain_score(&pairs, u, f.category, 0.7, w));
        /* once more with the feature in: its score is that of w alone */
        double zeros[SAMPLES] = {0.0};
        lr_candidate none = {zeros, 0};
        lr_subset_product(&pairs.lists, f, 0.7, w, 0, SAMPLES, w);
        CHECK_NEAR(exact_score(&pairs.lists, none, 0.7, w), got, 1e-12);
        lr_subset_squares(&pairs.lists, f, squares);
        for (size_t t = 0; t < count; t++) {
            w[t] = 1.0;
            squares[t] = exp(-squares[t] / 0.7);
        }
        CHECK_NEAR(lr_subset_sum(&pairs.lists, squares),
                   plain_score(&pairs, u, f.category, 0.7, w), 1e-12);
    }
}

/* The screen's score, put next to the exact one. */
static void test_screen(double sigma, double range, int is_too_wide)
{
    pair_buffer pairs;
    double u[FEATURES][SAMPLES], w[SAMPLES * SAMPLES];
    double width = 2.0 * sigma * sigma;
    double score[LR_CANDIDATES], bound[LR_CANDIDATES];
    lr_candidate f[FEATURES];
    random_seed(7);
    make_pairs(&pairs, 2, 0.8);
    size_t count = pairs.start[SAMPLES];
    for (int k = 0; k < FEATURES; k++) {
        for (int i = 0; i < SAMPLES; i++)
            u[k][i] = range * random_unit() - 3.0;
        u[k][0] = -3.0;
        u[k][1] = range - 3.0;
        f[k].u = u[k];
        f[k].category = 0;
    }
    double error = lr_screen_error(0.5 * range / sqrt(width));
    CHECK_INT(error == INFINITY, is_too_wide);
    if (is_too_wide)
        return;
    size_t cells = (size_t)SAMPLES * LR_CANDIDATES;
    float *v = (float *)buffer(cells, sizeof(float));
    float *narrow = (float *)buffer(count, sizeof(float));
    lr_pack_candidates(f, FEATURES, SAMPLES, width, v);
    for (int turn = 0; turn < 3; turn++) {
        double must = 0.0;
        for (size_t j = 0; j < SAMPLES; j++)
            must += (double)(pairs.must_end[j] - pairs.start[j]);
        for (size_t t = 0; t < count; t++)
            w[t] = turn == 0 ? 1.0
                : turn == 1  ? random_unit()
                             : pow(10.0, -30.0 * random_unit());
        double lost = lr_narrow_kernels(&pairs.lists, w, narrow);
        for (int level = LR_PORTABLE; level <= LR_MIDDLE; level++) {
            lr_screen_pack pack = {v, narrow, error, lost};
            lr_subset_screen(&pairs.lists, &pack, (lr_level)level, score,
                             bound);
            for (int k = 0; k < FEATURES; k++) {
                double exact = exact_score(&pairs.lists, f[k], width, w);
                CHECK_BITS(fabs(score[k] + must - exact) <= bound[k],
                           "%g is not within %g of %g", score[k] + must,
                           bound[k], exact);
                CHECK(bound[k] < 1e-3 * (exact + must + 1.0));
            }
        }
    }
    free(v);
    free(narrow);
}

/* A category has no place in the screen, but must not harm it. */
static void test_category(void)
{
    double u[SAMPLES];
    float v[SAMPLES * LR_CANDIDATES];
    for (int i = 0; i < SAMPLES; i++)
        u[i] = i;
    lr_candidate f = {u, 1};
    lr_pack_candidates(&f, 1, SAMPLES, 2.0, v);
    for (int i = 0; i < SAMPLES * LR_CANDIDATES; i++)
        CHECK(v[i] == 0.0f);
}

int main(void)
{
    test_exact();
    test_screen(10.0, 1.0, 0);
    test_screen(1.0, 1.0, 0);
    test_screen(0.2, 1.0, 0);
    test_screen(0.1, 1.0, 0);
    test_screen(1.0, 8.0, 0);
    test_screen(0.01, 1.0, 1);
    test_category();
    return check_report();
}
