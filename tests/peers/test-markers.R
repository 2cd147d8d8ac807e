# group_markers() beside scran and limma.

marker_data <- function(n = 90, p = 80) {
    set.seed(1)
    x <- matrix(rexp(n * p) * rbinom(n * p, 1, 0.6), n, p,
                dimnames = list(paste0("s", seq_len(n)),
                                paste0("g", seq_len(p))))
    y <- factor(sample(c("a", "b", "c", "d"), n, TRUE))
    x[, 1:5] <- x[, 1:5] + outer(as.integer(y), 1:5 / 5)
    list(x = x, y = y, block = factor(sample(c("u", "v", "w"), n, TRUE)))
}

group_table <- function(markers, group, features) {
    table <- as.data.frame(markers)[markers$group == group, ]
    table[match(features, table$feature), ]
}

test_that("effects are those of scran::scoreMarkers()", {
    # what scran loads takes longer than all other peers; a change is held
    # against the definitions, by test-markers.R
    skip_if(!identical(Sys.getenv("LINKRANK_TRIALS"), "all"),
            "scran is loaded by tools/nightly")
    skip_if_not_installed("scran")
    data <- marker_data()
    got <- group_markers(data$x, data$y, pairwise = TRUE)
    want <- scran::scoreMarkers(t(data$x), data$y, full.stats = TRUE)
    for (group in levels(data$y)) {
        table <- group_table(got, group, colnames(data$x))
        peer <- want[[group]][colnames(data$x), ]
        expect_equal(table$cohen_d, unname(peer$mean.logFC.cohen),
                     tolerance = 1e-10)
        expect_equal(table$auc, unname(peer$mean.AUC), tolerance = 1e-10)
        expect_equal(table$mean, unname(peer$self.average), tolerance = 1e-10)
        expect_equal(table$mean_others, unname(peer$other.average),
                     tolerance = 1e-10)
        expect_equal(table$detected, unname(peer$self.detected),
                     tolerance = 1e-10)
        expect_equal(table$detected_others, unname(peer$other.detected),
                     tolerance = 1e-10)
        for (other in setdiff(levels(data$y), group)) {
            expect_equal(table[[paste0("cohen_d.", other)]],
                         unname(peer$full.logFC.cohen[[other]]),
                         tolerance = 1e-10)
            expect_equal(table[[paste0("auc.", other)]],
                         unname(peer$full.AUC[[other]]), tolerance = 1e-10)
        }
        expect_false(is.unsorted(-peer$mean.logFC.cohen[order(table$rank)]))
    }
})

# By groups, and by blocks besides.
limma_tables <- function(data, block, lfc = 0) {
    design <- stats::model.matrix(~ 0 + y, data)
    colnames(design) <- levels(data$y)
    if (!is.null(block)) {
        design <- cbind(design, stats::model.matrix(~ block)[, -1L])
    }
    groups <- nlevels(data$y)
    contrasts <- sapply(levels(data$y), function(group) {
        weights <- ifelse(levels(data$y) == group, 1, -1 / (groups - 1))
        c(weights, numeric(ncol(design) - groups))
    })
    fit <- limma::lmFit(t(data$x), design)
    fit <- suppressWarnings(limma::contrasts.fit(fit, contrasts))
    if (lfc > 0) limma::treat(fit, lfc = lfc) else limma::eBayes(fit)
}

test_that("tests are those of limma::eBayes() and limma::treat()", {
    skip_if_not_installed("limma")
    data <- marker_data()
    for (block in list(NULL, data$block)) {
        for (lfc in c(0, 0.2)) {
            got <- group_markers(data$x, data$y, block = block, lfc = lfc)
            want <- limma_tables(data, block, lfc)
            for (group in levels(data$y)) {
                table <- group_table(got, group, colnames(data$x))
                expect_equal(table$statistic, unname(want$t[, group]),
                             tolerance = 1e-8)
                expect_equal(table$p_value, unname(want$p.value[, group]),
                             tolerance = 1e-7)
            }
            expect_equal(attr(got, "info")$prior$df, want$df.prior,
                         tolerance = 1e-7)
        }
    }
})

test_that("two groups: t and d of scran::findMarkers() up to its variances", {
    skip_if(!identical(Sys.getenv("LINKRANK_TRIALS"), "all"),
            "scran is loaded by tools/nightly")
    skip_if_not_installed("scran")
    data <- marker_data()
    two <- data$y %in% c("a", "b")
    got <- group_markers(data$x[two, ], droplevels(data$y[two]))
    want <- scran::findMarkers(t(data$x[two, ]), droplevels(data$y[two]))
    table <- group_table(got, "a", colnames(data$x))
    peer <- want$a[colnames(data$x), ]
    # scran's t is Welch's
    expect_equal(table$difference, peer$summary.logFC, tolerance = 1e-10)
    expect_gt(stats::cor(table$statistic,
                         sign(peer$summary.logFC) *
                             stats::qnorm(peer$p.value / 2,
                                          lower.tail = FALSE)), 0.98)
})

test_that("the inverse of trigamma is that of limma", {
    skip_if_not_installed("limma")
    for (x in c(1e-8, 1e-4, 0.01, 0.5, 1, 7, 1e3, 1e8)) {
        expect_equal(linkrank:::trigamma_inverse(x),
                     limma::trigammaInverse(x), tolerance = 1e-7)
    }
})
