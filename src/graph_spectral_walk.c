/* The operators of the spectral questions, each product with a chance to
 * interrupt, and what is solved with them. */
#include "graph_walk.h"

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

/* ---- Lanczos, and one resolvent ------------------------------------------ */

size_t lanczos_steps(spectral_context *c, int plain, size_t steps,
                     lanczos_basis *b)
{
    lr_operator apply = plain ? apply_laplacian
        : c->root ? apply_normalized
        : c->has_inverse ? apply_factor : apply_inner;
    size_t taken = 0;
    lr_deflated space = deflated_space(c, apply);
    for (int more = 1; more && taken < steps; taken++)
        more = lr_lanczos_step(&space, b->basis, b->columns - 1 + taken,
                               b->alpha + taken, b->beta + taken);
    return taken;
}

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
