# Writes the data sets of the benchmarks that come with packages into a folder as
# the other scripts read them: <name>.csv.gz, features first, then `class` (`y`
# for a number); and says of all others where they are published.
#
#   Rscript fetch.R FOLDER
#
# Nothing is downloaded: install the packages first. A file that is there stays.
source(system.file("benchmarks", "harness.R", package = "linkrank"))
folder <- commandArgs(trailingOnly = TRUE)[1L]
if (is.na(folder)) {
    not_run("the script wants a folder")
}
dir.create(folder, showWarnings = FALSE, recursive = TRUE)

in_packages <- utils::read.table(header = TRUE, text = "
set               package   object          outcome
colon             linkrank  colon           class
dermatology       linkrank  -               class
heart_statlog     linkrank  -               class
segmentation_210  linkrank  -               class
soybean_small     linkrank  -               class
spectf_80         linkrank  -               class
wine              linkrank  -               class
banknote          mclust    banknote        Status
glass             mlbench   Glass           Type
ionosphere        mlbench   Ionosphere      Class
sonar             mlbench   Sonar           Class
vehicle           mlbench   Vehicle         Class
wbcd              mlbench   BreastCancer    Class
reg_boston        mlbench   BostonHousing   medv
spambase          kernlab   spam            type
reg_gasoline      pls       gasoline        octane
")

elsewhere <- utils::read.csv(strip.white = TRUE, text = "
sets, published
arrhythmia cnae9 isolet_1560 madelon_2600 mfeat segmentation_2310 wdbc, UCI Machine Learning Repository
allaml leukemia_5147 leukemia_7070_discrete leukemia_7129, Golub et al. (1999); package golubEsets of Bioconductor
prostate_12533 prostate_ge_5966, Singh et al. (2002)
lymphoma_4026_discrete, Alizadeh et al. (2000)
lung_325_discrete, collection scikit-feature: lung_small
orl orl_64x64, AT&T Laboratories Cambridge: database of faces
yale yaleb_640, Yale face database and extended Yale face database B
pie10p, CMU PIE database: collection scikit-feature: warpPIE10P
zeisel_1464, Zeisel et al. (2015): GSE60361
pbmc3k, 10x Genomics: 3k PBMCs from a healthy donor
reg_tecator_fat, package caret on CRAN: tecator
reg_nirsoil_nitrogen, package prospectr on CRAN: NIRsoil
reg_pollen_481 reg_pollen_3848, package animation on CRAN: pollen
reg_house16h_2048, Delve: census-house 16H
reg_corn_m5_protein, Eigenvector Research: corn
")

# The object of a package as a table, the outcome last.
table_of <- function(row) {
    if (row$object == "-") {
        return(utils::read.csv(system.file(
            "extdata", paste0(row$set, ".csv.gz"), package = row$package),
            check.names = FALSE))
    }
    home <- new.env()
    utils::data(list = row$object, package = row$package, envir = home)
    found <- home[[row$object]]
    if (row$set == "colon") {
        return(data.frame(found$x, class = found$tissue, check.names = FALSE))
    }
    found$Id <- NULL
    features <- found[setdiff(names(found), row$outcome)]
    # codes are numbers; a matrix is several columns
    features <- data.frame(lapply(features, function(column) {
        if (is.matrix(column)) as.data.frame(unclass(column)) else
            as.numeric(as.character(column))
    }), check.names = FALSE)
    complete <- stats::complete.cases(features)
    cbind(features[complete, ], stats::setNames(
        found[complete, row$outcome, drop = FALSE],
        if (is.factor(found[[row$outcome]])) "class" else "y"))
}

for (i in seq_len(nrow(in_packages))) {
    row <- in_packages[i, ]
    file <- file.path(folder, paste0(row$set, ".csv.gz"))
    there <- file.exists(file)
    lacking <- !there && !requireNamespace(row$package, quietly = TRUE)
    if (!there && !lacking) {
        to <- gzfile(file, "w")
        utils::write.csv(table_of(row), to, row.names = FALSE)
        close(to)
    }
    cat(sprintf("%-18s %s\n", row$set, if (there) "is there" else
        if (lacking) paste("not written: install package", row$package) else
            paste("written, from package", row$package)))
}
cat("\nNot in these packages; make <name>.csv.gz of them in the same form:\n")
cat(sprintf("  %s\n      %s\n", elsewhere$sets, elsewhere$published), sep = "")
