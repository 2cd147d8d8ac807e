# ---- every kind of matrix ---------------------------------------------------

test_that("a matrix keeps its cells, names and ranges", {
    x <- random_matrix(8, 5)
    data <- prepare_data(x)
    expect_s3_class(data, "prepared_data")
    expect_identical(all_cells(data), unname(x))
    expect_equal(c(data$n, data$p), dim(x))
    expect_identical(data$features, colnames(x))
    expect_identical(data$samples, rownames(x))
    expect_identical(data$kind, rep("numeric", 5))
    expect_identical(data$minimum, unname(apply(x, 2, min)))
    expect_identical(data$maximum, unname(apply(x, 2, max)))
    expect_identical(data$missing, integer(5))
})

test_that("the smallest, largest and missing cell are found in any row", {
    # in column i, row i is out of the ordinary
    expect_each(1:20, function(n) {
        n <- n + 2
        x <- matrix(seq_len(n) / n, n, n)
        low <- prepare_data(x - diag(n) * 9)
        high <- prepare_data(x + diag(n) * 9)
        gap <- prepare_data(x + ifelse(diag(n) == 1, NA, 0))
        identical(low$minimum, diag(x) - 9) &&
            identical(high$maximum, diag(x) + 9) &&
            identical(gap$missing, rep(1L, n)) &&
            identical(gap$maximum, rep(c(1, (n - 1) / n), c(n - 1, 1)))
    })
})

test_that("a cell that is not finite is found in any row", {
    expect_each(1:20, function(i) {
        x <- matrix(0, 20, 2)
        x[i, 2] <- c(Inf, NaN)[i %% 2 + 1]
        refused <- tryCatch(prepare_data(x),
                            linkrank_error_input = conditionMessage)
        grepl(paste0("\"V2\" has 1 non-finite value, in sample ", i, "."),
              refused, fixed = TRUE)
    })
})

test_that("integer matrices and tables are the same data as doubles", {
    x <- count_matrix()
    whole <- x
    storage.mode(whole) <- "integer"
    expect_same_data(whole, x)
    expect_same_data(as.table(x), x)
    expect_same_data(I(x), x)
})

test_that("data.frames of every sort are the same data", {
    x <- count_matrix()
    frame <- as.data.frame(x)
    expect_same_data(frame, x)
    whole <- frame
    whole[c(2, 5, 9)] <- lapply(frame[c(2, 5, 9)], as.integer)
    expect_same_data(whole, x)
    tibble_like <- structure(frame, class = c("tbl_df", "tbl", "data.frame"))
    expect_same_data(tibble_like, x)
})

test_that("sparse matrices of every class are the same data", {
    x <- count_matrix()
    for (class in c("dgCMatrix", "dgTMatrix", "dgRMatrix", "dgeMatrix")) {
        object <- as_matrix_class(x, class)
        expect_s4_class(object, class)
        expect_same_data(object, x)
    }
})

test_that("symmetric, triangular and diagonal matrices are the same data", {
    x <- crossprod(count_matrix(7, 7))
    dimnames(x) <- NULL
    sparse <- Matrix::Matrix(x, sparse = TRUE)
    expect_same_data(Matrix::forceSymmetric(sparse), x)
    upper <- x * upper.tri(x, TRUE)
    expect_same_data(methods::as(Matrix::Matrix(upper, sparse = TRUE),
                                 "triangularMatrix"), upper)
    expect_same_data(Matrix::Diagonal(7), diag(7))
})

test_that("TRUE and FALSE are the same data in every container", {
    x <- count_matrix() > 0
    expect_identical(prepare_data(x)$kind, rep("logical", 14))
    expect_same_data(as.data.frame(x), x)
    sparse <- Matrix::Matrix(x, sparse = TRUE)
    expect_same_data(sparse, x)
    expect_same_data(methods::as(sparse, "nMatrix"), x)
})

test_that("missing values are the same in every container", {
    x <- count_matrix()
    x[cbind(c(2, 2, 9, 5), c(1, 4, 4, 14))] <- NA
    expect_identical(prepare_data(x)$missing[c(1, 4, 5)],
                     c(1L, 2L, 0L))
    whole <- x
    storage.mode(whole) <- "integer"
    expect_same_data(whole, x)
    expect_same_data(as.data.frame(x), x)
    expect_same_data(as_matrix_class(x, "dgCMatrix"), x)
    expect_same_data(x > 0, x > 0)
    expect_same_data(as.data.frame(x > 0), x > 0)
})

test_that("zeros and NA that a sparse matrix stores are cells like others", {
    x <- matrix(c(0, 2, 0, NA, 0, 1, 1, 0, -1), 3)
    sparse <- Matrix::sparseMatrix(i = rep(1:3, 3), j = rep(1:3, each = 3),
                                   x = as.vector(x))
    data <- prepare_data(sparse)
    expect_identical(all_cells(data), x)
    expect_identical(data$minimum, c(0, 0, -1))
    expect_identical(data$maximum, c(2, 1, 1))
    expect_identical(data$missing, c(0L, 1L, 0L))
})

test_that("a sparse column without entries is all zero", {
    x <- Matrix::sparseMatrix(i = c(1, 3), j = c(1, 1), x = c(-2, 4),
                              dims = c(4, 3))
    data <- prepare_data(x)
    expect_identical(data$minimum, c(-2, 0, 0))
    expect_identical(data$maximum, c(4, 0, 0))
})

test_that("wide data are read in several blocks, with the same result", {
    # 16 MB a block: 300 samples x 8000 features are more than one
    set.seed(3)
    x <- matrix(rpois(300 * 8000, 0.3), 300)
    # in any order, also one twice
    some <- c(7999L, 2L, 6990L, 2L, 6991L, 1L, 6992L, 2L, 8000L)
    double <- prepare_data(x + 0)
    for (object in list(x, methods::as(x, "CsparseMatrix"))) {
        data <- prepare_data(object)
        expect_identical(data[c("minimum", "maximum")],
                         double[c("minimum", "maximum")])
        expect_identical(.Call(C_read_features, data, some), x[, some] + 0)
    }
})

test_that("a sparse matrix is never expanded whole", {
    # 1000 samples x 10000 features: 80 MB as doubles
    set.seed(2)
    x <- Matrix::sparseMatrix(i = sample(1000, 2e4, TRUE),
                              j = sample(10000, 2e4, TRUE), x = 1,
                              dims = c(1000, 10000))
    prepare_data(x[, 1:2])
    before <- sum(gc(reset = TRUE)[, "(Mb)"])
    prepare_data(x)
    expect_lt(sum(gc()[, 6]) - before, 20)
})

# ---- data.frames ------------------------------------------------------------

test_that("columns of every kind are read by what they mean", {
    frame <- data.frame(
        double = c(0.5, NA, 2), whole = c(1L, NA, 3L),
        flag = c(TRUE, NA, FALSE),
        level = factor(c("b", NA, "a")), text = c("v", "u", NA)
    )
    data <- prepare_data(frame)
    expect_identical(data$kind,
                     c("numeric", "numeric", "logical", "factor", "factor"))
    cells <- all_cells(data)
    expect_identical(cells[, 1:4], cbind(c(0.5, NA, 2), c(1, NA, 3),
                                         c(1, NA, 0), c(2, NA, 1)))
    expect_identical(is.na(cells[, 5]), c(FALSE, FALSE, TRUE))
    expect_true(cells[1, 5] != cells[2, 5])
    expect_identical(data$missing, rep(1L, 5))
})

test_that("cells that stand for something else are known as they were given", {
    frame <- data.frame(
        number = c(0.5, 2, 3), flag = c(TRUE, NA, FALSE),
        level = factor(c("b", NA, "a"), c("c", "b", "a")),
        grade = factor(c("low", "high", NA), c("low", "high"), ordered = TRUE),
        text = c("v", "u", NA), other = c("u", "w", "w"),
        day = as.Date("2024-02-28") + 0:2,
        time = as.POSIXct("2024-02-28 12:30:00", tz = "Asia/Tokyo") + 3600 * 0:2,
        long = as.difftime(c(1, 2, NA), units = "days")
    )
    data <- prepare_data(frame)
    said <- lapply(seq_along(frame), function(f) {
        cell_text(data, f, all_cells(data)[, f])
    })
    names(said) <- names(frame)
    expect_identical(said, list(
        number = NULL, flag = NULL, level = c("b", NA, "a"),
        grade = c("low", "high", NA), text = c("v", "u", NA),
        other = c("u", "w", "w"),
        day = c("2024-02-28", "2024-02-29", "2024-03-01"),
        time = c("2024-02-28 12:30:00", "2024-02-28 13:30:00",
                 "2024-02-28 14:30:00"),
        long = c("1 days", "2 days", NA)
    ))
    expect_null(cell_text(prepare_data(diag(3)), 1L, c(0, 1)))
})

test_that("text is the same as a factor of it", {
    set.seed(4)
    text <- data.frame(
        a = sample(c("u", "v", "w", NA), 20, TRUE), b = rnorm(20),
        c = sample(c("no", "yes"), 20, TRUE), d = sample(letters[1:6], 20, TRUE),
        e = sample(c("w", "v"), 20, TRUE)
    )
    levels <- text
    levels[-2] <- lapply(text[-2], factor)
    links <- few_links(20)
    expect_identical(relieff_sc(text, links), relieff_sc(levels, links))
})

test_that("the order and the empty levels of a factor do not matter", {
    set.seed(5)
    values <- sample(c("a", "b", "c"), 20, TRUE)
    x <- data.frame(f = factor(values), g = rnorm(20))
    other <- transform(x, f = factor(values, levels = c("c", "z", "a", "b")))
    links <- few_links(20)
    expect_identical(relieff_sc(other, links), relieff_sc(x, links))
})

test_that("ordered factors, dates and times count as numbers", {
    set.seed(5)
    level <- sample(c(1, 2, 4, NA), 20, TRUE)
    day <- sample(100, 20)
    x <- data.frame(f = level, d = day, t = day * 3600, g = rnorm(20))
    dated <- transform(
        x, f = factor(level, 1:4, c("no", "low", "mid", "high"), ordered = TRUE),
        d = as.Date("2020-01-01") + day,
        t = as.difftime(day * 3600, units = "secs")
    )
    links <- few_links(20)
    expect_identical(relieff_sc(dated, links), relieff_sc(x, links))
    timed <- transform(x, t = as.POSIXct("2020-01-01", tz = "UTC") + t)
    data <- prepare_data(timed)
    expect_identical(data$kind, rep("numeric", 4))
    expect_identical(prepare_data(timed[-1])$values[, 2],
                     as.numeric(timed$t))
    expect_equal(relieff_sc(timed, links)$score, relieff_sc(x, links)$score,
                 tolerance = 1e-6)
    # neighbouring levels are nearer than distant ones
    graded <- data.frame(f = ordered(rep(c("low", "mid", "high"), 4),
                                     c("low", "mid", "high")))
    expect_identical(feature_scores(variance_score(graded)),
                     feature_scores(variance_score(data.frame(
                         f = rep(c(0, 0.5, 1), 4)
                     ))))
    skip_if_not_installed("tibble")
    grouped <- structure(tibble::as_tibble(dated),
                         class = c("grouped_df", "tbl_df", "tbl", "data.frame"))
    expect_identical(prepare_data(grouped)$values,
                     prepare_data(dated)$values)
})

test_that("a factor of two levels, TRUE and FALSE, and 0 and 1 are the same", {
    set.seed(6)
    flag <- sample(c(TRUE, FALSE), 20, TRUE)
    x <- data.frame(f = flag, g = rnorm(20))
    links <- few_links(20)
    expected <- relieff_sc(x, links)
    expect_identical(relieff_sc(transform(x, f = f + 0), links), expected)
    expect_identical(relieff_sc(transform(x, f = factor(f)), links), expected)
    expect_identical(relieff_sc(transform(x, f = ifelse(f, "y", "n")), links),
                     expected)
})

test_that("row names are sample names, automatic ones are not", {
    frame <- data.frame(a = 1:4, b = 4:1)
    expect_null(prepare_data(frame)$samples)
    expect_identical(prepare_data(frame[4:1, ])$samples, c("4", "3", "2", "1"))
    rownames(frame) <- c(7L, 200000L, 100000L, 1L)
    expect_identical(prepare_data(frame)$samples,
                     c("7", "200000", "100000", "1"))
    frame <- frame[c(2, 4, 1, 3), ]
    rownames(frame) <- letters[1:4]
    expect_identical(prepare_data(frame)$samples, letters[1:4])
})

test_that("20,000 columns are the same as a matrix, of text too", {
    x <- random_matrix(10, 20000)
    links <- few_links(10)
    expect_identical(relieff_sc(as.data.frame(x), links), relieff_sc(x, links))
    text <- as.data.frame(ifelse(x > 0, "high", "low"))
    flags <- as.data.frame(x > 0)
    expect_identical(relieff_sc(text, links), relieff_sc(flags, links))
})

test_that("columns that are no measurements are refused, by name", {
    frame <- data.frame(a = c(1, 2, 3))
    beside <- function(column) {
        frame$odd <- column
        frame
    }
    expect_refused("input",
        prepare_data(beside(as.POSIXlt(0:2, origin = "1970-01-01"))),
        prepare_data(beside(list(1, 2, 3))),
        prepare_data(beside(matrix(1:6, 3))),
        prepare_data(beside(data.frame(b = 1:3, c = 4:6))),
        prepare_data(beside(complex(3))),
        prepare_data(beside(raw(3))),
        prepare_data(structure(list(list(1, 2, 3), 1:3), names = c("l", "a"),
                                  row.names = 1:3, class = "data.frame"))
    )
})

# ---- names ------------------------------------------------------------------

test_that("features without names are V1, V2, ...", {
    x <- unname(random_matrix(4, 3))
    expect_identical(prepare_data(x)$features, c("V1", "V2", "V3"))
    expect_null(prepare_data(x)$samples)
    many <- prepare_data(matrix(0, 3, 100001))$features
    expect_identical(many[100000:100001], c("V100000", "V100001"))
})

test_that("doubtful names are refused", {
    named <- function(features, samples = NULL) {
        matrix(0, 3, 3, dimnames = list(samples, features))
    }
    frame <- as.data.frame(matrix(0, 3, 3))
    expect_refused("input",
        prepare_data(named(c("a", "b", "a"))),
        prepare_data(named(c("a", "a", "a"))),
        prepare_data(named(c("a", "", "b"))),
        prepare_data(named(c("a", NA, "b"))),
        prepare_data(named(NULL, c("s", "s", "t"))),
        prepare_data(named(NULL, c("s", "t", ""))),
        prepare_data(setNames(frame, c("a", "b", "b"))),
        prepare_data(matrix(0, 3, 40, dimnames = list(
            NULL, rep(paste0("g", 1:20), 2)
        )))
    )
})

# ---- what is refused --------------------------------------------------------

test_that("what is no data set is refused", {
    links <- few_links(6)
    expect_refused("input",
        relieff_sc(NULL, links),
        relieff_sc(1:6, links),
        relieff_sc("data.csv", links),
        relieff_sc(list(a = 1:6), links),
        relieff_sc(matrix(letters[1:6], 6), links),
        relieff_sc(matrix(1i, 6, 2), links),
        relieff_sc(matrix(list(), 6, 0), links),
        relieff_sc(array(0, c(6, 2, 2)), links),
        relieff_sc(mean, links),
        relieff_sc(structure(matrix(0, 6, 2), class = "Date"), links),
        relieff_sc(factor(1:6), links)
    )
})

test_that("no features, and fewer than three samples, are refused", {
    sparse <- methods::as(matrix(0, 5, 0), "CsparseMatrix")
    expect_refused("input",
        prepare_data(matrix(0, 5, 0)),
        prepare_data(data.frame()),
        prepare_data(data.frame(row.names = 1:5)),
        prepare_data(sparse),
        prepare_data(matrix(0, 2, 5)),
        prepare_data(matrix(0, 0, 5)),
        prepare_data(data.frame(a = numeric())),
        prepare_data(data.frame(a = character())),
        prepare_data(data.frame(a = 1:2))
    )
})

test_that("NaN and infinite cells are refused with feature, count, sample", {
    x <- random_matrix(10, 20)
    spoilt <- function(i, j, value) {
        x[cbind(i, j)] <- value
        x
    }
    links <- few_links(10)
    expect_refused("input",
        relieff_sc(spoilt(4, 17, NaN), links),
        relieff_sc(spoilt(c(4, 2, 9), 17, Inf), links),
        relieff_sc(spoilt(4, c(3, 5), -Inf), links),
        relieff_sc(spoilt(4, c(3, 5, 9), NaN), links),
        relieff_sc(unname(spoilt(4, 17, NaN)), links),
        relieff_sc(as.data.frame(spoilt(1, 2, Inf)), links),
        relieff_sc(methods::as(spoilt(1, 2, Inf), "CsparseMatrix"), links)
    )
})

test_that("NA is refused where a method has no rule for it", {
    x <- random_matrix(10, 4)
    x[c(3, 5), 2] <- NA
    both <- x
    both[7, 2] <- Inf
    expect_refused("input",
        refuse_missing(prepare_data(x)),
        prepare_data(both),
        variance_score(data.frame(a = c("u", NA, "v")))
    )
    expect_identical(prepare_data(x)$missing, c(0L, 2L, 0L, 0L))
})

test_that("a feature without any value is refused", {
    x <- random_matrix(4, 3)
    x[, 2] <- NA
    expect_refused("input",
        relieff_sc(x, few_links_of_four()),
        relieff_sc(data.frame(a = 1:4, b = NA), few_links_of_four()),
        relieff_sc(data.frame(a = 1:4, b = NA_character_), few_links_of_four())
    )
})

test_that("a range beyond the largest number is refused", {
    x <- cbind(a = c(1, 2, 3), b = c(-1e308, 0, 1.7e308))
    expect_refused("input", prepare_data(x))
})

# ---- odd data ---------------------------------------------------------------

test_that("three samples and one feature are enough", {
    x <- matrix(c(0, 1, 10), 3)
    links <- pairwise_constraints(cannot_link = cbind(1, 3), samples = 3)
    # hits never are the other end: H(1) = H(3) = 2, in units of the range
    # z = (|u1 - u2| - |u1 - u2| + |u3 - u2| - |u3 - u2|) / 2 = 0
    expect_warning(ranking <- relief_sc(x, links),
                   class = "linkrank_warning_margin")
    expect_identical(ranking$margin, 0)
    # with hits as printed, H(1) = 2, H(3) = 2 again; from 1 to 2, H(1) = 2,
    # H(2) = 1: z = |u1 - u1| - |u1 - u2| = -0.1
    first <- pairwise_constraints(cannot_link = cbind(1, 2), samples = 3)
    ranking <- suppressWarnings(relief_sc(x, first, direction = "first",
                                          must_link = "ignore"))
    expect_equal(ranking$margin, -0.1)
})

test_that("constant features get margin 0 in any position", {
    x <- random_matrix(12, 5)
    links <- few_links(12)
    more <- cbind(x, c1 = 7, c2 = 0, c3 = 1e300)[, c(6, 1:3, 7, 4:5, 8)]
    ranking <- relieff_sc(more, links)
    constant <- ranking[ranking$feature %in% c("c1", "c2", "c3"), ]
    expect_identical(constant$margin, c(0, 0, 0))
    expect_identical(constant$statistic, rep(NA_real_, 3))
    # and change nothing for the others
    others <- feature_scores(relieff_sc(x, links))
    expect_identical(feature_scores(ranking)[names(others)], others)
})

test_that("all features constant: no margin, a warning, no NaN", {
    x <- matrix(3, 5, 2)
    links <- pairwise_constraints(cannot_link = cbind(1, 2), samples = 5)
    expect_warning(ranking <- relieff_sc(x, links),
                   class = "linkrank_warning_margin")
    expect_identical(ranking$score, c(0, 0))
    expect_identical(ranking$feature, c("V1", "V2"))
})

test_that("copies of a feature get the same margin, in column order", {
    x <- random_matrix(12, 4)
    copies <- cbind(x, a = x[, 2], b = x[, 2])
    ranking <- relieff_sc(copies, few_links(12))
    same <- ranking[ranking$feature %in% c("g2", "a", "b"), ]
    expect_identical(same$feature, c("g2", "a", "b"))
    expect_identical(same$margin, rep(same$margin[1], 3))
    expect_identical(diff(same$rank), c(1L, 1L))
})

test_that("copies of samples are neighbours, and nothing breaks", {
    x <- unname(random_matrix(6, 4))
    ranking <- relieff_sc(rbind(x, x), few_links(12), k = 11)
    expect_true(all(is.finite(ranking$margin)))
    same <- matrix(1:4, 6, 4, byrow = TRUE)
    ranking <- suppressWarnings(relieff_sc(same, few_links(6)))
    expect_identical(ranking$margin, numeric(4))
})

test_that("powers of two as units change no bit, huge or tiny", {
    x <- count_matrix(12, 6)
    links <- few_links(12)
    expected <- relieff_sc(x, links)
    expect_equal(feature_scores(relieff_sc(-x, links)), feature_scores(expected))
    for (power in c(-1000, -500, 500, 1020)) {
        expect_identical(relieff_sc(x * 2^power, links), expected)
    }
    # standard deviations below the range of double lose digits, ranges do not
    expected <- relieff_sc(x, links, scale = "range")
    for (power in c(-1074, -1030)) {
        expect_identical(relieff_sc(x * 2^power, links, scale = "range"),
                         expected)
    }
})

test_that("1e300 and 1e-310 side by side are ranked like 1", {
    x <- random_matrix(12, 6)
    units <- rep(c(1e300, 1, 1e-300), 2)
    ranking <- relieff_sc(x %*% diag(units), few_links(12))
    expected <- relieff_sc(x, few_links(12))
    expect_equal(ranking$margin, expected$margin)
    expect_identical(sub("V", "g", ranking$feature), expected$feature)
    # so near to 0 that a cell has few digits left
    tiny <- relieff_sc(x * 1e-310, few_links(12))
    expect_equal(tiny$margin, expected$margin, tolerance = 1e-9)
})

test_that("a formula gets the answer what to type instead", {
    heart <- data.frame(age = 24:1, sex = rep(0:1, each = 12), class = rep(1:2, 12))
    expect_refused("input",
                   relieff_sc(class ~ ., data = heart),
                   relieff_sc(formula = class ~ ., data = heart),
                   select_subset(class ~ ., data = heart),
                   constraint_score(class ~ ., data = heart),
                   relieff_sc(class ~ age + sex, data = heart),
                   laplacian_score(~ ., data = heart))
    # what the message advises works
    expect_identical(nrow(relieff(x = heart[names(heart) != "class"],
                                  y = heart$class)), 2L)
    expect_refused("argument", relieff(heart[1:2], heart$class, data = heart))
})

test_that("columns that name the rows are left out, others are not", {
    set.seed(1)
    x <- data.frame(age = rnorm(20), id = paste0("p", 1:20), sex = gl(2, 10))
    y <- rep(1:2, 10)
    without <- relieff(x[names(x) != "id"], y)
    # also where a row stands twice, or has none
    for (id in list(x$id, x$id[c(1:19, 1)], c(NA, x$id[-1]))) {
        expect_warning(ranked <- relieff(transform(x, id = id), y),
                       "\"id\" has (20|19) values such as .* an identifier",
                       class = "linkrank_warning_text")
        expect_identical(own_columns(ranked), own_columns(without))
    }
    expect_snapshot(ranked <- variance_score(
        data.frame(x, code = as.character(20:1))))
    expect_identical(nrow(ranked), 2L)
    # nothing would be left
    expect_refused("input", variance_score(x["id"]))
    # 19 rows, a number, a factor
    expect_identical(nrow(relieff(x[-1, ], y[-1])), 3L)
    expect_identical(nrow(relieff(transform(x, id = 20:1), y)), 3L)
    expect_message(ranked <- relieff(transform(x, id = factor(id)), y),
                   "more levels than a third.*\"id\"",
                   class = "linkrank_message_text")
    expect_identical(nrow(ranked), 3L)
    # numbers in order may be times
    expect_warning(variance_score(transform(x, id = 1:20)),
                   "Column \"id\" of `x` numbers the rows",
                   class = "linkrank_warning_identifier")
    expect_warning(constraints_from_labels(1:20),
                   "`labels` numbers the samples, so each is a class",
                   class = "linkrank_warning_identifier")
    # more levels than rows, as a part of a larger table has
    part <- data.frame(x["age"], kind = factor(rep_len(1:9, 20), levels = 1:99))
    expect_identical(nrow(relieff(part, y)), 2L)
})
