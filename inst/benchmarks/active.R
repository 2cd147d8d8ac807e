# Active selection and propagation, 50 features in four groups of samples.
#
#   Rscript active.R          n = 500 and 2000
#   Rscript active.R large    also n = 1000 with eigen(), 5000 and 20,000
source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

samples <- function(n) {
    set.seed(1)
    kind <- sample(4, n, replace = TRUE)
    x <- matrix(rnorm(n * 50), n) + matrix(rnorm(200), 4)[kind, ]
    list(x = x, kind = kind)
}

# Twenty questions, all eigenvectors anew for each.
by_eigen <- function(s, kind, questions = 20) {
    n <- nrow(s)
    open <- upper.tri(s)
    pairs <- matrix(0L, 0L, 2L)
    while (nrow(pairs) < questions) {
        e <- eigen(diag(rowSums(s)) - s, symmetric = TRUE)
        v <- e$vectors[, n - 1]
        entry <- which.min(abs(v))
        rest <- seq_len(n - 2)
        g <- e$vectors[, rest] %*% (e$vectors[entry, rest] /
                                        (e$values[n - 1] - e$values[rest]))
        score <- abs(outer(v, v, "-") * outer(drop(g), drop(g), "-"))
        at <- which(open & score == max(score[open]), arr.ind = TRUE)[1L, ]
        pairs <- rbind(pairs, at)
        open[at[1L], at[2L]] <- FALSE
        s[at[1L], at[2L]] <- s[at[2L], at[1L]] <-
            as.numeric(kind[at[1L]] == kind[at[2L]])
    }
    pairs
}

ask <- function(d, strategy, ...) {
    suppressMessages(suppressWarnings(active_constraints(
        d$x, d$kind, n = if (strategy == "groups") 20 else Inf,
        strategy = strategy, max_questions = 20, ...
    )))
}

# Pairs that the closure decides are used by both; without its decisions the
# reference would ask them, so the sequences are compared with them.
same_pairs <- function(d, s, count) {
    q <- ask(d, "perturbation")$questions
    expected <- by_eigen(s, d$kind, min(count, nrow(q)))
    all(pmin(q$i, q$j)[seq_len(nrow(expected))] == expected[, 1L] &
            pmax(q$i, q$j)[seq_len(nrow(expected))] == expected[, 2L])
}

eigen_side <- function(n, questions) {
    d <- samples(n)
    s <- as.matrix(similarity_graph(d$x, adjacency = "full", weight = "self_tuning"))
    limits <- compare(
        paste0("Perturbation, ", questions, " questions, n = ", n),
        linkrank = portable(function() suppressWarnings(active_constraints(
            d$x, d$kind, n = Inf, strategy = "perturbation",
            max_questions = questions
        ))),
        eigen = function() by_eigen(s, d$kind, questions),
        times = c(linkrank = 3, eigen = 1)
    )
    cat("  same pairs as eigen():", same_pairs(d, s, questions), "\n")
}

for (n in c(500, 2000, if (run_large()) c(1000, 20000))) {
    d <- samples(n)
    compare(paste0("Twenty questions, n = ", n, if (n > 2000) " (kNN graph)"),
            perturbation = portable(function() ask(d, "perturbation")),
            groups = portable(function() ask(d, "groups")),
            times = if (n > 2000) 1 else 3)
}
eigen_side(500, 20)
if (run_large()) {
    eigen_side(1000, 20)
}

for (n in c(500, 2000, if (run_large()) c(5000, 20000))) {
    d <- samples(n)
    set.seed(2)
    links <- constraints_from_labels(d$kind, cannot_link = 20, must_link = 0)
    sides <- list(
        published = portable(function() propagate_constraints(
            links, d$x, method = "published"
        )),
        local = portable(function() propagate_constraints(links, d$x))
    )
    if (n > 5000) {
        sides$published <- NULL
    }
    do.call(compare, c(list(paste0("Propagation of 20 pairs, n = ", n)), sides,
                       times = 3))
}
if (run_large()) {
    cat("Memory beyond the data, n = 20,000 samples of 50 features (8 MB):\n")
    d <- samples(20000)
    cat(sprintf("  perturbation %.0f MB, local propagation %.0f MB\n",
                peak_memory(function() ask(d, "perturbation")),
                peak_memory(function() propagate_constraints(
                    constraints_from_labels(d$kind, 20, 0), d$x
                ))))
}
