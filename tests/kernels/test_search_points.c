/* Nearest samples in few dimensions against all distances, with every kernel
 * and number of threads. */
#include "search_backends.h"
#include "search_points.h"

#include "check.h"
#include "random.h"

enum { CLASSES = 3 };

typedef struct {
    size_t n, p, k;
    double *x, *u;     /* raw and scaled cells, n x p */
    double *center, *divisor;
    int *none;         /* per feature: not a category, no cell missing */
    int *class_of, *block_of, *ends; /* the first two may be NULL */
    size_t n_ends;
    double unit;
} problem;

typedef enum { NOISE, WHOLE, COPIES, FAR_APART, ONE_AWAY, LEVELS } kind_of_data;

static double draw_cell(kind_of_data kind, size_t i, size_t j)
{
    double noise = random_unit() + random_unit() - 1.0;
    if (kind == WHOLE) /* ties */
        return random_below(4);
    if (kind == FAR_APART) /* what floats of one centre do not tell apart */
        return noise + (double)(i % 3) * 1e7 * (double)(j % 2);
    if (kind == ONE_AWAY)
        return i == 7 ? 1e12 : noise;
    if (kind == LEVELS)
        return ldexp(noise, -3 * (int)(i % 12));
    return noise;
}

static problem new_problem(size_t n, size_t p, size_t k, kind_of_data kind,
                           int classes, int blocks)
{
    problem m = {n, p, k, doubles(n * p), doubles(n * p), doubles(p),
                 doubles(p), integers(p), classes ? integers(n) : NULL,
                 blocks ? integers(n) : NULL, integers(n), 0, 0.0};
    for (size_t j = 0; j < p; j++) {
        m.center[j] = random_unit();
        m.divisor[j] = j == 1 && p > 2 ? 0.0 : 0.5 + random_unit();
        m.none[j] = 0;
        for (size_t i = 0; i < n; i++)
            m.x[i + j * n] = draw_cell(kind, i, j);
    }
    for (size_t i = 1; kind == COPIES && i < n; i++)
        for (size_t j = 0, from = (size_t)random_below((int)i);
             j < p && i % 3 > 0; j++)
            m.x[i + j * n] = m.x[from + j * n];
    for (size_t i = 0; i < n; i++) {
        if (classes)
            m.class_of[i] = random_below(CLASSES + 1) - 1;
        if (blocks)
            m.block_of[i] = random_below(10) == 0 ? 2 : random_below(2);
        if (!classes || m.class_of[i] >= 0)
            m.ends[m.n_ends++] = (int)i;
    }
    lr_scaling s = {.center = m.center, .divisor = m.divisor};
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i < n; i++)
            m.u[i + j * n] = lr_scale_cell(&s, j, m.x[i + j * n]);
    return m;
}

static void free_problem(problem *m)
{
    free(m->x);
    free(m->u);
    free(m->center);
    free(m->divisor);
    free(m->none);
    free(m->class_of);
    free(m->block_of);
    free(m->ends);
}

static double distance_of(const problem *m, size_t a, size_t b)
{
    double sum = 0.0;
    for (size_t j = 0; j < m->p; j++) {
        double d = m->u[a + j * m->n] - m->u[b + j * m->n];
        sum += d * d;
    }
    return lr_rounded_square(sum, m->unit);
}

/* The list of sample `end`, nearest first; returns how many there are. */
static int slow_list(const problem *m, size_t end, int list, double *distance,
                     int *row)
{
    size_t count = 0;
    for (size_t r = 0; r < m->n; r++) {
        if (r == end || (m->class_of && m->class_of[r] != list)
            || (m->block_of && m->block_of[r] != m->block_of[end]))
            continue;
        double d = distance_of(m, end, r);
        size_t at = count < m->k ? count++ : m->k;
        for (; at > 0 && d < distance[at - 1]; at--)
            if (at < m->k) {
                distance[at] = distance[at - 1];
                row[at] = row[at - 1];
            }
        if (at < m->k) {
            distance[at] = d;
            row[at] = (int)r;
        }
    }
    return (int)count;
}

static pair_walk walk_of(const problem *m, feature_data *data, int threads,
                         lr_level level)
{
    *data = (feature_data){
        .n = m->n, .p = m->p, .layout = LAYOUT_COLUMNS, .values = m->x,
        .scaling = {.center = m->center, .divisor = m->divisor,
                    .category = m->none, .missing = m->none},
        .control = {.threads = threads, .worthwhile = 1.0, .level = level}};
    return (pair_walk){.data = data, .metric = LR_EUCLIDEAN, .n = m->n,
                       .block_of = m->block_of, .ends = m->ends,
                       .n_ends = m->n_ends, .half = 1, .share = 1.0};
}

static lr_lists lists_of(const problem *m, const pair_walk *walk)
{
    lr_list_rule rule = {m->class_of ? CLASSES : 1, m->class_of, NULL, NULL};
    lr_lists lists = allocate_lists(walk, &rule, m->k, 0);
    lists.unit = m->unit;
    return lists;
}

/* All lists of a problem, by end and list. */
typedef struct {
    size_t n_lists;
    double *distance;
    int *row, *count;
} slow_lists;

static slow_lists find_slowly(const problem *m)
{
    size_t n_lists = m->class_of ? CLASSES : 1, all = m->n_ends * n_lists;
    slow_lists s = {n_lists, doubles(all * m->k), integers(all * m->k),
                    integers(all)};
    for (size_t i = 0; i < all; i++)
        s.count[i] = slow_list(m, (size_t)m->ends[i / n_lists],
                               (int)(i % n_lists), s.distance + i * m->k,
                               s.row + i * m->k);
    return s;
}

static void check_lists(const problem *m, const slow_lists *want,
                        lr_lists *lists)
{
    size_t all = m->n_ends * want->n_lists, rows = 0;
    double *distance[2] = {doubles(all * m->k), doubles(all * m->k)};
    int *row[2] = {integers(all * m->k), integers(all * m->k)};
    int *count = integers(all);
    for (size_t i = 0; i < all; i++) {
        size_t end = (size_t)m->ends[i / want->n_lists];
        size_t at = end * want->n_lists + i % want->n_lists;
        if (i % want->n_lists == 0)
            lr_lists_sort(lists, end);
        count[i] = lists->count[at];
        for (size_t q = 0; q < (size_t)want->count[i]; q++, rows++) {
            row[0][rows] = lists->row[at * m->k + q];
            row[1][rows] = want->row[i * m->k + q];
            distance[0][rows] = lists->distance[at * m->k + q];
            distance[1][rows] = want->distance[i * m->k + q];
        }
    }
    CHECK_INTS(count, want->count, all);
    CHECK_INTS(row[0], row[1], rows);
    CHECK_SAMES(distance[0], distance[1], rows);
    for (int i = 0; i < 2; i++)
        free(distance[i]), free(row[i]);
    free(count);
}

static void check_problem(problem m)
{
    slow_lists want = find_slowly(&m);
    for (int threads = 1; threads <= 3; threads += 2)
        for (int level = LR_PORTABLE; level <= LR_MIDDLE; level++) {
            const void *memory = lr_memory_mark();
            feature_data data;
            pair_walk walk = walk_of(&m, &data, threads, (lr_level)level);
            lr_lists lists = lists_of(&m, &walk);
            CHECK_INT(search_by_points(&walk, &lists), 1);
            check_lists(&m, &want, &lists);
            lr_memory_reset(memory);
        }
    free(want.distance), free(want.row), free(want.count);
    free_problem(&m);
}

static void test_searches(void)
{
    for (int kind = NOISE; kind <= LEVELS; kind++)
        for (int rule = 0; rule < 4; rule++) {
            size_t p = kind % 2 ? 3 : rule == 1 ? LR_POINTS : 1 + (size_t)rule;
            size_t k = rule % 2 ? 2 : 5;
            problem m = new_problem(760 + 7 * (size_t)kind, p, k,
                                    (kind_of_data)kind, rule % 2, rule / 2);
            m.unit = rule == 3 ? 0.25 : rule == 2 ? 1e-9 : 0.0;
            check_problem(m);
        }
}

/* All samples of a leaf come before those of the next one. */
static void test_leaves(void)
{
    enum { N = 1000 };
    problem m = new_problem(N, 1, 1, NOISE, 0, 0);
    lr_order_points(m.u, N, 1, m.ends, N);
    for (size_t from = 0; from + LR_LEAF < N; from += LR_LEAF)
        for (size_t i = from; i < from + LR_LEAF; i++)
            CHECK(m.u[m.ends[i]] <= m.u[m.ends[from + LR_LEAF]]);
    free_problem(&m);
}

/* What is left to the walk over all pairs. */
static void test_others(void)
{
    for (int kind = 0; kind < 7; kind++) {
        const void *memory = lr_memory_mark();
        problem m = new_problem(600, kind == 0 ? LR_POINTS + 1 : 2,
                                kind == 1 ? 10 : 1, NOISE, 0, 0);
        for (size_t i = 0; kind == 2 && i < 600; i++)
            m.x[i] *= 1e20;
        for (size_t i = 0; kind == 3 && i < 1200; i++)
            m.x[i] *= 1e-20;
        m.none[0] = kind == 4;
        feature_data data;
        pair_walk walk = walk_of(&m, &data, 1, LR_FASTEST);
        if (kind == 5)
            walk.metric = LR_MANHATTAN;
        walk.half = kind != 6;
        lr_lists lists = lists_of(&m, &walk);
        CHECK_INT(search_by_points(&walk, &lists), 0);
        CHECK_INT(lists.count[0], 0);
        lr_memory_reset(memory);
        free_problem(&m);
    }
}

int main(void)
{
    random_seed(1);
    test_searches();
    test_leaves();
    test_others();
    return check_report();
}
