# Builds the site of the package in a folder, then frees its pages from the
# network: equations become MathML, and what would be fetched is left out.
#
#   Rscript site.R SOURCES FOLDER [--check]
#
# --check: whether _pkgdown.yml knows every page, and a search on the page of news
# alone.
args <- commandArgs(trailingOnly = TRUE)
folder <- args[2]
options(pkgdown.internet = FALSE)
# downlit would ask CRAN for the page of a package that is not installed.
utils::assignInNamespace("CRAN_urls", function() {
  list(Package = character(), URL = character())
}, "downlit")

# pkgdown takes a line break between two words in code for the border of a list
# of items, and splits the paragraph there. Blanks belong to a list only beside
# an item.
describe <- pkgdown:::describe_contents
body(describe)[[3]] <- quote(is_item <- local({
  item <- purrr::map_lgl(x, inherits, "tag_item")
  last <- cummax(seq_along(x) * !is_ws)
  following <- rev(cummin(rev(ifelse(is_ws, length(x) + 1L, seq_along(x)))))
  item | is_ws & (c(FALSE, item)[last + 1L] | c(item, FALSE)[following])
}))
utils::assignInNamespace("describe_contents", describe, "pkgdown")

# Pictures of examples are recorded on a square and drawn again on a page of
# another shape, where the space that names were given would be too small.
size <- pkgdown::fig_settings()
page <- ragg::agg_png
formals(page)[c("filename", "width", "height", "res")] <-
  list(quote(tempfile(fileext = ".png")), 96 * size$fig.width,
       96 * size$fig.height, 96)
utils::assignInNamespace("agg_png", page, "ragg")

# A page whose package is not here would show code that nobody has run.
needs <- c(bioconductor = "SingleCellExperiment", "articles/add-a-method" = "MASS",
           "articles/servers" = "targets")
missing <- !vapply(needs, requireNamespace, NA, quietly = TRUE)
for (page in names(needs)[missing]) {
  unlink(file.path(args[1], "vignettes", paste0(page, ".Rmd")))
  index <- file.path(args[1], "_pkgdown.yml")
  listed <- readLines(index, encoding = "UTF-8")
  writeLines(listed[trimws(listed) != paste("-", page)], index, useBytes = TRUE)
  cat("Left out, without package ", needs[[page]], ": ", page, "\n", sep = "")
}

if (length(args) > 2) {
  pkgdown::check_pkgdown(args[1])
  site <- pkgdown::as_pkgdown(args[1], list(destination = folder))
  pkgdown::init_site(site)
  pkgdown::build_news(site, preview = FALSE)
  pkgdown::build_search(site)
} else {
  pkgdown::build_site(
    args[1], override = list(destination = folder), preview = FALSE,
    install = FALSE, new_process = FALSE, devel = FALSE
  )
}

read_page <- function(file) {
  paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
}

plain <- function(html) {
  for (entity in list(c("&lt;", "<"), c("&gt;", ">"), c("&quot;", "\""),
                      c("&#39;", "'"), c("&amp;", "&"))) {
    html <- gsub(entity[1], entity[2], html, fixed = TRUE)
  }
  html
}

# LaTeX to MathML, all equations of a page by one call of pandoc.
as_mathml <- function(latex, display) {
  fence <- ifelse(display, "$$", "$")
  input <- tempfile(fileext = ".md")
  output <- tempfile(fileext = ".html")
  on.exit(unlink(c(input, output)))
  writeLines(paste0(fence, trimws(gsub("\\s+", " ", latex)), fence, "\n"),
             input, useBytes = TRUE)
  rmarkdown::pandoc_convert(input, "html5", output = output,
                            options = c("--mathml", "--wrap=none"))
  page <- read_page(output)
  found <- regmatches(page, gregexpr("(?s)<math.*?</math>", page, perl = TRUE))
  found <- found[[1]]
  if (length(found) != length(latex)) {
    stop("pandoc turned ", length(latex), " equations into ", length(found))
  }
  ifelse(display, scroll(found), found)
}

# A wide equation scrolls in its own box.
scroll <- function(math) {
  paste0("<span class=\"equation\">", math, "</span>")
}

# What pandoc and pkgdown left as \(...\), \[...\] and $$...$$, but not in code.
replace_equations <- function(page) {
  pattern <- paste0(
    "(?s)<head.*?</head>(*SKIP)(*FAIL)|<pre.*?</pre>(*SKIP)(*FAIL)|",
    "<code.*?</code>(*SKIP)(*FAIL)|",
    "\\\\\\(.+?\\\\\\)|\\\\\\[.+?\\\\\\]|\\$\\$.+?\\$\\$"
  )
  at <- gregexpr(pattern, page, perl = TRUE)
  equations <- regmatches(page, at)[[1]]
  if (length(equations)) {
    display <- !startsWith(equations, "\\(")
    latex <- plain(substr(equations, 3, nchar(equations) - 2))
    regmatches(page, at) <- list(as_mathml(latex, display))
  }
  gsub("(?s)(?<!class=\"equation\">)(<math display=\"block\".*?</math>)",
       scroll("\\1"), page, perl = TRUE)
}

# Scripts, styles and fonts from elsewhere, and pkgdown's own script, which does
# nothing without them; pkgdown/extra.js searches.
drop_fetched <- function(page) {
  dead <- c(
    "(?s)<script[^>]*src=\"(https?:|file:)?//[^>]*>\\s*</script>",
    "<script[^>]*src=\"[^\"]*pkgdown\\.js\"[^>]*>\\s*</script>",
    "<link[^>]*href=\"(https?:)?//[^>]*>"
  )
  for (pattern in dead) {
    page <- gsub(pattern, "", page, perl = TRUE)
  }
  page
}

# What the dropped script would list beside a page: its sections.
list_sections <- function(page) {
  pattern <- "(?s)<h2 id=\"([^\"]+)\">(.*?)<a class=\"anchor\".*?</h2>"
  headings <- regmatches(page, gregexpr(pattern, page, perl = TRUE))[[1]]
  if (!length(headings)) {
    return(sub("(?s)<nav id=\"toc\".*?</nav>", "", page, perl = TRUE))
  }
  entries <- sub(pattern,
                 "<li><a class=\"nav-link\" href=\"#\\1\">\\2</a></li>",
                 headings, perl = TRUE)
  list <- paste0("<ul class=\"nav flex-column\">",
                 paste(entries, collapse = "\n"), "</ul>")
  empty <- "(<nav id=\"toc\"[^>]*>\\s*<h2[^>]*>[^<]*</h2>)\\s*</nav>"
  sub(empty, paste0("\\1", gsub("\\", "\\\\", list, fixed = TRUE), "</nav>"),
      page, perl = TRUE)
}

# What extra.js searches: every section with a page.
sections <- jsonlite::fromJSON(file.path(folder, "search.json"),
                               simplifyVector = FALSE)
sections <- Filter(function(section) length(section$path) == 1, sections)
writeLines(paste0("linkrank_sections = ",
                  jsonlite::toJSON(sections, auto_unbox = TRUE), ";"),
           file.path(folder, "search.js"), useBytes = TRUE)

pages <- list.files(folder, "\\.html$", recursive = TRUE, full.names = TRUE)
for (file in pages) {
  page <- list_sections(drop_fetched(replace_equations(read_page(file))))
  writeLines(page, file, useBytes = TRUE)
}

left <- Filter(function(file) {
  grepl("<(script|img)[^>]*src=\"(https?:|file:)?//|<link[^>]*href=\"(https?:)?//",
        read_page(file))
}, pages)
if (length(left)) {
  stop("These pages would ask the network: ", paste(left, collapse = ", "))
}

# The field that extra.js serves is there, and the index holds a word of the news.
wired <- Filter(function(file) {
  all(vapply(c("id=\"search-input\"", "data-search-index=", "/extra.js\""),
             grepl, NA, read_page(file), fixed = TRUE))
}, pages)
index <- read_page(file.path(folder, "search.js"))
if (!length(wired) || !grepl("group_markers", index, fixed = TRUE)) {
  stop("The search of the site finds nothing")
}
cat(length(pages), "pages\n")
