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
    refuse_class_if(!inherits(ranking, "feature_ranking"), ranking, "`{name}`
                    must be a feature_ranking, as relieff_sc() returns")
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

#' @rdname feature_ranking
#' @exportS3Method
as.data.frame.feature_ranking <- function(x, row.names = NULL,
                                          optional = FALSE, ...,
                                          settings = FALSE) {
    info <- attr(x, "info")
    attr(x, "info") <- NULL
    class(x) <- "data.frame"
    if (settings && nrow(x))
        x$settings <- c(methods_sentence(info), rep("", nrow(x) - 1L))
    x
}

# The names of the features of `x`. Without any the features are numbered, as
# those that were ranked only if none of these was left out.
names_as_ranked <- function(x, ranked, name = "x") {
    axis <- sample_axis(x)
    refuse_if(is.null(axis$features) && axis$p != length(ranked), "`{name}` has
              {axis$p} unnamed features, but {length(ranked)} were ranked.")
    axis$features
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

# The row of a method, a list; NA for a ranking by another method.
registry_row <- function(method) {
    registry <- as.list(package_table("methods.csv"))
    lapply(registry, `[`, match(method, registry$method))
}

# The table as lines of markdown, for the page of the package.
method_lines <- function() {
    registry <- package_table("methods.csv")
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

# ==== directions ==============================================================

# Where a ranking from pairs goes up: the groups that the answers make are
# compared by their means, where all of these groups are apart.

# list(columns, missing): `columns` are highest and difference in column order,
# of the values as they are given; where some groups have no cannot-link,
# `missing` says so instead of them, if must-links make groups at all.
# NULL where there are not two groups. Nothing but the answered samples is read.
# `pairs`: from pairs_of().
answer_direction <- function(data, constraints, block, pairs) {
    kinds <- pairs$kinds
    if (is.null(constraints) || !inherits(data, "prepared_data") ||
        kinds[["cannot_link"]] == 0) {
        return(NULL)
    }
    missing <- function(...) {
        if (kinds[["must_link"]] > 0) list(missing = paste(...))
    }
    # Too few for all groups to be apart, however must-links join the samples?
    # Counts tell so for most sets of few pairs, before any group is made.
    known <- pairs$touched - if (is.null(constraints$disputes)) 0 else
        length(disputed_samples(constraints))
    least <- max(known - kinds[["must_link"]], 0)
    if (choose(least, 2) > kinds[["cannot_link"]])
        return(missing("some pairs of groups have no cannot-link"))
    groups <- closure_groups(constraints)
    if (length(groups$size) < 2L) return(NULL)
    open <- undecided_groups(constraints, groups)
    if (!is.null(open)) {
        open <- shorten(show_samples(groups$first[open], data$samples), 30L)
        return(missing("no answer says whether the groups of", open[1L], "and",
                       open[2L], "differ"))
    }
    moments <- answered_moments(data, groups, block)
    moments$mean[data$kind == "factor", ] <- NA
    above <- if (is.null(block)) {
        means <- moments$mean
        known <- rowSums(!is.na(means))
        means[known < 2, ] <- NA
        means - (rowSums(means, na.rm = TRUE) - means) / (known - 1)
    } else above_in_blocks(moments)
    highest <- max.col(replace(above, is.na(above), -Inf), "first")
    difference <- above[cbind(seq_along(highest), highest)]
    highest[is.na(difference) | difference <= 0] <- NA
    list(columns = list(highest = groups$names[highest],
                        difference = difference),
         groups = groups[c("names", "size")])
}

# Means, features x groups (and blocks); NA where there is no known value.
answered_moments <- function(data, groups, block) {
    rows <- which(!is.na(groups$code))
    part <- answered_part(data, rows)
    if (part$n < length(groups$code)) {
        groups$code <- groups$code[rows]
        block <- block[rows]
    }
    moments <- group_moments(part, groups$code, length(groups$size), block)
    moments$mean[is.nan(moments$mean)] <- NA
    moments
}

# Mean of each group minus the mean of the others, features x groups, from the
# differences within each block that holds two groups.
above_in_blocks <- function(moments) {
    all <- seq_len(moments$groups)
    above <- lapply(all, function(g) {
        shares <- block_shares(moments, g)
        rowMeans(do.call(cbind, lapply(all[-g], function(h) {
            there <- which(shares[, h] > 0)
            if (!length(there)) return(rep(NA_real_, nrow(moments$mean)))
            away <- moments$mean[, moments$cells[g, there], drop = FALSE] -
                moments$mean[, moments$cells[h, there], drop = FALSE]
            drop(away %*% shares[there, h])
        })), na.rm = TRUE)
    })
    above <- do.call(cbind, above)
    above[is.nan(above)] <- NA
    above
}
