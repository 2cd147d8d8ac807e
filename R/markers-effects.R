# Effects of one group against another, from the moments of the cells: a cell is
# the samples of a group in a block. See section 15 of the methods.

# Of group g against group h, per feature: list(mean, other, above, above_other,
# cohen_d), means over the blocks that hold both; NULL where none does.
# `spread`: the residual standard deviation, instead of those of the groups
# where no block holds two samples of either. A block in which neither group
# varies tells no finite d, and counts only where no other block does.
pair_effects <- function(moments, g, h, spread) {
    share <- block_shares(moments, g, h)
    if (is.null(share)) return(NULL)
    there <- which(share > 0)
    share <- share[there]
    one <- cells_of(moments, g)[there]
    other <- cells_of(moments, h)[there]
    average <- function(values) {
        total <- values[, 1L] * share[1L]
        for (k in seq_along(share)[-1L]) {
            total <- total + values[, k] * share[k]
        }
        total
    }
    effects <- list(
        mean = average(moments$mean[, one, drop = FALSE]),
        other = average(moments$mean[, other, drop = FALSE]),
        above = average(cell_shares(moments, one)),
        above_other = average(cell_shares(moments, other))
    )
    d <- do.call(cbind, Map(function(a, b) {
        # Cohen's d of two cells; the variance of one sample is not known, and
        # that of the other cell stands for both. NA where neither is known.
        cells <- c(a, b)[moments$size[c(a, b)] > 1]
        if (!length(cells)) return(rep(NA_real_, nrow(moments$mean)))
        variance <- 0
        for (cell in cells) {
            variance <- variance + moments$square[, cell] /
                (moments$size[cell] - 1) / length(cells)
        }
        standardise(moments$mean[, a] - moments$mean[, b], sqrt(variance))
    }, one, other))
    effects$cohen_d <- average_known(d, share,
                                     (effects$mean - effects$other) / spread)
    effects
}

cell_shares <- function(moments, cells) {
    sweep(moments$above[, cells, drop = FALSE], 2L, moments$size[cells], "/")
}

# The mean over the blocks where d is a finite number; where there is none, but
# d is infinite, the mean of these; else, no variance being known, `otherwise`.
average_known <- function(d, share, otherwise) {
    if (ncol(d) == 1L && !anyNA(d)) return(d[, 1L])
    mean_of <- function(known) {
        d[!known] <- 0
        drop((d * known) %*% share) / drop(known %*% share)
    }
    finite <- is.finite(d)
    value <- mean_of(finite)
    none <- rowSums(finite) == 0
    infinite <- none & rowSums(is.infinite(d)) > 0
    value[infinite] <- rowMeans(d[infinite, , drop = FALSE], na.rm = TRUE)
    neither <- none & !infinite
    value[neither] <- ifelse(otherwise == 0, 0, otherwise)[neither]
    value
}

# 0 / 0 is no effect.
standardise <- function(difference, spread) {
    ifelse(difference == 0, 0, difference / spread)
}

# The groups that group g is compared with.
others_of <- function(moments, g) {
    others <- setdiff(seq_len(moments$groups), g)
    if (is.null(moments$apart)) others else others[moments$apart[g, others]]
}

# Of group g, means over the groups that it is apart from: list(table, in column
# order; best, the order of the features; pairs, the columns of every pair where
# `pairwise`). With `one_unit` the features are ordered by their difference.
group_effects <- function(moments, g, model, pairwise, names, one_unit) {
    total <- count <- NULL
    pairs <- list()
    for (h in setdiff(seq_len(moments$groups), g)) {
        pair <- if (h %in% others_of(moments, g))
            pair_effects(moments, g, h, sqrt(model$variance))
        if (pairwise) {
            columns <- list(difference = pair$mean - pair$other,
                            cohen_d = pair$cohen_d,
                            auc = if (!is.null(pair))
                                moments$auc[, (g - 1L) * moments$groups + h])
            columns[is.null(pair)] <- list(rep(NA_real_, nrow(moments$mean)))
            pairs <- c(pairs,
                       stats::setNames(columns,
                                       paste0(names(columns), ".", names[h])))
        }
        if (is.null(pair)) next
        # a variance of very few samples is mostly chance, and then the
        # moderated standard deviation takes its place in the order; d is that
        # within blocks, so their sizes count
        size <- moments$size[c(cells_of(moments, g), cells_of(moments, h))]
        together <- rep(block_shares(moments, g, h) > 0, 2L)
        enough <- min(size[together]) >= 5 || model$df <= 0
        pair$key <- if (enough) pair$cohen_d else {
            standardise(pair$mean - pair$other, model$moderated)
        }
        total <- if (is.null(total)) pair else Map(`+`, total, pair)
        count <- sum(count, 1)
    }
    table <- mean_effects(total, count, moments, g)
    key <- if (one_unit) table$difference else total$key
    list(table = table, pairs = pairs,
         best = if (is.null(key)) seq_along(table$difference) else
             order(-key, method = "radix"))
}

mean_effects <- function(total, count, moments, g) {
    if (is.null(total)) {
        none <- rep(NA_real_, nrow(moments$mean))
        total <- list(mean = none, other = none, above = none,
                      above_other = none, cohen_d = none)
        count <- 1
    }
    average <- lapply(total, `/`, count)
    average$cohen_d[is.nan(average$cohen_d)] <- NA_real_
    # Of all pairs there are groups times as many columns.
    all <- (g - 1L) * moments$groups + others_of(moments, g)
    auc <- if (ncol(moments$auc) == moments$groups) moments$auc[, g] else
        rowMeans(moments$auc[, all, drop = FALSE], na.rm = TRUE)
    new_table(list(difference = average$mean - average$other,
                   cohen_d = average$cohen_d,
                   auc = replace(auc, is.nan(auc), NA_real_),
                   mean = average$mean, mean_others = average$other,
                   detected = average$above,
                   detected_others = average$above_other))
}
