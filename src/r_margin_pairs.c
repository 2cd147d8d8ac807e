#include "margin_walk.h"
#include "r_entry.h"

/* list(first, second) of end point numbers, or list(label) of end points; and
 * their number, and weights or none. */
static cannot_links read_pairs(SEXP pairs, size_t n_ends)
{
    SEXP label = list_element(pairs, "label");
    SEXP weight = list_element_or_null(pairs, "weight");
    cannot_links l = {.label = int_or_null(label, ANY_COUNT),
                      .count = list_size(pairs, "count"),
                      .weight = weight ? real_or_null(weight, ANY_COUNT)
                                       : NULL};
    if (!l.label) {
        l.first = zero_based(list_element(pairs, "first"), n_ends);
        l.second = zero_based(list_element(pairs, "second"), n_ends);
        l.count = (size_t)Rf_xlength(list_element(pairs, "first"));
    }
    return l;
}

/* What nearest() of R/search.R found, and what of it becomes a hit: list(ends,
 * row, others, k). */
static end_neighbours read_neighbours(SEXP lists, size_t n)
{
    SEXP row = list_element(lists, "row"), ends = list_element(lists, "ends");
    size_t others = list_size(lists, "others"), rows = (size_t)Rf_nrows(row);
    size_t count = (size_t)Rf_xlength(ends);
    check_fit(others <= rows);
    return (end_neighbours){places_of(ends, count, 1, n + 1),
                            places_of(row, rows * count, 0, n + 1), count,
                            others, rows - others, list_size(lists, "k")};
}

/* pairs: list(first, second, label, weight, count); lists: list(ends, row,
 * others, k) */
SEXP r_constrained_margins(SEXP data, SEXP scaling, SEXP pairs, SEXP lists,
                           SEXP both, SEXP control)
{
    const char *names[] = {"margin", "deviation", "square", "size", "pairs",
                           ""};
    feature_data *d = read_data(data, scaling, control); /* protects one */
    end_neighbours near = read_neighbours(lists, d->n);
    cannot_links p = read_pairs(pairs, near.n_ends);
    p.both = Rf_asLogical(both);
    lr_margin_sum *sums =
        (lr_margin_sum *)zero_structs(d->p, sizeof(lr_margin_sum));
    double done = sum_pair_margins(d, &p, &near, sums);
    SEXP out = PROTECT(Rf_mkNamed(VECSXP, names));
    set_members(out, sums, d->p, 4, sizeof *sums / sizeof(double));
    SET_VECTOR_ELT(out, 4, Rf_ScalarReal(done));
    UNPROTECT(2);
    return out;
}
