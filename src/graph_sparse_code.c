/* Rounds of sparse codes of a block of features: candidates, solutions, checks.
 * */
#include "graph_sparse_code.h"

#include <math.h>

#include "lr_products.h"

enum {
    CHUNK = 256,        /* features whose products are held at a time */
    MORE = 12,          /* the most that a later round adds */
    KEEP = 120,         /* working features beyond which idle ones go */
    MOST_TARGETS = 64,
    MOST_ROUNDS = 200
};

/* In units of y'y. A feature enters when it is above the level by ENTER; single
 * precision may hide as much as GUARD. */
static const double ENTER = 1e-11, FOUND = 1e-10, GUARD = 2e-6;

/* Operations of a product, as the vectors of the processor do them. */
static const double FLOAT_WORK = 0.25, DOUBLE_WORK = 0.5;

/* Factors of a block take at most this many doubles (32 MB). */
static const size_t FACTOR_DOUBLES = (size_t)4 << 20;

static size_t factor_size(size_t capacity)
{
    return capacity * (capacity + 1) / 2;
}

static size_t working_size(size_t capacity)
{
    return capacity + KEEP + LR_BEST;
}

lr_block_size lr_block_needs(const lr_code_problem *p)
{
    lr_block_size size;
    size_t capacity = lr_code_capacity(p);
    size_t targets = FACTOR_DOUBLES / (factor_size(capacity) + 1);
    if (targets > MOST_TARGETS)
        targets = MOST_TARGETS;
    targets = targets / LR_TARGETS * LR_TARGETS;
    if (targets < LR_TARGETS)
        targets = LR_TARGETS;
    size.targets = targets;
    size.doubles = targets * (2 * capacity + factor_size(capacity) + p->n)
        + lr_code_scratch(capacity) + targets * (p->n + CHUNK)
        + LR_DOUBLE_LANES * p->n;
    size.floats = targets * (p->n + CHUNK);
    size.ints = targets * (1 + capacity + working_size(capacity));
    return size;
}

void lr_bring_near_one(double *u, size_t cells)
{
    double largest = 0.0;
    for (size_t i = 0; i < cells; i++)
        largest = fmax(largest, fabs(u[i]));
    int power = largest > 0.0 ? ilogb(largest) : 0;
    if (power >= -10 && power <= 10)
        return;
    for (size_t i = 0; i < cells; i++)
        u[i] = ldexp(u[i], -power);
}

/* ---- the best features of each target ------------------------------------ */

static void offer(lr_best_list *best, int feature, double value)
{
    size_t at = best->count < best->buffer ? best->count++ : best->buffer - 1;
    for (; at > 0 && best->value[at - 1] < value; at--) {
        best->value[at] = best->value[at - 1];
        best->feature[at] = best->feature[at - 1];
    }
    best->value[at] = value;
    best->feature[at] = feature;
    if (best->count == best->buffer)
        best->threshold = fmax(best->threshold, best->value[best->buffer - 1]);
}

static int is_listed(const lr_code *code, int feature)
{
    if (feature == code->target || lr_is_active(code, feature))
        return 1;
    for (size_t w = 0; w < code->n_working; w++)
        if (code->working[w] == feature)
            return 1;
    return 0;
}

/* ---- one block ----------------------------------------------------------- */

static size_t chunk_end(const lr_code_block *b, size_t first)
{
    size_t count = b->task->problem.count;
    return first + CHUNK < count ? first + CHUNK : count;
}

static void gather(const lr_code_block *b, const double **vector)
{
    for (size_t t = 0; t < b->n_pending; t++)
        vector[t] = b->code[b->pending[t]].residual;
}

/* How many cells all features have, times the targets of this pass. */
static double all_products(const lr_code_block *b)
{
    const lr_code_problem *p = &b->task->problem;
    return (double)p->n * (double)p->count * (double)b->n_pending;
}

/* Products of all features with the residuals, single precision; `nearness`:
 * minus half the squared length, so that the nearest feature comes first. */
static void screen(lr_code_block *b, int nearness)
{
    const lr_code_problem *p = &b->task->problem;
    const double *vector[MOST_TARGETS];
    gather(b, vector);
    b->work += FLOAT_WORK * all_products(b);
    lr_panel_floats(vector, b->n_pending, p->n, b->floats);
    for (size_t j = 0; j < p->count; j += CHUNK) {
        size_t end = chunk_end(b, j);
        lr_products_floats(b->task->pack + j * p->n, end - j, p->n,
                           b->floats, b->n_pending, b->float_products,
                           CHUNK);
        for (size_t t = 0; t < b->n_pending; t++) {
            const float *c = b->float_products + t * CHUNK;
            lr_best_list *best = b->best + t;
            const lr_code *code = b->code + b->pending[t];
            for (size_t f = j; f < end; f++) {
                double value = (double)c[f - j]
                    - (nearness ? 0.5 * p->square[f] : 0.0);
                if (value > best->threshold && !is_listed(code, (int)f))
                    offer(best, (int)f, value);
            }
        }
    }
}

static void open_lists(lr_code_block *b, size_t buffer, int all)
{
    for (size_t t = 0; t < b->n_pending; t++) {
        const lr_code *code = b->code + b->pending[t];
        b->best[t].count = 0;
        b->best[t].buffer = buffer;
        b->best[t].threshold =
            all ? -HUGE_VAL : code->level - GUARD * code->square;
    }
}

/* What one chunk of products in double precision says of one target. */
static void certify_target(const lr_code *code, const double *c, size_t first,
                           size_t end, lr_best_list *best, double *kkt)
{
    double most = code->level;
    for (size_t f = first; f < end; f++) {
        double value = c[f - first];
        if (value <= code->level || (int)f == code->target)
            continue;
        most = fmax(most, value);
        if (value > best->threshold && !is_listed(code, (int)f))
            offer(best, (int)f, value);
    }
    *kkt = fmax(*kkt, (most - code->level) / code->square);
}

/* Features in use must be at the level from both sides. */
static void certify_active(const lr_code_problem *p, const lr_code *code,
                           double *kkt)
{
    for (size_t k = 0; k < code->n_active; k++) {
        double c = lr_code_gradient(p, code, code->active[k]);
        *kkt = fmax(*kkt, fabs(c - code->level) / code->square);
    }
}

/* Products in double precision: the largest violation of each target, and the
 * features that violate in its list. */
static void certify(lr_code_block *b)
{
    const lr_code_problem *p = &b->task->problem;
    const double *vector[MOST_TARGETS];
    gather(b, vector);
    b->work += DOUBLE_WORK * all_products(b);
    lr_panel_doubles(vector, b->n_pending, p->n, b->panel);
    for (size_t t = 0; t < b->n_pending; t++) {
        const lr_code *code = b->code + b->pending[t];
        double *kkt = &b->certificate[b->pending[t]].kkt;
        b->best[t].threshold = code->level + FOUND * code->square;
        *kkt = 0.0;
        certify_active(p, code, kkt);
    }
    for (size_t j = 0; j < p->count; j += CHUNK) {
        size_t end = chunk_end(b, j);
        lr_products_columns(p->u + j * p->n, end - j, p->n, b->pack, b->panel,
                            b->n_pending, b->products, CHUNK);
        for (size_t t = 0; t < b->n_pending; t++)
            certify_target(b->code + b->pending[t], b->products + t * CHUNK, j,
                           end, b->best + t,
                           &b->certificate[b->pending[t]].kkt);
    }
}

/* ---- rounds -------------------------------------------------------------- */

/* With so many new working features. */
static void solve(lr_code_block *b, lr_code *code, size_t entering)
{
    const lr_code_problem *p = &b->task->problem;
    b->work += (double)p->n * (double)(code->n_working + code->n_active)
        * (double)entering;
    lr_code_solve(p, code, ENTER, b->scratch);
}

/* The first working list, and where a target starts from. */
static void start_target(lr_code_block *b, lr_code *code,
                         const lr_best_list *best)
{
    const lr_code_problem *p = &b->task->problem;
    size_t at = 0;
    double most = -HUGE_VAL;
    for (size_t k = 0; k < best->count; k++) {
        int f = best->feature[k];
        double c = lr_code_gradient(p, code, f)
            - (p->simplex ? 0.5 * p->square[f] : 0.0);
        if (c > most || (c == most && f < best->feature[at])) {
            most = c;
            at = k;
        }
    }
    if (p->simplex)
        lr_code_start_at(p, code, code->target, best->feature[at]);
    else
        code->level = b->task->lambda * fmax(most, 0.0);
    for (size_t k = 0; k < best->count; k++)
        if (!p->simplex || k != at)
            code->working[code->n_working++] = best->feature[k];
    solve(b, code, code->n_working);
}

/* Lets features enter that are above the level in double precision too;
 * returns whether there were any. */
static int add_features(lr_code_block *b, lr_code *code,
                        const lr_best_list *best)
{
    const lr_code_problem *p = &b->task->problem;
    size_t added = 0;
    if (code->n_working > KEEP)
        code->n_working = 0;
    for (size_t k = 0; k < best->count; k++) {
        int f = best->feature[k];
        if (lr_code_gradient(p, code, f)
            <= code->level + ENTER * code->square)
            continue;
        code->working[code->n_working++] = f;
        added++;
    }
    if (added > 0)
        solve(b, code, added);
    return added > 0;
}

/* Keeps the pending targets whose lists brought something new. */
static void keep_pending(lr_code_block *b)
{
    size_t kept = 0;
    for (size_t t = 0; t < b->n_pending; t++) {
        int place = b->pending[t];
        if (b->certificate[place].rounds < MOST_ROUNDS
            && add_features(b, b->code + place, b->best + t)) {
            b->certificate[place].rounds++;
            b->pending[kept++] = place;
        }
    }
    b->n_pending = kept;
}

static void all_pending(lr_code_block *b)
{
    for (size_t t = 0; t < b->count; t++)
        b->pending[t] = (int)t;
    b->n_pending = b->count;
}

/* ---- the caller's memory ------------------------------------------------- */

static void lay_out(const lr_code_problem *p, const lr_block_size *size,
                    lr_code_block *b)
{
    size_t capacity = lr_code_capacity(p);
    double *d = b->doubles;
    int *i = b->ints + size->targets;
    for (size_t t = 0; t < size->targets; t++) {
        lr_code *code = b->code + t;
        code->capacity = capacity;
        code->weight = d, d += capacity;
        code->product = d, d += capacity;
        code->factor = d, d += factor_size(capacity);
        code->residual = d, d += p->n;
        code->active = i, i += capacity;
        code->working = i, i += working_size(capacity);
    }
    b->pending = b->ints;
    b->scratch = d;
    b->panel = b->scratch + lr_code_scratch(capacity);
    b->pack = b->panel + size->targets * p->n;
    b->products = b->pack + LR_DOUBLE_LANES * p->n;
    b->float_products = b->floats + size->targets * p->n;
}

void lr_code_block_begin(const lr_sparse_code *task, const lr_block_size *size,
                         lr_code_block *b, size_t first, size_t count)
{
    lay_out(&task->problem, size, b);
    for (size_t t = 0; t < count; t++) {
        lr_code_start(&task->problem, b->code + t, (int)(first + t));
        b->certificate[t].rounds = 1;
    }
    b->task = task;
    b->first = first;
    b->count = count;
    b->stage = count > 0 ? LR_BEGINS : LR_DONE;
}

double lr_code_block_round(lr_code_block *b)
{
    if (b->stage == LR_DONE)
        return 0.0;
    b->work = 1.0; /* a round is never for nothing */
    if (b->stage == LR_BEGINS) {
        all_pending(b);
        open_lists(b, LR_BEST, 1);
        screen(b, b->task->problem.simplex);
        for (size_t t = 0; t < b->count; t++)
            start_target(b, b->code + t, b->best + t);
        b->stage = LR_SCREENS;
    } else if (b->n_pending > 0) {
        open_lists(b, MORE, 0);
        screen(b, 0);
        keep_pending(b);
    } else { /* all converged: check them again in double precision */
        all_pending(b);
        open_lists(b, MORE, 0);
        certify(b);
        keep_pending(b);
        if (b->n_pending == 0)
            b->stage = LR_DONE;
    }
    return b->work;
}
