/* Class lists against sorting all distances, offered whole or by halves. */
#include "class_lists.h"

#include "check.h"
#include "random.h"

enum { N = 23, CLASSES = 3 };

typedef struct {
    double distance[N * N];
    int class_of[N];
} problem;

static problem *new_problem(void)
{
    problem *p = (problem *)room(1, sizeof(problem));
    for (int i = 0; i < N; i++) {
        p->class_of[i] = random_below(CLASSES + 1) - 1;
        for (int j = 0; j <= i; j++)
            p->distance[i * N + j] = p->distance[j * N + i] =
                (double)random_below(12); /* many ties */
    }
    return p;
}

static lr_class_lists new_lists(const problem *p, size_t k)
{
    lr_class_lists l = {p->class_of, CLASSES, N, k,
                        doubles(N * CLASSES * k), integers(N * CLASSES * k),
                        integers(N * CLASSES), doubles(N * CLASSES)};
    lr_class_lists_clear(&l);
    return l;
}

static void free_lists(lr_class_lists *l)
{
    free(l->distance);
    free(l->row);
    free(l->count);
    free(l->limit);
}

/* The j-th nearest of a class by looking for the next one again and again. */
static int next_nearest(const problem *p, int end, int c, int last)
{
    int best = -1;
    const double *d = p->distance + end * N;
    for (int r = 0; r < N; r++) {
        int after = last < 0 || d[r] > d[last] || (d[r] == d[last] && r > last);
        if (r != end && p->class_of[r] == c && after
            && (best < 0 || d[r] < d[best]))
            best = r;
    }
    return best;
}

static void check_lists(const problem *p, lr_class_lists *l)
{
    for (int end = 0; end < N; end++) {
        if (p->class_of[end] < 0)
            continue;
        lr_class_lists_sort(l, (size_t)end);
        for (int c = 0; c < CLASSES; c++) {
            int at = end * CLASSES + c, row = -1;
            for (int j = 0; j < (int)l->k; j++) {
                row = next_nearest(p, end, c, row);
                if (row < 0) {
                    CHECK_INT(l->count[at], j);
                    break;
                }
                CHECK_INT(l->row[(size_t)at * l->k + (size_t)j], row);
                CHECK_SAME(l->distance[(size_t)at * l->k + (size_t)j],
                           p->distance[end * N + row]);
            }
        }
    }
}

/* Rows in pieces, every pair from both sides. */
static void test_whole(size_t k)
{
    problem *p = new_problem();
    lr_class_lists l = new_lists(p, k);
    double bound[CLASSES];
    for (int end = 0; end < N; end++)
        for (size_t row = 0; row < N; row += 5)
            lr_class_offer_end(&l, (size_t)end, end,
                               p->distance + (size_t)end * N + row, row,
                               N - row < 5 ? N - row : 5, bound);
    check_lists(p, &l);
    free_lists(&l);
    free(p);
}

/* End points in groups; a group's distances to later rows serve both. */
static void test_halves(size_t k, size_t group)
{
    problem *p = new_problem();
    lr_class_lists l = new_lists(p, k);
    double bound[CLASSES];
    for (size_t first = 0; first < N; first += group) {
        size_t last = first + group < N ? first + group : N;
        for (size_t e = first; e < last; e++) {
            if (p->class_of[e] < 0)
                continue;
            lr_class_offer_end(&l, e, (int)e, p->distance + e * N + first,
                               first, N - first, bound);
            lr_class_offer_rows(&l, (int)e, p->distance + e * N + last, last,
                                N - last);
        }
    }
    check_lists(p, &l);
    free_lists(&l);
    free(p);
}

static void test_within(void)
{
    problem *p = new_problem();
    lr_class_lists l = {p->class_of, CLASSES, N, 0, NULL, NULL, NULL, NULL};
    for (int end = 0; end < N; end++) {
        int out[N], start[CLASSES + 1], count = 0;
        double radius = 6.0;
        lr_within(&l, end, p->distance + end * N, N, radius, out, start);
        for (int c = 0; c < CLASSES; c++) {
            CHECK_INT(start[c], count);
            for (int r = 0; r < N; r++)
                if (p->class_of[r] == c && r != end
                    && p->distance[end * N + r] < radius)
                    CHECK_INT(out[count++], r);
        }
        CHECK_INT(start[CLASSES], count);
    }
    free(p);
}

/* 1, 3, 5 of known class: mean 3, variance 8 / 2. */
static void test_moments(void)
{
    int class_of[] = {0, 1, -1, 0, 0};
    double distance[] = {0.0, 1.0, 100.0, 3.0, 5.0}, mean, deviation;
    CHECK_INT(lr_distance_moments(class_of, 0, distance, 5, &mean,
                                  &deviation), 3);
    CHECK_SAME(mean, 3.0);
    CHECK_SAME(deviation, 2.0);
}

int main(void)
{
    random_seed(1);
    for (size_t k = 1; k <= 9; k += 2) {
        test_whole(k);
        for (size_t group = 1; group <= N; group += 4)
            test_halves(k, group);
    }
    test_within();
    test_moments();
    return check_report();
}
