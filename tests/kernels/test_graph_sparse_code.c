/* The optimality conditions of every target, taken from the definition: with
 * c = U'(y - U s), c_j = level where s_j > 0 and c_j <= level elsewhere; s >= 0
 * and, with the simplex, 1's = 1. They are necessary and sufficient. */
#include "graph_sparse_code.h"

#include "check.h"
#include "lr_products.h"
#include "random.h"

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The largest violation of one target, in y'y. */
static double violation(const lr_sparse_code *task, const lr_code *code,
                        size_t target)
{
    const lr_code_problem *p = &task->problem;
    size_t n = p->n;
    const double *y = p->u + target * n;
    double *r = doubles(n), level = 0.0, sum = 0.0, worst = 0.0;
    int others_only = 1;
    for (size_t i = 0; i < n; i++)
        r[i] = y[i];
    for (size_t k = 0; k < code->n_active; k++)
        for (size_t i = 0; i < n; i++)
            r[i] -= code->weight[k]
                * p->u[i + (size_t)code->active[k] * n];
    if (p->simplex) {
        for (size_t k = 0; k < code->n_active; k++)
            level += code->weight[k]
                * product(p->u + (size_t)code->active[k] * n, r, n);
    } else {
        for (size_t j = 0; j < p->count; j++)
            if (j != target)
                level = fmax(level, product(p->u + j * n, y, n));
        level *= task->lambda;
    }
    for (size_t j = 0; j < p->count; j++)
        if (j != target)
            worst = fmax(worst, product(p->u + j * n, r, n) - level);
    for (size_t k = 0; k < code->n_active; k++) {
        double c = product(p->u + (size_t)code->active[k] * n, r, n);
        worst = fmax(worst, fabs(c - level));
        others_only &= code->weight[k] > 0.0
            && (size_t)code->active[k] != target;
        sum += code->weight[k];
    }
    CHECK(others_only);
    if (p->simplex)
        CHECK_NEAR(sum, 1.0, 1e-12);
    free(r);
    return worst / product(y, y, n);
}

static void check_all(const double *u, size_t n, size_t count, int simplex,
                      double lambda, const char *title)
{
    double *square = doubles(count), worst = 0.0, reported = 0.0;
    float *pack = (float *)buffer(lr_pack_size(count, n, LR_FLOAT_LANES),
                                sizeof(float));
    for (size_t j = 0; j < count; j++)
        square[j] = lr_dot(u + j * n, u + j * n, n);
    lr_pack_floats(u, count, n, pack);
    lr_sparse_code task = {{n, count, u, square, simplex}, lambda, pack};
    lr_block_size size = lr_block_needs(&task.problem);
    lr_code_block block = {
        .code = (lr_code *)buffer(size.targets, sizeof(lr_code)),
        .certificate =
            (lr_certificate *)buffer(size.targets, sizeof(lr_certificate)),
        .best = (lr_best_list *)buffer(size.targets, sizeof(lr_best_list)),
        .doubles = doubles(size.doubles), .ints = integers(size.ints),
        .floats = (float *)buffer(size.floats, sizeof(float))};
    for (size_t first = 0; first < count; first += size.targets) {
        size_t some = count - first < size.targets ? count - first
                                                   : size.targets;
        lr_code_block_begin(&task, &size, &block, first, some);
        while (lr_code_block_round(&block) > 0.0)
            ;
        for (size_t t = 0; t < some; t++) {
            worst = fmax(worst, violation(&task, block.code + t, first + t));
            reported = fmax(reported, block.certificate[t].kkt);
        }
    }
    CHECK_THAT(worst <= 1e-9, "%s, simplex %d: violation %g", title, simplex,
               worst);
    /* both are sums with rounding of their own */
    CHECK_THAT(reported <= 1e-9 && fabs(worst - reported) <= 5e-10,
               "%s, simplex %d: certificate %g instead of %g", title, simplex,
               reported, worst);
    free(square), free(pack), free(block.code), free(block.doubles);
    free(block.floats), free(block.ints), free(block.certificate);
    free(block.best);
}

static void check_both(const double *u, size_t n, size_t count,
                       const char *title)
{
    check_all(u, n, count, 1, 0.0, title);
    check_all(u, n, count, 0, 0.1, title);
    check_all(u, n, count, 0, 0.001, title);
    check_all(u, n, count, 0, 0.0, title);
}

static double *uniform(size_t n, size_t count)
{
    double *u = doubles(n * count);
    for (size_t i = 0; i < n * count; i++)
        u[i] = random_unit();
    return u;
}

static void check_random(size_t n, size_t count, const char *title)
{
    double *u = uniform(n, count);
    check_both(u, n, count, title);
    free(u);
}

/* Few values: many equal products, many combinations that fit exactly. */
static void check_whole_numbers(size_t n, size_t count, int levels)
{
    double *u = doubles(n * count);
    for (size_t i = 0; i < n * count; i++)
        u[i] = (double)random_below(levels) / (double)(levels - 1);
    for (size_t j = 0; j < count; j++)
        u[j * n + (size_t)random_below((int)n)] = 1.0;
    check_both(u, n, count, "whole numbers");
    free(u);
}

/* Columns that are combinations of others, exactly or nearly, and copies up to
 * rounding. */
static void check_dependent(double noise, const char *title)
{
    enum { N = 20, COUNT = 60 };
    double *u = uniform(N, COUNT);
    for (size_t j = 20; j < COUNT; j++) {
        size_t a = (size_t)random_below(20), b = (size_t)random_below(20);
        double share = j % 3 == 0 ? 1.0 : random_unit();
        for (size_t i = 0; i < N; i++)
            u[i + j * N] = share * u[i + a * N] + (1.0 - share) * u[i + b * N]
                + noise * random_unit();
    }
    check_both(u, N, COUNT, title);
    free(u);
}

/* One feature that is much longer than all others, and one much shorter. */
static void check_lengths(void)
{
    enum { N = 30, COUNT = 50 };
    double *u = uniform(N, COUNT);
    for (size_t i = 0; i < N; i++) {
        u[i] *= 1000.0;
        u[i + N] *= 1e-3;
    }
    check_both(u, N, COUNT, "lengths");
    free(u);
}

/* A single 1 each: every product is 0, the nearest feature is all there is. */
static void check_spikes(void)
{
    enum { N = 8 };
    double u[N * N] = {0};
    for (size_t j = 0; j < N; j++)
        u[j * N + j] = 1.0;
    check_both(u, N, N, "spikes");
}

int main(void)
{
    random_seed(3);
    check_random(30, 20, "n > F");
    check_random(10, 100, "n < F");
    check_random(3, 40, "three samples");
    check_random(40, 300, "n < F, several chunks");
    check_random(12, 2, "two features");
    check_whole_numbers(12, 60, 2);
    check_whole_numbers(12, 60, 3);
    check_whole_numbers(6, 40, 2);
    check_dependent(0.0, "dependent");
    check_dependent(1e-13, "nearly dependent, 1e-13");
    check_dependent(1e-9, "nearly dependent, 1e-9");
    check_dependent(1e-7, "nearly dependent, 1e-7");
    check_dependent(1e-6, "nearly dependent, 1e-6");
    check_dependent(1e-5, "nearly dependent, 1e-5");
    check_dependent(1e-4, "nearly dependent, 1e-4");
    check_lengths();
    check_spikes();
    return check_report();
}
