# Hijazi (2019), section 3.4.2: FCRSC and the running times of Table 3.9. Random
# two thirds train.

hijazi_fcrsc_sets <- list(
    Wine = list(T = 20, K = 10), WDBC = list(T = 40, K = 10),
    Ionosphere = list(T = 20, K = 10), Sonar = list(T = 20, K = 10),
    Arrhythmia = list(T = 20, K = 10), Spambase = list(T = 100, K = 60)
)

hijazi_fcrsc_jobs <- function() {
    c(list(hijazi_fcrsc("WDBC", c(10, 50), 0.4, tree = 12),
           hijazi_fcrsc("Sonar", c(10, 50), 1, tree = 19, near = 37),
           hijazi_fcrsc("Arrhythmia", c(3, 20), 12, near = 117)),
      lapply(names(hijazi_fcrsc_sets), hijazi_times))
}

hijazi_fcrsc_data <- function(name) {
    of <- hijazi_fcrsc_sets[[name]]
    d <- read_set(name)
    d$x <- unit_range(d$x)
    d$split <- random_share(nrow(d$x), 2 / 3)
    d$train <- d$x[d$split$train, ]
    d$classes <- droplevels(d$y[d$split$train])
    d$links <- random_cannot_links(d, of$T)
    d
}

published_fcrsc <- function(d, k) {
    quiet(fcrsc(d$train, d$links, k = k, direction = "first",
                must_link = "ignore", scale = "none"))
}

# tree, near: the printed numbers of features of C4.5 and of the nearest
# neighbour.
hijazi_fcrsc <- function(name, runs, seconds, tree = NULL, near = NULL) {
    new_job("hijazi", row_id("fcrsc", name), name, runs, seconds,
        one = function(run) {
            d <- hijazi_fcrsc_data(name)
            ranking <- list(FCRSC = published_fcrsc(d, 10))
            judge <- function(n, ...) {
                curves(ranking, d$x, d$y, d$split, n, ...)
            }
            all <- ncol(d$x)
            c(`FCRSC, C4.5` = if (!is.null(tree))
                judge(tree, classifier = decision_tree)[[1L]],
              `FCRSC, K-NN` = if (!is.null(near)) judge(near)[[1L]],
              `all features, K-NN` = if (!is.null(near)) judge(all)[[1L]])
        },
        tell = function(runs) {
            rows <- names(runs[[1L]])
            stats::setNames(lapply(rows, function(row) {
                list(values = vapply(runs, `[[`, 0, row))
            }), row_id("hijazi_text_3.4.2", name, rows, "accuracy"))
        })
}

hijazi_times <- function(name) {
    of <- hijazi_fcrsc_sets[[name]]
    new_job("hijazi", row_id("time", name), name, c(1, 10), 1,
        one = function(run) {
            d <- hijazi_fcrsc_data(name)
            spent <- function(call) {
                repeats <- 0
                total <- 0
                while (total < 0.05 && repeats < 50) {
                    total <- total + cpu(call())
                    repeats <- repeats + 1
                }
                1000 * total / repeats
            }
            c(Variance = spent(function() variance_score(d$train)),
              Laplacian = spent(function() {
                  laplacian_score(d$train, k = of$K, t = 1,
                                  scale = "range")
              }),
              ReliefF = spent(function() {
                  relieff(d$train, d$classes, k = of$K)
              }),
              `Simba-Sc` = spent(function() simba_sc(d$train, d$links,
                                               scale = "range")),
              `ReliefF-Sc` = spent(function() {
                  published_relieff_sc(d$train, d$links, of$K)
              }),
              FCRSC = spent(function() published_fcrsc(d, of$K)))
        },
        tell = function(runs) {
            rows <- names(runs[[1L]])
            stats::setNames(lapply(rows, function(row) {
                list(values = vapply(runs, `[[`, 0, row))
            }), row_id("hijazi_3.9", name, rows, "time in ms"))
        })
}
