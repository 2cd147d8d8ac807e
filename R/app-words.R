# All texts of the page, by name, are in inst/app/words.csv, in English and
# German. A word in braces is replaced.

# Those that inst/app/app.js shows.
script_words <- c("finished", "ended", "lost_saved", "lost_memory",
                  "lost_trouble", "ended_elsewhere", "saved_own", "no_picture",
                  "not_decoded", "press_again", "computing")

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

# Texts by name: a column of a file that has the column `name`.
questionnaire_words <- function(column = "en", file = app_file("words.csv")) {
    table <- utils::read.csv(file, colClasses = "character",
                             encoding = "UTF-8")
    stats::setNames(table[[column]], table$name)
}

# The texts of one page: `words` says some or all of them otherwise.
page_texts <- function(question = NULL, words = NULL, sorted = FALSE) {
    all <- as.list(questionnaire_words())
    if (is.null(names(words)) && is.character(words) && length(words) == 1L) {
        ours <- words %in% c("en", "de")
        refuse_if(!ours && !isTRUE(file.exists(words)), "`words` must be ",
                  "\"de\", named texts or a file of them, but there is no ",
                  "file ", quote_values(words), ".", class = "argument")
        words <- if (ours) questionnaire_words(words) else
            questionnaire_words("text", words)
    }
    if (!is.null(words)) check_words(words, all)
    all[names(words)] <- as.list(words)
    if (sorted) all$question <- all$question_sort
    if (!is.null(question)) {
        all$question <- all$question_sort <- check_text(question, "question")
    }
    all
}

check_words <- function(words, known) {
    text <- unlist(words)
    refuse_if(!is.character(text) || length(text) != length(words) ||
                  anyNA(text) || is.null(names(words)) ||
                  anyDuplicated(names(words)),
              "`words` must be texts named as those of words.csv, or a file, ",
              "not ", describe_value(words), ".", class = "argument")
    other <- setdiff(names(words), names(known))
    refuse_if(length(other), "`words` names ", quote_values(other[1L]), ", ",
              "but words.csv has no text of that name.",
              class = "argument")
    for (name in names(words)) {
        odd <- setdiff(word_marks(text[[name]]), word_marks(known[[name]]))
        refuse_if(length(odd), "`words` has ", quote_values(odd[1L]), " in \"",
                  name, "\", which is not replaced there.", class = "argument")
    }
}

# The words in braces.
word_marks <- function(text) {
    regmatches(text, gregexpr("[{][a-z]+[}]", text))[[1L]]
}
