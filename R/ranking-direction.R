# Where a ranking from pairs goes up: the groups that the answers make are
# compared by their means, where all of these groups are apart.

# list(columns, missing): `columns` are highest and difference in column order,
# of the values as they are given; where the answers do not set all groups
# apart, `missing` says so in their place, if must-links make groups at all.
# NULL where there are not two groups. Nothing but the answered samples is read.
answer_direction <- function(data, constraints, block = NULL) {
    if (is.null(constraints) || !inherits(data, "prepared_data") ||
        count_pairs(constraints)[["cannot_link"]] == 0) {
        return(NULL)
    }
    missing <- function(...) {
        if (count_pairs(constraints)[["must_link"]] > 0)
            list(missing = paste(...))
    }
    if (lacks_cannot_links(constraints)) {
        return(missing("the answers do not set all groups apart"))
    }
    groups <- closure_groups(constraints)
    if (length(groups$size) < 2L) return(NULL)
    open <- undecided_groups(constraints, groups)
    if (!is.null(open)) {
        open <- shorten(show_samples(groups$first[open], data$samples), 30L)
        return(missing("no answer says whether the groups of", open[1L], "and",
                       open[2L], "differ"))
    }
    moments <- answered_moments(data, groups, block)
    moments$mean[data$kind == "factor", ] <- NA
    above <- if (is.null(block)) {
        means <- moments$mean
        known <- rowSums(!is.na(means))
        means[known < 2, ] <- NA
        means - (rowSums(means, na.rm = TRUE) - means) / (known - 1)
    } else above_in_blocks(moments)
    highest <- max.col(replace(above, is.na(above), -Inf), "first")
    difference <- above[cbind(seq_along(highest), highest)]
    highest[is.na(difference) | difference <= 0] <- NA
    list(columns = list(highest = groups$names[highest],
                        difference = difference))
}

# Too few for all groups to be apart, however must-links join the samples?
# Counts tell so for most sets of few pairs, before any group is made.
lacks_cannot_links <- function(constraints) {
    pairs <- count_pairs(constraints)
    known <- sum(is_labelled(constraints)) -
        length(disputed_samples(constraints))
    least <- max(known - pairs[["must_link"]], 0)
    choose(least, 2) > pairs[["cannot_link"]]
}

# Means, features x groups (and blocks); NA where there is no known value.
answered_moments <- function(data, groups, block) {
    rows <- which(!is.na(groups$code))
    part <- answered_part(data, rows)
    if (part$n < length(groups$code)) {
        groups$code <- groups$code[rows]
        block <- block[rows]
    }
    moments <- group_moments(part, groups$code, length(groups$size), block)
    moments$mean[is.nan(moments$mean)] <- NA
    moments
}

# Mean of each group minus the mean of the others, features x groups, from the
# differences within each block that holds two groups.
above_in_blocks <- function(moments) {
    all <- seq_len(moments$groups)
    above <- lapply(all, function(g) {
        rowMeans(do.call(cbind, lapply(all[-g], function(h) {
            share <- block_shares(moments, g, h)
            if (is.null(share)) return(rep(NA_real_, nrow(moments$mean)))
            there <- which(share > 0)
            away <- moments$mean[, cells_of(moments, g)[there], drop = FALSE] -
                moments$mean[, cells_of(moments, h)[there], drop = FALSE]
            drop(away %*% share[there])
        })), na.rm = TRUE)
    })
    above <- do.call(cbind, above)
    above[is.nan(above)] <- NA
    above
}
