# Constraints as sums over pairs and as weights of graphs.

# ---- sums over the links -----------------------------------------------------

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
    weight <- confidence_weights(constraints)
    weight %||% rep(1, length(constraints$first))
}

# A symmetric dgCMatrix from edges listed once each, numbered from 1.
edge_weights <- function(first, second, weight, n) {
    Matrix::sparseMatrix(i = c(first, second), j = c(second, first),
                         x = c(weight, weight), dims = c(n, n))
}

# ---- edges of the graph of neighbours by kind of link ------------------------

# list(first, second, weight, must, cannot, own_weight, free): each edge once,
# from 1; whether it is a link of either kind, and its weight by confidence; and
# how many of its samples are unlabelled.
neighbour_edges <- function(constraints, options, input, control,
                            weight = "heat") {
    graph <- build_graph(input$where,
                         graph_options(weight = weight, k = options$k,
                                       t = options[["t"]]), control)
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
linked_edges <- function(constraints, options, input, control) {
    edges <- neighbour_edges(constraints, options, input, control)
    edges$t <- edges$graph$parameters$t
    pairs <- must_links(constraints)
    n <- constraints$samples
    keep <- !pair_key(pairs$first, pairs$second, n) %in%
        pair_key(edges$first, edges$second, n)
    edges$more <- lapply(pairs, `[`, keep)
    edges$heat <- exp(-.Call(
        C_pair_sums, input$data, input$scaling, edges$more$first - 1L,
        edges$more$second - 1L, FALSE, control) / edges$t)
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
