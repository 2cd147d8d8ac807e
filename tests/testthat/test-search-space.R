# `space`: neighbours in other coordinates, in every function that has it.

space_case <- function() {
    x <- random_matrix(24, 9, seed = 11)
    y <- rep(c("a", "b", "c"), 8)
    u <- apply(x, 2, function(v) (v - min(v)) / (max(v) - min(v)))
    list(x = x, y = y, number = x[, 1] + rnorm(24), u = u,
         links = constraints_from_labels(c(y[1:9], rep(NA, 15))))
}

# Every function that has the argument, as a function of x and space; all seek
# neighbours by Euclidean distance.
space_calls <- function(case) {
    list(
        relief = function(x, s) relief(x, case$y, space = s),
        relieff = function(x, s) relieff(x, case$y, k = 3, space = s,
                                         distance = "euclidean"),
        surf = function(x, s) relieff(x, case$y, k = "surf", space = s,
                                      distance = "euclidean"),
        multisurf = function(x, s) stir(x, case$y, k = "multisurf", space = s,
                                        distance = "euclidean"),
        rrelieff = function(x, s) rrelieff(x, case$number, k = 3, space = s,
                                           distance = "euclidean"),
        stir = function(x, s) stir(x, case$y, k = 3, space = s,
                                   distance = "euclidean"),
        relief_sc = function(x, s) relief_sc(x, case$links, space = s, scale = "range",
                                             distance = "euclidean", own_term = "keep"),
        relieff_sc = function(x, s) relieff_sc(x, case$links, space = s, scale = "range",
                                               distance = "euclidean", own_term = "keep"),
        fcrsc = function(x, s) fcrsc(x, case$links, space = s, scale = "range",
                                     distance = "euclidean"),
        laplacian = function(x, s) laplacian_score(x, space = s,
                                                    scale = "range"),
        spectral = function(x, s) spectral_score(x, space = s,
                                                  scale = "range"),
        # nothing is learned where the space is given
        glean = function(x, s) glean(x, case$links, space = s, rounds = 0,
                                      scale = "range")
    )
}

test_that("the scaled data as a space are no space at all", {
    case <- space_case()
    # in a given space glean() keeps a feature's own term
    for (call in space_calls(case)[-12L]) {
        expect_equal(as.data.frame(call(case$x, case$u)),
                     as.data.frame(call(case$x, NULL)))
    }
})

test_that("all components are the scaled data, turned round", {
    case <- space_case()
    for (call in space_calls(case)) {
        expect_equal(as.data.frame(call(case$x, 9)),
                     as.data.frame(call(case$x, NULL)))
    }
})

test_that("graphs, questions, clusters and propagation have it too", {
    case <- space_case()
    oracle <- case$y
    links <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(5, 9)), samples = 24)
    for (space in list(case$u, 9)) {
        for (weight in c("heat", "self_tuning", "cosine")) {
            got <- similarity_graph(case$x, weight = weight, space = space,
                                    scale = "range")
            if (weight == "cosine" && is.numeric(space) && is.null(dim(space)))
                next # components are centred, cosines are not those of u
            expect_equal(as.matrix(got),
                         as.matrix(similarity_graph(case$x, weight = weight,
                                                    scale = "range")))
        }
        for (strategy in c("groups", "perturbation")) {
            expect_identical(
                as.data.frame(active_constraints(case$x, oracle, 6, strategy = strategy,
                                                 space = space,
                                                 scale = "range")),
                as.data.frame(active_constraints(case$x, oracle, 6, strategy = strategy,
                                                 scale = "range"))
            )
            expect_identical(next_pair(questionnaire(case$x, strategy = strategy,
                                                     space = space,
                                                     scale = "range")),
                             next_pair(questionnaire(case$x, strategy = strategy,
                                                     scale = "range")))
        }
        expect_equal(as.data.frame(propagate_constraints(links, case$x,
                                                         space = space,
                                                         scale = "range")),
                     as.data.frame(propagate_constraints(links, case$x,
                                                         scale = "range")))
        expect_identical(
            spectral_clustering(case$x, links, clusters = 3, space = space,
                                scale = "range")$cluster,
            spectral_clustering(case$x, links, clusters = 3,
                                scale = "range")$cluster
        )
    }
})

test_that("another space gives other neighbours, and margins of the features", {
    case <- space_case()
    # one coordinate: the neighbours are those in it
    points <- cbind(seq_len(24))
    links <- pairwise_constraints(cannot_link = cbind(3, 20), samples = 24)
    got <- relieff_sc(case$x, links, k = 2, space = points, scale = "range")
    # H(3) = 2, 4; H(20) = 19, 21
    u <- case$u
    away <- function(i, j) (abs(u[i, ] - u[j[1], ]) + abs(u[i, ] - u[j[2], ])) / 2
    z <- (away(3, c(19, 21)) - away(3, c(2, 4)) + away(20, c(2, 4)) -
              away(20, c(19, 21))) / 2
    expect_equal(got$margin[match(colnames(case$x), got$feature)],
                 unname(z))
    # coordinates of other samples are not taken in silence
    x <- `rownames<-`(case$x, letters[1:24])
    expect_silent(relieff_sc(x, links, space = points))
    for (names in list(LETTERS[1:24], 1:24, rep("z", 24))) {
        rownames(points) <- names
        expect_message(again <- relieff_sc(x, links, k = 2, space = points,
                                           scale = "range"),
                       "`space` names other samples than `x`",
                       class = "linkrank_message_order")
        expect_identical(again$margin, got$margin)
    }
    expect_error(relieff_sc(x, links, space = matrix("a", 24, 2)),
                 "`space` must contain numbers", class = "linkrank_error")
})

test_that("neighbours in components do not depend on the container", {
    x <- count_matrix(30, 12)
    links <- few_links(30)
    sparse <- as_matrix_class(x, "dgCMatrix")
    suppressWarnings({
        expect_identical(relieff_sc(sparse, links, space = 3),
                         relieff_sc(x, links, space = 3))
        expect_identical(relieff(sparse, rep(1:2, 15), space = 3),
                         relieff(x, rep(1:2, 15), space = 3))
    })
    expect_same_for_threads(function(threads) {
        relieff_sc(x, links, space = 3, threads = threads)
    })
})

test_that("distances of components are rounded, ties go to the lower row", {
    # samples 2 and 3 are equally far from 1 but for rounding
    x <- rbind(c(0, 0), c(0.1 + 0.2, 0), c(-0.3, 0), c(2, 1), c(-2, 3))
    links <- pairwise_constraints(cannot_link = cbind(1, 4), samples = 5)
    got <- suppressWarnings(relief_sc(x, links, space = 2, scale = "none",
                                      direction = "first"))
    # H(1) = 2, H(4) = 2
    expect_equal(got$margin, c(0, 0))
})

test_that("missing cells count as the mean in the search alone", {
    case <- space_case()
    x <- case$x
    x[4, 2] <- NA
    filled <- x
    filled[4, 2] <- mean(x[, 2], na.rm = TRUE)
    u <- apply(filled, 2, function(v) (v - min(v)) / (max(v) - min(v)))
    points <- prcomp(u)$x[, 1:4]
    expect_equal(as.data.frame(relieff_sc(x, case$links, space = 4,
                                          scale = "range", own_term = "keep")),
                 as.data.frame(relieff_sc(x, case$links, space = points,
                                          scale = "range")))
})

test_that("header and summary() name the space of the neighbours", {
    case <- space_case()
    got <- relieff_sc(case$x, case$links, space = 20)
    expect_true("neighbours in 9 principal components" %in% summary(got)$note)
    expect_identical(summary(got)$parameters$space, 20)
    got <- relieff(case$x, case$y, space = case$u)
    expect_identical(summary(got)$parameters$space,
                     "a matrix of 9 columns")
    expect_identical(summary(got)$parameters$scale, "range")
    expect_snapshot(relieff_sc(case$x, case$links, space = 3, scale = "none"))
})

test_that("a space beside a graph, or another distance, is refused", {
    case <- space_case()
    x <- case$x
    y <- case$y
    links <- case$links
    graph <- similarity_graph(x)
    u <- case$u
    expect_refused(
        "argument",
        relieff_sc(x, links, space = 3, distance = "manhattan"),
        relieff(x, y, space = u, distance = "manhattan"),
        similarity_graph(x, space = 3, distance = "manhattan"),
        laplacian_score(x, graph = graph, space = 3),
        active_constraints(x, y, 3, strategy = "perturbation", graph = graph,
                           space = 3),
        propagate_constraints(links, x, graph = graph, space = 3),
        spectral_clustering(x, links, clusters = 3, graph = graph, space = 3),
        relieff_sc(x, links, space = "PCA"), relieff_sc(x, links, space = u[-1, ]),
        relieff_sc(x, links, space = 0), relieff_sc(x, links, space = list(1))
    )
})

test_that("components of a factor are those of its levels' indicators", {
    case <- space_case()
    mixed <- data.frame(case$x[, 1:3], colour = rep(c("a", "b", "a", "c"), 6))
    u <- cbind(scaled_by_range(case$x[, 1:3]),
               sapply(c("a", "b", "c"), `==`, mixed$colour) / sqrt(2))
    points <- prcomp(u)$x[, 1:2]
    at <- function(space) {
        relieff_sc(mixed, case$links, space = space, scale = "range",
                   own_term = "keep")
    }
    expect_equal(as.data.frame(at(2)), as.data.frame(at(unname(points))))
    drawn <- principal_components(prepare_data(mixed), tolerance = 1e-10)
    weight <- balanced_weights(mixed)
    spread <- prcomp(u %*% diag(c(weight, weight[4], weight[4])))$sdev
    expect_equal(apply(drawn, 2, sd), spread[1:2], ignore_attr = TRUE)
})

test_that("a reducedDim is found beside an assay on disk too", {
    skip_if_not_installed("HDF5Array")
    skip_if_not_installed("SingleCellExperiment")
    x <- random_matrix(20, 8)
    links <- few_links(rownames(x))
    sce <- SingleCellExperiment::SingleCellExperiment(
        list(logcounts = t(x)), reducedDims = list(PCA = x[, 1:3])
    )
    stored <- sce
    file <- tempfile(fileext = ".h5")
    on.exit(unlink(file))
    SummarizedExperiment::assay(stored, "logcounts", withDimnames = FALSE) <-
        HDF5Array::writeHDF5Array(t(x), file)
    expect_identical(as.data.frame(relieff_sc(stored, links, space = "PCA")),
                     as.data.frame(relieff_sc(sce, links, space = "PCA")))
})

test_that("a reducedDim by its name is its matrix in every function", {
    skip_if_not_installed("SingleCellExperiment")
    case <- space_case()
    shown <- case$x[, 4:6] * 3
    x <- SingleCellExperiment::SingleCellExperiment(
        list(logcounts = t(case$x)), reducedDims = list(PCA = shown))
    dimnames(x) <- rev(dimnames(case$x))
    more <- list(
        graph = function(x, s) similarity_graph(x, k = 3, space = s),
        clusters = function(x, s) {
            spectral_clustering(x, case$links, clusters = 3, space = s)$cluster
        },
        propagated = function(x, s) {
            as.data.frame(propagate_constraints(case$links, x, space = s))
        },
        questions = function(x, s) questionnaire(x, space = s)$pending,
        asked = function(x, s) {
            asked <- active_constraints(x, case$y, n = 5, space = s)
            asked$questions$time <- NULL # the clock goes on
            as.data.frame(asked)
        }
    )
    # what is reported of the call names the space
    plain <- function(result) {
        if (is.data.frame(result)) unclass(as.data.frame(result)) else
            if (inherits(result, "similarity_graph")) result$weights else
                result
    }
    for (call in c(space_calls(case), more)) {
        expect_equal(plain(call(x, "PCA")), plain(call(x, shown)),
                     tolerance = 0)
    }
})

test_that("the largest distance of many samples is that of far ones", {
    before <- many_samples
    on.exit(replace_binding("many_samples", before))
    set.seed(41)
    kinds <- matrix(rnorm(600 * 3), 600)
    control <- default_control()
    for (points in list(kinds, kinds + 9 * diag(3)[sample.int(3, 600, TRUE), ],
                        matrix(1, 600, 2),
                        cbind(sin(seq_len(600)), cos(seq_len(600))))) {
        where <- coordinate_space(points)
        replace_binding("many_samples", 601)
        all <- largest_distance(where, control)
        expect_equal(all, max(dist(points)))
        every <- sample_distances(where, seq_len(600), control)
        expect_identical(all, sqrt(max(every)))
        replace_binding("many_samples", 600)
        far <- largest_distance(where, control)
        expect_lte(far, all)
        expect_gte(far, all / 2)
    }
})

test_that("neighbours of many samples in few dimensions are those of all", {
    set.seed(52)
    n <- 700
    points <- matrix(round(rnorm(4 * n), 1), n) # ties and copies
    points[1:200, 1] <- points[1:200, 1] + 1e4
    where <- coordinate_space(points, rounded = TRUE,
                              block = sample.int(2, n, TRUE))
    code <- sample.int(3, n, TRUE) - 1L
    distance <- as.matrix(dist(points))
    distance <- round(distance / where$rounding) * where$rounding
    diag(distance) <- Inf
    distance[outer(where$block, where$block, `!=`)] <- Inf
    slow <- vapply(seq_len(n), function(i) {
        unlist(lapply(0:2, function(list) {
            rows <- which(code == list)
            rows[order(distance[i, rows])[1:2]]
        }))
    }, integer(6))
    find <- function(threads) {
        nearest(where, seq_len(n), 2L, class_rule(code, 3L),
                run_control(threads, FALSE))$row
    }
    expect_identical(expect_same_for_threads(find), slow)
    expect_identical(with_option(list(linkrank.portable = TRUE), find(1)), slow)
})
