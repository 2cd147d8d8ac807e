/* Margins of all pairs of labelled samples by sorted values, feature by
 * feature. */
#include "margin_labels.h"

#include <math.h>
#include <string.h>

/* ==== the scratch of one feature ========================================== */

typedef struct {
    double value;
    int row;
} lr_item;

#define ITEM lr_item
#define KEY(item) ((item).value)
#include "lr_merge_sort.h"

/* Sums that a dominance sum adds up: of 1, u_n, v_n and u_n v_n. */
typedef struct {
    double one, u, v, uv;
} lr_products;

/* Samples that are 0 and whose hits are all 0 are not listed: they are given by
 * their numbers alone. Positions count the sorted values, all zeros sharing
 * one; of equal values any may come first, as their difference is 0. */
struct lr_label_buffer {
    double *w;          /* per row, all 0 between features */
    int *order;         /* per row, its position when w is not 0 */
    int *listed;        /* per labelled sample, all 0 between features */
    lr_item *items, *spare;
    int *bucket;        /* per position */
    int zero;           /* the position of zeros */
    size_t n_positions;
    /* per labelled sample, of those that are listed */
    double *value, *own, *weight, *mean; /* u, h, 1 / hits, mean of hits */
    double *distance;   /* |u| times the mean |v| of its hits */
    double *below;      /* of its hits met so far: their sum */
    int *met, *position, *reach;
    int *point, *point_spare; /* listed samples, by position in each part */
    size_t n_points;
    /* per hit, of those of listed samples */
    double *hit_value;
    double *jump;       /* 3: how f^2 changes there, see prepare_jumps() */
    int *hit_position, *rank;
    int *query, *query_spare; /* hits, by position in each part */
    size_t n_queries;
    lr_products *tree, *prefix;
    size_t *part;       /* per node: where its points and queries begin and
                           end */
};

/* Over ordered pairs (n, m) of different classes; f = f_m(u_n). */
typedef struct {
    double f, ff;           /* f, f^2 */
    double f_here, f_there; /* h_n f, h_m f */
    double h, hh;           /* h_n, h_n^2 */
    double h_both;          /* h_n h_m */
    double f_both;          /* f_m(u_n) f_n(u_m) */
} lr_label_totals;

/* ==== classes that meet at the nodes of a tree ============================ */

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

/* The node of the classes first .. last, -1 where it is one. */
static int split_classes(const int *begin, size_t first, size_t last,
                         lr_node *nodes, size_t *count)
{
    if (first >= last)
        return -1;
    double half = (begin[first] + begin[last + 1]) / 2.0;
    size_t at = (*count)++, cut = first + 1; /* where the second part begins */
    for (size_t c = cut; c <= last; c++)
        if (fabs(begin[c] - half) < fabs(begin[cut] - half))
            cut = c;
    nodes[at] = (lr_node){begin[first], begin[cut], begin[last + 1], 0, 0};
    nodes[at].left = split_classes(begin, first, cut - 1, nodes, count);
    nodes[at].right = split_classes(begin, cut, last, nodes, count);
    return (int)at;
}

size_t lr_class_tree(const int *begin, size_t n_classes, lr_node *nodes)
{
    size_t count = 0;
    split_classes(begin, 0, n_classes - 1, nodes, &count);
    return count;
}

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

/* ==== one feature ========================================================= */

/* ---- memory -------------------------------------------------------------- */

/* Returns a part of `memory`, or only counts when that is NULL. */
static void *take(char *memory, size_t *used, size_t count, size_t size)
{
    void *part = memory ? memory + *used : NULL;
    *used += (count * size + 15) / 16 * 16;
    return part;
}

static size_t lay_out(const lr_labels *l, lr_label_buffer *r, char *memory)
{
    size_t n = l->n, e = l->n_labelled, h = (size_t)l->start[e];
    size_t used = 0;
    take(memory, &used, 1, sizeof *r);
    r->w = take(memory, &used, n, sizeof(double));
    r->order = take(memory, &used, n, sizeof(int));
    r->listed = take(memory, &used, e, sizeof(int));
    r->items = take(memory, &used, n, sizeof(lr_item));
    r->spare = take(memory, &used, n, sizeof(lr_item));
    r->bucket = take(memory, &used, n + 2, sizeof(int));
    double **real[] = {&r->value, &r->own,      &r->weight,
                       &r->mean,  &r->distance, &r->below};
    for (size_t k = 0; k < sizeof real / sizeof *real; k++)
        *real[k] = take(memory, &used, e, sizeof(double));
    int **at[] = {&r->met, &r->position, &r->reach, &r->point, &r->point_spare};
    for (size_t k = 0; k < sizeof at / sizeof *at; k++)
        *at[k] = take(memory, &used, e, sizeof(int));
    r->hit_value = take(memory, &used, h, sizeof(double));
    r->jump = take(memory, &used, 3 * h, sizeof(double));
    r->hit_position = take(memory, &used, h, sizeof(int));
    r->rank = take(memory, &used, h, sizeof(int));
    r->query = take(memory, &used, h, sizeof(int));
    r->query_spare = take(memory, &used, h, sizeof(int));
    r->tree = take(memory, &used, h + 1, sizeof(lr_products));
    r->prefix = take(memory, &used, h + 1, sizeof(lr_products));
    r->part = take(memory, &used, 4 * l->n_nodes, sizeof(size_t));
    return used;
}

size_t lr_label_bytes(const lr_labels *labels)
{
    lr_label_buffer buffer;
    return lay_out(labels, &buffer, NULL);
}

lr_label_buffer *lr_label_buffer_in(const lr_labels *labels, void *memory)
{
    lr_label_buffer *buffer = memory;
    lay_out(labels, buffer, memory);
    memset(buffer->w, 0, labels->n * sizeof(double));
    memset(buffer->listed, 0, labels->n_labelled * sizeof(int));
    return buffer;
}

/* ---- what a feature needs before classes meet ---------------------------- */

static void place_values(const lr_entries *e, lr_label_buffer *r)
{
    for (size_t i = 0; i < e->count; i++) {
        lr_item one = {e->value[i], e->row[i]};
        r->items[i] = one;
        r->w[e->row[i]] = e->value[i];
    }
    lr_item *sorted = sort_items(r->items, r->spare, e->count);
    int at = 0;
    r->zero = 0;
    for (size_t i = 0; i < e->count; i++) {
        if (sorted[i].value > 0.0 && at == r->zero)
            at++;
        else if (sorted[i].value < 0.0)
            r->zero++;
        r->order[sorted[i].row] = at++;
    }
    r->n_positions = e->count + 1;
}

static int position_of(const lr_label_buffer *r, int row)
{
    return r->w[row] == 0.0 ? r->zero : r->order[row];
}

static void list_sample(const lr_labels *l, lr_label_buffer *r, int number)
{
    if (r->listed[number])
        return;
    r->listed[number] = 1;
    r->point_spare[r->n_points++] = number;
    r->value[number] = r->w[l->row[number]];
    r->position[number] = position_of(r, l->row[number]);
    for (int q = l->start[number]; q < l->start[number + 1]; q++) {
        r->hit_value[q] = r->w[l->hit[q]];
        r->hit_position[q] = position_of(r, l->hit[q]);
        r->query_spare[r->n_queries++] = q;
    }
}

/* `list` by position, equal positions in the order given. */
static void order_by_position(const int *list, size_t n, const int *position,
                              lr_label_buffer *r, int *out)
{
    memset(r->bucket, 0, (r->n_positions + 1) * sizeof(int));
    for (size_t i = 0; i < n; i++)
        r->bucket[position[list[i]] + 1]++;
    for (size_t b = 0; b < r->n_positions; b++)
        r->bucket[b + 1] += r->bucket[b];
    for (size_t i = 0; i < n; i++)
        out[r->bucket[position[list[i]]]++] = list[i];
}

static void list_samples(const lr_labels *l, const lr_entries *e,
                         lr_label_buffer *r)
{
    r->n_points = r->n_queries = 0;
    for (size_t i = 0; i < e->count; i++) {
        int row = e->row[i];
        if (l->number[row] >= 0)
            list_sample(l, r, l->number[row]);
        for (size_t j = l->user_start[row]; j < l->user_start[row + 1]; j++)
            list_sample(l, r, l->user[j]);
    }
    order_by_position(r->point_spare, r->n_points, r->position, r, r->point);
    order_by_position(r->query_spare, r->n_queries, r->hit_position, r,
                      r->query);
}

/* Sums over the hits of each listed sample. */
static void prepare_samples(const lr_labels *l, lr_label_buffer *r)
{
    for (size_t i = 0; i < r->n_points; i++) {
        int e = r->point[i], first = l->start[e], last = l->start[e + 1];
        double differences = 0.0, sum = 0.0, sizes = 0.0;
        double count = last > first ? (double)(last - first) : 1.0;
        for (int q = first; q < last; q++) {
            differences += fabs(r->value[e] - r->hit_value[q]);
            sum += r->hit_value[q];
            sizes += fabs(r->hit_value[q]);
        }
        r->own[e] = differences / count;
        r->weight[e] = 1.0 / count;
        r->mean[e] = sum / count;
        r->distance[e] = fabs(r->value[e]) * (sizes / count);
        r->below[e] = 0.0;
        r->met[e] = 0;
    }
}

/* Right of s of its c hits, f(w) = a w + b with a = (2 s - c) / c and b = (sum
 * of the hits to the right - sum of those to the left) / c. What a^2, 2 a b
 * and b^2 lose at a hit times the moments of the samples to its left, and the
 * last a = 1, b = -mean times those of all samples, is the sum of f^2. */
static void prepare_jumps(const lr_labels *l, lr_label_buffer *r)
{
    for (size_t i = 0; i < r->n_queries; i++) {
        int q = r->query[i], e = l->owner[q];
        double weight = r->weight[e];
        double a = 2.0 * r->met[e] * weight - 1.0;
        double b = r->mean[e] - 2.0 * r->below[e] * weight;
        r->met[e]++;
        r->below[e] += r->hit_value[q];
        double next_a = 2.0 * r->met[e] * weight - 1.0;
        double next_b = r->mean[e] - 2.0 * r->below[e] * weight;
        r->jump[3 * q] = a * a - next_a * next_a;
        r->jump[3 * q + 1] = 2.0 * (a * b - next_a * next_b);
        r->jump[3 * q + 2] = b * b - next_b * next_b;
    }
}

static double largest_term(const lr_labels *l, const lr_entries *e,
                           const lr_label_buffer *r)
{
    double low = 0.0, high = 0.0, own = 0.0;
    for (size_t i = 0; i < e->count; i++) {
        low = fmin(low, e->value[i]);
        high = fmax(high, e->value[i]);
    }
    double far = fmax(high, -low);
    for (size_t i = 0; i < r->n_points; i++) {
        int m = r->point[i];
        own = fmax(own, r->own[m]);
        for (int q = l->start[m]; q < l->start[m + 1]; q++)
            far = fmax(far, fmax(high - r->hit_value[q],
                                 r->hit_value[q] - low));
    }
    return own + far;
}

void lr_label_margins(const lr_labels *labels, const lr_entries *entries,
                      lr_label_buffer *buffer, lr_label_sum *sum)
{
    lr_label_buffer *r = buffer;
    lr_label_totals t = {0, 0, 0, 0, 0, 0, 0, 0};
    place_values(entries, r);
    list_samples(labels, entries, r);
    prepare_samples(labels, r);
    prepare_jumps(labels, r);
    lr_label_meet(labels, r, &t);
    sum->sum = 0.5 * (t.f - t.h);
    sum->square = 0.25 * (((t.ff - 2.0 * t.f_here) + t.hh)
                          + ((t.f_both - 2.0 * t.f_there) + t.h_both));
    sum->magnitude = 0.25 * (((t.ff + 2.0 * t.f_here) + t.hh)
                             + ((t.f_both + 2.0 * t.f_there) + t.h_both));
    sum->size = largest_term(labels, entries, r);
    for (size_t i = 0; i < r->n_points; i++)
        r->listed[r->point[i]] = 0;
    for (size_t i = 0; i < entries->count; i++)
        r->w[entries->row[i]] = 0.0;
}
