# glean() against its parts called one by one: the calls for the structure, the
# margin, the propagated answers and the redundancy. Each of them computes
# components and neighbours again; glean() computes them once.
#
#   Rscript glean_parts.R [FOLDER]
#
# FOLDER may hold pbmc3k.mtx.gz (cells x genes) and pbmc3k_labels.csv.gz.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
folder <- commandArgs(trailingOnly = TRUE)[1L]
machine()

# Twenty questions answered by the classes.
case <- function(x, y, scale = "none") {
    set.seed(1)
    y <- factor(y)
    links <- active_constraints(x, y, n = 20, ask = "pairs",
                                scale = scale, space = 20)
    list(x = x, links = links, scale = scale)
}

# The groups of the samples are computed before, to the advantage of the parts.
parts <- function(d) {
    labels <- glean_labels(glean(d$x, d$links, scale = d$scale))$cluster
    labels[is.na(labels)] <- 1
    function() {
        laplacian_score(d$x, k = 7, space = 20)
        margin <- relieff_sc(d$x, d$links, k = 3, scale = d$scale, space = 20)
        propagate_constraints(d$links, d$x, space = 20)
        relieff(d$x, factor(labels), k = 3, scale = d$scale, space = 20)
        diversify_ranking(margin, d$x, top = 1500)
    }
}

time_parts <- function(title, d, times = 5) {
    compare(title,
            glean = function() glean(d$x, d$links, scale = d$scale),
            `its parts, one by one` = parts(d), times = times)
    cat(sprintf("  glean: %.0f MB beyond the data\n\n",
                peak_memory(function() glean(d$x, d$links, scale = d$scale))))
}

time_parts("colon, 62 x 2000", case(log2(colon$x), colon$tissue))
set.seed(1)
noise <- matrix(stats::rnorm(300 * 5000), 300)
time_parts("300 x 5000", case(noise, rep_len(1:3, 300)))

cells <- file.path(folder, "pbmc3k.mtx.gz")
if (!is.na(folder) && file.exists(cells)) {
    counts <- methods::as(Matrix::readMM(gzfile(cells)), "CsparseMatrix")
    counts@x <- log1p(counts@x)
    dimnames(counts) <- list(NULL, paste0("g", seq_len(ncol(counts))))
    class <- utils::read.csv(gzfile(file.path(folder,
                                              "pbmc3k_labels.csv.gz")))$class
    time_parts("PBMC 3k, 2638 x 13,714, sparse", case(counts, class), times = 3)
}
