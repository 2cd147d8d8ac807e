# The data sets of the papers.
#
# Each is looked for in the package, then in the folder that the environment
# variable REPRODUCTION_DATA names (gzipped CSV files, the class in the last
# column), then in a package that holds the same cells. A set that none of them
# has is NULL, and its rows of the report say "no data".

set_files <- c(
    Soybean = "soybean_small", Wine = "wine", Heart = "heart_statlog",
    Segmentation = "segmentation_210", SPECTF = "spectf_80",
    Dermatology = "dermatology", Sonar = "sonar", Ionosphere = "ionosphere",
    WBCD = "wbcd", WDBC = "wdbc", Spambase = "spambase",
    Arrhythmia = "arrhythmia", Leukemia = "leukemia_5147",
    `Segmentation 2310` = "segmentation_2310", Mfeat = "mfeat",
    `CNAE-9` = "cnae9", Yale = "yale", ORL = "orl", Pie10P = "pie10p",
    ALLAML = "allaml", `ORL 64 x 64` = "orl_64x64", YaleB = "yaleb_640",
    Madelon = "madelon_2600", Isolet = "isolet_1560"
)

# Sets that packages hold cell for cell: package, object, features, class.
set_packages <- list(
    Sonar = list("mlbench", "Sonar", 1:60, "Class"),
    Ionosphere = list("mlbench", "Ionosphere", 1:34, "Class"),
    WBCD = list("mlbench", "BreastCancer", 2:10, "Class"),
    Spambase = list("kernlab", "spam", 1:57, "type"),
    WDBC = list("mclust", "wdbc", 3:32, "Diagnosis")
)

read_set <- function(name) {
    if (name == "Colon") {
        return(as_set(linkrank::colon$x, linkrank::colon$tissue))
    }
    file <- paste0(set_files[[name]], ".csv.gz")
    folders <- c(system.file("extdata", package = "linkrank"),
                 Sys.getenv("REPRODUCTION_DATA"))
    found <- file.path(folders[nzchar(folders)], file)
    found <- found[file.exists(found)]
    if (length(found)) {
        table <- utils::read.csv(gzfile(found[1L]), check.names = FALSE)
        return(as_set(table[-ncol(table)], table[[ncol(table)]]))
    }
    read_packaged_set(set_packages[[name]])
}

read_packaged_set <- function(place) {
    if (is.null(place) || !requireNamespace(place[[1L]], quietly = TRUE)) {
        return(NULL)
    }
    room <- new.env()
    utils::data(list = place[[2L]], package = place[[1L]], envir = room)
    table <- room[[place[[2L]]]]
    table <- table[stats::complete.cases(table), ]
    x <- vapply(table[place[[3L]]], function(column) {
        as.numeric(as.character(column))
    }, numeric(nrow(table)))
    as_set(x, table[[place[[4L]]]])
}

# Classes are numbered as they come in the file.
as_set <- function(x, y) {
    x <- as.matrix(x)
    storage.mode(x) <- "double"
    dimnames(x) <- list(NULL, make.unique(make.names(colnames(x))))
    list(x = x, y = factor(y, levels = unique(y)))
}

has_set <- local({
    known <- logical()
    function(name) {
        if (is.na(known[name])) {
            known[name] <<- !is.null(read_set(name))
        }
        unname(known[name])
    }
})
