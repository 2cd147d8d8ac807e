# What is known of the samples: class labels.

# A factor without empty levels, in the order of the levels or values; NA:
# unlabelled.
as_class_labels <- function(labels, name = "labels") {
    whole <- is.numeric(labels) && !is.factor(labels) &&
        all(labels == floor(labels), na.rm = TRUE)
    known <- is.factor(labels) || is.character(labels) ||
        is.logical(labels) || whole
    if (!known || !is.null(dim(labels))) {
        given <- if (is.numeric(labels)) "numbers with fractions" else
            describe_class(labels)
        abort_linkrank("`", name, "` must be a factor, or a vector of text, ",
                       "TRUE and FALSE, or whole numbers, not ", given, ".",
                       class = "argument")
    }
    if (is.factor(labels)) droplevels(labels) else factor(labels)
}
