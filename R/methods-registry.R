# The table of all ranking methods. A method is added by adding a row here;
# rank_features(), ranking_methods(), print-outs and benchmarks read it.
method_registry <- function() {
    rows <- rbind(
        c("relief", "Relief", "margin", "y", "higher",
          "Kira and Rendell 1992"),
        c("relieff", "ReliefF", "margin", "y", "higher", "Kononenko 1994"),
        c("stir", "STIR", "margin", "y", "higher", "Le et al. 2019"),
        c("rrelieff", "RReliefF", "margin", "y", "higher",
          "Robnik-Sikonja and Kononenko 2003"),
        c("irelief", "I-Relief", "margin", "y", "higher", "Sun 2007"),
        c("simba", "Simba", "margin", "y", "higher",
          "Gilad-Bachrach et al. 2004"),
        c("simba_sc", "Simba-Sc", "margin", "constraints", "higher",
          "Yang and Song 2010"),
        c("relief_sc", "Relief-Sc", "margin", "constraints", "higher",
          "Hijazi 2019, Algorithm 3.1"),
        c("relieff_sc", "ReliefF-Sc", "margin", "constraints", "higher",
          "Hijazi 2019, Algorithm 3.2"),
        c("variance_score", "Variance", "baseline", "nothing", "higher",
          "Hijazi 2019, (1.21)"),
        c("laplacian_score", "Laplacian score", "baseline", "nothing", "lower",
          "He, Cai and Niyogi 2005"),
        c("spectral_score", "Spectral score", "baseline", "nothing", "lower",
          "Zhao and Liu 2007"),
        c("fisher_score", "Fisher score", "baseline", "y", "higher",
          "Hijazi 2019, (1.27)"),
        c("constraint_score", "Constraint score", "constraint",
          "constraints", "lower", "Zhang et al. 2008; Salmi et al. 2020"),
        c("supervised_laplacian_score", "Supervised Laplacian score",
          "regression", "y", "lower", "Doquire and Verleysen 2013"),
        c("semisupervised_laplacian_score", "Semi-supervised Laplacian score",
          "regression", "y", "lower", "Doquire and Verleysen 2013"),
        c("fcrsc", "FCRSC", "subset", "constraints", "higher",
          "Hijazi 2019, Algorithm 3.5"),
        c("select_subset", "Subset score", "subset", "constraints", "lower",
          "Salmi et al. 2020, Algorithm 1"),
        c("pcfs", "PCFS", "subset", "constraints", "lower",
          "Berahmand et al. 2020, Algorithm 2")
    )
    colnames(rows) <- c("method", "label", "family", "needs", "direction",
                        "source")
    as.data.frame(rows)
}

registry_row <- function(method) {
    registry <- method_registry()
    registry[match(method, registry$method), ]
}

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

# Named options against the arguments that a method has.
check_options <- function(options, takes, method) {
    takes <- setdiff(takes, c("x", "constraints", "y", "..."))
    names <- names(options)
    if (length(options) && (is.null(names) || any(names == ""))) {
        abort_linkrank("An unnamed argument is left over: give options by ",
                       "name.", class = "argument")
    }
    unknown <- setdiff(names, takes)
    if (length(unknown)) {
        abort_linkrank("Unused argument `", unknown[1L], "` of method \"",
                       method, "\".", suggest_name(unknown[1L], takes),
                       class = "argument")
    }
    options
}

#' @rdname rank_features
#' @export
ranking_methods <- function() {
    method_registry()
}
