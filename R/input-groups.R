# Groups and blocks of samples as an analysis takes them.

# ==== groups ==================================================================

# Groups of samples compared feature by feature.

# Mean, sum of squares and count above 0 of each group and block, and areas
# under the curve: see r_markers.c; `cells`: their columns, groups x blocks.
# code, block: per sample from 1; NA: in no group. `auc`: "none", "mean" over
# the other groups, or of all "pairs".
group_moments <- function(data, code, count, block = NULL, auc = "none",
                          control = default_control()) {
    blocks <- if (is.null(block)) 1L else max(block, na.rm = TRUE)
    cell <- code - 1L + count * (if (is.null(block)) 0L else block - 1L)
    cell[is.na(cell)] <- -1L
    size <- as.double(tabulate(cell + 1L, count * blocks))
    columns <- switch(auc, none = 0, mean = count, pairs = count^2)
    moments <- .Call(C_group_moments, data,
                     list(groups = as.integer(count),
                          blocks = as.integer(blocks),
                          cell = as.integer(cell), count = size),
                     as.double(columns), control)
    c(moments, list(size = size, groups = count, blocks = blocks,
                    cells = matrix(seq_along(size), count)))
}

# Blocks x groups: of group g and each other one, the shares of the blocks that
# hold both; 0 where none does.
block_shares <- function(moments, g) {
    size <- t(matrix(moments$size, moments$groups))
    weight <- size * size[, g] / (size + size[, g])
    weight[is.nan(weight)] <- 0
    total <- colSums(weight)
    weight / rep(ifelse(total > 0, total, 1), each = moments$blocks)
}

# ---- groups as samples ------------------------------------------------------

# The data with the means of groups as their samples. `by`: the group of each
# sample, or the name of a column of the sample data.
group_samples <- function(data, by) {
    labels <- as_class_labels(named_response(by, data, "by"), "by")
    match_response(labels, data, "by")
    refuse_if(nlevels(labels) < 3L, "`by` must have at least 3 groups, not ",
              nlevels(labels), ".")
    unknown <- sum(is.na(labels))
    inform_if(unknown > 0L, "Left out: ", count_noun(unknown, "sample"),
              " without a group in `by`.", class = "groups")
    refuse_factors(data)
    code <- as.integer(labels)
    moments <- group_moments(data, code, nlevels(labels))
    values <- t(moments$mean)
    values[is.nan(values)] <- NA
    # A value per group: of coordinates the means, of a column what all samples
    # of each group share.
    first <- match(seq_along(levels(labels)), code)
    grouped <- which(!is.na(code))
    shared <- function(column) {
        is.null(dim(column)) && !isS4(column) &&
            identical(as.vector(column)[first][code[grouped]],
                      as.vector(column)[grouped])
    }
    settings <- c(data$settings, list(control = data$control))
    for (name in c("block", "unit")) {
        if (length(settings[[name]]) == data$n) {
            refuse_if(!shared(settings[[name]]), "`", name, "` must be the ",
                      "same for all samples of a group in `by`.")
            settings[[name]] <- settings[[name]][first]
        }
    }
    columns <- Filter(shared, lapply(as.list(data$sample_data), plain_column))
    spaces <- lapply(data$spaces, function(points) {
        rowsum(points[grouped, , drop = FALSE], code[grouped]) /
            as.vector(table(code))
    })
    deviation <- sqrt(rowSums(moments$square, na.rm = TRUE) /
                       max(sum(moments$size) - nlevels(labels), 1))
    means <- new_prepared_data(
        values, "columns", dim(values), data$features, levels(labels),
        "numeric", settings, container = data$container,
        one_unit = data$one_unit, spaces = spaces,
        sample_data = if (length(columns))
            as.data.frame(lapply(columns, function(column) column[first]),
                          optional = TRUE)
    )
    means$clusters <- list(size = moments$size, deviation = deviation)
    means
}

# ==== blocks ==================================================================

# Blocks of samples, such as batches, and biological units, such as donors, as
# codes.

# Code per sample, from 1; NA where it is not known; NULL where nothing is
# given: `block_of` and `unit_of` of prepared data. `name`: "block" or "unit".
read_codes <- function(data, name, given = data$settings[[name]]) {
    if (is.null(given)) return(NULL)
    labels <- as_class_labels(named_response(given, data, name), name)
    match_response(labels, list(n = count_samples(data)), name)
    as.integer(labels)
}

# A code of its own for each sample whose code is not known.
number_unknown <- function(code) {
    unknown <- which(is.na(code))
    code[unknown] <- max(code, 0L, na.rm = TRUE) + seq_along(unknown)
    code
}

# The unit of each sample, as a code; NULL: none is given. A sample whose unit
# is not known is a unit of its own. `x`: data as given or prepared; `unit`: as
# given in a call, besides.
known_unit <- function(x, unit = NULL) {
    code <- if (!is.null(unit)) read_codes(x, "unit", unit) else
        if (inherits(x, "prepared_data")) x$unit_of
    unknown <- sum(is.na(code))
    inform_if(unknown > 0L, "`unit` is NA for ", count_noun(unknown, "sample"),
              ", each of which counts as a unit of its own.", class = "unit")
    if (is.null(code)) note_no_unit(x)
    number_unknown(code)
}

# Columns of sample data that name what the samples are taken from.
unit_columns <- paste0("^(donor|patient|subject|individual|animal|mouse)s?",
                       "([._ -]?(id|no|nr|number|name))?$")

# Tells that samples of one donor count as independent.
note_no_unit <- function(x) {
    prepared <- inherits(x, "prepared_data")
    columns <- if (prepared) x$sample_data else
        if (samples_in_columns(x)) sample_table(x)$columns
    for (name in grep(unit_columns, names(columns), ignore.case = TRUE,
                      value = TRUE)) {
        units <- length(unique(as.vector(columns[[name]])))
        samples <- count_samples(x)
        block <- prepared && identical(x$settings$block, name)
        if (units == 1L || units == samples || block) next
        return(inform_linkrank(
            "Samples are taken as independent, but column \"", name, "\" has ",
            units, " values for ", samples, " samples: give `unit = \"", name,
            "\"` if it names donors or animals.", class = "unit"))
    }
}

note_unknown_blocks <- function(count) {
    inform_if(count > 0L, "Left out of all comparisons: ",
              count_noun(count, "sample"), " whose `block` is NA.",
              class = "block")
}
