/* Cells transposed feature by feature against a search of each feature for its
 * cells; and samples read from either layout. */
#include "read_transpose.h"

#include "check.h"
#include "random.h"
#include "search_sparse.h"

typedef struct {
    int n, p;
    int *start, *feature;
    double *value;
} problem;

static problem draw_problem(int n, int p, double density)
{
    problem m = {n, p, integers((size_t)n + 1), integers((size_t)n * (size_t)p),
                 doubles((size_t)n * (size_t)p)};
    m.start[0] = 0;
    for (int i = 0; i < n; i++) {
        int at = m.start[i];
        for (int j = 0; j < p; j++)
            if (random_unit() < density) {
                m.feature[at] = j;
                m.value[at++] = random_unit() - 0.5;
            }
        m.start[i + 1] = at;
    }
    return m;
}

static void free_problem(problem *m)
{
    free(m->start);
    free(m->feature);
    free(m->value);
}

/* How many cells are not where they belong. */
static int count_wrong(const problem *m, int from, int to, const int *start,
                       const int *row, const double *value)
{
    int wrong = start[0] != 0;
    int *at = integers((size_t)m->p);
    for (int j = 0; j < m->p; j++)
        at[j] = start[j];
    for (int i = from; i < to; i++)
        for (int e = m->start[i]; e < m->start[i + 1]; e++) {
            int q = at[m->feature[e]]++;
            wrong += row[q] != i - from || value[q] != m->value[e];
        }
    for (int j = 0; j < m->p; j++)
        wrong += at[j] != start[j + 1];
    free(at);
    return wrong;
}

static void check_transpose(int n, int p, double density)
{
    problem m = draw_problem(n, p, density);
    lr_sample_cells cells = {(size_t)n, (size_t)p, m.start, m.feature,
                             m.value};
    int from = random_below(n + 1), to = from + random_below(n - from + 1);
    if (random_below(2)) {
        from = 0;
        to = n;
    }
    size_t count = (size_t)(m.start[to] - m.start[from]);
    int *start = integers((size_t)p + 1), *row = integers(count);
    int *next = integers((size_t)p + 1);
    int *cursor = integers((size_t)(to - from));
    double *value = doubles(count);
    lr_transpose_cells(&cells, (size_t)from, (size_t)to, start, row, value, next,
                  cursor);
    CHECK_INT(start[p], count);
    CHECK_INT(count_wrong(&m, from, to, start, row, value), 0);
    free(start), free(row), free(next), free(cursor), free(value);
    free_problem(&m);
}

static lr_sparse_rows read_rows(const lr_sparse_cells *cells, const int *place,
                                size_t count)
{
    lr_sparse_rows r;
    size_t *next = buffer(count, sizeof(size_t));
    r.start = buffer(count + 1, sizeof(size_t));
    lr_count_cells(cells, place, count, &r);
    r.feature = integers(r.start[count]);
    r.u = doubles(r.start[count]);
    lr_extract_cells(cells, place, count, &r, next);
    free(next);
    return r;
}

static int same_rows(const lr_sparse_rows *a, const lr_sparse_rows *b,
                     size_t count)
{
    size_t cells = a->start[count];
    return !memcmp(a->start, b->start, (count + 1) * sizeof(size_t))
        && !memcmp(a->feature, b->feature, cells * sizeof(int))
        && !memcmp(a->u, b->u, cells * sizeof(double));
}

/* Some samples in any order, a feature in four constant. */
static void check_rows(int n, int p)
{
    problem m = draw_problem(n, p, random_unit());
    size_t count = 0;
    int *place = integers((size_t)n), *start = integers((size_t)p + 1);
    int *row = integers((size_t)m.start[n]), *next = integers((size_t)p + 1);
    int *cursor = integers((size_t)n);
    double *value = doubles((size_t)m.start[n]);
    double *center = doubles((size_t)p), *divisor = doubles((size_t)p);
    for (int i = n - 1; i >= 0; i--)
        place[i] = random_below(2) ? (int)count++ : -1;
    for (int j = 0; j < p; j++) {
        center[j] = random_unit();
        divisor[j] = random_below(4) ? 0.5 + random_unit() : 0.0;
    }
    lr_sample_cells samples = {(size_t)n, (size_t)p, m.start, m.feature,
                               m.value};
    lr_transpose_cells(&samples, 0, (size_t)n, start, row, value, next, cursor);
    lr_sparse_cells by_feature = {{0, (size_t)n, start, row, value}, NULL,
                                  (size_t)p, center, divisor, NULL};
    lr_sparse_cells by_sample = by_feature;
    by_sample.samples = &samples;
    lr_sparse_rows a = read_rows(&by_feature, place, count);
    lr_sparse_rows b = read_rows(&by_sample, place, count);
    CHECK(same_rows(&a, &b, count));
    lr_sparse_rows *both[] = {&a, &b};
    for (int i = 0; i < 2; i++)
        free(both[i]->start), free(both[i]->feature), free(both[i]->u);
    free(place), free(start), free(row), free(next), free(cursor), free(value);
    free(center), free(divisor);
    free_problem(&m);
}

int main(void)
{
    random_seed(31);
    for (int i = 0; i < trials(400); i++)
        check_transpose(1 + random_below(40), 1 + random_below(60), random_unit());
    check_transpose(5, 7, 0.0);
    /* so many cells that features go a chunk at a time */
    for (int i = 0; i < 4; i++)
        check_transpose(400, 9000, 0.3);
    for (int i = 0; i < trials(400); i++)
        check_rows(1 + random_below(30), 1 + random_below(40));
    return check_report();
}
