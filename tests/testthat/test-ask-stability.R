test_that("three steps of at least 0.99 are stable, and nothing less", {
    stable <- function(...) is_stable(list(stability = c(...)))
    expect_true(stable(0.2, 0.99, 1, 0.995))
    expect_false(stable(0.99, 1))
    expect_false(stable(1, 1, 1, 0.98))
    expect_false(stable(1, 1, NA))
    expect_false(stable())
})

test_that("stability is the rank correlation of the margins before and after", {
    x <- random_matrix(20, 8)
    truth <- rep(1:2, 10)
    q <- questionnaire(x, n = 6, hint = TRUE)
    margins <- list()
    while (!is.null(pair <- next_pair(q))) {
        same <- truth[pair[1]] == truth[pair[2]]
        q <- answer_pair(q, if (same) "must-link" else "cannot-link")
        links <- questionnaire_constraints(q)
        margins <- c(margins, list(if (count_pairs(links)[["cannot_link"]])
            in_column_order(relieff_sc(x, links))$margin))
    }
    wanted <- vapply(seq_along(margins), function(t) {
        before <- if (t > 1) margins[[t - 1]]
        if (is.null(before) || is.null(margins[[t]])) NA_real_ else
            cor(before, margins[[t]], method = "spearman")
    }, 0)
    expect_equal(q$stability, wanted)
    expect_gt(sum(!is.na(wanted)), 2)
    expect_equal(unname(q$margin), margins[[length(margins)]])
})
