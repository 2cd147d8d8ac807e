/* Nearest samples of sparse data by screening and exact distances, against
 * all distances of the same cells written out. */
#include "search_sparse.h"

#include "check.h"
#include "read_entries.h"
#include "random.h"

typedef struct {
    int n, p, n_ends, k, classes;
    double *x, *u;              /* cell (i, j) at i + j n */
    int *start, *row;           /* the cells that are stored */
    double *value;
    double *center, *divisor, *zero;
    int *end;
    lr_metric metric;
    double largest;
    int *class_of;              /* NULL: links, or a single list */
    lr_links links;
    int linked;
    int *block_of;              /* NULL: no blocks */
    int *component, *member, *member_start, *against, *against_start;
    int *same_start, *same;
} problem;

static double draw_value(int kind)
{
    double v = random_unit();
    if (kind == 0)
        return v + 0.01;
    if (kind == 1)
        return 4.0 * v - 2.0;
    if (kind == 2)
        return 1.0 + random_below(3);
    return kind == 3 ? ldexp(v, random_below(40) - 20) : -1.0 - v;
}

static void draw_cells(problem *m)
{
    double density = random_unit() * random_unit();
    int kind = random_below(5);
    for (int j = 0; j < m->p; j++) {
        int full = random_below(12) == 0;
        for (int i = 0; i < m->n; i++) {
            int there = full || random_unit() < density;
            m->x[i + j * m->n] = there ? draw_value(kind) + 10.0 * full : 0.0;
        }
    }
    for (int i = 1; i < m->n; i++) /* copies: ties */
        if (random_below(3) == 0)
            for (int j = 0, from = random_below(i); j < m->p; j++)
                m->x[i + j * m->n] = m->x[from + j * m->n];
}

static void scale_cells(problem *m)
{
    int scale = random_below(3), count = 0;
    m->largest = 0.0;
    for (int j = 0; j < m->p; j++) {
        const double *x = m->x + j * m->n;
        double low = x[0], high = x[0];
        m->start[j] = count;
        for (int i = 0; i < m->n; i++) {
            low = fmin(low, x[i]);
            high = fmax(high, x[i]);
            if (x[i] != 0.0 || random_below(40) == 0) {
                m->row[count] = i;
                m->value[count++] = x[i];
            }
        }
        m->center[j] = scale == 0 ? low : scale == 1 ? 0.37 * (low + high) : 0;
        m->divisor[j] = low == high ? 0.0 : scale == 2 ? 1.0 : high - low;
        int none = 0;
        lr_scaling s = {m->center + j, m->divisor + j, &none, &none, NULL, 0,
                        NULL, NULL, NULL};
        m->zero[j] = lr_shift_of(&s, 0, low, high).zero;
        for (int i = 0; i < m->n; i++) {
            m->u[i + j * m->n] = lr_scale_cell(&s, 0, x[i]);
            m->largest = fmax(m->largest,
                              fabs(m->u[i + j * m->n] - m->zero[j]));
        }
    }
    m->start[m->p] = count;
}

/* Some components, every other pair of them kept apart. */
static void draw_links(problem *m)
{
    int n = m->n, count = 1 + random_below(n), at = 0, pairs = 0;
    for (int i = 0; i < n; i++)
        m->component[i] = random_below(count);
    for (int c = 0; c < count; c++) {
        m->member_start[c] = at;
        m->against_start[c] = pairs;
        m->same_start[c] = c == 0 ? 0 : m->same_start[c];
        for (int i = 0; i < n; i++)
            if (m->component[i] == c)
                m->member[at++] = i;
        for (int d = 0; d < count; d++)
            if ((c + d) % 2 == 1 && count < 30)
                m->against[pairs++] = d;
    }
    m->member_start[count] = at;
    m->against_start[count] = pairs;
    at = 0;
    for (int c = 0; c <= count; c++) {
        m->same_start[c] = at;
        for (int e = 0; e < m->n_ends && c < count; e++)
            if (m->component[m->end[e]] == c)
                m->same[at++] = e;
    }
    lr_links l = {m->component, m->member_start, m->member, m->against_start,
                  m->against, NULL};
    m->links = l;
}

static problem draw_problem(void)
{
    problem m;
    m.n = 4 + random_below(90);
    m.p = 1 + random_below(40);
    size_t n = (size_t)m.n, cells = n * (size_t)m.p;
    m.n_ends = 1 + random_below(m.n);
    m.k = 1 + random_below(random_below(2) ? 5 : m.n + 2);
    m.metric = random_below(2) ? LR_MANHATTAN : LR_EUCLIDEAN;
    m.x = doubles(cells);
    m.u = doubles(cells);
    m.value = doubles(cells);
    m.row = integers(cells);
    m.start = integers((size_t)m.p + 1);
    m.center = doubles((size_t)m.p);
    m.divisor = doubles((size_t)m.p);
    m.zero = doubles((size_t)m.p);
    m.end = integers(n);
    m.component = integers(n);
    m.member = integers(n);
    m.member_start = integers(n + 1);
    m.against = integers(900);
    m.against_start = integers(n + 1);
    m.same_start = integers(n + 1);
    m.same = integers(n);
    draw_cells(&m);
    scale_cells(&m);
    int skip = random_below(m.n - m.n_ends + 1);
    for (int e = 0; e < m.n_ends; e++)
        m.end[e] = skip + e;
    int rule = random_below(3);
    m.linked = rule == 1;
    m.classes = rule == 2 ? 1 + random_below(4) : 1 + m.linked;
    m.class_of = rule == 2 ? integers(n) : NULL;
    for (int i = 0; i < m.n && m.class_of; i++)
        m.class_of[i] = random_below(m.classes + 1) - 1;
    m.block_of = random_below(2) ? integers(n) : NULL;
    for (int i = 0; i < m.n && m.block_of; i++)
        m.block_of[i] = random_below(3);
    draw_links(&m);
    return m;
}

static void free_problem(problem *m)
{
    void *all[] = {m->x, m->u, m->value, m->row, m->start, m->center,
                   m->divisor, m->zero, m->end, m->component, m->member,
                   m->member_start, m->against, m->against_start,
                   m->same_start, m->same, m->class_of, m->block_of};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* ---- all distances ------------------------------------------------------- */

static double distance_of(const problem *m, int a, int b)
{
    double sum = 0.0;
    for (int j = 0; j < m->p; j++) {
        double d = m->u[a + j * m->n] - m->u[b + j * m->n];
        sum += m->metric == LR_MANHATTAN ? fabs(d) : d * d;
    }
    return sum;
}

/* The list of end e that takes a row, or -1. */
static int list_of(const problem *m, int e, int row)
{
    int end = m->end[e];
    if (row == end || (m->block_of && m->block_of[row] != m->block_of[end]))
        return -1;
    if (m->class_of)
        return m->class_of[row];
    if (m->linked && m->component[row] == m->component[end])
        return 1;
    return m->linked && lr_cannot_link(&m->links, end, row) ? -1 : 0;
}

/* ---- the search ---------------------------------------------------------- */

static lr_screen make_screen(const problem *m, size_t capacity_for)
{
    size_t ends = (size_t)m->n_ends, lists = (size_t)m->classes;
    size_t k = (size_t)m->k, all = ends * lists;
    lr_screen s = {ends, lists, k, capacity_for, doubles(all * k),
                   integers(all * k), integers(all),
                   buffer(all * capacity_for, sizeof(lr_bounded)),
                   integers(all), doubles(all)};
    lr_screen_clear(&s);
    return s;
}

static void free_screen(lr_screen *s)
{
    free(s->upper);
    free(s->upper_row);
    free(s->n_upper);
    free(s->kept);
    free(s->count);
    free(s->limit);
}

static lr_sparse_rows take_rows(const lr_sparse_cells *cells, const int *row,
                                int count, int n)
{
    lr_sparse_rows r;
    int *place = integers((size_t)n);
    size_t *next = buffer((size_t)count, sizeof(size_t));
    for (int i = 0; i < n; i++)
        place[i] = -1;
    for (int i = 0; i < count; i++)
        place[row[i]] = i;
    r.start = buffer((size_t)count + 1, sizeof(size_t));
    lr_count_cells(cells, place, (size_t)count, &r);
    r.feature = integers(r.start[count]);
    r.u = doubles(r.start[count]);
    lr_extract_cells(cells, place, (size_t)count, &r, next);
    free(place);
    free(next);
    return r;
}

static void free_rows(lr_sparse_rows *r)
{
    free(r->start);
    free(r->feature);
    free(r->u);
}

static lr_sparse_panel make_panel(const problem *m, const lr_sparse_rows *ends)
{
    lr_sparse_panel s;
    size_t p = (size_t)m->p, n_ends = (size_t)m->n_ends;
    int *count = integers(p);
    size_t *next = buffer(2 * p, sizeof(size_t));
    s.metric = m->metric;
    s.n_ends = n_ends;
    s.ld = (n_ends + LR_SPARSE_UNIT - 1) / LR_SPARSE_UNIT * LR_SPARSE_UNIT;
    s.p = p;
    s.full = integers(p);
    lr_panel_plan(&s, ends, m->zero, count);
    s.start = buffer(p + 1, sizeof(size_t));
    s.middle = buffer(p + 1, sizeof(size_t));
    s.end = integers(ends->start[n_ends]);
    s.size = buffer(ends->start[n_ends], sizeof(float));
    s.positive = buffer(s.n_full * s.ld, sizeof(float));
    s.negative = buffer(s.n_full * s.ld, sizeof(float));
    s.sum = doubles(n_ends);
    s.root = doubles(n_ends);
    s.slack = doubles(n_ends);
    lr_panel_fill(&s, ends, m->zero, m->largest, next);
    free(count);
    free(next);
    return s;
}

static void free_panel(lr_sparse_panel *s)
{
    void *all[] = {s->full, s->start, s->middle, s->end, s->size, s->positive,
                   s->negative, s->sum, s->root, s->slack};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static void search(const problem *m, const lr_sparse_panel *panel,
                   const lr_sparse_cells *cells, const lr_screen_rule *rule,
                   int from, int to, lr_screen *screen)
{
    int *cursor = integers((size_t)m->p);
    int block = 1 + random_below(m->n);
    float *common = buffer((size_t)block * panel->ld, sizeof(float));
    double *own = doubles((size_t)block);
    double *bounds = doubles(2 * panel->n_ends);
    for (int j = 0; j < m->p; j++) {
        cursor[j] = m->start[j];
        while (cursor[j] < m->start[j + 1] && m->row[cursor[j]] < from)
            cursor[j]++;
    }
    for (int row = from; row < to; row += block) {
        int last = row + block < to ? row + block : to;
        lr_panel_sums(panel, cells, (size_t)row, (size_t)last, cursor, common,
                      own);
        lr_panel_offer(panel, rule, (size_t)row, (size_t)last, common, own,
                       bounds, screen);
    }
    free(cursor);
    free(bounds);
    free(common);
    free(own);
}

/* Are the k nearest of a list what the screen holds? */
static int same_list(const problem *m, const lr_screen *s, int e, int list,
                     const lr_sparse_rows *rows, int *missed)
{
    size_t at = (size_t)e * s->n_lists + (size_t)list, capacity_for = s->capacity;
    if (s->count[at] < 0) {
        ++*missed;
        return 1;
    }
    double d[128];
    lr_nearest want = {d, NULL, (size_t)m->k, 0}, got = want;
    int rows_of[2][128];
    double distances[128];
    want.row = rows_of[0];
    got.row = rows_of[1];
    got.distance = distances;
    for (int i = 0; i < m->n; i++)
        if (list_of(m, e, i) == list)
            lr_nearest_offer(&want, distance_of(m, m->end[e], i), i);
    for (int i = 0; i < s->count[at]; i++) {
        int row = s->kept[at * capacity_for + (size_t)i].row;
        lr_nearest_offer(&got,
                         lr_sparse_distance(rows, (size_t)m->end[e], rows,
                                            (size_t)row, m->zero, m->metric),
                         row);
    }
    lr_nearest_sort(&want);
    lr_nearest_sort(&got);
    int same = want.count == got.count;
    for (size_t i = 0; same && i < want.count; i++)
        same = want.row[i] == got.row[i]
            && want.distance[i] == got.distance[i];
    return same;
}

/* The order of the k nearest where only those whose bounds overlap are measured;
 * counts the others. */
static int same_order(const problem *m, lr_screen *s, int e, int list,
                      const lr_sparse_rows *rows, int *settled)
{
    size_t at = (size_t)e * s->n_lists + (size_t)list;
    if (s->count[at] < 0)
        return 1;
    double d[2][128];
    int rows_of[2][128], *needs = integers(s->capacity);
    lr_nearest want = {d[0], rows_of[0], (size_t)m->k, 0};
    lr_nearest got = {d[1], rows_of[1], (size_t)m->k, 0};
    for (int i = 0; i < m->n; i++)
        if (list_of(m, e, i) == list)
            lr_nearest_offer(&want, distance_of(m, m->end[e], i), i);
    size_t count = lr_screen_order(s, at, needs);
    for (size_t i = 0; i < count; i++) {
        int row = s->kept[at * s->capacity + i].row;
        double low = s->kept[at * s->capacity + i].low;
        *settled += !needs[i];
        lr_nearest_offer(&got, needs[i]
            ? lr_sparse_distance(rows, (size_t)m->end[e], rows, (size_t)row,
                                 m->zero, m->metric) : low, row);
    }
    lr_nearest_sort(&want);
    lr_nearest_sort(&got);
    int same = want.count == got.count
        && !memcmp(want.row, got.row, want.count * sizeof(int));
    free(needs);
    return same;
}

static void check_problem(int tight, int *missed, int *settled)
{
    problem m = draw_problem();
    lr_sparse_cells cells = {{0, (size_t)m.n, m.start, m.row, m.value}, NULL,
                             (size_t)m.p, m.center, m.divisor, m.zero};
    int *everybody = integers((size_t)m.n), wrong = 0;
    for (int i = 0; i < m.n; i++)
        everybody[i] = i;
    lr_sparse_rows all = take_rows(&cells, everybody, m.n, m.n);
    lr_sparse_rows ends = take_rows(&cells, m.end, m.n_ends, m.n);
    lr_sparse_panel panel = make_panel(&m, &ends);
    lr_screen_rule rule = {m.end, {(size_t)m.classes, m.class_of,
                                   m.linked ? &m.links : NULL, m.block_of},
                           m.same_start, m.same};
    size_t capacity_for = (size_t)(tight ? m.k + 2 : m.n + m.k);
    lr_screen one = make_screen(&m, capacity_for), two = make_screen(&m, capacity_for);
    int cut = random_below(m.n + 1);
    search(&m, &panel, &cells, &rule, 0, cut, &one);
    search(&m, &panel, &cells, &rule, cut, m.n, &two);
    lr_screen_merge(&one, &two);
    lr_screen_finish(&one);
    for (int e = 0; e < m.n_ends; e++)
        for (int list = 0; list < m.classes; list++)
            wrong += !same_list(&m, &one, e, list, &all, missed);
    CHECK_BITS(wrong == 0, "%d lists with other samples", wrong);
    wrong = 0;
    for (int e = 0; e < m.n_ends; e++)
        for (int list = 0; list < m.classes; list++)
            wrong += !same_order(&m, &one, e, list, &all, settled);
    CHECK_BITS(wrong == 0, "%d lists in another order", wrong);
    free_screen(&one);
    free_screen(&two);
    free_panel(&panel);
    free_rows(&all);
    free_rows(&ends);
    free(everybody);
    free_problem(&m);
}

int main(void)
{
    int missed = 0, settled = 0;
    random_seed(21);
    for (int i = 0; i < trials(3000); i++)
        check_problem(0, &missed, &settled);
    CHECK_INT(missed, 0);
    for (int i = 0; i < trials(1000); i++)
        check_problem(1, &missed, &settled);
    CHECK(missed > 0);
    CHECK(settled > trials(1000));
    CHECK(lr_sparse_bounded(20000, 1e30, LR_MANHATTAN));
    CHECK(!lr_sparse_bounded(20000, 2e30, LR_MANHATTAN));
    CHECK(!lr_sparse_bounded(20000, 2e15, LR_EUCLIDEAN));
    CHECK(!lr_sparse_bounded(1000000, 1.0, LR_EUCLIDEAN));
    return check_report();
}
