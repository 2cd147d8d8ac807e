some_links <- function(count = 12) {
    set.seed(7)
    constraints_from_labels(colon$tissue, cannot_link = count, must_link = 5)
}

test_that("from each cluster the feature of largest margin", {
    x <- log2(colon$x)[, 1:200]
    links <- some_links()
    for (method in c("simplex", "nnlasso", "correlation")) {
        got <- fcrsc(x, links, graph = method)
        plain <- relieff_sc(x, links, own_term = "keep")
        clusters <- cut_features(cluster_features(feature_graph(x, method = method)))
        expect_equal(got$cluster, unname(clusters[got$feature]))
        expect_equal(got$cluster_size,
                     unname(c(table(clusters))[got$cluster]))
        margin <- setNames(plain$margin, plain$feature)
        expect_equal(got$margin, unname(margin[got$feature]))
        best <- tapply(plain$feature, clusters[plain$feature],
                       function(names) names[1])
        expect_setequal(got$feature[got$selected], best)
        # selected ones first, both parts by margin
        expect_false(is.unsorted(!got$selected))
        expect_false(is.unsorted(-got$margin[got$selected]))
        expect_false(is.unsorted(-got$margin[!got$selected]))
        expect_equal(got$rank, seq_len(200))
    }
})

test_that("a stored graph or tree gives the same", {
    x <- log2(colon$x)[, 1:150]
    links <- some_links()
    want <- fcrsc(x, links)
    graph <- feature_graph(x)
    expect_equal(fcrsc(x, links, graph = graph), want)
    tree <- cluster_features(graph)
    expect_equal(fcrsc(x, links, tree = tree), want)
    expect_equal(fcrsc(x, links, tree = summary(want)$tree), want)
})

test_that("cuts by number and height", {
    x <- log2(colon$x)[, 1:100]
    tree <- cluster_features(feature_graph(x))
    links <- some_links()
    expect_equal(sum(fcrsc(x, links, tree = tree, cut = 7)$selected), 7)
    got <- fcrsc(x, links, tree = tree, h = 0.6)
    expect_equal(max(got$cluster), max(cut_features(tree, h = 0.6)))
})

test_that("options of relieff_sc() reach the margin", {
    x <- log2(colon$x)[, 1:60]
    links <- some_links()
    tree <- cluster_features(feature_graph(x))
    options <- list(k = 5, direction = "first", must_link = "ignore",
                    distance = "euclidean", scale = "zscore")
    got <- do.call(fcrsc, c(list(x, links, tree = tree), options))
    want <- do.call(relieff_sc, c(list(x, links, own_term = "keep"), options))
    expect_equal(feature_scores(got), feature_scores(want))
    got <- fcrsc(x, links, tree = tree, own_term = "leave_out")
    expect_equal(feature_scores(got), feature_scores(relieff_sc(x, links)))
    set.seed(1)
    got <- fcrsc(x, links, tree = tree, rank_by = "statistic",
                 permutations = 9)
    expect_true("family_p_value" %in% names(got))
    expect_false(is.unsorted(-got$statistic[got$selected]))
    block <- rep(1:2, length.out = nrow(x))
    got <- suppressMessages(fcrsc(x, links, tree = tree, block = block))
    want <- suppressMessages(relieff_sc(x, links, block = block, own_term = "keep"))
    expect_equal(feature_scores(got), feature_scores(want))
    expect_equal(rank_features(x, links, method = "fcrsc", tree = tree,
                               direction = "first"),
                 fcrsc(x, links, tree = tree, direction = "first"))
})

test_that("of copies the first, of constant features none", {
    x <- cbind(random_matrix(20, 5, 3), copy = 0, flat = 1, flat2 = 2)
    x[, "copy"] <- x[, "g2"]
    got <- fcrsc(x, few_links(20), cut = 8 - 1)
    row <- function(name) got[got$feature == name, ]
    expect_equal(row("copy")$cluster, row("g2")$cluster)
    expect_true(row("g2")$selected)
    expect_false(any(got$selected[got$feature %in% c("flat", "flat2")]))
    expect_equal(row("g2")$cluster_size, 2)
    expect_equal(row("flat")$cluster_size, 1)
})

test_that("missing values follow both rules", {
    x <- random_matrix(20, 6, 2)
    x[4, 3] <- NA
    expect_refused("input", fcrsc(x, few_links(20)))
    got <- fcrsc(x, few_links(20), na.action = "mean")
    expect_equal(feature_scores(got), feature_scores(relieff_sc(x, few_links(20), own_term = "keep")))
})

test_that("a part of the ranking keeps its class", {
    got <- fcrsc(log2(colon$x)[, 1:50], some_links())
    expect_s3_class(got, "fcrsc_ranking")
    part <- got[got$selected, ]
    expect_identical(class(part), class(got))
    expect_identical(class(got[1:5, ]), class(got))
    pdf(NULL)
    on.exit(dev.off())
    expect_silent(plot(got[1:5, ]))
    expect_equal(top_features(got, 3), part$feature[1:3])
    expect_equal(ncol(keep_features(log2(colon$x), got, 7)), 7)
})

test_that("arguments are checked before anything is computed", {
    x <- random_matrix(20, 5, 3)
    links <- few_links(20)
    other <- feature_graph(random_matrix(20, 4))
    renamed <- feature_graph(`colnames<-`(x, letters[1:5]))
    expect_refused("argument", fcrsc(x, links, graph = 1),
                   fcrsc(x, links, tree = 1), fcrsc(x, links, graph = other),
                   fcrsc(x, links, graph = renamed),
                   fcrsc(x, links, cut = "most"), fcrsc(x, links, cut = 9),
                   fcrsc(x, links, cut = 3, h = 1),
                   fcrsc(x, links, directoin = "first"),
                   fcrsc(x, links, lambda = -1))
    expect_refused("constraints", fcrsc(random_matrix(21, 5), links))
})

test_that("print", {
    x <- cbind(random_matrix(20, 5, 3), copy = 0)
    x[, "copy"] <- x[, "g2"]
    expect_snapshot(fcrsc(x, few_links(20), graph = "correlation"))
})

test_that("summary() returns all arguments of the ranking", {
    x <- log2(colon$x)[, 1:40]
    parameters <- function(...) {
        summary(fcrsc(x, some_links(), ...))$parameters
    }
    wanted <- c("k", "direction", "must_link", "distance", "rank_by",
                "permutations", "own_term", "scale", "space", "block", "graph",
                "cut", "h", "n",
                "na.action")
    expect_setequal(names(parameters()), wanted)
    expect_identical(parameters()[c("graph", "cut", "h")],
                     list(graph = "simplex", cut = "auto", h = NULL))
    got <- parameters(graph = "nnlasso", lambda = 0.2, cut = 7, k = 5)
    expect_identical(got[c("graph", "lambda", "cut", "k")],
                     list(graph = "nnlasso", lambda = 0.2, cut = 7, k = 5))
    expect_identical(parameters(h = 0.5)$h, 0.5)
    graph <- feature_graph(x, method = "correlation")
    expect_identical(parameters(graph = graph)$graph, "correlation")
})

test_that("na.action is checked with a graph and with a tree", {
    x <- log2(colon$x)[, 1:20]
    graph <- feature_graph(x)
    expect_refused("argument",
        fcrsc(x, some_links(), graph = graph, na.action = "typo"),
        fcrsc(x, some_links(), tree = cluster_features(graph),
              na.action = "typo")
    )
})

# ---- the best features only --------------------------------------------------

test_that("`top` clusters the best features as if there were no others", {
    x <- random_matrix(20, 30, 3)
    x[, 7] <- x[, 2] + 0.01 * x[, 9]
    links <- constraints_from_labels(rep(1:2, 10))
    margins <- relieff_sc(x, links, own_term = "keep")
    best <- sort(match(top_features(margins, 12), colnames(x)))
    found <- fcrsc(x, links, n = 12)
    alone <- fcrsc(x[, best], links,
                   tree = cluster_features(feature_graph(x[, best])))
    cluster <- stats::setNames(found$cluster, found$feature)
    expect_identical(unname(cluster[colnames(x)[best]]),
                     alone$cluster[match(colnames(x)[best], alone$feature)])
    expect_true(all(is.na(cluster[colnames(x)[-best]])))
    expect_false(any(found$selected[is.na(found$cluster)]))
    expect_identical(sort(found$feature), sort(colnames(x)))
    expect_match(attr(found, "info")$note[4], "of the best 12 features")
    # all of them is the default
    expect_identical(as.data.frame(fcrsc(x, links, n = 30)),
                     as.data.frame(fcrsc(x, links)))
    drawn <- tempfile(fileext = ".pdf")
    grDevices::pdf(drawn)
    on.exit({
        grDevices::dev.off()
        unlink(drawn)
    })
    expect_silent(plot(found))
})

test_that("`top` and a graph that is there exclude each other", {
    x <- random_matrix(12, 6)
    links <- constraints_from_labels(rep(1:2, 6))
    expect_refused("argument",
                   fcrsc(x, links, graph = feature_graph(x), n = 3),
                   fcrsc(x, links, n = 1))
})

test_that("features in an order, which chain into copies, are named", {
    set.seed(1)
    at <- seq(0, 1, length.out = 100)
    band <- function(centre) exp(-(at - centre)^2 / 0.02)
    y <- rep(1:2, 30)
    x <- outer(stats::rnorm(60) + 2 * y, band(0.3)) +
        outer(stats::rnorm(60), band(0.6)) + matrix(stats::rnorm(6000, 0, 0.02), 60)
    colnames(x) <- paste0("nm", seq_along(at))
    links <- constraints_from_labels(y, cannot_link = 20, must_link = 20)
    expect_message(fcrsc(x, links, scale = "none"), "clusters have one feature",
                   class = "linkrank_message_clusters")
    # neither where neighbours differ nor where the names are no numbers
    expect_silent(fcrsc(`colnames<-`(x[, sample(100)], colnames(x)), links, scale = "none", cut = 30,
                        progress = FALSE))
    colnames(x) <- paste0(letters[1:10], seq_along(at))
    expect_silent(fcrsc(x, links, scale = "none", progress = FALSE))
})
