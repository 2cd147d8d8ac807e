# Remakes the example of README.md: runs its first block of R code, puts what it
# prints into the block of text that follows, and draws the picture.
#
#   sh tools/with-package Rscript data-raw/readme.R     from the root

# Lines strictly between the first fence that opens with `kind` and its end.
block_lines <- function(lines, kind) {
  open <- which(lines == paste0("```", kind))[1]
  close <- which(lines == "```")
  seq_len(close[close > open][1] - open - 1) + open
}

draw_to_file <- function(code, file) {
  type <- if (capabilities("cairo")) "cairo" else getOption("bitmapType")
  png(file, width = 1000, height = 600, res = 120, type = type)
  printed <- tryCatch({
    par(mar = c(4, 4, 3, 1))
    run_as_typed(code)
  }, finally = dev.off())
  shrink(file)
  printed
}

# A palette of colours in place of 24 bits a dot, a third of the size.
shrink <- function(file) {
  if (nzchar(Sys.which("pngquant"))) {
    system2("pngquant", c("--speed=1", "--nofs", "--force", "--ext", ".png",
                          "96", shQuote(file)))
  }
}

# The lines that typing the code at the prompt would print.
run_as_typed <- function(code) {
  capture.output(source(exprs = parse(text = code), local = new.env(),
                        print.eval = TRUE))
}

if (!file.exists("README.md")) {
  stop("Run data-raw/readme.R from the root of the package.", call. = FALSE)
}
readme <- readLines("README.md", encoding = "UTF-8")
code <- readme[block_lines(readme, "r")]
dir.create("man/figures", recursive = TRUE, showWarnings = FALSE)
printed <- draw_to_file(code, "man/figures/README-colon.png")

open <- which(readme == "```text")[1]
old <- block_lines(readme, "text")
rest <- readme[-c(seq_len(open), old)]
writeLines(c(readme[seq_len(open)], printed, rest), "README.md")
