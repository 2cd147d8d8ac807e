
#' Rank features by any method
#'
#' `rank_features()` calls a ranking method by its name, so that methods can be
#' compared in a loop or chosen by a setting. `ranking_methods()` is the table
#' of them.
#'
#' @param x Data: see [relieff_sc()].
#' @param constraints,y What is known of the samples: constraints, or a class or
#'   number per sample. Give what the method needs (column `needs`).
#' @param method Name of a method, one of `ranking_methods()$method`.
#' @param ... Arguments of the method; checked against those that it has.
#'
#' @return `rank_features()`: a [`feature_ranking`][feature_ranking].
#'
#'   `ranking_methods()`: a data.frame, one row per method, with columns
#'   `method` (the name to give), `label`, `family`, `needs` (what besides `x`),
#'   `direction` (is a higher or a lower score better) and `source`.
#'
#' @section Errors: `linkrank_error_argument` for an unknown method, for
#'   constraints or `y` that the method needs and lacks or cannot take, and for
#'   an argument it does not have.
#'
#' @examples
#' ranking_methods()
#' links <- pairwise_constraints(rbind(c(1, 2), c(5, 8)),
#'                               samples = rownames(colon$x))
#' rank_features(colon$x, links, method = "relieff_sc", k = 1)
#' @export
rank_features <- function(x, constraints = NULL, y = NULL,
                          method = "relieff_sc", ...) {
    method <- check_method(method)
    run <- get(method, envir = topenv(), mode = "function")
    given <- list(constraints = constraints, y = y)
    given <- given[!vapply(given, is.null, NA)]
    check_needs(method, names(given), names(formals(run)))
    options <- check_options(list(...), method_arguments(run), method)
    do.call(run, c(list(x = x), given, options), quote = TRUE)
}

check_method <- function(method) {
    known <- method_registry()$method
    if (!is.character(method) || length(method) != 1L ||
        !method %in% known) {
        text <- is.character(method) && length(method) == 1L
        hint <- if (text && !is.na(method)) suggest_name(method, known)
        abort_linkrank("`method` must be a name that ranking_methods() ",
                       "lists, not ", describe_value(method), ".", hint,
                       class = "argument")
    }
    method
}

# Names of the arguments that a method takes, in its dots too.
method_arguments <- function(run) {
    names <- names(formals(run))
    if (identical(run, fcrsc)) c(names, margin_names()) else names
}

check_needs <- function(method, given, takes) {
    needs <- registry_row(method)$needs
    lacking <- setdiff(intersect(needs, c("constraints", "y")), given)
    if (length(lacking)) {
        abort_linkrank("`", lacking, "` must be given: method \"", method,
                       "\" ranks from it.", class = "argument")
    }
    extra <- setdiff(given, takes)
    if (length(extra)) {
        abort_linkrank("`", extra[1L], "` must be left out: method \"", method,
                       "\" does not use it.", class = "argument")
    }
}

#' @rdname rank_features
#' @export
ranking_methods <- function() {
    method_registry()
}
