/* Principal components of the samples: left singular vectors of the centred,
 * scaled data C (n x p) times their singular values. For a smaller side
 * up to `exact` by the eigenvectors of C C' or C'C, beyond by block Lanczos
 * with full orthogonalization on the smaller of the two, of which only a small
 * C'C is formed (Golub and Van Loan 2013, section 10.3.6; thick restarts as in
 * Wu and Simon 2000). */
#include <math.h>

#include "components_lanczos_walk.h"
#include "components_walk.h"

enum {
    MOST = 640, /* vectors of a basis before it is cut back */
    SPARE = 32  /* that are kept then besides those wanted */
};

/* ---- scores -------------------------------------------------------------- */

/* Eigenvectors of C C' times the root of their values, or C times those of
 * C'C. */
static void write_scores(gram_task *g, const components *c, double *out)
{
    size_t count = c->count;
    const double *vectors = c->vectors;
    for (size_t j = 0; g->m == g->n && j < count; j++)
        for (size_t i = 0; i < g->n; i++)
            out[i + j * g->n] = vectors[i + j * g->m] * sqrt(c->values[j]);
    for (size_t first = 0; g->m != g->n && first < count; first += LR_VECTORS) {
        size_t some = smaller(count - first, LR_VECTORS);
        memset(g->w, 0, g->p * LR_VECTORS * sizeof(double));
        for (size_t v = 0; v < some; v++)
            for (size_t j = 0; j < g->p; j++)
                g->w[j * LR_VECTORS + v] = vectors[j + (first + v) * g->m];
        gram_scores(g);
        for (size_t v = 0; v < some; v++)
            for (size_t i = 0; i < g->n; i++)
                out[i + (first + v) * g->n] = g->y[i * LR_VECTORS + v];
    }
}

/* The largest coordinate of a component is positive. */
static void choose_signs(double *scores, size_t n, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        double most = 0.0;
        for (size_t i = 0; i < n; i++)
            if (fabs(scores[i + j * n]) > fabs(most))
                most = scores[i + j * n];
        for (size_t i = 0; most < 0.0 && i < n; i++)
            scores[i + j * n] = -scores[i + j * n];
    }
}

void component_scores(gram_task *g, const components *found, double *scores)
{
    write_scores(g, found, scores);
    choose_signs(scores, g->n, found->count);
}

/* ---- both ways ----------------------------------------------------------- */

/* Of the whole matrix. */
static components whole_components(gram_task *g, size_t wanted)
{
    double *vectors = new_doubles(g->m * wanted), *values = new_doubles(wanted);
    lr_largest_eigen(gram_whole(g), g->m, wanted, values, vectors);
    return (components){wanted, vectors, values, 0.0};
}

static double *apply_gram(void *context, const double *x)
{
    return (double *)gram_apply(context, x);
}

static components lanczos_components(gram_task *g, size_t wanted,
                                     const component_options *options)
{
    size_t most = 4 * wanted + SPARE;
    progress_line line = progress_begin("Components", "vectors", MOST,
                                        g->data->control.progress);
    if (g->m < g->n && g->m <= options->formed)
        g->whole = gram_whole(g);
    lanczos_options o = {
        .m = g->m, .wanted = wanted, .width = smaller(g->m, LR_VECTORS),
        .most = most > MOST ? most : MOST, .keep = wanted + SPARE,
        .cuts = options->cuts, .apply = apply_gram, .context = g,
        .start = options->start, .n_start = options->n_start,
        .elsewhere = 1e-3, .accuracy = {.geometric = options->tolerance},
        .control = &g->data->control, .line = &line};
    eigenvectors found = largest_eigenvectors(&o);
    progress_end(&line);
    return (components){found.count, found.vectors, found.values,
                        found.excess};
}

components find_components(gram_task *g, const component_options *options)
{
    size_t wanted = smaller(options->count, g->m), rank = 0;
    components c = g->m <= options->exact
        ? whole_components(g, wanted) : lanczos_components(g, wanted, options);
    while (rank < c.count && c.values[rank] > 1e-10 * c.values[0])
        rank++;
    c.count = rank;
    return c;
}
