# Hijazi (2019), Tables 3.4 to 3.7: milliseconds by number of constraints and of
# starts. The training part of Colon has 220 cannot-links at most, that of
# Leukemia 297.

hijazi_time_sets <- list(Colon = 220, Leukemia = 297)

hijazi_time_jobs <- function() {
    do.call(c, lapply(names(hijazi_time_sets), function(name) {
        list(hijazi_scaling(name), hijazi_all_starts(name))
    }))
}

milliseconds <- function(call) 1000 * cpu(call)

# Tables 3.4, 3.5 and 3.7. The largest number is printed as "Max".
hijazi_scaling <- function(name) {
    most <- hijazi_time_sets[[name]]
    counts <- c(5, 15, 25, 35, most)
    new_job("hijazi", row_id("scaling", name), name, c(1, 5), 8,
        one = function(run) {
            d <- hijazi_data(name)
            links <- lapply(counts, function(count) {
                random_cannot_links(d, count)
            })
            simba <- function(links, starts) {
                milliseconds(simba_sc(d$train, links, starts = starts,
                                      direction = "first", scale = "none",
                                      must_link = "ignore"))
            }
            relief <- vapply(links, function(links) {
                milliseconds(published_relieff_sc(d$train, links, 1))
            }, 0)
            list(`Relief-Sc` = relief,
                 `Simba-Sc` = vapply(links, simba, 0, starts = 5),
                 starts = vapply(counts, simba, 0, links = links[[1L]]),
                 Fisher = milliseconds(fisher_score(d$train, d$classes,
                                                    scale = "none")),
                 Laplacian = milliseconds(laplacian_score(d$train, t = 1,
                                                          scale = "none")))
        },
        tell = function(runs) hijazi_scaling_rows(name, runs))
}

hijazi_scaling_rows <- function(name, runs) {
    column <- function(part, i) {
        list(values = vapply(runs, function(run) run[[part]][i], 0))
    }
    counts <- c("5", "15", "25", "35", "all")
    each <- seq_along(counts)
    rows <- c(lapply(each, column, part = "Relief-Sc"),
              lapply(each, column, part = "Simba-Sc"),
              rep(list(column("Relief-Sc", 1L)), 5L),
              lapply(each, column, part = "starts"),
              list(column("Fisher", 1L), column("Laplacian", 1L)))
    methods <- rep(c("Relief-Sc", "Simba-Sc"), each = 5L)
    stats::setNames(rows, c(
        row_id("hijazi_3.4", name, methods, counts, "constraints time in ms"),
        row_id("hijazi_3.5", name, methods, counts, "starts time in ms"),
        row_id("hijazi_3.7", name, c("Fisher", "Laplacian"), "time in ms")
    ))
}

# Table 3.6: all constraints and as many starts.
hijazi_all_starts <- function(name) {
    most <- hijazi_time_sets[[name]]
    new_job("hijazi", row_id("all starts", name), name, c(0, 1), 40,
        one = function(run) {
            d <- hijazi_data(name)
            milliseconds(simba_sc(d$train, random_cannot_links(d, most),
                                  starts = most, direction = "first",
                                  must_link = "ignore", scale = "none"))
        },
        tell = function(runs) {
            stats::setNames(list(list(values = unlist(runs))), row_id(
                "hijazi_3.6", name, "Simba-Sc, all constraints and starts",
                "time in ms"))
        })
}
