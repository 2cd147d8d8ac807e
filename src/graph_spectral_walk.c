/* The operators of the spectral questions, each product with a chance to
 * interrupt, and what is solved with them. */
#include <math.h>

#include "components.h"
#include "components_eigen.h"
#include "graph_walk.h"

enum {
    LEAST_BASIS = 40, /* vectors of a basis before it is cut back */
    CHECKED = 8       /* every so many steps accuracy is computed */
};

/* Of conjugate gradients; the number of steps is only a guard. */
static const lr_stop USUAL_STOP = {1e-13, 20000};

void prepare_operators(spectral_context *c)
{
    size_t n = c->laplacian.graph.n;
    c->diagonal = new_doubles(n);
    memcpy(c->diagonal, c->laplacian.degree, n * sizeof(double));
    for (size_t t = 0; t < c->laplacian.n_edits; t++) {
        c->diagonal[c->laplacian.first[t]] += c->laplacian.delta[t];
        c->diagonal[c->laplacian.second[t]] += c->laplacian.delta[t];
    }
    c->scratch = new_doubles(4 * n);
    c->more_scratch = new_doubles(2 * c->inverse.n_updates);
}

/* ---- operators ----------------------------------------------------------- */

/* Every product lets the user interrupt: an iteration may take thousands. */
static void apply_laplacian(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    lr_check_interrupt();
    lr_laplacian_product(&c->laplacian, x, y);
}

static void apply_minus(void *context, const double *x, double *y)
{
    apply_laplacian(context, x, y);
    for (size_t i = 0; i < ((spectral_context *)context)->laplacian.graph.n; i++)
        y[i] = -y[i];
}

static void apply_normalized(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    lr_check_interrupt();
    lr_normalized_product(&c->laplacian.graph, c->root, x, y, c->scratch);
}

static void apply_factor(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    lr_check_interrupt();
    lr_inverse_product(&c->inverse, x, y, c->more_scratch);
}

static lr_deflated deflated_space(spectral_context *c, lr_operator apply)
{
    return (lr_deflated){c->laplacian.graph.n, apply, c, c->deflate,
                         c->n_deflate};
}

/* The inverse of the Laplacian on what is not deflated, without a factor. */
static void apply_inner(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    lr_deflated space = deflated_space(c, apply_laplacian);
    if (lr_conjugate_gradients(&space, c->diagonal, x, y, USUAL_STOP,
                               c->scratch) != LR_OK)
        c->failed = 1;
}

/* L - shift I */
static void apply_shifted(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    apply_laplacian(c, x, y);
    for (size_t i = 0; i < c->laplacian.graph.n; i++)
        y[i] -= c->shift * x[i];
}

/* I - shift A^-1 */
static void apply_complement(void *context, const double *x, double *y)
{
    spectral_context *c = (spectral_context *)context;
    apply_factor(c, x, y);
    for (size_t i = 0; i < c->laplacian.graph.n; i++)
        y[i] = x[i] - c->shift * y[i];
}

/* ---- Lanczos with thick restarts ----------------------------------------- */

typedef struct {
    const lanczos_options *options;
    size_t n, most;
    size_t k;       /* vectors in the basis */
    size_t reached; /* the first one that the next product leans on */
    double *basis;  /* n x (most + 1) */
    double *small;  /* most x most: the projected matrix */
    double beta;    /* of the last vector and the next one */
    double *copy, *vectors, *values, *scratch;
} lanczos_task;

static lanczos_task open_lanczos(const lanczos_options *o, size_t n)
{
    size_t most = 2 * o->wanted + 10;
    most = smaller(most > LEAST_BASIS ? most : LEAST_BASIS, n);
    return (lanczos_task){
        .options = o, .n = n, .most = most,
        .basis = new_doubles(n * (most + 1)), .small = zero_doubles(most * most),
        .copy = new_doubles(most * (most + LR_ROTATED)),
        .vectors = new_doubles(most * most), .values = new_doubles(most),
        .scratch = new_doubles(3 * most)};
}

static void set_small(lanczos_task *t, size_t a, size_t b, double value)
{
    t->small[a + b * t->most] = t->small[b + a * t->most] = value;
}

/* What couples a Ritz vector with the next vector is its residual. */
static double last_entry(const lanczos_task *t, size_t i)
{
    return t->beta * t->vectors[t->k - 1 + i * t->k];
}

/* Are the wanted Ritz vectors, which it computes, accurate enough? */
static int are_accurate(lanczos_task *t)
{
    size_t wanted = t->options->wanted, good = 0;
    const double *stop = t->options->stop;
    for (size_t j = 0; j < t->k; j++)
        memcpy(t->copy + j * t->k, t->small + j * t->most,
               t->k * sizeof(double));
    if (lr_symmetric_eigen(t->copy, t->k, t->values, t->vectors, t->scratch)
        != LR_OK)
        lr_internal_error("no eigenvectors");
    for (; t->k >= wanted && good < wanted; good++)
        if (fabs(last_entry(t, good)) > stop[0]
                + stop[1] * fabs(t->values[good])
                + stop[2] * (t->values[0] - t->values[wanted - 1]))
            break;
    return good == wanted;
}

/* Goes on with the leading Ritz vectors instead of the basis. */
static void cut_back(lanczos_task *t)
{
    size_t keep = t->options->wanted + (t->most - t->options->wanted) / 3;
    lr_rotate_basis(t->basis, t->n, t->k, t->vectors, keep, t->copy);
    memset(t->small, 0, t->most * t->most * sizeof(double));
    for (size_t i = 0; i < keep; i++) {
        set_small(t, i, i, t->values[i]);
        set_small(t, i, keep, last_entry(t, i));
    }
    memcpy(t->basis + keep * t->n, t->basis + t->k * t->n,
           t->n * sizeof(double));
    t->k = keep;
    t->reached = 0;
}

eigenvectors extreme_vectors(spectral_context *c, const lanczos_options *o,
                             const double *start)
{
    size_t n = c->laplacian.graph.n, steps = 0;
    lr_deflated space = deflated_space(
        c, o->laplacian ? apply_minus : c->root ? apply_normalized
            : c->has_inverse ? apply_factor : apply_inner);
    lanczos_task t = open_lanczos(o, n);
    memcpy(t.basis, start, n * sizeof(double));
    for (int more = 1; more;) {
        double alpha;
        more = lr_lanczos_step(&space, t.basis, t.reached, t.k, &alpha, &t.beta)
            && ++steps < o->steps && !c->failed;
        set_small(&t, t.k, t.k, alpha);
        t.reached = t.k++;
        int full = t.k == t.most;
        if ((!more || full || steps % CHECKED == 0) && are_accurate(&t))
            break;
        if (more && full)
            cut_back(&t);
        else if (more)
            set_small(&t, t.reached, t.k, t.beta);
    }
    size_t found = smaller(o->wanted, t.k);
    lr_rotate_basis(t.basis, n, t.k, t.vectors, found, t.copy);
    return (eigenvectors){found, steps, t.values, t.basis};
}

/* ---- one resolvent ------------------------------------------------------- */

lr_status solve_resolvent(spectral_context *c, double value, double sigma,
                          size_t entry, double *g)
{
    size_t n = c->laplacian.graph.n;
    double *rhs = new_doubles(n), *x = zero_doubles(n);
    x[entry] = -1.0;
    lr_project(n, c->deflate, c->n_deflate, x);
    lr_operator apply = apply_shifted;
    c->shift = value;
    if (c->has_inverse) {
        /* (L - value) g = r is the same as (I - (value - sigma) A^-1) g =
         * A^-1 r, which is close to the identity */
        lr_inverse_product(&c->inverse, x, rhs, c->more_scratch);
        c->shift -= sigma;
        apply = apply_complement;
    } else {
        memcpy(rhs, x, n * sizeof(double));
    }
    lr_deflated space = deflated_space(c, apply);
    return lr_conjugate_gradients(&space, c->has_inverse ? NULL : c->diagonal,
                                  rhs, g, USUAL_STOP, c->scratch);
}
