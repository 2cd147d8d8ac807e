/* The centred, scaled data C and the products C C' or C'C, whichever is smaller
 * (components_gram_walk.c). The data have no missing cells and no category
 * features. */
#pragma once

#include "components.h"
#include "lr_products.h"
#include "read_source.h"

enum { LR_CHUNK = 256 /* features whose products are added up at a time */ };

/* LR_CHUNK features of all samples, by rows, and what their products take. */
typedef struct {
    double *rows, *pack, *panel, *out, *gram;
} gram_chunk;

typedef struct {
    const feature_data *data;
    feature_source source;
    const int *row, *start; /* of sparse data, else NULL */
    const double *x;
    size_t n, p, m;      /* m: the smaller of n and p */
    size_t part_rows, n_parts; /* the rows come in parts, which end at */
    int *part_end;       /*   these cells of sparse features: [part][p] */
    double *mean;        /* p */
    double total;        /* sum of squares of C */
    double *buffer;        /* [thread][LR_COLUMNS][n] */
    double *w;           /* p x LR_VECTORS */
    double *y;           /* n x LR_VECTORS */
    const double *from;  /* n x LR_VECTORS, with sums: */
    double sum[LR_VECTORS];
    gram_chunk *chunk;
    double *whole;       /* m x m, or NULL: products with it are C'C x */
} gram_task;

/* Reads the means. */
gram_task gram_open(const feature_data *data);

/* C C' x when there are fewer samples than features, else C'C x; x has
 * t->m x LR_VECTORS entries, and so has the result, valid until the next call.
 * Cost: 32 n p, or 32 per nonzero cell; 16 m^2 with t->whole. */
const double *gram_apply(gram_task *t, const double *x);

/* t->y = C w, for w in t->w */
void gram_scores(gram_task *t);

/* The m x m matrix itself, allocated. Cost: n^2 p, or n p^2. */
double *gram_whole(gram_task *t);

/* ---- principal components: components_walk.c ----------------------------- */

typedef struct {
    size_t count;        /* components wanted */
    double tolerance;
    size_t exact;        /* smaller side up to which all are computed */
    size_t formed;       /* features up to which Lanczos has C'C formed */
    int cuts;            /* how often Lanczos starts anew at most */
    const double *start; /* n_start vectors near the wanted ones */
    size_t n_start;
} component_options;

typedef struct {
    size_t count;          /* components found, above 1e-10 of the first one */
    const double *vectors; /* m x count: of samples, or of features where these
                              are fewer */
    const double *values;  /* sums of squares of the scores */
    double excess;         /* largest residual, in units of what is allowed */
} components;

components find_components(gram_task *gram, const component_options *options);

/* Of the samples, n x count; the largest of each component is positive. */
void component_scores(gram_task *gram, const components *found, double *scores);
