# Classifies the rows of published.csv by what the runs have found.

judge_rows <- function(published, jobs, mode, cache) {
    found <- list()
    for (job in jobs) {
        runs <- kept_runs(job, cache)
        if (length(runs)) {
            found <- c(found, job$tell(runs))
        }
    }
    ready <- Filter(can_run, jobs)
    at_hand <- vapply(ready, function(job) {
        paste(job$paper, data_label(job))
    }, "")
    absent <- !paste(published$paper, published$data) %in% at_hand
    published$digits <- printed_digits(published)
    rows <- lapply(seq_len(nrow(published)), function(i) {
        judge_row(published[i, ], found[[published$id[i]]], absent[i])
    })
    results <- do.call(rbind, rows)
    results <- explain_rows(results)
    attr(results, "curves") <- Filter(Negate(is.null),
                                      lapply(found, `[[`, "curve"))
    results
}

# Zeros at the end are not always printed: the digits of a column are those of
# its longest number.
printed_digits <- function(published) {
    own <- nchar(sub("^[^.]*\\.?", "", published$published))
    column <- paste(published$paper, published$table, published$metric)
    stats::ave(own, column, FUN = max)
}

# The papers' name of a set, where several sizes of it exist.
data_label <- function(job) {
    if (length(job$data)) sub(" (2310|64 x 64)$", "", job$data) else job$name
}

judge_row <- function(row, outcome, absent) {
    ours <- list(ours = NA_real_, se = NA_real_, difference = NA_real_,
                 ours_d = NA_real_, ours_runs = 0L)
    if (!is.null(outcome)) {
        ours <- measure(row, outcome)
    }
    cbind(row[names(row) != "digits"], ours,
          verdict = verdict_of(row, ours, absent),
          readings = if (is.null(outcome$readings)) "" else
              paste(names(outcome$readings), signif(outcome$readings, 5),
                    collapse = ", "))
}

# Why a row may differ, in few words: the first that its reason matches.
causes <- c(
    "cause not known" = "cause not known",
    "other samples than printed" =
        "cropped|first half of the UCI|samples are printed",
    "another classifier than theirs" = "Weka|solver of the",
    "ranked in another order than stated" = "ranked first|descending order",
    "the clustering that labels is not printed" = "labels the training part",
    "another setting is not printed" = "not printed|not described",
    "another reason" = ""
)

# What no reading of the clustering reaches has another cause.
clustering <- names(causes)[causes == "labels the training part"]
beyond <- "outside of all four readings of the clustering that labels"

# The cause of a row, and of one that the paper leaves open to several readings:
# whether the printed number lies between theirs, and whose is nearest.
explain_rows <- function(rows) {
    rows$cause <- vapply(rows$reason, function(reason) {
        if (!nzchar(reason)) "" else
            names(causes)[which(vapply(causes, grepl, NA, reason))[1L]]
    }, "", USE.NAMES = FALSE)
    each <- strsplit(rows$readings, ", ", fixed = TRUE)
    away <- Map(function(found, printed) {
        stats::setNames(as.numeric(sub(".* ", "", found)) - printed,
                        sub(" [^ ]*$", "", found))
    }, each, as.numeric(rows$published))
    rows$between <- vapply(away, function(from) {
        if (!length(from)) "" else
            if (min(from) <= 0 && max(from) >= 0) "yes" else "no"
    }, "")
    outside <- rows$verdict == "differs" & rows$between == "no"
    rows$cause[outside & rows$cause == clustering] <- beyond
    rows$nearest <- vapply(away, function(from) {
        size <- abs(from)
        paste(names(from)[size <= min(size, Inf) + 1e-9], collapse = ", ")
    }, "")
    rows
}

# Of the rows that depend on a step the paper leaves open: how many printed
# numbers lie between its readings, and on how many rows each is nearest (equal
# ones all).
readings_answer <- function(rows) {
    open <- rows[rows$between != "", ]
    if (!nrow(open)) {
        return("")
    }
    nearest <- sort(table(unlist(strsplit(open$nearest, ", "))),
                    decreasing = TRUE)
    differs <- open$between[open$verdict == "differs"]
    other <- open$verdict == "differs" & open$between == "no" & open$cause != beyond
    paste0(
        "Salmi et al. print neither the similarity nor the Laplacian of the ",
        "clustering that labels their training part: of the ", nrow(open),
        " rows that depend on it, ", sum(open$between == "yes"),
        " printed numbers lie between four readings of it. Of the ",
        length(differs), " that differ, it can explain the ",
        sum(differs == "yes"), " that do; the other ", sum(differs == "no"),
        " lie outside of all four", if (any(other))
            paste0(" (", sum(other), " of them have another reason)"),
        ". Nearest is ",
        paste0(names(nearest), " on ", nearest, collapse = ", "),
        " (equal ones count for each); the first of these is used for all rows."
    )
}

# Does the package reproduce the printed numbers? Paragraphs.
answers <- function(rows) {
    found <- c(answer_of(rows), readings_answer(rows), beyond_two(rows))
    found[nzchar(found)]
}

answer_of <- function(rows) {
    count <- function(verdict) sum(rows$verdict %in% verdict)
    compared <- rows[rows$verdict %in% c("exact", "within 2 se", "close",
                                         "differs"), ]
    by_cause <- table(factor(compared$cause[compared$verdict == "differs"],
                             c("", names(causes), beyond)))
    names(by_cause)[1L] <- "no reason found yet"
    by_cause <- sort(by_cause[by_cause > 0], decreasing = TRUE)
    paste0(
        "Of ", nrow(compared), " printed numbers that were computed again, ",
        count(c("exact", "within 2 se")), " are reproduced (", count("exact"),
        " exactly, ", count("within 2 se"), " within two standard errors), ",
        count("close"), " are close and ", count("differs"), " differ",
        if (length(by_cause)) paste0(
            ": ", paste(by_cause, names(by_cause), collapse = "; ")), ".",
        if (count("too few runs")) paste0(
            " Another ", count("too few runs"), " have fewer than ",
            fewest_runs, " runs of ours, too few to tell."))
}

# How far first expectations went wrong by more than chance.
beyond_two <- function(rows) {
    z <- rows$difference[rows$expected_first == "agree" &
                             rows$verdict %in% c("exact", "within 2 se",
                                                 "close", "differs")]
    z <- abs(z[!is.na(z)])
    paste0("Of the ", length(z), " rows with an error that were first expected ",
           "to agree, ", format(round(100 * mean(z > 2), 1)), " % are more ",
           "than 2 se away, where chance would give 5 %.")
}

# The error of a printed mean is its printed spread over its runs; where no
# spread is printed, ours at the printed number of features. With fewer than
# twenty runs of ours, the larger of the two spreads counts for both; and when
# all of them gave one number, though the paper's need not have, the printed
# number counts as one more. A job that knows the errors says so (`error`, ours
# and the printed one, of `runs` runs).
measure <- function(row, outcome) {
    values <- outcome$values
    published <- as.numeric(row$published)
    away <- mean(values) - published
    ours <- list(ours = mean(values), ours_runs = length(values),
                 ours_d = if (is.null(outcome[["d"]])) NA_real_ else
                     outcome[["d"]])
    if (is.null(outcome$error)) {
        found <- errors_of(row, outcome)
    } else {
        ours$ours_runs <- outcome$runs
        found <- list(se = outcome$error[1L], both = sqrt(sum(outcome$error^2)))
    }
    sure <- is.na(found$both) || found$both == 0
    c(ours, list(se = found$se,
                 difference = if (sure) NA_real_ else away / found$both))[
        c("ours", "se", "difference", "ours_d", "ours_runs")]
}

errors_of <- function(row, outcome) {
    values <- outcome$values
    runs <- length(values)
    printed <- suppressWarnings(as.numeric(row$published_sd))
    printed_runs <- as.numeric(row$runs)
    spread <- if (runs > 1L) round(stats::sd(values), 9L) else NA
    used <- spread
    if (runs > 1L && runs < 20L && printed_runs > 1) {
        if (spread == 0) {
            used <- stats::sd(c(values, as.numeric(row$published)))
        }
        used <- max(used, printed, na.rm = TRUE)
    }
    if (is.na(printed)) {
        printed <- spread_at(outcome, row$published_d, used)
    }
    list(se = spread / sqrt(runs),
         both = sqrt(sum(c(used^2 / runs, printed^2 / printed_runs),
                         na.rm = TRUE)))
}

spread_at <- function(outcome, features, otherwise) {
    at <- match(as.numeric(features), outcome$curve$d)
    error <- outcome$curve$se[at]
    if (length(error) == 1L && !is.na(error)) {
        error * sqrt(length(outcome$values))
    } else {
        otherwise
    }
}

# Of fewer, Student's limits are so wide that nothing would differ.
fewest_runs <- 5L

# A number without an error agrees when it is the printed one, rounded or cut.
# With an error, the printed number two errors away is no agreement, even where
# rounding would hide the difference. The limits are those of two and three
# standard errors of a normal number; where few runs of ours say how large the
# error is, those of Student's t that are as likely.
verdict_of <- function(row, ours, absent = FALSE) {
    if (is.na(ours$ours)) {
        return(if (row$expected != "not run" && absent) "no data" else
            "not run")
    }
    if (row$expected == "time") {
        return("time")
    }
    printed <- is_printed(ours$ours, as.numeric(row$published), row$digits)
    size <- abs(ours$difference)
    is_printed_spread <- ours$ours_runs < 20L &&
        isTRUE(ours$se * sqrt(ours$ours_runs) <= as.numeric(row$published_sd))
    runs <- if (is_printed_spread) as.numeric(row$runs) else ours$ours_runs
    limits <- stats::qt(stats::pnorm(2:3), if (runs > 1) runs - 1 else Inf)
    if (is.na(size)) {
        if (printed) "exact" else "differs"
    } else if (ours$ours_runs < fewest_runs) {
        "too few runs"
    } else if (size <= limits[1L]) {
        if (printed) "exact" else "within 2 se"
    } else if (size <= limits[2L]) {
        "close"
    } else {
        "differs"
    }
}

is_printed <- function(ours, published, digits) {
    times <- round(ours * 10^digits, 6L)
    round(published * 10^digits) %in% c(floor(times), floor(times + 0.5))
}
