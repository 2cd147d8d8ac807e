# Small data and expectations that several test files share.

random_matrix <- function(n, p, seed = 1) {
    set.seed(seed)
    matrix(rnorm(n * p), n, p,
           dimnames = list(paste0("s", seq_len(n)), paste0("g", seq_len(p))))
}

# Some cannot-links and must-links of the first six samples.
few_links <- function(samples) {
    pairwise_constraints(rbind(c(1, 4), c(2, 5), c(6, 3)), cbind(1, 2),
                         samples = samples)
}

# A ranking with given keys, in column order, without any data.
made_ranking <- function(margin, features = paste0("g", seq_along(margin)),
                         ..., key = "margin") {
    table <- data.frame(score = pmax(margin, 0), margin = margin, ...)
    data <- list(n = 62, p = length(margin), features = features)
    new_feature_ranking(table, data, "relieff_sc", key, list(k = 3),
                        few_links(62))
}

# Every call must end in a condition of our own: of the class, without a call,
# one sentence in the style of the package. The messages go into the snapshot.
expect_refused <- function(class, ...) {
    calls <- as.list(substitute(list(...)))[-1L]
    frame <- parent.frame()
    for (call in calls) {
        label <- paste(deparse(call), collapse = " ")
        condition <- tryCatch(eval(call, frame), error = identity)
        expect_s3_class(condition, paste0("linkrank_error_", class))
        expect_s3_class(condition, "linkrank_error")
        expect_null(conditionCall(condition), label = label)
        message <- conditionMessage(condition)
        expect_match(message, "^[A-Z`].*[.?]$", label = label)
        expect_no_match(message, "invalid|[Ee]rror|!", label = label)
        expect_lt(nchar(message), 240, label = label)
    }
    eval(bquote(expect_snapshot({
        ..(calls)
    }, error = TRUE), splice = TRUE), frame)
}

# What print() writes, and that no line is wider than the screen.
expect_narrow <- function(object) {
    lines <- capture.output(print(object))
    expect_lte(max(nchar(lines, type = "width")), 80L)
    invisible(lines)
}
