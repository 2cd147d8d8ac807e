# The class of rankings: how one is made, its columns, and the table of methods
# in it.

# ==== rankings ================================================================

# The ranking: a data.frame, best feature first, with columns rank, feature,
# score and the method's own. Its attribute `info` holds the settings:
#
#   method, label, direction     row of the registry ("relieff_sc",
#                                "ReliefF-Sc", "higher")
#   key                          the column that orders it
#   parameters                   named list of the arguments
#   samples, features            counts
#   names                        feature names in column order
#   cannot_links, must_links     counts of constraints, or NULL
#   note                         further text of the header line, or NULL
#   no_direction                 why there is no column `highest`, or NULL
#   order                        text about the order in the header, or ""
#   constraints                  how they came about, for a methods section
#   class                        a class before feature_ranking, or NULL
#   ...                          further results of a method, such as the
#                                course of its iterations

# `table`: the method's columns, a list or data.frame, features in column order.
# `key`: the column that orders the ranking, and optionally a column that orders
# its ties, largest first; otherwise ties keep column order. NA is last.
# `where`: the neighbour_space, whose label is shown, or NULL. `block`: code per
# sample, or NULL. `...`: more fields of `info`: `label`, `direction`, `order`
# when they differ from the method's row; `class`, for methods such as plot();
# results besides the table.
new_feature_ranking <- function(table, data, method, key, parameters,
                                constraints = NULL, note = NULL, where = NULL,
                                block = where$block,
                                pairs = if (!is.null(constraints))
                                    pairs_of(constraints, block), ...) {
    row <- registry_row(method)[c("label", "direction", "order")]
    own <- list(...)
    own <- own[!vapply(own, is.null, NA)]
    others <- names(own) %in% names(row)
    row[names(own)[others]] <- own[others]
    if (is.na(row$order)) row$order <- ""
    parameters$assay.type <- data$settings$assay.type
    if (!is.null(where$label) && length(dim(parameters$space)))
        parameters$space <- where$label
    note <- c(note, if (!is.null(where$label))
        paste("neighbours in", where$label), if (!is.null(block))
            paste("within", count_noun(max(data$block_of, 0L, na.rm = TRUE),
                                       "block")))
    direction <- answer_direction(data, constraints, block, pairs)
    table <- c(table, direction$columns)
    # a stable sort by the key, NA last; ties by the second key
    ties <- lapply(unname(table[key[-1L]]), `-`)
    key <- key[1L]
    better <- if (row$direction == "higher") -table[[key]] else table[[key]]
    place <- do.call(order, c(list(better), ties))
    # data.frame() and list2DF() check the columns, which takes longer than
    # ranking a small table
    ranking <- c(list(rank = seq_along(place), feature = data$features[place]),
                 lapply(table, function(column) column[place]))
    attr(ranking, "row.names") <- .set_row_names(length(place))
    stopifnot(is.numeric(ranking$score), key %in% names(ranking))
    info <- list(method = method, label = row$label,
                 direction = row$direction, key = key,
                 parameters = parameters, samples = data$n,
                 features = data$p, names = data$features,
                 cannot_links = pairs$count,
                 must_links = pairs$kinds[["must_link"]], note = note,
                 order = row$order, no_direction = direction$missing,
                 made_by = this_version(),
                 constraints = if (any(pairs$touched > 0)) constraint_methods(
                     constraints, pairs$kinds, pairs$touched, direction$groups))
    restore_ranking(ranking, c(info, own[!others]))
}

restore_ranking <- function(table, info) {
    attr(table, "info") <- info
    class(table) <- c(info$class, "feature_ranking", "data.frame")
    table
}

# What `[`, an assignment or a verb of dplyr made of `ranking`: a ranking while
# its rows are in order of rank, with the ranks, scores and keys of the method;
# else a plain data.frame.
still_ranking <- function(table, ranking) {
    info <- attr(ranking, "info")
    attr(table, "info") <- NULL
    class(table) <- "data.frame"
    required <- unique(c("rank", "feature", "score", info$key))
    if (!all(required %in% names(table)) || !in_rank_order(table)) return(table)
    at <- match(table$feature, ranking$feature)
    same <- vapply(required, function(name) {
        identical(table[[name]], .subset2(ranking, name)[at])
    }, NA)
    if (all(same)) restore_ranking(table, info) else table
}

in_rank_order <- function(table) {
    !anyNA(table$rank) && !is.unsorted(table$rank, strictly = TRUE)
}

# The rows of a ranking's table in another order, with new ranks.
reorder_ranking <- function(table, place, info) {
    table$rank <- NULL
    restore_ranking(data.frame(rank = seq_along(place),
                               table[place, , drop = FALSE],
                               row.names = NULL, check.names = FALSE), info)
}

# Description of `ranking`, for the message when it is missing.
ranking_words <- "a ranking, from relieff_sc() or another method"

check_ranking <- function(ranking, name = "ranking") {
    check_given(ranking, ranking_words)
    refuse_former_ranking(ranking, name)
    refuse_class_if(!inherits(ranking, "feature_ranking"), ranking,
                    "`", name, "` must be a feature_ranking, as ",
                    "relieff_sc() and the other methods return")
    check_undamaged(ranking_problem(ranking), name, "its method")
    ranking
}

# A ranking that base R or dplyr has sorted, bound or edited.
is_former_ranking <- function(x) {
    is.data.frame(x) && !inherits(x, "feature_ranking") &&
        all(c("rank", "feature", "score") %in% names(x))
}

refuse_former_ranking <- function(x, name) {
    refuse_if(is_former_ranking(x), "`", name, "` must be a feature_ranking, ",
              "not a data.frame, which sorting, binding or editing makes of ",
              "it: give the ranking itself, or as_feature_ranking(scores).")
}

ranking_problem <- function(ranking) {
    info <- attr(ranking, "info")
    if (!is.data.frame(ranking) || !is.list(info) ||
        !all(c("rank", "feature", "score", info$key) %in% names(ranking))) {
        return("it lacks columns or the settings of the method")
    }
    if (is.null(info$made_by)) return(version_problem(info$made_by))
    if (!all(vapply(unclass(ranking), NROW, 0L) == nrow(ranking)))
        return("its columns differ in length")
    if (!all(ranking$feature %in% info$names))
        return("it contains a feature that was not ranked")
    if (!is.numeric(ranking$score) || !is.numeric(ranking$rank))
        return("its scores or ranks are not numbers")
    if (!in_rank_order(ranking) || anyDuplicated(ranking$feature))
        "its rows are not in order of rank, each feature once"
}

# ==== methods =================================================================

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

# ==== p-values ================================================================

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
