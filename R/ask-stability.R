# Do further answers still change the best features?

# The ranking that such answers are for, which is shown and whose best features are
# followed: list(order, score, by), column numbers and scores, the best first; `by`:
# "margin" or "score" (of glean()). NULL without a cannot-link.
current_ranking <- function(q) {
    input <- questionnaire_input(q, "manhattan")
    input$constraints <- kept_within(answer_constraints(q), q$block)
    if (count_pairs(input$constraints)[["cannot_link"]] == 0) {
        return(NULL)
    }
    if (!ranks_by_glean(q)) {
        options <- margin_options(3, "both", "use", "manhattan", "margin", 0,
                                  q$scale)
        margin <- constrained_margins(input, options, q$control)$margin
        order <- order(-margin)
        return(list(order = order, score = margin[order], by = "margin"))
    }
    # by its name, because the ranking is in a later layer
    rank <- get("glean", envir = topenv(), mode = "function")
    ranking <- suppressMessages(rank(
        q$data, answer_constraints(q), scale = q$scale, na.action = "mean",
        progress = FALSE, threads = q$control$threads
    ))
    list(order = match(ranking$feature, q$data$features),
         score = ranking$score, by = "score")
}

# The best 20 features, or the better half of fewer.
best_features <- function(q) {
    count <- max(min(20, q$data$p %/% 2), 1)
    if (!is.null(q$ranking)) utils::head(q$ranking$order, count)
}

# glean() takes seconds on many samples, and a person waits.
ranks_by_glean <- function(q) {
    q$strategy$name == "groups" && q$samples <= 1000 &&
        q$samples * q$data$p <= 2e6 && q$data$p > 1 &&
        !anyDuplicated(q$data$features)
}

stability_span <- 8L
stability_answers <- 10L
stability_share <- 0.85

# After an answer: the share of the best features that were among the best 8
# deciding answers before, NA after an unsure answer.
note_stability <- function(q) {
    last <- q$type[q$action %in% count_answers(q)]
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

is_stable <- function(q) {
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
               "same as ", found$before, " answers ago: you may stop.")
    }
}
