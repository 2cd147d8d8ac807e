# Accuracy of rankings of tables of mixed kinds, by the range and balanced: data
# sets with five coins added, and tables that are mixed from the start.
# Nearest neighbour, half of the samples, mean of 1 to 20 features.
#
#   Rscript balanced.R FOLDER [REPEATS [SECONDS]]   # FOLDER: of the data sets

source(system.file("benchmarks", "harness.R", package = "linkrank"))
given <- commandArgs(trailingOnly = TRUE)
repeats <- if (length(given) > 1L) as.numeric(given[2L]) else 5
deadline <- Sys.time() + if (length(given) > 2L) as.numeric(given[3L]) else Inf

# Twenty samples of the first half sorted by their class; the accuracy in the
# second half, of both methods and the scales.
accuracy <- function(x, y, scales = c("range", "balanced")) {
    rows <- unlist(lapply(split(seq_along(y), y), function(of) {
        of[sample.int(length(of), ceiling(length(of) / 2))]
    }))
    train <- x[rows, , drop = FALSE]
    asked <- sample(length(rows), min(20, length(rows)))
    known <- y[rows]
    known[-asked] <- NA
    links <- constraints_from_labels(known)
    methods <- c(glean = "glean", relieff_sc = "relieff_sc")
    unlist(lapply(methods, function(method) {
        vapply(stats::setNames(nm = scales), function(scale) {
            ranking <- rank_features(train, links, method = method,
                                     scale = scale)
            n <- seq_len(min(20, ncol(x)))
            mean(evaluate_ranking(ranking, train, y[rows],
                                  x[-rows, , drop = FALSE],
                                  y[-rows], n = n, scale = "range")$accuracy)
        }, 0)
    }))
}

# Means over the sets, and standard errors between them.
tell <- function(title, found) {
    found <- 100 * do.call(rbind, found)
    cat(title, ": ", nrow(found), " sets\n", sep = "")
    for (method in c("glean", "relieff_sc")) {
        sides <- found[, startsWith(colnames(found), paste0(method, ".")),
                       drop = FALSE]
        gain <- sides[, 2L] - sides[, 1L]
        cat(sprintf("  %-10s range %5.1f, balanced %5.1f, gain %+4.1f (%.1f)%s\n",
                    method, mean(sides[, 1L]), mean(sides[, 2L]), mean(gain),
                    stats::sd(gain) / sqrt(length(gain)),
                    if (ncol(sides) > 2L) sprintf(", without coins %.1f",
                                                  mean(sides[, 3L])) else ""))
    }
}

with_coins <- function(x, y) {
    coins <- matrix(sample(0:1, 5 * nrow(x), TRUE), ncol = 5,
                    dimnames = list(NULL, paste0("coin", 1:5)))
    seed <- .Random.seed
    both <- accuracy(cbind(x, coins), y)
    assign(".Random.seed", seed, globalenv())
    plain <- accuracy(x, y, "range")
    names(plain) <- paste0(c("glean", "relieff_sc"), ".without")
    c(both, plain)
}

found <- list()
for (file in list.files(given[1L], "[.]csv[.]gz$", full.names = TRUE)) {
    if (Sys.time() > deadline || file.size(file) > 2e6 ||
        grepl("^reg_|pbmc", basename(file))) next
    table <- utils::read.csv(file, check.names = FALSE)
    if (is.null(table$class)) next
    y <- factor(table$class)
    x <- as.matrix(table[names(table) != "class"])
    if (!is.numeric(x) || nlevels(y) > nrow(x) / 4 || anyNA(x)) next
    colnames(x) <- paste0("f", seq_len(ncol(x)))
    set.seed(1)
    some <- sample(nrow(x), min(300, nrow(x)))
    found[[file]] <- rowMeans(replicate(repeats, with_coins(
        x[some, seq_len(min(2000, ncol(x)))], droplevels(y[some]))))
}
tell("five coins added", found)

mixed <- list(c("MASS", "Pima.tr", "type"), c("MASS", "Cars93", "Origin"),
              c("MASS", "birthwt", "low"), c("MASS", "Melanoma", "status"),
              c("MASS", "bacteria", "y"), c("MASS", "Boston", "chas"),
              c("rpart", "kyphosis", "Kyphosis"), c("rpart", "stagec", "pgstat"),
              c("survival", "lung", "status"), c("survival", "veteran", "status"),
              c("survival", "colon", "status"), c("survival", "pbc", "status"))
found <- list()
for (one in mixed) {
    if (!requireNamespace(one[1L], quietly = TRUE)) next
    table <- getExportedValue(one[1L], one[2L])
    table <- stats::na.omit(as.data.frame(table))
    y <- factor(table[[one[3L]]])
    x <- table[setdiff(names(table), c(one[3L], "id", "ID", "Manufacturer",
                                       "Make", "Model"))]
    set.seed(1)
    some <- sample(nrow(x), min(300, nrow(x)))
    found[[one[2L]]] <- tryCatch(
        rowMeans(replicate(repeats, accuracy(x[some, ], y[some]))),
        error = function(e) cat(one[2L], ":", conditionMessage(e), "\n"))
}
tell("mixed tables", found)
