# Remakes the examples of README.md: runs each block of R code that a block of
# text follows, puts what it prints there, and draws the picture. The figures between
# its two marks are those of inst/benchmarks/first_page.csv.
#
#   sh tools/with-package Rscript data-raw/readme.R     from the root
#
# The picture of the web page is a screenshot, 1280 x 760, of the 300 blood cells, named
# by number, with questionnaire(sce, n = 20, hint = TRUE) after nine answers by
# lineage. That of twenty sorted samples is drawn by inst/benchmarks/first_page.R.

# What a block of R draws, by its place among those that are run.
pictures <- c(NA, "man/figures/README-cells.png")

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

# One line a result.
figures <- function() {
  page <- read.csv("inst/benchmarks/first_page.csv")
  own <- page[page$structures == "one", ]
  two <- page[page$structures == "two", ]
  percent <- function(rows, method) {
    sprintf("%.1f %%", rows$accuracy[rows$method == method])
  }
  of <- function(method) percent(own, method)
  less <- function(rows, method) {
    row <- rows[rows$method == method, ]
    sprintf("%.1f %% (%+.1f, standard error %.1f)", row$accuracy, -row$glean_minus,
            row$error)
  }
  loses <- function(other) {
    lost <- own$lost[own$method == other]
    sets <- sub(" \\(.*", "", strsplit(lost, ", ")[[1]])
    gsub("_[0-9a-z_]+", "", toString(sets))
  }
  net <- "elastic net, labels of these 20"
  forest <- "random forest, labels of these 20"
  lines <- c(
    sprintf(paste(
      "On %d data sets with known classes an expert was simulated who sorts twenty",
      "samples into groups. How many other samples does a nearest-neighbour classifier",
      "name correctly, with the best 5, 10 and 20 features of each ranking?"
    ), own$sets[1]), "",
    sprintf("* `glean()` after twenty sorted samples: %s.",
            of("glean(), 20 samples sorted")),
    sprintf("* `glean()` without any answer: %s. The variance: %s.",
            less(own, "glean(), no label"), of("variance, no label")),
    sprintf("* From the classes of the same twenty samples: random forest %s, elastic net %s.",
            less(own, forest), less(own, net)),
    sprintf(paste("* From the classes of all samples: F statistic %s, ReliefF %s, random",
                  "forest %s; F and ReliefF without redundant features %s and %s."),
            of("F statistic, all labels"), of("ReliefF, all labels"),
            of("random forest, all labels"), of("F, all labels, not redundant"),
            of("ReliefF, all labels, not redundant")),
    sprintf(paste("* It loses more than a point to the forest of twenty labels on %s; to the",
                  "elastic net on %s."), loses(forest), loses(net)),
    sprintf(paste("* With a second structure that nobody asks about (picture, right):",
                  "%s; without an answer %s; the forest of twenty labels %s."),
            percent(two, "glean(), 20 samples sorted"), less(two, "glean(), no label"),
            less(two, forest)), "",
    paste("Differences are to twenty sorted samples, with errors between data sets, the bars",
          "of the picture. The article \"The numbers\" (`vignettes/articles/numbers.Rmd`) has them,",
          "and more.")
  )
  unlist(lapply(lines, function(line) {
    if (nzchar(line)) strwrap(line, 90, exdent = 2 * startsWith(line, "*")) else ""
  }))
}
marks <- c(grep("^<!-- figures", readme), grep("^<!-- end of figures", readme))
readme <- c(readme[seq_len(marks[1])], "", figures(), "",
            readme[seq(marks[2], length(readme))])
writeLines(readme, "README.md")
