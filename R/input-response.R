# Classes and numbers of the samples: `y`, columns of the data, formulas.

# ==== response ================================================================

# The outcome of the samples: class labels or numbers.

# A factor without empty levels, in the order of the levels or values, text as
# in the C locale: the same everywhere. NA: unlabelled.
as_class_labels <- function(labels, name = "labels") {
    check_given(labels, "a class per sample")
    labels <- plain_column(labels)
    vector <- is.null(dim(labels))
    codes <- if (is.factor(labels)) stats::na.omit(as.vector(unclass(labels)))
    refuse_if(!all(codes %in% seq_along(levels(labels))), "`", name, "` must ",
              "be a factor with a level for each code, but a code has none.")
    if (vector && is.atomic(labels)) labels <- blank_as_missing(labels, name)
    fractions <- vector && is.numeric(labels) &&
        !all(labels == floor(labels), na.rm = TRUE)
    known <- is.factor(labels) || is.character(labels) ||
        is.logical(labels) || is.numeric(labels)
    if (!known || !vector || fractions) {
        refuse_swapped()
        abort_linkrank("`", name, "` must be a factor, or a vector of text, ",
                       "TRUE and FALSE, or whole numbers, not ",
                       if (!fractions) describe_class(labels) else
                           "numbers with fractions", if (fractions &&
                       name == "y") ": rrelieff() ranks by a numeric `y`", ".")
    }
    if (is.numeric(labels)) {
        labels[is.nan(labels)] <- NA
        # warn_many_numbers() tells of `y`
        warn_if(length(labels) >= 20L && name != "y" &&
                all(labels == seq_along(labels)) %in% TRUE, "`{name}` numbers
                the samples, so each is a class of its own: are these row
                numbers?", class = "identifier")
    }
    # without empty levels, and without NA as a level of its own
    if (is.character(labels)) {
        refuse_numbers_as_text(labels, name)
        labels <- factor(labels, sort_text(unique(labels)))
    } else if (is.numeric(labels)) {
        codes <- sort(unique(labels))
        labels <- factor(labels, codes, as_names(codes))
    }
    labels <- factor(labels)
    note_alike(levels(labels), name)
    labels
}

# Text that is no category, as among the data.
refuse_numbers_as_text <- function(text, name) {
    problem <- if (!reads_parts()) text_problem(text, name)
    # blocks, units and pairs may have many values, but no fractions
    often <- name %in% c("y", "groups", "classes") ||
        any(grepl(" makes -?[0-9]*[.]", problem))
    refuse_if(often && length(problem), "`", name, "` must be classes, but ",
              "its text has ", problem, "; factor() keeps it as it is.")
}

# Labels that somebody typed twice.
note_alike <- function(labels, name) {
    plain <- ascii_lower(trimws(labels))
    alike <- labels[plain %in% plain[duplicated(plain)]]
    inform_if(length(alike), "`{name}` has classes that differ only in case or
              blanks: {quote_values(alike)}.", class = "labels")
}

# Empty cells of a file, and values that package haven declares missing, say as
# little as NA.
blank_as_missing <- function(labels, name) {
    blank <- is_blank(labels)
    if (inherits(labels, "haven_labelled"))
        labels <- stats::setNames(as.vector(unclass(labels)), names(labels))
    if (any(blank)) labels[blank] <- NA
    note_blank(sum(blank), paste0("`", name, "`"))
    labels
}

note_blank <- function(count, of) {
    inform_if(count > 0L, "Taken as NA: ", count_noun(count, "value"), " of ",
              of, ", blank or declared missing.", class = "missing")
}

is_blank <- function(labels) {
    values <- if (is.factor(labels)) levels(labels) else unclass(labels)
    blank <- values %in% attr(labels, "na_values")
    span <- attr(labels, "na_range")
    if (is.numeric(span))
        blank <- blank | (values >= span[1L] & values <= span[2L]) %in% TRUE
    if (is.character(values)) blank <- blank | !nzchar(trimws(values))
    if (is.factor(labels)) as.integer(labels) %in% which(blank) else blank
}

# Text in the order of the C locale, which is the same on every machine.
sort_text <- function(text) {
    sort(text, method = "radix")
}

# The message for a vector that does not fit the data; `of` names the data.
match_length <- function(values, samples, name, of = "x", features = NULL) {
    refuse_if(length(values) != samples, "`{name}` must have one value per
              sample, but it has {length(values)} and `{of}` has {samples}
              samples", ask_if_turned(isTRUE(features == length(values)), of))
    values
}

# The end of a message about the number of samples.
ask_if_turned <- function(turned, of = "x") {
    if (turned) paste0("; is `", of, "` to be transposed?") else "."
}

# Values, or rows of a matrix, that are named as the samples are theirs by name.
# Names of which none is a sample's are said. Few names that repeat, as those
# that indexing a table of classes leaves on a vector, tell nothing: samples may
# have the numbers of classes.
match_places <- function(values, samples, name, of = "x", must = "be named") {
    given <- own_row_names(values)
    place <- match(given, samples)
    few <- length(unique(given)) <= length(given) / 2
    # values of other samples, which happen to be as many
    if (length(samples) && length(given) && all(is.na(place)) &&
            (is.matrix(values) || !few)) {
        inform_linkrank("`", name, "` names other samples than `", of,
                        "`, such as \"", given[1L], "\", and is taken in the ",
                        "order given.", class = "order")
        if (is.matrix(values)) rownames(values) <- NULL
    }
    if (few || all(is.na(place) | place == seq_along(place))) return(values)
    at <- match(samples, given)
    again <- given[!is.na(place) & duplicated(place)]
    other <- given[is.na(place)]
    wrong <- c(if (length(other)) paste("names", quote_values(other, 3L)),
               if (length(again)) paste("repeats", quote_values(again, 3L)),
               if (anyNA(at)) paste("has no",
                                    quote_values(samples[is.na(at)], 3L)))
    refuse_if(anyNA(at) || length(again), "`", name, "` must ", must, " as ",
              "the samples of `", of, "` or not at all, but it ",
              paste(wrong, collapse = " and "), ".")
    inform_linkrank("`{name}` names the samples of `{of}` in another order: they
                    are matched by name.", class = "order")
    if (is.null(dim(values))) values[at] else values[at, , drop = FALSE]
}

# What a user's function returned for some samples, as match_places() does. Rows
# of a table without names may be named 1, 2, ... `others`: samples that a model
# was made of, whose fitted values are no predictions. Names of some of them,
# such as the nearest ones, tell nothing.
match_returned <- function(values, samples, name, of, others = NULL) {
    if (length(dim(values)) > 2L) {
        # a matrix as glmnet returns it
        values <- matrix(values, nrow(values), ncol(values),
                         dimnames = dimnames(values)[1:2])
    }
    given <- own_row_names(values)
    if (is.null(given) || length(given) != length(samples) ||
        identical(given, as.character(seq_along(given)))) {
        return(values)
    }
    refuse_if(setequal(given, others) && !any(given %in% samples), "`", name,
              "` must return values for the samples of `", of, "`, but it ",
              "names other samples: ", quote_values(given, 3L), ".")
    suppressMessages(match_places(values, samples, name, of,
                                  "return values named"))
}

# Is there one value for each sample of the data?
match_response <- function(y, data, name = "y") {
    refuse_if(inherits(y, "pairwise_constraints"), "`{name}` must be a class or
              number per sample; relieff_sc() and glean() rank by pairs.")
    refuse_class_if(is.null(y) || is.list(y) || !is.null(dim(y)), y, "`", name,
                    "` must be a vector or factor with one value per sample")
    match_length(y, data$n, name, features = data$p)
}

# A number per sample; NA: unknown.
as_numeric_response <- function(y, name = "y") {
    if (inherits(y, c("Date", "POSIXct", "difftime"))) y <- as.numeric(y)
    refuse_class_if(!is.numeric(y) || is.object(y) || !is.null(dim(y)), y,
                    "`", name, "` must be a numeric vector")
    y <- as.double(y)
    y[is.nan(y)] <- NA
    refuse_if(any(is.infinite(y)), "`", name, "` must be finite or NA, but ",
              "value ", which(is.infinite(y))[1L], " is infinite.")
    y
}

# `y` as classes of the samples of the data:
#   code     per sample, from 0; -1 for unknown
#   levels   names of the classes
#   known    numbers of the labelled samples
class_response <- function(y, data) {
    match_response(y, data)
    labels <- check_two_classes(as_class_labels(y, "y"))
    warn_many_numbers(y)
    code <- as.integer(labels) - 1L
    code[is.na(code)] <- -1L
    known <- which(code >= 0L)
    # an identifier or a numeric outcome
    refuse_if(nlevels(labels) > 2L && nlevels(labels) == length(known), "`y`
              must have samples that share a class, but all known values differ:
              rrelieff() ranks by a numeric `y`.")
    list(code = code, levels = levels(labels), known = known)
}

# Ages and counts are numbers, though whole ones.
has_many_numbers <- function(y, most = 20L) {
    is.numeric(y) && length(unique(y[!is.na(y)])) > most
}

warn_many_numbers <- function(y, advice = "rrelieff() ranks by a numeric `y`") {
    warn_if(has_many_numbers(y), "`y` has {length(unique(y[!is.na(y)]))}
            different numbers, each a class; {advice}.", class = "outcome")
}

check_two_classes <- function(labels) {
    refuse_if(nlevels(labels) < 2L, "`y` must have at least two classes, but it
              has only {c(quote_each(levels(labels)), NA)[1L]}.")
    labels
}

# Numbers to predict, not classes: whole numbers are classes, as everywhere, but
# dates, times and durations are not.
holds_numbers <- function(y) {
    inherits(y, c("Date", "POSIXct", "difftime")) ||
        is.double(y) && is.numeric(y) && is.null(dim(y)) &&
            any(y != floor(y), na.rm = TRUE)
}

# `y` as numbers: the same list with a single class, and `value`.
numeric_response <- function(y, data) {
    match_response(y, data)
    value <- as_numeric_response(y)
    known <- which(!is.na(value))
    refuse_if(length(unique(value[known])) < 2L, "`y` must have at least two
              different values, but it has {length(unique(value[known]))}.")
    code <- rep(-1L, data$n)
    code[known] <- 0L
    list(code = code, levels = "all", known = known, value = value)
}

# ---- `y` among the features -------------------------------------------------

# Warns of features that are `y` itself: the same numbers, or a factor or
# logical feature with one value for each class. `y`: classes or numbers of the
# samples of `data`. Containers keep outcomes elsewhere, so only matrices and
# data.frames in memory are searched. With very few labelled samples a feature
# of two values may equal `y` by chance, about p / 2^(n - 1) of them.
warn_outcome_ranked <- function(y, data) {
    known <- which(!is.na(y))
    if (data$layout != "columns" || length(known) < log2(data$p) + 5)
        return(invisible())
    # of classes a feature has the value of the first sample of each class,
    # another one in every class; numbers and dates are equal
    numbers <- holds_numbers(y) ||
        is.numeric(y) && mean(duplicated(y[known])) < 0.5
    first <- if (!numbers) known[match(y[known], y[known])]
    agrees <- function(j, at) {
        own <- if (numbers) as.double(y[known[at]]) else
            data$values[first[at], j]
        data$values[known[at], j] == own
    }
    same <- which(!numbers | data$kind == "numeric")
    # few are left after some samples, taken from all over because rows are
    # often sorted
    for (at in unique(round(seq(1, length(known), length.out = 64L))))
        same <- same[which(agrees(same, at))]
    same <- data$features[Filter(function(j) {
        isTRUE(all(agrees(j, seq_along(known)))) &&
            (numbers || !anyDuplicated(data$values[unique(first), j]))
    }, same)]
    warn_if(length(same), "`y` itself is a feature: {quote_values(same)}; leave
            out what was not measured independently.", class = "outcome")
}

# ---- classes of test samples ------------------------------------------------

# `names`: those of the samples, or NULL.
check_classes <- function(y, name, samples, of, names = NULL) {
    classes <- match_length(as_class_labels(y, name), samples, name, of)
    classes <- match_places(classes, names, name, of)
    refuse_if(all(is.na(classes)),
              "`", name, "` must contain a known class, but all are NA.")
    classes
}

# `levels`: the classes that there are.
check_predictions <- function(classes, count, levels) {
    refuse_value_if(!is.atomic(classes) || length(classes) != count, classes,
                    "`classifier` must return a class for each of {count} rows")
    refuse_if(anyNA(classes), "`classifier` must return a class for every
              sample, but that of sample {which(is.na(classes))[1L]} is NA.")
    refuse_if(is.double(classes) && any(classes != floor(classes)),
              "`classifier` must return classes, or a matrix of probabilities ",
              "with a column named by each class, not numbers with fractions.")
    classes <- as_names(classes)
    other <- which(!classes %in% levels)
    refuse_if(length(other), "`classifier` must return classes of `y`, ",
              quote_values(levels), ", but that of sample ", other[1L], " is ",
              quote_values(classes[other[1L]]), ".")
    classes
}

# ==== formulas ================================================================

# Calls with a formula, as other packages have them: relieff(class ~ ., data =
# heart). A function that accepts them begins with
#
#     if (has_formula(x, ...)) return(rank_by_formula())
#
# so that its arguments stay those of data in `x`.

# The same for y = "class", a column of a data.frame.
has_formula <- function(x, ..., y = NULL) {
    "formula" %in% names(substitute(list(...))) || !missing(x) &&
        (inherits(x, "formula") || !missing(y) && names_column(y, x))
}

names_column <- function(y, x) {
    is_text(y) && is.data.frame(x) && nrow(x) > 1L && y %in% names(x)
}

# list(x, y): a column of a data.frame by its name, which is no feature then.
split_column <- function(x, y, what = "a class or number per sample") {
    check_given(x, data_words)
    check_given(y, what)
    if (!names_column(y, x)) return(list(x = x, y = y))
    list(x = as.data.frame(x)[names(x) != y], y = x[[y]])
}

# The call of the function above with columns of `data` as `x` and `y`.
# `takes_y`: does the ranking use `y`? Otherwise the left side only says what is
# no feature.
rank_by_formula <- function(takes_y = "y" %in% names(formals(ranker))) {
    ranker <- sys.function(sys.parent())
    frame <- parent.frame(2L)
    given <- lapply(as.list(match.call(ranker, sys.call(sys.parent()),
                                       envir = frame))[-1L], eval, frame)
    if (!is.null(given$y) && names_column(given$y, given$x)) {
        given[c("x", "y")] <- split_column(given$x, given$y)
        return(do.call(ranker, given, quote = TRUE))
    }
    # data without their name are the next argument
    if (is.null(given$data)) {
        at <- Filter(function(name) is.data.frame(given[[name]]),
                     c(if (!is.null(given$formula)) "x", "y", "constraints"))
        given$data <- given[[at[1L]]]
        given[at[1L]] <- NULL
    }
    formula <- given$formula %||% given$x
    data <- given$data
    if (is.matrix(data) && !is.null(colnames(data))) data <- as.data.frame(data)
    refuse_class_if(!inherits(formula, "formula") || !is.data.frame(data), data,
                    "`data` must be a data.frame with the columns of ",
                    "the formula, as in relieff(class ~ ., data = heart)")
    known <- names(data)
    refuse_duplicated(known, "`data` must name each column once")
    response <- if (length(formula) == 3L) formula_columns(formula[[2L]], known)
    refuse_if(length(response) > 1L, "The formula must have one column on its ",
              "left side, not ", quote_values(response), ".")
    features <- formula_columns(formula[[length(formula)]], known, response)
    given[c("x", "formula", "data")] <- NULL
    if (takes_y && length(response)) {
        refuse_if(!is.null(given$y), "`y` must be left out, because the ",
                  "formula names it: ", quote_values(response), ".")
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
    named <- character()
    # a + b - c is (a + b) - c: what is still to be read, the first part last
    parts <- list(list(side, TRUE))
    while (length(parts)) {
        part <- parts[[length(parts)]][[1L]]
        added <- parts[[length(parts)]][[2L]]
        parts[[length(parts)]] <- NULL
        sign <- if (is.call(part)) as.character(part[[1L]])[1L] else ""
        if (sign %in% c("+", "-") && length(part) == 3L) {
            own <- if (sign == "+") added else !added
            parts <- c(parts, list(list(part[[3L]], own),
                                   list(part[[2L]], added)))
        } else if (sign == "(") {
            parts <- c(parts, list(list(part[[2L]], added)))
        } else {
            columns <- formula_part(part, known, response)
            named <- if (added) union(named, columns) else
                setdiff(named, columns)
        }
    }
    named
}

formula_part <- function(part, known, response) {
    # the intercept means nothing here
    if (is.numeric(part) && part %in% 0:1) return(character())
    name <- if (is.name(part)) as.character(part)
    if (identical(name, ".")) return(setdiff(known, response))
    refuse_if(is.null(name) || !name %in% known, "The formula must name ",
              "columns of `data`, joined by + and -, but ",
              quote_values(substr(paste(deparse(part), collapse = " "), 1L,
                                  40L)), " is not one",
              if (is.null(name)) "; compute it as a column first", ".",
              if (!is.null(name)) suggest_name(name, known))
    name
}
