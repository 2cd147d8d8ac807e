# print, summary and conversion of similarity graphs.

#' Print, summarise and convert a similarity graph
#'
#' @param x,object A [similarity_graph()].
#' @param ... Unused.
#'
#' @return `print()`: its argument, invisibly. `summary()`: a list with the
#'   number of samples, `edges`, connected `components`, `isolated` samples, the
#'   `neighbours` and the `degree` (sum of weights) of each sample, and the
#'   range of the `weights`. `as.matrix()`: the dense matrix of weights.
#'
#' @examples
#' x <- log2(colon$x)
#' graph <- similarity_graph(x)
#' summary(graph)$components
#' graph$weights[1:3, 1:3]
#' @name similarity_graph-methods
NULL

#' @rdname similarity_graph-methods
#' @export
print.similarity_graph <- print.feature_graph

describe_graph <- function(parameters) {
    p <- parameters
    if (p$adjacency == "given") return("given as a matrix of weights")
    joined <- switch(p$adjacency, knn = paste0(p$k, " nearest neighbours"),
                     mutual_knn = paste0("mutual ", p$k, " nearest neighbours"),
                     epsilon = paste0("distances below ", format(p$epsilon)),
                     full = "all pairs")
    width <- switch(p$weight,
                    heat = paste0(" (t = ", format(p$t, digits = 4L), ")"),
                    gaussian = ,
                    inverse = paste0(" (sigma = ", format(p$sigma), ")"),
                    self_tuning = paste0(" (k = ", p$k, ")"))
    paste0(joined, ", ", sub("_", "-", p$weight), " weights", width, ", ",
           distance_table[p$distance, "title"], " distance",
           if (!is.null(p$space)) paste(" in", p$space))
}

#' @rdname similarity_graph-methods
#' @export
summary.similarity_graph <- function(object, ...) {
    as_graph(object, "object")
    edges <- upper_edges(object$weights)
    component <- .Call(C_components, as.integer(object$n), edges$row + 1L,
                       edges$column + 1L)
    neighbours <- tabulate(c(edges$row, edges$column) + 1L, object$n)
    structure(
        list(samples = object$n, edges = length(edges$at),
             components = max(component) + 1L, isolated = sum(neighbours == 0L),
             neighbours = stats::setNames(neighbours, object$samples),
             degree = stats::setNames(graph_degrees(object), object$samples),
             weights = if (length(edges$at)) range(edges$weight),
             parameters = object$parameters), class = "summary.similarity_graph"
    )
}

#' @export
print.summary.similarity_graph <- function(x, ...) {
    span <- function(values) {
        paste(format(range(values), digits = 3L, trim = TRUE),
              collapse = " to ")
    }
    rows <- c("Samples" = x$samples, "Edges" = x$edges,
              "Components" = x$components, "Without an edge" = x$isolated,
              "Neighbours" = paste0(span(x$neighbours), ", median ",
                                    format(stats::median(x$neighbours))),
              "Degrees" = span(x$degree),
              "Weights" = if (is.null(x$weights)) "none" else span(x$weights))
    cat_lines(paste("<similarity_graph>", describe_graph(x$parameters)))
    cat(paste0("  ", pad_text(names(rows), 17L), rows), sep = "\n")
    invisible(x)
}

#' @rdname similarity_graph-methods
#' @export
as.matrix.similarity_graph <- function(x, ...) {
    as_graph(x, "x")
    if (is.matrix(x$weights)) return(x$weights)
    check_bytes(8 * x$n^2, "The dense matrix of weights")
    as.matrix(x$weights)
}

# Sum of the weights at each sample.
graph_degrees <- function(graph) {
    .Call(C_graph_degrees, graph$weights)
}
