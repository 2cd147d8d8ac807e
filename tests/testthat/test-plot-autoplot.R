# The layers and the data of a ggplot; that it can be drawn.
layers_of <- function(plot) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    # as print() does, but computed once for all layers
    built <- ggplot2::ggplot_build(plot)
    grid::grid.draw(ggplot2::ggplot_gtable(built))
    lapply(seq_along(plot$layers), function(k) {
        cbind(built$data[[k]],
              geom = class(plot$layers[[k]]$geom)[1L])
    })
}

geoms_of <- function(plot) {
    vapply(layers_of(plot), function(layer) layer$geom[1L], "")
}

# The first layer of a geom.
layer_of <- function(plot, geom) {
    Filter(function(layer) layer$geom[1L] == geom, layers_of(plot))[[1L]]
}

test_that("both drawers draw all that a picture holds", {
    places <- data.frame(x = 1:4, y = c(4, 3, 1, 2), of = c(1L, 1L, 2L, 2L))
    shown <- picture(
        titles_are("Main", "Across", "Up"),
        list(bands = cbind(places, ymin = places$y - 1, ymax = places$y + 1),
             lines = places, points = places, nothing = places[0L, ],
             segments = data.frame(x = 1, y = 1, xend = 3, yend = 2,
                                   shade = 0.5),
             labels = data.frame(x = 2, y = 2, label = "there"),
             down = data.frame(xintercept = 2, label = "here", line = 2L),
             across = data.frame(yintercept = 3, shade = 0.5)),
        styles = cbind(label = c("first", "second"), style_of(2L),
                       legend = c("top", "side")),
        names = data.frame(x = 4, y = 2, label = "named"),
        settings = list(log = "x"), note = "a note"
    )
    shows <- c("Main", "Across", "Up", "there", "here", "first", "second",
               "named", "a note")
    calls <- drawn_calls(draw(shown))$calls
    done <- vapply(calls, function(call) call$name, "")
    expect_identical(as.vector(table(factor(done, c(
        "C_polygon", "C_plotXY", "C_segments", "C_abline")))),
        # axes, two lines and points, and two legends; a link, two lines to the
        # name, and two legends
        c(2L, 6L, 5L, 2L))
    expect_true(all(shows %in% texts_of(draw(shown))))
    expect_true("Mine" %in% texts_of(draw(shown, main = "Mine")))
    skip_if_not_installed("ggplot2")
    drawn <- as_ggplot(shown)
    expect_identical(
        geoms_of(drawn)[1:7],
        paste0("Geom", c("Ribbon", "Line", "Point", "Segment", "Label", "Vline",
                         "Hline")))
    expect_equal(layer_of(drawn, "GeomLine")[c("x", "y", "colour")],
                 data.frame(x = log10(1:4), y = places$y,
                            colour = style_of(2L)$colour[places$of]))
    expect_identical(layer_of(drawn, "GeomText")$label, "named")
    expect_identical(unlist(drawn$labels[c("title", "x", "y", "subtitle")],
                            use.names = FALSE), shows[c(1:3, 9)])
})

test_that("significant features have a mark where there are p-values", {
    skip_if_not_installed("ggplot2")
    ranking <- made_ranking(4:1, fdr = c(0.01, 0.2, 0.05, NA))
    style <- significance_style()
    points <- layer_of(ggplot2::autoplot(ranking), "GeomPoint")
    expect_setequal(points$shape, style$shape)
    expect_identical(sum(points$shape == style$shape[1L]), 2L)
})

test_that("the curve of a forward selection is that of plot()", {
    skip_if_not_installed("ggplot2")
    x <- random_matrix(20, 6)
    found <- select_subset(x, few_links(rownames(x)))
    picture <- ggplot2::autoplot(found, n = 2)
    layers <- layers_of(picture)
    entered <- found[order(found$entry, na.last = NA), ]
    expect_identical(layers[[1L]]$y, entered$score)
    expect_equal(layers[[3L]]$xintercept, which.min(entered$score))
    expect_identical(nrow(layer_of(picture, "GeomText")), 2L)
})

test_that("margins against p-values and courses are those of plot()", {
    skip_if_not_installed("ggplot2")
    ranking <- stir(iris[51:150, 1:4], factor(iris$Species[51:150]))
    points <- layers_of(ggplot2::autoplot(ranking, type = "significance"))[[2]]
    expect_setequal(points$x, ranking$margin)
    expect_equal(sort(10^-points$y), sort(ranking$p_value))
    found <- irelief(iris[, 1:4], iris$Species)
    line <- layers_of(ggplot2::autoplot(found, type = "convergence"))[[1]]
    expect_equal(10^line$y, summary(found)$convergence$change)
    set.seed(1)
    starts <- simba(iris[, 1:4], iris$Species, starts = 3)
    lines <- layers_of(ggplot2::autoplot(starts, type = "convergence"))[[1]]
    expect_length(unique(lines$colour), 3)
    expect_refused("argument", ggplot2::autoplot(found, type = "significance"),
                   ggplot2::autoplot(ranking, type = "convergence"))
})

test_that("many scores are drawn on a log axis", {
    skip_if_not_installed("ggplot2")
    many <- ggplot2::autoplot(made_ranking(600:1), n = 4)
    points <- layer_of(many, "GeomPoint")
    expect_equal(points$x, log10(1:600))
    text <- layer_of(many, "GeomText")
    expect_identical(text$label, paste0("g", 1:4))
    # beyond the last point
    expect_true(all(text$x > max(points$x)))
    few <- ggplot2::autoplot(made_ranking(c(3, 3, 1)))
    expect_identical(few$labels$subtitle,
                     "2 features have the same best margin")
    expect_identical(few$labels$x, "Rank")
})

test_that("links are segments, solid and dashed, on the samples", {
    skip_if_not_installed("ggplot2")
    x <- random_matrix(20, 4)
    links <- few_links(20)
    axes <- principal_components(prepare_data(x))
    for (classes in list(NULL, rep(c("a", NA), 10))) {
        plot <- ggplot2::autoplot(links, x, classes = classes)
        layers <- layers_of(plot)
        expect_identical(vapply(layers, function(l) l$geom[1], ""),
                         c("GeomSegment", "GeomPoint", "GeomPoint"))
        expect_equal(layers[[2]]$x, unname(axes[, 1]))
        expect_equal(sort(table(layers[[1]]$linetype)), sort(c(3, 1)),
                     ignore_attr = TRUE)
        expect_identical(nrow(layers[[3]]), length(which(is_labelled(links))))
    }
    asked <- active_constraints(x, rep(1:2, 10), n = 3)
    drawn <- ggplot2::autoplot(asked, x, space = x[, 1:2])
    # what follows from the answers is not drawn
    expect_identical(nrow(layer_of(drawn, "GeomSegment")),
                     sum(!asked$questions$implied))
    expect_equal(layer_of(drawn, "GeomLabel")$label,
                 asked$questions$question[!asked$questions$implied])
    expect_refused("argument", ggplot2::autoplot(links))
})

test_that("graphs and trees are the lines and points of plot()", {
    skip_if_not_installed("ggplot2")
    x <- random_matrix(14, 6)
    graph <- similarity_graph(x, k = 3)
    few <- ggplot2::autoplot(graph, x, edges = 5, classes = rep(1:2, 7))
    lines <- layers_of(few)[[1]]
    expect_identical(nrow(lines), 5L)
    expect_false(is.unsorted(lines$alpha))
    expect_identical(few$labels$subtitle, "the 5 edges of largest weight")
    expect_identical(nrow(layers_of(ggplot2::autoplot(graph, x))[[1]]),
                     length(upper_edges(graph$weights)$weight))
    features <- feature_graph(x)
    squares <- layers_of(ggplot2::autoplot(features))[[1]]
    expect_identical(nrow(squares), 2L * length(features$similarity@x))
    tree <- cluster_features(features)
    plot <- ggplot2::autoplot(tree, k = 2)
    branches <- layers_of(plot)[[1]]
    expect_identical(nrow(branches), 15L)
    expect_equal(min(branches$x), -max(tree$height))
    expect_match(plot$labels$title, "2 clusters")
    expect_refused("argument", ggplot2::autoplot(graph),
                   ggplot2::autoplot(features, most = 0),
                   ggplot2::autoplot(tree, k = 2, h = 1))
})

test_that("markers are dots or a volcano, and pairs have two panels", {
    skip_if_not_installed("ggplot2")
    x <- random_matrix(24, 6)
    x[seq(1, 24, 3), 1:3] <- x[seq(1, 24, 3), 1:3] + 9
    markers <- group_markers(x, rep(c("a", "b", "c"), 8))
    dots <- layer_of(ggplot2::autoplot(markers, n = 1), "GeomPoint")
    expect_identical(nrow(dots),
                     3L * length(unique(unlist(top_features(markers, 1)))))
    volcano <- layers_of(ggplot2::autoplot(markers, "volcano", n = 2,
                                           group = c("a", "c")))
    expect_identical(vapply(volcano, function(layer) layer$geom[1], ""),
                     c("GeomVline", "GeomPoint", "GeomText"))
    expect_equal(sort(10^-volcano[[2]]$y),
                 sort(markers$fdr[markers$group != "b"]))
    expect_identical(as.vector(table(volcano[[3]]$PANEL)), c(2L, 2L))
    margins <- pair_margins(x, few_links(24), c("g2", "g4"))
    pairs <- layers_of(ggplot2::autoplot(margins, "g4", n = 2))
    expect_identical(vapply(pairs, nrow, 0L)[c(1, 3:5)], c(2L, 4L, 2L, 1L))
    largest <- sort(abs(margins[, "g4"]), decreasing = TRUE)[1:2]
    expect_setequal(pairs[[4]]$xmax - pairs[[4]]$xmin, unname(largest))
    expect_refused("argument", ggplot2::autoplot(markers, "bars"),
                   ggplot2::autoplot(margins, "g9"))
})

test_that("curves of evaluations, eight in colour where there are many", {
    skip_if_not_installed("ggplot2")
    x <- random_matrix(24, 6)
    y <- factor(rep(1:2, 12))
    few <- evaluate_method(x, y, c("variance_score", "fisher_score"),
                           splits = 2)
    plot <- ggplot2::autoplot(few)
    expect_identical(geoms_of(plot), c("GeomRibbon", "GeomLine", "GeomPoint"))
    drawn <- layers_of(plot)[[2]]
    expect_length(unique(drawn$linetype), 2)
    expect_true(all(drawn$colour %in% colours))
    many <- stats::setNames(rep(list("variance_score"), 10), letters[1:10])
    judged <- evaluate_method(x, y, many, splits = 2)
    layers <- layers_of(ggplot2::autoplot(judged))
    expect_length(unique(layers[[1]]$group), 2)
    expect_length(unique(layers[[2]]$colour), 8)
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_identical(plot(judged), judged)
    one <- evaluate_ranking(variance_score(x), x, y, x, y)
    expect_identical(geoms_of(ggplot2::autoplot(one, measure = "recall")),
                     c("GeomLine", "GeomPoint"))
    expect_refused("argument", ggplot2::autoplot(one, measure = "auc"))
})

test_that("stability, the parts of glean() and features in the data", {
    skip_if_not_installed("ggplot2")
    x <- random_matrix(24, 6)
    steady <- ranking_stability(x, few_links(24), replicates = 3)
    drawn <- layer_of(ggplot2::autoplot(steady), "GeomLine")
    expect_length(unique(drawn$colour), length(stability_measures))
    genes <- glean(x, few_links(24))
    bars <- layer_of(ggplot2::autoplot(genes, n = 4), "GeomRect")
    expect_equal(sort(bars$xmax - bars$xmin),
                 # at most as far to the left as to the right
                 sort(pmin(abs(as.vector(relative_parts(genes, 4))), 1)))
    expect_identical(nrow(layer_of(ggplot2::autoplot(genes, type = "samples"),
                                   "GeomPoint")), 24L)
    classes <- rep(c("a", "b", NA), 8)
    heat <- ggplot2::autoplot(genes, x, type = "heat", n = 3,
                              classes = classes)
    expect_identical(geoms_of(heat), "GeomTile")
    expect_identical(nrow(heat$data), 72L)
    dots <- ggplot2::autoplot(genes, x, type = "dots", n = 3,
                              classes = classes)
    grDevices::pdf(NULL)
    expect_equal((layer_of(dots, "GeomPoint")$size / 1.8 / 3.7)^2,
                 plot_features(x, genes, 3, classes, type = "dots")$share)
    grDevices::dev.off()
    expect_refused("argument", ggplot2::autoplot(genes, type = "heat"),
                   ggplot2::autoplot(genes, x, type = "dots"),
                   ggplot2::autoplot(genes, type = "bars"))
})

test_that("names over panels are whole, in lines that fit", {
    names <- c("regulatory T cells", "plasmacytoid_dendritic", "B", "")
    lines <- strsplit(wrap_names(names, 8L), "\n")
    expect_true(all(nchar(unlist(lines)) <= 9))
    bare <- function(text) gsub("[ \n]", "", text)
    expect_identical(bare(wrap_names(names, 8L)), bare(names))
    expect_identical(wrap_names(names, 30L), names)
    expect_identical(wrap_names("NK cells of blood", 8L),
                     "NK cells\nof blood")
})

test_that("a class of one sample fills its panel as the others do", {
    skip_if_not_installed("ggplot2")
    classes <- rep(c("many", "a_long_name_of_a_class_seen_once"), c(61, 1))
    x <- log2(colon$x)
    picture <- ggplot2::autoplot(relieff(x[, 1:20], colon$tissue), x,
                                 type = "heat", classes = classes)
    ends <- tapply(picture$data$place + picture$data$width / 2,
                   picture$data$class, max)
    expect_equal(as.vector(ends), c(1, 1))
    strips <- picture$facet$params$labeller(
        data.frame(class = levels(picture$data$class)))
    expect_setequal(gsub("\n", "", unlist(strips)),  classes)
})

test_that("an object that was emptied is refused", {
    skip_if_not_installed("ggplot2")
    for (class in c("feature_ranking", "ranking_evaluation",
                    "ranking_stability", "group_markers", "pair_margins",
                    "feature_graph", "feature_tree")) {
        expect_refused("argument",
                       ggplot2::autoplot(structure(list(), class = class)))
        expect_refused("argument", ggplot2::autoplot(
            structure(data.frame(), class = c(class, "data.frame"))
        ))
    }
    expect_refused("argument", ggplot2::autoplot(
        structure(list(), class = c("glean_ranking", "feature_ranking"))
    ))
})
