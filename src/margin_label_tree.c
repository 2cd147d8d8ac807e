#include <math.h>
#include <string.h>

#include "margin_label_tree.h"

typedef lr_label_totals totals;
typedef lr_products products;

/* ---- two sides of a node ------------------------------------------------- */

typedef struct {
    int *point, *query;
    size_t n_points, n_queries;
    double samples;  /* of this side */
    double unlisted; /* of them */
    double zero_owners; /* of these, with hits: f(v) = |v| */
} side;

typedef struct {
    double n, u, uu, h, hu;
} moments;

static void add_point(const lr_label_buffer *r, int e, moments *m)
{
    double u = r->value[e], h = r->own[e];
    m->n += 1.0;
    m->u += u;
    m->uu += u * u;
    m->h += h;
    m->hu += h * u;
}

/* The terms with f of the samples n of one side and m of the other. */
static void add_misses(const lr_labels *l, const lr_label_buffer *r,
                       const side *n_side, const side *m_side, totals *t)
{
    moments all = {n_side->unlisted, 0, 0, 0, 0}, left = {0, 0, 0, 0, 0};
    double sizes = 0.0, own_sizes = 0.0;
    size_t at = 0;
    for (size_t i = 0; i < n_side->n_points; i++) {
        int e = n_side->point[i];
        add_point(r, e, &all);
        sizes += fabs(r->value[e]);
        own_sizes += r->own[e] * fabs(r->value[e]);
    }
    for (size_t i = 0; i < m_side->n_queries; i++) {
        int q = m_side->query[i], m = l->owner[q];
        int position = r->hit_position[q];
        while (at < n_side->n_points
               && r->position[n_side->point[at]] <= position)
            add_point(r, n_side->point[at++], &left);
        double n = left.n + (position >= r->zero ? n_side->unlisted : 0.0);
        double v = r->hit_value[q];
        double f = r->weight[m]
            * ((all.u - v * all.n) - 2.0 * (left.u - v * n));
        t->f += f;
        t->f_there += r->own[m] * f;
        t->f_here += r->weight[m]
            * ((all.hu - v * all.h) - 2.0 * (left.hu - v * left.h));
        const double *jump = r->jump + 3 * (size_t)q;
        t->ff += jump[0] * left.uu + jump[1] * left.u + jump[2] * n;
    }
    for (size_t i = 0; i < m_side->n_points; i++) {
        int m = m_side->point[i];
        if (l->start[m] < l->start[m + 1])
            t->ff += (all.uu - 2.0 * r->mean[m] * all.u)
                + r->mean[m] * r->mean[m] * all.n;
    }
    t->f += m_side->zero_owners * sizes;
    t->ff += m_side->zero_owners * all.uu;
    t->f_here += m_side->zero_owners * own_sizes;
}

static void add_products(products *sum, const products *term)
{
    sum->one += term->one;
    sum->u += term->u;
    sum->v += term->v;
    sum->uv += term->uv;
}

static products products_of(const lr_labels *l, const lr_label_buffer *r, int q)
{
    int e = l->owner[q];
    double weight = r->weight[e], u = weight * r->value[e], v = r->hit_value[q];
    products p = {weight, u, weight * v, u * v};
    return p;
}

/* Ranks, prefix sums and an empty tree of the hits of side n, and how many of
 * them are at most the value of each sample of side m. */
static void prepare_tree(const lr_labels *l, lr_label_buffer *r,
                         const side *n_side, const side *m_side)
{
    size_t count = n_side->n_queries, at = 0;
    memset(r->prefix, 0, sizeof(products));
    memset(r->tree, 0, (count + 1) * sizeof(products));
    for (size_t i = 0; i < count; i++) {
        int q = n_side->query[i];
        products p = products_of(l, r, q);
        r->rank[q] = (int)i + 1;
        r->prefix[i + 1] = r->prefix[i];
        add_products(r->prefix + i + 1, &p);
    }
    for (size_t i = 0; i < m_side->n_points; i++) {
        int m = m_side->point[i];
        while (at < count
               && r->hit_position[n_side->query[at]] <= r->position[m])
            at++;
        r->reach[m] = (int)at;
    }
}

static void insert_sample(const lr_labels *l, lr_label_buffer *r, int e,
                          size_t count, products *inserted)
{
    for (int q = l->start[e]; q < l->start[e + 1]; q++) {
        products p = products_of(l, r, q);
        add_products(inserted, &p);
        for (size_t i = (size_t)r->rank[q]; i <= count; i += i & (~i + 1))
            add_products(r->tree + i, &p);
    }
}

/* Sum over n and m of f_m(u_n) f_n(u_m): with g = (u_n - v_m)(u_m - v_n) over
 * all hits v, the sum of g (1 - 2 [u_n <= v_m]) (2 [v_n <= u_m] - 1). Goes
 * through v_m upwards and lets in n with u_n <= v_m. */
static double sum_products(const lr_labels *l, lr_label_buffer *r,
                           const side *n_side, const side *m_side)
{
    size_t count = n_side->n_queries, at = 0;
    products in = {0, 0, 0, 0};
    double total = 0.0;
    prepare_tree(l, r, n_side, m_side);
    const products *all = r->prefix + count;
    for (size_t i = 0; i < m_side->n_queries; i++) {
        int q = m_side->query[i], m = l->owner[q];
        while (at < n_side->n_points
               && r->position[n_side->point[at]] <= r->hit_position[q])
            insert_sample(l, r, n_side->point[at++], count, &in);
        products low = {0, 0, 0, 0};
        for (size_t k = (size_t)r->reach[m]; k > 0; k &= k - 1)
            add_products(&low, r->tree + k);
        const products *reached = r->prefix + r->reach[m];
        double one = 2.0 * (reached->one - 2.0 * low.one + in.one) - all->one;
        double u = 2.0 * (reached->u - 2.0 * low.u + in.u) - all->u;
        double v = 2.0 * (reached->v - 2.0 * low.v + in.v) - all->v;
        double uv = 2.0 * (reached->uv - 2.0 * low.uv + in.uv) - all->uv;
        double x = r->hit_value[q], y = r->value[m];
        total += r->weight[m] * ((y * u - uv) - x * (y * one - v));
    }
    return total;
}

/* The terms with h alone, and with samples that are not listed. */
static void add_own(const lr_label_buffer *r, const side *a, const side *b,
                    totals *t)
{
    double h[2] = {0.0, 0.0}, hh[2] = {0.0, 0.0}, far[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        const side *s = i == 0 ? a : b;
        for (size_t j = 0; j < s->n_points; j++) {
            double own = r->own[s->point[j]];
            h[i] += own;
            hh[i] += own * own;
            far[i] += r->distance[s->point[j]];
        }
    }
    t->h += h[0] * b->samples + h[1] * a->samples;
    t->hh += hh[0] * b->samples + hh[1] * a->samples;
    t->h_both += 2.0 * h[0] * h[1];
    t->f_both += 2.0 * (far[0] * b->zero_owners + far[1] * a->zero_owners);
}

/* ---- the tree of classes ------------------------------------------------- */

/* Numbers below `boundary` first, both parts in the order given. */
static size_t divide(int *list, size_t n, int boundary, int *spare)
{
    size_t kept = 0, moved = 0;
    for (size_t i = 0; i < n; i++) {
        if (list[i] < boundary)
            list[kept++] = list[i];
        else
            spare[moved++] = list[i];
    }
    memcpy(list + kept, spare, moved * sizeof(int));
    return kept;
}

static side make_side(const lr_labels *l, const lr_label_buffer *r, int begin,
                      int end, const size_t *part)
{
    side s = {r->point + part[0], r->query + part[2], part[1] - part[0],
              part[3] - part[2], (double)(end - begin), 0.0, 0.0};
    double owners = 0.0;
    for (size_t i = 0; i < s.n_points; i++)
        owners += l->start[s.point[i]] < l->start[s.point[i] + 1];
    s.unlisted = s.samples - (double)s.n_points;
    s.zero_owners = (double)(l->with_hits[end] - l->with_hits[begin]) - owners;
    return s;
}

static void keep_part(lr_label_buffer *r, int node, const size_t *part)
{
    if (node >= 0)
        memcpy(r->part + 4 * (size_t)node, part, 4 * sizeof(size_t));
}

static void meet(const lr_labels *l, lr_label_buffer *r, size_t at, totals *t)
{
    const lr_node *f = l->nodes + at;
    const size_t *whole = r->part + 4 * at;
    size_t points = divide(r->point + whole[0], whole[1] - whole[0], f->middle,
                           r->point_spare);
    size_t queries = divide(r->query + whole[2], whole[3] - whole[2],
                            l->start[f->middle], r->query_spare);
    size_t left[] = {whole[0], whole[0] + points, whole[2],
                     whole[2] + queries};
    size_t right[] = {left[1], whole[1], left[3], whole[3]};
    side a = make_side(l, r, f->begin, f->middle, left);
    side b = make_side(l, r, f->middle, f->end, right);
    add_misses(l, r, &a, &b, t);
    add_misses(l, r, &b, &a, t);
    add_own(r, &a, &b, t);
    if (a.n_queries > 0 && b.n_queries > 0)
        t->f_both += 2.0 * sum_products(l, r, &a, &b);
    keep_part(r, f->left, left);
    keep_part(r, f->right, right);
}

void lr_label_meet(const lr_labels *labels, lr_label_buffer *buffer,
                   totals *totals)
{
    size_t whole[] = {0, buffer->n_points, 0, buffer->n_queries};
    keep_part(buffer, labels->n_nodes > 0 ? 0 : -1, whole);
    for (size_t at = 0; at < labels->n_nodes; at++)
        meet(labels, buffer, at, totals);
}
