# What is known of the samples: class labels.

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

# Is there one value for each sample of the data?
match_response <- function(y, data, name = "y") {
    if (length(y) != data$n) {
        abort_linkrank("`", name, "` must hold one value per sample, but it ",
                       "has ", length(y), " and `x` has ", data$n,
                       " samples.", class = "argument")
    }
    y
}

# A number per sample; NA: unknown.
as_numeric_response <- function(y, name = "y") {
    if (!is.numeric(y) || is.factor(y) || !is.null(dim(y))) {
        abort_linkrank("`", name, "` must be a numeric vector, not ",
                       describe_class(y), ".", class = "argument")
    }
    y <- as.double(y)
    y[is.nan(y)] <- NA
    if (any(is.infinite(y))) {
        abort_linkrank("`", name, "` must be finite or NA, but value ",
                       which(is.infinite(y))[1L], " is infinite.",
                       class = "argument")
    }
    y
}
