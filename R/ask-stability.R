# Do further answers still change the best features, and do these features know
# anything about the answers?

# The ranking that such answers are for, which is shown and whose best features
# are followed: list(order, score, by), column numbers and scores, the best
# first; `by`: "margin" or "score" (of glean()). NULL without a cannot-link.
current_ranking <- function(q) {
    input <- questionnaire_input(q, "manhattan")
    input$constraints <- answer_constraints(q)
    count <- count_across(input$constraints, q$block)
    if (count[["all"]] == count[["across"]]) {
        return(NULL)
    }
    if (!ranks_by_glean(q)) {
        options <- margin_options(3, "both", "use")
        margin <- constrained_margins(input, options, q$control)$margin
        order <- order(-margin)
        return(list(order = order, score = margin[order], by = "margin"))
    }
    # by its name, because the ranking is in a later layer
    rank <- get("glean", envir = topenv(), mode = "function")
    # in the space of glean(), whatever that of the questions
    data <- q$data
    data$settings["space"] <- NULL
    ranking <- suppressMessages(rank(
        data, answer_constraints(q), block = q$block, scale = q$scale,
        na.action = "mean", progress = FALSE, threads = q$control$threads
    ))
    list(order = match(ranking$feature, q$data$features),
         score = ranking$score, by = "score")
}

# The best 20 features, or the better half of fewer.
best_features <- function(q) {
    count <- max(min(20, q$data$p %/% 2), 1)
    if (!is.null(q$ranking)) utils::head(q$ranking$order, count)
}

# glean() takes seconds on many samples, and a person waits; it takes no factors
# of three levels.
ranks_by_glean <- function(q) {
    q$strategy$name == "groups" && q$samples <= 1000 &&
        q$samples * q$data$p <= 2e6 && q$data$p > 1 &&
        !any(q$data$kind == "factor") && !anyDuplicated(q$data$features)
}

stability_span <- 8L
stability_answers <- 10L
stability_share <- 0.85
prediction_level <- 0.2

# Before an answer, whether the best features predict that the first sample is
# of the same kind as another one shown, because the nearest sample that was
# asked about is in its group. list(same, chance): which of the others it is,
# and how often that would be right if kinds had nothing to do with features, by
# the sizes of the groups that are possible. NULL where it is none of them, or
# one group only.
predict_answer <- function(q) {
    best <- utils::tail(Filter(Negate(is.null), q$best), 1L)
    group <- q$closure$component
    shown <- q$pending
    asked <- setdiff(c(shown, q$first, q$second), which(group == group[shown[1L]]))
    apart <- closure_relation(q$closure, shown[1L], asked) %in% "cannot-link"
    asked <- asked[!apart]
    if (!length(best) || length(unique(group[asked])) < 2L) {
        return(NULL)
    }
    distance <- best_distances(q, shown[1L], asked, best[[1L]])
    nearest <- group[asked[which.min(distance)]]
    if (nearest %in% group[shown[-1L]]) {
        list(same = group[shown[-1L]] == nearest,
             chance = mean(group[asked] == nearest))
    }
}

# Distances of a sample to some others in some features, scaled; factors differ
# or not.
best_distances <- function(q, sample, others, features) {
    scaling <- feature_scaling(q$data, q$scale)
    cells <- .Call(C_read_samples, q$data, scaling,
                   as.integer(c(sample, others)))[, features, drop = FALSE]
    apart <- abs(cells[-1L, , drop = FALSE] -
                     rep(cells[1L, ], each = nrow(cells) - 1L))
    kinds <- scaling$category[features]
    apart[, kinds] <- apart[, kinds] > 0
    rowSums(apart, na.rm = TRUE)
}

# The probability that as many answers are as predicted by chance alone: the
# upper tail of a sum of independent trials with these chances. NA without one.
prediction_p_value <- function(q) {
    trials <- do.call(rbind, q$predicted)
    if (is.null(trials)) {
        return(NA_real_)
    }
    count <- 1
    for (chance in trials[, "chance"]) {
        count <- c(count * (1 - chance), 0) + c(0, count * chance)
    }
    sum(count[seq_along(count) > sum(trials[, "right"])])
}

# After an answer: the share of the best features that were among the best 8
# deciding answers before, NA after an unsure answer. `predicted`: from
# predict_answer().
note_stability <- function(q, predicted) {
    last <- q$type[q$action %in% count_answers(q)]
    q$predicted <- c(q$predicted, list(
        if (!is.null(predicted) && all(last != "unsure")) {
            c(right = any(last[predicted$same] == "must-link"),
              chance = predicted$chance)
        }
    ))
    if (all(last == "unsure")) {
        q$best <- c(q$best, list(NULL))
        q$stability <- c(q$stability, NA_real_)
        return(q)
    }
    q["ranking"] <- list(current_ranking(q))
    q$best <- c(q$best, list(best_features(q)))
    known <- Filter(Negate(is.null), q$best)
    at <- length(known)
    share <- if (at > stability_span) {
        mean(known[[at]] %in% known[[at - stability_span]])
    } else {
        NA_real_
    }
    q$stability <- c(q$stability, share)
    q
}

# May one stop? Then the best features have settled and predict the answers.
is_stable <- function(q) {
    has_settled(q) && isTRUE(prediction_p_value(q) <= prediction_level)
}

has_settled <- function(q) {
    share <- utils::tail(q$stability, 1L)
    if (length(share) != 1L || is.na(share) ||
        share < stability_share - 1e-9) {
        return(FALSE)
    }
    decided <- q$action[!q$implied & !q$repeated & q$type != "unsure"]
    length(unique(decided)) >= stability_answers
}

# list(same, count, before): how many of the best features were among the best
# before; NULL where that is not known.
stability_counts <- function(q) {
    share <- utils::tail(q$stability, 1L)
    if (length(share) && !is.na(share)) {
        count <- length(utils::tail(q$best, 1L)[[1L]])
        list(same = round(share * count), count = count,
             before = stability_span)
    }
}

# The sentence in the console, where one may stop.
stability_sentence <- function(q) {
    if (is_stable(q)) {
        found <- stability_counts(q)
        paste0(found$same, " of the best ", found$count, " features are the ",
               "same as ", found$before, " answers ago, and they predicted ",
               "answers better than chance: you may stop.")
    }
}
