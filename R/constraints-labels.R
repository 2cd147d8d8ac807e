# Constraints from known classes, and random pairs of samples.

#' Constraints from class labels
#'
#' Turns known classes into constraints: samples of one class are must-linked,
#' samples of different classes cannot-linked. Either all pairs of the labelled
#' samples, or some at random, as a baseline for asking a person.
#'
#' @param labels Class of each sample: a factor, or a character, logical or
#'   whole-number vector; `NA` for unlabelled samples. Its names, if any, are
#'   taken as the names of the samples.
#' @param cannot_link,must_link How many pairs of each kind to draw at random
#'   from R's random numbers (so `set.seed()` reproduces them), without
#'   repetition, each in a random direction; `Inf` for all of them.
#'
#' @return An object of class [`pairwise_constraints`][pairwise_constraints()].
#'   With both numbers `Inf` it keeps the labels and never a list of pairs, so
#'   that ten thousand labelled samples cost no more than their labels:
#'   `length()`, `print()`, `summary()`, [close_constraints()] and
#'   [constraint_groups()] work on the labels, `as.data.frame()` and `[` write
#'   the pairs out (`i < j`). Otherwise an ordinary list of pairs.
#'
#' @section Errors: Class `linkrank_error_constraints`: no known label; a single
#'   class when cannot-links are asked for; more pairs asked for than there are.
#'
#' @seealso [pairwise_constraints()]
#' @examples
#' set.seed(1)
#' constraints_from_labels(colon$tissue, cannot_link = 10, must_link = 5)
#' constraints_from_labels(colon$tissue)
#' @export
constraints_from_labels <- function(labels, cannot_link = Inf,
                                    must_link = Inf) {
    cannot_link <- check_count_or_all(cannot_link, "cannot_link")
    must_link <- check_count_or_all(must_link, "must_link")
    names <- names(labels)
    if (!is.null(names)) {
        names <- check_sample_names(names)
    }
    classes <- as_class_labels(labels)
    codes <- as.integer(classes)
    check_label_classes(classes, cannot_link)
    if (is.infinite(cannot_link) && is.infinite(must_link)) {
        return(new_label_constraints(codes, levels(classes), names))
    }
    cannot <- draw_label_pairs(codes, FALSE, cannot_link, "cannot_link")
    must <- draw_label_pairs(codes, TRUE, must_link, "must_link")
    new_constraints(rbind(cannot, must),
                    rep(c(FALSE, TRUE), c(nrow(cannot), nrow(must))),
                    length(codes), names)
}

check_label_classes <- function(classes, cannot_link) {
    known <- sum(!is.na(classes))
    if (known == 0L) {
        abort_linkrank("`labels` must hold at least one known class, but all ",
                       length(classes), " are NA.", class = "constraints")
    }
    if (nlevels(classes) < 2L && cannot_link > 0) {
        abort_linkrank("`labels` must hold at least two classes, but all ",
                       known, " known labels are ",
                       quote_values(levels(classes)), ".",
                       class = "constraints")
    }
}

# How many pairs of labelled samples are of one class, or of two.
count_label_pairs <- function(codes, same) {
    sizes <- as.numeric(tabulate(codes))
    within <- sum(sizes * (sizes - 1) / 2)
    if (same) within else sum(sizes) * (sum(sizes) - 1) / 2 - within
}

draw_label_pairs <- function(codes, same, count, name) {
    if (count == 0) {
        return(matrix(integer(), 0L, 2L))
    }
    there <- count_label_pairs(codes, same)
    if (is.finite(count) && count > there) {
        abort_linkrank("`", name, "` asks for ", count, " pairs, but the ",
                       "labels have only ", format(there, scientific = FALSE),
                       " of them.", class = "constraints")
    }
    allowed <- function(a, b) {
        known <- !is.na(codes[a]) & !is.na(codes[b])
        known & (codes[a] == codes[b]) == same
    }
    if (is.infinite(count)) {
        check_bytes(16 * there, "The list of pairs")
        return(all_pairs(length(codes), allowed))
    }
    pair_sampler(length(codes), there, allowed)(count)
}

# Objects that grow with the square of the samples say how large they would
# be instead of filling the memory.
check_bytes <- function(bytes, what) {
    limit <- getOption("linkrank.max_bytes", 4 * 2^30)
    if (bytes > limit) {
        abort_linkrank(what, " would take ", format(bytes, digits = 3L),
                       " bytes, more than options(linkrank.max_bytes) = ",
                       format(limit, digits = 3L), " allows.",
                       class = "memory")
    }
}

# ---- pairs by number -------------------------------------------------------
# Pair number 1 is (1, 2), then (1, 3), (2, 3), (1, 4), ...: all pairs below
# sample j come before the pairs of j.

number_to_pair <- function(number) {
    j <- ceiling((1 + sqrt(8 * number + 1)) / 2)
    # the root may be off by one when the number is large
    j <- j - ((j - 1) * (j - 2) / 2 >= number)
    j <- j + (j * (j - 1) / 2 < number)
    cbind(as.integer(number - (j - 1) * (j - 2) / 2), as.integer(j))
}

all_pairs <- function(samples, allowed) {
    pairs <- number_to_pair(seq_len(samples * (samples - 1) / 2))
    pairs <- pairs[allowed(pairs[, 1L], pairs[, 2L]), , drop = FALSE]
    pairs[order(pairs[, 1L], pairs[, 2L]), , drop = FALSE]
}

# A function(count) that draws different pairs uniformly from those `allowed`,
# each in a random direction, from R's RNG. Few samples: from a list of all
# allowed pairs; many: by drawing again whatever is not allowed.
pair_sampler <- function(samples, there, allowed) {
    all <- samples * (samples - 1) / 2
    listed <- all <= 2^20
    pool <- if (listed) all_pairs(samples, allowed)
    function(count) {
        pairs <- if (listed || count > there / 2) {
            if (!listed) pool <- all_pairs(samples, allowed)
            pool[sample.int(nrow(pool), count), , drop = FALSE]
        } else {
            draw_again(samples, all, count, there, allowed)
        }
        turned <- stats::runif(count) < 0.5
        pairs[turned, ] <- pairs[turned, 2:1]
        pairs
    }
}

draw_again <- function(samples, all, count, there, allowed) {
    numbers <- numeric()
    while (length(numbers) < count) {
        wanted <- ceiling(1.2 * (count - length(numbers)) * all / there) + 8
        drawn <- ceiling(stats::runif(min(wanted, 1e6)) * all)
        drawn[drawn < 1] <- 1
        pairs <- number_to_pair(drawn)
        drawn <- drawn[allowed(pairs[, 1L], pairs[, 2L])]
        numbers <- unique(c(numbers, drawn))
    }
    number_to_pair(numbers[seq_len(count)])
}
