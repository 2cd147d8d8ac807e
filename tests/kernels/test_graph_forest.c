/* Single linkage against the definition, on dense similarities; cuts against
 * the merges followed one by one. */
#include "graph_forest.h"

#include "check.h"
#include "random.h"

typedef struct {
    size_t p;
    double *s;     /* p x p */
    lr_edges edges;
    int *first, *second, *original;
    double *value, top;
} graph;

static graph new_graph(size_t p, double density, int levels)
{
    graph g = {p, doubles(p * p), {0, NULL, NULL, NULL}, integers(p * p),
               integers(p * p), integers(p), doubles(p * p), 0.0};
    size_t count = 0;
    for (size_t i = 0; i < p * p; i++)
        g.s[i] = 0.0;
    for (size_t i = 0; i < p; i++) {
        g.original[i] = (int)i;
        for (size_t j = i + 1; j < p; j++) {
            if (random_unit() >= density)
                continue;
            double v = levels ? (1.0 + random_below(levels)) / levels
                              : random_unit() + 1e-9;
            g.s[i * p + j] = g.s[j * p + i] = v;
            g.first[count] = (int)i;
            g.second[count] = (int)j;
            g.value[count++] = v;
            g.top = fmax(g.top, v);
        }
    }
    lr_edges edges = {count, g.first, g.second, g.value};
    g.edges = edges;
    return g;
}

static void free_graph(graph *g)
{
    free(g->s), free(g->first), free(g->second), free(g->original);
    free(g->value);
}

/* Merges the two clusters that hold the most similar pair, the lowest (i, j)
 * of equal ones, until none is left: heights, and the number of clusters. */
static size_t naive(const graph *g, double *height, int *label)
{
    size_t p = g->p, done = 0;
    for (size_t i = 0; i < p; i++)
        label[i] = (int)i;
    for (;;) {
        double most = 0.0;
        size_t a = 0, b = 0;
        for (size_t i = 0; i < p; i++)
            for (size_t j = i + 1; j < p; j++)
                if (label[i] != label[j] && g->s[i * p + j] > most) {
                    most = g->s[i * p + j];
                    a = i;
                    b = j;
                }
        if (most == 0.0)
            return p - done;
        height[done++] = g->top - most;
        int gone = label[b], kept = label[a];
        for (size_t i = 0; i < p; i++)
            if (label[i] == gone)
                label[i] = kept;
    }
}

static int same_groups(const int *a, const int *b, size_t p)
{
    for (size_t i = 0; i < p; i++)
        for (size_t j = 0; j < i; j++)
            if ((a[i] == a[j]) != (b[i] == b[j]))
                return 0;
    return 1;
}

/* Every merge row names features and earlier rows once, features first. */
static void check_rows(const int *merge, size_t p)
{
    int *used = integers(2 * p), good = 1;
    memset(used, 0, 2 * p * sizeof(int));
    for (size_t m = 0; m + 1 < p; m++) {
        int a = merge[m], b = merge[m + p - 1];
        good = good && a != 0 && b != 0 && a <= (int)m && b <= (int)m;
        good = good && (a < 0 && b < 0 ? a > b : a < b);
        used[a < 0 ? -a - 1 : (int)p + a - 1]++;
        used[b < 0 ? -b - 1 : (int)p + b - 1]++;
    }
    for (size_t i = 0; i < 2 * p - 2; i++)
        good = good && (p == 1 || used[i] == 1);
    CHECK(good);
    free(used);
}

/* Clusters after the first `count` merges, numbered from 1 by their first
 * feature: from the last of the merges back, each passes its number down. */
static void cut_tree(size_t p, const int *merge, size_t count, int *cluster,
                     int *scratch)
{
    int *row_of = scratch, *number = scratch + p, clusters = 0;
    for (size_t m = 0; m < count; m++)
        row_of[m] = (int)m;
    for (size_t i = 0; i < p; i++)
        cluster[i] = -1;
    for (size_t m = count; m-- > 0;)
        for (int side = 0; side < 2; side++) {
            int c = merge[m + (size_t)side * (p - 1)];
            if (c < 0)
                cluster[-c - 1] = row_of[m];
            else
                row_of[c - 1] = row_of[m];
        }
    for (size_t m = 0; m < count; m++)
        number[m] = 0;
    for (size_t i = 0; i < p; i++) {
        if (cluster[i] < 0)
            cluster[i] = ++clusters;
        else {
            int *n = number + cluster[i];
            if (*n == 0)
                *n = ++clusters;
            cluster[i] = *n;
        }
    }
}

static void check_graph(const graph *g, const char *title)
{
    size_t p = g->p, rows = p - 1;
    int *merge = integers(2 * rows), *order = integers(p);
    int *label = integers(p), *cut = integers(p), *scratch = integers(2 * p);
    double *height = doubles(rows), *want = doubles(p);
    int *ints = integers(3 * p);
    lr_ranked_edge *ranked = (lr_ranked_edge *)buffer(2 * (g->edges.count),
                                                   sizeof *ranked);
    lr_tree tree = {merge, height, order};
    size_t components = lr_forest(p, &g->edges, g->original, g->top, &tree,
                                  ints, ranked);
    CHECK_INT(components, naive(g, want, label));
    CHECK_SAMES(height, want, p - components);
    for (size_t m = p - components; m < rows; m++)
        CHECK_SAME(height[m], g->top);
    check_rows(merge, p);
    cut_tree(p, merge, p - components, cut, scratch);
    CHECK_THAT(same_groups(cut, label, p), "%s: other components", title);
    /* leaf order: a permutation in which every cluster stands together */
    int *place = integers(p);
    for (size_t i = 0; i < p; i++)
        place[i] = -1;
    for (size_t i = 0; i < p; i++)
        place[order[i]] = (int)i;
    for (size_t m = 0; m < rows; m += 1 + rows / 7) {
        int changes = 0, most = 0;
        cut_tree(p, merge, m, cut, scratch);
        for (size_t i = 0; i < p; i++) {
            most = cut[i] > most ? cut[i] : most;
            changes += i > 0 && cut[order[i]] != cut[order[i - 1]];
        }
        CHECK_INT(most, p - m);
        CHECK_INT(changes, p - m - 1);
    }
    free(merge), free(order), free(label), free(cut), free(scratch);
    free(height), free(want), free(ints), free(ranked), free(place);
}

static void check_copies(void)
{
    graph g = new_graph(30, 0.2, 0);
    size_t p = g.p;
    int merge[58], order[30], cut[30], scratch[60];
    double height[29];
    g.original[9] = 4;
    g.original[17] = 4;
    g.original[20] = 11;
    int *ints = integers(3 * p);
    lr_ranked_edge *ranked = (lr_ranked_edge *)buffer(2 * (g.edges.count),
                                                   sizeof *ranked);
    lr_tree tree = {merge, height, order};
    lr_forest(p, &g.edges, g.original, g.top, &tree, ints, ranked);
    const int want[] = {-5, -18, -12}, other[] = {-10, 1, -21};
    CHECK_INT(merge[0], want[0]);
    CHECK_INT(merge[29], other[0]);
    CHECK_INT(merge[1], want[1]);
    CHECK_INT(merge[30], other[1]);
    CHECK_INT(merge[2], want[2]);
    CHECK_INT(merge[31], other[2]);
    CHECK_SAME(height[2], 0.0);
    cut_tree(p, merge, 3, cut, scratch);
    CHECK(cut[9] == cut[4] && cut[17] == cut[4] && cut[20] == cut[11]);
    free(ints), free(ranked);
    free_graph(&g);
}

/* A chain of many features, as single linkage makes them: no recursion. */
static void check_chain(void)
{
    enum { P = 200000 };
    int *first = integers(P), *second = integers(P), *original = integers(P);
    int *merge = integers(2 * P), *order = integers(P);
    double *value = doubles(P), *height = doubles(P);
    for (int i = 0; i < P; i++) {
        first[i] = i;
        second[i] = i + 1;
        original[i] = i;
        value[i] = 1.0 - (double)i / (2.0 * P);
    }
    lr_edges edges = {P - 1, first, second, value};
    int *ints = integers(3 * P);
    lr_ranked_edge *ranked = (lr_ranked_edge *)buffer(2 * (P - 1),
                                                   sizeof *ranked);
    lr_tree tree = {merge, height, order};
    CHECK_INT(lr_forest(P, &edges, original, 1.0, &tree, ints, ranked), 1);
    CHECK_INT(merge[P - 2], -P);
    CHECK_INT(order[0], P - 1);
    free(first), free(second), free(original), free(merge), free(order);
    free(value), free(height), free(ints), free(ranked);
}

int main(void)
{
    random_seed(5);
    const double density[] = {0.0, 0.03, 0.1, 0.5, 1.0};
    for (size_t p = 1; p <= 41; p += 8)
        for (int d = 0; d < 5; d++)
            for (int levels = 0; levels <= 3; levels += 3) {
                graph g = new_graph(p, density[d], levels);
                check_graph(&g, levels ? "ties" : "no ties");
                free_graph(&g);
            }
    check_copies();
    check_chain();
    return check_report();
}
