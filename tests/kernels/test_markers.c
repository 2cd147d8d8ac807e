/* Moments of groups and areas under the curve of one feature, against loops over
 * all samples and all pairs of samples. */
#include "markers.h"

#include "check.h"
#include "random.h"

enum { N = 40, GROUPS = 4, BLOCKS = 3 };

static int cell_of[N];
static double x[N];

static void draw_case(int kind, size_t blocks, double *count)
{
    for (size_t c = 0; c < GROUPS * blocks; c++)
        count[c] = 0.0;
    for (int i = 0; i < N; i++) {
        int group = random_below(GROUPS + 1) - 1;
        cell_of[i] = group < 0
            ? -1 : group + GROUPS * random_below((int)blocks);
        if (cell_of[i] >= 0)
            count[cell_of[i]] += 1.0;
        x[i] = random_below(3) > 0 ? 0.0 : random_unit() - 0.5;
        if (kind == 1)
            x[i] = (double)random_below(4) - 1.0;
        if (kind == 2)
            x[i] = 0.1;
        if (kind == 3)
            x[i] = random_unit();
    }
}

static lr_entries entries_of(int *row, double *value)
{
    lr_entries e = {row, value, 0};
    for (int i = 0; i < N; i++)
        if (x[i] != 0.0) {
            row[e.count] = i;
            value[e.count++] = x[i];
        }
    return e;
}

static void check_moments(const lr_group_design *d, const lr_cell_moments *m)
{
    for (int c = 0; c < (int)lr_cell_count(d); c++) {
        double sum = 0.0, square = 0.0, above = 0.0;
        for (int i = 0; i < N; i++)
            if (cell_of[i] == c) {
                sum += x[i];
                above += x[i] > 0.0;
            }
        double mean = sum / d->count[c];
        for (int i = 0; i < N; i++)
            if (cell_of[i] == c)
                square += (x[i] - mean) * (x[i] - mean);
        CHECK_SAME(m->known[c], d->count[c]);
        CHECK_SAME(m->above[c], above);
        if (d->count[c] > 0.0) {
            CHECK_NEAR(m->mean[c], mean, 1e-14);
            CHECK_NEAR(m->square[c], square, 1e-13);
        } else {
            CHECK(isnan(m->mean[c]));
        }
    }
}

/* NaN where no block holds both groups. */
static double auc_by_pairs(const lr_group_design *d, int g, int h)
{
    double total = 0.0, weights = 0.0;
    for (int b = 0; b < (int)d->n_blocks; b++) {
        double wins = 0.0, pairs = 0.0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (cell_of[i] == b * GROUPS + g
                    && cell_of[j] == b * GROUPS + h) {
                    wins += (x[i] > x[j]) + 0.5 * (x[i] == x[j]);
                    pairs += 1.0;
                }
        if (pairs > 0.0) {
            double weight = 1.0 / (1.0 / d->count[b * GROUPS + g]
                                   + 1.0 / d->count[b * GROUPS + h]);
            total += weight * wins / pairs;
            weights += weight;
        }
    }
    return total / weights;
}

static void check_auc(const lr_group_design *d, const double *auc)
{
    for (int g = 0; g < GROUPS; g++)
        for (int h = 0; h < GROUPS; h++) {
            double got = auc[h + g * GROUPS];
            double want = g == h ? NAN : auc_by_pairs(d, g, h);
            if (isnan(want))
                CHECK(isnan(got));
            else
                CHECK_NEAR(got, want, 1e-13);
        }
}

/* A value that more than half of the samples have is not among the others. */
static void check_others(const lr_group_design *d, const double *other)
{
    double samples = 0.0;
    for (size_t c = 0; c < lr_cell_count(d); c++)
        samples += d->count[c];
    for (int i = 0; i < N; i++) {
        double equal[GROUPS * BLOCKS] = {0.0}, all = 0.0;
        for (int j = 0; j < N; j++)
            if (cell_of[i] >= 0 && cell_of[j] >= 0 && x[i] == x[j]) {
                equal[cell_of[j]] += 1.0;
                all += 1.0;
            }
        for (size_t c = 0; all > samples / 2.0 && c < lr_cell_count(d); c++)
            CHECK_SAME(other[c], d->count[c] - equal[c]);
    }
}

int main(void)
{
    double count[GROUPS * BLOCKS], auc[GROUPS * GROUPS];
    int row[N];
    double value[N];
    double moments[5][GROUPS * BLOCKS], below[GROUPS * BLOCKS];
    double tied[GROUPS * BLOCKS], wins[GROUPS * GROUPS * BLOCKS];
    double other[GROUPS * BLOCKS];
    lr_cell_entry sorted[2 * N];
    lr_cell_moments m = {moments[0], moments[1], moments[2], moments[3],
                         moments[4]};
    lr_auc_scratch s = {sorted, below, tied, wins, other};
    for (int trial = 0; trial < trials(200); trial++) {
        size_t blocks = trial % 2 ? BLOCKS : 1;
        draw_case(trial % 4, blocks, count);
        lr_group_design d = {GROUPS, blocks, cell_of, count};
        lr_entries e = entries_of(row, value);
        lr_moments_of_cells(&d, &e, &m);
        check_moments(&d, &m);
        lr_auc_of_groups(&d, &e, &s, auc);
        check_auc(&d, auc);
        check_others(&d, other);
        /* rounding makes no other value */
        for (int i = 0; trial % 4 == 2 && i < N; i++)
            x[i] += i == 7 ? 1.0 : 1e-12 * (double)(i % 3);
        if (trial % 4 == 2 && cell_of[7] >= 0) {
            e = entries_of(row, value);
            lr_auc_of_groups(&d, &e, &s, auc);
            for (size_t c = 0; c < lr_cell_count(&d); c++)
                CHECK_SAME(other[c], cell_of[7] == (int)c ? 1.0 : 0.0);
        }
        /* constant: exactly no spread */
        for (size_t c = 0; trial % 4 == 2 && c < lr_cell_count(&d); c++)
            if (count[c] > 0.0) {
                CHECK_SAME(m.mean[c], 0.1);
                CHECK_SAME(m.square[c], 0.0);
            }
    }
    /* a missing value is left out of the moments */
    double known[2] = {3.0, 0.0};
    int cells[3] = {0, 0, 0}, rows[2] = {0, 2};
    double cell[2] = {NAN, 4.0};
    lr_group_design two = {2, 1, cells, known};
    lr_entries e = {rows, cell, 2};
    lr_moments_of_cells(&two, &e, &m);
    CHECK_SAME(m.known[0], 2.0);
    CHECK_SAME(m.mean[0], 2.0);
    CHECK_SAME(m.square[0], 8.0);
    return check_report();
}
