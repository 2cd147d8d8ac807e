# Do further answers still change the best features? How many kinds are there?

# The ranking that such answers are for, which is shown and whose best features
# are followed: list(order, score, by), column numbers and scores, the best
# first; `by`: "margin" or "score" (of glean()). NULL without a cannot-link.
current_ranking <- function(q) {
    input <- questionnaire_input(q, "manhattan")
    input$constraints <- answer_constraints(q)
    count <- count_across(input$constraints, q$block)
    if (count[["all"]] == count[["across"]]) return(NULL)
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

# Notes an answer.
note_stability <- function(q) {
    q$best <- c(q$best, list(NULL))
    q$stability <- c(q$stability, NA_real_)
    follow_ranking(q)
}

# What the last answer changed: the ranking, and the share of the best features
# that were among the best 8 deciding answers before (NA after an unsure answer).
follow_ranking <- function(q) {
    at <- length(q$stability)
    decided <- any(q$type[q$action %in% count_answers(q)] != "unsure")
    if (decided || isTRUE(q$behind)) q <- rank_answers(q)
    if (decided) {
        q$best[at] <- list(best_features(q))
        known <- Filter(Negate(is.null), q$best)
        if (length(known) > stability_span && !isTRUE(q$behind)) {
            before <- known[[length(known) - stability_span]]
            q$stability[at] <- mean(best_features(q) %in% before)
        }
    }
    q
}

# The next question does not need the ranking, and nobody should wait for it.
# Where it may come `later`, the last one stands and is `behind` until
# catch_up(); one that further answers have outdated is never computed.
rank_answers <- function(q) {
    q$behind <- isTRUE(q$later)
    if (!q$behind) q["ranking"] <- list(current_ranking(q))
    q
}

catch_up <- function(q) {
    if (!isTRUE(q$behind)) return(q)
    q$later <- FALSE
    q <- if (length(q$stability)) follow_ranking(q) else rank_answers(q)
    q$later <- TRUE
    q
}

# The kinds that the answers tell apart, each as its samples, in the order in
# which they were founded. A sample that may still belong to a kind before it is
# none.
seen_kinds <- function(q) {
    use <- q$type != "unsure"
    seen <- unique(c(rbind(c(q$others$second, q$second[use]),
                           c(q$others$first, q$first[use]))))
    component <- q$closure$component
    founders <- integer()
    for (one in seen[!duplicated(component[seen])]) {
        if (all(closure_relation(q$closure, one, founders) %in%
                    "cannot-link")) {
            founders <- c(founders, one)
        }
    }
    lapply(founders, function(one) which(component == component[one]))
}

# How things stand: list(kinds, once, same, count, before, settled): the kinds so
# far and those seen only once, where questions build groups (others leave most
# samples alone); of how many best features how many were among the best `before`
# answers ago, as far as is known, and whether that has settled. Questions are no
# random draw of the samples, so nothing follows for kinds that were not seen.
# NULL where too few features are ranked, and before the first answer.
session_facts <- function(q) {
    if (!q$hint || q$data$p < fewest_features || !length(q$stability)) {
        return(NULL)
    }
    sizes <- lengths(seen_kinds(q))
    share <- utils::tail(q$stability[!is.na(q$stability)], 1L)
    count <- length(best_features(q))
    decided <- unique(q$action[!q$implied & q$type != "unsure"])
    c(if (q$strategy$name == "groups" && length(sizes)) {
        list(kinds = length(sizes), once = sum(sizes == 1L))
    }, if (length(share)) {
        list(same = round(share * count), count = count,
             before = stability_span,
             settled = share >= stability_share - 1e-9 &&
                 length(decided) >= stability_answers)
    })
}

fewest_features <- 10L

# The same as lines, for the dialogue and print().
standing_lines <- function(q) {
    said <- session_facts(q)
    c(if (!is.null(said$kinds)) {
        paste0(count_noun(said$kinds, "kind"), " so far", if (said$once > 0) {
            paste0(", ", if (said$once == 1) "one" else said$once,
                   " seen only once")
        }, ".")
    }, if (!is.null(said$same)) {
        paste0("Of the best ", said$count, " features ", said$same,
               " are the same as ", said$before, " answers ago.")
    }, if (isTRUE(said$settled)) {
        "The ranking has settled; rare kinds may be missing."
    })
}
