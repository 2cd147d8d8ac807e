# The list of tools/messages; tests/testthat/test-messages.R reads the functions.

# Where the text of a call begins: the argument's number after the function's
# name. `class =`, `fields =` and `call =` are no text.
message_calls <- c(
  abort_linkrank = 1, refuse_if = 2, abort_value = 2, abort_class = 2,
  refuse_value_if = 3, refuse_class_if = 3, warn_linkrank = 1, warn_if = 2,
  inform_linkrank = 1, inform_if = 2, inform_once = 2, check_given = 2,
  stop = 1, warning = 1, message = 1
)
# Where the package's functions add what was given: ", not 8 letters."
adds_value <- c("abort_value", "abort_class", "refuse_value_if",
                "refuse_class_if")

# Whole words that only the authors understand, with what is written instead.
private_words <- c(
  "glean(ed|s)?(?![(`])" = "ranked, computed", "told apart" = "distinguished",
  "change places" = "be permuted", "holds?" = "contains, is valid",
  "kin" = "similar", "apart" = "different", "spread(?![(`])" = "shared out",
  "of nobody" = "without a name", "news" = "information", "door" = "argument",
  "stands? (in|for|beside|before)" = "is", "takes? nothing" = "has no arguments",
  "otherwise than" = "unlike", "nowhere" = "not", "so few" = "too few"
)

argument_names <- function(parts) {
  if (is.null(names(parts))) rep("", length(parts)) else names(parts)
}

# One text of a piece of code: strings as they are, the longest of several
# branches, all else in braces.
text_of_code <- function(code) {
  if (is.character(code))
    return(paste(gsub("\n *", " ", code), collapse = " / "))
  if (is.call(code)) {
    name <- paste(deparse(code[[1]]), collapse = "")
    parts <- as.list(code)[-1]
    if (name %in% c("paste", "paste0", "c", "(")) {
      parts <- parts[!argument_names(parts) %in%
                       c("collapse", "sep")]
      return(paste(vapply(parts, text_of_code, ""),
                   collapse = if (name == "paste") " " else ""))
    }
    if (name %in% c("if", "switch", "ngettext")) {
      branches <- vapply(Filter(function(part) !identical(part, quote(expr = )),
                                parts[-1]), text_of_code, "")
      return(branches[which.max(nchar(branches))])
    }
    if (name == "{") return(text_of_code(parts[[length(parts)]]))
  }
  paste0("{", paste(deparse(code, width.cutoff = 500L), collapse = " "), "}")
}

text_of_call <- function(call, name) {
  parts <- as.list(call)[-1]
  parts <- parts[!argument_names(parts) %in%
                   c("class", "fields", "call", "call.", "appendLF", "domain")]
  parts <- parts[seq_along(parts) >= message_calls[[name]]]
  text <- paste(vapply(parts, text_of_code, ""), collapse = "")
  paste0(text, if (name %in% adds_value) ", not {what was given}.")
}

# The calls in some code, with their lines: a table of line, call and text.
messages_of_r <- function(file) {
  code <- parse(file, keep.source = TRUE)
  tokens <- getParseData(code)
  at <- tokens[tokens$token == "SYMBOL_FUNCTION_CALL" &
                 tokens$text %in% names(message_calls), ]
  found <- lapply(seq_len(nrow(at)), function(k) {
    # the call is the parent of the expression that holds its name
    own <- tokens$parent[tokens$id == at$parent[k]]
    call <- str2lang(getParseText(tokens, own))
    data.frame(file = basename(file), line = at$line1[k], call = at$text[k],
               text = text_of_call(call, at$text[k]))
  })
  do.call(rbind, found)
}

messages_of_c <- function(file) {
  lines <- readLines(file)
  at <- grep("(Rf_error|Rf_warning|lr_internal_error)\\(\"", lines)
  data.frame(file = rep(basename(file), length(at)), line = at,
             call = rep("error", length(at)),
             text = sub(".*?\\(\"([^\"]*)\".*", "\\1", lines[at], perl = TRUE))
}

all_messages <- function(root) {
  r <- list.files(file.path(root, "R"), "[.]R$", full.names = TRUE)
  c <- list.files(file.path(root, "src"), "[.]c$", full.names = TRUE)
  found <- do.call(rbind, c(lapply(r, messages_of_r), lapply(c, messages_of_c)))
  found[grepl("[[:alpha:]]", gsub("[{][^}]*[}]", "", found$text)), ]
}

# What is wrong with a text: "" if nothing.
mark_of <- function(text) {
  shown <- gsub("[{](?:[^{}]|[{][^{}]*[}])*[}]", "12345678", text, perl = TRUE)
  words <- names(private_words)[vapply(names(private_words), function(word) {
    grepl(paste0("(?<![[:alpha:]_`])(", word, ")(?![[:alpha:]_`])"), shown,
          perl = TRUE, ignore.case = TRUE)
  }, NA)]
  paste(c(if (nchar(shown) > 160) paste(nchar(shown), "letters"),
          if (length(words)) paste0("\"", private_words[words], "\" for ", words)),
        collapse = "; ")
}

if (sys.nframe() == 0L) {
  found <- all_messages(".")
  found$mark <- vapply(found$text, mark_of, "")
  shown <- if ("marked" %in% commandArgs(TRUE)) found[nzchar(found$mark), ] else found
  cat(sprintf("%s:%d: %s%s\n", shown$file, shown$line, shown$text,
              ifelse(nzchar(shown$mark), paste0("\n  <-- ", shown$mark), "")),
      sep = "")
  cat(nrow(found), "texts,", sum(nzchar(found$mark)), "marked\n")
}
