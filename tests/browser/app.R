# The page under test: Rscript app.R PORT FILE KIND RESULT. KIND may be several
# words. When it ends by Done, RESULT holds the links that runApp() returned.
args <- commandArgs(trailingOnly = TRUE)
is <- function(kind) kind %in% strsplit(args[3], " ")[[1]]
suppressPackageStartupMessages(library(linkrank))
options(linkrank.progress = FALSE)

x <- log2(colon$x)
describe <- picture <- words <- NULL
if (is("pictures")) {
    describe <- function(i, j) {
        lapply(c(i, j), function(k) c(batch = k %% 4, age = 40 + k))
    }
    picture <- function(i) {
        par(mar = c(2, 2, 1, 1))
        plot(x[i, 1:200], type = "h", xlab = "", ylab = "")
    }
    words <- "de"
}
if (is("odd")) {
    rownames(x)[1:62] <- paste0("<script>alert(", 1:62, ")</script>")
}
if (is("long")) rownames(x) <- paste0("GSM12345", 10:71, "_patient", 1:62, "_rep5")
if (is("factor")) {
    pain <- c("asymptomatic", "hypertrophy")
    x <- data.frame(grade = factor(rep(pain, 31)), x[, 1:50])
}
if (is("curves")) {
    x <- outer(1:62, seq(850, 1048, 2), function(i, at) {
        dnorm(at, 900 + 40 * (i %% 9), 20 + i %% 9) + i / 1e4
    })
    dimnames(x) <- list(paste0("M", 1:62), paste0("nm", seq(850, 1048, 2)))
}
scale <- NULL
if (is("cells")) {
    # as from Bioconductor: raw log counts, no scaling
    x <- log2(x)
    scale <- "none"
}
# while there is this file, the sample with its number cannot be shown
broken <- paste0(args[2], ".broken")
refuse <- function(...) {
    if (file.exists(broken) && as.integer(readLines(broken)) %in% c(...)) {
        stop("no record of this patient")
    }
}
if (is("failing")) {
    describe <- function(i, j) {
        refuse(i, j)
        lapply(c(i, j), function(k) c(batch = k %% 4))
    }
    picture <- function(i) {
        refuse(i)
        plot(i)
    }
}
if (is("spoilt")) {
    # half of the files are cut after their first bytes, which the browser notices
    folder <- paste0(args[2], ".slides")
    dir.create(folder)
    files <- file.path(folder, paste0("slide-", 1:62, ".png"))
    for (file in files) {
        png(file, 400, 300)
        plot(rnorm(20))
        dev.off()
    }
    for (file in files[c(FALSE, TRUE)]) {
        writeBin(readBin(file, "raw", 20), file)
    }
    picture <- function(i) files[i]
}
if (is("slow")) {
    # rankings in another process say when they begin, and end when they may
    begun <- paste0(args[2], ".rankings")
    writeLines("begun", begun)
    here <- Sys.getpid()
    own <- linkrank:::current_ranking
    assignInNamespace("current_ranking", function(q) {
        if (Sys.getpid() != here) {
            cat("one\n", file = begun, append = TRUE)
            while (!file.exists(paste0(begun, ".go"))) Sys.sleep(0.1)
        }
        own(q)
    }, "linkrank")
}
if (is("asked") || is("german")) {
    words <- "de"
}
# "as-ann": all that is asked here is answered by ann
person <- if (startsWith(args[3], "as-")) sub("as-", "", args[3])
q <- questionnaire(x, n = if (is("short")) 6 else if (is("soak")) 400 else 20,
                   scale = scale, hint = TRUE, rater = person,
                   ask = if (is("sort")) "sort" else "pairs")
# made when somebody comes, and not before there is this file
make <- function() {
    cat("made\n", file = paste0(args[2], ".made"), append = TRUE)
    while (!file.exists(paste0(args[2], ".go"))) Sys.sleep(0.1)
    refuse(1)
    q
}
people <- is("raters") || is("leads")
app <- questionnaire_app(if (is("late")) make else q, file = args[2], describe = describe,
                         picture = picture,
                         words = words, names = !is("pictures"),
                         raters = if (is("raters")) c("ann", "bob") else
                             if (is("asked")) TRUE,
                         key = if (is("leads")) c(leader = "sesame-56", ann = "sesame-12",
                                                  bob = "sesame-34") else
                             if (is("raters") || is("keyed")) "sesame-12",
                         guidelines = if (is("guided"))
                             "# What to look at\n\n* *round* or <b>long</b>?")
links <- shiny::runApp(app, port = as.integer(args[1]), host = "127.0.0.1",
                       launch.browser = FALSE)
stopifnot(identical(links, pairwise_constraints(app)))
if (is("leads")) links <- links$leader else if (people) {
    links <- reconcile_answers(links)
}
write.csv(as.data.frame(links), args[4], row.names = FALSE)
