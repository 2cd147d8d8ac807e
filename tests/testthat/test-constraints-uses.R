# Constraints in the hands of base R: their pairs, or an error that says what
# to do; never the fields of the list that holds them.

sets_of_links <- function() {
    x <- random_matrix(12, 4)
    links <- few_links(rownames(x))
    y <- stats::setNames(rep(c("a", "b"), 6), rownames(x))
    table <- data.frame(clone = rep(c("u", "v", NA), 4), known = NA,
                        row.names = rownames(x))
    table$known[c(1, 2)] <- c("a", "b")
    set.seed(1)
    list(
        pairs = links, empty = pairwise_constraints(samples = 4),
        labels = constraints_from_labels(y),
        columns = constraints_from_columns(table, must_link = "clone", cannot_link = "known"),
        asked = active_constraints(x, y, n = 4),
        propagated = propagate_constraints(links, x, k = 3),
        reconciled = suppressMessages(reconcile_answers(data.frame(
            first = c("s1", "s2", "s1"), second = c("s2", "s3", "s3"),
            answer = c("same", "same", "different")
        ), samples = rownames(x)))
    )
}

table_of <- function(links) {
    table <- as.data.frame(links)
    rownames(table) <- NULL
    # of a sorted session, see test-constraints-raters.R
    table[!names(table) %in% c("action", "implied")]
}

test_that("base R walks over the pairs", {
    for (links in sets_of_links()) {
        count <- length(links)
        table <- table_of(links)
        pairs <- as.list(links)
        expect_length(pairs, count)
        expect_identical(lapply(links, identity), pairs)
        expect_identical(lengths(pairs), rep(1L, count))
        expect_identical(vapply(links, function(pair) pair$first, 0),
                         as.numeric(table$i))
        expect_identical(
            unlist(Map(function(pair, at) at * pair$second, links,
                       seq_along(links))), if (count)
                seq_len(count) * table$j)
        if (count) {
            expect_identical(do.call(c, pairs), links[])
            expect_identical(links[[count]], links[count])
            expect_identical(links[["samples"]], links$samples)
        }
        expect_identical(table_of(Reduce(c, links, accumulate = FALSE,
                                         links[0])), table)
        expect_identical(unique(links), links)
        expect_identical(duplicated(links), logical(count))
        expect_identical(anyDuplicated(links), 0L)
        expect_identical(is.na(links), logical(count))
        expect_false(anyNA(links))
        expect_identical(table_of(head(links, 2)), rows(table, head(
            seq_len(count), 2)))
        expect_identical(table_of(tail(links, 2)), rows(table, tail(
            seq_len(count), 2)))
        type <- factor(table$type, c("cannot-link", "must-link"))
        expect_identical(lengths(split(links, type)), c(table(type)))
        expect_identical(table_of(subset(links, type == "must-link")),
                         rows(table, table$type == "must-link"))
        # cannot-links stay first
        turned <- rows(table, rev(seq_len(count)))
        expect_identical(table_of(rev(links)),
                         rows(turned, order(turned$type)))
        expect_identical(data.frame(links), as.data.frame(links))
        expect_identical(nrow(merge(links, links)), count)
        set.seed(1)
        expect_length(sample(links, min(count, 2)), min(count, 2))
        expect_output(str(links), "pairwise_constraints", fixed = TRUE)
        expect_true(all.equal(links, links))
    }
})

test_that("what has no meaning for pairs is refused", {
    for (links in sets_of_links()) {
        uses <- list(
            as.matrix, as.vector, as.character, paste, unlist,
            function(x) x == x, function(x) !x,
            function(x) rep(x, 2), sort, order,
            function(x) `length<-`(x, 2), function(x) `names<-`(x, NULL),
            function(x) `names<-`(x, letters), function(x) rbind(x, x),
            function(x) cbind(x, 1), function(x) union(x, x),
            function(x) setdiff(x, x), function(x) intersect(x, x),
            function(x) x[[length(x) + 1]], function(x) x[[0]],
            function(x) x[[TRUE]], function(x) x[[c(1, 2)]]
        )
        for (at in seq_along(uses)) {
            expect_error(uses[[at]](links), class = "linkrank_error",
                         label = at)
        }
    }
    links <- few_links(12)
    expect_refused("constraints", as.matrix(links), sort(links),
                   rep(links, 2), rbind(links, links), unlist(links))
    expect_refused("argument", links[[9]], links[[mean]])
})

test_that("classes of lists with a length of their own are these", {
    methods <- getNamespaceInfo(asNamespace("linkrank"), "S3methods")
    expect_identical(methods[methods[, 1] == "length", 2],
                     "pairwise_constraints")
    for (links in sets_of_links()) {
        expect_s3_class(links, "pairwise_constraints")
    }
})
