/* Sums over segments of hits and misses against loops over single pairs. */
#include "margin_relief.h"

#include "check.h"
#include "lr_difference.h"
#include "random.h"

enum { PLACES = 12, SEGMENTS = 19 };

typedef struct {
    int owner[SEGMENTS], start[SEGMENTS + 1], neighbour[96], group[SEGMENTS];
    int table[PLACES];
    double coefficient[SEGMENTS];
    double u[PLACES * LR_LANES];
    lr_segments g;
} problem;

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void fill(problem *p, int square)
{
    p->start[0] = 0;
    for (int s = 0; s < SEGMENTS; s++) {
        p->owner[s] = random_below(PLACES);
        p->start[s + 1] = p->start[s] + random_below(5);
        p->group[s] = s % 2;
        p->coefficient[s] = random_unit() - 0.5;
        for (int j = p->start[s]; j < p->start[s + 1]; j++)
            p->neighbour[j] = random_below(PLACES);
        qsort(p->neighbour + p->start[s],
              (size_t)(p->start[s + 1] - p->start[s]), sizeof(int), ascending);
    }
    for (int i = 0; i < PLACES; i++)
        p->table[i] = random_below(2);
    for (int i = 0; i < PLACES * LR_LANES; i++)
        p->u[i] = random_unit();
    p->g = (lr_segments){SEGMENTS,       p->owner, p->start, p->neighbour,
                         p->coefficient, p->group, square,   p->table,
                         PLACES};
}

static double plain(const problem *p, int s, int j, int lane)
{
    return fabs(p->u[p->owner[s] * LR_LANES + lane]
                - p->u[p->neighbour[j] * LR_LANES + lane]);
}

static void test_plain(int square)
{
    problem p;
    double sums[LR_LANES];
    fill(&p, square);
    for (int l = 0; l < LR_LANES; l++)
        sums[l] = l;
    lr_relief_plain(&p.g, p.u, sums);
    for (int l = 0; l < LR_LANES; l++) {
        double wanted = l;
        for (int s = 0; s < SEGMENTS; s++)
            for (int j = p.start[s]; j < p.start[s + 1]; j++) {
                double d = plain(&p, s, j, l);
                wanted += p.coefficient[s] * (square ? d * d : d);
            }
        CHECK_NEAR(sums[l], wanted, 1e-13);
    }
}

/* The segments that every place is in, as often as it is. */
static void list_memberships(const problem *p, size_t *own_start, int *own,
                             size_t *start, int *segment)
{
    size_t owned = 0, count = 0;
    for (int i = 0; i < PLACES; i++) {
        own_start[i] = owned;
        start[i] = count;
        for (int s = 0; s < SEGMENTS; s++) {
            if (p->owner[s] == i)
                own[owned++] = s;
            for (int j = p->start[s]; j < p->start[s + 1]; j++)
                if (p->neighbour[j] == i)
                    segment[count++] = s;
        }
    }
    own_start[PLACES] = owned;
    start[PLACES] = count;
}

/* Lane 0 as a sparse feature: the same sum to the last bit. */
static void test_stored(int square, int most)
{
    problem p;
    double sums[LR_LANES] = {0.25}, sum = 0.25, zero = random_unit();
    double u[PLACES], values[PLACES];
    double part[SEGMENTS] = {0.0}, nothing[SEGMENTS] = {0.0};
    size_t own_start[PLACES + 1], start[PLACES + 1], count = 0;
    int place[PLACES], own[SEGMENTS], segment[96];
    unsigned char touched[SEGMENTS / LR_GROUP + 1] = {0};
    fill(&p, square);
    for (int i = 0; i < PLACES; i++) {
        double *cell = p.u + i * LR_LANES;
        *cell = random_below(PLACES) < most ? *cell : zero;
        if (*cell != zero || random_below(5) == 0) {
            place[count] = i;
            u[count++] = *cell;
        }
    }
    list_memberships(&p, own_start, own, start, segment);
    lr_memberships in = {own_start, own, start, segment};
    lr_relief_buffer buffer = {values, part, touched};
    lr_stored_places stored = {count, place, u, zero};
    lr_relief_plain(&p.g, p.u, sums);
    lr_relief_stored(&p.g, &in, &stored, &buffer, &sum);
    CHECK_SAME(sum, sums[0]);
    CHECK(memcmp(part, nothing, sizeof part) == 0);
    CHECK(memcmp(touched, nothing, sizeof touched) == 0);
}

/* Missing cells: the table of the other one's class. */
static void test_other(void)
{
    problem p;
    double u[PLACES], expected[2 * PLACES], sum = 0.5, wanted = 0.5;
    lr_rule rule = {0, 1.0, NULL};
    fill(&p, 0);
    for (int i = 0; i < PLACES; i++) {
        u[i] = i % 3 == 0 ? NAN : random_unit();
        expected[i] = random_unit();
        expected[PLACES + i] = random_unit();
    }
    lr_values values = {u, expected, &rule};
    lr_relief_other(&p.g, &values, &sum);
    for (int s = 0; s < SEGMENTS; s++)
        for (int j = p.start[s]; j < p.start[s + 1]; j++) {
            int a = p.owner[s], b = p.neighbour[j];
            double d = isnan(u[a]) ? expected[p.table[a] * PLACES + b]
                : isnan(u[b])      ? expected[p.table[b] * PLACES + a]
                                   : fabs(u[a] - u[b]);
            wanted += p.coefficient[s] * d;
        }
    CHECK_NEAR(sum, wanted, 1e-13);
}

/* Moments in one go, in two goes, and by the one-feature version. */
static void test_stir(void)
{
    problem p;
    lr_stir_sum sums[LR_LANES], parts[LR_LANES];
    const int fresh[] = {1, 1};
    fill(&p, 0);
    memset(sums, 0, sizeof sums);
    memset(parts, 0, sizeof parts);
    lr_values all = {p.u, NULL, NULL};
    lr_stir(&p.g, &all, fresh, sums);
    lr_segments half = p.g;
    half.n_segments = 4;
    lr_stir(&half, &all, fresh, parts);
    int seen[2] = {1, 1};
    for (int s = 0; s < 4; s++)
        if (p.start[s + 1] > p.start[s])
            seen[p.group[s]] = 0;
    half = p.g;
    half.n_segments = SEGMENTS - 4;
    half.owner += 4;
    half.start += 4;
    half.group += 4;
    lr_stir(&half, &all, seen, parts);
    for (int l = 0; l < LR_LANES; l++) {
        double u[PLACES];
        lr_stir_sum one;
        lr_rule rule = {0, 1.0, NULL};
        lr_values values = {u, NULL, &rule};
        memset(&one, 0, sizeof one);
        for (int i = 0; i < PLACES; i++)
            u[i] = p.u[i * LR_LANES + l];
        lr_stir(&p.g, &values, fresh, &one);
        for (int g = 0; g < 2; g++) {
            double sum = 0.0, square = 0.0;
            for (int s = g; s < SEGMENTS; s += 2)
                for (int j = p.start[s]; j < p.start[s + 1]; j++) {
                    double d = plain(&p, s, j, l) - sums[l].first[g];
                    sum += d;
                    square += d * d;
                }
            CHECK_NEAR(sums[l].deviation[g], sum, 1e-13);
            CHECK_NEAR(sums[l].square[g], square, 1e-13);
            CHECK_SAME(parts[l].deviation[g], sums[l].deviation[g]);
            CHECK_SAME(parts[l].square[g], sums[l].square[g]);
            CHECK_SAME(one.first[g], sums[l].first[g]);
            CHECK_NEAR(one.deviation[g], sums[l].deviation[g], 1e-13);
        }
    }
}

int main(void)
{
    random_seed(1);
    for (int t = 0; t < 50; t++) {
        test_plain(t % 2);
        for (int most = 0; most <= PLACES; most += 3)
            test_stored(t % 2, most);
        test_other();
        test_stir();
    }
    return check_report();
}
