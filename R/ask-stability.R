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
    ranking <- glean_answers_of(q)
    list(order = match(ranking$feature, q$data$features),
         score = ranking$score, by = "score")
}

glean_answers_of <- function(q) {
    # by its name, because the ranking is in a later layer
    rank <- get("glean", envir = topenv(), mode = "function")
    # in the space of glean(), whatever that of the questions
    data <- q$data
    data$settings["space"] <- NULL
    suppressMessages(rank(
        data, answer_constraints(q), block = q$block, scale = q$scaling$scale,
        na.action = "mean", progress = FALSE, threads = q$control$threads
    ))
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
prediction_level <- 0.1

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
    asked <- setdiff(c(shown, q$first, q$second),
                     which(group == group[shown[1L]]))
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
    cells <- .Call(C_read_samples, q$data, q$scaling,
                   as.integer(c(sample, others)))[, features, drop = FALSE]
    apart <- abs(cells[-1L, , drop = FALSE] -
                     rep(cells[1L, ], each = nrow(cells) - 1L))
    kinds <- q$scaling$category[features]
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

# Notes an answer. `predicted`: from predict_answer().
note_stability <- function(q, predicted) {
    last <- q$type[q$action %in% count_answers(q)]
    q$predicted <- c(q$predicted, list(
        if (!is.null(predicted) && all(last != "unsure")) {
            c(right = any(last[predicted$same] == "must-link"),
              chance = predicted$chance)
        }
    ))
    q$best <- c(q$best, list(NULL))
    q$stability <- c(q$stability, NA_real_)
    # what has been said stays until an answer contradicts it
    q$advised <- c(q$advised, is_stable(q))
    follow_ranking(q)
}

# What the last answer changed: the ranking, the share of the best features that
# were among the best 8 deciding answers before (NA after an unsure answer), and
# whether one may stop.
follow_ranking <- function(q) {
    at <- length(q$stability)
    decided <- any(q$type[q$action %in% count_answers(q)] != "unsure")
    if (decided || isTRUE(q$behind)) {
        q <- rank_answers(q)
    }
    if (decided) {
        q$best[at] <- list(best_features(q))
        known <- Filter(Negate(is.null), q$best)
        if (length(known) > stability_span) {
            before <- known[[length(known) - stability_span]]
            q$stability[at] <- mean(best_features(q) %in% before)
        }
    }
    stable <- q$advised[at] || !isTRUE(q$behind) &&
        has_settled(q) && isTRUE(prediction_p_value(q) <= prediction_level)
    q$advised[at] <- stable && all_seen_twice(q)
    q
}

# The next question does not need the ranking, and nobody should wait for it.
# Where it may come `later`, the last one stands and is `behind` until
# catch_up(); one that further answers have outdated is never computed.
rank_answers <- function(q) {
    q$behind <- isTRUE(q$later)
    if (!q$behind) {
        q["ranking"] <- list(current_ranking(q))
    }
    q
}

catch_up <- function(q) {
    if (!isTRUE(q$behind)) {
        return(q)
    }
    q$later <- FALSE
    q <- if (length(q$stability)) follow_ranking(q) else rank_answers(q)
    q$later <- TRUE
    q
}

has_settled <- function(q) {
    share <- utils::tail(q$stability, 1L)
    decided <- q$action[!q$implied & q$type != "unsure"]
    isTRUE(share >= stability_share - 1e-9) &&
        length(unique(decided)) >= stability_answers
}

# The kinds that the answers tell apart, each as its samples, in the order in
# which they were founded. A sample that may still belong to a kind before it is
# none. `across`: count samples of different blocks, which are compared last, as
# different.
seen_kinds <- function(q, across = FALSE) {
    use <- q$type != "unsure"
    seen <- unique(c(rbind(c(q$others$second, q$second[use]),
                           c(q$others$first, q$first[use]))))
    component <- q$closure$component
    founders <- integer()
    for (one in seen[!duplicated(component[seen])]) {
        apart <- closure_relation(q$closure, one, founders) %in% "cannot-link"
        if (across && !is.null(q$block)) {
            apart <- apart | q$block[one] != q$block[founders]
        }
        if (all(apart)) {
            founders <- c(founders, one)
        }
    }
    lapply(founders, function(one) which(component == component[one]))
}

# Only questions that build groups show that a kind is rare: other strategies
# leave most samples alone.
all_seen_twice <- function(q) {
    q$strategy$name != "groups" ||
        all(lengths(seen_kinds(q, across = TRUE)) > 1L)
}

# May one stop? Then the best features have settled and predicted the answers,
# and since then no kind has been seen only once.
is_stable <- function(q) {
    isTRUE(utils::tail(q$advised, 1L))
}

# What can be said about stopping: list(stop, settled, kinds, once, same, count,
# before), the last three being how many of the best features were among the
# best before, where that is known. NULL where too few features are ranked for
# that, and before the first answer.
stop_advice <- function(q) {
    if (!q$hint || q$data$p < fewest_features || !length(q$stability)) {
        return(NULL)
    }
    sizes <- lengths(seen_kinds(q))
    share <- utils::tail(q$stability, 1L)
    count <- length(utils::tail(q$best, 1L)[[1L]])
    c(list(stop = is_stable(q), settled = has_settled(q)),
      if (q$strategy$name == "groups" && length(sizes)) {
          list(kinds = length(sizes), once = sum(sizes == 1L))
      },
      if (!is.na(share)) {
          list(same = round(share * count), count = count,
               before = stability_span)
      })
}

fewest_features <- 10L

# The same as lines, for the dialogue and print().
advice_lines <- function(q) {
    said <- stop_advice(q)
    c(if (!is.null(said$kinds)) {
        paste0(count_noun(said$kinds, "kind"), " so far", if (said$once > 0) {
            paste0(", ", if (said$once == 1) "one" else said$once,
                   " seen only once: there may be more")
        }, ".")
    }, if (isTRUE(said$stop)) {
        paste("You may stop: the best features settled and predicted answers",
              "better than chance, and no kind was seen only once.")
    } else if (!is.null(said$same)) {
        paste0("Of the best ", said$count, " features ", said$same,
               " are the same as ", said$before, " answers ago.")
    })
}
