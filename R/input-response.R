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
