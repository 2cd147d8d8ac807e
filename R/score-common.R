# What all scores share: forms of features, constraints as sums over pairs and
# as weights of graphs, and results.

# ==== scores ==================================================================

# Common parts of all scores: settings, scaled data, the ratio of two forms,
# graphs.

# What scores use of the arguments of prepare_data().
score_arguments <- c("scale", "na.action")

# list(data, scaling, where): `space` as data_space() has it. `rule`: see
# decide_scale().
score_input <- function(data, rule = "data", space = NULL) {
    input <- scaled_data(data, rule)
    input$where <- neighbour_space(space, input$data, input$scaling)
    input
}

# `options`: the arguments of the method. `apart`: the column that orders
# features of equal score, largest first, or NULL.
score_ranking <- function(score, input, method, parameters = list(),
                          note = NULL, constraints = NULL, label = NULL,
                          apart = NULL) {
    # a given graph, or the options of the default one
    graph <- parameters$graph
    parameters$graph <- if (inherits(graph, "similarity_graph"))
        graph$parameters else if (is.list(graph)) graph
    parameters <- c(parameters, input$settings)
    parameters$space <- if (!is.null(input$where$label))
        input$data$settings$space
    table <- c(list(score = score), if (!is.null(apart)) list(apart = apart))
    new_feature_ranking(table, input$data, method, names(table),
                        parameters, constraints, note, input$where,
                        label = label)
}

# 0/0 is no score; x/0 is Inf.
ratio <- function(numerator, denominator) {
    value <- numerator / denominator
    replace(value, is.nan(value), NA_real_)
}

# (1.26): f'Lf over the D-weighted sum of squares about the D-weighted mean, or,
# if not `centred`, about 0.
laplacian_ratio <- function(input, graph, centred = TRUE) {
    degree <- positive_degrees(graph)
    sums <- quadratic_forms(input, list(
        graph_form(graph$weights), scatter_form(degree, if (centred) degree)))
    ratio(sums[, 1L], sums[, 2L])
}

# A given graph, or the options of the default one. `names`: of the dots.
read_graph_argument <- function(graph, k, t, names = NULL) {
    refuse_beside(c("k", "t"), "graph", parent.frame())
    check_one_place(graph, names)
    if (is.null(graph)) return(graph_options(k = check_count(k, "k"), t = t))
    as_graph(graph)
}

graph_of <- function(given, input) {
    if (inherits(given, "similarity_graph"))
        return(match_graph(given, input$data))
    build_graph(input$where, given, input$data$control)
}

# score_input() with the graph; a given one defines neighbours already.
graph_input <- function(data, given) {
    input <- score_input(data, space = if (!inherits(given, "similarity_graph"))
        data$settings$space)
    input$graph <- graph_of(given, input)
    input
}

graph_note <- function(graph) {
    parameters <- graph$parameters
    switch(parameters$adjacency, given = "graph given as a matrix",
           sub(", (Euclidean|Manhattan) distance$", "",
               describe_graph(parameters)))
}

positive_degrees <- function(graph) {
    degree <- graph_degrees(graph)
    if (all(degree == 0)) {
        width <- switch(graph$parameters$weight, heat = "`t`",
                        gaussian = "`sigma`")
        underflow <- !is.matrix(graph$weights) && length(graph$weights@x)
        hint <- if (underflow && !is.null(width)) {
            paste0(", because all distances are large for this ", width,
                   "; give a larger one")
        }
        abort_linkrank("The graph must have an edge of positive weight, but ",
                       "it has none", hint, ".")
    }
    degree
}

# ==== forms ===================================================================

# Quadratic forms, the basis of all scores: a score is a formula of some sums of
# squares of each feature. These functions define the forms; quadratic_forms()
# computes them all in one pass over the data.

form_kinds <- c("graph", "scatter", "classes", "different")

new_form <- function(kind, ...) {
    list(kind = match(kind, form_kinds) - 1L, ...)
}

# f'Lf: the sum over edges of w (f_n - f_m)^2.
graph_form <- function(weights) {
    new_form("graph", graph = weights)
}

# sum of weight_n (f_n - mu)^2, mu the mean weighted by `center`; mu = 0 when
# `center` is NULL. `weight` NULL: 1.
scatter_form <- function(weight, center = weight) {
    new_form("scatter", weight = weight, center = center)
}

# Of classes (codes from 1, NA: none): sum over classes of coefficient times
# sum of squares within the class; then the sum of squares between the classes,
# n_c (mu_c - mu)^2. In C no class is empty.
class_form <- function(codes, coefficient) {
    used <- sort(unique(codes))
    new_form("classes", class_of = match(codes, used), n_classes = length(used),
             coefficient = as.double(coefficient[used]))
}

# sum over ordered pairs (n, m) of different classes of weight_n (f_n - f_m)^2
different_form <- function(codes, classes, weight) {
    new_form("different", class_of = codes, n_classes = classes,
             coefficient = numeric(classes), weight = weight)
}

# A matrix: features x forms.
quadratic_forms <- function(input, forms) {
    .Call(C_quadratic_forms, input$data, input$scaling, forms,
          input$data$control)
}

# ==== sums over the links =====================================================

# ML and CL: list(forms, must, cannot), the latter two functions of the values.
link_sums <- function(constraints) {
    if (!is_coded(constraints)) {
        forms <- list(must = graph_form(link_weights(constraints, TRUE)),
                      cannot = graph_form(link_weights(constraints, FALSE)))
        return(list(forms = forms, must = function(f) f$must,
                    cannot = function(f) f$cannot))
    }
    # by the identity of src/score_forms.h
    group_of <- constraints$group_of
    class_of <- constraints$class_of
    groups <- as.numeric(tabulate(group_of, max(group_of, 1L, na.rm = TRUE)))
    sizes <- as.numeric(tabulate(class_of, max(class_of, 1L, na.rm = TRUE)))
    all <- sum(sizes)
    list(forms = list(groups_of = class_form(group_of, groups),
                      classes = class_form(class_of, all - sizes)),
         must = function(f) f$groups_of.within,
         cannot = function(f) f$classes.within + all * f$classes.between)
}

# Symmetric matrix of the pairs of a kind: their weights by confidence (1 if all
# are equal), times `weight`.
link_weights <- function(constraints, must_link, weight = 1) {
    which <- constraints$must_link == must_link
    edge_weights(constraints$first[which], constraints$second[which],
                 weight * pair_weights(constraints)[which], constraints$samples)
}

# A weight for each pair of a list of pairs, with mean 1 over both kinds.
pair_weights <- function(constraints) {
    confidence_weights(constraints) %||% rep(1, length(constraints$first))
}

# A symmetric dgCMatrix from edges listed once each, numbered from 1.
edge_weights <- function(first, second, weight, n) {
    Matrix::sparseMatrix(i = c(first, second), j = c(second, first),
                         x = c(weight, weight), dims = c(n, n))
}

# ==== edges of the graph of neighbours by kind of link ========================

# list(first, second, weight, must, cannot, own_weight, free): each edge once,
# from 1; whether it is a link of either kind, and its weight by confidence; and
# how many of its samples are unlabelled.
neighbour_edges <- function(constraints, options, input, weight = "heat") {
    graph <- graph_of(graph_options(weight = weight, k = options$k,
                                    t = options[["t"]]), input)
    edges <- upper_edges(graph$weights)
    first <- edges$row + 1L
    second <- edges$column + 1L
    labelled <- is_labelled(constraints)
    kinds <- pair_kinds(constraints, first, second)
    list(graph = graph, first = first, second = second,
         weight = edges$weight, must = kinds$must,
         cannot = kinds$cannot, own_weight = kinds$weight,
         free = 2L - labelled[first] - labelled[second])
}

pair_kinds <- function(constraints, first, second) {
    if (is_coded(constraints)) {
        group_of <- constraints$group_of
        class_of <- constraints$class_of
        return(list(must = (group_of[first] == group_of[second]) %in% TRUE,
                    cannot = (class_of[first] != class_of[second]) %in% TRUE,
                    weight = 1))
    }
    n <- constraints$samples
    at <- match(pair_key(first, second, n),
                pair_key(constraints$first, constraints$second, n))
    kind <- constraints$must_link[at]
    list(must = !is.na(kind) & kind, cannot = !is.na(kind) & !kind,
         weight = ifelse(is.na(at), 1, pair_weights(constraints)[at]))
}

# The edges of neighbours with `more`, the must-links that are not among them:
# list(first, second, weight), `heat`, exp(-d^2 / t) of these, and `t`.
linked_edges <- function(constraints, options, input) {
    edges <- neighbour_edges(constraints, options, input)
    edges$t <- edges$graph$parameters$t
    pairs <- must_links(constraints)
    n <- constraints$samples
    keep <- !pair_key(pairs$first, pairs$second, n) %in%
        pair_key(edges$first, edges$second, n)
    edges$more <- lapply(pairs, `[`, keep)
    edges$heat <- exp(-.Call(
        C_pair_sums, input$data, input$scaling, edges$more$first - 1L,
        edges$more$second - 1L, FALSE, input$data$control) / edges$t)
    edges
}

must_links <- function(constraints) {
    if (!is_coded(constraints)) {
        must <- constraints$must_link
        return(list(first = constraints$first[must],
                    second = constraints$second[must],
                    weight = pair_weights(constraints)[must]))
    }
    codes <- constraints$group_of
    check_bytes(64 * count_label_pairs(codes, TRUE), "The pairs within classes")
    pairs <- label_pairs(codes, TRUE)
    list(first = pairs[, 1L], second = pairs[, 2L],
         weight = rep(1, nrow(pairs)))
}
