test_that("conditions carry the finer class, the general one and no call", {
    raise <- function() abort_linkrank("`k` is ", 3, ".", class = "argument")
    condition <- tryCatch(raise(), error = identity)
    expect_identical(class(condition), c("linkrank_error_argument",
                                         "linkrank_error", "error",
                                         "condition"))
    expect_identical(conditionMessage(condition), "`k` is 3.")
    expect_null(conditionCall(condition))
})

test_that("a warning has its own class and the work continues", {
    expect_warning(
        done <- {
            warn_linkrank("All is ", 0, ".", class = "margin")
            TRUE
        },
        "All is 0.", class = "linkrank_warning_margin", fixed = TRUE
    )
    expect_true(done)
})

test_that("at most five values are quoted, then counted", {
    expect_identical(quote_values("a"), "\"a\"")
    expect_identical(quote_values(letters[1:5]),
                     "\"a\", \"b\", \"c\", \"d\", \"e\"")
    expect_identical(quote_values(letters[1:8], most = 2L),
                     "\"a\", \"b\" and 6 more")
    expect_identical(quote_values(c("two\nlines", NA)), "\"two\\nlines\", NA")
})

test_that("a value is described by what it is", {
    values <- list(NULL, "5", NA_character_, NA, NaN, Inf, 1.5, 100000, 1:3,
                   character(), factor("a"), list(1), sum, matrix(1:4, 2),
                   data.frame(a = 1), Sys.Date())
    expect_identical(
        vapply(values, describe_value, ""),
        c("NULL", "\"5\"", "NA", "NA", "NaN", "Inf", "1.5", "100000",
          "3 values", "0 values", "a factor", "a list", "a function",
          "a matrix", "a data.frame", "a Date")
    )
})

test_that("a class is described with its article", {
    expect_identical(describe_class(NULL), "NULL")
    expect_identical(describe_class(1L), "an integer vector")
    expect_identical(describe_class("a"), "a character vector")
    expect_identical(describe_class(Sys.Date()), "a Date")
    expect_identical(describe_class(array(1, c(1, 1, 1))), "an array")
})

test_that("counts are written out, with the plural where it belongs", {
    expect_identical(count_noun(1, "sample"), "1 sample")
    expect_identical(count_noun(0L, "pair"), "0 pairs")
    expect_identical(count_noun(1e5, "sample"), "100000 samples")
    expect_identical(count_noun(4999950000, "pair"), "4999950000 pairs")
    expect_identical(show_number(c(1, 1e5)), c("1", "100000"))
})

test_that("every function says that its first two arguments are swapped", {
    x <- random_matrix(20, 5)
    links <- few_links(rownames(x))
    values <- list(x = x, train = x, y = rep(1:2, 10), oracle = rep(1:2, 10),
                   groups = rep(1:2, 10), constraints = links,
                   ranking = relieff_sc(x, links))
    seen <- 0
    for (name in getNamespaceExports("linkrank")) {
        called <- getExportedValue("linkrank", name)
        first <- utils::head(names(formals(called)), 2L)
        if (length(first) < 2L || !all(first %in% names(values))) {
            next
        }
        seen <- seen + 1
        needed <- Filter(function(value) identical(value, quote(expr = )),
                         formals(called))
        others <- list(n = 2, y = values$y, test = x, y_test = values$y)
        others <- others[setdiff(intersect(names(others), names(needed)), first)]
        expect_error(
            do.call(called, c(unname(values[rev(first)]), others)),
            sprintf("`%s` and `%s` are swapped: `%s` comes first.", first[1L],
                    first[2L], first[1L]), fixed = TRUE,
            class = "linkrank_error_argument", info = name
        )
    }
    expect_gt(seen, 30)
    # by name nothing is swapped, nor inside another function
    expect_error(relieff_sc(constraints = x, x = x), "must come from")
    expect_error(relieff(x = x, y = links), "relieff_sc() and glean() rank by pairs",
                 fixed = TRUE)
})
