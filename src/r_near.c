/* Nearest samples in given coordinates (near.h), a few at a time. */
#include <math.h>
#include <string.h>

#include "near.h"
#include "r_entry.h"
#include "lr_threads.h"

/* What is searched: some points against all, or against those of each label,
 * which then lie one after the other. */
typedef struct near_search {
    lr_points points;
    const int *ends;  /* points to search from */
    size_t n_ends, k;
    double unit;
    const lr_links *links;
    const int *label_start; /* n_labels + 1 */
    size_t n_labels;
    int *others, *group;    /* [end][k]: rows from 1, 0 for none */
    double *distance;       /* [end][k] of others, or NULL */
    double *largest;        /* [part] */
    run_control control;
    void (*search)(struct near_search *, size_t first, size_t n_ends);
    size_t part;            /* of this portion */
} near_search;

static lr_points read_points(SEXP coordinates)
{
    lr_points p = {(size_t)Rf_nrows(coordinates),
                   (size_t)Rf_ncols(coordinates), REAL(coordinates)};
    return p;
}

static int *all_points(size_t n)
{
    int *ends = (int *)R_alloc(n, sizeof(int));
    for (size_t i = 0; i < n; i++)
        ends[i] = (int)i;
    return ends;
}

static void write_rows(const lr_near *list, size_t k, int *out)
{
    for (size_t i = 0; i < k; i++)
        out[i] = i < list->count ? list->row[i] + 1 : 0;
}

/* The points first .. last - 1 against some ends. */
static void scan_rows(const near_search *s, const int *ends, size_t n_ends,
                      size_t first, size_t last, lr_near *others,
                      lr_near *group)
{
    double squares[LR_NEAR_ENDS * LR_NEAR_ROWS];
    for (size_t row = first; row < last; row += LR_NEAR_ROWS) {
        size_t count = last - row < LR_NEAR_ROWS ? last - row : LR_NEAR_ROWS;
        lr_point_squares(&s->points, ends, n_ends, row, count, squares);
        for (size_t e = 0; e < n_ends; e++)
            lr_near_rows(others + e, group + e, s->links, ends[e],
                         squares + e * LR_NEAR_ROWS, row, count);
    }
}

/* The k nearest of all by rounded distances. */
static void search_part(near_search *s, size_t first, size_t n_ends)
{
    lr_near others[LR_NEAR_ENDS], group[LR_NEAR_ENDS];
    const int *ends = s->ends + first;
    for (size_t e = 0; e < n_ends; e++) {
        lr_near_open(others + e, s->k, s->unit);
        lr_near_open(group + e, s->links ? s->k : 0, s->unit);
    }
    scan_rows(s, ends, n_ends, 0, s->points.n, others, group);
    for (size_t e = 0; e < n_ends; e++) {
        write_rows(others + e, s->k, s->others + (first + e) * s->k);
        if (s->links)
            write_rows(group + e, s->k, s->group + (first + e) * s->k);
    }
}

/* The k nearest of each label; a point is never its own neighbour. */
static void search_labels(near_search *s, size_t first, size_t n_ends)
{
    lr_near others[LR_NEAR_ENDS], group[LR_NEAR_ENDS];
    for (size_t label = 0; label < s->n_labels; label++) {
        for (size_t e = 0; e < n_ends; e++) {
            lr_near_open(others + e, s->k, s->unit);
            lr_near_open(group + e, 0, s->unit);
        }
        scan_rows(s, s->ends + first, n_ends,
                  (size_t)s->label_start[label],
                  (size_t)s->label_start[label + 1], others, group);
        for (size_t e = 0; e < n_ends; e++)
            write_rows(others + e, s->k,
                       s->others + ((first + e) * s->n_labels + label) * s->k);
    }
}

static void search_item(void *context, size_t item, int thread)
{
    near_search *s = (near_search *)context;
    size_t first = (s->part + item) * LR_NEAR_ENDS;
    s->search(s, first, s->n_ends - first < LR_NEAR_ENDS ? s->n_ends - first
                                                         : LR_NEAR_ENDS);
    (void)thread;
}

static void share_search(near_search *s, const char *task)
{
    enum { STEP = 64 }; /* parts between two looks at the user */
    size_t parts = (s->n_ends + LR_NEAR_ENDS - 1) / LR_NEAR_ENDS;
    int team = team_size(&s->control, 1.5 * (double)s->points.n
                                          * (double)s->points.q
                                          * (double)s->n_ends);
    progress_line line = progress_begin(task, "samples", (double)s->n_ends,
                                        s->control.progress);
    for (s->part = 0; s->part < parts; s->part += STEP) {
        size_t left = parts - s->part;
        lr_run_items(team, left < STEP ? left : STEP, search_item, s);
        progress_tick(&line, fmin((double)(s->part + STEP) * LR_NEAR_ENDS,
                                  (double)s->n_ends));
    }
    progress_end(&line);
}

/* Searches from `ends` (numbers from 1), NULL: from all points. */
static near_search open_search(SEXP coordinates, SEXP ends, SEXP k, SEXP unit,
                               SEXP control)
{
    near_search s;
    memset(&s, 0, sizeof s);
    s.control = read_control(control);
    s.points = read_points(coordinates);
    s.n_ends = Rf_isNull(ends) ? s.points.n : (size_t)Rf_xlength(ends);
    s.ends = Rf_isNull(ends) ? all_points(s.n_ends) : zero_based(ends);
    s.k = Rf_isNull(k) ? 0 : (size_t)Rf_asInteger(k);
    s.unit = Rf_isNull(unit) ? 0.0 : Rf_asReal(unit);
    return s;
}

/* ---- all points ---------------------------------------------------------- */

static void widen(near_search *s, size_t first, size_t n_ends)
{
    double squares[LR_NEAR_ENDS * LR_NEAR_ROWS], most = 0.0;
    size_t n = s->points.n;
    for (size_t row = first; row < n; row += LR_NEAR_ROWS) {
        size_t count = n - row < LR_NEAR_ROWS ? n - row : LR_NEAR_ROWS;
        lr_point_squares(&s->points, s->ends + first, n_ends, row, count,
                         squares);
        for (size_t e = 0; e < n_ends; e++)
            for (size_t j = 0; j < count; j++)
                if (squares[e * LR_NEAR_ROWS + j] > most)
                    most = squares[e * LR_NEAR_ROWS + j];
    }
    s->largest[first / LR_NEAR_ENDS] = most;
}

/* 1e-9 of the largest distance of two points. */
SEXP r_distance_unit(SEXP coordinates, SEXP control)
{
    near_search s = open_search(coordinates, R_NilValue, R_NilValue,
                                R_NilValue, control);
    size_t parts = (s.n_ends + LR_NEAR_ENDS - 1) / LR_NEAR_ENDS;
    s.largest = (double *)R_alloc(parts, sizeof(double));
    s.search = widen;
    share_search(&s, "Distances");
    double most = 0.0;
    for (size_t i = 0; i < parts; i++)
        most = fmax(most, s.largest[i]);
    return Rf_ScalarReal(1e-9 * sqrt(most));
}

static void search_with_distances(near_search *s, size_t first, size_t n_ends)
{
    search_part(s, first, n_ends);
    for (size_t e = first; e < first + n_ends; e++)
        for (size_t i = 0; i < s->k; i++) {
            int row = s->others[e * s->k + i] - 1;
            double square = 0.0;
            if (row >= 0)
                lr_point_squares(&s->points, s->ends + e, 1, (size_t)row, 1,
                                 &square);
            s->distance[e * s->k + i] = lr_near_distance(square, s->unit);
        }
}

/* list(row, distance): the k nearest of every point, k x n. */
SEXP r_nearest_points(SEXP coordinates, SEXP k, SEXP unit, SEXP control)
{
    const char *names[] = {"row", "distance", ""};
    near_search s = open_search(coordinates, R_NilValue, k, unit, control);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_allocMatrix(INTSXP, (int)s.k, (int)s.n_ends));
    SET_VECTOR_ELT(out, 1, Rf_allocMatrix(REALSXP, (int)s.k, (int)s.n_ends));
    s.others = INTEGER(VECTOR_ELT(out, 0));
    s.distance = REAL(VECTOR_ELT(out, 1));
    s.search = search_with_distances;
    share_search(&s, "Neighbours");
    UNPROTECT(1);
    return out;
}

/* ---- under links, and by label ------------------------------------------- */

/* list(others, group), k x ends, as r_neighbour_lists() gives them: rows from
 * 1, 0 for none; others without those apart from the end point. */
SEXP r_nearest_linked(SEXP coordinates, SEXP ends, SEXP k, SEXP links,
                      SEXP unit, SEXP control)
{
    const char *names[] = {"others", "group", ""};
    lr_links storage;
    near_search s = open_search(coordinates, ends, k, unit, control);
    s.links = read_links(links, &storage);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int i = 0; i < 2; i++)
        SET_VECTOR_ELT(out, i,
                       Rf_allocMatrix(INTSXP, (int)s.k, (int)s.n_ends));
    s.others = INTEGER(VECTOR_ELT(out, 0));
    s.group = INTEGER(VECTOR_ELT(out, 1));
    s.search = search_part;
    share_search(&s, "Neighbours");
    UNPROTECT(1);
    return out;
}

/* The k nearest points of each label: k x labels x points, numbers of points
 * from 1. The points of label l are start[l] .. start[l + 1] - 1, from 0. */
SEXP r_nearest_labelled(SEXP coordinates, SEXP start, SEXP k, SEXP unit,
                        SEXP control)
{
    near_search s = open_search(coordinates, R_NilValue, k, unit, control);
    s.label_start = INTEGER(start);
    s.n_labels = (size_t)Rf_xlength(start) - 1;
    SEXP out = PROTECT(Rf_allocVector(
        INTSXP, (R_xlen_t)(s.k * s.n_labels * s.points.n)));
    s.others = INTEGER(out);
    s.search = search_labels;
    share_search(&s, "Neighbours");
    UNPROTECT(1);
    return out;
}
