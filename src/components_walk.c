/* Principal components of the samples: left singular vectors of the centred,
 * scaled data C (n x p) times their singular values. For a smaller side
 * up to `exact` by the eigenvectors of C C' or C'C, beyond by block Lanczos
 * with full orthogonalization on the smaller of the two, of which only a small
 * C'C is formed (Golub and Van Loan 2013, section 10.3.6; thick restarts as in
 * Wu and Simon 2000). */
#include <math.h>

#include "components_eigen.h"
#include "components_walk.h"

/* Share of a start in directions that the given vectors do not have. */
static const double START_ELSEWHERE = 1e-3;

enum {
    ROWS = 512,      /* entries of vectors that are in the cache together */
    MOST = 640,      /* vectors of a basis before it is cut back */
    SPARE = 32,      /* vectors that are kept besides those wanted */
    MOST_CUTS = 500
};

/* ---- block Lanczos ------------------------------------------------------- */

typedef struct {
    gram_task *gram;
    size_t m, wanted, most;
    double tolerance;
    double *basis;   /* m x most, by columns */
    double *h;       /* most x LR_VECTORS: products with the basis */
    double *block;   /* m x LR_VECTORS: what enters the basis next */
    double *rest;    /* m x LR_VECTORS */
    double *small;   /* most x most: the projected matrix, upper triangle */
    double *copy, *vectors, *values, *scratch;
    double r[LR_VECTORS * LR_VECTORS];
    size_t k;        /* vectors in the basis, the last `width` of one block */
    size_t width, next;
    size_t reached;  /* the first vector that the next product leans on */
} lanczos_task;

static lanczos_task open_lanczos(gram_task *gram, size_t wanted,
                                 double tolerance)
{
    size_t m = gram->m, most = 4 * wanted + SPARE;
    most = smaller(most > MOST ? most : MOST, m);
    return (lanczos_task){
        .gram = gram, .m = m, .wanted = wanted, .most = most,
        .tolerance = tolerance,
        .basis = new_doubles(m * (most + LR_VECTORS)),
        .h = new_doubles((most + LR_VECTORS) * LR_VECTORS),
        .block = new_doubles(m * LR_VECTORS),
        .rest = new_doubles(m * LR_VECTORS), .small = new_doubles(most * most),
        .copy = new_doubles(most * (most + LR_ROTATED)),
        .vectors = new_doubles(most * most), .values = new_doubles(most),
        .scratch = new_doubles(3 * most)};
}

/* The columns that an orthogonalization takes out. */
typedef struct {
    const lanczos_task *lanczos;
    size_t from;
} part_task;

static lr_basis basis_part(const lanczos_task *t, size_t from, size_t to)
{
    return (lr_basis){t->basis + from * t->m, t->m, to - from};
}

static void dot_columns(void *context, size_t from, size_t to)
{
    const part_task *p = context;
    const lanczos_task *t = p->lanczos;
    lr_basis b = basis_part(t, p->from + from, p->from + to);
    double *h = t->h + (p->from + from) * LR_VECTORS;
    memset(h, 0, b.count * LR_VECTORS * sizeof(double));
    for (size_t row = 0; row < t->m; row += ROWS)
        lr_dot_basis(&b, row, smaller(row + ROWS, t->m), t->rest, h,
                     t->gram->data->control.level);
}

static void subtract_columns(void *context, size_t item)
{
    const part_task *p = context;
    const lanczos_task *t = p->lanczos;
    lr_basis b = basis_part(t, p->from, t->k);
    size_t row = item * ROWS;
    lr_less_basis(&b, row, smaller(row + ROWS, t->m),
                  t->h + p->from * LR_VECTORS, t->rest,
                  t->gram->data->control.level);
}

/* h = basis' rest, then rest -= basis h, and h onto the projected matrix: for
 * the columns of the basis from `from` on. */
static void orthogonalize(lanczos_task *t, size_t from)
{
    part_task p = {t, from};
    int team = team_size(&t->gram->data->control,
                         4.0 * (double)t->m * (double)(t->k - from));
    lr_run_chunks(team, t->k - from, dot_columns, &p);
    lr_run_items(team, (t->m + ROWS - 1) / ROWS, subtract_columns, &p);
    for (size_t v = 0; v < t->width; v++)
        for (size_t c = from; c < t->k; c++)
            t->small[c + (t->k - t->width + v) * t->most] +=
                t->h[c * LR_VECTORS + v];
}

/* The block joins the basis, and the next one is what its product with the
 * matrix adds. Returns 0 when that is nothing. */
static int lanczos_step(lanczos_task *t)
{
    for (size_t v = 0; v < t->width; v++, t->k++) {
        for (size_t i = 0; i < t->m; i++)
            t->basis[i + t->k * t->m] = t->block[i * LR_VECTORS + v];
        memset(t->small + t->k * t->most, 0, t->most * sizeof(double));
    }
    memcpy(t->rest, gram_apply(t->gram, t->block),
           t->m * LR_VECTORS * sizeof(double));
    /* the product leans on the last two blocks only; what rounding leaves of
     * all others is taken out with the second pass */
    orthogonalize(t, t->reached);
    orthogonalize(t, 0);
    t->reached = t->k - t->width;
    double largest = 0.0;
    for (size_t c = 0; c < t->k; c++)
        largest = fmax(largest, t->small[c * (t->most + 1)]);
    t->next = lr_orthonormalize(t->m, t->width, 1e-13 * largest, t->rest, t->r);
    /* beyond the dimension there is rounding only */
    t->next = smaller(t->next, t->m - t->k);
    return t->next > 0;
}

/* Eigenvalues of the projected matrix, and of its eigenvectors the entries from
 * `first` on. */
static void solve_small(lanczos_task *t, size_t first)
{
    for (size_t j = 0; j < t->k; j++)
        for (size_t i = 0; i <= j; i++)
            t->copy[i + j * t->k] = t->copy[j + i * t->k] =
                t->small[i + j * t->most];
    if (lr_symmetric_eigen(t->copy, t->k, first, t->values, t->vectors,
                           t->scratch) != LR_OK)
        lr_internal_error("no eigenvectors");
}

/* How many times as far as allowed the wanted eigenvectors of the projected
 * matrix are from exact ones, at most. Their entries of the last block tell. */
static double excess(lanczos_task *t)
{
    double most = 0.0;
    solve_small(t, t->k - t->width);
    double first = fmax(t->values[0], 0.0);
    for (size_t i = 0; i < t->wanted && i < t->k; i++) {
        double limit = t->tolerance * sqrt(first * fmax(t->values[i], 0.0));
        double left = lr_ritz_residual(t->vectors + i * t->width, t->width,
                                       t->width, t->r, t->next);
        limit = fmax(limit, 1e-14 * first);
        most = fmax(most, left > 0.0 ? left / limit : 0.0);
    }
    return most;
}

/* Leaves the best Ritz vectors in the basis, at most `keep`. */
static void cut_back(lanczos_task *t, size_t keep)
{
    solve_small(t, 0);
    keep = smaller(keep, t->k);
    lr_rotate_basis(t->basis, t->m, t->k, t->vectors, keep, t->copy);
    t->k = keep;
    for (size_t j = 0; j < t->k; j++) {
        memset(t->small + j * t->most, 0, t->most * sizeof(double));
        t->small[j * (t->most + 1)] = t->values[j];
    }
    t->reached = 0;
}

static void advance(lanczos_task *t)
{
    memcpy(t->block, t->rest, t->m * LR_VECTORS * sizeof(double));
    t->width = t->next;
}

/* The first block: the vectors of `start` (m x n_start, unit length), so many
 * in each column, and a little of everything, as what is wanted may be
 * orthogonal to all of them. */
static void begin_with(lanczos_task *t, const double *start, size_t n_start)
{
    double size = START_ELSEWHERE / sqrt((double)t->m);
    lr_start_vectors(t->m, t->width, t->block);
    for (size_t i = 0; n_start > 0 && i < t->m * LR_VECTORS; i++)
        t->block[i] *= size;
    for (size_t j = 0; j < n_start; j++)
        for (size_t i = 0; i < t->m; i++)
            t->block[i * LR_VECTORS + j % t->width] += start[i + j * t->m];
}

/* Leaves the wanted vectors, unit length, in the first columns of the basis. */
static void run_lanczos(lanczos_task *t, const double *start, size_t n_start,
                        progress_line *line)
{
    size_t look = 2 * t->wanted + 2 * LR_VECTORS;
    t->width = smaller(t->m, LR_VECTORS);
    begin_with(t, start, n_start);
    t->width = lr_orthonormalize(t->m, t->width, 0.0, t->block, t->r);
    for (int cuts = 0; cuts < MOST_CUTS;) {
        int more = lanczos_step(t);
        progress_tick(line, (double)t->k);
        int full = t->k + t->next > t->most;
        if (more && !full && t->k < look) {
            advance(t);
            continue;
        }
        double far = more ? excess(t) : 0.0;
        if (far <= 1.0)
            break;
        /* a step or two are left, or it is not near yet */
        look = far < 10.0 ? t->k : t->k + t->k / 8;
        if (full) {
            cut_back(t, smaller(t->wanted + SPARE, t->k / 2));
            look = 2 * t->k;
            cuts++;
        }
        advance(t);
    }
    cut_back(t, t->wanted);
}

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
static components whole_components(gram_task *g)
{
    double *gram = gram_whole(g), *scratch = new_doubles(3 * g->m);
    double *vectors = new_doubles(g->m * g->m), *values = new_doubles(g->m);
    if (lr_symmetric_eigen(gram, g->m, 0, values, vectors, scratch) != LR_OK)
        lr_internal_error("no eigenvectors");
    return (components){g->m, vectors, values};
}

components find_components(gram_task *g, const component_options *options)
{
    components c;
    size_t wanted = smaller(options->count, g->m), rank = 0;
    progress_line line =
        progress_begin("Components", "vectors", MOST,
                       g->data->control.progress);
    if (g->m <= options->exact) {
        c = whole_components(g);
    } else {
        if (g->m < g->n && g->m <= options->formed)
            g->whole = gram_whole(g);
        lanczos_task t = open_lanczos(g, wanted, options->tolerance);
        run_lanczos(&t, options->start, options->n_start, &line);
        c = (components){t.k, t.basis, t.values};
    }
    progress_end(&line);
    wanted = smaller(wanted, c.count);
    while (rank < wanted && c.values[rank] > 1e-10 * c.values[0])
        rank++;
    c.count = rank;
    return c;
}
