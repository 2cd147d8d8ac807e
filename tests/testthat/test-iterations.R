# No iteration ends by its cap without a status that becomes a warning or a
# refusal. Each loop with a cap is here: where it ends (a pattern of its line),
# and where its status is read (a pattern of that line), or why it needs none.

capped_loops <- read.csv(quote = "", text = "
file,ends,read_in,read
src/components_lanczos_walk.c,cuts\\+\\+ == o->cuts,R/input-components.R,fit\\$excess > 1\\) warn
src/graph_walk.c,o->steps > f->products,R/graph-spectral.R,warn_if\\(run\\$failed
src/graph_walk.c,left < 2 ,R/graph-spectral.R,warn_if\\(run\\$failed
src/graph_walk.c,o->steps / l.most,R/graph-spectral.R,warn_if\\(run\\$failed
src/graph_walk.c,steps >= g->most\\),R/graph-spectral.R,solved\\$unfinished > 0\\) warn
src/graph_walk.c,steps >= g->most\\),R/ask-strategy-perturbation.R,solved\\$converged
src/graph_sparse_code.c,rounds < MOST_ROUNDS,R/graph-feature.R,warn_if\\(worst > 1e-9
src/graph_sparse_code.c,MOST_ROUNDS = ,R/graph-feature.R,warn_if\\(worst > 1e-9
src/graph_nonnegative.c,steps-- > 0,R/graph-feature.R,warn_if\\(worst > 1e-9
src/graph_nonnegative.c,round < 3 ,R/graph-feature.R,warn_if\\(worst > 1e-9
src/r_cluster.c,iterations < most\\),R/cluster-pck.R,warn_if\\(!best\\$converged
R/ask-strategy-perturbation.R,ncol\\(basis\\) > 20L,R/ask-strategy-perturbation.R,close = beyond
R/ask-strategy.R,seq_len\\(most_proposals\\),R/ask-strategy.R,but its last
R/cluster-pck.R,seq_len\\(most \\+ length,R/cluster-pck.R,isFALSE\\(can_colour
R/cluster-spectral.R,iter.max = most,R/cluster-spectral.R,warn_if\\(fit\\$iter > most
R/constraints-raters.R,for \\(round in seq_len\\(most,R/constraints-raters.R,round == most
R/evaluate-stability.R,for \\(try in seq_len\\(100L,R/evaluate-stability.R,None of 100 random subsets
R/margin-irelief.R,seq_len\\(options\\$max_iter,R/margin-irelief.R,warn_if\\(!done
R/methods-ensemble.R,for \\(try in seq_len\\(1000L,R/methods-ensemble.R,Each of 1000 bootstrap samples
R/subset-pcfs.R,< options\\$max_iter,R/subset-pcfs.R,warn_if\\(!run\\$fixed
")

# Those that do so many steps by their definition, or end what is not computed.
counted_loops <- c("R/ask-oracle.R" = "for \\(try in seq_len\\(20L",
                   "R/ask-strategy.R" = "for \\(try in seq_len\\(20L",
                   "R/search-space.R" = "seq_len\\(if \\(nrow\\(points",
                   "src/margin_simba_walk.c" = "step < b->n_visits",
                   "src/search_points_walk.c" = "s->round < s->n_parts")

# The lines of a file, without comments, in which a count reaches a limit.
limits_in <- function(file) {
    lines <- sub("(//|/\\*|^ \\*|#'| *# ).*", "", readLines(file))
    pattern <- if (grepl("[.]c$", file)) {
        paste0("(while|for|if) .*\\b(steps?|rounds?|cuts|iterations|sweeps?|",
               "tries|passes)(\\+\\+|--)? *(<|>|==|>=|<=) *[A-Za-z0-9]|",
               "\\bMOST_(STEPS|CUTS|ROUNDS|SWEEPS)\\b")
    } else {
        paste0("for \\((step|round|try|start|iteration) in (seq_len\\(([0-9]|",
               "most|if)|[0-9]+:[0-9])|while \\(.*max_iter|iter[.]max|",
               "ncol\\(basis\\) >")
    }
    grep(pattern, lines, value = TRUE, perl = TRUE)
}

test_that("every loop that a count may end is known, with its status", {
    files <- list.files(package_sources("R"), "[.]R$", full.names = TRUE)
    files <- c(files, list.files(package_sources("src"), "[.]c$",
                                 full.names = TRUE))
    unknown <- unlist(lapply(files, function(file) {
        name <- file.path(basename(dirname(file)), basename(file))
        known <- c(capped_loops$ends[capped_loops$file == name],
                   counted_loops[names(counted_loops) == name])
        lines <- limits_in(file)
        found <- vapply(lines, function(line) {
            any(vapply(known, grepl, NA, x = line))
        }, NA)
        if (any(!found)) paste0(name, ": ", trimws(lines[!found]))
    }))
    expect_identical(unknown, NULL)
})

test_that("the status of each of them is read", {
    has_line <- function(file, pattern) {
        any(grepl(pattern, readLines(package_sources(file))))
    }
    expect_identical(which(!mapply(has_line, capped_loops$file,
                                   capped_loops$ends)), integer(),
                     ignore_attr = TRUE)
    expect_identical(which(!mapply(has_line, capped_loops$read_in,
                                   capped_loops$read)), integer(),
                     ignore_attr = TRUE)
})
