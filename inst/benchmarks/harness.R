# Shared by the benchmark scripts: source it with
#   source(system.file("benchmarks", "harness.R", package = "linkrank"))
#
# compare() times both sides of a ratio in one run, turn by turn, so that a busy
# machine slows both; it prints minima and medians of the elapsed seconds and
# the ratio to the first side. peak_memory() tells what a call takes beyond
# what was there before it. portable() runs the kernels that every machine has.

library(linkrank)
options(linkrank.progress = FALSE)

# Scripts run larger cases when called with the word "large".
run_large <- function() "large" %in% commandArgs(trailingOnly = TRUE)

elapsed <- function(run) {
    gc(FALSE)
    begin <- proc.time()[["elapsed"]]
    precise <- Sys.time()
    run()
    seconds <- as.numeric(difftime(Sys.time(), precise, units = "secs"))
    # the clock may be set in between: then the coarse one is right
    if (seconds < 0) proc.time()[["elapsed"]] - begin else seconds
}

# ...: named functions without arguments, the side to be judged first.
# times: runs of each; a slow side may have fewer (a named vector).
compare <- function(title, ..., times = 5) {
    sides <- list(...)
    runs <- rep_len(times, length(sides))
    if (!is.null(names(times))) {
        runs <- unname(times[names(sides)])
    }
    seconds <- lapply(sides, function(side) numeric())
    for (turn in seq_len(max(runs))) {
        for (i in which(runs >= turn)) {
            seconds[[i]] <- c(seconds[[i]], elapsed(sides[[i]]))
        }
    }
    least <- vapply(seconds, min, 0)
    cat(title, "\n", sep = "")
    cat(sprintf("  %-28s %10.4f s least %10.4f s median %4d runs  x %.2f\n",
                names(sides), least, vapply(seconds, stats::median, 0),
                lengths(seconds), least / least[1L]), sep = "")
    invisible(least)
}

# Megabytes of R memory that a call takes at its peak, its result included;
# the C code keeps its scratch in R memory too.
peak_memory <- function(run) {
    before <- sum(gc(reset = TRUE)[, 2L])
    result <- run()
    peak <- sum(gc()[, 6L])
    rm(result)
    peak - before
}

portable <- function(run) {
    function() {
        old <- options(linkrank.portable = TRUE)
        on.exit(options(old))
        run()
    }
}

machine <- function() {
    cat("linkrank ", as.character(utils::packageVersion("linkrank")), ", R ",
        as.character(getRversion()), ", BLAS ",
        basename(extSoftVersion()[["BLAS"]]), ", ",
        parallel::detectCores(), " cores\n\n", sep = "")
}

# Cells x genes, as many of the genes' cells stored as in single-cell data: few
# genes in most cells, most genes in few.
sparse_case <- function(n, p, density) {
    set.seed(1)
    share <- pmin(stats::rgamma(p, 0.35) * density / 0.35, 0.95)
    rows <- lapply(stats::rbinom(p, n, share), function(count) {
        sort(sample.int(n, count))
    })
    Matrix::sparseMatrix(i = unlist(rows), p = c(0, cumsum(lengths(rows))),
                         x = log1p(1 + stats::rgeom(sum(lengths(rows)), 0.5)),
                         dims = c(n, p))
}

# glean() without contrast and rounds, with three parts: what these two add is
# the difference to it.
three_parts <- function(x, links, scale = "range") {
    ranking <- glean(x, links, rounds = 0, scale = scale)
    parts <- as.data.frame(ranking)[c("structure", "margin", "spread")]
    most <- vapply(parts, max, 0)
    shares <- Map(function(part, largest) log(pmax(part / largest, 1e-4)),
                  parts[most > 0], most[most > 0])
    relevance <- exp(Reduce(`+`, shares) / length(shares))
    names(relevance) <- ranking$feature
    before <- as_feature_ranking(sort(relevance, decreasing = TRUE))
    diversify_ranking(before, x)
}

# ---- sets of a folder --------------------------------------------------------

not_run <- function(...) {
    cat("Not run: ", ..., ".\n", sep = "")
    quit(save = "no")
}

# The data sets of the folder, or those of `names` that it has.
sets_of <- function(call, names = NULL) {
    there <- sub("[.]csv[.]gz$", "", list.files(call$folder, "[.]csv[.]gz$"))
    sets <- if (is.null(names)) there else intersect(names, there)
    sets <- sets[!grepl("^(reg_|pbmc3k)", sets)]
    if (length(sets) == 0L) {
        not_run("there is none of its data sets in ", call$folder)
    }
    sets
}

# Without the sets whose samples or features another one has.
distinct_sets <- function(sets) {
    setdiff(sets, c(
        "leukemia_7070_discrete", "leukemia_7129", "leukemia_5147", "orl_64x64",
        "prostate_12533", "segmentation_2310", "isolet_1560"
    ))
}

# The call `Rscript script.R FOLDER [SEEDS] [RESULTS.csv] [MINUTES]`: FOLDER holds
# data sets as <name>.csv.gz (fetch.R), features first, then `class`. SEEDS such
# as 1:10. Each finished combination of set and seed is kept in RESULTS: the same
# call goes on where the last one ended, or stopped after MINUTES. Ends the script
# when there is no folder.
read_call <- function(results, seeds = 1:10) {
    arguments <- commandArgs(trailingOnly = TRUE)
    if (length(arguments) == 0L) {
        not_run("the script wants a folder of data")
    }
    if (!dir.exists(arguments[1L])) {
        not_run("there is no folder ", arguments[1L])
    }
    given <- function(i, otherwise) {
        if (length(arguments) >= i) arguments[i] else otherwise
    }
    list(folder = arguments[1L],
         seeds = eval(parse(text = given(2L, deparse(seeds)))),
         results = given(3L, results), minutes = as.numeric(given(4L, Inf)))
}

read_set <- function(folder, name) {
    table <- utils::read.csv(file.path(folder, paste0(name, ".csv.gz")),
                             check.names = FALSE)
    x <- as.matrix(table[-ncol(table)])
    # missing values are few: the feature's mean, as the papers do
    for (j in which(colSums(is.na(x)) > 0)) {
        x[is.na(x[, j]), j] <- mean(x[, j], na.rm = TRUE)
    }
    list(x = x, y = factor(table$class))
}

# At most `most` of some rows, in the proportions of their classes.
thin <- function(rows, y, most) {
    if (length(rows) <= most) {
        return(rows)
    }
    share <- most / length(rows)
    sort(unlist(lapply(split(rows, droplevels(y[rows])), function(own) {
        own[sample.int(length(own), max(1, round(share * length(own))))]
    })))
}

# At most 150 samples of one half to rank with, 300 of the other to test.
split_set <- function(set, seed) {
    set.seed(seed)
    half <- linkrank:::split_half(set$y)
    train <- thin(half$train, set$y, 150)
    test <- thin(half$test, set$y, 300)
    list(x = set$x[train, , drop = FALSE], y = droplevels(set$y[train]),
         test = set$x[test, , drop = FALSE], y_test = set$y[test])
}

some <- function(n, most) sort(sample.int(n, min(n, most)))

# Set `a` alone, and beside set `b` with its samples in random order: a second
# structure, as many features of each, at most 300, and at most 240 samples.
join_sets <- function(a, b, seed) {
    set.seed(seed)
    n <- min(nrow(a$x), nrow(b$x), 240)
    rows <- utils::head(thin(seq_along(a$y), a$y, n), nrow(b$x))
    own <- a$x[rows, some(ncol(a$x), 300), drop = FALSE]
    colnames(own) <- paste0("a", seq_len(ncol(own)))
    other <- b$x[sample.int(nrow(b$x), length(rows)),
                 some(ncol(b$x), ncol(own)), drop = FALSE]
    colnames(other) <- paste0("b", seq_len(ncol(other)))
    y <- droplevels(a$y[rows])
    list(one = list(x = own, y = y), two = list(x = cbind(own, other), y = y))
}

# The set without constant features, single cells as log counts; read once.
plain_set <- function(call, name) {
    if (is.null(held[[name]])) {
        set <- read_set(call$folder, name)
        if (grepl("zeisel", name)) set$x <- log1p(set$x)
        varies <- apply(set$x, 2L, function(v) max(v) > min(v))
        held[[name]] <- list(x = set$x[, varies, drop = FALSE], y = set$y)
    }
    held[[name]]
}

held <- new.env()

# A set alone and beside the next one in a random circle of all `sets` that
# leaves four samples a class.
joined_problems <- function(call, sets, name, seed) {
    set.seed(seed)
    circle <- sample(sets)
    own <- plain_set(call, name)
    for (other in c(circle, circle)[match(name, circle) +
                                    seq_len(length(sets) - 1L)]) {
        other <- plain_set(call, other)
        if (min(nrow(own$x), nrow(other$x), 240) >= 4 * nlevels(own$y)) {
            return(join_sets(own, other, seed))
        }
    }
    stop("no set has samples enough for the classes of ", name)
}

# The table that ships: NAME.csv beside RESULTS.csv, numbers of two decimals, from
# which README, vignettes and articles print.
write_table <- function(table, name, call) {
    numbers <- vapply(table, is.double, NA)
    table[numbers] <- lapply(table[numbers], round, 2)
    utils::write.csv(table, file.path(dirname(call$results), paste0(name, ".csv")),
                     row.names = FALSE)
}

# ---- sets of R packages --------------------------------------------------------

# Package, class of tables with two classes or more.
package_tables <- list(
    Pima.tr = c("MASS", "type"), Cars93 = c("MASS", "Origin"),
    birthwt = c("MASS", "low"), Melanoma = c("MASS", "status"),
    bacteria = c("MASS", "y"), Boston = c("MASS", "chas"),
    biopsy = c("MASS", "class"), crabs = c("MASS", "sp"), fgl = c("MASS", "type"),
    cats = c("MASS", "Sex"), kyphosis = c("rpart", "Kyphosis"),
    stagec = c("rpart", "pgstat"), lung = c("survival", "status"),
    veteran = c("survival", "status"), colon = c("survival", "status"),
    pbc = c("survival", "status"), nodal = c("boot", "r"), urine = c("boot", "r"),
    channing = c("boot", "sex"), iris = c("datasets", "Species"),
    infert = c("datasets", "case"), mtcars = c("datasets", "am"),
    ToothGrowth = c("datasets", "supp")
)

# list(x, y), a factor of several levels as their indicators; NULL where the
# package is not installed.
package_set <- function(name) {
    of <- package_tables[[name]]
    if (!requireNamespace(of[1L], quietly = TRUE)) return(NULL)
    table <- stats::na.omit(as.data.frame(getExportedValue(of[1L], name)))
    rest <- setdiff(names(table), c(of[2L], "id", "ID", "Manufacturer", "Make",
                                    "Model", "index"))
    list(x = stats::model.matrix(~ ., table[rest])[, -1L, drop = FALSE],
         y = factor(table[[of[2L]]]))
}

# The rows of run(name, seed) of all sets and seeds. Seeds outermost: whenever
# it stops, every set has nearly as many.
run_sets <- function(sets, call, run) {
    begin <- proc.time()[["elapsed"]]
    done <- if (file.exists(call$results)) utils::read.csv(call$results)
    for (seed in call$seeds) {
        for (name in sets) {
            there <- any(done$set == name & done$seed == seed)
            late <- proc.time()[["elapsed"]] - begin > 60 * call$minutes
            if (there || late) next
            row <- run(name, seed)
            # a set that is too small
            if (is.null(row)) next
            row <- cbind(set = name, seed = seed, row)
            utils::write.table(row, call$results, append = !is.null(done),
                               sep = ",", col.names = is.null(done),
                               row.names = FALSE)
            done <- rbind(done, row)
        }
    }
    done
}
