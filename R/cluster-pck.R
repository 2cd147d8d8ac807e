# PCK-means: k-means with a penalty for violated constraints.

#' Constrained k-means clustering of samples (PCK-means)
#'
#' PCK-means is k-means with a penalty for every must-link between clusters and
#' every cannot-link within one. [spectral_clustering()] also finds groups that
#' are not spherical.
#'
#' @param x Data: see [prepare_data()].
#' @param constraints Constraints: see [pairwise_constraints()].
#' @param clusters Number of clusters, from 1 to the number of samples.
#' @param penalty Penalty of a violated constraint, from 0 to 1e100; squared
#'   distances count one half. A large one, such as 1e6, outweighs all
#'   distances.
#' @param starts Number of starts when some of the first centres are drawn; the
#'   smallest objective is kept.
#' @param max_iter Largest number of iterations of a start.
#' @param ... Arguments of [prepare_data()], by name: `scale`, `na.action`,
#'   `by`, `assay.type`, `threads`, `progress`.
#' @return An object of class `constrained_clusters`, a list, as of
#'   [spectral_clustering()] and [glean_labels()] too:
#' * `cluster`: the cluster of each sample, from 1, a factor of class
#'   `linkrank_labels`, by which [group_markers()] knows that these data made
#'   the groups;
#' * `centers`: clusters x features, in scaled values (a column per level of a
#'   factor);
#' * `sizes`, `objective`, `iterations`, `converged`, `scaling` (for
#'   `predict()`);
#' * `broken`: how many cannot-links and must-links of the closure are violated;
#'
#' `predict()`: the clusters; with `newdata` those of the nearest centres, from
#' numeric features.
#'
#' @details Minimises, over clusters c and centres mu,
#' \deqn{\frac{1}{2} \sum_i \|u_i - \mu_{c(i)}\|^2 + W \sum_{(i, j) \in M} 1[c(i) \ne c(j)] + W \sum_{(i, j) \in C} 1[c(i) = c(j)]}{1/2 sum_i ||u_i - mu_c(i)||^2 + W (broken must-links) + W (broken cannot-links)}
#' with W = `penalty` and M, C closed under transitivity. First centres are the
#' means of the must-link groups: the largest first, then those of largest size
#' times distance to the centres so far; then a sample that is cannot-linked to
#' all of them, then random ones. Samples are assigned one after the other;
#' equal costs: the lower cluster. An empty cluster gets the sample that is
#' farthest from its centre.
#'
#' Cost per iteration: samples times clusters times features. Memory: three
#' copies of the data.
#'
#' @section Errors: `linkrank_error_argument`: more clusters than samples.
#'   `linkrank_error_constraints`: cannot-links that cannot all hold with this
#'   number of clusters. Also those of [relieff_sc()].
#'
#' @references Basu, S., Banerjee, A. and Mooney, R. J. (2004). *SIAM
#'   International Conference on Data Mining*, 333-344.
#'   \doi{10.1137/1.9781611972740.31}
#'
#' @examples
#' set.seed(1)
#' links <- constraints_from_labels(iris$Species, cannot_link = 10,
#'                                  must_link = 10)
#' found <- pck_means(iris[1:4], links, clusters = 3)
#' found
#' table(found$cluster, iris$Species)
#' @export
pck_means <- function(x, constraints, ..., clusters, penalty = 1, starts = 5,
                      max_iter = 100) {
    check_constraints(constraints)
    options <- checked(penalty, starts, max_iter)
    input <- scaled_data(prepared(x, ..., uses = score_arguments))
    constraints <- match_constraints(constraints, input$data)
    clusters <- check_count(clusters, "clusters", 1, input$data$n)
    links <- constraint_links(constraints, listed = TRUE)
    check_can_be_met(links, clusters, constraints$names)
    u <- euclidean_cells(input)
    run <- run_pck_means(t(u), links, clusters, options)
    new_constrained_clusters(
        run$cluster, clusters, input$data$samples, "PCK-means",
        centers = matrix(t(run$centers), clusters,
                         dimnames = list(NULL, colnames(u))),
        scaling = if (all(input$data$kind == "numeric"))
            input$scaling[c("center", "divisor")], objective = run$objective,
        broken = stats::setNames(run$broken, c("cannot_link", "must_link")),
        iterations = run$iterations, converged = run$converged
    )
}

# ---- the algorithm ----------------------------------------------------------

# Own code, not stats::kmeans() as in spectral clustering: an assignment weighs
# the constraints, and no package on CRAN has PCK-means (conclust is archived).
# rows: features x samples.
run_pck_means <- function(rows, links, clusters, options) {
    best <- NULL
    for (start in seq_len(options$starts)) {
        seeds <- pck_seeds(rows, links, clusters)
        run <- .Call(C_pck_means, rows, links, seeds$centers, options)
        if (is.null(best) || run$objective < best$objective) best <- run
        if (!seeds$random) break
    }
    warn_if(!best$converged, "PCK-means did not converge in {options$max_iter}
            steps: raise `max_iter` or take fewer `clusters`.",
            class = "convergence")
    best$cluster <- best$cluster + 1L
    best
}

# First centers: list(centers, random).
pck_seeds <- function(rows, links, clusters) {
    sizes <- diff(links$member_start)
    groups <- which(sizes > 1L)
    means <- vapply(groups, function(g) {
        rowMeans(rows[, members_of(links, g), drop = FALSE])
    }, numeric(nrow(rows)))
    centers <- matrix(means, nrow(rows))
    if (length(groups) >= clusters) {
        picks <- weighted_farthest_first(centers, sizes[groups], clusters)
        return(list(centers = centers[, picks, drop = FALSE], random = FALSE))
    }
    separate <- cannot_linked_to_all(links, groups, clusters - length(groups))
    lacking <- clusters - length(groups) - length(separate)
    free <- setdiff(which(sizes[links$component + 1L] == 1L), separate)
    if (length(free) < lacking)
        free <- setdiff(seq_along(links$component), separate)
    drawn <- free[sample.int(length(free), lacking)]
    list(centers = cbind(centers, rows[, c(separate, drawn), drop = FALSE]),
         random = lacking > 0L)
}

members_of <- function(links, group) listed_of(links, "member", group)

# The groups that this one has cannot-links with.
against_of <- function(links, group) listed_of(links, "against", group)

listed_of <- function(links, what, group) {
    start <- links[[paste0(what, "_start")]][group + 0:1]
    links[[what]][start[1L] + seq_len(start[2L] - start[1L])] + 1L
}

weighted_farthest_first <- function(centers, sizes, count) {
    picks <- which.max(sizes)
    nearest <- rep(Inf, length(sizes))
    while (length(picks) < count) {
        last <- centers[, picks[length(picks)]]
        nearest <- pmin(nearest, colSums((centers - last)^2))
        gain <- sizes * sqrt(nearest)
        gain[picks] <- -Inf
        picks <- c(picks, which.max(gain))
    }
    picks
}

# Samples outside the groups that must be in a separate cluster.
cannot_linked_to_all <- function(links, groups, most) {
    apart <- integer()
    if (!length(groups)) return(apart)
    for (group in against_of(links, groups[1L])) {
        if (length(apart) == most) break
        alone <- links$member_start[group + 1L] -
            links$member_start[group] == 1L
        if (alone && all(groups %in% against_of(links, group))) {
            apart <- c(apart, members_of(links, group))
            groups <- c(groups, group)
        }
    }
    apart
}

# ---- can the constraints be satisfied? --------------------------------------

# Groups are vertices and cannot-links edges: an assignment is a colouring of
# the graph. A group with fewer edges than there are clusters always finds a
# cluster, so only the other groups (the core) are searched, up to a bound of
# steps.
check_can_be_met <- function(links, clusters, names) {
    if (!any(diff(links$against_start) >= clusters)) return(invisible())
    edges <- lapply(seq_len(links$count), function(g) against_of(links, g))
    degree <- lengths(edges)
    core <- rep(TRUE, length(edges))
    gone <- which(degree < clusters)
    # a chain loses its two ends at a time: a round costs no more than they do
    while (length(gone)) {
        core[gone] <- FALSE
        near <- unlist(edges[gone])
        met <- unique(near[core[near]])
        degree[met] <- degree[met] - tabulate(match(near, met), length(met))
        gone <- met[degree[met] < clusters]
    }
    core <- which(core)
    clique <- large_clique(edges, core)
    fits <- length(clique) <= clusters
    if (fits && !isFALSE(can_colour(edges, core, clusters))) return(invisible())
    blamed <- if (fits) core else clique[seq_len(clusters + 1L)]
    samples <- vapply(blamed, function(g) members_of(links, g)[1L], 0L)
    shown <- c(show_samples(utils::head(samples, 8L), names),
               if (length(samples) > 8L) "...")
    abort_linkrank("`clusters` = {clusters} is not enough for the cannot-links
                   among samples {toString(shown)} (and those must-linked to
                   them).", class = "constraints")
}

# TRUE, FALSE, or NA when the search would be long. The next vertex is the one
# with most colours among its neighbours, then most edges: with two colours the
# first descent finds every colouring.
can_colour <- function(edges, vertices, clusters, most = 20000L) {
    colour <- integer(length(edges))
    # the vertices that have a colour, and the colours that each may still try
    path <- integer()
    untried <- list()
    for (step in seq_len(most + length(vertices))) {
        left <- setdiff(vertices, path)
        if (!length(left)) return(TRUE)
        around <- vapply(edges[left], function(e) {
            length(unique(colour[e][colour[e] > 0L]))
        }, 0L)
        at <- left[order(-around, -lengths(edges[left]))[1L]]
        # all unused colours are equivalent
        free <- setdiff(seq_len(min(clusters, max(colour) + 1L)),
                        colour[edges[[at]]])
        while (!length(free) && length(path)) {
            at <- path[length(path)]
            free <- untried[[length(path)]]
            colour[at] <- 0L
            path <- path[-length(path)]
        }
        if (!length(free)) return(FALSE)
        path <- c(path, at)
        untried[[length(path)]] <- free[-1L]
        colour[at] <- free[1L]
    }
    NA
}

# A clique, as large as the greedy search finds.
large_clique <- function(edges, vertices) {
    best <- integer()
    degree <- lengths(edges)
    for (start in vertices) {
        clique <- start
        rest <- intersect(edges[[start]], vertices)
        while (length(rest)) {
            at <- rest[which.max(degree[rest])]
            clique <- c(clique, at)
            rest <- intersect(rest, edges[[at]])
        }
        if (length(clique) > length(best)) best <- clique
    }
    sort(best)
}

# ---- the result -------------------------------------------------------------

new_constrained_clusters <- function(cluster, clusters, samples, method, ...,
                                     names = seq_len(clusters)) {
    structure(
        list(cluster = stats::setNames(
                 derived_labels(cluster, names), samples),
             method = method, sizes = tabulate(cluster, clusters), ...),
        class = "constrained_clusters"
    )
}

#' @rdname pck_means
#' @export
print.constrained_clusters <- function(x, ...) {
    sizes <- paste(utils::head(x$sizes, 12L), collapse = ", ")
    if (length(x$sizes) > 12L) sizes <- paste0(sizes, ", ...")
    none <- sum(is.na(x$cluster))
    lines <- c(
        paste0("<constrained_clusters> ", x$method, ", ",
               count_noun(length(x$cluster), "sample"), ", ",
               count_noun(length(x$sizes), "cluster")),
        paste0("  of ", sizes, " samples",
               if (none) paste0(", ", none, " in no cluster")),
        if (!is.null(x$broken))
            paste0("  ", count_noun(x$broken[["cannot_link"]], "cannot-link"),
                   " and ", count_noun(x$broken[["must_link"]], "must-link"),
                   " of the closure broken"),
        if (any(x$answered == 1L))
            paste0("  resting on one answered sample: ",
                   quote_values(names(which(x$answered == 1L)))),
        if (isFALSE(x$converged))
            paste0("  stopped after ", x$iterations,
                   " iterations without convergence"),
        "  $cluster has the cluster of each sample.",
        if (!is.null(x$confidence))
            "  $confidence orders the samples, and is no probability."
    )
    cat_lines(lines)
    invisible(x)
}

#' @rdname pck_means
#' @param row.names,optional Ignored.
#' @export
as.data.frame.constrained_clusters <- function(x, row.names = NULL,
                                               optional = FALSE, ...) {
    data.frame(sample = names(x$cluster) %||% seq_along(x$cluster),
               cluster = unname(x$cluster),
               confidence = unname(x$confidence) %||% NA_real_)
}

#' @rdname pck_means
#' @export
summary.constrained_clusters <- function(object, ...) {
    data.frame(cluster = seq_along(object$sizes), size = object$sizes)
}

#' @rdname pck_means
#' @param object What [pck_means()], [spectral_clustering()] or
#'   [glean_labels()] returned.
#' @param newdata New samples, or `NULL`: data as `x`, without missing cells,
#'   with the features that were clustered, and for a container `assay.type`.
#' @exportS3Method
predict.constrained_clusters <- function(object, newdata = NULL, ...) {
    if (is.null(newdata)) {
        check_dots_empty(...)
        return(object$cluster)
    }
    refuse_if(is.null(object$scaling), "`newdata` must be left out: only
              clusters of pck_means() of numeric features have centers.")
    data <- prepare_data(newdata, ..., fewest = 1L)
    refuse_if(any(data$missing > 0L), "`newdata` must have no missing cell.",
              class = "input")
    features <- colnames(object$centers)
    places <- match(features, data$features)
    lacking <- features[is.na(places)]
    unnamed <- is.null(sample_axis(newdata)$features)
    refuse_if(length(lacking) || unnamed && data$p != length(features) ||
              any(data$kind[places] != "numeric"), "`newdata` must have the
              numeric features that were clustered, such as
              {quote_values(c(lacking, features)[1L])}.")
    by <- object$scaling
    known <- which(by$divisor != 0)
    rows <- (t(read_features(data, places[known])) - by$center[known]) /
        by$divisor[known]
    squares <- apply(object$centers[, known, drop = FALSE], 1L,
                     function(center) colSums((rows - center)^2))
    nearest <- max.col(-matrix(squares, data$n), ties.method = "first")
    stats::setNames(structure(factor(nearest, levels(object$cluster)),
                              class = class(object$cluster)), data$samples)
}
