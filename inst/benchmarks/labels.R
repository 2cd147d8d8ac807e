# Margins from all labels: sums over sorted values against the walk through all
# pairs of samples of different classes, same hits, and whole calls.
#
#   Rscript labels.R [large] [pbmc3k.rds: list(x = dgCMatrix, y = classes)]
#
# The pairs are walked for some features only; the line says how many.

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()
internal <- asNamespace("linkrank")

sides <- function(title, x, y, walked) {
    links <- constraints_from_labels(y)
    pairs <- internal$pairs_of(links)
    control <- internal$run_control(1, FALSE)
    data <- linkrank::prepare_data(x)
    scaling <- internal$feature_scaling(data, "range")
    input <- list(data = data, scaling = scaling,
                  where = internal$feature_space(data, scaling, "manhattan"))
    lists <- internal$find_hits(input, pairs$ends, 3,
                                internal$constraint_links(links), control)
    some <- linkrank::prepare_data(x[, walked])
    scaling_of_some <- internal$feature_scaling(some, "range")
    least <- compare(
        title,
        sums = function() {
            internal$label_margins(some, scaling_of_some, pairs, lists,
                                   control)
        },
        pairs = function() {
            .Call(internal$C_constrained_margins, some, scaling_of_some, pairs,
                  lists, TRUE, control)
        },
        `sums, all features` = function() {
            internal$label_margins(data, scaling, pairs, lists, control)
        },
        times = c(sums = 3, pairs = 1, `sums, all features` = 1)
    )
    cat(sprintf("  %d of %d features walked: all would take %.0f s\n",
                length(walked), data$p,
                least[2L] * data$p / length(walked)))
    seconds <- system.time(ranking <- relieff_sc(x, links))
    cat(sprintf("  relieff_sc() as a whole: %.2f CPU s, %.2f s elapsed\n\n",
                seconds[[1L]] + seconds[[2L]], seconds[[3L]]))
}

set.seed(1)
for (n in c(100, 400, 2000, if (run_large()) 10000)) {
    x <- matrix(stats::rnorm(n * 200), n)
    sides(sprintf("%d x 200 normal, 5 classes", n), x, rep(1:5, length.out = n),
          seq(1, 200, by = 20))
}
file <- grep("[.]rds$", commandArgs(trailingOnly = TRUE), value = TRUE)
if (length(file)) {
    cells <- readRDS(file)
    sides(sprintf("%s, %d x %d", basename(file), nrow(cells$x), ncol(cells$x)),
          cells$x, cells$y, seq(1, ncol(cells$x), length.out = 40))
}
