/* The walk through the features: block by block as they are read, each block
 * divided among threads, and between blocks a check for interrupts. */
#pragma once

#include "read_gather.h"
#include "read_scan.h"
#include "read_source.h"

/* ---- columns as they are stored ------------------------------------------ */

typedef struct {
    const feature_data *data;
    const char *task; /* of the progress line; NULL: none */
    const int *place; /* per feature, negative: not wanted; NULL: all are */
    double work;      /* operations per feature */
    /* Feature j of the block, by one thread. */
    void (*use)(void *context, const lr_block *block, size_t j);
    void *context;
    int alone;     /* by one thread */
    int as_stored; /* the columns of a dgCMatrix are not expanded: its blocks
                      have no values, but what is `stored` */
} column_walk;

void walk_columns(const column_walk *walk);

/* For `place`: where each of p features stands among `count` different ones
 * (numbered from 1), -1 = nowhere. */
int *feature_places(size_t p, const int *features, size_t count);

/* Features that are read by their number; none has missing cells. */
typedef struct {
    const feature_data *data;
    const int *features; /* `count`, numbers from 1 */
    size_t count;
} some_features;

/* ---- cells scaled and gathered ------------------------------------------- */

/* The rows that are needed at all get a place each, in order of rows, so that
 * a feature is read forwards. */
typedef struct {
    int *place; /* per sample, -1 when not needed */
    int *rows;  /* sample of each place */
    size_t n_rows;
} row_places;

/* Those of two lists of numbers from 1; 0 means none. */
row_places needed_places(size_t n, const int *first, size_t n_first,
                         const int *second, size_t n_second);
/* Every sample has a place, its own number. */
row_places all_places(size_t n);

/* Sample numbers from 1 up to the first 0, counted from 0 in `out`; returns how
 * many of the `most` there are. */
size_t read_numbers(const int *numbers, size_t most, int *out);

/* What a kernel gets: up to LR_LANES plain features side by side, or a single
 * one that is a category or has missing cells, or levels of a category. */
typedef enum { SIDE_BY_SIDE, ONE_OTHER, CATEGORY_LEVELS } gathered_kind;

typedef struct {
    gathered_kind kind;
    /* numbers; only the first of ONE_OTHER and CATEGORY_LEVELS */
    const size_t *feature;
    size_t count;           /* features, or levels, in use */
    lr_values values;       /* with a rule of ONE_OTHER */
    void *sums;             /* of these features, to be continued */
    double *scratch;        /* of the thread */
} gathered;

typedef struct {
    const feature_data *data;
    const row_places *rows;
    int as_levels;  /* categories as levels, all features in order; no cell may
                       be missing then */
    double work;    /* operations per feature */
    int alone;      /* by one thread */
    size_t walks;   /* number of walks, to decide on threads */
    size_t scratch; /* doubles that a kernel needs */
    void *sums;     /* of all features, `size` bytes each; NULL: none */
    size_t size;
    void (*use)(void *context, const gathered *features);
    void *context;
    feature_source source;      /* both made by plan_features() */
    struct walk_buffer *buffer;
} feature_walk;

/* Opens the data, decides how many features are in work at a time and allocates
 * the scratch, when all other fields are set. */
void plan_features(feature_walk *walk);

/* All features, but for constant ones: they have no differences. `done`,
 * `share`: of the whole work, for the progress line. */
void walk_features(feature_walk *walk, progress_line *line, double done,
                   double share);

/* Both, for a single walk. */
void run_features(feature_walk *walk, const char *task);

/* ---- what is read of all features: read_features_walk.c ------------------ */

/* An entry a feature each. */
typedef struct {
    double *minimum, *maximum; /* of the observed cells */
    int *missing, *bad;
    int *several;              /* more than two different values? */
} feature_ranges;

void scan_features(const feature_data *data, lr_is_missing is_missing,
                   feature_ranges out);

/* Means and standard deviations of the observed cells. */
void feature_moments(const feature_data *data, double *mean, double *deviation);

/* lr_is_varied() of `count` samples (numbers from 1), per feature. */
void find_varied(const feature_data *data, const int *samples, size_t count,
                 double least, int *varied);

/* `count` features (numbers from 1; NULL: all), scaled or as they are:
 * n x count. */
void copy_features(const feature_data *data, const int *features, size_t count,
                   int scaled, double *out);

/* Scaled values of `count` samples (numbers from 1): count x p. */
void scale_samples(const feature_data *data, const int *samples, size_t count,
                   double *out);
