# Predictions for test samples along a ranking: the data of both halves, the
# nearest neighbours, user-defined classifiers.

# ---- the data of both halves ------------------------------------------------

# list(train, test, rows, names): the data of both halves, which may be the
# same, and the rows and names of each.
read_halves <- function(train, test, called) {
    read <- function(x) {
        # a single test sample is allowed
        data <- as_parts(prepare_data(
            x, assay.type = called$assay.type, fewest = 1L,
            threads = called$control$threads,
            progress = called$control$progress))
        if (identical(called$na.action, "fail")) refuse_missing(data) else data
    }
    stacked <- stack_samples(train, test)
    if (!is.null(stacked)) {
        data <- read(stacked$all)
        rows <- list(train = stacked$train,
                     test = setdiff(seq_len(data$n), stacked$train))
        return(list(train = data, test = data, rows = rows,
                    names = list(train = colnames(train),
                                 test = colnames(test))))
    }
    halves <- warn_once(list(train = read(train), test = read(test)))
    a <- halves$train
    b <- halves$test
    refuse_if(any(c(a$kind, b$kind) == "factor") && !identical(a$types,
              b$types), "`train` and `test` must have the same levels: give both
              as data.frames, or as parts of the same prepared data.")
    c(halves, list(rows = list(train = seq_len(a$n), test = seq_len(b$n)),
                   names = list(train = a$features, test = b$features)))
}

# list(train, test, counts): the cells of some features in this order, scaled
# over the training samples `kept`, which are the only ones returned; counts:
# number of columns of the first 1, 2, ... features.
scaled_halves <- function(halves, features, kept, scale) {
    for (half in names(halves$names)) {
        lacking <- setdiff(features, halves$names[[half]] %||%
                               halves[[half]]$features)
        refuse_if(length(lacking), "`", half, "` must have the features of ",
                  "the ranking, but it has no ", quote_values(lacking), ".")
    }
    places <- match(features, halves$train$features)
    train <- read_features(halves$train, places)
    train <- train[halves$rows$train[kept], , drop = FALSE]
    test <- read_features(halves$test, match(features, halves$test$features))
    test <- test[halves$rows$test, , drop = FALSE]
    kind <- halves$train$kind[places]
    scaled <- column_scaling(sort_columns(train), kind == "numeric", scale)
    train <- scaled(train)
    test <- scaled(test)
    # A factor of more than two levels: indicators of 0 and 1/2, each twice, so
    # that the distance of two levels is exactly 1.
    colnames(train) <- colnames(test) <- features
    values <- lapply(seq_along(features), function(j) {
        if (kind[j] == "factor") sort(unique(c(train[, j], test[, j])))
    })
    wide <- lengths(values) > 2L
    if (!any(wide))
        return(list(train = train, test = test, counts = seq_along(features)))
    widen <- function(u) {
        do.call(cbind, lapply(seq_along(features), function(j) {
            if (!wide[j]) return(u[, j, drop = FALSE])
            outer(u[, j], rep(values[[j]], each = 2L), "==") * 0.5
        }))
    }
    list(train = widen(train), test = widen(test),
         counts = cumsum(ifelse(wide, 2L * lengths(values), 1L)))
}

# As scaled_data(), but of the training samples only, which need not be all, and
# no bit may depend on their order: sums run from the smallest to the largest
# value. A function that scales these columns of any samples: a missing cell
# becomes the mean, a constant column 0. `ordered`: as sort_columns() has them;
# `scale` is that of the `numeric` columns.
column_scaling <- function(ordered, numeric, scale) {
    n <- colSums(!is.na(ordered))
    each <- nrow(ordered)
    center <- ordered[1L, ]
    divisor <- ordered[cbind(pmax(n, 1L), seq_along(n))] - center
    constant <- !n | divisor == 0
    if (scale == "none") {
        center[numeric] <- 0
        divisor[numeric] <- 1
    } else if (scale == "zscore") {
        center[numeric] <- (colSums(ordered, na.rm = TRUE) / n)[numeric]
        squares <- sort_columns((ordered - rep(center, each = each))^2)
        sd <- sqrt(colSums(squares, na.rm = TRUE) / (n - 1))
        divisor[numeric] <- sd[numeric]
    }
    divisor[constant] <- Inf
    scaled <- function(values, each = nrow(values)) {
        (values - rep(center, each = each)) / rep(divisor, each = each)
    }
    fill <- ifelse(constant, 0, colSums(scaled(ordered), na.rm = TRUE) / n)
    function(values) {
        u <- scaled(values)
        lacking <- which(is.na(u), arr.ind = TRUE)
        u[lacking] <- fill[lacking[, 2L]]
        u
    }
}

# Each column from the smallest to the largest value, NA last. One call of
# order() takes a thirtieth of the time of sort() for each.
sort_columns <- function(values) {
    values[] <- values[order(col(values), values)]
    values
}

# ---- scores of predictions --------------------------------------------------

# What class_scores() takes, or number_scores().
predict_by_nearest <- function(ranking, halves, known, counts, settings) {
    kept <- which(!is.na(known$y))
    refuse_if(!length(kept), "`y` must be known for some training sample, but ",
              "it is NA for all.")
    # sums run from the smallest to the largest number
    kept <- kept[order(as.numeric(known$y)[kept])]
    cells <- scaled_halves(halves, utils::head(ranking$feature, max(counts)),
                           kept, settings$scale)
    cells$counts <- as.integer(cells$counts[counts])
    k <- as.integer(min(settings$k, length(kept)))
    if (is.null(known$positive)) {
        return(.Call(C_nearest_along, cells, list(y = known$y[kept]), k,
                     settings$control)$result)
    }
    code <- function(y) match(as.character(y), known$levels) - 1L
    truth <- code(known$y_test)
    outcome <- list(label = code(known$y[kept]), classes = nlevels(known$y),
                    truth = ifelse(is.na(truth), -1L, truth),
                    # by probabilities of the classes, or all predictions
                    shares = any(vapply(settings$metric, function(one) {
                        is.function(one) || one == "auc"
                    }, NA)))
    found <- .Call(C_nearest_along, cells, outcome, k, settings$control)
    tally_of_votes(found, truth, known$levels)
}

# Sums of columns that do not depend on the order of the values: ones and zeros,
# and then the others from the smallest to the largest.
sums_in_order <- function(values) {
    part <- values != 0 & values != 1
    colSums(replace(values, part, 0)) +
        colSums(sort_columns(replace(values, !part, 0)))
}

# What class_scores() takes. `found`: predicted proportions of the true class,
# test samples x counts, the total predicted for each class, training classes x
# counts, and the shares of the votes, test samples x training classes x counts,
# or NULL. `truth`: the class of each test sample, from 0.
tally_of_votes <- function(found, truth, levels) {
    counts <- ncol(found$result)
    known <- which(!is.na(truth))
    right <- given <- matrix(0, length(levels), counts,
                             dimnames = list(levels, NULL))
    given[seq_len(nrow(found$mass)), ] <- found$mass
    for (class in seq_along(levels)) {
        right[class, ] <- sums_in_order(
            found$result[which(truth == class - 1L), , drop = FALSE])
    }
    list(right = right, given = given,
         own = stats::setNames(tabulate(truth + 1L, length(levels)), levels),
         truth = levels[truth[known] + 1L],
         shares = if (!is.null(found$shares)) {
             lapply(seq_len(counts), function(at) {
                 # equal shares that were added up in another order stay equal
                 one <- round(found$shares[known, , at, drop = FALSE], 12L)
                 matrix(one, length(known),
                        dimnames = list(NULL, levels[seq_len(ncol(one))]))
             })
         })
}

# ---- predictions of a user's classifier --------------------------------------

predict_by_classifier <- function(classifier, ranking, train, test, known,
                                  counts, metric) {
    kept <- which(!is.na(known$y))
    train <- take_samples(train, kept)
    predicted <- lapply(counts, function(n) {
        # names of `y` would pass for those of predictions
        call_classifier(classifier, keep_features(train, ranking, n),
                        unname(known$y[kept]), keep_features(test, ranking, n))
    })
    samples <- length(known$y_test)
    if (is.null(known$positive)) {
        numbers <- vapply(predicted, check_predicted_numbers,
                          numeric(samples), samples)
        return(matrix(numbers, samples))
    }
    tally_of_predictions(predicted, known,
                         any(vapply(metric, identical, NA, "auc")))
}

# knn() of package class and functions like it call the classes of the training
# samples `cl`.
call_classifier <- function(classifier, train, y, test) {
    by_class <- all(c("train", "test", "cl") %in%
                        names(formals(args(classifier))))
    found <- tryCatch(
        if (by_class) classifier(train = train, test = test, cl = y) else
            classifier(train, y, test),
        error = function(condition) abort_called(
            condition, "`classifier`, called as classifier(train, y, test),"
        )
    )
    match_returned(found, sample_axis(test)$samples, "classifier", "test",
                   sample_axis(train)$samples)
}

# What class_scores() takes. `predicted`: for each count the classes of the test
# samples, or their probabilities.
tally_of_predictions <- function(predicted, known, areas) {
    levels <- known$levels
    there <- which(!is.na(known$y_test))
    truth <- as.character(known$y_test)[there]
    shares <- lapply(predicted, function(found) {
        several <- is.data.frame(found) && all(vapply(found, is.numeric, NA)) ||
            is.numeric(found) && length(dim(found)) > 1L && ncol(found) > 1L
        refuse_class_if(areas && !several, found, "`classifier` must return ",
                        "probabilities for metric \"auc\", a matrix with a ",
                        "column named by each class")
        check <- if (several) check_probabilities else check_predictions
        found <- check(found, length(known$y_test),
                       if (several) levels(known$y) else levels)
        if (is.matrix(found)) found[there, , drop = FALSE] else found[there]
    })
    parts <- lapply(shares, predicted_parts, levels)
    by_class <- function(sums) {
        found <- vapply(parts, sums, numeric(length(levels)))
        matrix(found, length(levels), dimnames = list(levels, NULL))
    }
    # one where a sample's own class is
    own <- outer(truth, levels, `==`) + 0
    list(right = by_class(function(part) colSums(part * own)),
         given = by_class(colSums), own = stats::setNames(colSums(own), levels),
         truth = truth, shares = shares)
}

# Samples x classes: 1 where a class is predicted, equal parts for the most
# probable classes.
predicted_parts <- function(found, levels) {
    if (!is.matrix(found)) return(outer(found, levels, `==`) + 0)
    parts <- matrix(0, nrow(found), length(levels),
                    dimnames = list(NULL, levels))
    most <- do.call(pmax, lapply(seq_len(ncol(found)), function(j) found[, j]))
    chosen <- found >= most - 1e-12
    parts[, colnames(found)] <- chosen / rowSums(chosen)
    parts
}

# A matrix, test samples x classes of the training samples.
check_probabilities <- function(found, samples, classes) {
    found <- as.matrix(found)
    refuse_if(nrow(found) != samples || !setequal(colnames(found), classes),
              "`classifier` must return probabilities: ", samples,
              " rows, one per sample, and a column for each class (",
              quote_values(classes), "), not ", nrow(found),
              " rows and columns ",
              if (is.null(colnames(found))) "without names" else
                  quote_values(colnames(found)), ".")
    refuse_if(anyNA(found), "`classifier` must return a probability for every ",
              "sample, but that of sample ",
              which(rowSums(is.na(found)) > 0)[1L], " is NA.")
    found[, classes, drop = FALSE]
}

check_predicted_numbers <- function(numbers, count) {
    refuse_if(!is.numeric(numbers) || length(numbers) != count ||
                  anyNA(numbers), "`classifier` must return one number for ",
              "each of ", count, " samples when `y` contains numbers, not ",
              if (anyNA(numbers)) "NA" else describe_value(numbers), ".")
    as.numeric(numbers)
}
