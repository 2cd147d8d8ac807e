/* Margins of several features at once against one feature at a time, and both
 * against equation (3.16) written out. */
#include "margin_pairs.h"

#include "check.h"
#include "lr_difference.h"
#include "random.h"

typedef struct {
    lr_margin_pairs p;
    int *first, *second, *end, *hit, *count;
    int places;
} problem;

static problem make_problem(int places, int n_ends, int n_pairs, int k,
                            int both)
{
    problem m;
    m.places = places;
    m.first = integers((size_t)n_pairs);
    m.second = integers((size_t)n_pairs);
    m.end = integers((size_t)n_ends);
    m.count = integers((size_t)n_ends);
    m.hit = integers((size_t)(n_ends * k));
    for (int t = 0; t < n_pairs; t++) {
        m.first[t] = random_below(n_ends);
        m.second[t] = random_below(n_ends);
    }
    for (int e = 0; e < n_ends; e++) {
        m.end[e] = random_below(places);
        m.count[e] = random_below(k + 1); /* none is possible */
        for (int j = 0; j < k; j++) /* what lies beyond is not to be read */
            m.hit[e * k + j] = j < m.count[e] ? random_below(places) : 1 << 30;
    }
    lr_margin_pairs p = {(size_t)n_pairs, m.first, m.second, (size_t)n_ends,
                         m.end, (size_t)k, m.hit, m.count, both, NULL};
    m.p = p;
    return m;
}

static void free_problem(problem *m)
{
    free(m->first);
    free(m->second);
    free(m->end);
    free(m->count);
    free(m->hit);
}

static void add_plain(const lr_margin_pairs *pairs, const double *u, int fresh,
                      lr_margin_sum *sums, double *scratch)
{
    lr_values values = {u, NULL, NULL};
    lr_margins(pairs, &values, fresh, sums, scratch);
}

static void add_other(const lr_margin_pairs *pairs, const double *u,
                      const double *expected, const lr_rule *rule, int fresh,
                      lr_margin_sum *sum, double *scratch)
{
    lr_values values = {u, expected, rule};
    lr_margins(pairs, &values, fresh, sum, scratch);
}

/* Mean difference of an end point to the hits of another one. */
static double to_hits(const problem *m, const double *u, const double *expected,
                      const lr_rule *rule, int sample, int owner, int lanes)
{
    double sum = 0.0;
    int a = m->end[sample];
    for (int j = 0; j < m->count[owner]; j++) {
        int b = m->hit[owner * (int)m->p.k + j];
        double ua = u[a * lanes], ub = u[b * lanes];
        double ea = expected ? expected[a] : 0.0;
        double eb = expected ? expected[b] : 0.0;
        if (a != b) /* to itself 0, in a missing cell too */
            sum += lr_difference(ua, ub, ea, eb, rule);
    }
    return m->count[owner] > 0 ? sum / m->count[owner] : 0.0;
}

static double margin_of(const problem *m, const double *u,
                        const double *expected, const lr_rule *rule, int t,
                        int lanes)
{
    int a = m->first[t], b = m->second[t];
    double one = to_hits(m, u, expected, rule, a, b, lanes)
        - to_hits(m, u, expected, rule, a, a, lanes);
    if (!m->p.both)
        return one;
    double two = to_hits(m, u, expected, rule, b, a, lanes)
        - to_hits(m, u, expected, rule, b, b, lanes);
    return (one + two) / 2.0;
}

static void check_sum(const problem *m, const double *u,
                      const double *expected, const lr_rule *rule, int lanes,
                      const lr_margin_sum *got)
{
    double sum = 0.0, first = 0.0, deviation = 0.0, square = 0.0;
    for (int t = 0; t < (int)m->p.n_pairs; t++) {
        double margin = margin_of(m, u, expected, rule, t, lanes);
        first = t == 0 ? margin : first;
        sum += margin;
        deviation += margin - first;
        square += (margin - first) * (margin - first);
    }
    CHECK_NEAR(got->sum, sum, 1e-12);
    CHECK_NEAR(got->first, first, 1e-14);
    CHECK_NEAR(got->deviation, deviation, 1e-12);
    CHECK_NEAR(got->square, square, 1e-12);
    CHECK(got->size >= 0.0 && (got->sum == 0.0 || got->size > 0.0));
}

static void check_same_sum(const lr_margin_sum *got, const lr_margin_sum *want)
{
    CHECK_SAME(got->sum, want->sum);
    CHECK_SAME(got->first, want->first);
    CHECK_SAME(got->deviation, want->deviation);
    CHECK_SAME(got->square, want->square);
    CHECK_SAME(got->size, want->size);
}

static const lr_rule number = {0, 1.0, NULL};

static void test_lanes(void)
{
    random_seed(1);
    for (int t = 0; t < trials(200); t++) {
        int places = 1 + random_below(20), n_ends = 1 + random_below(9);
        problem m = make_problem(places, n_ends, 1 + random_below(12),
                                 1 + random_below(6), t % 2);
        size_t cells = (size_t)(places * LR_LANES);
        double *u = doubles(cells), *one = doubles((size_t)places);
        double *scratch = doubles((size_t)(n_ends * LR_LANES));
        double *scratch_one = doubles((size_t)n_ends);
        lr_margin_sum sums[LR_LANES], alone;
        for (size_t i = 0; i < cells; i++)
            u[i] = random_unit();
        add_plain(&m.p, u, 1, sums, scratch);
        for (int l = 0; l < LR_LANES; l++) {
            for (int i = 0; i < places; i++)
                one[i] = u[i * LR_LANES + l];
            add_other(&m.p, one, NULL, &number, 1, &alone, scratch_one);
            check_same_sum(sums + l, &alone);
            check_sum(&m, u + l, NULL, &number, LR_LANES, sums + l);
        }
        free(u);
        free(one);
        free(scratch);
        free(scratch_one);
        free_problem(&m);
    }
}

static void test_other(void)
{
    random_seed(2);
    for (int t = 0; t < trials(200); t++) {
        int places = 1 + random_below(20), n_ends = 1 + random_below(9);
        int category = t % 3 == 0;
        lr_rule rule = {category, 1.0, NULL};
        problem m = make_problem(places, n_ends, 1 + random_below(12),
                                 1 + random_below(6), t % 2);
        double *u = doubles((size_t)places), *e = doubles((size_t)places);
        double *scratch = doubles((size_t)n_ends);
        lr_margin_sum sum;
        for (int i = 0; i < places; i++) {
            u[i] = category ? random_below(3) : random_unit();
            e[i] = random_unit();
        }
        add_other(&m.p, u, NULL, &rule, 1, &sum, scratch);
        check_sum(&m, u, NULL, &rule, 1, &sum);
        for (int i = 0; i < places; i++)
            if (random_below(4) == 0) {
                u[i] = NAN;
                e[i] = 0.75; /* the same for all missing cells */
            }
        add_other(&m.p, u, e, &rule, 1, &sum, scratch);
        check_sum(&m, u, e, &rule, 1, &sum);
        free(u);
        free(e);
        free(scratch);
        free_problem(&m);
    }
}

/* Pairs that come in portions leave the same bits as all at once. */
static void test_portions(void)
{
    random_seed(3);
    for (int t = 0; t < 50; t++) {
        int places = 2 + random_below(20), n_ends = 2 + random_below(9);
        int pairs = 2 + random_below(30);
        problem m = make_problem(places, n_ends, pairs, 3, t % 2);
        double *u = doubles((size_t)(places * LR_LANES));
        double *scratch = doubles((size_t)(n_ends * LR_LANES));
        lr_margin_sum whole[LR_LANES], parts[LR_LANES], one, one_by_parts;
        for (int i = 0; i < places * LR_LANES; i++)
            u[i] = random_unit();
        add_plain(&m.p, u, 1, whole, scratch);
        add_other(&m.p, u, NULL, &number, 1, &one, scratch);
        for (int from = 0, taken; from < pairs; from += taken) {
            lr_margin_pairs part = m.p;
            taken = 1 + random_below(pairs - from);
            part.first = m.first + from;
            part.second = m.second + from;
            part.n_pairs = (size_t)taken;
            add_plain(&part, u, from == 0, parts, scratch);
            add_other(&part, u, NULL, &number, from == 0, &one_by_parts,
                      scratch);
        }
        for (int l = 0; l < LR_LANES; l++)
            check_same_sum(parts + l, whole + l);
        check_same_sum(&one_by_parts, &one);
        free(u);
        free(scratch);
        free_problem(&m);
    }
}

/* Pairs with weights 1 or 3 are pairs given once or three times. */
static void test_weights(void)
{
    random_seed(4);
    for (int t = 0; t < 50; t++) {
        int places = 2 + random_below(20), n_ends = 2 + random_below(9);
        int pairs = 1 + random_below(20), more = 0;
        problem m = make_problem(places, n_ends, pairs, 3, t % 2);
        double *u = doubles((size_t)(places * LR_LANES)), weight[20];
        double *scratch = doubles((size_t)(n_ends * LR_LANES));
        int first[60], second[60];
        lr_margin_sum weighted[LR_LANES], repeated[LR_LANES], one, one_repeated;
        for (int i = 0; i < places * LR_LANES; i++)
            u[i] = random_unit();
        for (int i = 0; i < pairs; i++) {
            weight[i] = random_below(2) ? 1.0 : 3.0;
            for (int r = 0; r < (int)weight[i]; r++, more++) {
                first[more] = m.first[i];
                second[more] = m.second[i];
            }
        }
        lr_margin_pairs all = m.p;
        all.first = first;
        all.second = second;
        all.n_pairs = (size_t)more;
        add_plain(&all, u, 1, repeated, scratch);
        add_other(&all, u, NULL, &number, 1, &one_repeated, scratch);
        m.p.weight = weight;
        add_plain(&m.p, u, 1, weighted, scratch);
        add_other(&m.p, u, NULL, &number, 1, &one, scratch);
        for (int l = 0; l < LR_LANES; l++)
            CHECK_NEAR(weighted[l].sum, repeated[l].sum, 1e-12);
        CHECK_NEAR(one.sum, one_repeated.sum, 1e-12);
        free(u);
        free(scratch);
        free_problem(&m);
    }
}

/* Equal margins have no spread at all, whatever they are. */
static void test_equal_margins(void)
{
    int first[7] = {0}, second[7] = {1, 1, 1, 1, 1, 1, 1};
    int end[] = {0, 1}, hit[] = {2, 1}, count[] = {1, 1};
    double u[] = {0.1, 0.7 / 3.0, 0.3}, scratch[2];
    lr_margin_pairs p = {7, first, second, 2, end, 1, hit, count, 0, NULL};
    lr_margin_sum sum;
    add_other(&p, u, NULL, &number, 1, &sum, scratch);
    CHECK(sum.first != 0.0);
    CHECK_SAME(sum.deviation, 0.0);
    CHECK_SAME(sum.square, 0.0);
}

int main(void)
{
    test_lanes();
    test_other();
    test_portions();
    test_weights();
    test_equal_margins();
    return check_report();
}
