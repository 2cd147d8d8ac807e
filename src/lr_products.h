#pragma once

#include "lr.h"

/* Inner products of many features with a few vectors ("targets"), the inner
 * loop of everything that compares all features with all others.
 *
 * A pack holds a group of features side by side, [sample][lane]; a panel holds
 * four targets side by side, [sample][4]. Each product is one chain of
 * additions in sample order, so its bits depend neither on the place of its
 * feature and target nor on the instruction set nor on threads. */
enum {
    LR_TARGETS = 4,       /* targets in a panel */
    LR_FLOAT_LANES = 16,  /* features in a pack, 64 bytes of each sample */
    LR_DOUBLE_LANES = 8
};

/* Elements that `count` features of n samples take, rounded up to whole packs
 * (`lanes`: one of the two above) or panels (LR_TARGETS). */
size_t lr_pack_size(size_t count, size_t n, size_t lanes);

/* Packs of `count` columns of n doubles stored one after the other; lanes
 * beyond the last one are 0. */
void lr_pack_floats(const double *columns, size_t count, size_t n,
                    float *pack);
void lr_pack_doubles(const double *columns, size_t count, size_t n,
                     double *pack);

/* Panels of n_targets vectors of n doubles, `vector[t]` each. */
void lr_panel_floats(const double *const *vector, size_t n_targets, size_t n,
                     float *panel);
void lr_panel_doubles(const double *const *vector, size_t n_targets, size_t n,
                      double *panel);

/* out[t * ld + j] = product of feature j of the packs with target t.
 * ld   at least `count` rounded up to whole packs; n_targets rounded up to
 *      LR_TARGETS rows must be writable
 * Cost: 2 n count n_targets operations. */
void lr_products_floats(const float *pack, size_t count, size_t n,
                        const float *panel, size_t n_targets, float *out,
                        size_t ld);
void lr_products_doubles(const double *pack, size_t count, size_t n,
                         const double *panel, size_t n_targets, double *out,
                         size_t ld);

/* The same of columns of n doubles stored one after the other; pack:
 * LR_DOUBLE_LANES n doubles of scratch. */
void lr_products_columns(const double *columns, size_t count, size_t n,
                         double *pack, const double *panel, size_t n_targets,
                         double *out, size_t ld);

/* a'b in a fixed order: the same bits wherever it is called. */
double lr_dot(const double *a, const double *b, size_t n);

/* product: those of LR_DOTS columns with b, the bits of lr_dot(), in less time
 * than single calls: the sums of one need not wait for those of the others. */
enum { LR_DOTS = 4 };
void lr_dot_four(const double *const *column, const double *b, size_t n,
                 double *product);

/* a -= scale b */
void lr_subtract(double *a, double scale, const double *b, size_t n);
