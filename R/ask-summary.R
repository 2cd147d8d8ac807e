# print() and summary() of a questionnaire.

#' @export
print.questionnaire <- function(x, ...) {
    counts <- summary(check_questionnaire(x, "x"))
    cat_lines(c(
        paste0("<questionnaire> ", count_noun(x$samples, "sample"),
               ", ", strategy_words(x$strategy$name, x$where$label)),
        paste0("  ", questions_line(counts$asked, unlist(
            counts[c("cannot_link", "must_link", "unsure")]))),
        if (is.null(x$pending)) {
            paste0("  finished: ", show_finished(x))
        } else {
            paste0("  next: ", show_sample(x$pending[1L], x$names),
                   if (x$ask == "groups") " beside " else " and ",
                   paste(show_samples(x$pending[-1L], x$names),
                         collapse = ", "))
        },
        paste0("  ", standing_lines(x), recycle0 = TRUE)
    ))
    invisible(x)
}

# "3 questions about 9 pairs: 5 cannot-link, 3 must-link, 1 unsure"
questions_line <- function(asked, pairs) {
    paste0(count_noun(asked, "question"),
           if (sum(pairs) != asked)
               paste0(" about ", count_noun(sum(pairs), "pair")),
           ": ", kinds_line(pairs))
}

kinds_line <- function(pairs) {
    paste(pairs, c("cannot-link", "must-link", "unsure"), collapse = ", ")
}

#' @rdname questionnaire
#' @export
summary.questionnaire <- function(object, ...) {
    check_dots_empty(...)
    check_questionnaire(object, "object")
    size <- as.numeric(tabulate(object$closure$component + 1L))
    pair <- component_pair(object$closure$against)
    separate <- sum(size[pair$a + 1] * size[pair$b + 1])
    together <- sum(size * (size - 1) / 2)
    type <- object$type[!object$implied]
    known <- sum(type != "unsure")
    all <- object$samples * (object$samples - 1) / 2
    limit <- min(object$max_questions,
                 if (object$strategy$counts == "questions") object$n)
    structure(list(
        asked = count_answers(object), must_link = sum(type == "must-link"),
        cannot_link = sum(type == "cannot-link"),
        unsure = sum(type == "unsure"), implied = together + separate - known,
        open = all - together - separate, limit = limit,
        left = max(limit - count_answers(object), 0)
    ), class = "summary.questionnaire")
}

#' @export
print.summary.questionnaire <- function(x, ...) {
    cat_lines(c(
        paste0("Questionnaire: ", count_noun(x$asked, "question"), ", ",
               if (is.finite(x$left)) paste(show_number(x$left), "left") else
                   "no limit"),
        paste0("  ", kinds_line(c(x$cannot_link, x$must_link, x$unsure))),
        paste0("  ", count_noun(x$implied, "more pair"), " ",
               if (x$implied == 1) "follows" else "follow", ", ",
               count_noun(x$open, "pair"), " open")
    ))
    invisible(x)
}
