/* Nearest lists against sorting, hits against the rule written out. */
#include "margin_pairs.h"
#include "search_lists.h"

#include "check.h"
#include "random.h"

typedef struct {
    double distance;
    int row;
} sample;

static int by_distance_then_row(const void *a, const void *b)
{
    const sample *x = (const sample *)a, *y = (const sample *)b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static lr_nearest new_list(size_t capacity)
{
    lr_nearest list = {doubles(capacity), integers(capacity), capacity, 0};
    return list;
}

static void free_list(lr_nearest *list)
{
    free(list->distance);
    free(list->row);
}

static void shuffle(int *order, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int other = random_below(i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

/* Whatever the order of the offers, the list holds the head of the sort. */
static void test_lists(void)
{
    random_seed(1);
    for (int n = 0; n <= 40; n++)
        for (size_t capacity = 0; capacity <= 12; capacity++) {
            sample *all = (sample *)buffer((size_t)n, sizeof(sample));
            int *order = integers((size_t)n);
            int distances = 1 + random_below(2 * n + 1); /* many ties, or few */
            for (int i = 0; i < n; i++) {
                all[i].distance = (double)random_below(distances);
                all[i].row = order[i] = i;
            }
            shuffle(order, n);
            lr_nearest list = new_list(capacity);
            for (int i = 0; i < n; i++)
                lr_nearest_offer(&list, all[order[i]].distance, order[i]);
            lr_nearest_sort(&list);
            qsort(all, (size_t)n, sizeof(sample), by_distance_then_row);
            size_t kept = (size_t)n < capacity ? (size_t)n : capacity;
            CHECK_INT(list.count, kept);
            int same = 1;
            for (size_t j = 0; j < kept; j++)
                same = same && list.row[j] == all[j].row
                    && list.distance[j] == all[j].distance;
            CHECK(same);
            free_list(&list);
            free(all);
            free(order);
        }
}

/* ---- made-up constraints ------------------------------------------------- */

typedef struct {
    int n, count;
    int *component, *member_start, *member, *against_start, *against;
    int *apart; /* count x count */
} constraint_set;

/* Components in blocks, alternating or all alone; pairs of them cannot-linked,
 * sometimes twice, as random sets of pairs are. */
static constraint_set make_constraints(int n, int repeated)
{
    constraint_set c;
    c.n = n;
    c.count = 1 + random_below(n);
    c.component = integers((size_t)n);
    int used = 0;
    for (int i = 0; i < n; i++) {
        c.component[i] = random_below(c.count);
        if (c.component[i] >= used)
            c.component[i] = used++; /* numbered by the lowest sample */
    }
    c.count = used;
    c.apart = integers((size_t)(c.count * c.count));
    memset(c.apart, 0, (size_t)(c.count * c.count) * sizeof(int));
    for (int t = random_below(2 * c.count + 1); t > 0; t--) {
        int a = random_below(c.count), b = random_below(c.count);
        if (a == b)
            continue;
        c.apart[a * c.count + b]++;
        c.apart[b * c.count + a]++;
    }
    c.member = integers((size_t)n);
    c.member_start = integers((size_t)c.count + 1);
    c.against = integers((size_t)(8 * c.count * c.count + 8));
    c.against_start = integers((size_t)c.count + 1);
    int at = 0, members = 0;
    for (int g = 0; g < c.count; g++) {
        c.member_start[g] = members;
        c.against_start[g] = at;
        for (int i = 0; i < n; i++)
            if (c.component[i] == g)
                c.member[members++] = i;
        for (int h = 0; h < c.count; h++)
            for (int t = repeated ? c.apart[g * c.count + h]
                                  : c.apart[g * c.count + h] > 0;
                 t > 0; t--)
                c.against[at++] = h;
    }
    c.member_start[c.count] = members;
    c.against_start[c.count] = at;
    return c;
}

static void free_constraints(constraint_set *c)
{
    free(c->component);
    free(c->member_start);
    free(c->member);
    free(c->against_start);
    free(c->against);
    free(c->apart);
}

static lr_links as_links(const constraint_set *c)
{
    lr_links links = {c->component, c->member_start, c->member,
                      c->against_start, c->against, NULL};
    return links;
}

static int is_apart(const constraint_set *c, int a, int b)
{
    return c->apart[c->component[a] * c->count + c->component[b]] > 0;
}

static void test_cannot_link(void)
{
    random_seed(2);
    for (int t = 0; t < 60; t++) {
        constraint_set c = make_constraints(1 + random_below(12), t % 2);
        lr_links links = as_links(&c);
        int same = 1;
        for (int a = 0; a < c.n; a++)
            for (int b = 0; b < c.n; b++)
                same = same
                    && lr_cannot_link(&links, a, b) == is_apart(&c, a, b);
        CHECK(same);
        free_constraints(&c);
    }
}

/* Components 0 1 2 3 on sides 0, 1, 0 and none; 3 is listed against 0. */
static void test_sides(void)
{
    int component[] = {0, 1, 2, 3}, side[] = {0, 1, 0, -1};
    int start[] = {0, 1, 1, 1, 2}, against[] = {3, 0};
    lr_links links = {component, NULL, NULL, start, against, side};
    CHECK_INT(lr_cannot_link(&links, 0, 1), 1);
    CHECK_INT(lr_cannot_link(&links, 1, 2), 1);
    CHECK_INT(lr_cannot_link(&links, 0, 2), 0);
    CHECK_INT(lr_cannot_link(&links, 1, 3), 0);
    CHECK_INT(lr_cannot_link(&links, 3, 0), 1);
}

/* ---- offering rows and taking hits --------------------------------------- */

/* The rows of one kind (own component or not), nearest first: at most `buffer`.
 * skip: leave out what is cannot-linked to the end point. */
static size_t sort_rows(const constraint_set *c, const double *distance,
                        int end, int own, int skip, size_t most, int *rows)
{
    sample *all = (sample *)buffer((size_t)c->n, sizeof(sample));
    size_t count = 0;
    for (int i = 0; i < c->n; i++) {
        int is_own = c->component[i] == c->component[end];
        if (i == end || is_own != own || (skip && is_apart(c, end, i)))
            continue;
        all[count].distance = distance[i];
        all[count++].row = i;
    }
    qsort(all, count, sizeof(sample), by_distance_then_row);
    if (count > most)
        count = most;
    for (size_t j = 0; j < count; j++)
        rows[j] = all[j].row;
    free(all);
    return count;
}

/* The lists of one end point in tiles of some rows; links NULL: one list. */
static void offer_all(int end, const double *distance, int n, int width,
                      const lr_links *links, lr_nearest *others,
                      lr_nearest *group)
{
    size_t k = others->capacity, space = k + group->capacity;
    double limit[2];
    int count[2];
    lr_lists l = {{links ? 2 : 1, NULL, links, NULL}, 1, k, group->capacity, 0.0,
                  doubles(space), integers(space), count, limit, 0};
    lr_lists_clear(&l);
    for (int first = 0; first < n; first += width) {
        int rows = n - first < width ? n - first : width;
        double *cells = doubles((size_t)rows);
        memcpy(cells, distance + first, (size_t)rows * sizeof(double));
        lr_tile tile = {&end, 1, 0, (size_t)first, (size_t)rows, 0, cells,
                        (size_t)rows};
        lr_lists_offer(&l, &tile, (lr_chunk){0, 1});
        free(cells);
    }
    lr_lists_sort(&l, 0);
    others->count = (size_t)count[0];
    group->count = links ? (size_t)count[1] : 0;
    memcpy(others->row, l.row, others->count * sizeof(int));
    memcpy(others->distance, l.distance, others->count * sizeof(double));
    memcpy(group->row, l.row + k, group->count * sizeof(int));
    memcpy(group->distance, l.distance + k, group->count * sizeof(double));
    free(l.distance);
    free(l.row);
}

static void test_offers(void)
{
    random_seed(3);
    for (int t = 0; t < trials(400); t++) {
        int n = 1 + random_below(30), end = random_below(n);
        size_t k = (size_t)random_below(n + 3);
        int width = 1 + random_below(n);
        constraint_set c = make_constraints(n, 0);
        lr_links links = as_links(&c);
        double *distance = doubles((size_t)n);
        for (int i = 0; i < n; i++)
            distance[i] = (double)random_below(1 + random_below(n));
        lr_nearest others = new_list(k), group = new_list(k);
        int *wanted = integers((size_t)n);

        offer_all(end, distance, n, width, &links, &others, &group);
        size_t count = sort_rows(&c, distance, end, 0, 1, k, wanted);
        CHECK_INT(others.count, count);
        CHECK_INTS(others.row, wanted, count);
        count = sort_rows(&c, distance, end, 1, 1, k, wanted);
        CHECK_INT(group.count, count);
        CHECK_INTS(group.row, wanted, count);
        free_list(&others);
        free_list(&group);

        free(wanted);
        free(distance);
        free_constraints(&c);
    }
}

/* Without constraints every other sample is offered to one list. */
static void test_without_links(void)
{
    random_seed(4);
    for (int n = 1; n <= 20; n++) {
        double *distance = doubles((size_t)n);
        int end = random_below(n);
        for (int i = 0; i < n; i++)
            distance[i] = (double)(i / 4); /* the end point has duplicates */
        lr_nearest others = new_list((size_t)n), group = new_list(0);
        offer_all(end, distance, n, 3, NULL, &others, &group);
        CHECK_INT(others.count, n - 1);
        CHECK_INT(group.count, 0);
        int rows_in_order = 1;
        for (size_t j = 0; j < others.count; j++)
            rows_in_order = rows_in_order
                && others.row[j] == (int)j + ((int)j >= end);
        CHECK(rows_in_order);
        free_list(&others);
        free_list(&group);
        free(distance);
    }
}

int main(void)
{
    test_lists();
    test_cannot_link();
    test_sides();
    test_offers();
    test_without_links();
    return check_report();
}
