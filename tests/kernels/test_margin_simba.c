/* Simba's searches and steps against loops; the tiles of all starts, the
 * portable ones and the fastest give the same bits. */
#include "margin_simba.h"

#include "check.h"
#include "lr_difference.h"
#include "random.h"

/* 3 of the features are a category, one with gaps, and a constant. */
enum { N = 70, P = 300, WIDTH = 64, PADDED = 128, STARTS = 6 };

typedef struct {
    double *samples, *packed, *expected;
    double divisor[P];
    int category[P], missing[P], run[P];
    const double *expected_of[P];
    lr_scaling scaling;
    lr_simba_data data;
} problem;

static problem *new_problem(void)
{
    problem *p = (problem *)buffer(1, sizeof(problem));
    p->samples = doubles(N * P);
    p->packed = doubles(PADDED * P);
    p->expected = doubles(N);
    for (int f = 0; f < P; f++) {
        p->divisor[f] = f == 17 ? 0.0 : 1.0;
        p->category[f] = f == 100;
        p->missing[f] = f == 280 ? 3 : 0;
        p->expected_of[f] = p->expected;
    }
    for (int i = 0; i < N; i++) {
        p->expected[i] = random_unit();
        for (int f = 0; f < P; f++)
            p->samples[i * P + f] = f == 17 ? 0.0
                : f == 100                  ? (double)random_below(3)
                : f == 280 && i < 3         ? NAN
                                            : random_unit();
    }
    for (int i = 0; i < PADDED; i++)
        for (int f = 0; f < P; f++)
            p->packed[i / WIDTH * WIDTH * P + f * WIDTH + i % WIDTH] =
                i < N ? p->samples[i * P + f] : 0.0;
    p->scaling = (lr_scaling){NULL, p->divisor, p->category, p->missing,
                              NULL, 0,          NULL,        NULL,
                              p->expected_of};
    lr_simba_runs(&p->scaling, P, p->run);
    p->data = (lr_simba_data){N,         P,          WIDTH,
                              p->packed, p->samples, p->run,
                              &p->scaling, LR_PORTABLE};
    return p;
}

static void free_problem(problem *p)
{
    free(p->samples);
    free(p->packed);
    free(p->expected);
    free(p);
}

static double naive_difference(const problem *p, int f, int a, int b)
{
    double ua = p->samples[a * P + f], ub = p->samples[b * P + f];
    if (isnan(ua))
        return p->expected[b];
    if (isnan(ub))
        return p->expected[a];
    return f == 100 ? (double)(ua != ub) : fabs(ua - ub);
}

static double naive_distance(const problem *p, const double *squares, int a,
                             int b)
{
    double sum = 0.0;
    for (int f = 0; f < P; f++) {
        double d = naive_difference(p, f, a, b);
        sum += d * d * squares[f];
    }
    return sum;
}

static void check_search(lr_level level)
{
    problem *p = new_problem();
    p->data.level = level;
    double *squares = doubles(STARTS * P), *out = doubles(STARTS * PADDED);
    lr_simba_query q[STARTS];
    for (int i = 0; i < STARTS * P; i++)
        squares[i] = random_unit();
    for (int s = 0; s < STARTS; s++)
        q[s] = (lr_simba_query){s < 5 ? 3 : 69, squares + s * P,
                                out + s * PADDED};
    /* in two shares of the rows, as two threads would */
    lr_simba_search(&p->data, q, STARTS, 32, PADDED);
    lr_simba_search(&p->data, q, STARTS, 0, 32);
    for (int s = 0; s < STARTS; s++)
        for (int r = 0; r < N; r++) {
            double wanted = naive_distance(p, squares + s * P, q[s].sample, r);
            CHECK_SAME(out[s * PADDED + r], wanted);
            CHECK_SAME(lr_simba_distance(&p->data, squares + s * P,
                                         (size_t)q[s].sample, (size_t)r),
                       wanted);
        }
    free(squares);
    free(out);
    free_problem(p);
}

static void test_search(void)
{
    check_search(LR_PORTABLE);
    check_search(LR_FASTEST);
}

static void test_update(void)
{
    problem *p = new_problem();
    double *w = doubles(P), *squares = doubles(P), *before = doubles(P);
    double *change = doubles(P);
    lr_simba_start s;
    s.w = w;
    s.squares = squares;
    s.change = change;
    s.n_parts = 4;
    s.parts[0] = (lr_simba_part){1, 5, 0.3, 1.0};
    s.parts[1] = (lr_simba_part){1, 60, -0.8, 4.0};
    s.parts[2] = (lr_simba_part){40, 5, 0.1, 1.0};
    s.parts[3] = (lr_simba_part){2, 7, 5.0, 0.0}; /* a zero norm: nothing */
    for (int f = 0; f < P; f++)
        w[f] = before[f] = random_unit() - 0.3;
    /* that of one feature, whose square 0.25 the distances lack */
    lr_simba_change(&p->data, &s, 20, 0.25);
    double own = 0.0, largest = 0.0;
    for (int i = 0; i < 4; i++) {
        double d = naive_difference(p, 20, s.parts[i].a, s.parts[i].b);
        own += s.parts[i].factor * d * d
            / sqrt(s.parts[i].square + 0.25 * d * d);
    }
    CHECK_NEAR(change[20], own, 1e-14);
    lr_simba_changes(&p->data, &s, P / 3, P);
    lr_simba_changes(&p->data, &s, 0, P / 3);
    lr_simba_update(&s, P);
    for (int f = 0; f < P; f++) {
        double change = 0.0;
        for (int i = 0; i < 3; i++) {
            double d = naive_difference(p, f, s.parts[i].a, s.parts[i].b);
            change += s.parts[i].factor * d * d / sqrt(s.parts[i].square);
        }
        CHECK_NEAR(w[f], before[f] + change * before[f], 1e-14);
        CHECK_SAME(squares[f], w[f] * w[f]);
        largest = squares[f] > largest ? squares[f] : largest;
    }
    CHECK_SAME(s.largest, largest);
    lr_simba_normalise(&s, P);
    for (int f = 0; f < P; f++) {
        CHECK(w[f] >= 0.0 && w[f] <= 1.0);
        CHECK_SAME(squares[f], w[f] * w[f]);
    }
    CHECK_SAME(s.largest, 1.0);
    free(w);
    free(squares);
    free(before);
    free(change);
    free_problem(p);
}

/* Samples 0 and 1 linked, 0 and 2 apart, 3 free; squared distances of 0. */
static void test_hits(void)
{
    double distance[] = {0.0, 9.0, 1.0, 4.0};
    int component[] = {0, 0, 1, 2}, member_start[] = {0, 2, 3, 4};
    int member[] = {0, 1, 2, 3}, against_start[] = {0, 1, 2, 2};
    int against[] = {1, 0};
    lr_links links = {component, member_start, member, against_start, against,
                      NULL};
    CHECK_INT(lr_simba_hit(distance, 4, 0, &links), 1); /* its group */
    CHECK_INT(lr_simba_hit(distance, 4, 0, NULL), 2);
    double from_two[] = {1.0, 1.0, 0.0, 16.0};
    CHECK_INT(lr_simba_hit(from_two, 4, 2, &links), 3); /* 0, 1 are apart */
    double from_three[] = {4.0, 4.0, 5.0, 0.0};
    CHECK_INT(lr_simba_hit(from_three, 4, 3, &links), 0); /* lower row */
    double alone[] = {0.0};
    CHECK_INT(lr_simba_hit(alone, 1, 0, NULL), -1);
}

/* Classes 0 0 1 and one unlabelled: hit 1 at 2, miss 2 at 3. */
static void test_visits(void)
{
    int first[] = {0}, second[] = {2}, class_of[] = {0, 0, 1, -1}, samples[2];
    double distance[] = {0.0, 4.0, 9.0, 1.0}, other[] = {9.0, 0.25, 0.0, 1.0};
    const double *both[2] = {distance, other};
    lr_simba_start s;
    lr_simba_visits labels = {first, NULL, class_of, NULL, 0, NULL};
    CHECK_INT(lr_simba_ask(&labels, 0, samples), 1);
    CHECK_INT(samples[0], 0);
    CHECK_SAME(lr_simba_answer(&labels, 0, 4, both, &s), 1.0);
    CHECK_INT(s.n_parts, 2);
    CHECK_SAME(lr_simba_factor(s.parts, 0.0), 1.0 / 3.0);
    CHECK_SAME(lr_simba_factor(s.parts + 1, 0.0), -0.5);
    CHECK_SAME(lr_simba_factor(s.parts + 1, 5.0), -1.0 / 3.0);
    /* pair (0, 2): hit of 0 is 3 (1), hit of 2 is 1 (0.25): one way 2 - 1,
     * the other way 1 - 0.5 */
    lr_simba_visits pairs = {first, second, class_of, NULL, 1, NULL};
    CHECK_INT(lr_simba_ask(&pairs, 0, samples), 2);
    CHECK_INT(samples[1], 2);
    CHECK_SAME(lr_simba_answer(&pairs, 0, 4, both, &s), 0.75);
    CHECK_INT(s.n_parts, 4);
    CHECK_SAME(lr_simba_factor(s.parts, 0.0), 0.25);
    pairs.both = 0;
    CHECK_SAME(lr_simba_answer(&pairs, 0, 4, both, &s), 1.0);
    CHECK_INT(s.n_parts, 2);
    /* a duplicate at distance 0 contributes nothing */
    distance[3] = 0.0;
    CHECK_SAME(lr_simba_answer(&pairs, 0, 4, both, &s), 2.0);
    CHECK_INT(s.n_parts, 2);
    CHECK_SAME(lr_simba_factor(s.parts + 1, 0.0), 0.0);
    CHECK_SAME(lr_simba_factor(s.parts + 1, 4.0), -0.5);
}

int main(void)
{
    random_seed(1);
    test_search();
    test_update();
    test_hits();
    test_visits();
    return check_report();
}
