# Many cells: twenty sorted questions, glean(), its labels and markers.
#
#   Rscript atlas.R [large]
#
# Simulated log counts of ten kinds, of which 100 genes each are higher.
#
#   both    10,000 cells x 2,000 genes, five simulations: questions and
#           neighbours in all genes beside the default from 10,000 samples on,
#           20 components; means and standard errors
#   large   68,579 cells x 20,387 genes, 37 million stored values, two threads:
#           the first question, a further one, glean() and markers; the share of
#           cells with the right label, beside that of the nearest mean of the
#           true kinds in the genes that are truly higher
source(system.file("benchmarks", "harness.R", package = "linkrank"))
library(Matrix)

# list(x: cells x genes, kind, marked: genes that are higher in some kind);
# `stored`: about how many values a cell has.
simulate_cells <- function(seed, cells, genes, stored, kinds = 10L) {
    set.seed(seed)
    share <- stats::rexp(kinds) + 0.15
    kind <- sample(kinds, cells, replace = TRUE, prob = share)
    base <- stats::rgamma(genes, 0.4) + 1e-3
    marked <- replicate(kinds, sample.int(genes, 100L))
    total <- stats::rpois(cells, 1.6 * stored *
                              exp(stats::rnorm(cells, 0, 0.35)))
    gene <- vector("list", cells)
    for (own in seq_len(kinds)) {
        rate <- base
        rate[marked[, own]] <- 6 * rate[marked[, own]] + 0.3
        those <- which(kind == own)
        drawn <- sample.int(genes, sum(total[those]), TRUE, rate)
        gene[those] <- split(drawn, factor(rep(those, total[those]), those))
    }
    x <- sparseMatrix(unlist(gene), rep(seq_len(cells), total), x = 1,
                      dims = c(genes, cells))
    depth <- stats::median(total) / pmax(total, 1)
    x@x <- log1p(x@x * rep(depth, diff(x@p)))
    dimnames(x) <- list(paste0("gene", seq_len(genes)),
                        paste0("cell", seq_len(cells)))
    list(x = t(x), kind = factor(kind), marked = sort(unique(c(marked))))
}

kinds_seen <- function(links, kind) {
    asked <- links$questions[!links$questions$implied, ]
    length(unique(kind[c(asked$i, asked$j)]))
}

# The share of cells in groups of their kind: a group is the kind of most of its
# members.
share_right <- function(ranking, kind) {
    counts <- table(glean_labels(ranking)$cluster, kind)
    sum(apply(counts, 1L, max)) / length(kind)
}

nearest_mean <- function(d) {
    x <- as.matrix(d$x[, d$marked])
    means <- rowsum(x, d$kind) / c(table(d$kind))
    closeness <- 2 * tcrossprod(x, means) -
        rep(rowSums(means^2), each = nrow(x))
    mean(max.col(closeness) == as.integer(d$kind))
}

both_ways <- function(seed) {
    d <- simulate_cells(seed, 10000L, 2000L, 120)
    ways <- list(`all genes` = list(space = NULL), components = list())
    vapply(ways, function(way) {
        data <- prepare_data(d$x)
        links <- NULL
        seconds <- elapsed(function() {
            links <<- do.call(active_constraints,
                              c(list(data, d$kind, n = 20), way))
        })
        ranking <- glean(data, links)
        c(seconds = seconds, kinds = kinds_seen(links, d$kind),
          right = share_right(ranking, d$kind),
          marked = mean(head(ranking$feature, 200L) %in%
                            colnames(d$x)[d$marked]))
    }, numeric(4L))
}

machine()
runs <- suppressMessages(simplify2array(lapply(1:5, both_ways)))
cat("10,000 x 2,000, 20 sorted questions, means of 5 (standard error)\n")
for (way in dimnames(runs)[[2L]]) {
    own <- runs[, way, ]
    cat(sprintf("  %-12s", way), sprintf("%s %.3f (%.3f)", rownames(own),
                                         rowMeans(own),
                                         apply(own, 1L, stats::sd) / sqrt(5)),
        "\n")
}

if (run_large()) {
    d <- simulate_cells(6, 68579L, 20387L, 343)
    cat(sprintf("%.1f million stored values, nearest mean right %.4f\n",
                length(d$x@x) / 1e6, nearest_mean(d)))
    timed <- function(title, run) {
        cat(sprintf("  %-22s %6.1f s\n", title, elapsed(run)))
    }
    q <- links <- ranking <- NULL
    peak <- peak_memory(function() {
        data <- prepare_data(d$x, threads = 2L)
        timed("the first question", function() {
            q <<- questionnaire(data)
            next_pair(q)
        })
        timed("20 sorted questions", function() {
            links <<- active_constraints(data, d$kind, n = 20)
        })
        timed("glean()", function() ranking <<- glean(data, links))
        timed("group_markers()", function() {
            group_markers(data, glean_labels(ranking))
        })
    })
    cat(sprintf("  kinds seen %d of 10, right %.4f, peak %.0f MB\n",
                kinds_seen(links, d$kind), share_right(ranking, d$kind), peak))
}
