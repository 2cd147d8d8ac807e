# What all scores share: forms of features, and results.

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
    parameters <- c(parameters, list(scale = input$scaling$scale,
                                     na.action = missing_rule(input$data)))
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

# (1.26): f'Lf over the D-weighted sum of squares about the D-weighted mean.
laplacian_ratio <- function(input, graph, control) {
    degree <- positive_degrees(graph)
    sums <- quadratic_forms(input, list(graph_form(graph$weights),
                                        scatter_form(degree)), control)
    ratio(sums[, 1L], sums[, 2L])
}

# A given graph, or the options of the default one. `names`: of the dots.
read_graph_argument <- function(graph, k, t, names = NULL) {
    refuse_beside(c("k", "t"), "graph", parent.frame())
    check_one_place(graph, names)
    if (is.null(graph)) return(graph_options(k = check_count(k, "k"), t = t))
    as_graph(graph)
}

graph_of <- function(given, input, control) {
    if (inherits(given, "similarity_graph"))
        return(match_graph(given, input$data))
    build_graph(input$where, given, control)
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
quadratic_forms <- function(input, forms, control) {
    .Call(C_quadratic_forms, input$data, input$scaling, forms, control)
}
