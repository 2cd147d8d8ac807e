#ifndef LR_NEAR_H
#define LR_NEAR_H

#include "hits.h"
#include "lr.h"

/* Nearest samples by the Euclidean distance d of given coordinates, one double
 * addition per coordinate in order. "Nearest" orders by round(d / unit), then
 * by row: coordinates come from an eigenproblem, and their last digits, which
 * depend on the method that solved it, must not decide. d <= unit is 0. */
typedef struct {
    size_t n, q;
    const double *x; /* n x q by columns */
} lr_points;

enum {
    LR_NEAR_ENDS = 8,   /* points that are searched from at a time */
    LR_NEAR_ROWS = 256, /* points they are compared with at a time */
    LR_NEAR_MOST = 32   /* the longest list */
};

/* Squared distances of n_ends points to the points first .. first + count - 1,
 * at out[e * LR_NEAR_ROWS + j]; count at most LR_NEAR_ROWS.
 * Cost: 3 q n_ends count. */
void lr_point_squares(const lr_points *points, const int *ends, size_t n_ends,
                      size_t first, size_t count, double *out);

/* A list of the nearest, kept in order. */
typedef struct {
    double unit; /* 0: all points are the same one */
    size_t capacity, count;
    double limit; /* squares beyond this need not be offered */
    double key[LR_NEAR_MOST];
    int row[LR_NEAR_MOST];
} lr_near;

void lr_near_open(lr_near *list, size_t capacity, double unit);

/* Rows are offered in ascending order: of equal keys the lower row stays. */
void lr_near_offer(lr_near *list, double square, int row);

/* The distance that an entry stands for: 0 up to unit. */
double lr_near_distance(double square, double unit);

/* Offers the points first .. first + count - 1 with their squares to the list
 * of point `end`, itself left out; with `links` to one of two lists, of which
 * `group` takes the members of its component and `others` the rest, without
 * those of components apart. */
void lr_near_rows(lr_near *others, lr_near *group, const lr_links *links,
                  int end, const double *square, size_t first, size_t count);

#endif
