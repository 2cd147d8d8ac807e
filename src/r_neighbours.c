#include "hits.h"
#include "r_search.h"

/* Nearest samples of some end points, sorted into two lists each. */
typedef struct {
    const lr_links *links;
    lr_nearest *others, *group; /* of the pass's end points */
} two_lists;

lr_nearest *allocate_lists(size_t count, size_t capacity)
{
    lr_nearest *lists = (lr_nearest *)R_alloc(count, sizeof(lr_nearest));
    double *distance = (double *)R_alloc(count * capacity + 1, sizeof(double));
    int *row = (int *)R_alloc(count * capacity + 1, sizeof(int));
    for (size_t e = 0; e < count; e++) {
        lists[e].distance = distance + e * capacity;
        lists[e].row = row + e * capacity;
        lists[e].capacity = capacity;
        lists[e].count = 0;
    }
    return lists;
}

static void offer_rows(panel_search *s, size_t first_row, size_t rows)
{
    two_lists *lists = (two_lists *)s->user;
    for (size_t e = 0; e < s->n_ends; e++)
        lr_offer_rows(s->ends[e], s->panel + e * s->ld, first_row, rows,
                      lists->links, lists->others + e, lists->group + e);
}

/* Row numbers from 1, one column per end point, 0 where there are no more. */
static void write_lists(lr_nearest *lists, size_t count, int *p_out)
{
    for (size_t e = 0; e < count; e++) {
        lr_nearest *l = lists + e;
        lr_nearest_sort(l);
        for (size_t j = 0; j < l->capacity; j++)
            *p_out++ = j < l->count ? l->row[j] + 1 : 0;
    }
}

/* list(others, group): the nearest samples of each end point, k rows each, as
 * lr_offer_rows() sorts them into the two. `k`: room in the two lists. */
SEXP r_neighbour_lists(SEXP data, SEXP scaling, SEXP ends, SEXP k, SEXP links,
                       SEXP metric, SEXP control)
{
    panel_search s;
    two_lists lists;
    lr_links storage;
    lists.links = read_links(links, &storage);
    search_open(&s, data, scaling, (lr_metric)Rf_asInteger(metric), 0,
                control); /* protects one */
    size_t n_ends = (size_t)Rf_xlength(ends);
    size_t per_pass = search_allocate(&s, n_ends, 0);
    s.finished = offer_rows;
    s.user = &lists;

    const char *names[] = {"others", "group", ""};
    int k_others = INTEGER(k)[0], k_group = lists.links ? INTEGER(k)[1] : 0;
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(out, 0, Rf_allocMatrix(INTSXP, k_others, (int)n_ends));
    SET_VECTOR_ELT(out, 1, Rf_allocMatrix(INTSXP, k_group, (int)n_ends));
    const int *rows = zero_based(ends);
    lists.others = allocate_lists(per_pass, (size_t)k_others);
    lists.group = allocate_lists(per_pass, (size_t)k_group);

    progress_line line = progress_begin("Neighbours", "samples", (double)n_ends,
                                        s.control.progress);
    for (size_t e = 0; e < n_ends; e += per_pass) {
        s.ends = rows + e;
        s.n_ends = n_ends - e < per_pass ? n_ends - e : per_pass;
        for (size_t i = 0; i < s.n_ends; i++)
            lists.others[i].count = lists.group[i].count = 0;
        search_pass(&s, 0, &line, (double)e, (double)s.n_ends);
        write_lists(lists.others, s.n_ends,
                    INTEGER(VECTOR_ELT(out, 0)) + e * (size_t)k_others);
        write_lists(lists.group, s.n_ends,
                    INTEGER(VECTOR_ELT(out, 1)) + e * (size_t)k_group);
    }
    progress_end(&line);
    UNPROTECT(2);
    return out;
}
