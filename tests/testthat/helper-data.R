# Small data and expectations that several test files share.

# testthat sets up what explains a difference before it looks for one, 2 ms for
# each of thousands of expectations that hold to the last bit.
expect_identical <- function(object, expected, ...) {
    hold_or_explain(object, expected, testthat::expect_identical, ...,
                    said = substitute(list(object, expected)))
}

expect_equal <- function(object, expected, ...) {
    hold_or_explain(object, expected, testthat::expect_equal, ...,
                    said = substitute(list(object, expected)))
}

hold_or_explain <- function(object, expected, explain, ..., label = NULL,
                            expected.label = NULL, said) {
    if (identical(object, expected)) {
        succeed()
        return(invisible(object))
    }
    name <- function(given, code) {
        if (is.null(given)) paste0("`", deparse1(code), "`") else given
    }
    explain(object, expected, ..., label = name(label, said[[2L]]),
            expected.label = name(expected.label, said[[3L]]))
}

random_matrix <- function(n, p, seed = 1) {
    set.seed(seed)
    matrix(rnorm(n * p), n, p,
           dimnames = list(paste0("s", seq_len(n)), paste0("g", seq_len(p))))
}

# Some cannot-links and must-links of the first six samples.
few_links <- function(samples) {
    pairwise_constraints(cannot_link = rbind(c(1, 4), c(2, 5), c(6, 3)), must_link = cbind(1, 2),
                         samples = samples)
}

# A ranking with given keys, in column order, without any data.
made_ranking <- function(margin, features = paste0("g", seq_along(margin)),
                         ..., key = "margin") {
    table <- data.frame(score = pmax(margin, 0), margin = margin, ...)
    data <- list(n = 62, p = length(margin), features = features)
    new_feature_ranking(table, data, "relieff_sc", key, list(k = 3),
                        few_links(62))
}

# The columns that the method computes, without the direction of the answers.
own_columns <- function(ranking) {
    ranking[setdiff(names(ranking), c("highest", "difference"))]
}

# Every call must end in a condition of our own: of the class, without a call,
# one sentence in the style of the package. The messages go into the snapshot.
expect_refused <- function(class, ...) {
    calls <- as.list(substitute(list(...)))[-1L]
    shown <- lapply(calls, shown_by, parent.frame(), error = TRUE)
    expect_each(seq_along(calls), function(i) {
        refused <- shown[[i]]$error
        message <- if (inherits(refused, "error")) conditionMessage(refused)
        inherits(refused, paste0("linkrank_error_", class)) &&
            inherits(refused, "linkrank_error") &&
            (is.null(conditionCall(refused)) ||
                 grepl("must be given", message)) &&
            grepl("^[A-Z`].*[.?]$", message) &&
            !grepl("invalid|[Ee]rror|!", message) &&
            nchar(message) < 240
    })
    expect_shown(shown)
}

# The place of testthat's: its layout of conditions, and what it says of them,
# differs between its versions. Here class and message are recorded.
expect_snapshot <- function(x, error = FALSE) {
    code <- substitute(x)
    is_block <- is.call(code) && identical(code[[1L]], quote(`{`))
    calls <- if (is_block) as.list(code)[-1L] else list(code)
    expect_shown(lapply(calls, shown_by, parent.frame(), error))
}

expect_shown <- function(shown) {
    lines <- unlist(lapply(shown, `[[`, "lines"))
    # of every R and version the same
    lines <- sub(paste0(utils::packageVersion("linkrank"), ", R ",
                        getRversion(), ")"), "x.y.z, R x.y.z)", lines,
                 fixed = TRUE)
    expect_snapshot_output(cat(lines, sep = "\n"))
}

# A call with the conditions it signals and what it prints: list(lines, error).
shown_by <- function(call, frame, error) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    lines <- c("Code", paste0("  ", code_of(call)))
    caught <- NULL
    keep <- function(what, text) {
        text <- unlist(strsplit(text, "\n", fixed = TRUE))
        lines <<- c(lines, what, paste0("  ", text))
    }
    keep_condition <- function(condition, what, restart = NULL) {
        keep(paste0(what, " <", class(condition)[1L], ">"),
             conditionMessage(condition))
        if (length(restart)) invokeRestart(restart)
    }
    output <- utils::capture.output(withCallingHandlers(
        tryCatch({
            result <- withVisible(eval(call, frame))
            if (result$visible) print(result$value)
        }, error = function(e) {
            if (!error) stop(e)
            caught <<- e
            keep_condition(e, "Error")
        }),
        warning = function(w) keep_condition(w, "Warning", "muffleWarning"),
        message = function(m) keep_condition(m, "Message", "muffleMessage")
    ))
    if (length(output)) keep("Output", output)
    list(lines = lines, error = caught)
}

# As it is written. rlang takes 6 ms a call, and differs in long calls and
# divisions only.
code_of <- function(call) {
    text <- deparse(call, 500L)
    if (length(text) > 1L || nchar(text) > 70L || grepl("/", text, fixed = TRUE)) {
        text <- rlang::expr_deparse(call)
    }
    text
}

with_option <- function(option, code) {
    old <- options(option)
    on.exit(options(old))
    code
}

# Threads may change nothing: run(threads) gives the same with 1, 2 and 3 of
# them, however few processors there are and however little there is to do. The
# system tells that another thread than R's has worked. R CMD check allows two.
expect_same_for_threads <- function(run) {
    old <- options(linkrank.worthwhile = 0, linkrank.processors = 3)
    on.exit(options(old))
    if (!has_openmp() ||
        !second_thread_works(relieff(diag(4), c(1, 1, 2, 2), k = 1, threads = 2))) {
        skip("built without threads, or not allowed to use them")
    }
    one <- run(1)
    for (threads in 2:3) {
        expect_true(second_thread_works(got <- run(threads)))
        expect_identical(got, one)
    }
    invisible(one)
}

# A thread of another package that wakes up by chance is not taken for one of ours
# where this build calls no OpenMP: that of gcc, or that of clang and icc.
has_openmp <- function() {
    library <- getLoadedDLLs()[["linkrank"]][["path"]]
    length(grepRaw("GOMP_parallel|__kmpc_fork",
                   readBin(library, "raw", file.size(library)))) > 0
}

# Did a thread beside R's own work while this was evaluated? Linux counts how
# often each has gone to sleep, which it does soon after its last work. Threads of
# other packages, which wake up by themselves, do not count.
second_thread_works <- function(code, patience = 2) {
    if (!dir.exists("/proc/self/task")) {
        skip("the system does not tell which threads work")
    }
    sleeps <- function() {
        threads <- setdiff(list.files("/proc/self/task"), Sys.getpid())
        vapply(stats::setNames(nm = threads), function(thread) {
            # of a thread that ends meanwhile there is no line, or no file
            lines <- tryCatch(readLines(file.path("/proc/self/task", thread,
                                                  "status")),
                              error = function(e) NULL,
                              warning = function(w) NULL)
            as.numeric(sub("[^0-9]+", "", c(
                grep("^voluntary", lines, value = TRUE), "0")[1L]))
        }, 0)
    }
    risen <- function(now, before) {
        names(now)[now > c(before, now)[names(now)]]
    }
    idle <- sleeps()
    Sys.sleep(0.05)
    later <- sleeps()
    Sys.sleep(0.05)
    before <- sleeps()
    restless <- intersect(risen(later, idle), risen(before, later))
    force(code)
    end <- proc.time()[["elapsed"]] + patience
    repeat {
        now <- sleeps()
        fresh <- setdiff(names(now), names(before))
        if (length(setdiff(c(risen(now, before), fresh), restless))) return(TRUE)
        if (proc.time()[["elapsed"]] > end) return(FALSE)
        Sys.sleep(0.005)
    }
}

# Many trials as one expectation; a failure gives the numbers of the trials.
expect_every <- function(count, trial) {
    expect_each(seq_len(trials(count)), trial)
}

expect_each <- function(numbers, trial) {
    passed <- vapply(numbers, trial, NA)
    expect_identical(numbers[!passed], integer())
}

# All random trials are made by `sh tools/nightly`, which sets
# LINKRANK_TRIALS=all; a change runs the first sixteenth of them, and 12 at least,
# as kinds of data take turns by two, three or four.
trials <- function(count) {
    if (identical(Sys.getenv("LINKRANK_TRIALS"), "all")) {
        return(count)
    }
    min(count, max(12, ceiling(count / 16)))
}

# Some places of a vector, from its first to its last one.
places_in <- function(of) {
    unique(as.integer(seq(1, length(of), length.out = trials(length(of)))))
}

# What print() writes, and that no line is wider than the screen.
expect_narrow <- function(object) {
    lines <- capture.output(print(object))
    expect_lte(max(nchar(lines, type = "width")), 80L)
    invisible(lines)
}

unname_samples <- function(x) {
    rownames(x) <- NULL
    x
}

# Rows of a table, numbered anew.
rows <- function(table, i) {
    table <- table[i, , drop = FALSE]
    rownames(table) <- NULL
    table
}

# A matrix of samples x features as some class of package Matrix.
as_matrix_class <- function(x, class) {
    sparse <- methods::as(Matrix::Matrix(x, sparse = TRUE), "generalMatrix")
    switch(class,
        dgCMatrix = sparse,
        dgTMatrix = methods::as(sparse, "TsparseMatrix"),
        dgRMatrix = methods::as(sparse, "RsparseMatrix"),
        dgeMatrix = methods::as(sparse, "unpackedMatrix")
    )
}

# A matrix of samples x features as an experiment: features are rows there.
experiment_of <- function(x) {
    turned <- if (methods::is(x, "Matrix")) Matrix::t(x) else t(x)
    se <- SummarizedExperiment::SummarizedExperiment(list(counts = turned))
    SummarizedExperiment::rowData(se)$length <- rev(seq_len(ncol(x)))
    se
}

# Counts with many zeros, so that every class of matrix can hold them.
count_matrix <- function(n = 9, p = 14, seed = 1) {
    set.seed(seed)
    matrix(rpois(n * p, 1) + 0, n, p,
           dimnames = list(paste0("s", seq_len(n)), paste0("g", seq_len(p))))
}

# The cells of adapted data, samples x features.
all_cells <- function(data) {
    .Call(C_read_features, data, seq_len(data$p))
}

# Whatever holds x must be the same data as x itself, and rank the same, bit
# for bit.
expect_same_data <- function(object, x) {
    here <- prepare_data(object)
    there <- prepare_data(x)
    same <- c("n", "p", "features", "samples", "kind", "minimum", "maximum",
              "missing")
    expect_identical(unclass(here)[same], unclass(there)[same])
    expect_identical(all_cells(here), unname(x) + 0)
    links <- few_links(nrow(x))
    rank <- function(data) {
        suppressWarnings(relieff_sc(data, links, k = 2, scale = "range"),
                         classes = "linkrank_warning_margin")
    }
    expect_identical(rank(object), rank(x))
}

few_links_of_four <- function() {
    pairwise_constraints(cannot_link = rbind(c(1, 2), c(3, 4)), samples = 4)
}

# Data with two directions that stand out.
two_directions <- function(n, p) {
    x <- random_matrix(n, p)
    x + outer(rnorm(n), rnorm(p)) * 3 + outer(rnorm(n), rnorm(p)) * 1.5
}

# Replaces a function of the package.
replace_binding <- function(name, value) {
    home <- asNamespace("linkrank")
    unlock <- get("unlockBinding", baseenv())
    unlock(name, home)
    assign(name, value, envir = home)
    lockBinding(name, home)
}

# A hospital's table as it was exported: 418 patients of survival::pbc with an
# identifier, a date, units, decimal commas, and four codes for missing.
hospital_export <- function() {
    pbc <- getExportedValue("survival", "pbc")
    set.seed(1)
    comma <- function(values, digits) {
        sub(".", ",", formatC(values, digits = digits, format = "f"),
            fixed = TRUE)
    }
    coded <- function(text, values, code) ifelse(is.na(values), code, text)
    export <- data.frame(
        Patient = sprintf("F%05d", 5000 + pbc$id),
        Aufnahme = format(as.Date("2019-01-01") + sample(700, 418, TRUE),
                          "%d.%m.%Y"),
        Alter = paste(floor(pbc$age), "J."), Geschlecht = pbc$sex,
        Therapie = coded(c("DPCA", "Placebo")[pbc$trt], pbc$trt, ""),
        Aszites = pbc$ascites, Hepatomegalie = pbc$hepato,
        Spinnen = pbc$spiders, Oedem = pbc$edema,
        Bilirubin = paste(comma(pbc$bili, 1), "mg/dl"),
        Cholesterin = coded(comma(pbc$chol, 1), pbc$chol, "unbekannt"),
        Albumin = paste(comma(pbc$albumin, 2), "g/dl"),
        Kupfer = coded(pbc$copper, pbc$copper, -9),
        AP = coded(comma(pbc$alk.phos, 1), pbc$alk.phos, "n.d."),
        AST = coded(comma(pbc$ast, 2), pbc$ast, "-"),
        Triglyceride = coded(pbc$trig, pbc$trig, 999),
        Thrombozyten = pbc$platelet, Quick = comma(pbc$protime, 1),
        Stadium = pbc$stage, Status = pbc$status
    )
    export$Patient[7] <- ""
    file <- tempfile(fileext = ".csv")
    on.exit(unlink(file))
    write.csv2(export, file, row.names = FALSE, na = "")
    read.csv2(file)
}

# The lines of a file of the package: in a session without UTF-8, readLines()
# keeps the mark with which it begins.
lines_of <- function(file, ...) {
    lines <- readLines(file, ..., encoding = "UTF-8")
    sub("^\xef\xbb\xbf", "", lines, useBytes = TRUE)
}
