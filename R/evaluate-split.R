# Row numbers of training and test samples, ascending: a share of each class,
# rounded up to whole samples, drawn or the first in row order. Unlabelled
# samples are a class. Of units, these are the samples.
split_half <- function(y, type = "random", share = 1 / 2) {
    classes <- as_class_labels(y, "y")
    refuse_if(length(classes) < 2L, "`y` must have at least 2 samples to be ",
              "halved, not ", length(classes), ".")
    rows <- split(seq_along(classes), addNA(classes, ifany = TRUE))
    train <- lapply(rows, function(own) {
        if (type == "random") {
            own <- own[sample.int(length(own))]
        }
        # 2/3 of 3 must be 2 in spite of rounding
        utils::head(own, ceiling(share * length(own) - 1e-9))
    })
    train <- sort(unlist(train, use.names = FALSE))
    refuse_if(!length(train) || length(train) == length(classes),
              "`share` must leave samples for training and for testing, but ",
              format(share), " of ", length(classes), " samples does not.")
    list(train = train, test = setdiff(seq_along(classes), train))
}
