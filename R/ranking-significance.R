# The p-values of a ranking: by permutations where they were asked for, else the
# method's own, else none.

# list(p_value, adjusted), names of columns, or NULL.
significance_columns <- function(ranking) {
    if (!is.null(ranking$adj_permutation_p_value)) {
        list(p_value = "permutation_p_value",
             adjusted = "adj_permutation_p_value")
    } else if (!is.null(ranking$adj_p_value)) {
        list(p_value = "p_value", adjusted = "adj_p_value")
    }
}

adjusted_p_values <- function(ranking) {
    column <- significance_columns(ranking)$adjusted
    if (!is.null(column)) ranking[[column]]
}

# An error that says how to get p-values, for a ranking without any. `asked`:
# what needs them, "`alpha` needs".
check_significance <- function(ranking, asked) {
    if (!is.null(significance_columns(ranking))) return(invisible())
    info <- attr(ranking, "info")
    abort_linkrank(asked, " p-values, but ", info$label, " has none",
                   if (offers_permutations(info))
                       paste(" without permutations: rank with `permutations",
                             "= 199`"),
                   ".")
}

# Can the method that made this ranking permute, and has it not?
offers_permutations <- function(info) {
    identical(as.numeric(info$parameters$permutations), 0)
}

# A sentence below a table: how to get p-values, or what the method says of its
# own; NULL where there is nothing to say.
significance_note <- function(ranking, info) {
    if (!is.null(info$caveat)) return(info$caveat)
    if (is.null(significance_columns(ranking)) && offers_permutations(info)) {
        "No p-values: `permutations = 199` computes them."
    }
}
