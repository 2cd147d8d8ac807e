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
    formula <- gsub("|", "\\|", registry$formula, fixed = TRUE)
    c("| function | from | score of a feature | better |",
      "| --- | --- | --- | --- |",
      sprintf("| [%s()] | %s | %s | %s |", registry$method, registry$needs,
              formula, registry$direction))
}
