# Clusters by the equations: the closure by repeated looking, eigen(), Lloyd's
# iterations from the farthest rows.
reference_spectral <- function(x, links, clusters, normalisation) {
    weights <- as.matrix(similarity_graph(x, adjacency = "full",
                                          weight = "self_tuning")$weights)
    dimnames(weights) <- NULL
    n <- nrow(weights)
    pairs <- as.data.frame(links)
    known <- matrix(NA_real_, n, n)
    diag(known) <- 1
    for (t in seq_len(nrow(pairs))) {
        value <- as.numeric(pairs$type[t] == "must-link")
        known[pairs$i[t], pairs$j[t]] <- known[pairs$j[t], pairs$i[t]] <- value
    }
    for (pass in 1:n) for (i in 1:n) for (j in which(known[i, ] %in% 1)) {
        follows <- which(is.na(known[i, ]) & !is.na(known[j, ]))
        known[i, follows] <- known[follows, i] <- known[j, follows]
    }
    weights[!is.na(known)] <- known[!is.na(known)]
    diag(weights) <- 0
    degree <- rowSums(weights)
    matrix <- if (normalisation == "symmetric") {
        weights / sqrt(outer(degree, degree))
    } else {
        (weights + diag(max(degree) - degree)) / max(degree)
    }
    rows <- eigen(matrix, symmetric = TRUE)$vectors[, seq_len(clusters)]
    rows <- rows / sqrt(rowSums(rows^2))
    starts <- which.max(degree)
    while (length(starts) < clusters) {
        apart <- as.matrix(dist(rows))[starts, , drop = FALSE]
        starts <- c(starts, which.max(apply(apart, 2, min)))
    }
    list(rows = rows, cluster = stats::kmeans(
        rows, rows[starts, ], iter.max = 100, algorithm = "Lloyd")$cluster)
}

test_that("vectors and clusters are those of the equations", {
    for (seed in 1:8) {
        set.seed(seed)
        x <- matrix(rnorm(120), 40)
        links <- constraints_from_labels(sample(3, 40, TRUE), cannot_link = 8, must_link = 8)
        for (how in c("symmetric", "additive")) {
            want <- reference_spectral(x, links, 3, how)
            got <- suppressWarnings(spectral_clustering(
                x, links, clusters = 3, normalisation = how))
            # the same space: rows have the same inner products
            expect_equal(tcrossprod(got$vectors), tcrossprod(want$rows),
                         tolerance = 1e-6)
            expect_equal(unname(as.integer(got$cluster)), want$cluster)
        }
    }
})

test_that("the closure counts, from whatever pairs it follows", {
    set.seed(1)
    x <- matrix(rnorm(90), 30)
    chain <- pairwise_constraints(cannot_link = cbind(1, 9), must_link = cbind(c(1:3, 9), c(2:4, 10)),
                                  samples = 30)
    for (how in c("symmetric", "additive")) {
        part <- function(links) spectral_clustering(
            x, links, clusters = 3, normalisation = how)
        expect_identical(part(chain), part(close_constraints(chain)))
    }
})

test_that("one cluster of nearly all samples is warned of", {
    set.seed(2)
    # a tight crowd, and few samples around it, of small degree
    x <- rbind(matrix(rnorm(120, sd = 0.1), 60), matrix(rnorm(8, sd = 4), 4))
    none <- pairwise_constraints(samples = 64)
    expect_warning(spectral_clustering(x, none, clusters = 2,
                                       normalisation = "additive"),
                   "has 9[0-9] % .* try pck_means\\(\\) or another `normal",
                   class = "linkrank_warning_clusters")
    expect_silent(spectral_clustering(x, none, clusters = 1))
    expect_error(spectral_clustering(x, none, clusters = 2,
                                     normalisation = "none"),
                 class = "linkrank_error_argument")
})

test_that("rings that k-means cannot separate are found", {
    set.seed(1)
    angle <- runif(200, 0, 2 * pi)
    radius <- rep(c(1, 4), each = 100)
    x <- cbind(radius * cos(angle), radius * sin(angle)) + rnorm(400, sd = 0.1)
    links <- constraints_from_labels(radius, cannot_link = 5, must_link = 5)
    found <- spectral_clustering(x, links, clusters = 2)
    expect_equal(sum(table(found$cluster, radius) > 0), 2)
    expect_identical(found, spectral_clustering(x, links, clusters = 2))
    expect_equal(sum(found$broken), 0)
    expect_output(print(found), "constrained spectral \\(symmetric\\)")
})

test_that("a sparse graph, a given one and one in parts work", {
    set.seed(1)
    truth <- rep(1:3, each = 20)
    x <- matrix(rnorm(120, sd = 0.1), 60) + 10 * truth
    links <- constraints_from_labels(truth, cannot_link = 4, must_link = 4)
    graph <- similarity_graph(x, adjacency = "knn", weight = "binary", k = 4)
    found <- spectral_clustering(x, links, clusters = 3, graph = graph)
    expect_equal(sum(table(found$cluster, truth) > 0), 3)
    for (how in c("symmetric", "additive")) {
        more <- spectral_clustering(x, links, clusters = 4, graph = graph,
                                    normalisation = how)
        # a fourth cluster splits one of the three and joins none
        expect_true(all(more$sizes > 0))
        expect_equal(sum(table(more$cluster, truth) > 0), 4)
    }
})

test_that("k-means of rows is defined where kmeans() warns or stops", {
    # starts are 4 and 0, of largest degree and farthest; 2 is between them
    tie <- vector_clusters(cbind(c(4, 0, 2), 0), c(2, 1, 1))
    expect_identical(tie, c(1L, 2L, 1L))
    # one step, which does not converge
    far <- cbind(c(0, 1, 2, 3, 10), 0)
    expect_warning(few <- vector_clusters(far, 5:1, most = 1L),
                   class = "linkrank_warning_convergence")
    expect_identical(few, c(1L, 1L, 1L, 1L, 2L))
    # fewer different rows than clusters
    expect_identical(vector_clusters(diag(3)[c(1, 2, 1, 2), ], 1:4),
                     c(2L, 1L, 2L, 1L))
    expect_identical(vector_clusters(matrix(1, 3, 2), 1:3), rep(1L, 3))
})

test_that("a graph beside the data is of their samples, by name", {
    x <- random_matrix(20, 4)
    rownames(x) <- paste0("s", 1:20)
    links <- few_links(rownames(x))
    graph <- similarity_graph(x)
    plain <- unname(as.matrix(graph))
    own <- spectral_clustering(x, links, clusters = 2, graph = graph)
    expect_no_message(bare <- spectral_clustering(x, links, clusters = 2,
                                                  graph = plain))
    expect_identical(bare$cluster, own$cluster)
    # constraints are matched by the names of the data where the graph has none
    turned <- pairwise_constraints(
        as.data.frame(links)[c("name_i", "name_j", "type")],
        samples = rev(rownames(x)))
    expect_identical(spectral_clustering(x, turned, clusters = 2,
                                         graph = plain)$cluster, own$cluster)
    expect_identical(names(spectral_clustering(
        unname(x), links, clusters = 2, graph = graph)$cluster), rownames(x))
    expect_refused("argument",
                   spectral_clustering(x[20:1, ], links, clusters = 2,
                                       graph = graph),
                   spectral_clustering(x[1:15, ], links, clusters = 2,
                                       graph = graph),
                   spectral_clustering(x, links, clusters = 2, graph = graph,
                                       unknown = 1))
})
