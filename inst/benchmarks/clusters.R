# Clusters of another package, merged by twenty questions: 2638 blood cells
# (PBMC 3k), clustered by scran into about fifteen, asked about by the markers of
# the clusters; an answer is the majority type of a cluster. The best merge gives
# each cluster its majority type.
#
#   Rscript clusters.R FOLDER
#
# FOLDER as for pbmc.R.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
call <- read_call("clusters.csv")
for (package in c("scran", "bluster", "scuttle", "SingleCellExperiment")) {
    if (!requireNamespace(package, quietly = TRUE)) {
        not_run("package ", package, " is not installed")
    }
}
if (!file.exists(file.path(call$folder, "pbmc3k.mtx.gz"))) {
    not_run("there is no pbmc3k.mtx.gz in ", call$folder)
}
read <- function(name) {
    utils::read.csv(gzfile(file.path(call$folder, name)))
}
counts <- Matrix::t(Matrix::readMM(gzfile(file.path(call$folder,
                                                    "pbmc3k.mtx.gz"))))
counts <- methods::as(methods::as(counts, "generalMatrix"), "CsparseMatrix")
type <- read("pbmc3k_labels.csv.gz")$class
dimnames(counts) <- list(make.unique(read("pbmc3k_features.csv.gz")$feature),
                         paste0("cell", seq_along(type)))
sce <- SingleCellExperiment::SingleCellExperiment(list(counts = counts))
sce <- scuttle::logNormCounts(sce)

set.seed(1)
variable <- scran::getTopHVGs(scran::modelGeneVar(sce), n = 2000)
sce <- scran::fixedPCA(sce, subset.row = variable)

for (resolution in c(1.5, 2, 2.5, 3)) {
    set.seed(1)
    cluster <- scran::clusterCells(
        sce, use.dimred = "PCA", BLUSPARAM = bluster::NNGraphParam(
            cluster.fun = "louvain", cluster.args = list(resolution = resolution)
        )
    )
    majority <- apply(table(cluster, type), 1L, function(counts) {
        names(counts)[which.max(counts)]
    })
    prepared <- prepare_data(sce, by = cluster, space = NULL)
    links <- suppressWarnings(active_constraints(prepared, majority, n = 20))
    group <- constraint_groups(links, of = cluster,
                               names = majority[!duplicated(majority)])
    best <- majority[as.character(cluster)]
    cat("resolution ", resolution, ": ", nlevels(cluster), " clusters, ",
        max(links$questions$question, na.rm = TRUE), " actions, ",
        nlevels(group), " groups of ", length(unique(type)), " types; cells ",
        sprintf("right %.4f, by the best merge %.4f",
                mean(as.character(group) == type), mean(best == type)),
        "\n", sep = "")
}
