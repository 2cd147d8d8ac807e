# strategy = "perturbation" (Hijazi 2019, section 4.3.2, Algorithm 4.1): ask the
# pair to whose weight the most uncertain entry of v_2 is most sensitive.
#
# With g = sum over p > 2 of v_p v_p(i*) / (lambda_2 - lambda_p) the derivative
# (4.7) is |(v_2(n) - v_2(m)) (g(n) - g(m))|, so that a question takes one
# eigenvector and one solution instead of all eigenvectors and n^2 n products.

perturbation_strategy <- function(input, options, control) {
    check_count(options$eigenvectors, "eigenvectors", 1, input$data$n - 1)
    weights <- question_weights(input, options, control)
    list(weights = weights,
         start = once(function() {
             model <- laplacian_model(weights, control)
             list(model = model, threshold = connection_threshold(model),
                  focus = NULL, note = NULL, learned = 0L)
         }),
         propose = function(state, record) {
             state <- learn_weights(state, record, weights)
             propose_sensitive_pair(state, record, weights, options)
         },
         keep = function(state, record, steps) {
             entry <- vapply(steps,
                             function(step) step$entry %||% NA_integer_, 0L)
             none <- rep(NA_real_, state$model$n)
             vectors <- vapply(steps, function(one) one$vector %||% none, none)
             known <- record$answers[record$answers$type != "unsure", ]
             listed <- list(first = known$i, second = known$j,
                            must_link = known$type == "must-link")
             similarity <- new_similarity_graph(
                 constrain_weights(weights, listed), record$names,
                 list(adjacency = "given", weight = "given")
             )
             list(questions = list(entry = entry),
                  parts = list(vectors = vectors, similarity = similarity,
                               note = state$note))
         })
}

# The text of each note in print().
perturbation_notes <- c(
    components = paste("the similarity is not connected: components were",
                       "asked first"),
    `close eigenvalues` = "eigenvalues that were too close were left out"
)

# ---- learning ----------------------------------------------------------------

# Answers that were given since the last question.
learn_weights <- function(state, record, weights) {
    answers <- record$answers
    count <- nrow(answers)
    for (t in state$learned + seq_len(count - state$learned)) {
        state <- learn_weight(state, c(answers$i[t], answers$j[t]),
                              answers$type[t], weights)
    }
    state$learned <- count
    state
}

# A cannot-link removes the edge, a must-link sets its weight to 1.
learn_weight <- function(state, pair, type, weights) {
    if (type == "unsure") return(state)
    delta <- (type == "must-link") - weights[pair[1L], pair[2L]]
    if (delta == 0) return(state)
    state$model <- edit_model(state$model, pair[1L], pair[2L], delta)
    focus <- state$focus
    local <- match(pair, focus$members)
    if (!is.null(focus) && !anyNA(local)) {
        focus$model <- edit_model(focus$model, local[1L], local[2L], delta)
        if (is_dense_model(focus$model)) {
            focus$inverse <- update_inverse(focus$inverse, local[1L],
                                            local[2L], delta)
        }
        state$focus <- focus
    }
    state
}

# ---- proposing ---------------------------------------------------------------

# Components first: pairs that could join them are asked before the inside of
# the largest that has one left, and the lowest pair left when none has. A graph
# that is connected only by rounding errors counts as not connected: the
# threshold of an edge is raised until it is not.
propose_sensitive_pair <- function(state, record, weights, options) {
    propose <- function(pair, entry = NA_integer_, vector = NULL) {
        list(state = state, pair = pair,
             step = list(entry = entry, vector = vector),
             decided = if (!is.null(pair))
                 relation(record$closure, pair[1L], pair[2L]))
    }
    repeat {
        component <- connected_parts(state$model, state$threshold)
        if (max(component) > 1L) {
            state$note <- union(state$note, "components")
            pair <- unrelated_parts(component, current_degree(state$model),
                                    record)
            if (!is.null(pair)) return(propose(pair))
        }
        state <- focus_on_open(state, component, record, weights)
        if (is.null(state$focus)) {
            return(propose(lowest_pair_left(state$model$n, record)))
        }
        found <- sensitive_pair(state$focus, options)
        if (!found$disconnected) {
            members <- state$focus$members
            state$focus <- found$focus
            state$note <- union(state$note, found$note)
            # v_2 over all samples, NA outside of its component
            vector <- rep(NA_real_, state$model$n)
            vector[members] <- found$vector
            return(propose(members[found$pair], members[found$entry], vector))
        }
        state["focus"] <- list(NULL)
        state$threshold <- 10 * state$threshold
    }
}

# The lowest two components that no answer relates, at their samples of largest
# degree; NULL when all are related. Answers relate components that hold samples
# of a pair, of one group, or of two groups that are apart.
unrelated_parts <- function(component, degree, record) {
    counts <- function(i, j, size) {
        Matrix::sparseMatrix(i, j, x = rep(1, length(i)), dims = size)
    }
    count <- max(component)
    group <- record$closure$component + 1L
    apart <- component_pair(record$closure$against)
    own <- seq_len(max(group))
    linked <- counts(c(own, apart$a + 1, apart$b + 1),
                     c(own, apart$b + 1, apart$a + 1), rep(max(group), 2L))
    holds <- counts(component, group, c(count, max(group)))
    asked <- counts(component[record$answers$i], component[record$answers$j],
                    c(count, count))
    related <- holds %*% Matrix::tcrossprod(linked, holds) + asked +
        Matrix::t(asked)
    for (a in seq_len(count - 1L)) {
        b <- which(related[a, ] == 0)
        b <- b[b > a]
        if (length(b)) {
            return(vapply(c(a, b[1L]), function(part) {
                members <- which(component == part)
                members[which.max(degree[members])]
            }, 0L))
        }
    }
    NULL
}

# When all components are exhausted: the lowest pair that was never used.
lowest_pair_left <- function(samples, record) {
    for (i in seq_len(samples - 1L)) {
        j <- i + seq_len(samples - i)
        left <- j[!was_asked(record, i, j)]
        if (length(left)) return(c(i, left[1L]))
    }
    NULL
}

# Works on the largest component that has a pair left, with its answered pairs
# as sorted keys, numbered within it (`used`); no focus when none has one.
focus_on_open <- function(state, component, record, weights) {
    for (members in split_by_size(component)) {
        a <- match(record$answers$i, members)
        b <- match(record$answers$j, members)
        inside <- !is.na(a) & !is.na(b)
        used <- sort(unique(pair_key(a[inside], b[inside], length(members))))
        if (length(used) == choose(length(members), 2)) next
        if (!identical(state$focus$members, members)) {
            state$focus <- list(members = members,
                                model = part_model(state$model, members,
                                                   weights))
        }
        state$focus$used <- used
        return(state)
    }
    state["focus"] <- list(NULL)
    state
}

# The model of some samples alone, with their edits.
part_model <- function(model, members, weights) {
    if (length(members) == model$n) return(model)
    a <- match(model$first + 1L, members)
    b <- match(model$second + 1L, members)
    inside <- !is.na(a) & !is.na(b)
    edit_model(laplacian_model(weights[members, members, drop = FALSE],
                               model$control),
               a[inside], b[inside], model$delta[inside])
}

# The best pair inside a connected part: list(focus, pair, entry, vector, note,
# disconnected), numbered within the part; disconnected: lambda_2 is 0 within
# rounding.
sensitive_pair <- function(focus, options) {
    count <- min(options$eigenvectors, focus$model$n - 1)
    focus <- know_vectors(focus, count)
    largest <- max(current_degree(focus$model))
    n <- focus$model$n
    if (focus$known$values[1L] <= n * .Machine$double.eps * 2 * largest) {
        return(list(disconnected = TRUE))
    }
    v <- g <- focus$known$vectors
    entry <- uncertain_entry(v[, 1L], focus$used, options$pairs)
    note <- NULL
    for (r in seq_len(count)[options$criterion == "eigenvector"]) {
        found <- resolvent(focus, r, entry, 1e-8 * largest)
        g[, r] <- found$g
        focus$known <- found$known
        note <- union(note, if (found$close) "close eigenvalues")
    }
    pair <- .Call(C_best_pair, v, g, focus$used,
                  if (options$pairs == "uncertain") entry else 0L)
    if (focus$slow) {
        # sigma is no longer a good estimate: factorise again for the next
        # question
        focus["inverse"] <- list(NULL)
    }
    list(focus = focus, pair = if (pair[2L] == entry) rev(pair) else pair,
         entry = entry, vector = v[, 1L], note = note, disconnected = FALSE)
}

# i*: the sample of smallest |v_2|, the lowest of equal ones; for pairs of the
# uncertain sample only, the first that has a pair left.
uncertain_entry <- function(vector, used, pairs) {
    size <- abs(vector)
    n <- length(vector)
    if (pairs == "uncertain" && length(used)) {
        pair <- c((used - 1) %/% n + 1, (used - 1) %% n + 1)
        size[tabulate(pair, n) >= n - 1] <- Inf
    }
    which(size <= min(size) + 1e-10 * max(abs(vector)))[1L]
}

# ---- eigenvectors ------------------------------------------------------------

# v_2, ..., `count` of them, from those of the last question.
know_vectors <- function(focus, count) {
    n <- focus$model$n
    last <- focus$known$vectors
    focus$inverse <- focus$inverse %||% factor_model(focus$model)
    focus$known <- list(values = numeric(), vectors = matrix(0, n, 0L))
    focus$slow <- FALSE
    for (r in seq_len(count)) {
        found <- next_vector(focus$model, focus$inverse, known_basis(focus),
                             last[, r])
        if (!is.null(last) && sum(found$vector * last[, r]) < 0) {
            found$vector <- -found$vector
        }
        focus$known <- add_known(focus$known, found)
        focus$slow <- focus$slow || found$steps > 60L
    }
    focus
}

add_known <- function(known, found) {
    list(values = c(known$values, found$value),
         vectors = cbind(known$vectors, found$vector, deparse.level = 0L))
}

# The constant vector and the known ones.
known_basis <- function(focus) {
    n <- focus$model$n
    cbind(matrix(1 / sqrt(n), n, 1L), focus$known$vectors)
}

# g for v_r: the known eigenvectors by name, all others by one solution. Where
# that cannot be relied on, the next eigenvectors are made known too, at most
# 20. Eigenvalues that are nearer than `close` are left out.
resolvent <- function(focus, r, entry, close) {
    n <- focus$model$n
    lambda <- focus$known$values[r]
    beyond <- FALSE # are eigenvalues left out that are not known?
    repeat {
        basis <- known_basis(focus)
        if (ncol(basis) == n) {
            g <- numeric(n)
            break
        }
        solved <- .Call(C_resolvent, focus$model, focus$inverse,
                        if (is.null(focus$inverse)) 0 else focus$inverse$sigma,
                        basis, lambda, entry)
        g <- solved$g
        square <- sum(g^2)
        # or all that is not known lies above the last one known
        if (solved$converged && all(is.finite(g)) &&
            (square == 0 || abs(g[entry]) / square > 100 * close) ||
            max(focus$known$values) - lambda > close) {
            break
        }
        if (ncol(basis) > 20L) {
            beyond <- TRUE
            g <- numeric(n)
            break
        }
        focus$known <- add_known(focus$known, next_vector(
            focus$model, focus$inverse, basis
        ))
    }
    known <- focus$known
    gap <- lambda - known$values
    use <- seq_along(gap) != r & abs(gap) >= close
    weight <- ifelse(use, known$vectors[entry, ] / gap, 0)
    list(g = g + drop(known$vectors %*% weight), known = known,
         close = beyond || any(!use[-r]))
}
