# ---- references: slow, and nothing like the C code --------------------------

# Which samples does a chain of must-links join? Squares of a matrix of TRUE
# and FALSE, until they stay as they are.
reachable <- function(links) {
    n <- links$samples
    joined <- diag(n) > 0
    must <- links$must_link
    joined[cbind(links$first, links$second)[must, , drop = FALSE]] <- TRUE
    joined <- joined | t(joined)
    repeat {
        further <- joined %*% joined > 0
        if (identical(further, joined)) {
            return(joined)
        }
        joined <- further
    }
}

# The closure as two matrices: must[i, j], cannot[i, j].
closure_reference <- function(links) {
    joined <- reachable(links)
    n <- links$samples
    apart <- matrix(FALSE, n, n)
    apart[cbind(links$first, links$second)[!links$must_link, ,
                                           drop = FALSE]] <- TRUE
    apart <- joined %*% (apart | t(apart)) %*% joined > 0
    list(must = joined & !diag(n), cannot = apart)
}

as_matrices <- function(links) {
    n <- links$samples
    one <- function(must) {
        out <- matrix(FALSE, n, n)
        out[cbind(links$first, links$second)[links$must_link == must, ,
                                             drop = FALSE]] <- TRUE
        out | t(out)
    }
    list(must = one(TRUE), cannot = one(FALSE))
}

# Groups by breadth-first search from each sample in turn.
groups_reference <- function(links) {
    group <- seq_len(links$samples)
    for (pass in group) for (k in which(links$must_link)) {
        ends <- c(links$first[k], links$second[k])
        group[ends] <- min(group[ends])
    }
    named <- sort(unique(c(links$second, links$first)))
    apart <- function(a, b) {
        any(!links$must_link &
            (group[links$first] == a & group[links$second] == b |
             group[links$first] == b & group[links$second] == a))
    }
    size <- table(group)
    found <- unique(group[named])
    several <- found[size[as.character(found)] > 1]
    kept <- integer()
    for (one in found) {
        others <- c(several, setdiff(kept, several))
        if (one %in% several || all(vapply(others, apart, NA, b = one))) {
            kept <- c(kept, one)
        }
    }
    match(group, kept)
}

# Length of a shortest must-link chain by trying all simple chains.
shortest_by_trying <- function(pairs, from, to) {
    best <- Inf
    go <- function(at, seen) {
        if (length(seen) - 1 >= best) return(invisible())
        if (at == to) {
            best <<- length(seen) - 1
            return(invisible())
        }
        onwards <- c(pairs[pairs[, 1] == at, 2], pairs[pairs[, 2] == at, 1])
        for (sample in setdiff(onwards, seen)) go(sample, c(seen, sample))
    }
    go(from, from)
    best
}

random_pairs <- function(n, count) {
    ends <- vapply(seq_len(count), function(pair) sample(n, 2), integer(2))
    matrix(ends, ncol = 2, byrow = TRUE)
}

# Random must-links, and random cannot-links that do not contradict them.
random_links <- function(n, must, cannot) {
    links <- pairwise_constraints(must_link = random_pairs(n, must),
                                  samples = n)
    pairs <- random_pairs(n, cannot)
    apart <- !reachable(links)[pairs]
    pairwise_constraints(cannot_link = pairs[apart, , drop = FALSE],
                         must_link = cbind(links$first, links$second), samples = n)
}

# ---- closure ----------------------------------------------------------------

test_that("the closure of 200 random sets is that of the squared matrix", {
    set.seed(1)
    expect_every(200, function(trial) {
        links <- random_links(sample(4:15, 1), sample(0:10, 1), sample(0:8, 1))
        closed <- close_constraints(links)
        identical(as_matrices(closed), closure_reference(links))
    })
})

test_that("closing twice changes nothing, nor does the order of pairs", {
    set.seed(2)
    expect_every(20, function(trial) {
        links <- random_links(12, 6, 6)
        closed <- close_constraints(links)
        turned <- close_constraints(links[rev(seq_along(links$first))])
        identical(close_constraints(closed), closed) &&
            identical(as_matrices(turned), as_matrices(closed))
    })
})

test_that("the worked example of the help page", {
    # 1-2 and 2-3 join 1, 2, 3; so 1-3, and 4 is apart from all three
    links <- pairwise_constraints(cannot_link = cbind(4, 1), must_link = rbind(c(2, 1), c(3, 2)), samples = 5)
    closed <- close_constraints(links)
    expect_identical(as.data.frame(closed)[1:3], data.frame(
        i = c(4L, 2L, 3L, 2L, 3L, 1L), j = c(1L, 4L, 4L, 1L, 2L, 3L),
        type = rep(c("cannot-link", "must-link"), each = 3)
    ))
    expect_identical(constraint_groups(links), c(1L, 1L, 1L, 2L, NA))
})

test_that("the closure keeps what was typed first, then adds what it implies", {
    set.seed(3)
    links <- random_links(15, 8, 6)
    closed <- close_constraints(links)
    for (must in c(FALSE, TRUE)) {
        typed <- cbind(links$first, links$second)[links$must_link == must, ,
                                                  drop = FALSE]
        all <- cbind(closed$first, closed$second)[closed$must_link == must, ,
                                                  drop = FALSE]
        expect_identical(utils::head(all, nrow(typed)), typed)
        implied <- utils::tail(all, nrow(all) - nrow(typed))
        expect_true(all(implied[, 1] < implied[, 2]))
    }
})

test_that("the closure counts what it will hold before it is written", {
    set.seed(4)
    expect_every(50, function(trial) {
        links <- random_links(12, 6, 5)
        counts <- count_closure(closure_of(links))
        identical(counts, count_pairs(close_constraints(links)) + 0)
    })
})

test_that("labels are closed already", {
    links <- constraints_from_labels(c("a", "b", NA, "a"))
    expect_identical(close_constraints(links), links)
})

test_that("confidence stays with its pair, and implied pairs have none", {
    links <- new_constraints(rbind(c(1L, 4L), c(1L, 2L), c(2L, 3L)),
                             c(FALSE, TRUE, TRUE), 5, NULL, c(0.9, 0.8, 0.7))
    closed <- close_constraints(links)
    expect_identical(closed$confidence, c(0.9, NA, NA, 0.8, 0.7, NA))
})

test_that("no pairs close to no pairs", {
    none <- pairwise_constraints(samples = 3)
    expect_identical(close_constraints(none), none)
})

test_that("a closure too long for the memory is refused", {
    # 2,000 samples in one group: 1,999,000 must-links
    chain <- pairwise_constraints(must_link = cbind(1:1999, 2:2000),
                                  samples = 2000)
    options(linkrank.max_bytes = 1e6)
    on.exit(options(linkrank.max_bytes = NULL))
    expect_refused("memory", close_constraints(chain))
})

# ---- groups -----------------------------------------------------------------

test_that("groups are those of a breadth-first search", {
    set.seed(5)
    expect_every(200, function(trial) {
        links <- random_links(sample(3:15, 1), sample(0:10, 1), 2)
        identical(constraint_groups(links), groups_reference(links))
    })
})

test_that("groups carry the sample names and leave single samples out", {
    links <- pairwise_constraints(must_link = cbind("d", "b"),
                                  samples = letters[1:4])
    expect_identical(constraint_groups(links),
                     c(a = NA, b = 1L, c = NA, d = 1L))
})

test_that("groups of labels are the classes", {
    links <- constraints_from_labels(c(x = "b", y = "a", z = "b", w = NA))
    expect_identical(constraint_groups(links),
                     c(x = 1L, y = 2L, z = 1L, w = NA))
})

test_that("groups of labels and of their pairs written out are the same", {
    set.seed(6)
    expect_every(50, function(trial) {
        labels <- c(1:2, sample(c(1:4, NA), 10, replace = TRUE))
        links <- constraints_from_labels(labels)
        pairs <- as.data.frame(links)
        must <- pairs$type == "must-link"
        written <- pairwise_constraints(cannot_link = pairs[!must, 1:2], must_link = pairs[must, 1:2], samples = 12)
        as_partition <- function(links) {
            match(constraint_groups(links), unique(constraint_groups(links)))
        }
        identical(as_partition(links), as_partition(written)) &&
            identical(constraint_links(links, TRUE),
                      constraint_links(written, TRUE))
    })
})

test_that("numbers and names of groups stay with their samples", {
    x <- random_matrix(30, 12)
    kind <- rep(c("ape", "bee", "cat"), 10)
    x[, 1:4] <- x[, 1:4] + 4 * (kind == "ape") - 4 * (kind == "bee")
    answers <- active_constraints(x, kind, n = 14)
    groups <- constraint_groups(answers)
    gleaned <- glean_labels(glean(x, answers))$cluster
    known <- which(!is.na(groups))
    expect_identical(as.character(gleaned[known]), kind[known])
    expect_identical(as.integer(gleaned)[known], unname(groups[known]))
    markers <- suppressMessages(group_markers(x, answers))
    expect_true(all(markers$group %in% kind))
    ranking <- relieff_sc(x, answers)
    expect_true(all(ranking$highest %in% c(kind, NA)))
    # another order, a part, a set of sets, closed, and through a file
    of <- function(links) {
        levels(constraint_groups(links, names = character()))[
            constraint_groups(links)]
    }
    turned <- restrict_constraints(answers, 30:1)
    expect_identical(of(turned), rev(of(answers)))
    part <- suppressMessages(restrict_constraints(answers, 5:30))
    at <- which(!is.na(of(part)))
    expect_identical(of(part)[at], kind[5:30][at])
    for (links in list(c(answers, answers), close_constraints(answers),
                       answers[])) {
        expect_identical(of(links), of(answers))
    }
    expect_output(print(markers, n = 1), "ape \\([0-9]+ samples\\)")
    numbered <- pairwise_constraints(must_link = rbind(c(3, 4), c(1, 2)),
                                     cannot_link = cbind(3, 1), samples = 30)
    expect_output(print(group_markers(x, numbered), n = 1),
                  "Group 1 \\(2 samples\\)")
})

test_that("a chain of 100,000 samples is one group", {
    n <- 1e5
    links <- pairwise_constraints(must_link = cbind(2:n, 1:(n - 1)),
                                  samples = n)
    expect_identical(constraint_groups(links), rep(1L, n))
})

# ---- the lists that C reads -------------------------------------------------

test_that("compressed lists give back members and cannot-linked components", {
    part <- function(start, at) start[at] + seq_len(start[at + 1] - start[at])
    set.seed(7)
    expect_every(30, function(trial) {
        links <- random_links(12, 5, 6)
        lists <- constraint_links(links)
        joined <- reachable(links)
        apart <- closure_reference(links)$cannot
        all(vapply(1:12, function(i) {
            own <- lists$component[i] + 1
            members <- lists$member[part(lists$member_start, own)] + 1L
            against <- lists$against[part(lists$against_start, own)]
            identical(members, which(joined[i, ])) &&
                identical(which(lists$component %in% against),
                          which(apart[i, ])) &&
                identical(against, sort(unique(against)))
        }, NA))
    })
})

# ---- contradictions ---------------------------------------------------------

test_that("the chain is a shortest one, by trying all of them", {
    set.seed(8)
    found <- 0
    expect_every(200, function(trial) {
        n <- sample(4:8, 1)
        pairs <- random_pairs(n, sample(3:9, 1))
        ends <- sample(n, 2)
        shortest <- shortest_by_trying(pairs, ends[1], ends[2])
        path <- .Call(C_shortest_path, n, pairs[, 1], pairs[, 2], ends[1],
                      ends[2])
        if (is.infinite(shortest)) {
            return(length(path) == 0)
        }
        found <<- found + 1
        steps <- pair_key(path[-length(path)], path[-1], n)
        length(path) == shortest + 1 &&
            identical(path[c(1, length(path))], ends) &&
            all(steps %in% pair_key(pairs[, 1], pairs[, 2], n))
    })
    expect_gt(found, trials(200) / 4)
})

test_that("every contradiction of random sets is found, and only those", {
    set.seed(9)
    refused <- 0
    expect_every(200, function(trial) {
        n <- sample(4:10, 1)
        must <- random_pairs(n, sample(2:6, 1))
        cannot <- random_pairs(n, 2)
        joined <- reachable(pairwise_constraints(must_link = must, samples = n))
        made <- tryCatch(pairwise_constraints(cannot_link = cannot, must_link = must, samples = n),
                         linkrank_error_constraints = identity)
        refused <<- refused + any(joined[cannot])
        inherits(made, "linkrank_error") == any(joined[cannot])
    })
    expect_gt(refused, trials(200) / 4)
})

test_that("the first contradicting cannot-link is named, with a short proof", {
    # a square 1-2-3-4: two ways from 1 to 3, one from 5 to 6
    must <- rbind(c(1, 2), c(2, 3), c(3, 4), c(4, 1), c(5, 6), c(6, 7))
    expect_refused("constraints",
        pairwise_constraints(cannot_link = rbind(c(8, 9), c(7, 5), c(1, 3)), must_link = must, samples = 9),
        pairwise_constraints(cannot_link = rbind(c(8, 9), c(3, 1)), must_link = must, samples = 9)
    )
})

test_that("a chain of up to 12 samples is shown whole, a longer one by ends", {
    chain <- function(n) cbind(1:(n - 1), 2:n)
    expect_refused("constraints",
        pairwise_constraints(cannot_link = cbind(1, 12), must_link = chain(12), samples = 12),
        pairwise_constraints(cannot_link = cbind(1, 13), must_link = chain(13), samples = 13),
        pairwise_constraints(cannot_link = cbind(1e5, 1), must_link = chain(1e5), samples = 1e5)
    )
})

test_that("combining sets that contradict each other is refused", {
    together <- pairwise_constraints(must_link = cbind(1, 2), samples = 4)
    apart <- pairwise_constraints(cannot_link = cbind(2, 3), must_link = cbind(1, 3), samples = 4)
    expect_refused("constraints", c(together, apart))
})
