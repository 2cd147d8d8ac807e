# Builds the site of the package in a folder, then frees its pages from the
# network: equations become MathML, and what would be fetched is left out.
#
#   Rscript site.R SOURCES FOLDER
args <- commandArgs(trailingOnly = TRUE)
folder <- args[2]
options(pkgdown.internet = FALSE)

pkgdown::build_site(
  args[1], override = list(destination = folder), preview = FALSE,
  install = FALSE, new_process = FALSE, devel = FALSE
)

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
  found
}

# What pandoc or pkgdown left as \(...\) and \[...\] in a span.
replace_equations <- function(page) {
  pattern <- paste0("(?s)<span class=\"math (inline|display)\">",
                    "\\\\[(\\[](.*?)\\\\[)\\]]</span>")
  at <- gregexpr(pattern, page, perl = TRUE)
  spans <- regmatches(page, at)[[1]]
  if (length(spans)) {
    latex <- plain(gsub(pattern, "\\2", spans, perl = TRUE))
    display <- grepl("math display", spans, fixed = TRUE)
    regmatches(page, at) <- list(as_mathml(latex, display))
  }
  page
}

# Scripts, styles and fonts from elsewhere: search, icons, MathJax.
drop_fetched <- function(page) {
  page <- gsub("(?s)<script[^>]*src=\"(https?:)?//[^>]*>\\s*</script>", "",
               page, perl = TRUE)
  gsub("<link[^>]*rel=\"stylesheet\"[^>]*href=\"(https?:)?//[^>]*>|<link[^>]*href=\"(https?:)?//[^>]*rel=\"stylesheet\"[^>]*>",
       "", page, perl = TRUE)
}

pages <- list.files(folder, "\\.html$", recursive = TRUE, full.names = TRUE)
for (file in pages) {
  writeLines(drop_fetched(replace_equations(read_page(file))), file,
             useBytes = TRUE)
}

left <- Filter(function(file) {
  grepl("<(script|img)[^>]*src=\"https?:|<link[^>]*stylesheet[^>]*https?:",
        read_page(file))
}, pages)
if (length(left)) {
  stop("These pages would ask the network: ", paste(left, collapse = ", "))
}
cat(length(pages), "pages\n")
