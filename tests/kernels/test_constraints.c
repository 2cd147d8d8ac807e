/* Union-find and paths against matrices of all pairs. */
#include "constraints.h"

#include "check.h"
#include "random.h"

/* reach[i * n + j]: must-links on a shortest way from i to j, -1 for none. */
static int *all_lengths(int n, const int *first, const int *second, int pairs)
{
    int *reach = integers((size_t)(n * n));
    for (int i = 0; i < n * n; i++)
        reach[i] = i % (n + 1) == 0 ? 0 : -1;
    for (int t = 0; t < pairs; t++)
        if (first[t] != second[t])
            reach[first[t] * n + second[t]] =
                reach[second[t] * n + first[t]] = 1;
    for (int via = 0; via < n; via++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int a = reach[i * n + via], b = reach[via * n + j];
                if (a >= 0 && b >= 0
                    && (reach[i * n + j] < 0 || a + b < reach[i * n + j]))
                    reach[i * n + j] = a + b;
            }
    return reach;
}

static void random_pairs(int n, int pairs, int *first, int *second)
{
    for (int t = 0; t < pairs; t++) {
        first[t] = random_below(n);
        second[t] = n > 1 ? (first[t] + 1 + random_below(n - 1)) % n : first[t];
    }
}

static void check_components(int n, const int *reach, const int *component,
                             int count)
{
    int seen = 0, in_order = 1, agree = 1;
    for (int i = 0; i < n; i++) {
        if (component[i] > seen)
            in_order = 0;
        if (component[i] == seen)
            seen++;
        for (int j = 0; j < n; j++)
            agree = agree
                && (component[i] == component[j]) == (reach[i * n + j] >= 0);
    }
    CHECK(in_order); /* numbered by the lowest sample */
    CHECK_INT(seen, count);
    CHECK(agree);
}

static void check_paths(const lr_must_links *links, const int *reach)
{
    int n = (int)links->n, pairs = (int)links->n_pairs;
    int *path = integers((size_t)n);
    int *scratch = integers((size_t)(3 * n + 2 * pairs + 1));
    for (int from = 0; from < n; from++)
        for (int to = 0; to < n; to++) {
            size_t length = 77;
            int there = reach[from * n + to], linked = 1;
            lr_status status =
                lr_shortest_path(links, from, to, path, &length, scratch);
            CHECK_INT(status, there < 0 ? LR_NOT_CONNECTED : LR_OK);
            if (there < 0)
                continue;
            CHECK_INT(length, there + 1);
            CHECK_INT(path[0], from);
            CHECK_INT(path[length - 1], to);
            for (size_t j = 1; j < length; j++)
                linked = linked && reach[path[j - 1] * n + path[j]] == 1;
            CHECK(linked);
        }
    free(path);
    free(scratch);
}

static int count_of(const int *component, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count = component[i] >= count ? component[i] + 1 : count;
    return count;
}

static void test_components_and_paths(void)
{
    random_seed(1);
    for (int t = 0; t < trials(150); t++) {
        int n = 1 + random_below(14);
        int pairs = n > 1 ? random_below(n + 3) : 0;
        int *first = integers((size_t)pairs), *second = integers((size_t)pairs);
        int *component = integers((size_t)n);
        random_pairs(n, pairs, first, second);
        int *reach = all_lengths(n, first, second, pairs);
        lr_must_links links = {(size_t)n, (size_t)pairs, first, second};
        lr_components(&links, component);
        check_components(n, reach, component, count_of(component, n));
        check_paths(&links, reach);
        free(first);
        free(second);
        free(component);
        free(reach);
    }
}

/* Long chains, joined from either end and from the middle, stay cheap. */
static void test_long_chains(void)
{
    enum { N = 200000 };
    int *first = integers(N - 1), *second = integers(N - 1);
    int *component = integers(N), *path = integers(N);
    int *scratch = integers(3 * N + 2 * (N - 1) + 1);
    for (int way = 0; way < 3; way++) {
        for (int t = 0; t < N - 1; t++) {
            int at = way == 0 ? t : way == 1 ? N - 2 - t
                : t % 2 == 0 ? t / 2 : N - 2 - t / 2;
            first[t] = way == 1 ? at + 1 : at;
            second[t] = way == 1 ? at : at + 1;
        }
        lr_must_links links = {N, N - 1, first, second};
        lr_components(&links, component);
        CHECK_INT(count_of(component, N), 1);
        CHECK_INT(component[N - 1], 0);
        size_t length = 0;
        CHECK_INT(lr_shortest_path(&links, N - 1, 0, path, &length, scratch),
                  LR_OK);
        CHECK_INT(length, N);
        CHECK_INT(path[1], N - 2);
    }
    lr_must_links none = {N, 0, first, second};
    lr_components(&none, component);
    CHECK_INT(count_of(component, N), N);
    CHECK_INT(component[N - 1], N - 1);
    free(first);
    free(second);
    free(component);
    free(path);
    free(scratch);
}

/* Of two shortest ways the one whose must-links were given first. */
static void test_equal_paths(void)
{
    int first[] = {0, 0, 1, 2}, second[] = {1, 2, 3, 3};
    int path[4], scratch[3 * 4 + 2 * 4 + 1];
    static const int wanted[] = {0, 1, 3};
    size_t length = 0;
    lr_must_links links = {4, 4, first, second};
    CHECK_INT(lr_shortest_path(&links, 0, 3, path, &length, scratch), LR_OK);
    CHECK_INT(length, 3);
    CHECK_INTS(path, wanted, 3);
}

int main(void)
{
    test_components_and_paths();
    test_long_chains();
    test_equal_paths();
    return check_report();
}
