# What must not change a result. Each takes the function, its arguments and what
# came out; FALSE, or an error, is a finding.

call_again <- function(fun, args, seed, ...) {
    more <- list(...)
    args[names(more)] <- more
    set.seed(seed)
    suppressWarnings(suppressMessages(do.call(fun_of(fun), args,
                                              quote = TRUE)))
}

# The numbers of a result, without how it was made.
essence <- function(result) {
    if (inherits(result, "feature_ranking")) {
        return(as.list(as.data.frame(result)))
    }
    if (inherits(result, "similarity_graph")) {
        return(result["weights"])
    }
    if (inherits(result, "feature_graph")) {
        return(unclass(result)[c("similarity", "original")])
    }
    if (inherits(result, "hclust")) {
        return(result[c("merge", "height", "order")])
    }
    if (inherits(result, "constrained_clusters")) {
        return(unclass(result)[c("cluster", "objective")])
    }
    if (inherits(result, "pairwise_constraints")) {
        return(as.data.frame(result))
    }
    if (is.numeric(result)) result
}

same <- function(a, b) identical(essence(a), essence(b))

takes <- function(fun, name) name %in% names(formals(fun_of(fun)))

check_threads_alike <- function(fun, args, result, seed, s) {
    old <- options(linkrank.worthwhile = 0, linkrank.processors = 3)
    on.exit(options(old))
    same(call_again(fun, args, seed, threads = sample(2:3, 1L)), result)
}

check_portable <- function(fun, args, result, seed, s) {
    old <- options(linkrank.portable = TRUE)
    on.exit(options(old))
    same(call_again(fun, args, seed), result)
}

check_containers <- function(fun, args, result, seed, s) {
    kind <- sample(container_kinds, 1L)
    # containers of one unit are not scaled where nothing else is said
    if (!takes(fun, "scale") && kind %in% c("SE", "rows", "blocks")) {
        kind <- "sparse"
    }
    # a data.frame has names of its own where the matrix has none
    if (is.null(colnames(s$x)) || is.null(rownames(s$x))) return(NA)
    if (takes(fun, "scale") && is.null(args$scale)) {
        args$scale <- sample(c("range", "balanced"), 1L)
    }
    one <- call_again(fun, args, seed)
    if ("delayed" %in% container_kinds) {
        old <- suppressMessages(DelayedArray::getAutoBlockSize())
        on.exit(suppressMessages(DelayedArray::setAutoBlockSize(old)))
        suppressMessages(DelayedArray::setAutoBlockSize(
            sample(c(200, 1e4), 1L)))
    }
    other <- args
    other$x <- as_container(s$x, kind)
    ok <- same(call_again(fun, other, seed), one)
    if (ok) TRUE else structure(FALSE, note = kind)
}

# Scores that look at one feature at a time, or at distances of the samples.
by_feature <- c("variance_score", "fisher_score", "laplacian_score",
                "relief_sc", "relieff_sc", "relief", "relieff", "stir",
                "supervised_laplacian_score", "constraint_score",
                "spectral_score")

near <- function(a, b) {
    isTRUE(all.equal(a, b, tolerance = 1e-5)) ||
        all(abs(a - b) < 1e-9 | a == b | is.na(a) & is.na(b), na.rm = FALSE)
}

# Normal numbers have none, but any two samples of two features have correlation
# 1 or -1.
has_ties <- function(args, s) {
    s$kind != "normal" || identical(args$distance, "correlation") && s$p < 3L
}

# Without ties, as the order of features moves the last bits of distances.
check_columns <- function(fun, args, result, seed, s) {
    if (!fun %in% by_feature || has_ties(args, s)) return(NA)
    place <- sample.int(s$p)
    x <- s$x
    colnames(x) <- paste0("g", seq_len(s$p))
    a <- feature_scores(call_again(fun, args, seed, x = x))
    b <- feature_scores(call_again(fun, args, seed,
                                   x = x[, place, drop = FALSE]))
    near(unname(b[names(a)]), unname(a))
}

check_rows <- function(fun, args, result, seed, s) {
    if (!fun %in% by_feature || has_ties(args, s) || !is.null(args$graph) ||
        !is.null(args$samples) || !is.null(args$permutations)) {
        return(NA)
    }
    # nearest outcomes that are equal are taken by row
    if (fun == "supervised_laplacian_score" && anyDuplicated(args$y)) {
        return(NA)
    }
    place <- sample.int(s$n)
    other <- args
    other$x <- s$x[place, , drop = FALSE]
    rownames(other$x) <- rownames(args$x) <- NULL
    if (!is.null(args$y)) other$y <- args$y[place]
    if (!is.null(args$constraints)) {
        links <- as.data.frame(args$constraints)
        # pairs that are given by hand have no weights
        if (!is.null(links$confidence)) return(NA)
        at <- cbind(match(links$i, place), match(links$j, place))
        must <- links$type == "must-link"
        args$constraints <- pairwise_constraints(
            cannot_link = cbind(links$i, links$j)[!must, , drop = FALSE],
            must_link = cbind(links$i, links$j)[must, , drop = FALSE], samples = s$n)
        other$constraints <- pairwise_constraints(
            cannot_link = at[!must, , drop = FALSE], must_link = at[must, , drop = FALSE], samples = s$n)
    }
    near(unname(feature_scores(call_again(fun, other, seed))),
         unname(feature_scores(call_again(fun, args, seed))))
}

# By a power of two nothing is rounded. A difference has the unit of the values.
check_scaled <- function(fun, args, result, seed, s) {
    if (!fun %in% by_feature || !is.null(args$graph) ||
        identical(args$scale, "none")) {
        return(NA)
    }
    args$scale <- "range"
    wide <- essence(call_again(fun, args, seed, x = s$x * 4))
    plain <- essence(call_again(fun, args, seed))
    if (is.list(plain) && is.numeric(plain$difference)) {
        plain$difference <- plain$difference * 4
    }
    identical(wide, plain)
}

check_table <- function(fun, args, result, seed, s) {
    if (!inherits(result, "feature_ranking")) return(NA)
    table <- as.data.frame(result)
    scores <- feature_scores(result)
    # what orders the table, but for margins and entries of a selection
    ordered <- setdiff(c(args$rank_by, "score"), "margin")[1L]
    identical(table$rank, seq_len(nrow(table))) &&
        setequal(table$feature, names(scores)) &&
        identical(unname(scores[table$feature]), table[[ordered]]) &&
        identical(top_features(result, 1), table$feature[1L])
}

check_print <- function(fun, args, result, seed, s) {
    if (!is.object(result) || isS4(result) || inherits(result, "hclust")) {
        return(NA)
    }
    width <- sample(40:120, 1L)
    old <- options(width = width)
    on.exit(options(old))
    lines <- c(capture.output(out <- print(result)),
               if (inherits(result, c("feature_ranking", "questionnaire",
                                      "similarity_graph",
                                      "pairwise_constraints"))) {
                   facts <- summary(result)
                   capture.output(print(facts))
               })
    wide <- max(0L, nchar(lines, type = "width"))
    ok <- identical(out, result) &&
        (inherits(result, "shiny.appobj") || wide <= max(80L, width))
    line <- lines[which.max(nchar(lines, type = "width"))]
    if (ok) TRUE else structure(FALSE, note = paste("at", width, ":", line))
}

invariants <- list(threads = check_threads_alike, portable = check_portable,
                   containers = check_containers, columns = check_columns,
                   rows = check_rows, scaled = check_scaled,
                   table = check_table, print = check_print)

fits <- function(name, fun, args) {
    with_data <- "x" %in% names(args) && is.matrix(args$x) &&
        !fun %in% c("questionnaire", "keep_features", "active_constraints",
                    "add_ranking", "plot_features")
    switch(name, threads = with_data && takes(fun, "threads"),
           table = , print = TRUE, with_data)
}
