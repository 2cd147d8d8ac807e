/* PCK-means against its definition, pair by pair. */
#include "cluster_pck.h"

#include "check.h"
#include "random.h"

enum { N = 12, D = 5, K = 3, COMPONENTS = 8 };

/* Samples 0, 1, 2 are one component, 3 and 4 another, 5 and 6 another, the
 * rest alone: components 3 .. 7. Cannot-linked: 0 and 1, 1 and 3, 2 and 7. */
static const int component[N] = {0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7};
static const int member[N] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const int member_start[COMPONENTS + 1] = {0, 3, 5, 7, 8, 9, 10, 11, 12};
static const int against[6] = {1, 0, 3, 7, 1, 2};
static const int against_start[COMPONENTS + 1] = {0, 1, 3, 4, 5, 5, 5, 5, 6};

static int apart(int a, int b)
{
    for (int e = against_start[a]; e < against_start[a + 1]; e++)
        if (against[e] == b)
            return 1;
    return 0;
}

static double distance(const double *x, const double *center)
{
    double sum = 0.0;
    for (int j = 0; j < D; j++)
        sum += (x[j] - center[j]) * (x[j] - center[j]);
    return sum;
}

static double plain_objective(const lr_pck *p, const lr_pck_state *s,
                              double *must, double *cannot)
{
    double sum = 0.0;
    *must = *cannot = 0.0;
    for (int i = 0; i < N; i++) {
        sum += 0.5 * distance(p->x + i * D, s->centers + s->cluster[i] * D);
        for (int j = 0; j < i; j++) {
            int same = s->cluster[i] == s->cluster[j];
            *must += component[i] == component[j] && !same;
            *cannot += apart(component[i], component[j]) && same;
        }
    }
    return sum + p->penalty * *must + p->penalty * *cannot;
}

static void test_run(double penalty)
{
    double x[N * D], centers[K * D], cost[K], must, cannot;
    int cluster[N], members[COMPONENTS * K], sizes[K];
    lr_links links = {component, member_start, member, against_start, against,
                      NULL};
    lr_pck p = {N, D, K, x, &links, COMPONENTS, penalty};
    lr_pck_state s = {cluster, centers, members, sizes, cost};
    for (int i = 0; i < N * D; i++)
        x[i] = random_unit();
    for (int i = 0; i < K * D; i++)
        centers[i] = x[i];
    lr_pck_begin(&p, &s);
    for (int turn = 0; turn < 30; turn++) {
        size_t moved = lr_pck_assign(&p, &s);
        int count[K] = {0};
        for (int i = 0; i < N; i++)
            count[cluster[i]]++;
        CHECK_INTS(sizes, count, K);
        for (int k = 0; k < K; k++)
            CHECK(sizes[k] > 0);
        lr_pck_update(&p, &s);
        lr_pck_value v = lr_pck_evaluate(&p, &s);
        CHECK_NEAR(v.objective, plain_objective(&p, &s, &must, &cannot),
                   1e-12);
        CHECK_SAME(v.broken_must, must);
        CHECK_SAME(v.broken_cannot, cannot);
        if (moved == 0)
            break;
    }
}

/* A third center far from all samples would stay empty. */
static void test_empty(void)
{
    double x[N * D], centers[K * D], cost[K];
    int cluster[N], members[COMPONENTS * K], sizes[K];
    lr_links links = {component, member_start, member, against_start, against,
                      NULL};
    lr_pck p = {N, D, K, x, &links, COMPONENTS, 0.0};
    lr_pck_state s = {cluster, centers, members, sizes, cost};
    for (int i = 0; i < N * D; i++)
        x[i] = i / D;
    for (int i = 0; i < K * D; i++)
        centers[i] = i < D ? 0.0 : 1e6;
    lr_pck_begin(&p, &s);
    CHECK_INT(lr_pck_assign(&p, &s), N);
    /* the farthest from 0 is the last sample, then the one before it */
    CHECK_INT(cluster[N - 1], 1);
    CHECK_INT(cluster[N - 2], 2);
    CHECK_INT(sizes[0], N - 2);
}

int main(void)
{
    random_seed(3);
    for (int run = 0; run < 20; run++)
        test_run(run % 4 * 0.4);
    test_empty();
    return check_report();
}
