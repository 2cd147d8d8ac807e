# Hijazi (2019). Semi-supervised Margin-based Feature Selection for
# Classification. PhD thesis, NNT 2019DUNK0546.
#
# Chapter 3 (Relief-Sc, Simba-Sc), chapter 4 (active selection, propagation,
# Table 4.4). Values scaled to [0, 1] over all rows, the first half of each
# class trains. The section on FCRSC is in hijazi-fcrsc.R.

hijazi_sets <- list(
    Soybean = list(K = 3, T = 3, T3 = 8, a = 0.99),
    Wine = list(K = 5, T = 20, T3 = 20, a = 0.6),
    Heart = list(K = 5, T = 20, T3 = 20, a = 0.37),
    Sonar = list(K = 5, T = 10, T3 = 10, a = 0.47),
    Segmentation = list(K = 3, T = 10),
    Colon = list(K = 1, T = 8, T3 = 10, a = 0.46, slow = TRUE),
    Leukemia = list(K = 5, T = 10, T3 = 10, a = 0.75, slow = TRUE)
)
hijazi_compared <- c("Wine", "Segmentation", "Colon")

hijazi_jobs <- function() {
    names <- names(hijazi_sets)
    chapter_3 <- Filter(function(name) !is.null(hijazi_sets[[name]]$T3), names)
    c(
        lapply(names, hijazi_all_features),
        do.call(c, lapply(chapter_3, hijazi_chapter_3)),
        lapply(names, hijazi_rcg), lapply(names, hijazi_acs),
        lapply(hijazi_compared, hijazi_baselines),
        lapply(hijazi_compared, hijazi_compared_rcg),
        lapply(hijazi_compared, hijazi_compared_acs),
        lapply(hijazi_compared, hijazi_svm),
        list(hijazi_precision()), hijazi_time_jobs(), hijazi_fcrsc_jobs()
    )
}

hijazi_data <- function(name) {
    d <- read_set(name)
    d$x <- unit_range(d$x)
    d$split <- switch(name,
        Leukemia = list(train = 1:38, test = 39:72),
        Sonar = first_of_each(d$y, c(R = 49, M = 55)), first_half(d$y)
    )
    d$train <- d$x[d$split$train, ]
    d$classes <- droplevels(d$y[d$split$train])
    d
}

# Every number of features; of thousands, some.
hijazi_counts <- function(p) {
    if (p < 300) {
        return(seq_len(p))
    }
    sort(unique(c(1:60, seq(65, 400, 5), seq(420, p, 40), p,
                  intersect(c(388, 658, 1008, 1316), seq_len(p)))))
}

hijazi_curves <- function(d, rankings, ...) {
    curves(rankings, d$x, d$y, d$split, hijazi_counts(ncol(d$x)), ...)
}

random_cannot_links <- function(d, count, must_link = 0) {
    constraints_from_labels(d$classes, cannot_link = count,
                            must_link = must_link)
}

hijazi_runs <- function(name, quick, full) {
    if (isTRUE(hijazi_sets[[name]]$slow)) c(quick %/% 10, full) else
        c(quick, full)
}

hijazi_cost <- function(name, fast, slow) {
    if (isTRUE(hijazi_sets[[name]]$slow)) slow else fast
}

table_of <- function(name) if (name == "Segmentation") "4.4" else "4.2"

# ---- no selection -----------------------------------------------------------

hijazi_all_features <- function(name) {
    new_job("hijazi", row_id("all", name), name, c(1, 1), 1,
        one = function(run) {
            d <- hijazi_data(name)
            curves(list(all = variance_score(d$train, scale = "none")), d$x,
                   d$y, d$split, ncol(d$x))[[1L]]
        },
        tell = function(runs) {
            ids <- c(row_id("hijazi", table_of(name), name,
                            "all features accuracy"),
                     row_id("hijazi_4.4", name, "all features best accuracy"))
            stats::setNames(rep(list(list(values = unlist(runs))), 2L), ids)
        })
}

# ---- Tables 3.2 and 3.3 -----------------------------------------------------

hijazi_chapter_3 <- function(name) {
    table <- if (name %in% c("Colon", "Leukemia")) "3.3" else "3.2"
    count <- hijazi_sets[[name]]$T3
    methods <- list(
        `Relief-Sc` = function(x, links) published_relieff_sc(x, links, 1),
        `Simba-Sc` = published_simba_sc
    )
    lapply(names(methods), function(method) {
        new_job("hijazi", row_id(table, name, method), name,
            hijazi_runs(name, 100, 100), hijazi_cost(name, 0.03, 0.6),
            one = function(run) {
                d <- hijazi_data(name)
                links <- random_cannot_links(d, count)
                hijazi_curves(d, list(one = methods[[method]](d$train, links)))
            },
            tell = function(runs) {
                stats::setNames(list(best_of_curves(runs)), row_id(
                    "hijazi", table, name, method, "best accuracy"))
            })
    })
}

# ---- Table 4.2: random and active cannot-links; Table 4.3 -------------------

hijazi_rcg <- function(name) {
    of <- hijazi_sets[[name]]
    new_job("hijazi", row_id("rcg", name), name, hijazi_runs(name, 100, 200),
        hijazi_cost(name, 0.03, 0.6),
        one = function(run) {
            d <- hijazi_data(name)
            links <- random_cannot_links(d, of$T)
            hijazi_curves(d, list(one = published_relieff_sc(d$train, links,
                                                             of$K)))
        },
        tell = function(runs) {
            stats::setNames(list(best_of_curves(runs)), row_id(
                "hijazi", table_of(name), name,
                "ReliefF-Sc + RCG best accuracy"))
        })
}

asked <- function(d, count, oracle = as.character(d$classes), ...) {
    quiet(active_constraints(d$train, oracle, n = count,
                             strategy = "perturbation",
                             graph = self_tuning(d$train),
                             scale = "range", ...))
}

# Must-links "chosen in the same manner": a chain of its own, which passes over
# what turns out a cannot-link, until as many are there.
asked_must_links <- function(d, count) {
    kept <- 0
    oracle <- function(i, j) {
        if (kept == count) stop("enough")
        if (d$classes[i] != d$classes[j]) return(NA)
        kept <<- kept + 1
        "must-link"
    }
    found <- as.data.frame(asked(d, Inf, oracle, max_questions = 1000))
    utils::head(found[found$type == "must-link", c("i", "j")], count)
}

asked_both <- function(d, count) {
    apart <- as.data.frame(asked(d, count))
    apart <- apart[apart$type == "cannot-link", c("i", "j")]
    pairwise_constraints(cannot_link = apart, must_link = asked_must_links(d, count),
                         samples = nrow(d$train))
}

hijazi_acs <- function(name) {
    of <- hijazi_sets[[name]]
    new_job("hijazi", row_id("acs", name), name, c(1, 1), 3,
        one = function(run) {
            d <- hijazi_data(name)
            links <- asked(d, of$T)
            rankings <- list(ACS = published_relieff_sc(d$train, links, of$K))
            if (!is.null(of$a)) {
                spread <- quiet(propagate_constraints(
                    links, d$train, method = "published", a = of$a,
                    must_link = "ignore", scale = "range"
                ))
                rankings$PACS <- published_relieff_sc(d$train, spread, of$K)
            }
            hijazi_curves(d, rankings)
        },
        tell = function(runs) {
            rows <- rownames(runs[[1L]])
            tables <- c(ACS = table_of(name), PACS = "4.3")
            stats::setNames(
                lapply(rows, function(row) best_of_curves(runs, row)),
                row_id("hijazi", tables[rows], name, "ReliefF-Sc +", rows,
                       "best accuracy"))
        })
}

# ---- Table 4.4 --------------------------------------------------------------

hijazi_supervised <- function(name, d) {
    list(
        Fisher = fisher_score(d$train, d$classes, scale = "none"),
        ReliefF = relieff(d$train, d$classes, k = hijazi_sets[[name]]$K,
                          scale = "none"),
        Laplacian = laplacian_score(d$train, graph = self_tuning(d$train),
                                    scale = "none")
    )
}

hijazi_baselines <- function(name) {
    new_job("hijazi", row_id("baselines", name), name, c(1, 1), 1,
        one = function(run) {
            d <- hijazi_data(name)
            hijazi_curves(d, hijazi_supervised(name, d))
        },
        tell = function(runs) {
            rows <- rownames(runs[[1L]])
            stats::setNames(
                lapply(rows, function(row) best_of_curves(runs, row)),
                row_id("hijazi_4.4", name, rows, "best accuracy"))
        })
}

# The four scores of Table 4.4 that take half cannot-links, half must-links.
hijazi_scores <- function(x, links) {
    width <- mean(as.numeric(stats::dist(x))^2)
    score <- function(.type, ...) {
        constraint_order(x, links, type = .type, ...)
    }
    list(CS1 = score("CS1"), CS2 = score("CS2"),
         CS4 = score("CS4", graph = self_tuning(x)),
         CLS = score("CLS", denominator = "pairs", k = 5, t = width))
}

hijazi_random_rankings <- function(name, d) {
    of <- hijazi_sets[[name]]
    links <- random_cannot_links(d, of$T)
    c(hijazi_scores(d$train, random_cannot_links(d, of$T / 2, of$T / 2)),
      list(`Simba-Sc` = published_simba_sc(d$train, links),
           `ReliefF-Sc` = published_relieff_sc(d$train, links, of$K)))
}

hijazi_active_rankings <- function(name, d) {
    of <- hijazi_sets[[name]]
    links <- asked(d, of$T)
    c(hijazi_scores(d$train, asked_both(d, of$T / 2)),
      list(`Simba-Sc` = published_simba_sc(d$train, links),
           `ReliefF-Sc` = published_relieff_sc(d$train, links, of$K)))
}

hijazi_rows_of_4_4 <- function(name, runs, ending, metric) {
    rows <- setdiff(rownames(runs[[1L]]),
                    if (metric == "best accuracy") "ReliefF-Sc")
    stats::setNames(
        lapply(rows, function(row) best_of_curves(runs, row)),
        row_id("hijazi_4.4", name, rows, ending, metric))
}

hijazi_compared_rcg <- function(name) {
    new_job("hijazi", row_id("4.4 rcg", name), name,
        hijazi_runs(name, 100, 100), hijazi_cost(name, 0.15, 4),
        one = function(run) {
            d <- hijazi_data(name)
            hijazi_curves(d, hijazi_random_rankings(name, d))
        },
        tell = function(runs) {
            hijazi_rows_of_4_4(name, runs, "RCG", "best accuracy")
        })
}

# Simba-Sc starts at random, so there are several runs.
hijazi_compared_acs <- function(name) {
    new_job("hijazi", row_id("4.4 acs", name), name,
        if (isTRUE(hijazi_sets[[name]]$slow)) c(1, fewest_runs) else c(5, 20), 1,
        one = function(run) {
            d <- hijazi_data(name)
            hijazi_curves(d, hijazi_active_rankings(name, d))
        },
        tell = function(runs) {
            hijazi_rows_of_4_4(name, runs, "ACS", "best accuracy")
        })
}

# Of the rankings by asked pairs only that of Simba-Sc differs between runs.
hijazi_svm <- function(name) {
    slow <- isTRUE(hijazi_sets[[name]]$slow)
    new_job("hijazi", row_id("svm", name), name, c(if (slow) 0 else 20,
                                                   if (slow) fewest_runs else 100),
        if (slow) 90 else 1.5,
        one = function(run) {
            d <- hijazi_data(name)
            rankings <- hijazi_random_rankings(name, d)
            names(rankings) <- paste(names(rankings), "RCG")
            if (run <= fewest_runs) {
                active <- hijazi_active_rankings(name, d)
                names(active) <- paste(names(active), "ACS")
                rankings <- c(rankings, if (run == 1L) c(
                    active, hijazi_supervised(name, d)
                ) else active["Simba-Sc ACS"])
            }
            hijazi_curves(d, rankings, classifier = linear_svm)
        },
        tell = function(runs) {
            random <- grep(" RCG$", rownames(runs[[1L]]), value = TRUE)
            rows <- rownames(runs[[1L]])
            found <- lapply(rows, function(row) {
                best_of_curves(if (row %in% random) runs else if (
                    row == "Simba-Sc ACS") utils::head(runs, fewest_runs) else
                    runs[1L], row)
            })
            last <- ncol(runs[[1L]])
            c(stats::setNames(found, row_id("hijazi_4.4", name, rows,
                                            "best accuracy of the SVM")),
              stats::setNames(list(list(values = runs[[1L]][1L, last])),
                              row_id("hijazi_4.4", name, "all features",
                                     "best accuracy of the SVM")))
        })
}

# Figure 4.10, in words: the first half is that of Fisher.
hijazi_precision <- function() {
    name <- "Segmentation"
    new_job("hijazi", "precision", name, c(1, fewest_runs), 1,
        one = function(run) {
            d <- hijazi_data(name)
            fisher <- fisher_score(d$train, d$classes, scale = "none")
            vapply(hijazi_active_rankings(name, d), compare_rankings, 0,
                   target = fisher, n = ncol(d$x) %/% 2)
        },
        tell = function(runs) {
            rows <- setdiff(names(runs[[1L]]), "CS2")
            stats::setNames(lapply(rows, function(row) {
                random <- row == "Simba-Sc"
                list(values = vapply(if (random) runs else runs[1L], `[[`, 0, row),
                     d = 9)
            }), row_id("hijazi_figure_4.10", name, rows, "ACS precision"))
        })
}
