/* Block Lanczos over any operator. Vectors that are deflated stand in front of
 * the basis, so that the same products take both out. */
#include "components_lanczos_walk.h"

#include <math.h>

enum { ROWS = 512 /* entries of vectors that are in the cache together */ };

typedef struct {
    const lanczos_options *o;
    size_t m, most, locked; /* locked: columns that are deflated */
    double *basis;   /* m x (locked + most), by columns */
    double *h;       /* products with the basis, LR_VECTORS of each column */
    double *block;   /* m x LR_VECTORS: what enters the basis next */
    double *rest;    /* m x LR_VECTORS */
    double *small;   /* most x most: the projected matrix, upper triangle */
    double *copy, *vectors, *values, *residuals;
    double r[LR_VECTORS * LR_VECTORS];
    size_t k;        /* columns of the basis, the last `width` of one block */
    size_t width, next;
    size_t reached;  /* the first column that the next product leans on */
    size_t steps, begun;
} lanczos_task;

static lanczos_task open_lanczos(const lanczos_options *o)
{
    size_t m = o->m, locked = o->deflate.count;
    size_t most = smaller(o->most, m - locked);
    lanczos_task t = {
        .o = o, .m = m, .most = most, .locked = locked, .k = locked,
        .basis = new_doubles(m * (locked + most)),
        .h = new_doubles((locked + most) * LR_VECTORS),
        .block = new_doubles(m * LR_VECTORS),
        .rest = new_doubles(m * LR_VECTORS), .small = new_doubles(most * most),
        .copy = new_doubles(most * (most + LR_ROTATED)),
        .vectors = new_doubles(most * most), .values = new_doubles(most),
        .residuals = new_doubles(o->wanted)};
    if (locked > 0)
        memcpy(t.basis, o->deflate.columns, m * locked * sizeof(double));
    return t;
}

/* ---- orthogonal to the basis --------------------------------------------- */

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
                     t->o->control->level);
}

static void subtract_columns(void *context, size_t item)
{
    const part_task *p = context;
    const lanczos_task *t = p->lanczos;
    lr_basis b = basis_part(t, p->from, t->k);
    size_t row = item * ROWS;
    lr_less_basis(&b, row, smaller(row + ROWS, t->m),
                  t->h + p->from * LR_VECTORS, t->rest, t->o->control->level);
}

/* h = basis' rest, then rest -= basis h: for the columns from `from` on. */
static void orthogonalize(lanczos_task *t, size_t from)
{
    part_task p = {t, from};
    int team = team_size(t->o->control,
                         4.0 * (double)t->m * (double)(t->k - from));
    lr_run_chunks(team, t->k - from, dot_columns, &p);
    lr_run_items(team, (t->m + ROWS - 1) / ROWS, subtract_columns, &p);
}

/* h onto the columns of the projected matrix that are those of the block. */
static void add_products(lanczos_task *t, size_t from)
{
    size_t first = t->k - t->locked - t->width;
    for (size_t v = 0; v < t->width; v++)
        for (size_t c = from > t->locked ? from : t->locked; c < t->k; c++)
            t->small[c - t->locked + (first + v) * t->most] +=
                t->h[c * LR_VECTORS + v];
}

/* ---- blocks -------------------------------------------------------------- */

/* How many more vectors can be orthogonal to those of the basis. */
static size_t left(const lanczos_task *t)
{
    return t->m - t->k;
}

/* A block that what was there does not lead to: from the start, so many of its
 * vectors in each column, and a little of everything, as what is wanted may be
 * orthogonal to all of them; later, of an invariant space, from anywhere. */
static void begin_block(lanczos_task *t)
{
    const lanczos_options *o = t->o;
    size_t width = smaller(smaller(o->width, left(t)),
                           t->most + t->locked - t->k);
    size_t n_start = o->n_start;
    double size = o->elsewhere / sqrt((double)t->m);
    /* one that is deflated may be all that an earlier start led to: of a graph
     * of equal weights next_vector() found no third vector, for ever */
    lr_start_vectors(t->m, width, t->locked + t->begun, t->rest);
    if (t->begun++ > 0)
        n_start = 0;
    for (size_t i = 0; n_start > 0 && i < t->m * LR_VECTORS; i++)
        t->rest[i] *= size;
    for (size_t j = 0; j < n_start; j++)
        for (size_t i = 0; i < t->m; i++)
            t->rest[i * LR_VECTORS + j % width] += o->start[i + j * t->m];
    orthogonalize(t, 0);
    orthogonalize(t, 0);
    t->next = lr_orthonormalize(t->m, width, 1e-10 * size, t->rest, t->r);
    /* nothing that the basis knows of leads there */
    memset(t->r, 0, sizeof t->r);
    t->reached = t->k;
}

/* The block joins the basis, and the next one is what its product with the
 * operator adds: t->next vectors. */
static void lanczos_step(lanczos_task *t)
{
    double largest = 0.0;
    memcpy(t->block, t->rest, t->m * LR_VECTORS * sizeof(double));
    t->width = t->next;
    for (size_t v = 0; v < t->width; v++, t->k++) {
        for (size_t i = 0; i < t->m; i++)
            t->basis[i + t->k * t->m] = t->block[i * LR_VECTORS + v];
        memset(t->small + (t->k - t->locked) * t->most, 0,
               t->most * sizeof(double));
    }
    memcpy(t->rest, t->o->apply(t->o->context, t->block),
           t->m * LR_VECTORS * sizeof(double));
    t->steps++;
    /* the product leans on the last two blocks only; what rounding leaves of
     * all others is taken out with the second pass */
    orthogonalize(t, t->reached);
    add_products(t, t->reached);
    orthogonalize(t, 0);
    add_products(t, 0);
    t->reached = t->k - t->width;
    for (size_t c = 0; c < t->k - t->locked; c++)
        largest = fmax(largest, fabs(t->small[c * (t->most + 1)]));
    t->next = lr_orthonormalize(t->m, t->width, 1e-13 * largest, t->rest, t->r);
    /* beyond the dimension there is rounding only */
    t->next = smaller(t->next, left(t));
}

/* ---- Ritz vectors -------------------------------------------------------- */

/* The `count` largest eigenvalues of the projected matrix, with vectors. */
static void solve_small(lanczos_task *t, size_t count)
{
    size_t k = t->k - t->locked;
    for (size_t j = 0; j < k; j++)
        for (size_t i = 0; i <= j; i++)
            t->copy[i + j * k] = t->copy[j + i * k] = t->small[i + j * t->most];
    lr_largest_eigen(t->copy, k, count, t->values, t->vectors);
}

double residual_limit(const lr_accuracy *a, const double *values, size_t count,
                      size_t i)
{
    double limit = a->absolute + a->relative * fabs(values[i])
        + a->spread * (values[0] - values[count - 1])
        + a->geometric * sqrt(fmax(values[0] * values[i], 0.0));
    return fmax(limit, 1e-14 * fabs(values[0]));
}

/* How many times as far as allowed the wanted eigenvectors of the projected
 * matrix are from exact ones, at most. Their entries of the last block tell. */
static double excess(lanczos_task *t)
{
    size_t k = t->k - t->locked, count = smaller(t->o->wanted, k);
    double most = 0.0;
    solve_small(t, count);
    for (size_t i = 0; i < count; i++) {
        t->residuals[i] = lr_ritz_residual(t->vectors + i * k, k, t->width,
                                           t->r, t->next);
        if (t->residuals[i] > 0.0)
            most = fmax(most, t->residuals[i]
                        / residual_limit(&t->o->accuracy, t->values, count, i));
    }
    return most;
}

/* Leaves the best Ritz vectors in the basis, at most `keep`. */
static void cut_back(lanczos_task *t, size_t keep)
{
    size_t k = t->k - t->locked;
    keep = smaller(keep, k);
    solve_small(t, keep);
    lr_rotate_basis(t->basis + t->locked * t->m, t->m, k, t->vectors, keep,
                    t->copy);
    t->k = t->locked + keep;
    for (size_t j = 0; j < keep; j++) {
        memset(t->small + j * t->most, 0, t->most * sizeof(double));
        t->small[j * (t->most + 1)] = t->values[j];
    }
    t->reached = 0;
}

eigenvectors largest_eigenvectors(const lanczos_options *o)
{
    lanczos_task t = open_lanczos(o);
    size_t look = 2 * o->wanted + 2 * o->width;
    double far = 0.0;
    begin_block(&t);
    for (int cuts = 0; t.next > 0;) {
        lanczos_step(&t);
        lr_check_interrupt();
        if (o->line)
            progress_tick(o->line, (double)(t.k - t.locked));
        size_t k = t.k - t.locked;
        int full = k + t.next > t.most;
        if (t.next == 0 && k < smaller(o->wanted, t.most)) {
            begin_block(&t);
            continue;
        }
        if (t.next > 0 && !full && k < look)
            continue;
        far = excess(&t);
        if (far <= 1.0 || (full && cuts++ == o->cuts))
            break;
        /* a step or two are left, or it is not near yet */
        look = far < 10.0 ? k : k + k / 8;
        if (full) {
            cut_back(&t, smaller(o->keep, k / 2));
            look = 2 * (t.k - t.locked);
        }
    }
    size_t count = smaller(o->wanted, t.k - t.locked);
    cut_back(&t, o->wanted + o->also);
    return (eigenvectors){count, t.k - t.locked, t.steps,
                          t.basis + t.locked * t.m, t.values, t.residuals, far};
}
