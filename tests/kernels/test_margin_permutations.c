/* Hits of relabelled samples against the rule written out. */
#include "margin_permutations.h"

#include <string.h>

#include "check.h"
#include "random.h"

static void shuffle(int *order, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int other = random_below(i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

enum { N = 14 };

/* Components of 1 to 5 samples, some pairs of them cannot-linked. */
typedef struct {
    int component[N], member[N], member_start[N + 1];
    int against[N * N], against_start[N + 1];
    int count, apart[N][N];
} graph;

static void make_graph(graph *g)
{
    memset(g, 0, sizeof *g);
    for (int i = 0; i < N; g->count++)
        for (int size = 1 + random_below(5); size > 0 && i < N; size--, i++) {
            g->component[i] = g->count;
            g->member[i] = i;
            g->member_start[g->count + 1] = i + 1;
        }
    for (int t = random_below(6); t > 0; t--) {
        int a = random_below(g->count), b = random_below(g->count);
        g->apart[a][b] = g->apart[b][a] = a != b;
    }
    int at = 0;
    for (int c = 0; c < g->count; c++) {
        for (int d = 0; d < g->count; d++)
            if (g->apart[c][d])
                g->against[at++] = d;
        g->against_start[c + 1] = at;
    }
}

static int contains(const int *values, size_t count, int value)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] == value)
            return 1;
    return 0;
}

/* Members of the group first, then those that are not apart, nearest first. */
static size_t wanted_hits(const graph *g, const int *from, const int *block,
                          int end, const int *near, size_t n_near, size_t k,
                          int *hits)
{
    size_t count = 0;
    int own = g->component[from[end]];
    for (int pass = 0; pass < 2; pass++)
        for (size_t j = 0; j < n_near && count < k; j++) {
            int other = g->component[from[near[j]]];
            if (block[near[j]] == block[end]
                && (pass == 0 ? other == own
                              : other != own && !g->apart[own][other]))
                hits[count++] = near[j];
        }
    return count;
}

static void test_hits(void)
{
    random_seed(3);
    for (int trial = 0; trial < trials(2000); trial++) {
        graph g;
        make_graph(&g);
        lr_links links = {g.component, g.member_start, g.member,
                          g.against_start, g.against, NULL};
        int to[N], from[N], block[N], near[N], order[N], component[N];
        for (int i = 0; i < N; i++) {
            to[i] = order[i] = i;
            block[i] = trial % 2 ? random_below(2) : 0;
        }
        shuffle(to, N);
        shuffle(order, N);
        for (int i = 0; i < N; i++) {
            from[to[i]] = i;
            component[to[i]] = g.component[i];
        }
        int base = random_below(N), end = to[base];
        size_t n_near = 0, k = 1 + (size_t)random_below(N - 1);
        for (int j = 0; j < N; j++) /* the search keeps to a block */
            if (order[j] != end && block[order[j]] == block[end])
                near[n_near++] = order[j];
        lr_relabelled set = {&links, trial % 2 ? block : NULL, to, component};
        int got[N], wanted[N];
        size_t count = lr_relabelled_hits(&set, base, near, n_near, k, got);
        CHECK_INT(count, wanted_hits(&g, from, block, end, near, n_near, k,
                                     wanted));
        int own = g.component[base], same = 1;
        size_t size = (size_t)(g.member_start[own + 1] - g.member_start[own]);
        if (size > k + 1)
            CHECK_INTS(got, wanted, count);
        for (size_t j = 0; j < count; j++) /* a whole group in any order */
            same = same && contains(wanted, count, got[j]);
        CHECK(same);

        set.links = NULL;
        count = lr_relabelled_hits(&set, base, near, n_near, k, got);
        CHECK_INT(count, n_near < k ? n_near : k);
        CHECK_INTS(got, near, count);
    }
}

int main(void)
{
    test_hits();
    return check_report();
}
