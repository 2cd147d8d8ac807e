# Calls with a formula, as other packages have them: relieff(class ~ ., data =
# heart). A function that accepts them begins with
#
#     if (has_formula(x, ...)) return(rank_by_formula())
#
# so that its arguments stay those of data in `x`.

has_formula <- function(x, ...) {
    "formula" %in% names(substitute(list(...))) ||
        !missing(x) && inherits(x, "formula")
}

# The call of the function above with columns of `data` as `x` and `y`.
# `takes_y`: does the ranking use `y`? Otherwise the left side only says what is
# no feature.
rank_by_formula <- function(takes_y = "y" %in% names(formals(ranker))) {
    ranker <- sys.function(sys.parent())
    frame <- parent.frame(2L)
    given <- lapply(as.list(match.call(ranker, sys.call(sys.parent()),
                                       envir = frame))[-1L], eval, frame)
    # data without their name are the next argument
    if (is.null(given$data)) {
        at <- Filter(function(name) is.data.frame(given[[name]]),
                     c(if (!is.null(given$formula)) "x", "y", "constraints"))
        given$data <- given[[at[1L]]]
        given[at[1L]] <- NULL
    }
    formula <- given$formula %||% given$x
    data <- given$data
    if (is.matrix(data) && !is.null(colnames(data))) {
        data <- as.data.frame(data)
    }
    refuse_class_if(!inherits(formula, "formula") || !is.data.frame(data), data,
                    "`data` must be a data.frame with the columns of ",
                    "the formula, as in relieff(class ~ ., data = heart)")
    known <- names(data)
    response <- if (length(formula) == 3L) formula_columns(formula[[2L]], known)
    refuse_if(length(response) > 1L, "The formula must have one column on its ",
              "left side, not ", quote_values(response), ".")
    features <- formula_columns(formula[[length(formula)]], known, response)
    given[c("x", "formula", "data")] <- NULL
    if (takes_y && length(response)) {
        given$y <- data[[response]]
    }
    refuse_if(is.null(given$y) && identical(formals(ranker)$y, quote(expr = )),
              "The formula must have the outcome on its left side, such as ",
              "class ~ ., because the method ranks by it.")
    x <- as.data.frame(data)[setdiff(features, response)]
    do.call(ranker, c(list(x = x), given), quote = TRUE)
}

# The columns that a side names, joined by + and -; `.`: all but the response.
# Not stats::terms(), which needs a square of the number of columns.
formula_columns <- function(side, known, response = NULL) {
    # a + b - c is (a + b) - c: the last part is taken off first
    parts <- list()
    while (length(side) == 3L &&
           as.character(side[[1L]]) %in% c("+", "-")) {
        parts <- c(list(side), parts)
        side <- side[[2L]]
    }
    named <- formula_part(side, known, response)
    for (part in parts) {
        columns <- formula_part(part[[3L]], known, response)
        named <- if (part[[1L]] == "-") setdiff(named, columns) else
            union(named, columns)
    }
    named
}

formula_part <- function(part, known, response) {
    if (is.call(part) && identical(part[[1L]], as.name("("))) {
        return(formula_columns(part[[2L]], known, response))
    }
    # the intercept means nothing here
    if (is.numeric(part) && part %in% 0:1) return(character())
    name <- if (is.name(part)) as.character(part)
    if (identical(name, ".")) return(setdiff(known, response))
    if (is.null(name) || !name %in% known) {
        text <- paste(deparse(part), collapse = " ")
        abort_linkrank("The formula must name columns of `data`, joined by + ",
                       "and -, but ", quote_values(substr(text, 1L, 40L)),
                       " is not one",
                       if (is.null(name)) "; compute it as a column first",
                       ".", if (!is.null(name)) suggest_name(name, known))
    }
    name
}
