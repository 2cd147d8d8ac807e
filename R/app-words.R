# All texts of the page, by name, so that they can be in another language. A word
# in braces is replaced. inst/app/words-de.csv holds the German ones.

page_words <- c(
    lang = "en",
    question = "Are these two of the same kind?",
    question_sort = "Which of these is of the same kind?",
    same = "Same kind", unsure = "Unsure", different = "Different kinds",
    answer = "Answer", undo = "Undo", done = "Done", and = "and",
    sample = "sample {number}",
    # progress and file
    asked = "asked", follow = "more follow", left = "left",
    open = "pairs open", progress = "Progress",
    saved = "Saved in {file}", saved_at = "Saved in {file} at {time}",
    not_kept = "Not kept in a file",
    not_saved = "Not saved, but kept in R: {why}",
    # the two samples
    question_line = "Question {number}: {first} and {second}",
    group = "same group as {names}", group_more = "{names} and {count} more",
    no_group = "no group yet",
    # a sample and the groups
    sort_line = "Question {number}: {first} beside {second}",
    new_sample = "New sample", group_number = "Group {number}",
    like_this = "Like this one", like = "like {name}",
    like_none = "Like none", cannot_tell = "Can't tell",
    more_groups = paste("These groups are the nearest. \u201cLike none\u201d",
                        "shows the others ({count})."),
    picture = "Picture of {name}", enlarge = "Enlarge the picture of {name}",
    no_picture = "The picture could not be shown: {why}",
    no_desk = "These questions cannot be shown: {why}",
    no_description = "The description could not be shown: {why}",
    try_again = "Try again",
    folded = paste("The features are folded away, because answers based on",
                   "them add nothing new to the data."),
    evidence = "Features and map",
    differ = "Where they differ most",
    track = "track: smallest to largest value of all samples",
    feature = "Feature",
    map = "Among all samples",
    components = "two principal components, {first} and {second} %",
    map_title = paste("Map of the samples: {first} and {second} are more",
                      "distant than {share} % of the samples are from the",
                      "first one"),
    map_sorted = "Map of the samples: {first} and a member of each group",
    # answers
    answers = "Answers", answer_list = "List of answers", so_far = "So far",
    none_yet = "None yet.", number_answer = "Answer {number}",
    look = "Look at answer {number} again: {first} and {second}",
    given_before = "Answer {number}, given before: {answer}",
    back = "Back to the question", changed_now = "changed now",
    newer = "Newer", older = "Older",
    remark = "Remark", remark_kept = "Remark on answer {number} kept.",
    # contradictions
    contradiction = "These answers contradict each other",
    contradiction_help = paste("One of them must be wrong. Change another",
                               "answer too, or change nothing. The names open",
                               "the samples."),
    by_chain = "all of the same kind, by the chain",
    by_answer = "different kinds, by one answer",
    change_nothing = "Change nothing",
    # ranking
    one_best_kept = paste("One of the best {count} features is the same as",
                          "{before} answers ago."),
    best_kept = paste("{same} of the best {count} features are the same as",
                    "{before} answers ago."),
    may_stop = paste("They predict the answers better than chance: you may",
                     "stop."),
    not_predicted = "They do not yet predict the answers better than chance.",
    ranking = "Ranking so far", margin = "Margin", score = "Score",
    no_ranking = "A ranking needs one pair of different kinds.",
    up = "up {places}", down = "down {places}", new = "new",
    # the end
    finished = "All questions are answered",
    finished_why = paste("The questionnaire ended because {why}. Answers can",
                         "still be changed in the list, or the last one",
                         "undone."),
    all_asked = "all {count} questions were asked",
    all_found = "{count} pairs of different kinds were found",
    some_asked = "{count} questions were asked",
    no_pair = "no pair is left to ask",
    strategy_failed = "the next question could not be chosen",
    done_long = "Done: return them to R",
    more_questions = "{count} more questions",
    answers_csv = "Answers as CSV", ranking_csv = "Ranking as CSV",
    # notices
    not_done = paste("The answers could not be saved: {why} Press Done again",
                     "to end nevertheless."),
    undone = "The last answer is undone and asked again.",
    changed = "Answer {numbers} changed.",
    changed_elsewhere = paste("Another window has changed these answers;",
                              "nothing was changed here."),
    letters = "Single-letter keys",
    first_name = "A", second_name = "B",
    zoom_in = "Enlarge", zoom_out = "Reduce", zoom_fit = "Whole picture",
    zoom_full = "Full size", group_before = "Group before",
    group_after = "Next group", close = "Close",
    # the window
    picture_word = "Picture",
    ended = "Done. R has the answers; this window can be closed.",
    ended_elsewhere = paste("Another window has ended the questions. R has the",
                            "answers; this window can be closed."),
    lost_saved = paste("The connection is lost; trying again. The answers up",
                       "to number {count} are saved."),
    lost_memory = paste("The connection is lost; trying again. The answers",
                        "are not kept in a file: if R has ended, they are",
                        "lost."),
    lost_trouble = paste("The connection is lost; trying again. The last",
                         "answers could not be saved: if R has ended, they",
                         "are lost."),
    your_name = "Your name", begin = "Begin",
    name_help = paste("Letters, digits, dots and dashes. The same name",
                      "continues where it ended."),
    wrong_key = "This link is not complete. Please ask for the whole link.",
    answering = "{rater} answers",
    other_windows = paste("This page is open in another window too, perhaps",
                          "at somebody else's: all answer the same questions."),
    answered_elsewhere = "Another window has answered this question first.",
    undone_elsewhere = "Another window has undone an answer.",
    saved_own = paste("Done. The answers are saved; this window can be",
                      "closed."),
    # keys
    keys = "Keys:", key_like = "like this one", key_none = "like none",
    key_same = "same", key_different = "different",
    key_unsure = "unsure", key_undo = "undo", key_list = "list",
    key_done = "to Done"
)

# Those that inst/app/app.js shows.
script_words <- c("finished", "ended", "lost_saved", "lost_memory",
                  "lost_trouble", "ended_elsewhere", "saved_own")

# The text of a name, with its words in braces replaced; several texts where a
# replacement is a vector.
say <- function(words, key, ...) {
    parts <- list(...)
    text <- words[[key]]
    piece <- regmatches(text, gregexpr("[{][a-z]+[}]|[^{]+|[{]", text))[[1L]]
    do.call(paste0, lapply(piece, function(one) {
        part <- parts[[gsub("[{}]", "", one)]]
        if (startsWith(one, "{") && !is.null(part)) as.character(part) else one
    }))
}

# Text as a JSON string, in ASCII: no text ends an element or needs a locale.
json_text <- function(text) {
    code <- utf8ToInt(enc2utf8(text))
    wide <- code > 0xFFFFL
    units <- as.list(code)
    units[wide] <- lapply(code[wide] - 0x10000L, function(rest) {
        c(0xD800L + rest %/% 1024L, 0xDC00L + rest %% 1024L)
    })
    paste0("\"", paste(sprintf("\\u%04x", unlist(units)), collapse = ""),
           "\"")
}

#' Texts of the question page
#'
#' All texts that [questionnaire_app()] shows, by name, to translate them or to
#' say them otherwise: the result, or a part of it with other texts, is its
#' argument `words`.
#'
#' @param language `"en"` or `"de"` (German).
#'
#' @return A named character vector, in UTF-8. A word in braces, such as
#'   `{number}`, is replaced when the text is shown. `lang` is the code of the
#'   language, for screen readers and browsers.
#' @examples
#' head(questionnaire_words())
#' questionnaire_words("de")[c("same", "unsure", "different")]
#' # questionnaire_app(q, words = c(same = "Same grade", different = "Other grade"))
#' @export
questionnaire_words <- function(language = c("en", "de")) {
    language <- check_choice(language, c("en", "de"), "language")
    if (language == "en") {
        return(page_words)
    }
    table <- utils::read.csv(
        system.file("app", paste0("words-", language, ".csv"),
                    package = "linkrank"),
        colClasses = "character", encoding = "UTF-8"
    )
    stats::setNames(table$text, table$name)
}

# The texts of one page: `words` says some or all of them otherwise.
page_texts <- function(question = NULL, words = NULL, sorted = FALSE) {
    all <- as.list(page_words)
    check_words(words)
    all[names(words)] <- as.list(words)
    if (sorted) {
        all$question <- all$question_sort
    }
    if (!is.null(question)) {
        all$question <- check_text(question, "question")
    }
    all
}

check_words <- function(words) {
    if (is.null(words)) {
        return(invisible())
    }
    text <- unlist(words)
    refuse_if(!is.character(text) || length(text) != length(words) ||
                  anyNA(text) || is.null(names(words)) ||
                  anyDuplicated(names(words)),
              "`words` must be texts named as those of questionnaire_words(), ",
              "not ", describe_value(words), ".", class = "argument")
    other <- setdiff(names(words), names(page_words))
    refuse_if(length(other), "`words` names ", quote_values(other[1L]), ", ",
              "but questionnaire_words() has no text of that name.",
              class = "argument")
    for (name in names(words)) {
        lacking <- setdiff(word_marks(text[[name]]),
                           word_marks(page_words[[name]]))
        refuse_if(length(lacking),
                  "`words` has ", quote_values(lacking[1L]), " in \"", name,
                  "\", which is not replaced there.", class = "argument")
    }
}

# The words in braces.
word_marks <- function(text) {
    regmatches(text, gregexpr("[{][a-z]+[}]", text))[[1L]]
}
