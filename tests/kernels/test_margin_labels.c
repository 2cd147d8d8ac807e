/* Sums over all pairs of labelled samples of different classes against the
 * same pairs one by one. */
#include "margin_labels.h"

#include "check.h"
#include "margin_pairs.h"
#include "random.h"

enum { MOST = 60, HITS = 7 };

typedef struct {
    int n, classes, labelled;
    int row[MOST], label[MOST], number[MOST];
    int count[MOST], start[MOST + 1], hit[MOST * HITS], owner[MOST * HITS];
    size_t user_start[MOST + 1];
    int user[MOST * HITS], with_hits[MOST + 1];
    lr_node nodes[MOST];
    int n_nodes;
    double u[MOST];
} problem;

/* Classes from .. to - 1, cut anywhere; returns its node. */
static int grow(problem *m, const int *at, int from, int to)
{
    if (to - from < 2)
        return -1;
    int me = m->n_nodes++, cut = from + 1 + random_below(to - from - 1);
    int left = grow(m, at, from, cut), right = grow(m, at, cut, to);
    lr_node f = {at[from], at[cut], at[to], left, right};
    m->nodes[me] = f;
    return me;
}

static void number_samples(problem *m)
{
    int at[MOST + 1];
    m->labelled = 0;
    for (int c = 0; c < m->classes; c++) {
        at[c] = m->labelled;
        for (int i = 0; i < m->n; i++)
            if (m->label[i] == c) {
                m->number[i] = m->labelled;
                m->row[m->labelled++] = i;
            }
    }
    at[m->classes] = m->labelled;
    m->n_nodes = 0;
    if (random_below(2))
        grow(m, at, 0, m->classes);
    else
        m->n_nodes = (int)lr_class_tree(at, (size_t)m->classes, m->nodes);
}

static void draw_hits(problem *m, int k)
{
    m->start[0] = m->with_hits[0] = 0;
    for (int e = 0; e < m->labelled; e++) {
        m->count[e] = random_below(8) ? 1 + random_below(k) : 0;
        m->with_hits[e + 1] = m->with_hits[e] + (m->count[e] > 0);
        m->start[e + 1] = m->start[e] + m->count[e];
        for (int q = m->start[e]; q < m->start[e + 1]; q++) {
            m->hit[q] = random_below(m->n);
            m->owner[q] = e;
        }
    }
    size_t total = 0;
    for (int i = 0; i < m->n; i++) {
        m->user_start[i] = total;
        for (int q = 0; q < m->start[m->labelled]; q++)
            if (m->hit[q] == i)
                m->user[total++] = m->owner[q];
    }
    m->user_start[m->n] = total;
}

static problem draw_problem(void)
{
    problem m;
    m.n = 3 + random_below(MOST - 3);
    m.classes = 2 + random_below(random_below(3) ? 4 : 20);
    for (int i = 0; i < m.n; i++) {
        m.label[i] = random_below(6) ? random_below(m.classes) : -1;
        m.number[i] = -1;
    }
    number_samples(&m);
    draw_hits(&m, 1 + random_below(HITS));
    double zeros = random_unit();
    int kind = random_below(4);
    for (int i = 0; i < m.n; i++) {
        double u = random_unit();
        m.u[i] = kind == 0 ? u - 0.5 : kind == 1 ? floor(5 * u) - 1
            : kind == 2 ? floor(3 * u) / 2 : 1e6 * u;
        if (kind != 1 && random_unit() < zeros)
            m.u[i] = 0.0;
    }
    return m;
}

static lr_labels labels_of(const problem *m)
{
    lr_labels l = {(size_t)m->n, (size_t)m->labelled, m->row, m->number,
                   m->start, m->hit, m->owner, m->user_start, m->user,
                   m->with_hits, m->nodes, (size_t)m->n_nodes};
    return l;
}

static double to_hits(const problem *m, int sample, int owner)
{
    double sum = 0.0;
    for (int q = m->start[owner]; q < m->start[owner + 1]; q++)
        sum += fabs(m->u[m->row[sample]] - m->u[m->hit[q]]);
    return m->count[owner] ? sum / m->count[owner] : 0.0;
}

static lr_label_sum one_by_one(const problem *m)
{
    lr_label_sum s = {0, 0, 0, 0};
    for (int a = 0; a < m->labelled; a++)
        for (int b = 0; b < a; b++) {
            if (m->label[m->row[a]] == m->label[m->row[b]])
                continue;
            double miss = to_hits(m, a, b), back = to_hits(m, b, a);
            double hit = to_hits(m, a, a), other = to_hits(m, b, b);
            double margin = 0.5 * ((miss - hit) + (back - other));
            s.sum += margin;
            s.square += margin * margin;
            double sizes = 0.5 * ((miss + hit) + (back + other));
            s.magnitude += sizes * sizes;
            s.size = fmax(s.size, fmax(miss + hit, back + other));
        }
    return s;
}

static lr_label_sum run(const problem *m, double shift, lr_label_buffer *buffer)
{
    int rows[MOST];
    double values[MOST], u[MOST];
    lr_entries entries = {rows, values, 0};
    lr_shift as_is = {0.0, 1.0, 0.0};
    lr_label_sum sum;
    lr_labels l = labels_of(m);
    for (int i = 0; i < m->n; i++)
        u[i] = m->u[i] + shift;
    lr_block block = {u, (size_t)m->n, (size_t)m->n, 0, 1, NULL};
    lr_entries_of_feature(&as_is, &block, 0, &entries);
    lr_label_margins(&l, &entries, buffer, &sum);
    return sum;
}

static void check_problem(void)
{
    problem m = draw_problem();
    lr_labels l = labels_of(&m);
    size_t bytes = lr_label_bytes(&l);
    void *memory = buffer(bytes, 1);
    lr_label_buffer *scratch = lr_label_buffer_in(&l, memory);
    lr_label_sum want = one_by_one(&m), got = run(&m, 0.0, scratch);
    double pairs = (double)m.labelled * m.labelled;
    double largest = want.size > 0.0 ? want.size : 1.0;
    CHECK_NEAR(got.sum, want.sum, 1e-14 * pairs * largest);
    CHECK_NEAR(got.square, want.square, 1e-14 * pairs * largest * largest);
    CHECK_NEAR(got.magnitude, want.magnitude,
               1e-14 * pairs * largest * largest);
    CHECK(got.size >= want.size * (1 - 1e-15));
    /* the buffer is clean again, and zeros are values like others */
    lr_label_sum again = run(&m, 0.0, scratch);
    CHECK_SAME(again.sum, got.sum);
    CHECK_SAME(again.square, got.square);
    lr_label_sum moved = run(&m, 3.25 * largest, scratch);
    CHECK_NEAR(moved.sum, want.sum, 1e-13 * pairs * largest);
    CHECK_NEAR(moved.square, want.square, 1e-13 * pairs * largest * largest);
    free(memory);
}

/* Two samples of a class at 0 and 1, hits of each other, against one at 3
 * whose hit is the one at 1. f_0(3) = |3 - 1| = 2, h_0 = 1; f_1(3) = 3,
 * h_1 = 1; f_2(0) = 1, f_2(1) = 0, h_2 = 2. Margins (2 - 2 + 1 - 1) / 2 = 0
 * and (3 - 2 + 0 - 1) / 2 = 0. With h_2 = 0, its hit at 3: f_2(0) = 3, f_2(1)
 * = 2, margins (2 - 0 + 3 - 1) / 2 = 2 and (3 - 0 + 2 - 1) / 2 = 2. */
static void check_by_hand(void)
{
    problem m;
    int label[] = {0, 0, 1, -1}, owner[] = {0, 1, 2};
    int hits[2][3] = {{1, 0, 1}, {1, 0, 3}};
    double margin[] = {0.0, 2.0};
    double u[] = {0.0, 1.0, 3.0, 3.0};
    for (int t = 0; t < 2; t++) {
        m.n = 4;
        m.classes = 2;
        for (int i = 0; i < 4; i++) {
            m.label[i] = label[i];
            m.number[i] = -1;
            m.u[i] = u[i];
        }
        number_samples(&m);
        int users = 0;
        for (int e = 0; e < 3; e++) {
            m.count[e] = 1;
            m.start[e] = m.with_hits[e] = e;
            m.hit[e] = hits[t][e];
            m.owner[e] = owner[e];
        }
        m.start[3] = m.with_hits[3] = 3;
        for (int i = 0; i < 4; i++) {
            m.user_start[i] = users;
            for (int e = 0; e < 3; e++)
                if (m.hit[e] == i)
                    m.user[users++] = e;
        }
        m.user_start[4] = users;
        lr_labels l = labels_of(&m);
        void *memory = buffer(lr_label_bytes(&l), 1);
        lr_label_sum s = run(&m, 0.0, lr_label_buffer_in(&l, memory));
        CHECK_NEAR(s.sum, 2 * margin[t], 1e-14);
        CHECK_NEAR(s.square, 2 * margin[t] * margin[t], 1e-14);
        free(memory);
    }
}

static void check_entries(void)
{
    double x[] = {0.0, 4.0, -0.0, 2.0, 0.0, 8.0};
    int start[] = {0, 4}, row[] = {1, 2, 3, 5}, rows[2][6];
    double cells[] = {4.0, 0.0, 2.0, 8.0}, values[2][6];
    double center = 1.0, divisor = 2.0;
    int none = 0;
    lr_scaling s = {&center, &divisor, &none, &none, NULL, 0, NULL, NULL,
                    NULL};
    lr_shift shift = lr_shift_of(&s, 0, 0.0, 8.0);
    lr_entries column = {rows[0], values[0], 0};
    lr_entries sparse = {rows[1], values[1], 0};
    lr_sparse_tile stored = {0, 6, start, row, cells};
    lr_block dense = {x, 6, 6, 0, 1, NULL}, slim = {NULL, 6, 6, 0, 1, &stored};
    lr_entries_of_feature(&shift, &dense, 0, &column);
    lr_entries_of_feature(&shift, &slim, 0, &sparse);
    CHECK_INT(column.count, 3);
    CHECK_INT(sparse.count, 3);
    CHECK_INTS(rows[0], rows[1], 3);
    CHECK_SAMES(values[0], values[1], 3);
    CHECK_SAME(values[0][2], 4.0);
    /* without a zero in its range a feature begins at its nearest cell */
    CHECK_SAME(lr_shift_of(&s, 0, 5.0, 8.0).zero, 2.0);
    CHECK_SAME(lr_shift_of(&s, 0, -8.0, -3.0).zero, -2.0);
}

/* Each two classes meet at one node, and a part is the whole of its own, later
 * node. */
static void test_tree(void)
{
    for (int t = 0; t < trials(60); t++) {
        int begin[MOST + 1] = {0}, label[4 * MOST], met[MOST][MOST] = {{0}};
        int classes = 1 + random_below(40);
        lr_node nodes[MOST];
        for (int c = 0; c < classes; c++) {
            begin[c + 1] = begin[c] + 1 + random_below(4);
            for (int i = begin[c]; i < begin[c + 1]; i++)
                label[i] = c;
        }
        size_t count = lr_class_tree(begin, (size_t)classes, nodes);
        CHECK_INT(count, (size_t)classes - 1);
        for (int k = 0; k < (int)count; k++) {
            lr_node f = nodes[k];
            int part[] = {f.left, f.right}, ends[] = {f.begin, f.middle, f.end};
            for (int side = 0; side < 2; side++) {
                int at = part[side], from = ends[side], to = ends[side + 1];
                CHECK(at < 0 ? label[from] == label[to - 1]
                             : at > k && nodes[at].begin == from
                                   && nodes[at].end == to);
            }
            for (int a = label[f.begin]; a <= label[f.middle - 1]; a++)
                for (int b = label[f.middle]; b <= label[f.end - 1]; b++)
                    met[a][b]++;
        }
        for (int a = 0; a < classes; a++)
            for (int b = 0; b < classes; b++)
                CHECK_INT(met[a][b], a < b);
    }
}

int main(void)
{
    test_tree();
    random_seed(11);
    for (int i = 0; i < trials(3000); i++)
        check_problem();
    check_by_hand();
    check_entries();
    return check_report();
}
