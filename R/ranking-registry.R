# What is known of each ranking method, and which of them have p-values.

# The table of all ranking methods, as text, is inst/methods.csv. Label and
# direction belong to the ranking, so the table is in a layer before the
# methods, and only methods-registry.R finds a function by its name. A method is
# a row there and its function.
#
#   method     name of the function
#   label      name in printed output
#   family     "margin", "combination", "baseline", "constraint", "regression"
#              or "subset"
#   needs      what besides `x`: "nothing", "y" (classes), "numeric y",
#              "constraints", or two of them with "or" between; the first is
#              what a comparison of methods gives
#   direction  is a "higher" or a "lower" score better
#   source     the publication
#   formula    the score of a feature in one line of plain text, for tables
#   order      text about the order in the header, if it is not by score
#   dots       the method whose arguments its dots accept, or ""
#   ensemble   can ensemble_ranking() run it: "yes" or "no"
#   data       the arguments of prepare_data() that it uses, besides
#              `assay.type`, `threads` and `progress`
method_registry <- function() package_table("methods.csv")

# The row of a method, a list; NA for a ranking by another method.
registry_row <- function(method) {
    registry <- as.list(method_registry())
    lapply(registry, `[`, match(method, registry$method))
}

# The table as lines of markdown, for the page of the package.
method_lines <- function() {
    registry <- method_registry()
    sprintf("* [%s()], from %s, %s is better: %s.", registry$method,
            registry$needs, registry$direction, registry$formula)
}

# The p-values of a ranking, `p_value` and `fdr`: by permutations where they
# were asked for, else the method's own, else none.

# An error that says how to get p-values, for a ranking without any. `asked`:
# what needs them, "`alpha` needs".
check_significance <- function(ranking, asked) {
    if (!is.null(ranking[["fdr"]])) return(invisible())
    info <- attr(ranking, "info")
    abort_linkrank(asked, " p-values, but ", info$label, " has none",
                   if (offers_permutations(info))
                       paste(" without permutations: rank with `permutations",
                             "= 199`"), ".")
}

# Can the method that made this ranking permute, and has it not?
offers_permutations <- function(info) {
    identical(as.numeric(info$parameters$permutations), 0)
}

# A sentence below a table: how to get p-values, or what the method says of its
# own; NULL where there is nothing to say.
significance_note <- function(ranking, info) {
    if (!is.null(info$caveat)) return(info$caveat)
    if (is.null(ranking[["fdr"]]) && offers_permutations(info))
        "No p-values: `permutations = 199` computes them."
}
