# All back ends of BiocParallel give the same bits, a killed job is
# reported. Run by tools/cluster, in a folder that the jobs share.
#
#   Rscript cluster.R FOLDER
folder <- commandArgs(trailingOnly = TRUE)[1L]
suppressPackageStartupMessages({
    library(linkrank)
    library(BiocParallel)
})
options(linkrank.progress = FALSE)

passed <- failed <- 0L
check <- function(what, ok) {
    cat(if (ok) "ok    " else "FAILED", what, "\n")
    if (ok) passed <<- passed + 1L else failed <<- failed + 1L
}

slurm <- function() {
    BatchtoolsParam(2, cluster = "slurm",
                    template = file.path(folder, "slurm.tmpl"),
                    registryargs = batchtoolsRegistryargs(
                        file.dir = tempfile("registry-", folder),
                        work.dir = folder
                    ))
}

# ---- the same bits -----------------------------------------------------------

set.seed(1)
links <- constraints_from_labels(colon$tissue, cannot_link = 10,
                                 must_link = 10)
# a method that draws numbers of its own
ensemble <- function(...) {
    set.seed(2)
    ensemble_ranking(log2(colon$x), links, method = "simba_sc", replicates = 4,
                     features = 500, ...)
}
permuted <- function(...) {
    set.seed(3)
    relieff_sc(log2(colon$x)[, 1:300], links, permutations = 16, ...)
}
# warnings of features that no ranking drew are those of all sides
alone <- suppressWarnings(ensemble())
same <- function(what, got, want) {
    check(what, identical(as.data.frame(got), as.data.frame(want)))
}
same("SerialParam",
     suppressWarnings(ensemble(BPPARAM = SerialParam())), alone)
same("MulticoreParam",
     suppressWarnings(ensemble(BPPARAM = MulticoreParam(2))), alone)
same("SnowParam", suppressWarnings(ensemble(BPPARAM = SnowParam(2))), alone)
same("Slurm", suppressWarnings(ensemble(BPPARAM = slurm())), alone)
own <- function(...) {
    set.seed(5)
    ranking_stability(log2(colon$x)[, 1:50], links, replicates = 2, n = 5,
                      method = function(x, constraints) {
                          linkrank::relieff_sc(x, constraints)
                      }, ...)
}
same("a function of the user's on Slurm", own(BPPARAM = slurm()), own())
same("permutations on Slurm", permuted(BPPARAM = slurm()), permuted())

# ---- a job that is killed ----------------------------------------------------

# the third task waits as long as the file `hang` is there
wait_in_third <- function(task, shared) {
    if (task == 3L && file.exists(shared)) {
        Sys.sleep(600)
    }
    stats::runif(3)
}
hang <- file.path(folder, "hang")
numbers <- function(BPPARAM = NULL) {
    set.seed(4)
    linkrank:::spread(as.list(1:4), wait_in_third, hang,
                      linkrank:::check_workers(BPPARAM),
                      c("Test", "numbers"))
}
file.create(hang)
canceller <- paste(
    "(sleep 60; for job in $(squeue -h -t R -o %i); do scancel $job; done)",
    ">/dev/null 2>&1 &"
)
system(canceller)
lost <- tryCatch(numbers(slurm()),
                 linkrank_error_workers = function(e) conditionMessage(e))
unlink(hang)
if (is.character(lost)) {
    cat("   ", lost, "\n")
}
check("a killed job is reported in one sentence",
      is.character(lost) && grepl("have no result", lost))
check("the next call gives the whole result",
      identical(numbers(slurm()), numbers()))

cat(sprintf("%d passed, %d failed, 0 skipped\n", passed, failed))
