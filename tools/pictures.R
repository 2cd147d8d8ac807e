# See tools/pictures. A picture is an expression: what it needs is made once.
library(linkrank)

arguments <- commandArgs(TRUE)
folder <- arguments[1]
filter <- if (length(arguments) > 1) arguments[2] else ""
cells_folder <- if (length(arguments) > 2) arguments[3]

once <- function(make) {
    value <- NULL
    function() {
        if (is.null(value)) {
            set.seed(1)
            value <<- make()
        }
        value
    }
}

# ---- what is drawn ----------------------------------------------------------

logged <- log2(colon$x)
links <- once(function() constraints_from_labels(colon$tissue, 10, 8))
genes <- once(function() relieff_sc(logged, links()))
tested <- once(function() stir(logged, colon$tissue, k = 1))
patients <- once(function() {
    x <- logged
    rownames(x) <- sprintf("Patient_number_%02d_biopsy_left_colon_2019",
                           seq_len(nrow(x)))
    colnames(x) <- paste0("ENSG00000", sprintf("%06d", seq_len(ncol(x))),
                          "_protein_coding_gene_of_unknown_function.v3")
    x
})
patient_links <- once(function() {
    labels <- stats::setNames(colon$tissue, rownames(patients()))
    constraints_from_labels(labels, 8, 6)
})
asked <- once(function() {
    active_constraints(logged, colon$tissue, n = 12)
})
# counts of zeros mostly: many features share the best constraint score
sparse_counts <- once(function() {
    matrix(rpois(300 * 1500, rep(rexp(1500, 20), each = 300)), 300,
           dimnames = list(NULL, paste0("gene", seq_len(1500))))
})
tied <- once(function() {
    constraint_score(sparse_counts(),
                     constraints_from_labels(rep(1:2, 150), 10, 10))
})
gleaned <- once(function() {
    x <- log2(logged)
    glean(x, active_constraints(x, colon$tissue, n = 20), scale = "none")
})
halves <- once(function() linkrank:::split_half(colon$tissue))
rankings <- once(function() {
    x <- logged[halves()$train, ]
    y <- colon$tissue[halves()$train]
    pairs <- constraints_from_labels(y, 10, 10)
    scores <- lapply(paste0("CS", 1:4), function(type) {
        constraint_score(x, pairs, type = type)
    })
    more <- lapply(c(1, 3, 5, 7), function(k) relieff_sc(x, pairs, k = k))
    all <- c(list(variance_score(x), laplacian_score(x), fisher_score(x, y),
                  relieff(x, y), relief_sc(x, pairs), simba_sc(x, pairs),
                  irelief(x, y)), scores, more)
    stats::setNames(all, c("Variance", "Laplacian score", "Fisher score",
                           "ReliefF, ten neighbours", "Relief-Sc", "Simba-Sc",
                           "I-Relief", paste("Constraint score", 1:4),
                           paste0("ReliefF-Sc, k = ", c(1, 3, 5, 7))))
})
curves_of <- function(which) {
    evaluate_ranking(rankings()[which], logged[halves()$train, ],
                     colon$tissue[halves()$train], logged[halves()$test, ],
                     colon$tissue[halves()$test], n = 1:60)
}
few_curves <- once(function() curves_of(c(1, 3, 5)))
many_curves <- once(function() curves_of(1:15))
judged <- once(function() {
    evaluate_method(logged, colon$tissue,
                    c("variance_score", "fisher_score", "relieff_sc"),
                    splits = 5, n = 1:60, progress = FALSE)
})
stable <- once(function() {
    ranking_stability(logged[, 1:300], links(), replicates = 6)
})
compact <- function(p) once(function() fcrsc(logged[, seq_len(p)], links()))
small_tree <- compact(60)
middle_tree <- compact(300)
large_tree <- compact(2000)
subset_curve <- once(function() {
    select_subset(logged[, 1:200], links(), n = 25)
})

# 2,638 blood cells: read, or simulated with as many groups.
read_cells <- function(folder) {
    counts <- Matrix::readMM(gzfile(file.path(folder, "pbmc3k.mtx.gz")))
    names <- utils::read.csv(gzfile(file.path(folder,
                                              "pbmc3k_features.csv.gz")))
    classes <- utils::read.csv(gzfile(file.path(folder,
                                                "pbmc3k_labels.csv.gz")))
    dimnames(counts) <- list(paste0("cell", seq_len(nrow(counts))),
                             make.unique(as.character(names[[1]])))
    list(counts = methods::as(counts, "CsparseMatrix"), type = classes$class)
}

simulate_cells <- function() {
    type <- rep(c("Naive CD4 T", "CD14+ Mono", "Memory CD4 T", "B", "CD8 T",
                  "FCGR3A+ Mono", "NK", "DC", "Platelet"),
                c(697, 480, 483, 344, 271, 162, 155, 32, 14))
    level <- matrix(rexp(9 * 800, 4), 9)
    code <- match(type, unique(type))
    counts <- matrix(rpois(2638 * 800, level[code, ]), 2638, dimnames = list(
        paste0("cell", seq_len(2638)), paste0("gene", seq_len(800))))
    list(counts = methods::as(counts, "CsparseMatrix"), type = type)
}

cells <- once(function() {
    found <- if (is.null(cells_folder)) simulate_cells() else
        read_cells(cells_folder)
    depth <- Matrix::rowSums(found$counts) / 1e4
    logged <- Matrix::Diagonal(x = 1 / depth) %*% found$counts
    logged@x <- log1p(logged@x)
    dimnames(logged) <- dimnames(found$counts)
    sce <- SingleCellExperiment::SingleCellExperiment(
        list(logcounts = Matrix::t(logged)))
    sce$type <- found$type
    variable <- order(-apply(logged[, Matrix::colMeans(logged) > 0.05], 2,
                             stats::var))[1:200]
    space <- stats::prcomp(as.matrix(logged[, variable]), rank. = 2)$x
    dimnames(space) <- list(colnames(sce), c("UMAP_1", "UMAP_2"))
    SingleCellExperiment::reducedDim(sce, "UMAP") <- space
    sce
})
cell_links <- once(function() {
    type <- cells()$type
    type[-sample(length(type), 60)] <- NA
    constraints_from_labels(stats::setNames(type, colnames(cells())), 12, 8)
})
cell_genes <- once(function() relieff_sc(cells(), cell_links()))
flowers <- once(function() simba(iris[, 1:4], iris$Species))
few_features <- once(function() relieff(iris[, 1:4], iris$Species))

pictures <- list(
    ranking = quote(plot(genes())),
    ranking_40_names = quote(plot(genes(), n = 40)),
    ranking_few = quote(plot(few_features())),
    ranking_two = quote(plot(relieff(iris[, 3:4], iris$Species))),
    ranking_tested = quote(plot(tested())),
    ranking_cells = quote(plot(cell_genes())),
    ranking_ties = quote(plot(tied())),
    ranking_long_names = quote(plot(relieff_sc(patients(),
                                               patient_links()))),
    significance = quote(plot(tested(), type = "significance")),
    significance_long_names = quote(plot(
        stir(patients(), colon$tissue, k = 1), type = "significance")),
    convergence_irelief = quote(plot(
        irelief(iris[, 1:4], iris$Species, sigma = 0.5), type = "convergence")),
    convergence_simba = quote(plot(flowers(), type = "convergence")),
    links = quote(plot(links(), logged)),
    links_classes = quote(plot(links(), logged, classes = colon$tissue)),
    links_long_names = quote(plot(patient_links(), patients())),
    links_all_labels = quote(plot(constraints_from_labels(colon$tissue),
                                  logged)),
    links_cells = quote(plot(cell_links(), cells())),
    links_cells_space = quote(plot(cell_links(), cells(), space = "UMAP",
                                   classes = "type")),
    questions = quote(plot(asked(), logged)),
    questions_classes = quote(plot(asked(), logged, classes = colon$tissue)),
    graph = quote(plot(similarity_graph(logged, weight = "self_tuning"),
                       logged, classes = colon$tissue)),
    graph_40_classes = quote(plot(similarity_graph(logged), logged,
                                  classes = paste("Class", 100 + 1:62 %% 40))),
    glean_parts = quote(plot(gleaned())),
    glean_samples = quote(plot(gleaned(), type = "samples")),
    glean_curve = quote(plot(gleaned(), type = "curve")),
    subset = quote(plot(subset_curve())),
    evaluation = quote(plot(few_curves())),
    evaluation_15 = quote(plot(many_curves())),
    evaluation_method = quote(plot(judged())),
    stability = quote(plot(stable())),
    feature_graph_20 = quote(plot(feature_graph(logged[, 1:20]))),
    feature_graph_60 = quote(plot(feature_graph(logged[, 1:60]))),
    feature_graph_300 = quote(plot(feature_graph(logged[, 1:300]))),
    feature_graph_2000 = quote(plot(feature_graph(logged))),
    tree_60 = quote(plot(small_tree())),
    tree_300 = quote(plot(middle_tree())),
    tree_2000 = quote(plot(large_tree())),
    clusters_40 = quote(plot(cluster_features(feature_graph(
        logged[, 1:40])))),
    clusters_300 = quote(plot(cluster_features(feature_graph(
        logged[, 1:300])))),
    features_heat = quote(plot_features(logged, genes(),
                                        classes = colon$tissue,
                                        constraints = links())),
    features_dots = quote(plot_features(logged, genes(), type = "dots",
                                        classes = colon$tissue)),
    features_plain = quote(plot_features(logged, genes(), n = 25)),
    features_cells_heat = quote(plot_features(cells(), cell_genes(),
                                              classes = "type",
                                              constraints = cell_links())),
    features_cells_dots = quote(plot_features(cells(), cell_genes(), n = 20,
                                              classes = "type",
                                              type = "dots")),
    auto_top = quote(ggplot2::autoplot(genes())),
    auto_all = quote(ggplot2::autoplot(genes(), type = "all")),
    auto_ties = quote(ggplot2::autoplot(tied(), type = "all")),
    auto_links = quote(ggplot2::autoplot(links(), logged,
                                         classes = colon$tissue)),
    auto_links_cells = quote(ggplot2::autoplot(cell_links(), cells(),
                                               space = "UMAP",
                                               classes = "type")),
    auto_evaluation = quote(ggplot2::autoplot(few_curves())),
    auto_evaluation_15 = quote(ggplot2::autoplot(many_curves())),
    auto_method = quote(ggplot2::autoplot(judged())),
    auto_stability = quote(ggplot2::autoplot(stable())),
    auto_glean = quote(ggplot2::autoplot(gleaned())),
    auto_heat = quote(ggplot2::autoplot(cell_genes(), cells(), type = "heat",
                                        classes = "type")),
    auto_dots = quote(ggplot2::autoplot(cell_genes(), cells(), type = "dots",
                                        classes = "type"))
)

# ---- drawing ----------------------------------------------------------------

devices <- list(
    wide = function(file) {
        grDevices::png(file, 7, 5, units = "in", res = 96)
    },
    small = function(file) grDevices::png(file, 450, 350),
    dark = function(file) {
        grDevices::png(file, 7, 5, units = "in", res = 96, bg = "#1b1b1f")
        graphics::par(fg = "grey92", col = "grey92", col.axis = "grey92",
                      col.lab = "grey92", col.main = "grey92",
                      col.sub = "grey92")
    }
)

draw <- function(name, size) {
    devices[[size]](file.path(folder, paste0(name, "-", size, ".png")))
    on.exit(grDevices::dev.off())
    tryCatch({
        picture <- withVisible(eval(pictures[[name]], globalenv()))
        if (inherits(picture$value, "ggplot")) {
            print(picture$value)
        }
        invisible(TRUE)
    }, error = function(condition) {
        cat(name, size, "not drawn:", conditionMessage(condition), "\n")
    })
}

for (name in grep(filter, names(pictures), value = TRUE)) {
    for (size in names(devices)) {
        draw(name, size)
    }
    cat(name, "\n")
}
