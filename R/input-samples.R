# Some samples, or some cells, of data of any kind, as that kind: what resampling
# hands to a method. Containers of Bioconductor have samples in columns.

samples_in_columns <- function(x) {
    methods::is(x, "SummarizedExperiment") || methods::is(x, "ExpressionSet")
}

count_samples <- function(x) {
    if (length(dim(x)) != 2L) {
        as_feature_data.default(x)
    }
    if (samples_in_columns(x)) ncol(x) else nrow(x)
}

# list(n, samples): how many samples, and their names or NULL.
sample_axis <- function(x) {
    n <- count_samples(x)
    names <- if (samples_in_columns(x)) {
        colnames(x)
    } else if (is.data.frame(x)) {
        if (is.character(attr(x, "row.names"))) row.names(x)
    } else {
        rownames(x)
    }
    list(n = n, samples = names)
}

take_samples <- function(x, rows) {
    if (samples_in_columns(x)) x[, rows] else x[rows, , drop = FALSE]
}

# Some samples and features of the data, of the same class.
take_cells <- function(x, rows, features) {
    UseMethod("take_cells")
}

#' @exportS3Method
take_cells.default <- function(x, rows, features) {
    x[rows, features, drop = FALSE]
}

#' @exportS3Method
take_cells.data.frame <- function(x, rows, features) {
    part <- as.list(x)[features]
    as.data.frame(lapply(part, `[`, rows), optional = TRUE,
                  stringsAsFactors = FALSE)
}

#' @exportS3Method
take_cells.SummarizedExperiment <- function(x, rows, features) {
    x[features, rows]
}

#' @exportS3Method
take_cells.ExpressionSet <- take_cells.SummarizedExperiment

# Both halves together, so that factors have the same codes and a test set may
# be as small as one sample; NULL where samples are not rows.
stack_samples <- function(train, test) {
    frames <- is.data.frame(train) && is.data.frame(test)
    by_rows <- function(x) is.matrix(x) || methods::is(x, "Matrix")
    if (!frames && !(by_rows(train) && by_rows(test))) {
        return(NULL)
    }
    if (!is.null(colnames(train)) && !is.null(colnames(test))) {
        common <- intersect(colnames(train), colnames(test))
        train <- as_plain_frame(train)[, common, drop = FALSE]
        test <- as_plain_frame(test)[, common, drop = FALSE]
    } else if (ncol(train) != ncol(test)) {
        return(NULL)
    }
    rows <- seq_len(nrow(train))
    all <- if (frames) {
        rbind(train, test, make.row.names = FALSE)
    } else {
        rbind(train, test)
    }
    if (!frames) {
        rownames(all) <- NULL
    }
    list(all = all, train = rows)
}

# Other kinds of data.frame have a `[` of their own.
as_plain_frame <- function(x) {
    if (is.data.frame(x)) as.data.frame(x) else x
}
