# The four parts of glean(): each a number per feature. Constants of methods:
# 3 neighbours, 7 for the graph, a = 0.9.

part_names <- c("structure", "margin", "spread", "contrast")

glean_neighbours <- 3L
glean_graph_neighbours <- 7L
glean_spread <- 0.9

# ---- structure and spread: sums over edges ----------------------------------

# Weights of edges {i, j}, i not j, each once, in the column of its lower
# sample; repeated pairs add up.
edges_once <- function(i, j, weight, n) {
    Matrix::sparseMatrix(pmax(i, j), pmin(i, j), x = weight, dims = c(n, n),
                         check = FALSE)
}

# list(row, distance), k x n: the neighbours of every sample, 0 and NA where its
# block has no more. Distances decide their order rounded, and are then taken as
# they are, 0 where rounded to 0.
graph_neighbours <- function(where, control) {
    near <- nearest_of_all(where, glean_graph_neighbours, control)
    there <- which(near$row > 0L)
    distance <- near$distance
    distance[there] <- pair_distances(where, col(near$row)[there],
                                      near$row[there], control)
    distance[which(near$distance == 0)] <- 0
    list(row = near$row, distance = distance)
}

# The mean difference of a sample to its nearest ones, as weights of edges; a
# sample alone in its block does not count. `row`: k x n, from nearest().
near_edges <- function(row) {
    there <- which(row > 0L)
    count <- colSums(row > 0L)
    weight <- 1 / (count * sum(count > 0))
    edges_once(col(row)[there], row[there], weight[col(row)[there]], ncol(row))
}

# ---- without the feature's own say ------------------------------------------

# list(feature, structure, margin) of the features with more than own_share of
# the variance in this space, `structure` as added differences. `within`: the
# data as they are weighted there.
own_parts <- function(input, within, space, answers) {
    control <- input$data$control
    if (is.character(space) || !is.null(dim(space)) || has_many(length(
            input$constant), input$data$n^2 * input$where$data$p)) return(NULL)
    feature <- input$feature %||% seq_along(input$scaling$divisor)
    share <- .Call(C_feature_moments, input$data, control)$deviation
    share <- ifelse(input$constant[feature], 0, share / within$scaling$divisor)
    share <- drop(rowsum(share^2, feature))
    own <- if (sum(share > 0) > 1L) which(share > own_share * sum(share))
    lapply(own, function(f) {
        columns <- which(feature == f)
        if (is.null(space)) input$where$scaling$divisor[columns] <- 0 else
            input$where$data <- without_term(input$where$data, read_scaled(
                within$data, within$scaling, columns))
        input$scaling$divisor[-columns] <- 0
        row <- nearest(input$where, seq_len(input$data$n), glean_neighbours,
                       neighbour_rule(), control)$row
        i <- col(row)[row > 0L]
        cells <- read_scaled(input$data, input$scaling, columns)
        apart <- abs(cells[i, , drop = FALSE] - cells[row, , drop = FALSE])
        near <- tapply(rowSums(apart), i, mean)
        all <- (answers$mean * input$width)[f]
        # where every sample is alone in its block, both are 0
        structure <- all - sum(near) / max(length(near), 1L)
        # Where structure alone ranks, one that may be chance comes last: of the
        # first four of iris and five random codes .15 > .04 were codes.
        if (answers$groups$count < 2L && structure > 0 &&
                structure < 2 * stats::sd(near) / sqrt(length(near)))
            structure <- structure / 100
        list(feature = f, structure = all - structure,
             margin = margin_part(input, answers)[f])
    })
}

# ---- margin -----------------------------------------------------------------

# The mean over the cannot-links, both orders, of ReliefF-Sc's margins.
margin_part <- function(input, answers) {
    pairs <- answers$pairs
    if (pairs$count == 0) return(numeric(length(input$constant)))
    control <- input$data$control
    lists <- find_hits(input, pairs$ends, glean_neighbours, answers$links,
                       control)
    sums <- listed_margins(lists$data, input$scaling, pairs, lists, TRUE,
                           control)
    difference_sums(sums$margin, input) / pairs$count
}

# Sums of differences of columns as those of features.
difference_sums <- function(values, input) {
    if (!is.null(input$feature)) values <- drop(rowsum(values, input$feature))
    values / input$width
}

# ---- spread answers ---------------------------------------------------------

# The self-tuning graph of the nearest samples, with what the answers say.
answered_graph <- function(near, groups) {
    n <- ncol(near$row)
    there <- which(near$row > 0L)
    i <- col(near$row)[there]
    j <- near$row[there]
    d <- near$distance[there]
    # the farthest neighbour comes last
    sigma <- numeric(n)
    sigma[i] <- d
    if (any(sigma == 0)) sigma <- positive_scales(sigma)
    # Distances count where the answers neither join two samples nor set them
    # apart.
    a <- groups$unit[i]
    b <- groups$unit[j]
    units <- max(groups$unit, 0L, na.rm = TRUE)
    key <- (groups$apart[, 1L] - 1) * units + groups$apart[, 2L]
    decided <- !is.na(a + b) & (a == b | ((a - 1) * units + b) %in% key)
    keep <- !decided & !duplicated(pair_key(i, j, n))
    same <- groups$same
    weight <- c(exp(-d^2 / (2 * sigma[i] * sigma[j]))[keep], rep(1, nrow(same)))
    i <- c(i[keep], same[, 1L])
    j <- c(j[keep], same[, 2L])
    Matrix::sparseMatrix(c(i, j), c(j, i), x = rep(weight, 2L), dims = c(n, n),
                         check = FALSE)
}

# Label (number of a group) and confidence of every sample: what the answers say
# themselves, and of two groups or more what is spread from them.
spread_labels <- function(near, groups, control) {
    n <- ncol(near$row)
    touched <- !is.na(groups$of)
    known <- list(label = groups$of, confidence = as.numeric(touched))
    if (groups$count >= 2L && !all(touched)) {
        y <- matrix(0, n, groups$count)
        size <- tabulate(groups$of, groups$count)
        at <- which(touched)
        y[cbind(at, groups$of[at])] <- 1 / size[groups$of[at]]
        soft <- spread_columns(answered_graph(near, groups), y,
                               glean_spread, control)
        # Per row: the column of the largest share (equal: the first) and how
        # much it is above the second.
        total <- rowSums(soft)
        reached <- total > 1e-10
        share <- soft / ifelse(reached, total, 1)
        label <- max.col(share, ties.method = "first")
        own <- cbind(seq_along(label), label)
        first <- share[own]
        share[own] <- -Inf
        second <- share[cbind(seq_along(label), max.col(share, "first"))]
        confidence <- ifelse(reached, first - second, 0)
        confidence[confidence < 1e-10] <- 0
        known$label[!touched] <- ifelse(reached, label, NA_integer_)[!touched]
        known$confidence[!touched] <- confidence[!touched]
    }
    known
}

# t of methods as weights of edges: sample i against its nearest of each of
# `count` labels.
spread_edges <- function(where, label, confidence, count, control) {
    n <- where$data$n
    known <- which(!is.na(label))
    code <- ifelse(is.na(label), 0L, label) - 1L
    near <- nearest(where, known, glean_neighbours, class_rule(code, count),
                    control)
    rows <- array(0L, c(sum(near$list == 1L), count, n))
    rows[, , known] <- near$row
    weight <- array(c(0, confidence)[rows + 1L], dim(rows))
    total <- colSums(weight)
    total[total == 0] <- Inf
    weight <- weight / rep(total, each = dim(rows)[1L])
    # What a_i(g) is multiplied by: labels x samples.
    mass <- vapply(seq_len(count), function(g) {
        sum(confidence[which(label == g)])
    }, 0)
    share <- mass / sum(mass)
    coefficient <- matrix(0, count, length(label))
    rest <- 1 - share[label[known]]
    coefficient[, known] <- outer(share, ifelse(rest > 0, 1 / rest, 0))
    coefficient[cbind(label[known], known)] <- -1
    certain <- confidence / sum(mass)
    coefficient <- coefficient * rep(certain, each = count)
    weight <- weight * rep(coefficient, each = dim(rows)[1L])
    at <- which(rows > 0L)
    i <- (at - 1) %/% (dim(rows)[1L] * count) + 1
    edges_once(i, rows[at], weight[at], n)
}

# ---- contrast ---------------------------------------------------------------

# Labels as C_difference_sums takes them: cells, each a label in a block, with
# the cells of a block next to each other.
contrast_cells <- function(label, weight, block = NULL) {
    if (is.null(block)) block <- rep(1L, length(label))
    key <- (block - 1) * max(label, 1L, na.rm = TRUE) + label
    keys <- sort(unique(key[!is.na(key)]))
    first <- match(keys, key)
    list(cell = match(key, keys), count = length(keys), weight = weight,
         block_start = c(0L, cumsum(rle(block[first])$lengths)))
}

# Scatter between the groups over that within them, to which the median one is
# added, so that few samples far from all others decide nothing (moderated F).
contrast_part <- function(between, within, constant) {
    middle <- if (all(constant)) 0 else stats::median(within[!constant])
    middle <- middle + 1e-9 * max(between + within)
    ifelse(between == 0, 0, between / (within + middle))
}
