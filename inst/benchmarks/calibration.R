# Are the p-values of relieff_sc(permutations = ) what they say? Uninformative
# pairs, about independent normal features and about real genes (colon, log2,
# arrays centred), five kinds of pairs; then 30 of 400 features shifted by 1.2
# standard deviations. Beside them the t-test of the margins over the pairs, which
# relieff_sc() does not offer, and stir() with its own p-values and with permuted
# classes. Standard errors are over data sets.
#
#   Rscript calibration.R           20 data sets of each design
#   Rscript calibration.R 200       as many as this, and a fifth of it where
#                                   features differ and for stir()

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

given <- suppressWarnings(as.integer(commandArgs(trailingOnly = TRUE)))
data_sets <- if (anyNA(given) || !length(given)) 20L else given[1L]
fewer <- max(2L, data_sets %/% 5L)
options(width = 110)
permutations <- 199
features <- 400
shifted <- 30

genes <- log2(colon$x)
genes <- genes - rowMeans(genes)

# Two groups without meaning, half of the samples each.
draw_data <- function(kind) {
    x <- if (kind == "colon") {
        genes[, sample.int(ncol(genes), features)]
    } else {
        matrix(stats::rnorm(62 * features), 62)
    }
    list(x = unname(x), y = sample(rep(1:2, length.out = nrow(x))))
}

designs <- list(
    `20 disjoint pairs` = function(x, y) {
        pairwise_constraints(cbind(sample(which(y == 1), 20),
                                   sample(which(y == 2), 20)),
                             samples = nrow(x))
    },
    `20 random pairs` = function(x, y) {
        all <- expand.grid(which(y == 1), which(y == 2))
        pairwise_constraints(as.matrix(all[sample.int(nrow(all), 20), ]),
                             samples = nrow(x))
    },
    `ten against ten` = function(x, y) {
        pairwise_constraints(as.matrix(expand.grid(
            sample(which(y == 1), 10), sample(which(y == 2), 10))),
            samples = nrow(x))
    },
    `20 labels` = function(x, y) {
        y[-sample.int(length(y), 20)] <- NA
        constraints_from_labels(y)
    },
    `20 questions` = function(x, y) {
        active_constraints(x, oracle = y, n = 20, progress = FALSE)
    }
)

# Shares of one data set. `truth`: which features differ.
shares <- function(ranking, truth = NULL) {
    pairs <- summary(ranking)$cannot_links
    t_test <- stats::pt(ranking$statistic, pairs - 1, lower.tail = FALSE)
    t_found <- stats::p.adjust(t_test, "BH") <= 0.05
    found <- ranking$adj_p_value <= 0.05
    if (is.null(truth)) {
        return(c(`p .05` = mean(ranking$p_value <= 0.05),
                 `p .01` = mean(ranking$p_value <= 0.01),
                 `any fdr .05` = any(found),
                 `any family .05` = any(ranking$family_p_value <= 0.05),
                 `t .05` = mean(t_test <= 0.05, na.rm = TRUE),
                 `any BH t` = any(t_found, na.rm = TRUE)))
    }
    right <- ranking$feature %in% truth
    false <- function(found) {
        if (any(found)) mean(!right[found]) else 0
    }
    t_found[is.na(t_found)] <- FALSE
    c(`found` = mean(found[right]), `false` = false(found),
      `found t` = mean(t_found[right]), `false t` = false(t_found),
      `best 30` = mean(right[seq_len(shifted)]))
}

rank_again <- function(data, design) {
    suppressMessages(suppressWarnings(
        relieff_sc(data$x, designs[[design]](data$x, data$y), scale = "none",
                   permutations = permutations)
    ))
}

show_shares <- function(title, table) {
    cat("\n", title, "\n", sep = "")
    mean <- vapply(table, function(each) rowMeans(each), table[[1L]][, 1L])
    error <- vapply(table, function(each) {
        apply(each, 1L, stats::sd) / sqrt(ncol(each))
    }, table[[1L]][, 1L])
    cells <- matrix(sprintf("%.3f (%.3f)", t(mean), t(error)), ncol(mean),
                    dimnames = rev(dimnames(mean)))
    print(cells, quote = FALSE, right = TRUE)
}

cases <- expand.grid(design = names(designs), kind = c("normal", "colon"),
                     stringsAsFactors = FALSE)
over_cases <- function(data_sets, use) {
    tables <- lapply(seq_len(nrow(cases)), function(i) {
        set.seed(i)
        table <- replicate(data_sets, use(cases$kind[i], cases$design[i]))
        message(cases$kind[i], ", ", cases$design[i], ": ",
                paste(sprintf("%.3f", rowMeans(table)), collapse = " "))
        table
    })
    stats::setNames(tables, paste(cases$kind, cases$design, sep = ", "))
}

show_shares("Nothing to be found: shares (standard errors)",
            over_cases(data_sets, function(kind, design) {
                shares(rank_again(draw_data(kind), design))
            }))

show_shares(paste(shifted, "of", features, "features shifted by 1.2 sd"),
            over_cases(fewer, function(kind, design) {
                data <- draw_data(kind)
                truth <- sample.int(features, shifted)
                if (kind == "colon") { # what is real must not count
                    data$x <- data$x[sample.int(nrow(data$x)), ]
                }
                sd <- apply(data$x[, truth], 2L, stats::sd)
                data$x[, truth] <- data$x[, truth] +
                    outer(data$y == 2, 1.2 * sd)
                shares(rank_again(data, design), paste0("V", truth))
            }))

stir_shares <- function(kind, k) {
    data <- draw_data(kind)
    ranking <- stir(data$x, data$y, k = k, scale = "none",
                    permutations = permutations)
    c(`t .05` = mean(ranking$p_value <= 0.05),
      `any BH t` = any(ranking$adj_p_value <= 0.05),
      `permuted .05` = mean(ranking$permutation_p_value <= 0.05),
      `any permuted fdr` = any(ranking$adj_permutation_p_value <= 0.05))
}
set.seed(1)
labelled <- expand.grid(k = c(1, 10), kind = c("normal", "colon"),
                        stringsAsFactors = FALSE)
show_shares("stir(), nothing to be found: shares (standard errors)",
            stats::setNames(lapply(seq_len(nrow(labelled)), function(i) {
                replicate(fewer,
                          stir_shares(labelled$kind[i], labelled$k[i]))
            }), paste(labelled$kind, "k =", labelled$k)))
