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
    own <- if (is.null(unit)) TRUE else !duplicated(cbind(groups$code, unit))
    size <- tabulate(groups$code[own], length(groups$names))
    alone <- which(size == 1L)
    kept <- which(size >= 2L)
    refuse_if(length(kept) < 2L,
              "`groups` must make two groups of two ",
              if (is.null(unit)) "samples" else "units", " or more, not ",
              describe_groups(groups, size),
              if (!is.null(groups$constraints) && all(size < 2L)) paste0(
                  "; if each pair is, say, tumour and normal, use labels: ",
                  "group_markers(x, labels, block = pair)"), ".")
    choose_groups(groups, kept, alone, "of a single ",
                  if (is.null(unit)) "sample" else "unit")
}

# `...`: of which kind the groups are that are left out.
choose_groups <- function(groups, kept, left_out, ...) {
    inform_if(length(left_out), "Left out: ",
              count_noun(length(left_out), "group"), " ", ..., " (",
              quote_values(groups$names[left_out], 3L), ").", class = "groups")
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
    first <- match(seq_len(count), groups$code)
    apart <- set_apart(closure_of(constraints), first)
    open <- which(!apart & lower.tri(apart), arr.ind = TRUE)
    open <- open[, 2:1, drop = FALSE]
    if (!nrow(open)) return(groups)
    first <- show_samples(first, data$samples)
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
    choose_groups(groups, setdiff(seq_len(count), alone), alone,
                  "without a cannot-link to another")
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

# list(code, names, origin, apart, block, left_out): the samples that are
# compared; `apart`: which groups are, NULL for all.
read_design <- function(groups, data) {
    # list(code, per sample, NA for samples that are left out; names; origin,
    # "answers", "features in view" of those who answered, "labels", or "data"
    # where they were made from data): the groups as they were given, of two
    # samples or more.
    found <- if (inherits(groups, "pairwise_constraints")) {
        constraint_markers(groups, data)
    } else {
        if (inherits(groups, "glean_ranking")) groups <- glean_labels(groups)
        refuse_former_ranking(groups, "groups")
        answered <- NULL
        if (inherits(groups, "constrained_clusters")) {
            answered <- groups$answered
            unsure <- groups$confidence %||% 1 < 0.3
            groups <- replace(groups$cluster, unsure, NA)
            # NA for a sample that was not clustered
            if (!is.null(names(groups)) && !is.null(data$samples))
                groups <- groups[match(data$samples, names(groups))]
        }
        refuse_class_if(!is.factor(groups) && (is.list(groups) ||
                        !is.null(dim(groups))), groups, "`groups` must be
                        constraints, what glean() returned, or classes")
        given <- named_response(groups, data, "groups")
        labels <- as_class_labels(given, "groups")
        match_response(labels, data, "groups")
        list(code = as.integer(labels), names = levels(labels),
             answered = answered,
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
# is compared with, `shares`, those of their blocks, `weights`, groups x blocks,
# by which the means of the cells add up to the difference to the others, and
# the degrees of freedom within its cells.
compare_groups <- function(moments, apart) {
    groups <- seq_len(moments$groups)
    moments$others <- lapply(groups, function(g) {
        if (is.null(apart)) groups[-g] else groups[-g][apart[g, -g]]
    })
    moments$shares <- lapply(groups, function(g) {
        shares <- block_shares(moments, g)
        shares[, -moments$others[[g]]] <- 0
        shares
    })
    moments$weights <- Map(function(shares, g) {
        # none where no block holds the group and another one
        others <- max(sum(colSums(shares) > 0), 1L)
        weights <- -t(shares) / others
        weights[g, ] <- rowSums(shares) / others
        weights
    }, moments$shares, groups)
    moments$df <- rowSums(matrix(pmax(moments$size - 1, 0), moments$groups))
    moments
}

# Of group g against group h, per feature: means over the blocks that hold both,
# and `key`, which orders the features: d, or by the moderated standard
# deviation. Where no block holds two samples of either, the residual standard
# deviation takes the place of those of the groups. A block in which neither
# group varies tells no finite d, and counts only where no other block does.
pair_effects <- function(moments, g, h, model) {
    share <- moments$shares[[g]][, h]
    there <- which(share > 0)
    average <- function(values, group) {
        Reduce(`+`, lapply(there, function(k) {
            values[, moments$cells[group, k]] * share[k]
        }))
    }
    effects <- list(mean = average(moments$mean, g),
                    mean_others = average(moments$mean, h),
                    detected = average(moments$detected, g),
                    detected_others = average(moments$detected, h))
    effects$difference <- effects$mean - effects$mean_others
    a <- moments$cells[g, there]
    b <- moments$cells[h, there]
    # Cohen's d in each block; the variance of one sample is not known, and that
    # of the other cell stands for both
    known <- rep((moments$size[a] > 1) + (moments$size[b] > 1),
                 each = nrow(moments$mean))
    difference <-
        moments$mean[, a, drop = FALSE] - moments$mean[, b, drop = FALSE]
    d <- difference / sqrt(moments$variance[, a] / known +
                               moments$variance[, b] / known)
    d[which(difference == 0)] <- 0 # 0 / 0 is no effect
    d[known == 0] <- NA
    effects$cohen_d <- if (length(there) == 1L && !anyNA(d)) d[, 1L] else
        average_known(d, share[there],
                      effects$difference / sqrt(model$variance))
    # a variance of very few samples is mostly chance, and then the moderated
    # standard deviation takes its place in the order; d is that within blocks,
    # so their sizes count
    few <- min(moments$size[c(a, b)]) < 5
    effects$key <- if (few && model$df > 0) replace(
        effects$difference / model$moderated, which(effects$difference == 0),
        0) else effects$cohen_d
    effects
}

# The mean over the blocks where d is a finite number; where there is none, but
# d is infinite, the mean of these; else, no variance being known, `otherwise`.
average_known <- function(d, share, otherwise) {
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

# Of each group the means over the groups that it is compared with: list(table;
# pairs, the columns of every pair where `pairwise`; key, by which `order` sorts
# the features). Columns hold the features of the first group first.
group_effects <- function(moments, model, pairwise, names, order) {
    each <- nrow(moments$mean)
    # of each cell the share of its samples above 0, and its variance, 0 where
    # it has fewer than two samples
    moments$detected <- moments$above / rep(moments$size, each = each)
    moments$variance <- moments$square / rep(moments$size - 1, each = each)
    moments$variance[, moments$size < 2] <- 0
    groups <- seq_along(names)
    sums <- vector("list", length(names))
    pairs <- array(list(), c(length(names), length(names)))
    add <- function(sum, own) if (is.null(sum)) own else Map(`+`, sum, own)
    for (g in groups) {
        for (h in which(colSums(moments$shares[[g]]) > 0 & groups > g)) {
            own <- pair_effects(moments, g, h, model)
            # group h against group g; not -0
            other <- own
            other[1:4] <- own[c(2L, 1L, 4L, 3L)]
            other[5:7] <- lapply(own[5:7], function(values) 0 - values)
            sums[[g]] <- add(sums[[g]], own)
            sums[[h]] <- add(sums[[h]], other)
            if (pairwise) {
                pairs[[g, h]] <- own[5:6]
                pairs[[h, g]] <- other[5:6]
            }
        }
    }
    count <- vapply(moments$shares, function(share) sum(colSums(share) > 0), 0)
    none <- rep(NA_real_, each)
    total <- function(name, by = count) {
        unlist(Map(function(sum, by) {
            if (is.null(sum)) none else sum[[name]] / by
        }, sums, by))
    }
    # of all pairs there are groups times as many columns
    pair <- function(g, h) (g - 1) * length(names) + h
    auc <- if (ncol(moments$auc) == length(names)) moments$auc else
        vapply(groups, function(g) {
            rowMeans(moments$auc[, pair(g, moments$others[[g]]), drop = FALSE],
                     na.rm = TRUE)
        }, none)
    known <- function(values) replace(values, is.nan(values), NA_real_)
    table <- list(difference = total("mean") - total("mean_others"),
                  cohen_d = known(total("cohen_d")), auc = known(auc))
    rest <- c("mean", "mean_others", "detected", "detected_others")
    table[rest] <- lapply(rest, total)
    list(table = table, pairs = if (pairwise) do.call(c, lapply(
        c(groups[-1L], 1L), function(h) {
            of_pair <- function(name) unlist(lapply(pairs[, h], function(own) {
                own[[name]] %||% none
            }))
            difference <- of_pair("difference")
            columns <- list(difference, of_pair("cohen_d"), replace(
                moments$auc[, pair(groups, h)], is.na(difference), NA))
            stats::setNames(columns, paste0(
                c("difference.", "cohen_d.", "auc."), names[h]))
        })), key = if (order == "difference") table$difference else
            total("key", 1))
}
