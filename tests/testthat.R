library(testthat)
library(linkrank)

# On CRAN, a file or two of each layer; `sh tools/test` runs them all.
files <- c("check", "conditions", "input-data", "input-response", "input-scale",
           "constraints", "constraints-methods", "ranking", "ranking-access",
           "graph-laplacian", "margin-relief", "margin-simba",
           "score-baseline", "score-constraint", "cluster-pck", "subset-fcrsc",
           "ask-active", "ask-answers", "methods-ensemble", "evaluate-stability",
           "plot-ranking", "plot-graph", "tidy", "damaged", "glean",
           "margin-constrained", "markers", "recipes-step", "input-bioc")
everything <- identical(Sys.getenv("NOT_CRAN"), "true")
test_check("linkrank", filter = if (!everything) {
    paste0("^(", paste(files, collapse = "|"), ")$")
})
