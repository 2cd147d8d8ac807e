# Calls with a formula, as other packages have them: relieff(class ~ ., data =
# heart). A function that accepts them begins with
#
#     if (has_formula(x, ...)) {
#         return(rank_by_formula(sys.function(), match.call(), parent.frame()))
#     }
#
# so that its arguments stay those of data in `x`.

has_formula <- function(x, ...) {
    "formula" %in% names(substitute(list(...))) ||
        !missing(x) && inherits(x, "formula")
}

# The same call with columns of `data` as `x` and `y`. `takes_y`: does the
# ranking use `y`? Otherwise the left side only says what is no feature.
rank_by_formula <- function(ranker, call, frame, takes_y = TRUE) {
    given <- lapply(as.list(call)[-1L], eval, frame)
    # data without their name are the next argument
    second <- setdiff(c("x", "y", "constraints"),
                      if (is.null(given$formula)) "x")
    if (is.null(given$data)) {
        at <- Filter(function(name) is.data.frame(given[[name]]), second)
        if (length(at)) {
            given$data <- given[[at[1L]]]
            given[at[1L]] <- NULL
        }
    }
    formula <- given$formula %||% given$x
    # list(x, y): columns of `data`; y only with a left side.
    data <- given$data
    if (is.matrix(data) && !is.null(colnames(data))) {
        data <- as.data.frame(data)
    }
    refuse_class_if(!inherits(formula, "formula") || !is.data.frame(data), data,
                    "`data` must be a data.frame with the columns of ",
                    "the formula, as in relieff(class ~ ., data = heart)")
    columns <- as.list(data)
    left <- if (length(formula) == 3L) formula[[2L]]
    response <- if (!is.null(left)) formula_columns(left, names(columns))
    refuse_if(length(response) > 1L, "The formula must have one column on its ",
              "left side, not ", quote_values(response), ".")
    features <- formula_columns(formula[[length(formula)]], names(columns),
                                response)
    x <- as.data.frame(data)[setdiff(features, response)]
    parts <- c(list(x = x), if (!is.null(left)) list(y = columns[[response]]))
    given[c("x", "formula", "data")] <- NULL
    if (takes_y && !is.null(parts$y)) {
        given$y <- parts$y
    }
    refuse_if(is.null(given$y) && identical(formals(ranker)$y, quote(expr = )),
              "The formula must have the outcome on its left side, such as ",
              "class ~ ., because the method ranks by it.")
    do.call(ranker, c(list(x = parts$x), given), quote = TRUE)
}

# The columns that a side names, joined by + and -; `.`: all but the response.
# Not stats::terms(), which needs a square of the number of columns.
formula_columns <- function(side, known, response = NULL) {
    named <- character()
    # a + b - c is (a + b) - c, so the last part comes first
    parts <- list()
    while (is.call(side) && length(side) == 3L &&
           as.character(side[[1L]]) %in% c("+", "-")) {
        parts <- c(list(list(minus = side[[1L]] == "-", side = side[[3L]])),
                   parts)
        side <- side[[2L]]
    }
    for (part in c(list(list(minus = FALSE, side = side)), parts)) {
        columns <- formula_part(part$side, known, response)
        named <- if (part$minus) setdiff(named, columns) else
            union(named, columns)
    }
    named
}

formula_part <- function(part, known, response) {
    if (is.call(part) && identical(part[[1L]], as.name("("))) {
        return(formula_columns(part[[2L]], known, response))
    }
    # the intercept means nothing here
    if (is.numeric(part) && part %in% 0:1) {
        return(character())
    }
    name <- if (is.name(part)) as.character(part)
    if (identical(name, ".")) {
        return(setdiff(known, response))
    }
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
