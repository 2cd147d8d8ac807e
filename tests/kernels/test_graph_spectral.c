/* Laplacians with edits, their shifted inverse, steps of a polynomial, conjugate gradients
 * and components, against plain loops over dense matrices. */
#include "check.h"
#include "random.h"
#include "graph_walk.h"

enum { MOST = 40 };

/* A symmetric random graph with a zero diagonal, dense. */
static double *random_graph(size_t n, double share)
{
    double *s = doubles(n * n);
    for (size_t i = 0; i < n * n; i++)
        s[i] = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (random_unit() < share)
                s[i + j * n] = s[j + i * n] = 0.1 + random_unit();
    return s;
}

static double *row_sums(const double *s, size_t n)
{
    double *sums = doubles(n);
    for (size_t i = 0; i < n; i++) {
        sums[i] = 0.0;
        for (size_t j = 0; j < n; j++)
            sums[i] += s[i + j * n];
    }
    return sums;
}

/* The same graph by compressed columns. */
static lr_graph compress(const double *s, size_t n)
{
    int *start = integers(n + 1), *row = integers(n * n), at = 0;
    double *weight = doubles(n * n);
    for (size_t j = 0; j < n; j++) {
        start[j] = at;
        for (size_t i = 0; i < n; i++)
            if (s[i + j * n] > 0.0) {
                row[at] = (int)i;
                weight[at++] = s[i + j * n];
            }
    }
    start[n] = at;
    lr_graph g = {n, start, row, weight};
    return g;
}

static void free_graph(lr_graph g)
{
    free((void *)g.start);
    free((void *)g.row);
    free((void *)g.weight);
}

/* The dense Laplacian with edits, by its definition. */
static double *laplacian(const lr_laplacian *l, const double *s)
{
    size_t n = l->graph.n;
    double *a = doubles(n * n);
    for (size_t i = 0; i < n * n; i++)
        a[i] = -s[i];
    for (size_t t = 0; t < l->n_edits; t++) {
        size_t i = (size_t)l->first[t], j = (size_t)l->second[t];
        a[i + j * n] -= l->delta[t];
        a[j + i * n] -= l->delta[t];
    }
    for (size_t i = 0; i < n; i++) {
        a[i + i * n] = 0.0;
        for (size_t j = 0; j < n; j++)
            if (j != i)
                a[i + i * n] -= a[i + j * n];
    }
    return a;
}

static void multiply(const double *a, size_t n, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) {
        y[i] = 0.0;
        for (size_t j = 0; j < n; j++)
            y[i] += a[i + j * n] * x[j];
    }
}

static double largest_difference(const double *x, const double *y, size_t n)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i] - y[i]));
    return largest;
}

/* A plain Cholesky factor, column by column. */
static void factorise(double *a, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++)
            for (size_t i = j; i < n; i++)
                a[i + j * n] -= a[i + k * n] * a[j + k * n];
        double root = sqrt(a[j + j * n]);
        for (size_t i = j; i < n; i++)
            a[i + j * n] /= root;
    }
}

/* next = 1.5 ((R S R - G) now - 0.2 now) - before, in two chunks of rows. */
static void check_chebyshev(const lr_graph *g, const double *s,
                            const double *root)
{
    enum { V = LR_VECTORS };
    size_t n = g->n;
    double *now = doubles(n * V), *scaled = doubles(n * V);
    double *before = doubles(n * V), *turned = doubles(n * V);
    double *want = doubles(n * V), *want_turned = doubles(n * V), shift[MOST];
    for (size_t i = 0; i < n * V; i++) {
        now[i] = random_unit() - 0.5;
        before[i] = random_unit();
        shift[i / V] = (double)(i / V % 3);
        scaled[i] = root[i / V] * now[i];
    }
    for (size_t i = 0; i < n * V; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum += s[i / V + j * n] * scaled[j * V + i % V];
        want[i] = 1.5 * (root[i / V] * sum - (shift[i / V] + 0.2) * now[i])
            - before[i];
        want_turned[i] = root[i / V] * want[i];
    }
    lr_chebyshev step = {*g, root, shift, 1.5, 0.2, now, scaled, before, turned,
                         LR_FASTEST};
    lr_chebyshev_rows(&step, 0, n / 2);
    lr_chebyshev_rows(&step, n / 2, n);
    CHECK(largest_difference(before, want, n * V) < 1e-13);
    CHECK(largest_difference(turned, want_turned, n * V) < 1e-13);
    free(now), free(scaled), free(before), free(turned);
    free(want), free(want_turned);
}

/* (L - value) g = -e projected, edits included; not with a value among the
 * eigenvalues, where there is no curvature. */
static void check_resolvent(const lr_laplacian *l, const double *a)
{
    size_t n = l->graph.n;
    const void *mark = lr_memory_mark();
    run_control control = {.threads = 1, .level = LR_FASTEST};
    double *one = new_doubles(n), *g = new_doubles(n), want[MOST], worst = 0.0;
    for (size_t i = 0; i < n; i++)
        one[i] = 1.0 / sqrt((double)n);
    spectral_context c = {.laplacian = *l, .control = control, .deflate = one,
                          .n_deflate = 1};
    prepare_operators(&c);
    CHECK_INT(solve_resolvent(&c, -0.5, 0.0, 1, g), LR_OK);
    multiply(a, n, g, want);
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(want[i] + 0.5 * g[i] + (double)(i == 1)
                                 - 1.0 / (double)n));
    CHECK(worst < 1e-11);
    CHECK_INT(solve_resolvent(&c, 1e3, 0.0, 1, g), LR_NOT_CONVERGED);
    lr_memory_reset(mark);
}

static void test_products(size_t n)
{
    double *s = random_graph(n, 0.5), *degree = row_sums(s, n);
    int first[2] = {0, 1}, second[2] = {1, (int)n - 1};
    double delta[2] = {0.4, -0.05};
    lr_graph graphs[2] = {{n, NULL, NULL, s}, compress(s, n)};
    for (int kind = 0; kind < 2; kind++) {
        lr_laplacian l = {graphs[kind], degree, n > 2 ? 2 : 1, first, second,
                          delta, 1 + (int)(n % 2)};
        double *a = laplacian(&l, s), root[MOST];
        for (size_t i = 0; i < n; i++)
            root[i] = degree[i] > 0.0 ? 1.0 / sqrt(degree[i]) : 0.0;
        check_resolvent(&l, a);
        check_chebyshev(&graphs[kind], s, root);
        free(a);
    }
    free_graph(graphs[1]);
    free(degree);
    free(s);
}

/* (A + U C U')^-1 from the factor of A and what came later. */
static void test_inverse(size_t n)
{
    double *s = random_graph(n, 0.9), *degree = row_sums(s, n);
    int first[2] = {0, 2}, second[2] = {1, 0};
    double delta[2] = {0.7, -0.03}, x[MOST], y[MOST], want[MOST], scratch[4];
    lr_graph graph = {n, NULL, NULL, s};
    lr_laplacian before = {graph, degree, 0, first, second, delta, 1};
    lr_laplacian after = {graph, degree, 2, first, second, delta, 2};
    double *factor = doubles(n * n), *z = doubles(2 * n), small[4], k[4];
    lr_shifted_laplacian(&before, -0.3, 0.1, factor);
    factorise(factor, n);
    for (int t = 0; t < 2; t++) {
        for (size_t i = 0; i < n; i++)
            z[i + (size_t)t * n] = 0.0;
        z[(size_t)first[t] + (size_t)t * n] = 1.0;
        z[(size_t)second[t] + (size_t)t * n] = -1.0;
        lr_cholesky_solve(n, factor, z + (size_t)t * n);
    }
    for (int t = 0; t < 2; t++)
        for (int u = 0; u < 2; u++)
            k[t + 2 * u] = z[(size_t)first[t] + (size_t)u * n]
                - z[(size_t)second[t] + (size_t)u * n]
                + (t == u ? 1.0 / delta[t] : 0.0);
    double det = k[0] * k[3] - k[1] * k[2];
    small[0] = k[3] / det;
    small[3] = k[0] / det;
    small[1] = -k[1] / det;
    small[2] = -k[2] / det;
    lr_inverse inverse = {n, factor, 2, first, second, z, small};
    for (size_t i = 0; i < n; i++)
        x[i] = random_unit();
    lr_inverse_product(&inverse, x, y, scratch);
    /* (L + 0.3 I + 0.1 11') y is x again */
    double *a = laplacian(&after, s);
    multiply(a, n, y, want);
    free(a);
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += y[i];
    for (size_t i = 0; i < n; i++)
        want[i] += 0.3 * y[i] + 0.1 * sum;
    CHECK(largest_difference(x, want, n) < 1e-11);
    free(factor);
    free(z);
    free(degree);
    free(s);
}

/* Samples that share a component by repeated relaxation. */
static void slow_components(const double *a, size_t n, double threshold,
                            int *label)
{
    for (size_t i = 0; i < n; i++)
        label[i] = (int)i;
    for (size_t pass = 0; pass < n; pass++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                if (i != j && -a[i + j * n] > threshold
                    && label[j] > label[i])
                    label[j] = label[i];
}

static void test_components(size_t n)
{
    double *s = random_graph(n, 1.2 / (double)n), *degree = row_sums(s, n);
    int first[2] = {0, 2}, second[2] = {1, 1}, scratch[2 * MOST];
    double delta[2] = {1.0, -s[2 + n]};
    lr_graph graphs[2] = {{n, NULL, NULL, s}, compress(s, n)};
    for (int kind = 0; kind < 2; kind++) {
        lr_laplacian l = {graphs[kind], degree, 2, first, second, delta, 1};
        double *a = laplacian(&l, s);
        int got[MOST], label[MOST], want[MOST], count = 0;
        lr_graph_components(&l, 0.3, got, scratch);
        slow_components(a, n, 0.3, label);
        for (size_t i = 0; i < n; i++)
            want[i] = label[i] == (int)i ? count++ : want[label[i]];
        CHECK_INTS(got, want, n);
        free(a);
    }
    free_graph(graphs[1]);
    free(degree);
    free(s);
}

static void test_degrees(void)
{
    /* 0-1, 0-2, 1-2, 1-3; sample 4 has no edge */
    static const int start[] = {0, 2, 5, 7, 8, 8};
    static const int row[] = {1, 2, 0, 2, 3, 0, 1, 1};
    static const double weight[] = {4, 9, 4, 1, 0, 9, 1, 0};
    static const double full[] = {7, 4, 9, 4, 7, 1, 9, 1, 7};
    double degree[5];
    lr_degrees(&(lr_graph){5, start, row, weight}, degree);
    CHECK_SAMES(degree, ((double[]){13, 5, 10, 0, 0}), 5);
    lr_degrees(&(lr_graph){5, start, row, NULL}, degree);
    CHECK_SAMES(degree, ((double[]){2, 3, 2, 1, 0}), 5);
    /* the diagonal is ignored */
    lr_degrees(&(lr_graph){3, NULL, NULL, full}, degree);
    CHECK_SAMES(degree, ((double[]){13, 5, 10}), 3);
}

int main(void)
{
    test_degrees();
    for (size_t n = 2; n <= 21; n++) {
        random_seed(n);
        test_products(n);
    }
    for (size_t n = 3; n <= 21; n++) {
        random_seed(100 + n);
        test_inverse(n);
        test_components(n);
    }
    return check_report();
}
