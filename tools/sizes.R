# The report of tools/sizes, or its comparison with the caps.
#
#   Rscript sizes.R FOLDER N|--cap
args <- commandArgs(trailingOnly = TRUE)
root <- args[1]

# ---- Lines of code ------------------------------------------------------------

is_code <- function(lines) grepl("[^[:space:]]", lines)

# Lines of R as they are without comments; a `#` in a string is none, so the
# parser says where they are.
code_lines_r <- function(lines) {
  tokens <- getParseData(parse(text = lines, keep.source = TRUE))
  tokens <- tokens[tokens$terminal & tokens$token != "COMMENT", ]
  code <- rep(FALSE, length(lines))
  code[unlist(Map(seq, tokens$line1, tokens$line2))] <- TRUE
  sum(code & is_code(lines))
}

# Lines of C without /* ... */.
code_lines_c <- function(lines) {
  text <- paste(lines, collapse = "\n")
  comment <- gregexpr("(?s)/\\*.*?\\*/", text, perl = TRUE)
  regmatches(text, comment) <- lapply(regmatches(text, comment), function(found) {
    gsub("[^\n]", "", found)
  })
  sum(is_code(strsplit(text, "\n")[[1]]))
}

# ---- Functions ----------------------------------------------------------------

functions_in_r <- function(lines, file) {
  code <- parse(text = lines, keep.source = TRUE)
  place <- attr(code, "srcref")
  is_function <- vapply(code, function(part) {
    is.call(part) && identical(part[[1]], as.name("<-")) &&
      is.name(part[[2]]) && is.call(part[[3]]) &&
      identical(part[[3]][[1]], as.name("function"))
  }, NA)
  data.frame(
    name = vapply(code[is_function], function(part) as.character(part[[2]]), ""),
    file = rep(file, sum(is_function)),
    line = vapply(place[is_function], `[`, 0L, 1L),
    lines = vapply(place[is_function], function(at) at[3] - at[1] + 1L, 0L),
    parameters = vapply(code[is_function], function(part) {
      length(part[[3]][[2]])
    }, 0L)
  )
}

# The functions of R whose name stands in the body of one other function only;
# methods and exported functions have callers outside.
one_caller <- function(functions, sources) {
  callers <- lapply(names(sources), function(file) {
    tokens <- getParseData(parse(text = sources[[file]], keep.source = TRUE))
    tokens <- tokens[tokens$token %in% c("SYMBOL", "SYMBOL_FUNCTION_CALL") &
                       tokens$text %in% functions$name, ]
    own <- functions[functions$file == file, ]
    at <- findInterval(tokens$line1, own$line)
    from <- c("", own$name)[at + 1]
    unique(data.frame(to = tokens$text, from = from)[tokens$text != from, ])
  })
  times <- table(do.call(rbind, callers)$to)
  exports <- readLines(file.path(root, "NAMESPACE"))
  outside <- functions$name %in% sub("^export\\((.*)\\)$", "\\1", exports) |
    vapply(functions$name, function(name) {
      generic <- sub("[.].*", "", name)
      any(startsWith(exports, paste0("S3method(", generic)))
    }, NA) & grepl(".", functions$name, fixed = TRUE)
  functions[functions$name %in% names(times)[times == 1] & !outside, ]
}

# Functions of a C file: a body stands between lines that are nothing but a
# brace, and what comes before it begins after a blank line, a comment, a
# statement or a line of the preprocessor.
functions_in_c <- function(lines, file) {
  begin <- which(lines == "{")
  end <- which(lines == "}")
  end <- vapply(begin, function(line) min(end[end > line]), 0)
  head <- vapply(begin, function(line) {
    over <- grep("^$|[;}]$|[*]/$|^#|\\\\$", lines[seq_len(line - 1)])
    max(0L, over) + 1L
  }, 0)
  header <- mapply(function(from, to) paste(lines[from:(to - 1)], collapse = " "),
                   head, begin)
  data.frame(name = sub("^.*?(\\w+)\\(.*", "\\1", as.character(header),
                        perl = TRUE),
             file = rep(file, length(begin)), line = head,
             lines = end - head + 1,
             parameters = vapply(as.character(header), count_parameters, 0L,
                                 USE.NAMES = FALSE))
}

# Commas of the first level of the last parenthesis, and one.
count_parameters <- function(header) {
  signs <- strsplit(header, "")[[1]]
  depth <- cumsum((signs == "(") - (signs == ")"))
  open <- max(which(signs == "(" & depth == 1))
  inside <- signs[-seq_len(open)]
  if (startsWith(paste(inside, collapse = ""), "void)")) {
    return(0L)
  }
  sum(inside == "," & depth[-seq_len(open)] == 1) + 1L
}

# ---- The caps -----------------------------------------------------------------

read_cap <- function(lines) {
  lines <- strsplit(lines, " ")
  stats::setNames(as.numeric(vapply(lines, `[`, "", 2)), vapply(lines, `[`, "", 1))
}

# The lowest figures that a commit up to this one had; Inf without git, and in
# the first commit.
lowest_cap <- function(names) {
  git <- function(...) {
    out <- suppressWarnings(system2("git", c("-C", shQuote(root), ...), TRUE, FALSE))
    if (is.null(attr(out, "status"))) out
  }
  earlier <- git("log", "--format=%H", "--", "tools/sizes.cap")
  caps <- lapply(earlier, function(commit) {
    read_cap(git("show", paste0(commit, ":tools/sizes.cap")))[names]
  })
  do.call(pmin, c(list(stats::setNames(rep(Inf, length(names)), names)), caps,
                  na.rm = TRUE))
}

# Ends R with status 1 where a size is above its cap, or a cap above what it was.
compare_with_cap <- function(sizes) {
  cap <- read_cap(readLines(file.path(root, "tools", "sizes.cap")))[names(sizes)]
  before <- lowest_cap(names(sizes))
  above <- is.na(cap) | sizes > cap
  raised <- !is.na(cap) & cap > before
  what <- c(lines = "lines of R and C", exports = "exports", R = "files of R/",
            src = "files of src/")[names(sizes)]
  cat(sprintf("%6.0f %-16s  cap %.0f%s%s\n", sizes, what, cap,
              ifelse(above, ": above the cap", ""),
              ifelse(raised, sprintf(": the cap was %.0f, and may only fall",
                                     before), "")), sep = "")
  failed <- sum(above) + sum(raised)
  cat(2 * length(sizes) - failed, "passed,", failed, "failed, 0 skipped\n")
  quit(status = as.integer(failed > 0))
}

# ---- The report ---------------------------------------------------------------

read_all <- function(folder, pattern) {
  files <- list.files(file.path(root, folder), pattern, full.names = TRUE)
  stats::setNames(lapply(files, readLines), basename(files))
}

show_sums <- function(title, lines, group) {
  sums <- sort(tapply(lines, group, sum), decreasing = TRUE)
  cat("\n", title, ": ", format(sum(lines), big.mark = ","), " lines in ",
      length(lines), " files\n", sep = "")
  cat(strwrap(paste(sprintf("%s %d", names(sums), sums), collapse = ", "),
              width = 78, indent = 2, exdent = 2), sep = "\n")
}

show_longest <- function(title, functions, by) {
  functions <- functions[order(-functions[[by]]), ][seq_len(listed), ]
  cat("\n", title, "\n", sep = "")
  cat(sprintf("  %3d  %s() at %s:%d\n", as.integer(functions[[by]]),
              functions$name, functions$file, as.integer(functions$line)),
      sep = "")
}

sources_r <- read_all("R", "[.]R$")
sources_c <- read_all("src", "[.][ch]$")
lines_r <- vapply(sources_r, code_lines_r, 0)
lines_c <- vapply(sources_c, code_lines_c, 0)
if (args[2] == "--cap") {
  compare_with_cap(c(
    lines = sum(lines_r) + sum(lines_c),
    exports = length(grep("^export\\(", readLines(file.path(root, "NAMESPACE")))),
    R = length(lines_r), src = length(lines_c)
  ))
}

listed <- as.integer(args[2])
cat("R and C together:", format(sum(lines_r) + sum(lines_c), big.mark = ","),
    "lines without comments, help pages and blank lines\n")
show_sums("R by layer", lines_r, sub("[-.].*", "", names(lines_r)))
show_sums("C by module", lines_c, sub("[_.].*", "", names(lines_c)))

functions_r <- do.call(rbind, Map(functions_in_r, sources_r, names(sources_r)))
functions_c <- do.call(rbind, Map(functions_in_c, sources_c, names(sources_c)))
single <- one_caller(functions_r, sources_r)
cat(sprintf(paste("\nFunctions: %d in R, of which %d with one caller (%d of",
                  "these with at most 5 lines); %d in C\n"),
            nrow(functions_r), nrow(single), sum(single$lines <= 5),
            nrow(functions_c)))
show_longest("Longest functions of R, lines", functions_r, "lines")
show_longest("Longest functions of C, lines", functions_c, "lines")
# entries of R are called with what the R side hands over
kernels <- functions_c[!startsWith(functions_c$name, "r_"), ]
show_longest("Most parameters in C, entries aside", kernels, "parameters")
longest <- head(sort(c(lines_r, lines_c), decreasing = TRUE), listed)
cat("\nLongest files, lines of code\n")
cat(sprintf("  %3d  %s\n", as.integer(longest), names(longest)), sep = "")
