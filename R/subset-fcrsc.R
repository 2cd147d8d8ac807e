# FCRSC: one feature per cluster of redundant features, by constrained margin.

#' Feature clustering and ReliefF-Sc (FCRSC)
#'
#' FCRSC clusters features with the same information and selects from each
#' cluster the one with the largest margin. Use it when each selected gene
#' should represent a group of genes.
#'
#' @inheritParams relieff_sc
#' @inheritParams feature_graph
#' @param constraints Constraints with at least one cannot-link: see
#'   [relieff_sc()].
#' @param k Number of neighbours of the margin: see [relieff_sc()].
#' @param graph,lambda How the graph among the features is made: `"simplex"`,
#'   `"nnlasso"` with its penalty `lambda`, or `"correlation"` with 10
#'   neighbours; or a [feature_graph()] of the same features.
#' @param tree A tree of the same features from [cluster_features()], instead of
#'   `graph`.
#' @param cut `"auto"` or the number of clusters; see [cut_features()].
#' @param h A height to cut the tree at, instead of `cut`.
#' @param n How many of the best features by margin to cluster, from 2; the
#'   others are never selected. Not with a given `graph` or `tree`.
#' @param BPPARAM Compute graph and margins in parallel on [workers].
#' @param ... Arguments of [relieff_sc()]: `direction`, `must_link`, `rank_by`,
#'   `permutations`, and `own_term`, here `"keep"` by default; and of
#'   [prepare_data()], by name: `scale` (the graph always scales by the range),
#'   `space`, `distance`, `block`, `unit`, `na.action`, `by`, `assay.type`,
#'   `threads`, `progress`.
#'
#' @return A [`feature_ranking`][feature_ranking()] of all features, the
#'   selected ones first, both parts by decreasing margin, with columns
#' * `score`, `margin`: as in [relieff_sc()];
#' * `selected`: whether the feature represents its cluster;
#' * `cluster`: number of its cluster, in column order, `NA` beyond `n`;
#'   `cluster_size`: features in it;
#' * `statistic` and, with `permutations`, `p_value`, `fdr` and
#'   `family_p_value`: as in [relieff_sc()].
#'
#' `summary()` holds the `tree`, and the number of `merges` below the cut.
#'
#' @details Three steps (Algorithm 3.5): [feature_graph()], [cluster_features()]
#'   with [cut_features()], and from each cluster the feature of largest margin
#'   or, with `rank_by = "statistic"`, statistic. Equal margins: the lower
#'   column. A constant feature is never selected. `na.action` applies to the
#'   graph.
#'
#' *Cost.* That of [feature_graph()] and [relieff_sc()].
#'
#' @section The published form: FCRSC is Algorithm 3.5 of Hijazi (2019); section
#'   3.4.2 uses 10 neighbours (60 on Spambase):
#'
#' ```
#' fcrsc(x, constraints, k = 10, graph = "simplex", cut = "auto",
#'       direction = "first", must_link = "ignore", scale = "range")
#' ```
#'
#' Our defaults: three neighbours, both directions, and must-links.
#'
#' @section Errors: As [feature_graph()] and [relieff_sc()];
#'   `linkrank_error_argument` when `graph` or `tree` has other features than
#'   `x`.
#'
#' @references Hijazi, S. (2019). PhD thesis, NNT 2019DUNK0546. Section 3.3.
#'
#' @section Features in an order: Wavelengths form a chain: one cluster of many
#'   features and many of one, so that the selected features are copies. Use
#'   [diversify_ranking()] there, as a message `linkrank_message_clusters` says.
#'
#' @seealso [plot.fcrsc_ranking()], [diversify_ranking()]
#' @examples
#' set.seed(1)
#' x <- log2(colon$x[, 1:300])
#' links <- constraints_from_labels(colon$tissue, cannot_link = 10,
#'                                  must_link = 0)
#' compact <- fcrsc(x, links)
#' compact
#' # what the first feature stands for
#' compact$feature[compact$cluster %in% compact$cluster[1]]
#' @export
fcrsc <- function(
    x, constraints, ..., k = 3, graph = c("simplex", "nnlasso", "correlation"),
    lambda = 0.1, tree = NULL, cut = "auto", h = NULL, n = Inf,
    BPPARAM = NULL) {
    defaults <- lapply(formals(relieff_sc)[margin_arguments], eval, baseenv())
    defaults$own_term <- "keep"
    given <- list(...)[intersect(...names(), margin_arguments)]
    options <- checked(values = c(list(k = k), replace(defaults, names(given),
                                                       given)))
    cut <- check_cut(cut, h)
    graph <- read_feature_graph(graph, lambda)
    if (inherits(graph, "feature_graph")) refuse_beside("lambda", "graph") else
        refuse_unused("graph", graph$method, list(nnlasso = "lambda"))
    # `open`: must the tree be computed?
    open <- is.null(tree) && !inherits(graph, "feature_graph")
    refuse_if(!open && !identical(n, Inf), "`n` must be left out when `graph` or
              `tree` is given, which have the features.")
    n <- check_count_or_all(n, "n", 2)
    workers <- check_workers(BPPARAM)
    input <- constrained_data(x, constraints, ..., other = margin_arguments,
                              uses = c(neighbour_arguments, "unit",
                                       "na.action"))
    data <- input$data
    control <- c(data$control, list(workers = workers))
    # arguments are checked before anything is computed
    if (is.null(tree) && inherits(graph, "feature_graph"))
        tree <- cluster_features(graph)
    if (!is.null(tree)) check_tree_features(check_tree(tree), data$features)
    input <- scale_for_margins(input, options$own_term)
    table <- margin_table(input, options, control)
    options <- c(options, input$settings)
    # the columns to cluster: the best ones, of ties the lower
    within <- sort(utils::head(order(-table[[options$rank_by]]),
                               min(n, data$p)))
    tree <- tree %||% tree_of_features(data, within, graph, control)
    parameters <- c(options, graph = graph$method, lambda = graph$lambda,
                    list(cut = cut %||% "auto", h = h,
                         n = n, na.action = missing_rule(data)))
    new_fcrsc_ranking(table, input, list(
        tree = tree, merges = count_merges(tree, cut, h, "cut"), within = within
    ), parameters)
}

# `within`: the columns to cluster.
tree_of_features <- function(data, within, graph, control) {
    if (length(within) < data$p) {
        # the warning about unlogged values was given when all were read
        data <- withCallingHandlers(
            take_cells(data, seq_len(data$n), within),
            linkrank_warning_unlogged = muffle
        )
    }
    cells <- scaled_data(data, scale = "range", numbers = TRUE)
    graph <- make_feature_graph(cells, graph, control)
    cluster_features(graph)
}

# A given graph, or the options of the graph to compute.
read_feature_graph <- function(graph, lambda) {
    if (inherits(graph, "feature_graph")) return(graph)
    refuse_value_if(!is.character(graph), graph, "`graph` must be \"simplex\",
                    \"nnlasso\", \"correlation\" or a feature_graph")
    feature_graph_options(graph, lambda, 10, "graph")
}

# The arguments of the margin: those in the dots, and defaults for the others.
margin_arguments <- c("direction", "must_link", "rank_by", "permutations",
                      "own_term")

check_cut <- function(cut, h) {
    if (identical(cut, "auto")) return(NULL)
    refuse_value_if(!is.null(h), cut,
                    "`cut` must be \"auto\" when `h` is given")
    refuse_value_if(!is.numeric(cut), cut,
                    "`cut` must be \"auto\" or a number of clusters")
    check_count(cut, "cut")
}

# `groups`: list(tree, merges, within). The selected features, the first of
# their clusters by margin, come before the others.
new_fcrsc_ranking <- function(table, input, groups, parameters) {
    data <- input$data
    tree <- groups$tree
    cluster <- rep(NA_integer_, data$p)
    cluster[groups$within] <- merged_clusters(tree$merge, groups$merges)
    place <- order(-table[[parameters$rank_by]], na.last = TRUE)
    varies <- data$minimum < data$maximum & !is.na(cluster)
    selected <- logical(data$p)
    selected[place] <- varies[place] &
        !duplicated(ifelse(varies, cluster, NA)[place])
    first <- c("score", "margin")
    table <- data.frame(table[first], selected = selected, cluster = cluster,
                        cluster_size = tabulate(cluster)[cluster],
                        table[setdiff(names(table), first)])
    sizes <- tabulate(cluster)
    inform_if(mean(sizes == 1L) > 0.5 && !is.null(curve_order(data)),
              "{sum(sizes == 1L)} of {length(sizes)} clusters have one feature,
              as each is like the next: diversify_ranking() leaves copies out.",
              class = "clusters")
    note <- c(margin_note(parameters, TRUE, "keep"), tree$dist.method, paste0(
        count_noun(max(cluster, na.rm = TRUE), "cluster"), if (anyNA(cluster))
            paste(" of the best", length(tree$order), "features")))
    ranking <- new_feature_ranking(
        table, data, "fcrsc", parameters$rank_by, parameters,
        input$constraints, note, input$where,
        tree = tree, merges = groups$merges, class = "fcrsc_ranking",
        caveat = relabelling_note(input, parameters)
    )
    reorder_ranking(as.data.frame(ranking), order(!ranking$selected),
                    attr(ranking, "info"))
}

check_tree_features <- function(tree, features) {
    same <- length(tree$order) == length(features) &&
        (is.null(tree$labels) || identical(tree$labels, features))
    refuse_if(!same, "`graph` or `tree` must have the {length(features)}
              features of `x`, but its {length(tree$order)} are others.")
}
