# One family of tools/memory; without one, the names of all. With "once", each of
# them once: a call that is no longer valid would be found in the night only.
#
#   Rscript memory.R ROOT [FAMILY CALLS | once]
args <- commandArgs(trailingOnly = TRUE)
suppressPackageStartupMessages(library(linkrank))
options(linkrank.progress = FALSE)

set.seed(1)
y <- rep(c("a", "b", "c"), each = 10)
x <- matrix(rnorm(30 * 20), 30,
            dimnames = list(paste0("s", 1:30), paste0("g", 1:20)))
x[, 1:4] <- x[, 1:4] + 2 * match(y, unique(y))
links <- constraints_from_labels(y, cannot_link = 10, must_link = 10)
answered <- active_constraints(x, y, n = 20)
missing <- replace(x, 7, NA)
# sparse data, and two files of them that are read in blocks
counts <- round(pmax(x, 0))
has_files <- function() {
  all(vapply(c("HDF5Array", "rhdf5", "SummarizedExperiment"), requireNamespace, NA,
             quietly = TRUE))
}
open_files <- function() {
  source(file.path(args[1], "tests/testthat/helper-disk.R"))
  suppressMessages(DelayedArray::setAutoBlockSize(2500))
  list(experiment_with(in_tenx(counts), counts),
       experiment_with(in_file(t(counts), c(5, 8)), counts))
}
answers <- tempfile(fileext = ".csv")

families <- list(
  margins = function() {
    relieff_sc(x, links, rank_by = "statistic")
    relieff_sc(missing, links, permutations = 4)
    relieff(x, y, k = 3)
    rrelieff(x, x[, 1], k = 3)
    stir(x, y, k = 3)
    irelief(x, y, max_iter = 5)
    simba_sc(x, links)
    pair_margins(x, links, 1:3)
  },
  scores = function() {
    variance_score(x)
    fisher_score(x, y)
    laplacian_score(x)
    constraint_score(x, links)
    semisupervised_laplacian_score(x, replace(match(y, unique(y)), 5:25, NA))
    spectral_score(x)
  },
  graph = function() {
    graph_laplacian(similarity_graph(x, k = 5))
    feature_graph(x)
    feature_graph(x, method = "correlation", k = 5)
    redundancy(x)
  },
  clusters = function() {
    spectral_clustering(x, links, clusters = 3)
    pck_means(x, links, clusters = 3, starts = 2)
    cut_features(cluster_features(feature_graph(x)), 3)
  },
  subsets = function() {
    top_features(select_subset(x, links, n = 3), n = "best")
    fcrsc(x, links)
    pcfs(x, links, max_iter = 2)
    diversify_ranking(relieff_sc(x, links), x)
  },
  ask = function() {
    # a new file each time: what was undone stays in it, so an old one would grow
    unlink(answers)
    q <- questionnaire(x)
    q <- answer_pair(answer_pair(q, "cannot-link"), "unsure")
    write_answers(q, answers)
    write_answers(undo_answer(q), answers)
    read_answers(answers)
    active_constraints(x, y, 1, strategy = "perturbation")
  },
  glean = function() glean_labels(glean(x, links, space = 5)),
  markers = function() {
    group_markers(x, y)
    group_markers(x, answered)
  },
  propagate = function() propagate_constraints(links, x),
  evaluate = function() {
    evaluate_method(x, y, "relieff_sc", splits = 2, n = c(1, 5))
    ensemble_ranking(x, links, replicates = 2)
    ranking_stability(x, links, replicates = 2, n = 5)
  },
  sparse = function() {
    relieff_sc(sparse, links)
    relieff(sparse, y, k = 3)
    variance_score(sparse)
    group_markers(sparse, y)
  },
  disk = function() {
    files <<- rev(files)
    relieff_sc(files[[1]], links)
    variance_score(files[[1]])
  },
  refused = function() {
    for (bad in list(replace(x, 5, NaN), x[, 0], x[1:5, ], "x")) {
      try(relieff_sc(bad, links), silent = TRUE)
      try(group_markers(bad, y), silent = TRUE)
      try(similarity_graph(bad, k = 50), silent = TRUE)
    }
  }
)

if (length(args) == 1L) {
  writeLines(names(families))
  quit()
}

# TRUE, or the message of the error.
runs <- function(family) {
  if (family == "disk") {
    if (!has_files()) return(TRUE)
    files <<- open_files()
  }
  tryCatch({
    suppressWarnings(families[[family]]())
    TRUE
  }, error = conditionMessage)
}
sparse <- Matrix::Matrix(counts, sparse = TRUE)

if (args[2] == "once") {
  outcomes <- lapply(names(families), runs)
  whole <- vapply(outcomes, isTRUE, NA)
  cat(sprintf("%s: %s\n", names(families), outcomes)[!whole], sep = "")
  cat(sprintf("%d passed, %d failed, 0 skipped\n", sum(whole), sum(!whole)))
  quit(status = any(!whole))
}

family <- args[2]
calls <- as.integer(args[3])
if (family == "disk" && !has_files()) {
  cat("disk       HDF5Array or rhdf5 is missing\n0 passed, 0 failed, 1 skipped\n")
  quit()
}
if (family == "disk") files <- open_files()

# Megabytes of the process, and of the objects of R, after garbage collection.
megabytes <- function() {
  objects <- sum(gc()[, 2L])
  resident <- grep("^VmRSS:", readLines("/proc/self/status"), value = TRUE)
  c(as.numeric(gsub("[^0-9]", "", resident)) / 1024, objects)
}
run <- families[[family]]
repeat_calls <- function(count) {
  for (i in seq_len(count)) suppressWarnings(run())
}

repeat_calls(calls %/% 10L)
early <- megabytes()
repeat_calls(calls - calls %/% 10L)
late <- megabytes()
flat <- all(late <= 1.05 * early)
cat(sprintf("%-9s %6.1f MB after %d calls, %6.1f after %d; R's objects %.1f, %.1f%s\n",
            family, early[1], calls %/% 10L, late[1], calls, early[2], late[2],
            if (flat) "" else ": GROWS"))
cat(sprintf("%d passed, %d failed, 0 skipped\n", flat, !flat))
