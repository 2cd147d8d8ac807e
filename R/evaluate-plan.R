# The splits of an evaluation.

# A list of list(train, test, split). `splits`: NULL when it was not given;
# `unit`: of each sample, or NULL.
plan_splits <- function(splits, type, share, folds, y, unit = NULL) {
    type <- check_choice(type, c("random", "first"), "type")
    share <- check_number(share, "share", 0, 1)
    strata <- if (is.factor(y)) y else factor(rep(1L, length(y)))
    if (is.list(splits)) {
        refuse_if(!is.null(folds), "`folds` must be left out when `splits` ",
                  "holds the splits themselves.")
        found <- given_splits(splits, length(y))
        torn <- vapply(found, function(split) {
            any(unit[split$train] %in% unit[split$test])
        }, NA)
        refuse_if(any(torn), "`splits` must have all samples of a unit on one ",
                  "side, but split ", which(torn)[1L], " has some on both.")
    } else {
        # the samples of each unit, which has the class of most of them
        parts <- split(seq_along(strata), unit %||% seq_along(strata))
        if (!is.null(unit)) {
            strata <- factor(vapply(parts, function(own) {
                names(which.max(table(strata[own])))
            }, ""), levels(strata))
        }
        found <- lapply(drawn_splits(splits, type, share, folds, strata),
                        lapply, function(places) {
            sort(unlist(parts[places], use.names = FALSE))
        })
    }
    unname(Map(c, found, split = seq_along(found)))
}

drawn_splits <- function(splits, type, share, folds, strata) {
    if (!is.null(folds)) {
        # Each class is distributed over the folds cyclically, beginning where
        # the previous class ended.
        repeats <- if (is.null(splits)) 1 else
            check_count(splits, "splits", 1, 1e6)
        samples <- length(strata)
        if (identical(folds, Inf)) folds <- samples
        folds <- check_count(folds, "folds", 2, samples)
        unlist(lapply(seq_len(repeats), function(again) {
            rows <- split(seq_len(samples), strata)
            rows <- unlist(lapply(rows, function(own) {
                if (type == "random") own[sample.int(length(own))] else own
            }), use.names = FALSE)
            fold <- rep_len(seq_len(folds), samples)
            lapply(seq_len(folds), function(part) {
                list(train = sort(rows[fold != part]),
                     test = sort(rows[fold == part]))
            })
        }), recursive = FALSE)
    } else {
        splits <- if (is.null(splits)) c(random = 20, first = 1)[[type]] else
            check_count(splits, "splits", 1, 1e6)
        refuse_if(type == "first" && splits > 1,
                  "`splits` must be 1 for type = \"first\", of which there is ",
                  "one, not ", splits, "; `draws` draws constraints again and ",
                  "again.")
        lapply(seq_len(splits), function(split) split_half(strata, type, share))
    }
}

# What the splits take as independent, for print().
split_words <- function(samples, unit) {
    paste0("  split: ", if (!is.null(unit))
        paste(count_noun(length(unique(unit)), "unit"), "of "),
        count_noun(samples, "sample"),
        if (is.null(unit)) ", taken as independent")
}

# Test samples per training sample, for corrected_error().
test_ratio <- function(plan) {
    mean(vapply(plan, function(split) {
        length(split$test) / length(split$train)
    }, 0))
}

# Splits given by the user: a list of training rows, of list(train, test), or an
# rset or rsplit of rsample.
given_splits <- function(splits, samples) {
    if (is.data.frame(splits)) {
        splits <- lapply(splits$splits, rsample_rows)
    } else if (inherits(splits, "rsplit")) {
        splits <- list(rsample_rows(splits))
    }
    refuse_class_if(is.object(splits), splits, "`splits` must be a number, a ",
                    "list of splits or what rsample made")
    refuse_if(!length(splits),
              "`splits` must hold at least one split, but it is empty.")
    lapply(seq_along(splits), function(i) {
        split <- splits[[i]]
        if (!is.list(split)) split <- list(train = split)
        train <- check_split_rows(split$train, i, "train", samples)
        test <- if (is.null(split$test)) {
            setdiff(seq_len(samples), train)
        } else {
            check_split_rows(split$test, i, "test", samples)
        }
        refuse_if(!length(test) || length(intersect(train, test)),
                  "`splits` must have test samples that are not for training, ",
                  "but split ", i,
                  if (length(test)) " has some in both." else " has none.")
        list(train = sort(train), test = sort(test))
    })
}

# A bootstrap sample of rsample holds rows repeatedly; here each is used once.
rsample_rows <- function(split) {
    test <- split$out_id
    list(train = unique(split$in_id),
         test = if (length(test) && !anyNA(test)) test)
}

check_split_rows <- function(rows, i, part, samples) {
    if (is.numeric(rows)) rows <- as.vector(rows)
    refuse_if(!whole_within(rows, 1, samples) || anyDuplicated(rows),
              "`splits` must hold different row numbers from 1 to ", samples,
              ", but the ", part, " part of split ", i, " does not.")
    as.integer(rows)
}
