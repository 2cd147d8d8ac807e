# What is known of the samples: class labels or numbers.

# A factor without empty levels, in the order of the levels or values; NA:
# unlabelled.
as_class_labels <- function(labels, name = "labels") {
    vector <- is.null(dim(labels))
    fractions <- vector && is.numeric(labels) &&
        !all(labels == floor(labels), na.rm = TRUE)
    known <- is.factor(labels) || is.character(labels) ||
        is.logical(labels) || is.numeric(labels)
    if (!known || !vector || fractions) {
        given <- if (fractions) "numbers with fractions" else
            describe_class(labels)
        abort_linkrank("`", name, "` must be a factor, or a vector of text, ",
                       "TRUE and FALSE, or whole numbers, not ", given, ".",
                       class = "argument")
    }
    if (is.numeric(labels)) {
        labels[is.nan(labels)] <- NA
    }
    # without empty levels, and without NA as a level of its own
    factor(labels)
}

# `y` as classes of the samples of the data:
#   code     per sample, from 0; -1 where nothing is known
#   levels   names of the classes
#   known    numbers of the labelled samples
class_response <- function(y, data) {
    check_response_length(y, data)
    if (is.numeric(y) && !is.factor(y) && !all(y == floor(y), na.rm = TRUE)) {
        abort_linkrank("`y` must give classes, but it holds numbers with ",
                       "fractions: rrelieff() ranks by a numeric `y`.",
                       class = "argument")
    }
    labels <- as_class_labels(y, "y")
    if (nlevels(labels) < 2L) {
        given <- if (nlevels(labels) == 1L) {
            paste("only", quote_values(levels(labels)))
        } else {
            "no label at all"
        }
        abort_linkrank("`y` must have at least two classes, but it has ",
                       given, ".", class = "argument")
    }
    code <- as.integer(labels) - 1L
    code[is.na(code)] <- -1L
    list(code = code, levels = levels(labels), known = which(code >= 0L))
}

# `y` as numbers: the same list with a single class, and `value`.
numeric_response <- function(y, data) {
    check_response_length(y, data)
    if (!is.numeric(y) || is.object(y) || any(is.infinite(y))) {
        given <- if (is.factor(y) || !is.numeric(y)) describe_class(y) else
            if (is.object(y)) describe_class(y) else "infinite values"
        abort_linkrank("`y` must hold finite numbers, or NA where nothing is ",
                       "known, not ", given, ".", class = "argument")
    }
    known <- which(!is.na(y))
    if (length(unique(y[known])) < 2L) {
        abort_linkrank("`y` must have at least two different values, but it ",
                       "has ", length(unique(y[known])), ".",
                       class = "argument")
    }
    code <- rep(-1L, data$n)
    code[known] <- 0L
    list(code = code, levels = "all", known = known, value = as.numeric(y))
}

check_response_length <- function(y, data) {
    if (is.null(y) || is.list(y) || !is.null(dim(y))) {
        abort_linkrank("`y` must be a vector or factor with one value per ",
                       "sample, not ", describe_class(y), ".",
                       class = "argument")
    }
    if (length(y) != data$n) {
        abort_linkrank("`y` must have one value per sample, but it has ",
                       length(y), " and `x` has ", data$n, " samples.",
                       class = "argument")
    }
}
