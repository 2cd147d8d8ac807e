# Simba-Sc with as many starts as constraints, one thread: the case of Table 3.6
# of Hijazi (2019), 560 s there, against plain R steps.
#
#   Rscript simba.R [leukemia_5147.csv.gz]
#
# Without the file the data are random numbers of its size.

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

leukemia <- function() {
    file <- grep("csv", commandArgs(trailingOnly = TRUE), value = TRUE)
    if (length(file) == 0L) {
        set.seed(1)
        return(list(x = matrix(stats::rnorm(38 * 5147), 38),
                    y = rep(c("ALL", "AML"), c(27, 11))))
    }
    table <- utils::read.csv(gzfile(file[1L]), check.names = FALSE)[1:38, ]
    list(x = as.matrix(table[-ncol(table)]), y = table$class)
}

# One start in vectorised R: a pass over the pairs.
plain_start <- function(u, pairs) {
    w <- rep(1, ncol(u))
    turned <- t(u)
    squares <- function(i) (turned - turned[, i])^2
    for (t in sample.int(nrow(pairs))) {
        n <- pairs[t, 1L]
        m <- pairs[t, 2L]
        from_n <- squares(n)
        to_n <- colSums(from_n * w^2)
        to_m <- colSums(squares(m) * w^2)
        hit_n <- which.min(replace(to_n, n, Inf))
        hit_m <- which.min(replace(to_m, m, Inf))
        part <- function(h) {
            if (to_n[h] > 0) from_n[, h] / sqrt(to_n[h]) else 0
        }
        w <- w + (part(hit_m) - part(hit_n)) * w
    }
    w^2 / max(w^2)
}

case <- leukemia()
links <- constraints_from_labels(case$y, must_link = 0)
pairs <- as.data.frame(links)
pairs <- cbind(as.integer(pairs$i), as.integer(pairs$j))
width <- apply(case$x, 2L, max) - apply(case$x, 2L, min)
u <- t((t(case$x) - apply(case$x, 2L, min)) / ifelse(width > 0, width, 1))

published <- function(starts) {
    set.seed(1)
    simba_sc(case$x, links, starts = starts, direction = "first",
             must_link = "ignore")
}

compare(sprintf("Simba-Sc, %d x %d, %d pairs, 297 starts", nrow(case$x),
                ncol(case$x), nrow(pairs)),
        portable = portable(function() published(297)),
        fastest = function() published(297), times = 2)
cat(sprintf("  peak memory beyond the data %6.1f MB\n\n",
            peak_memory(function() published(297))))
compare("Simba-Sc, the same, 5 starts",
        portable = portable(function() published(5)),
        fastest = function() published(5),
        `plain R, 1 start` = function() plain_start(u, pairs), times = 2)
