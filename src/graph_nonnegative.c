/* The active set of a non-negative code: add, drop, and the conditions of an
 * optimum. */
#include "graph_nonnegative.h"

#include <math.h>
#include <string.h>

#include "lr_products.h"
#include "lr_vector.h"

/* A column whose squared distance from the span of those in use is below this
 * share of its squared length is taken as dependent on them. */
static const double DEPENDENT = 1e-12;

size_t lr_code_capacity(const lr_code_problem *p)
{
    size_t rank = p->n + (p->simplex ? 1 : 0);
    size_t others = p->count - 1;
    return rank < others ? rank : others;
}

size_t lr_code_scratch(size_t capacity)
{
    return 4 * (capacity + 1);
}

static const double *column(const lr_code_problem *p, int feature)
{
    return p->u + (size_t)feature * p->n;
}

static double shift(const lr_code_problem *p)
{
    return p->simplex ? 1.0 : 0.0;
}

double lr_code_gradient(const lr_code_problem *p, const lr_code *code,
                        int feature)
{
    return lr_dot(column(p, feature), code->residual, p->n);
}

/* Products of `count` features with a vector. */
static void multiply(const lr_code_problem *p, const int *feature,
                     size_t count, const double *vector, double *product)
{
    size_t k = 0;
    const double *four[LR_DOTS];
    for (; k + LR_DOTS <= count; k += LR_DOTS) {
        for (size_t l = 0; l < LR_DOTS; l++)
            four[l] = column(p, feature[k + l]);
        lr_dot_four(four, vector, p->n, product + k);
    }
    for (; k < count; k++)
        product[k] = lr_dot(column(p, feature[k]), vector, p->n);
}

/* ---- the Cholesky factor ------------------------------------------------- */

static double *factor_row(const lr_code *code, size_t i)
{
    return code->factor + i * (i + 1) / 2;
}

/* Of one right side, or of two side by side, so that divisions need not wait
 * for each other; other: NULL when there is one. */
LR_INLINE void solve_lower(const lr_code *code, double *x, double *other)
{
    size_t m = code->n_active;
    for (size_t i = 0; i < m; i++) {
        const double *row = factor_row(code, i);
        double sum = x[i], more = other ? other[i] : 0.0;
        for (size_t k = 0; k < i; k++) {
            sum -= row[k] * x[k];
            more -= other ? row[k] * other[k] : 0.0;
        }
        x[i] = sum / row[i];
        if (other)
            other[i] = more / row[i];
    }
}

LR_INLINE void solve_upper(const lr_code *code, double *x, double *other)
{
    for (size_t i = code->n_active; i-- > 0;) {
        const double *row = factor_row(code, i);
        x[i] /= row[i];
        if (other)
            other[i] /= row[i];
        lr_subtract(x, x[i], row, i);
        if (other)
            lr_subtract(other, other[i], row, i);
    }
}

/* Takes out row `at`; rotations make the rows below triangular again.
 * rotation: 2 * n_active doubles. */
static void drop_row(lr_code *code, size_t at, double *rotation)
{
    size_t last = code->n_active - 1;
    for (size_t i = at; i < last; i++) {
        const double *from = factor_row(code, i + 1);
        double *to = factor_row(code, i);
        double carry = from[at];
        for (size_t k = 0; k < at; k++)
            to[k] = from[k];
        for (size_t k = at; k <= i; k++) {
            double next = from[k + 1];
            if (k == i) {
                double length = hypot(carry, next);
                rotation[2 * k] = carry / length;
                rotation[2 * k + 1] = next / length;
                to[k] = length;
            } else {
                double c = rotation[2 * k], s = rotation[2 * k + 1];
                to[k] = c * carry + s * next;
                carry = c * next - s * carry;
            }
        }
    }
}

/* ---- features that come and go ------------------------------------------- */

static void leave(lr_code *code, size_t at, double *scratch)
{
    drop_row(code, at, scratch);
    code->working[code->n_working++] = code->active[at];
    code->n_active--;
    size_t rest = code->n_active - at;
    memmove(code->active + at, code->active + at + 1, rest * sizeof(int));
    memmove(code->weight + at, code->weight + at + 1, rest * sizeof(double));
    memmove(code->product + at, code->product + at + 1, rest * sizeof(double));
}

/* The row of the factor that `feature` would get, in row[0 .. n_active - 1];
 * returns the squared distance from the span, 0 when it is dependent. */
static double new_row(const lr_code_problem *p, const lr_code *code,
                      int feature, double *row)
{
    double length = p->square[feature] + shift(p);
    double distance = length;
    multiply(p, code->active, code->n_active, column(p, feature), row);
    for (size_t k = 0; k < code->n_active; k++)
        row[k] += shift(p);
    solve_lower(code, row, NULL);
    for (size_t k = 0; k < code->n_active; k++)
        distance -= row[k] * row[k];
    int full = code->n_active == code->capacity;
    return full || !(distance > DEPENDENT * length) ? 0.0 : distance;
}

/* row: NULL for the first one. */
static void append(const lr_code_problem *p, lr_code *code, int feature,
                   double weight, const double *row, double distance)
{
    size_t at = code->n_active++;
    double *to = factor_row(code, at);
    if (row)
        memcpy(to, row, at * sizeof(double));
    to[at] = sqrt(distance);
    code->active[at] = feature;
    code->weight[at] = weight;
    code->product[at] =
        lr_dot(column(p, feature), column(p, code->target), p->n);
}

static void update_residual(const lr_code_problem *p, lr_code *code)
{
    memcpy(code->residual, column(p, code->target), p->n * sizeof(double));
    for (size_t k = 0; k < code->n_active; k++)
        lr_subtract(code->residual, code->weight[k],
                    column(p, code->active[k]), p->n);
}

void lr_code_start(const lr_code_problem *p, lr_code *code, int target)
{
    code->target = target;
    code->square = p->square[target];
    code->level = 0.0;
    code->n_active = code->n_working = 0;
    update_residual(p, code);
}

void lr_code_start_at(const lr_code_problem *p, lr_code *code, int target,
                      int feature)
{
    lr_code_start(p, code, target);
    append(p, code, feature, 1.0, NULL, p->square[feature] + shift(p));
    update_residual(p, code);
    code->level = lr_code_gradient(p, code, feature);
}

/* ---- the optimum on the features in use ---------------------------------- */

/* Solves G x = right - level 1; with the simplex the level is set such that
 * the x add up to `total`, else it is the penalty. ones: n_active doubles. */
static void solve_active(const lr_code_problem *p, lr_code *code,
                         double total, double *x, double *ones)
{
    size_t m = code->n_active;
    if (!p->simplex) {
        for (size_t k = 0; k < m; k++)
            x[k] -= code->level;
        solve_lower(code, x, NULL);
        solve_upper(code, x, NULL);
        return;
    }
    double sum_x = 0.0, sum_ones = 0.0;
    for (size_t k = 0; k < m; k++)
        ones[k] = 1.0;
    solve_lower(code, x, ones);
    solve_upper(code, x, ones);
    for (size_t k = 0; k < m; k++) {
        sum_x += x[k];
        sum_ones += ones[k];
    }
    code->level = (sum_x - total) / sum_ones;
    for (size_t k = 0; k < m; k++)
        x[k] -= code->level * ones[k];
}

/* Goes to the optimum on the features in use, as far as weights stay positive:
 * those that reach 0 on the way leave. */
static void finish_code(const lr_code_problem *p, lr_code *code,
                        double *scratch)
{
    double *x = scratch, *ones = x + code->capacity;
    while (code->n_active > 0) {
        double step = 1.0;
        size_t block = code->n_active;
        for (size_t k = 0; k < code->n_active; k++)
            x[k] = code->product[k] + shift(p);
        solve_active(p, code, 1.0, x, ones);
        for (size_t k = 0; k < code->n_active; k++) {
            double s = code->weight[k];
            if (x[k] <= 0.0 && (block == code->n_active
                                || s < step * (s - x[k]))) {
                step = s > 0.0 ? s / (s - x[k]) : 0.0;
                block = k;
            }
        }
        if (block == code->n_active) {
            memcpy(code->weight, x, code->n_active * sizeof(double));
            return;
        }
        for (size_t k = 0; k < code->n_active; k++)
            code->weight[k] += step * (x[k] - code->weight[k]);
        leave(code, block, scratch);
        for (size_t k = code->n_active; k-- > 0;)
            if (code->weight[k] <= 0.0)
                leave(code, k, scratch);
    }
}

/* Newton steps from the residual itself, which the factor's rounding does not
 * touch: weights become as exact as the residual is. */
static void refine(const lr_code_problem *p, lr_code *code, double *scratch)
{
    double *x = scratch, *ones = x + code->capacity;
    for (int round = 0; round < 3 && code->n_active > 0; round++) {
        double left = 1.0, worst = 0.0;
        for (size_t k = 0; k < code->n_active; k++)
            left -= code->weight[k];
        multiply(p, code->active, code->n_active, code->residual, x);
        for (size_t k = 0; k < code->n_active; k++) {
            worst = fmax(worst, fabs(x[k] - code->level));
            x[k] += shift(p) * left;
        }
        if (worst <= 1e-13 * code->square)
            return;
        double level = code->level;
        solve_active(p, code, left, x, ones);
        for (size_t k = 0; k < code->n_active; k++)
            if (code->weight[k] + x[k] <= 0.0) {
                code->level = level;
                return;
            }
        for (size_t k = 0; k < code->n_active; k++)
            code->weight[k] += x[k];
        update_residual(p, code);
    }
}

/* ---- entering ------------------------------------------------------------ */

/* A dependent feature takes the place of one in use: along the direction that
 * leaves the fit as it is, until a weight reaches 0. Returns 0, with nothing
 * changed, when that gains nothing. row: as from new_row(). */
static int exchange(const lr_code_problem *p, lr_code *code, int feature,
                    double *row, double *scratch)
{
    size_t block = code->n_active;
    double length = 0.0;
    solve_upper(code, row, NULL);
    for (size_t k = 0; k < code->n_active; k++)
        if (row[k] > 0.0 && (block == code->n_active
                             || code->weight[k] < length * row[k])) {
            length = code->weight[k] / row[k];
            block = k;
        }
    double gain = lr_code_gradient(p, code, feature) - code->level;
    double most = DEPENDENT * (p->square[feature] + shift(p));
    if (block == code->n_active || gain <= length * most)
        return 0;
    for (size_t k = 0; k < code->n_active; k++)
        code->weight[k] -= length * row[k];
    leave(code, block, scratch);
    for (size_t k = code->n_active; k-- > 0;)
        if (code->weight[k] <= 0.0)
            leave(code, k, scratch);
    double distance = new_row(p, code, feature, row);
    if (distance > 0.0)
        append(p, code, feature, length, row, distance);
    else
        code->working[code->n_working++] = feature;
    return 1;
}

/* Returns whether anything changed; if not, the feature is back on the working
 * list. */
static int enter(const lr_code_problem *p, lr_code *code, int feature,
                 double *scratch)
{
    double *row = scratch + 3 * (code->capacity + 1);
    double distance = new_row(p, code, feature, row);
    if (distance > 0.0)
        append(p, code, feature, 0.0, row, distance);
    else if (!exchange(p, code, feature, row, scratch)) {
        code->working[code->n_working++] = feature;
        return 0;
    }
    return 1;
}

int lr_is_active(const lr_code *code, int feature)
{
    for (size_t k = code->n_active; k-- > 0;)
        if (code->active[k] == feature)
            return 1;
    return 0;
}

/* The working feature that most wants to enter; of equal ones the lowest. */
static size_t most_wanted(const lr_code_problem *p, const lr_code *code,
                          size_t n_open, double threshold)
{
    enum { SOME = 16 };
    const int *working = code->working;
    size_t best = n_open;
    double most = threshold, c[SOME];
    for (size_t w = 0; w < n_open; w++) {
        size_t left = n_open - w;
        if (w % SOME == 0)
            multiply(p, working + w, left < SOME ? left : SOME,
                     code->residual, c);
        double gradient = c[w % SOME];
        if (gradient > most || (gradient == most && best < n_open
                                && working[w] < working[best])) {
            most = gradient;
            best = w;
        }
    }
    return best;
}

/* Takes a feature out of the open part of the working list, which stands
 * before the closed part. */
static void take_out(lr_code *code, size_t at, size_t n_open)
{
    int *w = code->working;
    w[at] = w[n_open - 1];
    w[n_open - 1] = w[--code->n_working];
}

/* A feature that rounding keeps from entering comes back at the end of the
 * working list and is closed until something else has changed. The objective
 * falls with every change, so the limit on steps only guards against
 * rounding. */
void lr_code_solve(const lr_code_problem *p, lr_code *code, double tolerance,
                   double *scratch)
{
    size_t n_open = code->n_working;
    size_t steps = 100 + 20 * (code->n_working + code->n_active);
    while (steps-- > 0) {
        size_t at = most_wanted(p, code, n_open,
                                code->level + tolerance * code->square);
        if (at == n_open)
            break;
        int feature = code->working[at];
        size_t before = code->n_active;
        take_out(code, at, n_open--);
        if (!enter(p, code, feature, scratch))
            continue;
        finish_code(p, code, scratch);
        if (code->n_active == before && !lr_is_active(code, feature))
            continue;
        update_residual(p, code);
        n_open = code->n_working;
    }
    refine(p, code, scratch);
}
