# Subsets of samples, or of cells, of data of any kind, in the same kind, as
# resampling needs them. Containers of Bioconductor have samples in columns.

samples_in_columns <- function(x) {
    methods::is(x, "SummarizedExperiment") ||
        methods::is(x, "ExpressionSet") || inherits(x, "EList")
}

# `x`, or, of a class that has no rows and columns, its prepared data.
as_samples <- function(x) {
    check_given(x, data_words)
    if (has_rows(x)) x else prepare_data(x)
}

# A lazy table has NA rows.
has_rows <- function(x) length(dim(x)) == 2L && !anyNA(dim(x))

count_samples <- function(x) {
    check_given(x, data_words)
    if (!has_rows(x)) prepare_data.default(x)
    check_slots(x)
    if (samples_in_columns(x)) ncol(x) else nrow(x)
}

# list(n, samples, p, features): how many samples and features, and their names
# or NULL.
sample_axis <- function(x) {
    if (!missing(x) && inherits(x, "prepared_data"))
        return(unclass(x)[c("n", "samples", "p", "features")])
    n <- count_samples(x)
    across <- samples_in_columns(x)
    list(n = n, samples = if (across) colnames(x) else own_row_names(x),
         p = if (across) nrow(x) else ncol(x),
         features = if (across) rownames(x) else colnames(x))
}

# The names of the features, V1, V2, ... if they have none.
feature_names <- function(x) {
    axis <- sample_axis(x)
    axis$features %||% paste0("V", seq_len(axis$p))
}

take_samples <- function(x, rows) {
    if (inherits(x, "prepared_data")) return(take_cells(x, rows, seq_len(x$p)))
    if (samples_in_columns(x)) x[, rows] else x[rows, , drop = FALSE]
}

# Some samples and features of the data, of the same class; of a data.frame of
# any kind a plain one.
take_cells <- function(x, rows, features) {
    if (inherits(x, "prepared_data")) return(take_prepared(x, rows, features))
    if (samples_in_columns(x)) return(x[features, rows])
    if (!is.data.frame(x)) return(x[rows, features, drop = FALSE])
    as.data.frame(lapply(as.list(x)[features], `[`, rows), optional = TRUE,
                  stringsAsFactors = FALSE)
}

take_prepared <- function(x, rows, features) {
    check_undamaged(prepared_problem(x), "x", "prepare_data()")
    values <- switch(x$layout,
        columns = , sparse = x$values[rows, features, drop = FALSE],
        rows = , `by sample` = x$values[features, rows, drop = FALSE],
        reader = function(first, count) {
            read_features(x, features[first - 1 + seq_len(count)])[
                rows, , drop = FALSE]
        }
    )
    settings <- c(x$settings, list(control = x$control))
    # else the name of a column
    given <- intersect(c("block", "unit"), names(which(lengths(settings) > 1L)))
    settings[given] <- lapply(settings[given], `[`, rows)
    if (!is.null(dim(settings$space)))
        settings$space <- settings$space[rows, , drop = FALSE]
    rows_of <- function(table) table[rows, , drop = FALSE]
    part <- as_parts(new_prepared_data(
        values, x$layout, c(length(rows), length(features)),
        x$features[features], x$samples[rows], x$kind[features], settings,
        block = x$block, container = x$container, one_unit = x$one_unit,
        types = x$types, whole = x,
        sample_data = if (!is.null(x$sample_data)) rows_of(x$sample_data),
        spaces = if (!is.null(x$spaces)) lapply(x$spaces, rows_of)
    ))
    part$clusters <- if (!is.null(x$clusters))
        list(size = x$clusters$size[rows],
             deviation = x$clusters$deviation[features])
    part
}

# Both halves together, so that factors have the same codes and a test set may
# be a single sample; NULL if samples are not rows.
stack_samples <- function(train, test) {
    frames <- is.data.frame(train) && is.data.frame(test)
    by_rows <- function(x) is.matrix(x) || methods::is(x, "Matrix")
    if (!frames && !(by_rows(train) && by_rows(test))) return(NULL)
    for (half in list(train, test)) {
        refuse_duplicated(colnames(half), "`train` and `test` must have a ",
                          "different name for every feature", class = "input")
    }
    if (!is.null(colnames(train)) && !is.null(colnames(test))) {
        common <- intersect(colnames(train), colnames(test))
        if (frames) {
            # other kinds of data.frame have their own `[`
            train <- as.data.frame(train)
            test <- as.data.frame(test)
        }
        train <- train[, common, drop = FALSE]
        test <- test[, common, drop = FALSE]
    } else if (ncol(train) != ncol(test)) {
        return(NULL)
    }
    all <- rbind(train, test)
    rownames(all) <- NULL
    list(all = all, train = seq_len(nrow(train)))
}

# ---- sample data ------------------------------------------------------------

# list(columns, noun, n, samples) of the sample data of a container, or of a
# table with a row per sample; `samples`: names, or NULL.
sample_table <- function(x) {
    check_given(x, "a container or a data.frame")
    table <- if (inherits(x, "prepared_data")) {
        list(columns = x$sample_data, noun = "the sample data")
    } else if (methods::is(x, "SummarizedExperiment")) {
        need_package("SummarizedExperiment", x)
        list(columns = SummarizedExperiment::colData(x), noun = "the colData")
    } else if (methods::is(x, "ExpressionSet")) {
        need_package("Biobase", x)
        list(columns = Biobase::pData(x), noun = "the pData")
    } else if (inherits(x, "EList")) {
        list(columns = array_targets(x), noun = "the `targets`")
    } else if (is.data.frame(x) || methods::is(x, "DataFrame")) {
        list(columns = x, noun = "the data.frame")
    } else {
        refuse_class_if(TRUE, x, "`x` must contain columns of sample data: a
                        SummarizedExperiment, an ExpressionSet or a data.frame")
    }
    c(table, sample_axis(x))
}

# The table of the arrays of an EList, which may have none.
array_targets <- function(x) {
    if (is.null(x$targets)) data.frame(row.names = colnames(x$E)) else
        match_places(as.data.frame(x$targets), colnames(x$E), "targets")
}

# The values of one column. `argument`: the argument that named it.
sample_column <- function(table, name, argument) {
    known <- names(table$columns)
    refuse_value_if(!is_text(name), name,
                    "`", argument, "` must be the name of one column")
    refuse_if(!name %in% known, "`", argument, "` is ", describe_value(name),
              ", but ", describe_columns(table), ".")
    plain_column(table$columns[[name]])
}

# Run-length encoded columns, arrays of one dimension and others; a table in a
# column stays one.
plain_column <- function(values) {
    if (methods::is(values, "Rle")) return(rep(values@values, values@lengths))
    if (isS4(values) && is.null(dim(values)))
        return(tryCatch(as.vector(values), error = function(e) values))
    if (length(dim(values)) == 1L || is.matrix(values) && ncol(values) == 1L)
        values <- stats::setNames(`dim<-`(values, NULL), dimnames(values)[[1L]])
    values
}

describe_columns <- function(table) {
    known <- names(table$columns)
    paste(table$noun, if (!length(known)) "has no columns" else
        paste(if (length(known) > 1L) "has the columns" else "has the column",
              quote_values(known, 8L)))
}

# `y` of a method: the name of a column of a container's sample data is replaced
# by that column. `table`: the result of sample_table(), NULL if `x` has none.
named_response <- function(y, x, name = "y", of = "x") {
    check_given(x, data_words)
    check_given(y, "a class or number per sample")
    if (is.data.frame(y) && length(y) == 1L) {
        rows <- own_row_names(y)
        y <- y[[1L]]
        if (is.null(dim(y))) names(y) <- rows
    }
    y <- plain_column(y)
    if (!is_text(y)) {
        # checked before a cell is read, because wrong data may be very large
        several <- is.atomic(y) && is.null(dim(y)) && length(y) > 1L
        return(if (several && length(dim(x)) == 2L) {
            axis <- sample_axis(x)
            match_length(y, axis$n, name, of,
                         if (!samples_in_columns(x)) ncol(x))
            match_places(y, axis$samples, name, of)
        } else {
            y
        })
    }
    if (samples_in_columns(x) ||
        inherits(x, "prepared_data") && !is.null(x$sample_data)) {
        table <- sample_table(x)
        return(if (table$n == 1L) y else sample_column(table, y, name))
    }
    # a single test sample has one class
    refuse_if(NROW(x) > 1L && y %in% colnames(x), "`{name}` must be a value per
              sample, not the name of a feature: give the values of \"{y}\".")
    refuse_if(NROW(x) > 1L, "`{name}` must be a value per sample, and \"{y}\" is
              no column of `{of}`.", suggest_name(y, colnames(x)))
    y
}

# ---- a selection ------------------------------------------------------------

# At most `most` of the values, evenly selected.
some_of <- function(values, most) {
    count <- length(values)
    values[round(seq(1, count, length.out = min(count, most)))]
}
