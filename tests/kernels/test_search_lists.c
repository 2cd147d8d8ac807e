/* Lists of nearest samples against looking for the next one again and again,
 * whatever the tiles, their halves and the chunks. */
#include "search_lists.h"

#include "check.h"
#include "random.h"

enum { N = 150, CLASSES = 3 };

typedef struct {
    double distance[N * N];
    int class_of[N], block_of[N], ends[N];
    size_t n_ends;
} problem;

/* Few values, so that there are many ties; a fourth of the samples is of no
 * class. */
static problem *new_problem(void)
{
    problem *p = (problem *)buffer(1, sizeof(problem));
    p->n_ends = 0;
    for (int i = 0; i < N; i++) {
        p->class_of[i] = random_below(CLASSES + 1) - 1;
        p->block_of[i] = random_below(3);
        if (p->class_of[i] >= 0)
            p->ends[p->n_ends++] = i;
        for (int j = 0; j <= i; j++)
            p->distance[i * N + j] = p->distance[j * N + i] =
                (double)random_below(30);
    }
    return p;
}

static lr_lists new_lists(const int *class_of, const int *block_of,
                          size_t slots, size_t k)
{
    size_t each = class_of ? CLASSES : 1;
    lr_lists l = {{each, class_of, NULL, block_of}, slots, k, 0, 0.0,
                  doubles(slots * each * k), integers(slots * each * k),
                  integers(slots * each), doubles(slots * each), 0};
    lr_lists_clear(&l);
    return l;
}

static void free_lists(lr_lists *l)
{
    free(l->distance);
    free(l->row);
    free(l->count);
    free(l->limit);
}

/* The sizes of tiles and in how many chunks they are offered. */
typedef struct {
    size_t ends, rows, chunks;
    int half;
} tiling;

/* What the walk does; cells that are not to be read are NaN. */
static void walk(const problem *p, lr_lists *l, const tiling *t)
{
    double *cells = doubles(t->ends * t->rows);
    for (size_t slot = 0; slot < p->n_ends; slot += t->ends)
        for (size_t row = t->half ? (size_t)p->ends[slot] : 0; row < N;
             row += t->rows) {
            lr_tile tile = {p->ends + slot, p->n_ends - slot, slot, row,
                            N - row, t->half, cells, t->rows};
            if (tile.n_ends > t->ends)
                tile.n_ends = t->ends;
            if (tile.n_rows > t->rows)
                tile.n_rows = t->rows;
            for (size_t e = 0; e < tile.n_ends; e++)
                for (size_t r = 0; r < tile.n_rows; r++)
                    cells[e * t->rows + r] = r < lr_tile_begin(&tile, e)
                        ? NAN : p->distance[(size_t)tile.ends[e] * N + row + r];
            for (size_t s = t->chunks; s-- > 0;)
                lr_lists_offer(l, &tile, (lr_chunk){s, t->chunks});
        }
    free(cells);
}

/* The nearest of a class (any: -1), and of the block where there are blocks,
 * after the sample `last`. */
static int next_nearest(const problem *p, int blocks, int end, int c, int last)
{
    int best = -1;
    const double *d = p->distance + end * N;
    for (int r = 0; r < N; r++) {
        int after = last < 0 || d[r] > d[last] || (d[r] == d[last] && r > last);
        int other = blocks && p->block_of[r] != p->block_of[end];
        if (r != end && !other && (c < 0 || p->class_of[r] == c) && after
            && (best < 0 || d[r] < d[best]))
            best = r;
    }
    return best;
}

/* Lists one after the other, as they are (0) and as they should be (1). */
typedef struct {
    size_t n_rows, n_lists;
    int *row[2], *count[2];
    double *distance[2];
} pages;

static void add_list(pages *all, const problem *p, const lr_lists *l,
                     size_t slot, int end, size_t list)
{
    size_t at = slot * l->rule.n_lists + list, from = all->n_rows;
    int row = -1;
    while (all->n_rows - from < l->k) {
        row = next_nearest(p, l->rule.block_of != NULL, end,
                           l->rule.class_of ? (int)list : -1, row);
        if (row < 0)
            break;
        size_t q = all->n_rows++;
        all->row[0][q] = l->row[at * l->k + q - from];
        all->row[1][q] = row;
        all->distance[0][q] = l->distance[at * l->k + q - from];
        all->distance[1][q] = p->distance[end * N + row];
    }
    all->count[0][all->n_lists] = l->count[at];
    all->count[1][all->n_lists++] = (int)(all->n_rows - from);
}

/* The lists that a walk over the tiles of `p` has filled, against those of `q`,
 * whose distances are known. */
static void check_lists(const problem *p, const problem *q, lr_lists *l,
                        const tiling *t)
{
    size_t most = p->n_ends * l->rule.n_lists;
    pages all = {0, 0, {NULL}, {NULL}, {NULL}};
    for (int i = 0; i < 2; i++) {
        all.row[i] = integers(most * l->k);
        all.count[i] = integers(most);
        all.distance[i] = doubles(most * l->k);
    }
    walk(p, l, t);
    for (size_t e = 0; e < p->n_ends; e++) {
        size_t slot = t->half ? (size_t)p->ends[e] : e;
        lr_lists_sort(l, slot);
        for (size_t list = 0; list < l->rule.n_lists; list++)
            add_list(&all, q, l, slot, p->ends[e], list);
    }
    CHECK_INTS(all.count[0], all.count[1], all.n_lists);
    CHECK_INTS(all.row[0], all.row[1], all.n_rows);
    CHECK_SAMES(all.distance[0], all.distance[1], all.n_rows);
    for (int i = 0; i < 2; i++)
        free(all.row[i]), free(all.count[i]), free(all.distance[i]);
}

static void check_walk(problem *p, int by_class, int blocks, size_t k,
                       const tiling *t)
{
    if (!by_class)
        for (p->n_ends = 0; p->n_ends < N; p->n_ends++)
            p->ends[p->n_ends] = (int)p->n_ends;
    lr_lists l = new_lists(by_class ? p->class_of : NULL,
                           blocks ? p->block_of : NULL,
                           t->half ? N : p->n_ends, k);
    check_lists(p, p, &l, t);
    free_lists(&l);
}

static void test_walks(void)
{
    static const tiling tilings[] = {
        {1, 1, 1, 0}, {40, 64, 2, 0}, {N, N, 3, 0},
        {1, 1, 1, 1}, {5, 8, 2, 1},   {40, 70, 3, 1}, {N, N, 2, 1}};
    for (size_t t = 0; t < sizeof tilings / sizeof *tilings; t++)
        for (size_t k = 0; k <= 9; k += 3)
            for (int kind = 0; kind < 4; kind++) {
                problem *p = new_problem();
                check_walk(p, kind % 2, kind / 2, k, tilings + t);
                free(p);
            }
}

/* Each end and each row is one chunk's alone, and a sample the same one's in
 * both roles. */
static void test_chunks(void)
{
    int ends[N];
    for (int i = 0; i < N; i++)
        ends[i] = i;
    lr_tile tile = {ends, N, 0, 0, N, 1, NULL, N};
    for (size_t e = 0; e < N; e++) {
        int own = 0;
        for (size_t s = 0; s < 3; s++)
            own += lr_is_own_end(&tile, e, (lr_chunk){s, 3});
        CHECK_INT(own, 1);
        CHECK(lr_is_own_end(&tile, e, (lr_chunk){e / LR_ROWS % 3, 3}));
    }
}

/* Distances, or their squares, in whole units of 1: lists of rounded ones are
 * those of what was rounded before. */
static void test_rounding(void)
{
    for (int t = 0; t < trials(40); t++) {
        problem *p = new_problem(), *q = (problem *)buffer(1, sizeof(problem));
        for (int i = 0; i < N * N; i++)
            p->distance[i] += random_unit();
        for (int i = 0; i < N; i++)
            for (int j = 0; j < i; j++)
                p->distance[j * N + i] = p->distance[i * N + j];
        *q = *p;
        for (int i = 0; i < N * N; i++)
            q->distance[i] = t % 4 < 2
                ? lr_rounded_square(p->distance[i], 1.0)
                : lr_rounded(p->distance[i], 1.0);
        tiling tiles = {40, 64, 2, t % 2};
        lr_lists rounds = new_lists(p->class_of, NULL,
                                    tiles.half ? N : p->n_ends, 5);
        rounds.unit = 1.0;
        rounds.squared = t % 4 < 2;
        check_lists(p, q, &rounds, &tiles);
        free_lists(&rounds);
        free(p);
        free(q);
    }
}

/* Lists that are bounded by those of other distances are the same. */
static void test_bounds(void)
{
    tiling tiles = {N, N, 1, 0};
    for (int t = 0; t < trials(40); t++) {
        problem *p = new_problem(), *q = (problem *)buffer(1, sizeof(problem));
        *q = *p;
        for (int i = 0; i < N * N; i++)
            q->distance[i] -= (double)random_below(3);
        lr_lists others = new_lists(p->class_of, NULL, p->n_ends, 5);
        lr_lists bounded = new_lists(p->class_of, NULL, p->n_ends, 5);
        bounded.unit = t % 2;
        walk(p, &others, &tiles);
        for (size_t e = 0; e < p->n_ends; e++)
            lr_lists_bound(&bounded, &others, e, q->distance + p->ends[e] * N);
        for (int i = 0; i < N * N; i++)
            if (bounded.unit > 0.0)
                q->distance[i] = lr_rounded(q->distance[i], 1.0);
        check_lists(q, q, &bounded, &tiles);
        free_lists(&others);
        free_lists(&bounded);
        free(p);
        free(q);
    }
}

static void test_within(void)
{
    problem *p = new_problem();
    for (int end = 0; end < N; end++) {
        int out[N], start[CLASSES + 1], count = 0;
        double radius = 6.0;
        lr_within(p->class_of, CLASSES, end, p->distance + end * N, N, radius,
                  out, start);
        for (int c = 0; c < CLASSES; c++) {
            CHECK_INT(start[c], count);
            for (int r = 0; r < N; r++)
                if (p->class_of[r] == c && r != end
                    && p->distance[end * N + r] < radius)
                    CHECK_INT(out[count++], r);
        }
        CHECK_INT(start[CLASSES], count);
    }
    free(p);
}

/* 1, 3, 5 of known class: mean 3, variance 8 / 2. */
static void test_moments(void)
{
    int class_of[] = {0, 1, -1, 0, 0};
    double distance[] = {0.0, 1.0, 100.0, 3.0, 5.0}, mean, deviation;
    lr_distance_moments(class_of, 0, distance, 5, &mean, &deviation);
    CHECK_SAME(mean, 3.0);
    CHECK_SAME(deviation, 2.0);
}

int main(void)
{
    random_seed(1);
    test_walks();
    test_chunks();
    test_rounding();
    test_bounds();
    test_within();
    test_moments();
    return check_report();
}
