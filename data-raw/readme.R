# Remakes the examples of README.md: runs each block of R code that a block of
# text follows, puts what it prints there, and draws the picture.
#
#   sh tools/with-package Rscript data-raw/readme.R     from the root
#
# The picture of the web page is a screenshot, 1280 x 860, of centred `colon` with
# questionnaire(x, n = 20, scale = "none", hint = TRUE) after eleven answers. That of
# twenty sorted samples is drawn by inst/benchmarks/first_page.R.

# What a block of R draws, by its place among those that are run.
pictures <- c(NA, NA, "man/figures/README-colon.png")

# The first and last line of every block of R and of the text below it.
find_blocks <- function(lines) {
  fence <- which(startsWith(lines, "```"))
  first <- fence[c(TRUE, FALSE)]
  last <- fence[c(FALSE, TRUE)]
  text <- which(lines[first] == "```text")
  data.frame(code = first[text - 1], code_end = last[text - 1],
             text = first[text], text_end = last[text])
}

open_device <- function(file) {
  if (is.na(file)) {
    return(pdf(NULL))
  }
  type <- if (capabilities("cairo")) "cairo" else getOption("bitmapType")
  png(file, width = 760, height = 480, res = 120, type = type)
  par(mar = c(4, 4, 3, 1))
}

# A palette of colours instead of 24 bits a dot: a third of the size.
shrink <- function(file) {
  if (!is.na(file) && nzchar(Sys.which("pngquant"))) {
    system2("pngquant", c("--speed=1", "--nofs", "--force", "--ext", ".png",
                          "96", shQuote(file)))
  }
}

# The lines that typing the code at the prompt would print.
run_as_typed <- function(code, file) {
  open_device(file)
  tryCatch(
    capture.output(source(exprs = parse(text = code), local = new.env(),
                          print.eval = TRUE)),
    finally = dev.off()
  )
}

if (!file.exists("README.md")) {
  stop("Run data-raw/readme.R from the root of the package.", call. = FALSE)
}
readme <- readLines("README.md", encoding = "UTF-8")
blocks <- find_blocks(readme)
stopifnot(nrow(blocks) == length(pictures))
# From the last one, so that the numbers of the lines above stay.
for (i in rev(seq_len(nrow(blocks)))) {
  block <- blocks[i, ]
  code <- readme[seq(block$code + 1, block$code_end - 1)]
  printed <- run_as_typed(code, pictures[i])
  shrink(pictures[i])
  readme <- c(readme[seq_len(block$text)], printed,
              readme[seq(block$text_end, length(readme))])
}
writeLines(readme, "README.md")
