# The groups that group_markers() compares, and the sizes of their differences.

# ==== groups ==================================================================

# Which samples group_markers() compares: `groups` and `block` as codes.

constraint_markers <- function(constraints, data) {
    check_constraints(constraints, "groups")
    constraints <- match_constraints(constraints, data)
    groups <- closure_groups(constraints)
    # a person answered also where a strategy chose the pairs by the data
    derived <- origin_rule(constraints$origin)$none &&
        !(inherits(constraints, "active_constraints") &&
              is.null(constraints$derived))
    viewed <- constraints$origin == "features in view" ||
        any(saw_features(constraints$questions$shown))
    list(code = groups$code, names = groups$names, constraints = constraints,
         from = answers_of(constraints),
         origin = if (derived) "data" else if (viewed) "features in view" else
             if (is_coded(constraints)) "labels" else "answers")
}

# What answers are of: "pairs as given", "sorted samples", of which one answer
# is of several pairs, or "questions about pairs", of which the nearest group
# comes first, so that exchanged groups are not what wrong answers make.
answers_of <- function(constraints) {
    asked <- constraints$questions$question
    if (constraints$origin == "given") "pairs as given" else
        if (!is.null(constraints$raters) ||
                anyDuplicated(asked[!is.na(asked)])) "sorted samples" else
            "questions about pairs"
}

# Without groups of a single sample or unit, which have no variance.
keep_larger_groups <- function(groups, unit = NULL) {
    own <- !duplicated(cbind(groups$code, unit %||% seq_along(groups$code)))
    size <- tabulate(groups$code[own], length(groups$names))
    alone <- which(size == 1L)
    kept <- which(size >= 2L)
    refuse_if(length(kept) < 2L,
              "`groups` must make two groups of two samples or more, not ",
              describe_groups(groups, size),
              if (!is.null(groups$constraints) && all(size < 2L)) paste0(
                  "; if each pair is, say, tumour and normal, use labels: ",
                  "group_markers(x, labels, block = pair)"), ".")
    inform_if(length(alone), "Left out: ", count_noun(length(alone), "group"),
              " of a single ", if (is.null(unit)) "sample" else "unit", " (",
              quote_values(groups$names[alone], 3L), ").", class = "groups")
    choose_groups(groups, kept)
}

choose_groups <- function(groups, kept) {
    groups$code <- match(groups$code, kept)
    groups$names <- groups$names[kept]
    groups$apart <- groups$apart[kept, kept, drop = FALSE]
    groups
}

# With `apart`, which groups the answers set apart, where these are not all.
# What is not known to differ is not compared.
keep_groups_apart <- function(groups, data) {
    constraints <- groups$constraints
    groups$constraints <- NULL
    if (is.null(constraints)) return(groups)
    count <- length(groups$names)
    apart <- groups_apart(constraints, groups$code, count)
    open <- which(!apart & lower.tri(apart), arr.ind = TRUE)
    open <- open[, 2:1, drop = FALSE]
    if (!nrow(open)) return(groups)
    first <- show_samples(match(seq_len(count), groups$code), data$samples)
    how <- how_to_decide(first[open[1L, ]], constraints)
    refuse_if(!any(apart), "`groups` must contain two groups with a ",
              "cannot-link, but those of samples ", first[open[1L, 1L]],
              " and ", first[open[1L, 2L]], " have none: ",
              "questionnaire(x, answers = groups) asks.", class = "constraints")
    shown <- utils::head(open, 5L)
    named <- array(encodeString(groups$names, quote = "\"")[shown], dim(shown))
    inform_linkrank(count_noun(nrow(open), "pair"), " of groups ",
                    if (nrow(open) > 1L) "are" else "is", " not compared, ",
                    "because no answer says whether they differ (",
                    paste(named[, 1L], "and", named[, 2L], collapse = ", "),
                    if (nrow(open) > 5L) ", ...", "): ", how, ".",
                    class = "groups")
    groups$apart <- apart
    alone <- which(rowSums(apart) == 0)
    inform_if(length(alone), "Left out: ", count_noun(length(alone), "group"),
              " without a cannot-link to another (",
              quote_values(groups$names[alone], 3L), ").", class = "groups")
    choose_groups(groups, setdiff(seq_len(count), alone))
}

# The calls that ask about two groups, or decide.
how_to_decide <- function(pair, constraints) {
    named <- !is.null(constraints$names)
    paste0("questionnaire(x, answers = groups) asks, and c(groups, ",
           "pairwise_constraints(cannot_link = cbind(",
           paste(if (named) encodeString(pair, quote = "\"") else pair,
                 collapse = ", "),
           "), samples = ", if (named) "groups$names" else constraints$samples,
           ")) decides that they differ")
}

describe_groups <- function(groups, size) {
    there <- which(size > 0L)
    if (!length(there)) return("none")
    shown <- utils::head(there, 3L)
    paste0(paste0(encodeString(groups$names[shown], quote = "\""), " of ",
                  size[shown], collapse = ", "),
           if (length(there) > 3L) paste(" and", length(there) - 3L, "more"))
}

# Clusters of these samples, by name where both have names: NA for a sample that
# was not clustered.
of_samples <- function(cluster, data) {
    if (is.null(names(cluster)) || is.null(data$samples)) return(cluster)
    code <- as.integer(cluster)[match(data$samples, names(cluster))]
    derived_labels(code, levels(cluster))
}

# list(code, names, origin, apart, block, left_out): the samples that are
# compared; `apart`: which groups are, NULL for all.
read_design <- function(groups, data) {
    # list(code, per sample, NA for samples that are left out; names; origin,
    # "answers", "features in view" of those who answered, "labels", or "data"
    # where they were made from data): the groups as they were given, of two
    # samples or more.
    check_given(groups, paste("constraints, what glean() returned, or a class",
                              "per sample"))
    found <- if (inherits(groups, "pairwise_constraints")) {
        constraint_markers(groups, data)
    } else {
        if (inherits(groups, "glean_ranking")) {
            groups <- glean_labels(groups)
        }
        refuse_former_ranking(groups, "groups")
        if (inherits(groups, "constrained_clusters")) {
            unsure <- groups$confidence %||% 1 < 0.3
            groups <- of_samples(replace(groups$cluster, unsure, NA), data)
        }
        refuse_class_if(!is.factor(groups) &&
                            (is.list(groups) || !is.null(dim(groups))), groups,
                        "`groups` must be constraints, what glean() returned, ",
                        "or a class per sample")
        given <- named_response(groups, data, "groups")
        labels <- as_class_labels(given, "groups")
        match_response(labels, data, "groups")
        list(code = as.integer(labels), names = levels(labels),
             origin = if (origin_rule(label_origin(given))$none) "data" else
                 "labels")
    }
    unit <- if (origin_rule(found$origin)$none)
        number_unknown(data$unit_of) else known_unit(data)
    groups <- keep_larger_groups(found, unit)
    block <- data$block_of
    if (!is.null(block)) {
        note_unknown_blocks(sum(!is.na(groups$code) & is.na(block)))
        groups$code[is.na(block)] <- NA
        groups <- keep_larger_groups(groups, unit)
    }
    groups <- keep_groups_apart(groups, data)
    if (!is.null(block)) {
        # blocks without a sample in a group are none
        block[is.na(groups$code)] <- NA
        block <- match(block, sort(unique(block)))
    }
    c(groups, list(block = block, unit = unit,
                   left_out = sum(is.na(groups$code))))
}

# The same of the means of the units in each group. A unit in several groups is
# a block.
average_units <- function(data, design) {
    cell <- (design$unit - 1) * length(design$names) + design$code
    first <- which(!duplicated(cell) & !is.na(cell))
    code <- match(cell, cell[first])
    block <- design$block %||% rep(1L, data$n)
    refuse_if(any(block != block[match(design$unit, design$unit[first])][
        first[code]], na.rm = TRUE), "`block` must be the same for all ",
        "samples of a unit in `unit`.")
    data <- held_data(data, list(rows = first, block = group_moments(
        data, code, length(first), control = data$control)$mean))
    design[c("code", "unit")] <- list(design$code[first], design$unit[first])
    block <- block[first]
    several <- design$unit %in% design$unit[duplicated(design$unit)]
    block[several] <- max(block) + design$unit[several]
    design["block"] <- list(if (length(unique(block)) > 1L)
        match(block, sort(unique(block))))
    list(data = data, design = design)
}

# ==== effects =================================================================

# Effects of one group against another, from the moments of the cells: a cell is
# the samples of a group in a block. See section 15 of the methods.

# The moments with what groups are compared by: of each group `others`, those it
# is compared with, `shares`, those of their blocks, and the degrees of freedom
# within its cells.
compare_groups <- function(moments, apart) {
    groups <- seq_len(moments$groups)
    moments$others <- lapply(groups, function(g) {
        if (is.null(apart)) groups[-g] else groups[-g][apart[g, -g]]
    })
    moments$shares <- lapply(groups, block_shares, moments = moments)
    moments$df <- rowSums(matrix(pmax(moments$size - 1, 0), moments$groups))
    moments
}

# Of group g against each of `others`, features x others: list(mean, other,
# above, above_other, cohen_d), means over the blocks that hold both.
# `deviation`: the residual standard deviation, instead of those of the groups
# where no block holds two samples of either. A block in which neither group
# varies tells no finite d, and counts only where no other block does.
pair_effects <- function(moments, g, others, deviation) {
    each <- nrow(moments$mean)
    share <- moments$shares[[g]][, others, drop = FALSE]
    average <- function(values, groups) {
        total <- 0
        for (k in seq_len(moments$blocks)) {
            part <- values[, moments$cells[groups, k], drop = FALSE]
            part[, share[k, ] == 0] <- 0
            total <- total + part * rep(share[k, ], each = each)
        }
        total
    }
    own <- rep(g, length(others))
    effects <- list(mean = average(moments$mean, own),
                    other = average(moments$mean, others),
                    above = average(moments$detected, own),
                    above_other = average(moments$detected, others))
    # Cohen's d of two cells; the variance of one sample is not known, and
    # that of the other cell stands for both. NA where neither is known.
    d <- lapply(seq_len(moments$blocks), function(k) {
        a <- rep(moments$cells[g, k], length(others))
        b <- moments$cells[others, k]
        known <- rep((moments$size[a] > 1) + (moments$size[b] > 1), each = each)
        d <- standardise(
            moments$mean[, a, drop = FALSE] - moments$mean[, b, drop = FALSE],
            sqrt(moments$variance[, a, drop = FALSE] / known +
                     moments$variance[, b, drop = FALSE] / known))
        replace(d, known == 0, NA_real_)
    })
    effects$cohen_d <- d[[1L]]
    if (moments$blocks > 1L || anyNA(d[[1L]])) {
        otherwise <- (effects$mean - effects$other) / deviation
        for (j in seq_along(others)) {
            there <- which(share[, j] > 0)
            effects$cohen_d[, j] <- average_known(
                do.call(cbind, lapply(d[there], function(d) d[, j])),
                share[there, j], otherwise[, j])
        }
    }
    effects
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
standardise <- function(difference, deviation) {
    replace(difference / deviation, which(difference == 0), 0)
}

# Of group g, means over the groups that it is apart from: list(table, in column
# order; best, the order of the features; pairs, the columns of every pair where
# `pairwise`). `order`: the column that orders the features.
group_effects <- function(moments, g, model, pairwise, names, order) {
    shares <- moments$shares[[g]]
    others <- moments$others[[g]]
    others <- others[colSums(shares[, others, drop = FALSE]) > 0]
    pair <- pair_effects(moments, g, others, sqrt(model$variance))
    difference <- pair$mean - pair$other
    # a variance of very few samples is mostly chance, and then the moderated
    # standard deviation takes its place in the order; d is that within blocks,
    # so their sizes count
    pair$key <- pair$cohen_d
    few <- model$df > 0 & vapply(others, function(h) {
        min(moments$size[moments$cells[c(g, h), shares[, h] > 0]]) < 5
    }, NA)
    if (any(few)) {
        pair$key[, few] <- standardise(difference[, few], model$moderated)
    }
    total <- lapply(pair, function(values) {
        if (!length(others)) return(rep(NA_real_, nrow(values)))
        Reduce(function(sum, j) sum + values[, j], seq_along(others)[-1L],
               values[, 1L])
    })
    table <- mean_effects(lapply(total, `/`, length(others)), moments, g)
    key <- if (order == "difference") table$difference else total$key
    list(table = table,
         pairs = if (pairwise) pair_columns_of(moments, g, others, difference,
                                               pair$cohen_d, names),
         best = order(-key, method = "radix"))
}

# The columns of group g against each other group, NA where not compared.
pair_columns_of <- function(moments, g, others, difference, cohen_d, names) {
    none <- rep(NA_real_, nrow(moments$mean))
    columns <- lapply(seq_len(moments$groups)[-g], function(h) {
        j <- match(h, others)
        columns <- if (is.na(j)) list(none, none, none) else
            list(difference[, j], cohen_d[, j],
                 moments$auc[, (g - 1L) * moments$groups + h])
        stats::setNames(columns, paste0(c("difference.", "cohen_d.", "auc."),
                                        names[h]))
    })
    do.call(c, columns)
}

mean_effects <- function(average, moments, g) {
    average$cohen_d[is.nan(average$cohen_d)] <- NA_real_
    # Of all pairs there are groups times as many columns.
    all <- (g - 1L) * moments$groups + moments$others[[g]]
    auc <- if (ncol(moments$auc) == moments$groups) moments$auc[, g] else
        rowMeans(moments$auc[, all, drop = FALSE], na.rm = TRUE)
    list(difference = average$mean - average$other, cohen_d = average$cohen_d,
         auc = replace(auc, is.nan(auc), NA_real_),
         mean = average$mean, mean_others = average$other,
         detected = average$above, detected_others = average$above_other)
}
