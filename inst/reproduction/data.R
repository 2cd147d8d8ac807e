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
    Madelon = "madelon_2600", Isolet = "isolet_1560", Libras = "libras"
)

# Sets that packages hold cell for cell: package, object, features, class.
set_packages <- list(
    Sonar = list("mlbench", "Sonar", 1:60, "Class"),
    Ionosphere = list("mlbench", "Ionosphere", 1:34, "Class"),
    WBCD = list("mlbench", "BreastCancer", 2:10, "Class"),
    Spambase = list("kernlab", "spam", 1:57, "type"),
    WDBC = list("mclust", "wdbc", 3:32, "Diagnosis")
)

# The file of a set, the package's own first; character() when there is none.
set_file <- function(name) {
    folders <- c(system.file("extdata", package = "linkrank"),
                 Sys.getenv("REPRODUCTION_DATA"))
    file <- paste0(set_files[name], ".csv.gz")
    found <- file.path(folders[nzchar(folders)], file)
    utils::head(found[file.exists(found)], 1L)
}

has_set <- function(name) {
    place <- set_packages[[name]]
    name == "Colon" || length(set_file(name)) > 0L ||
        !is.null(place) && requireNamespace(place[[1L]], quietly = TRUE)
}

# The last set is kept: every run of a job asks for the same one.
last_set <- new.env()

read_set <- function(name) {
    if (!identical(last_set$name, name)) {
        last_set$set <- find_set(name)
        last_set$name <- name
    }
    last_set$set
}

find_set <- function(name) {
    if (name == "Colon") {
        return(as_set(linkrank::colon$x, linkrank::colon$tissue))
    }
    file <- set_file(name)
    if (length(file)) {
        table <- utils::read.csv(gzfile(file), check.names = FALSE)
        return(as_set(table[-ncol(table)], table[[ncol(table)]]))
    }
    read_packaged_set(set_packages[[name]])
}

read_packaged_set <- function(place) {
    if (is.null(place) || !requireNamespace(place[[1L]], quietly = TRUE)) {
        return(NULL)
    }
    loaded <- new.env()
    utils::data(list = place[[2L]], package = place[[1L]], envir = loaded)
    table <- loaded[[place[[2L]]]]
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
    list(x = x, y = factor(unname(y), levels = unique(y)))
}
