# The exact search for 10 neighbours in 20 dimensions beside the exact and the
# approximate ones of BiocNeighbors, all in one run, one thread: CPU seconds of
# index and search, and the share of the 10 neighbours that each found.
#
#   Rscript neighbours.R [large]
#
# "large" adds 100,000 points. "sheets": on 30 curved surfaces of 3 dimensions
# with noise; "round": in 10 round clouds, in which no tree can leave out much: 9
# of the 20 dimensions separate them.

source(system.file("benchmarks", "harness.R", package = "linkrank"))
if (!requireNamespace("BiocNeighbors", quietly = TRUE)) {
    not_run("BiocNeighbors is not installed")
}
machine()
cat("BiocNeighbors", format(utils::packageVersion("BiocNeighbors")), "\n\n")

round_clouds <- function(n) {
    class <- sample.int(10L, n, replace = TRUE)
    centres <- cbind(matrix(rnorm(10 * 9, sd = 3), 10), matrix(0, 10, 11))
    centres[class, ] + rnorm(n * 20)
}

sheets <- function(n) {
    class <- sample.int(30L, n, replace = TRUE)
    place <- matrix(runif(n * 3, -1, 1), n)
    bent <- cbind(place, place^2, sin(3 * place))
    x <- matrix(rnorm(n * 20, sd = 0.1), n)
    for (own in seq_len(30L)) {
        rows <- which(class == own)
        x[rows, ] <- x[rows, ] + bent[rows, ] %*% matrix(rnorm(9 * 20), 9) +
            rep(rnorm(20, sd = 2), each = length(rows))
    }
    x
}

ours <- function(x, k) {
    where <- linkrank:::coordinate_space(x)
    control <- linkrank:::run_control(1L, FALSE)
    t(linkrank:::nearest(where, seq_len(nrow(x)), k, linkrank:::neighbour_rule(),
                         control)$row)
}

theirs <- function(settings) {
    function(x, k) {
        BiocNeighbors::findKNN(x, k, get.distance = FALSE,
                               BNPARAM = settings)$index
    }
}

sides <- list(
    linkrank = ours,
    `KMKNN, exact` = theirs(BiocNeighbors::KmknnParam()),
    `VP tree, exact` = theirs(BiocNeighbors::VptreeParam()),
    `Annoy, 50 trees` = theirs(BiocNeighbors::AnnoyParam()),
    `Annoy, 20 trees` = theirs(BiocNeighbors::AnnoyParam(ntrees = 20)),
    HNSW = theirs(BiocNeighbors::HnswParam()),
    `HNSW, 50 and 40` = theirs(BiocNeighbors::HnswParam(
        ef.construction = 50, ef.search = 40
    ))
)

found_share <- function(found, exact) {
    mean(vapply(seq_len(nrow(exact)), function(i) {
        sum(found[i, ] %in% exact[i, ])
    }, 0L)) / ncol(exact)
}

for (data in c("round", "sheets")) {
    for (n in c(20000, 50000, if (run_large()) 100000)) {
        set.seed(1)
        x <- if (data == "round") round_clouds(n) else sheets(n)
        cat(sprintf("%s, %s points\n", data, formatC(n, format = "d", big.mark = ",")))
        for (name in names(sides)) {
            if (n > 50000 && grepl(", exact", name)) next
            seconds <- Inf
            for (turn in seq_len(if (n > 20000) 1L else 2L)) {
                gc(FALSE)
                took <- system.time(found <- sides[[name]](x, 10))
                seconds <- min(seconds, sum(took[1:2]))
            }
            if (name == "linkrank") {
                least <- seconds
                exact <- found
            }
            cat(sprintf("  %-24s %8.2f s  x %5.1f  found %.3f\n", name, seconds,
                        seconds / least, found_share(found, exact)))
        }
    }
}
