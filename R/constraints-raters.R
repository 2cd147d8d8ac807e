# Raters who sorted: Dawid and Skene's model over samples. A sorted session is
# a partial labelling, so each rater has groups, with numbers of the rater's
# own, and the model says which clusters of samples these groups stand for.

# Which rows are of raters who sorted? Those of whom an answer is about several
# groups. Beside them also those whose questionnaire set all of its groups
# apart: with a single group sorting looks like pairs.
are_sorted <- function(rows) {
    who <- rater_keys(rows)
    by <- unique(who[rows$several])
    others <- if (length(by)) setdiff(who[rows$asked], by)
    whole <- vapply(as.character(others), function(rater) {
        apart <- groups_of_rater(rows[who == rater, ])$apart
        length(apart) > 0L && all(apart | diag(nrow(apart)) > 0)
    }, NA)
    # one person alone has nobody to differ from
    who %in% c(by, others[whole]) & length(unique(who)) > 1L
}

rater_keys <- function(rows) ifelse(is.na(rows$rater), "rater", rows$rater)

# The groups of a rater: list(samples, code, apart), the samples that the rater
# placed, the group of each, and which groups are known to be apart. What a
# rater says against himself is settled like the answers of several.
groups_of_rater <- function(rows) {
    rows <- rows[!rows$implied, ]
    samples <- unique(c(rbind(rows$i, rows$j)))
    rows[c("i", "j")] <- lapply(rows[c("i", "j")], match, samples)
    said <- settle_pairs(add_votes(rows, length(samples))$pairs)
    said <- said[said$kept, ]
    own <- new_constraints(cbind(said$first, said$second), said$must_link,
                           length(samples))
    groups <- closure_groups(own)
    placed <- which(!is.na(groups$code))
    list(samples = samples[placed], code = groups$code[placed],
         apart = set_apart(closure_of(own), groups$first))
}

# What raters who sorted say together; `rows`: those of are_sorted(). NULL where
# nobody could tell. The samples are those that somebody placed, and all else is
# by their places here:
#
#   code      samples x raters: the rater's own group, NA where not placed
#   stands    the same as clusters of all raters, 0 for one that others have not
#   cluster   of each sample, NA where the raters are too undecided
#   sure      how likely each sample is of its likeliest cluster
#   differ    the samples that a rater placed elsewhere, or that are in dispute,
#             the most undecided first
#   pairs     the result as the votes of one more rater, as in read_votes()
#   raters    a table: rater, samples, error, agreement (with each rater)
pool_raters <- function(rows) {
    who <- rater_keys(rows)
    groups <- lapply(split(rows, factor(who, unique(who))), groups_of_rater)
    samples <- sort(unique(unlist(lapply(groups, `[[`, "samples"))))
    if (!length(samples)) return(NULL)
    check_bytes(40 * length(samples)^2, "The agreement of raters who sorted")
    code <- vapply(groups, function(one) {
        one$code[match(samples, one$samples)]
    }, integer(length(samples)))
    said <- count_together(code, groups)
    fit <- fit_clusters(code, start_clusters(said))
    cluster <- max.col(fit$share, "first")
    sure <- fit$share[cbind(seq_along(cluster), cluster)]
    # where all say "none of these", the frequency of a cluster places nobody
    placed <- sure > 0.5 & rowSums(fit$stands > 0L, na.rm = TRUE) > 0
    # a cluster that all samples but one have left was named by nobody
    placed <- placed &
        (!fit$several |
             tabulate(cluster[placed], ncol(fit$share))[cluster] > 1L)
    apart <- if (fit$several) clusters_apart(fit, code, groups) else {
        rowsum(t(rowsum(said$both - 2 * said$same, cluster)), cluster) > 0
    }
    asked <- order(match(samples, c(rbind(rows$i, rows$j))))
    pairs <- pairs_of_clusters(fit, cluster, sure, placed, apart, asked)
    pairs[c("i", "j")] <- list(samples[pairs$i], samples[pairs$j])
    pairs <- pairs[!duplicated(pair_key(pairs$i, pairs$j, 2^26)), ]
    # one row, for any number of pairs: none where the raters agree on nothing
    rest <- data.frame(rater = NA_character_, implied = FALSE, pooled = TRUE,
                       origin = worst_origin(rows$origin), several = FALSE,
                       asked = FALSE, action = NA)
    pairs <- cbind(pairs, rest[rep(1L, nrow(pairs)), ])
    agreement <- rand_indices(code)
    diag(agreement) <- NA
    raters <- data.frame(rater = names(groups), samples = lengths(lapply(
        groups, `[[`, "samples")), error = fit$error, row.names = NULL)
    raters$agreement <- agreement
    differ <- which(!placed | rowSums(fit$stands != cluster, na.rm = TRUE) > 0)
    list(samples = samples, code = code, sure = sure, stands = fit$stands,
         cluster = replace(cluster, !placed, NA),
         differ = differ[order(sure[differ])], pairs = pairs, raters = raters)
}

# ---- the model ---------------------------------------------------------------

# Matrices samples x samples: how many raters say how two are related (`both`),
# and how many that they are of one group (`same`).
count_together <- function(code, groups) {
    both <- same <- matrix(0, nrow(code), nrow(code))
    for (r in seq_along(groups)) {
        at <- which(!is.na(code[, r]))
        group <- code[at, r]
        alike <- outer(group, group, `==`)
        both[at, at] <- both[at, at] + (alike | groups[[r]]$apart[group, group])
        same[at, at] <- same[at, at] + alike
    }
    list(both = both, same = same)
}

# Average linkage on the share of raters who set two samples apart, cut below
# one half.
start_clusters <- function(said) {
    if (nrow(said$both) < 2L) return(1L)
    far <- stats::as.dist(1 - said$same / pmax(said$both, 1))
    tree <- stats::hclust(far, "average")
    # but for rounding they ascend
    tree$height <- cummax(tree$height)
    stats::cutree(tree, h = 0.5 - 1e-6)
}

# list(share, stands, error, several): samples x clusters, the probability of
# each cluster; samples x raters, the cluster that the rater's group of a sample
# stands for, 0 for none of these; of each rater the share of wrong groups.
# `start`: a cluster per sample. Where several of these have two samples or
# more, only they are kept, and rounds of Dawid and Skene follow; else, and with
# one rater, all are kept.
fit_clusters <- function(code, start, most = 1000L) {
    size <- tabulate(start)
    several <- ncol(code) > 1L && sum(size > 1L) > 1L
    if (several) start <- match(start, which(size > 1L))
    clusters <- seq_len(max(start, na.rm = TRUE))
    founders <- 1 * outer(start, clusters, `==`)
    founders[is.na(start), ] <- 0
    share <- founders + 1e-3 * several * (founders == 0)
    share <- share / rowSums(share)
    for (round in seq_len(most)) {
        stands <- array(apply(code, 2L, stands_for, share, founders, several),
                        dim(code))
        right <- array(cbind(0, share)[cbind(c(row(code)), c(stands) + 1)],
                       dim(code))
        placed <- colSums(!is.na(code))
        error <- pmin((placed - colSums(right, na.rm = TRUE) + 1) /
                          (placed + 5), 0.75)
        if (!several) break
        weight <- vapply(clusters, function(k) {
            log(mean(share[, k]) + 1e-6) + colSums(na.rm = TRUE, ifelse(
                t(stands) == k, log(1 - error), log(error / length(clusters))))
        }, numeric(nrow(code)))
        new <- exp(weight - apply(weight, 1L, max))
        new <- new / rowSums(new)
        # all in one cluster would contradict nobody
        if (length(unique(max.col(new, "first"))) < 2L) break
        done <- max(abs(new - share)) < 1e-6
        share <- new
        if (done) break
    }
    warn_if(several && round == most, "What the raters say together had not ",
            "settled after ", count_noun(most, "round"), ": probabilities of ",
            "clusters are not final; compare pairs with answer_agreement().",
            class = "convergence")
    list(share = share, stands = stands, error = error, several = several)
}

# The cluster with most of the weight of a group's members, of those with which
# it shares a sample in the beginning.
stands_for <- function(group, share, founders, several) {
    placed <- which(!is.na(group))
    weight <- rowsum(share[placed, , drop = FALSE], group[placed]) *
        (rowsum(founders[placed, , drop = FALSE], group[placed]) > 0)
    cluster <- max.col(weight, "first") * (rowSums(weight) > 0)
    cluster[several & tabulate(group[placed]) < 2L] <- 0
    cluster[group]
}

# ---- the result --------------------------------------------------------------

# Which clusters has somebody set apart?
clusters_apart <- function(fit, code, groups) {
    apart <- matrix(FALSE, ncol(fit$share), ncol(fit$share))
    for (r in seq_along(groups)) {
        apart_here <- which(groups[[r]]$apart, arr.ind = TRUE)
        pair <- matrix(fit$stands[match(apart_here, code[, r]), r], ncol = 2L)
        apart[pair[pair[, 1L] > 0 & pair[, 2L] > 0, , drop = FALSE]] <- TRUE
    }
    apart & !diag(nrow(apart))
}

# Must-links from each sample that is placed to the one of its cluster that was
# asked about first (`asked`: their order), and cannot-links to those of the
# clusters from which its own is set apart. One that is not placed is apart from
# the clusters in which nobody put it, by raters who know these.
pairs_of_clusters <- function(fit, cluster, sure, placed, apart, asked) {
    stands <- fit$stands
    clusters <- seq_len(ncol(fit$share))
    first <- asked[match(clusters, replace(cluster, !placed, NA)[asked])]
    put <- lapply(clusters, function(k) stands %in% k)
    count <- function(sums) {
        matrix(vapply(put, function(one) {
            sums(matrix(one, nrow(stands)))
        }, sums(stands)), ncol = length(clusters)) > 0
    }
    apart <- apart[cluster, , drop = FALSE]
    apart[!placed, ] <- ((!is.na(stands)) %*% count(colSums) > 0 &
                             !count(rowSums))[!placed, ]
    apart[, is.na(first)] <- FALSE
    ends <- which(apart, arr.ind = TRUE)
    home <- setdiff(which(placed), first)
    data.frame(i = c(home, ends[, 1L]),
               j = first[c(cluster[home], ends[, 2L])],
               type = rep(c("must-link", "cannot-link"),
                          c(length(home), nrow(ends))),
               confidence = c(sure[home], ifelse(
                   placed[ends[, 1L]], sure[ends[, 1L]], 1 - fit$share[ends])))
}

# The answers of raters who sorted that the constraints contradict or say
# nothing of, as conflicts; `implied`: what these say of each.
unused_answers <- function(rows, implied, model, names) {
    out <- which(!(implied == rows$type) %in% TRUE)
    rows <- rows[out, ]
    sure <- function(end) model$sure[match(end, model$samples)]
    as_conflicts(data.frame(
        first = show_places(rows$i, names),
        second = show_places(rows$j, names), answer = rows$type,
        weight = ifelse(is.na(rows$confidence), 1, rows$confidence),
        votes = rep(1L, nrow(rows)), raters = rater_keys(rows),
        reason = ifelse(is.na(implied[out]), "open", "placed"),
        chain = rep("", nrow(rows)),
        sure = pmin(sure(rows$i), sure(rows$j))
    ))
}

# Raters x raters: the adjusted Rand index (Hubert and Arabie 1985) of the
# samples that both placed, NA for fewer than two.
rand_indices <- function(code) {
    ends <- which(lower.tri(diag(nrow(code))), arr.ind = TRUE)
    first <- code[ends[, 1L], , drop = FALSE]
    second <- code[ends[, 2L], , drop = FALSE]
    placed <- 1 * !is.na(first + second)
    alike <- 1 * (first == second) %in% TRUE
    dim(alike) <- dim(placed)
    pairs <- crossprod(placed)
    shared <- crossprod(alike, placed)
    chance <- shared * t(shared) / pairs
    most <- (shared + t(shared)) / 2
    index <- (crossprod(alike) - chance) / (most - chance)
    # one group, or one for each sample, on both sides
    index[pairs > 0 & most == chance] <- 1
    index[pairs == 0] <- NA
    dimnames(index) <- list(colnames(code), colnames(code))
    index
}

# "ann: 25 samples, error 0.04, agreement 0.83 with bob"
rater_lines <- function(raters, n) {
    rows <- utils::head(raters, n)
    mean <- formatC(rowMeans(rows$agreement, na.rm = TRUE), digits = 2L,
                    format = "f")
    lines <- sprintf("  %s: %d samples sorted, error %.2f%s", rows$rater,
                     rows$samples, rows$error,
                     ifelse(mean == "NaN", "", paste0(", agreement ", mean)))
    rest <- nrow(raters) - n
    c(lines, if (rest > 0) paste0("  ", count_noun(rest, "more rater"),
                                  " in $raters"))
}
