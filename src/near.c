#include "near.h"

#include <math.h>

#if defined(__GNUC__)
typedef double two __attribute__((vector_size(16), aligned(8)));
#define LOAD(p) (*(const two *)(p))
#endif

/* Squares of one point's distances to eight others. */
static void eight_squares(const lr_points *p, size_t end, size_t first,
                          double *out)
{
#if defined(__GNUC__)
    two a = {0.0, 0.0}, b = a, c = a, d = a, u;
    for (size_t k = 0; k < p->q; k++) {
        const double *x = p->x + k * p->n + first;
        double own = p->x[k * p->n + end];
        u = LOAD(x) - own;
        a += u * u;
        u = LOAD(x + 2) - own;
        b += u * u;
        u = LOAD(x + 4) - own;
        c += u * u;
        u = LOAD(x + 6) - own;
        d += u * u;
    }
    *(two *)out = a;
    *(two *)(out + 2) = b;
    *(two *)(out + 4) = c;
    *(two *)(out + 6) = d;
#else
    for (size_t j = 0; j < 8; j++) {
        out[j] = 0.0;
        for (size_t k = 0; k < p->q; k++) {
            double u = p->x[k * p->n + first + j] - p->x[k * p->n + end];
            out[j] += u * u;
        }
    }
#endif
}

void lr_point_squares(const lr_points *p, const int *ends, size_t n_ends,
                      size_t first, size_t count, double *out)
{
    for (size_t e = 0; e < n_ends; e++) {
        double *own = out + e * LR_NEAR_ROWS;
        size_t end = (size_t)ends[e], j = 0;
        for (; j + 8 <= count; j += 8)
            eight_squares(p, end, first + j, own + j);
        for (; j < count; j++) {
            own[j] = 0.0;
            for (size_t k = 0; k < p->q; k++) {
                double u = p->x[k * p->n + first + j] - p->x[k * p->n + end];
                own[j] += u * u;
            }
        }
    }
}

/* ---- lists --------------------------------------------------------------- */

double lr_near_distance(double square, double unit)
{
    double d = sqrt(square);
    return d <= unit ? 0.0 : d;
}

static double key_of(double square, double unit)
{
    return unit > 0.0 ? rint(lr_near_distance(square, unit) / unit) : 0.0;
}

void lr_near_open(lr_near *list, size_t capacity, double unit)
{
    list->unit = unit;
    list->capacity = capacity;
    list->count = 0;
    list->limit = capacity > 0 ? HUGE_VAL : -1.0;
}

/* A square whose key is not below the last one has no place; a little too
 * large, so that rounding of the bound itself loses nothing. */
static double limit_of(const lr_near *list)
{
    double last = list->key[list->count - 1];
    double reach = (last + 1.0) * list->unit;
    return reach * reach * (1.0 + 1e-12);
}

void lr_near_offer(lr_near *list, double square, int row)
{
    if (square > list->limit)
        return;
    double key = key_of(square, list->unit);
    if (list->count == list->capacity && key >= list->key[list->count - 1])
        return;
    size_t at = list->count < list->capacity ? list->count++
                                             : list->count - 1;
    for (; at > 0 && list->key[at - 1] > key; at--) {
        list->key[at] = list->key[at - 1];
        list->row[at] = list->row[at - 1];
    }
    list->key[at] = key;
    list->row[at] = row;
    if (list->count == list->capacity)
        list->limit = limit_of(list);
}

void lr_near_rows(lr_near *others, lr_near *group, const lr_links *links,
                  int end, const double *square, size_t first, size_t count)
{
    for (size_t j = 0; j < count; j++) {
        int row = (int)(first + j);
        if (row == end)
            continue;
        if (!links)
            lr_near_offer(others, square[j], row);
        else if (links->component[row] == links->component[end])
            lr_near_offer(group, square[j], row);
        else if (square[j] <= others->limit && !lr_cannot_link(links, end, row))
            lr_near_offer(others, square[j], row);
    }
}
