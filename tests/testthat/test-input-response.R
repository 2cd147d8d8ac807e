test_that("all kinds of labels become a factor", {
    expect_identical(as_class_labels(c("b", "a", NA, "b")),
                     factor(c("b", "a", NA, "b")))
    expect_identical(as_class_labels(c(TRUE, NA, FALSE)),
                     factor(c(TRUE, NA, FALSE)))
    expect_identical(as_class_labels(c(3L, 1L, NA)), factor(c(3, 1, NA)))
    expect_identical(as_class_labels(c(3, 1, 10)), factor(c(3, 1, 10)))
})

test_that("a factor keeps the order of its levels and loses empty ones", {
    labels <- factor(c("low", "high", NA), levels = c("low", "mid", "high"))
    expect_identical(levels(as_class_labels(labels)), c("low", "high"))
    expect_identical(as.integer(as_class_labels(labels)), c(1L, 2L, NA))
})

test_that("NaN and NA as a level mean unlabelled", {
    expect_identical(levels(as_class_labels(c(1, 2, NaN))), c("1", "2"))
    labels <- addNA(factor(c("a", NA, "b")))
    expect_identical(levels(as_class_labels(labels)), c("a", "b"))
    expect_identical(is.na(as_class_labels(labels)), c(FALSE, TRUE, FALSE))
})

test_that("what is no class label is refused", {
    expect_refused("argument",
        as_class_labels(c(0.5, 1)),
        as_class_labels(NULL),
        as_class_labels(list("a", "b")),
        as_class_labels(matrix(1:4, 2)),
        as_class_labels(data.frame(a = 1:2)),
        as_class_labels(Sys.Date()),
        as_class_labels(1i, "y")
    )
})
