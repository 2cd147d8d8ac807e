/* Running through the features, several side by side, with the values of only
 * those samples that are needed: what every margin shares. */
#ifndef R_WALK_H
#define R_WALK_H

#include "margin.h"
#include "r_entry.h"

/* The rows that are needed at all get a place each, in order of rows, so that
 * a feature is read forwards. */
typedef struct {
    int *place; /* per sample, -1 when not needed */
    int *rows;  /* sample of each place */
    size_t n_rows;
} row_places;

row_places places_open(size_t n);
/* Sample numbers from 1; 0 means none. */
void places_mark(row_places *places, SEXP numbers);
void places_number(row_places *places, size_t n);

/* Scratch of one thread. */
typedef struct {
    double *u;        /* places x LR_LANES */
    double *hits;     /* end points x LR_LANES */
    double *column;   /* for features with missing cells */
    double *expected; /* tables x places */
} thread_room;

/* Features of a block in work items: groups of plain ones, and single others.
 * Features without any difference are left out: their margins are 0. */
typedef struct {
    size_t *plain, *other;
    size_t n_plain, n_other;
} feature_items;

/* What is done with the gathered values of some features of a block. */
typedef struct feature_task feature_task;
struct feature_task {
    void (*plain)(feature_task *, const size_t *features, size_t count,
                  thread_room *);
    void (*other)(feature_task *, size_t feature, const double *expected,
                  const lr_rule *, thread_room *);
    const lr_scaling *scaling;
    const row_places *rows;
    feature_items items;
    run_control control;
    thread_room *rooms;
    double work; /* differences per feature */
};

/* Features of a block that go to work between two looks at the keyboard. */
void limit_chunk(feature_source *source, double work);

void prepare_task(feature_task *task, const feature_source *source,
                  const lr_scaling *scaling, const row_places *rows,
                  size_t n_ends, run_control control);

void run_features(feature_task *task, feature_source *source,
                  progress_line *line, double done, double share);

#endif
