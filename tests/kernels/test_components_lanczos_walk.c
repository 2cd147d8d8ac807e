/* Block Lanczos against the definition of an eigenvector. */
#include "components_lanczos_walk.h"

#include "check.h"
#include "random.h"

enum { M = 60, V = LR_VECTORS };

typedef struct {
    double a[M * M], out[M * V];
} matrix;

static double *apply(void *context, const double *x)
{
    matrix *t = context;
    memset(t->out, 0, sizeof t->out);
    for (size_t j = 0; j < M; j++)
        for (size_t i = 0; i < M; i++)
            for (size_t v = 0; v < V; v++)
                t->out[i * V + v] += t->a[i + j * M] * x[j * V + v];
    return t->out;
}

/* (I - 2 u u') diag(values) (I - 2 u u') */
static void set_matrix(matrix *t, const double *values, double *u)
{
    double squares = 0.0;
    for (size_t i = 0; i < M; i++) {
        u[i] = random_unit() - 0.5;
        squares += u[i] * u[i];
    }
    for (size_t i = 0; i < M; i++)
        u[i] /= sqrt(squares);
    for (size_t i = 0; i < M; i++)
        for (size_t j = 0; j < M; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < M; k++)
                sum += ((i == k) - 2.0 * u[i] * u[k]) * values[k]
                    * ((j == k) - 2.0 * u[j] * u[k]);
            t->a[i + j * M] = sum;
        }
}

static const run_control one_thread = {.threads = 1, .level = LR_FASTEST};

/* Of a matrix with these falling values the first `deflated` are given: those
 * that follow are found, whatever is added. */
static eigenvectors check_found(const double *values, size_t deflated,
                                lanczos_options o, matrix *t, double tolerance)
{
    double u[M], *known = new_doubles(M * M), worst = 0.0, skew = 0.0;
    set_matrix(t, values, u);
    for (size_t j = 0; j < deflated; j++)
        for (size_t i = 0; i < M; i++)
            known[i + j * M] = (double)(i == j) - 2.0 * u[i] * u[j];
    o.m = M;
    o.apply = apply;
    o.context = t;
    o.deflate = (lr_basis){known, M, deflated};
    o.control = &one_thread;
    eigenvectors found = largest_eigenvectors(&o);
    for (size_t j = 0; j < found.count; j++) {
        const double *x = found.vectors + j * M;
        double squares = 0.0;
        CHECK_NEAR(found.values[j], values[deflated + j], tolerance);
        for (size_t i = 0; i < M; i++) {
            double sum = -found.values[j] * x[i];
            for (size_t k = 0; k < M; k++)
                sum += t->a[i + k * M] * x[k];
            squares += sum * sum;
        }
        /* what it says of its residuals is true */
        worst = fmax(worst, fabs(sqrt(squares) - found.residuals[j]));
        for (size_t b = 0; b < found.count + deflated; b++) {
            const double *y = b < found.count ? found.vectors + b * M
                                              : known + (b - found.count) * M;
            double along = 0.0;
            for (size_t i = 0; i < M; i++)
                along += x[i] * y[i];
            skew = fmax(skew, fabs(along - (double)(b == j)));
        }
    }
    CHECK(worst <= 1e-12);
    CHECK(skew <= 1e-12);
    return found;
}

int main(void)
{
    double falling[M], levels[M];
    matrix t;
    const void *mark = lr_memory_mark();
    random_seed(1);
    for (size_t i = 0; i < M; i++) {
        falling[i] = 1.0 - (double)(i * i) / 1800.0; /* below 0 at the end */
        levels[i] = i < 20 ? 2.0 : i < 45 ? 1.0 : 0.0;
    }
    lanczos_options o = {.wanted = 5, .width = V, .most = 32, .keep = 14,
                         .cuts = 50, .elsewhere = 1e-3,
                         .accuracy = {.absolute = 1e-10}};
    for (size_t width = 1; width <= V; width += 7)
        for (size_t deflated = 0; deflated < 3; deflated++) {
            o.width = width;
            eigenvectors found = check_found(falling, deflated, o, &t, 1e-12);
            CHECK_INT(found.count, 5);
            CHECK_INT(found.all, 5);
            CHECK(found.excess <= 1.0);
        }
    /* others besides, as they are */
    o.also = 4;
    CHECK_INT(check_found(falling, 1, o, &t, 1e-12).all, 9);
    /* ended before: it says how far it is */
    o.cuts = 0;
    o.most = 16;
    o.also = 0;
    eigenvectors early = check_found(falling, 0, o, &t, 1.0);
    CHECK(early.excess > 1.0);
    CHECK(early.residuals[4] > 1e-10);
    /* three values: an invariant space is no reason to end; all there are */
    o.most = 60;
    o.wanted = 12;
    CHECK_INT(check_found(levels, 0, o, &t, 2.0).count, 12);
    o.wanted = 70;
    eigenvectors all = check_found(levels, 2, o, &t, 2.0);
    CHECK_INT(all.count, M - 2);
    for (size_t j = 0; j < M - 2; j++)
        CHECK_NEAR(all.values[j], levels[j + 2], 1e-12);
    lr_memory_reset(mark);
    return check_report();
}
