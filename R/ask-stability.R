# Do further answers still change the ranking?

stable_text <- paste("The last 3 answers have hardly changed the ranking",
                     "(rank correlation 0.99 or more): you may stop.")

# The margins of ReliefF-Sc after the answers so far; NULL without a
# cannot-link.
current_margin <- function(q) {
    if (any(q$type == "cannot-link")) {
        input <- questionnaire_input(q, "manhattan")
        input$constraints <- kept_within(answer_constraints(q), q$block)
        if (count_pairs(input$constraints)[["cannot_link"]] > 0) {
            options <- margin_options(3, "both", "use", "manhattan", "margin",
                                      0, q$scale)
            constrained_margins(input, options, q$control)$margin
        }
    }
}

# Rank correlation of the margins before and after each answer, to measure how
# much the ranking still changes.
note_stability <- function(q) {
    margin <- current_margin(q)
    same <- if (is.null(margin) || is.null(q$margin)) {
        NA_real_
    } else if (identical(margin, q$margin)) {
        1
    } else {
        suppressWarnings(stats::cor(margin, q$margin, method = "spearman"))
    }
    q["margin"] <- list(margin)
    q$stability <- c(q$stability, same)
    q
}

is_stable <- function(q, last = 3L, least = 0.99) {
    recent <- utils::tail(q$stability, last)
    length(recent) == last && !anyNA(recent) && all(recent >= least)
}
