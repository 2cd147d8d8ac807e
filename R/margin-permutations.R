# P-values of margins: relabelled samples, and what the sums say.

# ==== relabelled samples ======================================================

# Significance of margins from pairs: what margins have the same constraints
# when they are of other samples? In each set every sample of the constraints is
# replaced by another one, must-links and cannot-links staying as they are.

# From so many cannot-links on, those of labels are not listed: each set is then
# a ranking of its own.
most_listed <- 2500

#' P-values by relabelled samples
#'
#' @description What `permutations` computes in [relieff_sc()] and [fcrsc()]: is
#' the margin of a feature larger than that of uninformative pairs? To compare
#' groups of samples, [group_markers()] has more power.
#'
#' ```{r, comment = "#>"}
#' set.seed(1)
#' x <- log2(colon$x[, 1:200])
#' links <- constraints_from_labels(colon$tissue)        # all 62 labels
#' genes <- relieff_sc(x, links, permutations = 199)
#' head(as.data.frame(genes)[c("feature", "p_value", "fdr")], 3)
#' ```
#'
#' @details
#' In each of B sets every sample in a pair is replaced by another one, drawn at
#' random, the same in all of its pairs. The number of pairs, and which of them
#' share samples, stay. Where the pairs are given, all samples are exchanged,
#' where questions chose them, those in any pair: see `origin` in
#' [pairwise_constraints()]. With `block` they are exchanged within blocks.
#'
#' All margins, z_0 of the constraints and z_1, ..., z_B, are computed with
#' `must_link = "use"`, whatever orders the table. With T_b = (z_b - mean) / sd
#' over z_0, ..., z_B (0 if all are equal), of given pairs and 100 features or
#' more less the median of T_b over these features, standardised again:
#'
#' * `p_value` is the share of the B + 1 margins that are at least z_0 (equal
#'   but for rounding counts), for one feature that was chosen beforehand;
#' * `fdr`, a false discovery rate: the mean number, over the B + 1 sets, of
#'   features with T of at least t, divided by the number of features with T_0
#'   of at least t, at most 1; of all t up to the feature's own T_0 the smallest
#'   counts;
#' * `family_p_value` is the share of the B + 1 sets whose largest T is at least
#'   T_0 (single-step maxT). If no feature differs, a value up to 0.05 is a
#'   false discovery in at most 5 % of analyses; beside features that differ
#'   there can be more.
#'
#' The last two are `NA`, and a message counts them, for features in which fewer
#' than 3, or than a tenth, of the exchanged samples differ from the most
#' frequent value. 199 sets are enough for all three. [sample.int()] draws.
#'
#' *Units.* Cells of one donor and replicates need `unit` ([prepare_data()]):
#' whole units are exchanged, within blocks, with units of about as many samples
#' (1, 2, 3, 4 to 7, 8 to 15, ...): the r-th sample of a unit becomes sample
#' ((r - 1) mod size) + 1 of the other. So answers must differ between units;
#' for those within, `block` is the unit.
#'
#' *Validity.* Pairs picked by looking at these data, such as the farthest ones
#' or cells that express markers of different types, are significant in noise.
#' Give them `origin = "data"`; a warning then says that p-values do not hold,
#' as for `"features in view"`. Rows sorted by class with many equal distances
#' make p-values too small, which a message says. Confidence of pairs is left
#' out, as it may follow how far samples are apart.
#'
#' *Level and power.* `levels.csv` in `system.file("benchmarks", package =
#' "linkrank")` has measured levels: `p_value` holds its own, also after
#' sorting; `family_p_value` can be far too small beside features that differ.
#' Power is modest, and after few answers next to none.
#'
#' @references Westfall, P. H. and Young, S. S. (1993). *Resampling-Based
#' Multiple Testing*. Wiley.
#'
#' Tusher, V. G., Tibshirani, R. and Chu, G. (2001). *PNAS*, 98, 5116-5121.
#' \doi{10.1073/pnas.091062498}
#' @name p_values
#' @aliases NULL p_values
#' @usage NULL
# list(p_value, fdr, family_p_value), features in column order. Without
# `confidence`, which may follow the distance of a pair, and always with
# must-links: without them a relabelled pair has near samples, and each other,
# for neighbours, the given one, apart by the features that differ, has not, and
# all features had higher margins (15 against 15 labels, 30 of 300 features
# differ, k = 3: .74 of those with an fdr up to .05 were noise).
# `sums`: those of the pairs as given.
relabelled_p_values <- function(input, options, control, sums) {
    sets <- options$permutations
    if (!is.null(input$pairs$weight) || options$must_link == "ignore") {
        input$pairs["weight"] <- list(NULL)
        options$must_link <- "use"
        sums <- constrained_margins(input, options, control)
    }
    input["unit"] <- list(known_unit(input$data))
    check_bytes(8 * input$data$p * sets,
                paste("The margins of", show_number(sets), "permutations"))
    graph <- constraint_graph(input, options)
    varied <- varied_features(input$data, graph$among, control)
    left_out <- sum(!varied & input$scaling$divisor != 0)
    block <- exchange_blocks(input$data$n, input$block, input$unit)
    announce_relabelling(input, graph$among, block, left_out, options$k,
                         control)
    samples <- relabelled_samples(input$data$n, graph$nodes, sets, block,
                                  graph$among, input$unit)
    shared <- list(input = input, graph = graph, options = options,
                   control = control)
    relabelling_tests(c(list(rbind(sums$margin)),
                        relabelled_margins(samples, shared)),
                      sums$pairs * sums$rounding, input$scaling$divisor == 0,
                      varied, centred = input$constraints$origin == "given")
}

# The samples that are permuted: all; those in any pair where the data had a
# part in which ones these are, because what such samples have in common is not
# what the answers say.
exchanged_samples <- function(constraints) {
    if (constraints$origin == "given") seq_len(constraints$samples) else
        which(is_labelled(constraints))
}

# In which features do enough of these samples differ from the most frequent
# value among them? Others have few different margins, the largest of which
# would lead the tail of all features together.
varied_features <- function(data, samples, control) {
    .Call(C_varied_features, data, samples, max(3, length(samples) / 10),
          no_progress(control))
}

# What keeps the p-values from being what they seem.
announce_relabelling <- function(input, among, block, left_out, k, control) {
    rule <- origin_rule(input$constraints$origin)
    warn_if(rule$void, "The p-values are not valid, because ", rule$why,
            " (`origin` in pairwise_constraints()).", class = "significance")
    sizes <- if (is.null(input$unit)) length(among) else
        lengths(exchangeable_units(block, among, input$unit))
    movable <- sum(sizes[sizes > 1L])
    if (movable < 8L) {
        inform_linkrank("Only ", count_noun(movable, if (is.null(input$unit))
                            "sample" else "unit"),
                        " can be permuted, so no p-value can be small: ask ",
                        "about more samples.", class = "significance")
    } else if (left_out) {
        inform_linkrank(count_noun(left_out, "feature"),
                        if (left_out == 1L) " has" else " have", " no `fdr`,
                        because nearly all of the permuted samples have the same
                        value.", class = "significance")
    }
    tied <- tied_lists(input, k, control)
    inform_if(tied > 0.05, "{round(100 * tied)} % of the samples in cannot-links
              have ties among neighbours, which the order of rows decides:
              shuffle rows that are sorted by class.", class = "significance")
}

# What the p-values rest on, as a sentence of print(); NULL where there are none
# and nothing is to be said.
relabelling_note <- function(input, options) {
    constraints <- input$constraints
    none <- options$permutations == 0
    rule <- origin_rule(constraints$origin)
    if (rule$void) {
        return(paste0(if (none)
            "No p-values: those of `permutations` are not valid, because " else
                "The p-values are not valid, because ", rule$why, "."))
    }
    asked <- constraints$origin == "questions"
    size <- tabulate(components_of(constraints) + 1L)
    size <- size[size > 1L]
    more <- if (length(size) > 1L) paste0(
        "group_markers() has more power with the ", length(size), " groups of ",
        sum(size), " samples in these answers.")
    if (none) {
        return(if (!is.null(more)) paste(
            "No p-values: `permutations = 199` computes them;", more))
    }
    exchanged <- exchanged_words(exchanged_samples(constraints),
                                 number_unknown(input$data$unit_of))
    paste(c(paste0("p-values: ", exchanged, "; ", if (asked) rule$why else
        "valid only if these data had no part in the choice of the pairs", "."),
        more), collapse = " ")
}

exchanged_words <- function(among, unit) {
    if (is.null(unit)) return(paste(count_noun(length(among), "sample"),
                                    "exchanged, taken as independent"))
    paste(count_noun(length(unique(unit[among])), "unit"), "exchanged")
}

# Of the samples in cannot-links the share whose k-th neighbour is as near as
# the one that follows.
tied_lists <- function(input, k, control) {
    if (k >= input$data$n - 1) return(0)
    ends <- input$pairs$ends
    distance <- nearest(input$where, ends, k + 1, neighbour_rule(),
                        no_progress(control), with_distance = TRUE)$distance
    mean((distance[k, ] == distance[k + 1, ]) %in% TRUE)
}

# Samples are permuted within a block, units among those of about as many
# samples there: 1, 2, 3, 4 to 7, 8 to 15, ... Samples of a large unit have
# their near neighbours in it, so with units of any size small ones in the
# places of large ones had lower margins than the pairs as given (2 and 4
# samples: .20 of p-values up to .05, so .047).
exchange_blocks <- function(n, block, unit) {
    block <- block %||% rep(1L, n)
    if (is.null(unit)) return(block)
    size <- stats::ave(block, block, unit, FUN = length)
    alike <- pmin(size, floor(log2(size)) + 2)
    as.integer(interaction(block, alike, drop = TRUE))
}

# Nodes x sets: which sample takes the place of each of the nodes, from
# permutations of the samples `among`, or of those of each block; of whole units
# where there are any.
relabelled_samples <- function(n, nodes, sets, block = NULL,
                               among = seq_len(n), unit = NULL) {
    check_bytes(4 * length(nodes) * sets,
                paste("The samples of", show_number(sets), "permutations"))
    groups <- if (is.null(block)) list(among) else split(among, block[among])
    samples <- seq_len(n)
    draw <- if (is.null(unit)) function() {
        for (rows in groups) samples[rows] <- rows[sample.int(length(rows))]
        samples
    } else unit_exchange(n, block %||% rep(1L, n), among, unit)
    drawn <- vapply(seq_len(sets), function(b) draw()[nodes],
                    integer(length(nodes)))
    matrix(drawn, length(nodes))
}

# A function that exchanges units at random: the r-th sample of a unit, in a
# block, becomes sample ((r - 1) mod size) + 1 of the drawn unit in this block.
# Where the drawn unit is smaller, several samples become one.
unit_exchange <- function(n, block, among, unit) {
    groups <- exchangeable_units(block, among, unit)
    cell <- function(unit) (block - 1) * max(unit) + unit
    rows <- order(cell(unit))
    first <- which(!duplicated(cell(unit)[rows]))
    size <- diff(c(first, n + 1L))
    number <- integer(n)
    number[rows] <- sequence(size) - 1L
    cells <- cell(unit)[rows[first]]
    function() {
        drawn <- seq_len(max(unit))
        for (own in groups) drawn[own] <- own[sample.int(length(own))]
        at <- match((block - 1) * max(unit) + drawn[unit], cells)
        # one that is alone in its block stays
        ifelse(is.na(at), seq_len(n), rows[first[at] + number %% size[at]])
    }
}

# Units that hold samples `among`, as a list of those that can be permuted:
# they have samples in the same blocks. A block of one sample compares nothing.
exchangeable_units <- function(block, among, unit) {
    block[!block %in% block[duplicated(block)]] <- NA
    touched <- unit %in% unit[among]
    blocks <- vapply(split(block[touched], unit[touched]), function(own) {
        paste(sort(unique(own)), collapse = " ")
    }, "")
    split(as.integer(names(blocks)), factor(blocks, unique(blocks)))
}

# What is the same in all sets:
#   nodes           samples whose place matters
#   among           samples that are permuted
#   first, second   the cannot-links, as numbers of end points; NULL: too many
#   weight          of each of them, or NULL
#   ends            the end points, as numbers of nodes
#   links           constraint_links(), NULL when must-links are ignored
#   near            so many near samples of an end point give its neighbours
constraint_graph <- function(input, options) {
    constraints <- input$constraints
    n <- constraints$samples
    among <- exchanged_samples(constraints)
    pairs <- input$pairs
    if (!is.null(pairs$label) && pairs$count > most_listed)
        return(list(nodes = seq_len(n), among = among))
    pairs <- listed_pairs(pairs, 0)
    links <- if (options$must_link == "use")
        constraint_links(constraints, listed = TRUE)
    nodes <- pairs$ends
    if (!is.null(links)) {
        # what is joined to an end point or kept from it
        touched <- unique(links$component[pairs$ends])
        # numbered from 0
        kept <- links$against[sequence(diff(links$against_start)[touched + 1L],
                                       links$against_start[touched + 1L] + 1L)]
        nodes <- which(links$component %in% c(touched, kept))
    }
    list(nodes = nodes, among = among, first = pairs$first,
         second = pairs$second, weight = pairs$weight,
         ends = match(pairs$ends, nodes), links = links, samples = n,
         # of several samples that become one any may decide
         near = near_needed(links, if (is.null(input$unit)) pairs$ends else
             nodes, options$k, n))
}

near_needed <- function(links, ends, k, n) {
    if (is.null(links)) return(min(k, n - 1))
    size <- as.numeric(diff(links$member_start))
    kept_out <- c(0, cumsum(size[links$against + 1L]))[links$against_start + 1L]
    touched <- unique(links$component[ends]) + 1L
    joined <- size[touched] - 1
    if (max(joined) > k) return(n - 1) # the nearest of them must be found
    min(k + max(joined + diff(kept_out)[touched]), n - 1)
}

# A list of matrices, sets x features: the margins of some sets each.
relabelled_margins <- function(samples, shared) {
    workers <- shared$control$workers
    sets <- ncol(samples)
    listed <- !is.null(shared$graph$first)
    at_once <- if (!listed) 1 else
        sets_at_once(shared$graph, shared$input$data, shared$options$k)
    spreads <- !is.null(workers) || !listed
    if (!is.null(workers)) at_once <- min(at_once, ceiling(sets / 8))
    tasks <- lapply(split(seq_len(sets), (seq_len(sets) - 1) %/% at_once),
                    function(some) samples[, some, drop = FALSE])
    work <- if (!listed) margins_set_by_set else function(samples, shared) {
        ends <- samples_searched(samples, shared)
        margins <- function(input, lists) {
            margins_of_sets(samples, replace(shared, "input", list(input)),
                            ends, lists)[, input$scaling$divisor != 0]
        }
        z <- margins_of_sets(samples, shared, ends)
        z[, shared$input$own] <- unlist(each_own(
            shared$input, ends, shared$graph$near, neighbour_rule(),
            shared$control, margins))
        z
    }
    if (!spreads) return(lapply(tasks, work, shared))
    progress <- shared$control$progress
    shared$control <- no_progress(shared$control)
    shared$control$workers <- NULL
    spread(tasks, work, shared, workers, c("Permutations", "sets"), progress,
           random = FALSE)
}

# Lists of near samples and neighbours take at most about 256 MB, and of data on
# disk all of these samples are in memory.
sets_at_once <- function(graph, data, k) {
    ends <- length(graph$ends)
    sets <- 2^25 / (ends * (min(k, data$n - 1) + 2))
    lists <- 2^28 / (12 * (graph$near + 1))
    if (lists < length(graph$among)) sets <- min(sets, lists / ends)
    if (!is.null(data$cells))
        sets <- min(sets, held_ends(data, graph$near) / length(graph$nodes))
    max(1, floor(sets))
}

# The end points of any set. Of data on disk, what is must-linked to an end
# point must be in memory too.
samples_searched <- function(samples, shared) {
    places <- if (is.null(shared$input$data$cells)) shared$graph$ends else TRUE
    sort.int(unique(c(samples[places, ])), method = "quick")
}

# Sets x features: the margins when these samples take the places of the nodes.
# The near samples of all end points are found once, whatever their set.
# `lists`: of `searched`.
margins_of_sets <- function(samples, shared,
                            searched = samples_searched(samples, shared),
                            lists = nearest(
                                shared$input$where, searched, shared$graph$near,
                                neighbour_rule(), shared$control)) {
    input <- shared$input
    graph <- shared$graph
    ends <- samples[graph$ends, , drop = FALSE]
    near <- list(ends = searched, row = lists$row)
    hits <- .Call(C_relabelled_hits, graph, samples, near, input$block,
                  min(shared$options$k, input$data$n - 1))
    part <- samples_needed(input$data, ends, hits, lists$held)
    .Call(C_relabelled_margins, part$data, input$scaling,
          graph[c("first", "second", "weight")], part$ends, part$row,
          shared$options$direction == "both", shared$control)
}

margins_set_by_set <- function(samples, shared) {
    input <- shared$input
    constraints <- input$constraints
    pairs <- input$pairs
    margins <- apply(samples, 2L, function(set) {
        input$constraints <- relabelled_codes(constraints, set)
        ends <- set[pairs$ends]
        place <- order(ends)
        pairs[c("ends", "label", "block")] <- list(
            ends[place], pairs$label[place], pairs$block[place])
        input$pairs <- pairs
        constrained_margins(input, shared$options, shared$control)$margin
    })
    t(matrix(margins, ncol = ncol(samples)))
}

# The codes of each sample go to the one that takes its place. Of several that
# become one, the last decides, one with a class before one without.
relabelled_codes <- function(constraints, set) {
    component <- components_of(constraints)
    turn <- order(!is.na(component_classes(constraints,
                                           component)[component + 1L]))
    for (name in c("group_of", "class_of")) {
        codes <- constraints[[name]]
        constraints[[name]][] <- NA
        constraints[[name]][set[turn]] <- codes[turn]
    }
    constraints
}

# `margins`: a list of matrices, sets x features, the first of them of the
# constraints as given, which count among the sets; `none`: features without a
# value; `varied`: those that are adjusted for together, the others only have a
# `p_value`. `centred`: from 100 features on, fdr and family_p_value are of T
# less its median in each set, because pairs that are far apart by the features
# that differ have larger margins in all of them (100 of 300 features differ: a
# noise feature with a family_p_value up to .05 in up to .40 of data sets, now
# .07). Not of questions: the given pairs, chosen by the data, have smaller
# margins in all features than relabelled ones, and what is left of them after
# the median is not alike (three factors, 40 samples sorted, nothing to find:
# .14 of 400 data sets had a discovery centred, .02 of 150 not).
relabelling_tests <- function(margins, rounding, none, varied,
                              centred = FALSE) {
    changes <- margin_changes(margins, rounding)
    # may be as large as the changes, which the caller does not need
    rm(margins)
    spreads <- margin_spreads(changes, rounding)
    rated <- which(varied & !none)
    own <- spreads[rated, ]
    if (centred && length(rated) >= 100L) {
        changes <- centred_changes(changes, rated, own)
        own <- margin_spreads(changes, 1e-9)
        rated_tests <- joint_tests(changes, seq_along(rated), own)
    } else rated_tests <- joint_tests(changes, rated, own)
    column <- rep(NA_real_, length(rounding))
    list(p_value = ifelse(none, NA, spreads$at_least / length(changes)),
         fdr = replace(column, rated, rated_tests$fdr),
         family_p_value = replace(column, rated, rated_tests$family_p_value))
}

# z - z_0 of each set, 0 where it is no more than rounding.
margin_changes <- function(margins, rounding) {
    given <- margins[[1L]][1L, ]
    changes <- lapply(margins, function(z) {
        lapply(seq_len(nrow(z)), function(set) {
            no_rounding(z[set, ] - given, rounding)
        })
    })
    unlist(changes, recursive = FALSE, use.names = FALSE)
}

no_rounding <- function(change, rounding) {
    change[abs(change) <= rounding] <- 0
    change
}

# Of each feature over all sets: mean and standard deviation of z - z_0, and how
# many are at least 0.
margin_spreads <- function(changes, rounding) {
    count <- length(changes)
    mean <- at_least <- square <- 0
    for (d in changes) {
        mean <- mean + d
        at_least <- at_least + (d >= 0)
    }
    mean <- mean / count
    for (d in changes) square <- square + (d - mean)^2
    deviation <- sqrt(square / max(count - 1, 1))
    data.frame(mean, deviation = no_rounding(deviation, rounding), at_least)
}

# The same of T of the `rated` features less its median in each set; 0 where all
# margins are equal. `spreads`: theirs.
centred_changes <- function(changes, rated, spreads) {
    scale <- ifelse(spreads$deviation > 0, 1 / spreads$deviation, 0)
    # the median without the checks of median(), as there are many sets
    half <- (length(rated) + 1:2) %/% 2L
    centred <- function(change) {
        t <- (change[rated] - spreads$mean) * scale
        t <- t - mean(sort.int(t, partial = half)[half])
        t[scale == 0] <- 0
        t
    }
    given <- centred(changes[[1L]])
    lapply(changes, function(d) no_rounding(centred(d) - given, 1e-9))
}

# Of the `rated` features, by T = (z - z_0 - mean) / deviation. `spreads`:
# theirs.
joint_tests <- function(changes, rated, spreads) {
    count <- length(changes)
    same <- spreads$deviation == 0
    given <- ifelse(same, 0, -spreads$mean / spreads$deviation)
    # equal but for rounding counts as at least
    least <- given - 1e-9 * (1 + abs(given))
    place <- order(least)
    limits <- least[place]
    # how many of `t` are below each limit; sorting them set by set takes longer
    below <- function(t) {
        cumsum(tabulate(findInterval(t, limits) + 1L, length(limits)))
    }
    smaller <- 0
    largest <- numeric(count)
    for (set in seq_len(count)) {
        t <- (changes[[set]][rated] - spreads$mean) / spreads$deviation
        t[same] <- 0
        smaller <- smaller + below(t)
        largest[set] <- max(t, -Inf)
    }
    reached <- length(rated) - below(given)
    expected <- (as.numeric(count) * length(rated) - smaller) / count
    fdr <- cummin(pmin(1, expected / reached))
    above <- count - findInterval(least, sort(largest), left.open = TRUE)
    list(fdr = fdr[order(place)], family_p_value = above / count)
}

# ==== significance ============================================================

# Statistics of the margins: a paired t over the constraints, and that of STIR.

# Bound of the rounding error of the margin of one pair: scaled values are
# rounded to about 1e-16 of the largest of the feature, and so are differences
# and their means. `sums`: from C_constrained_margins.
margin_rounding <- function(sums, data, scaling) {
    extent <- pmax(abs(data$minimum - scaling$center),
                   abs(data$maximum - scaling$center)) / scaling$divisor
    extent[scaling$divisor == 0] <- 0
    1e-15 * extent + 1e-13 * sums$size
}

# What STIR (2.43) is made of, from counts of pairs and C_segment_moments. A
# margin or variance that is no more than rounding error is 0.
stir_margins <- function(moments, work) {
    pairs <- moments$pairs
    # rows: the first difference, sums of deviations from it, and of their
    # squares, each of hits and then of misses
    deviation <- moments$sums[3:4, , drop = FALSE]
    mean <- moments$sums[1:2, , drop = FALSE] + deviation / pairs
    # sums of squares about the means
    squares <- moments$sums[5:6, , drop = FALSE] - deviation^2 / pairs
    df <- sum(pairs) - 2
    margin <- mean[2L, ] - mean[1L, ]
    pooled <- pmax(colSums(squares), 0) / df
    size <- pmax(mean[1L, ], mean[2L, ])
    rounding <- margin_rounding(list(size = size), work$data, work$scaling)
    pooled[pooled <= rounding^2] <- 0
    margin[abs(margin) <= rounding] <- 0
    list(margin = margin, error = sqrt(pooled * sum(1 / pairs)), df = df,
         rounding = rounding)
}
