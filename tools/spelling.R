# The check of tools/spelling.
known <- readLines("tools/spelling.txt")
check <- function(files, filter) {
  utils::aspell(files, filter = filter, program = "hunspell",
                control = "-d en_GB", encoding = "UTF-8")
}
# Markdown without code, links and tags, which no filter of R leaves out.
plain <- vapply(c("README.md", "NEWS.md", "CONTRIBUTING.md",
                  list.files("vignettes", "[.]Rmd$", full.names = TRUE)),
                function(file) {
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  blank <- function(pattern, text) gsub(pattern, " ", text, perl = TRUE)
  text <- blank("(?s)\\A---\n.*?\n---\n", text)
  text <- blank("(?ms)^```.*?^```", text)
  text <- blank("(?s)`[^`]+`", text)
  text <- blank("(?s)<[^>]+>", text)
  text <- blank("(?s)\\$\\$.*?\\$\\$|\\$[^$]+\\$", text)
  text <- blank("\\]\\([^)]*\\)|https?://\\S+|\\S+/\\S+|\\S+[.][A-Za-z]+\\b", text)
  copy <- file.path(tempdir(), basename(file))
  writeLines(text, copy, useBytes = TRUE)
  copy
}, "")
found <- rbind(
  check(list.files("man", "[.]Rd$", full.names = TRUE),
        list("Rd", drop = c("\\author", "\\references", "\\source"))),
  check(plain, NULL)
)
found <- found[!found$Original %in% known, ]
cat(sprintf("%s:%s: %s\n", basename(found$File), found$Line, found$Original),
    sep = "")
cat(if (nrow(found)) "0 passed, 1 failed" else "1 passed, 0 failed",
    ", 0 skipped\n", sep = "")
quit(status = nrow(found) > 0)
