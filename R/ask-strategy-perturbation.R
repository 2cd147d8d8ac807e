# strategy = "perturbation" (Hijazi 2019, section 4.3.2, Algorithm 4.1): ask the
# pair to whose weight the most uncertain entry of v_2 is most sensitive.
#
# With g = sum over p > 2 of v_p v_p(i*) / (lambda_2 - lambda_p) the derivative
# (4.7) is |(v_2(n) - v_2(m)) (g(n) - g(m))|, so that a question takes one
# eigenvector and one solution instead of all eigenvectors and n^2 n products.

# options: list(pairs, eigenvectors, criterion)
perturbation_strategy <- function(weights, options) {
    # twenty questions are common
    tell_slow(4e5 * nrow(weights),
              paste("the eigenvectors of", count_noun(nrow(weights), "sample"),
                    "for twenty questions"),
              "`strategy` = \"groups\" needs none")
    list(name = "perturbation", counts = "cannot-links", weights = weights,
         start = once(function() {
             model <- laplacian_model(weights)
             list(model = model, threshold = connection_threshold(model),
                  focus = NULL, note = NULL)
         }),
         propose = function(state, record) {
             propose_sensitive_pair(state, record, weights, options)
         },
         learn = function(state, pair, type) {
             learn_weight(state, pair, type, weights)
         },
         fits = function(state) focus_fits(state, nrow(weights)),
         keep = function(state, record, steps) {
             keep_vectors(state, record, steps, weights)
         })
}

# Has a state that was stored the sizes that C counts on?
focus_fits <- function(state, n) {
    focus <- state$focus
    m <- length(focus$members)
    model_fits(state$model, n) &&
        (is.null(focus) || numbers_within(focus$members, m, 1L, n) &&
             model_fits(focus$model, m) && inverse_fits(focus$inverse, m) &&
             (is.null(focus$vectors) || is.double(focus$vectors) &&
                  identical(nrow(focus$vectors), m)))
}

# What print() says of each note.
perturbation_notes <- c(
    components = paste("the similarity is not connected: components were",
                       "asked first"),
    `close eigenvalues` = "eigenvalues too close to tell apart were left out"
)

keep_vectors <- function(state, record, steps, weights) {
    entry <- vapply(utils::head(steps, -1L), function(step) {
        if (is.null(step$entry)) NA_integer_ else step$entry
    }, 0L)
    none <- rep(NA_real_, state$model$n)
    vectors <- vapply(steps, function(step) {
        if (is.null(step$vector)) none else step$vector
    }, none)
    similarity <- new_similarity_graph(
        amended_weights(weights, record$first, record$second, record$type),
        record$names, list(adjacency = "given", weight = "given")
    )
    list(questions = list(entry = entry),
         parts = list(vectors = vectors, similarity = similarity,
                      note = state$note))
}

# ---- learning ----------------------------------------------------------------

# A cannot-link takes the edge away, a must-link makes it 1.
learn_weight <- function(state, pair, type, weights) {
    if (type == "unsure") {
        return(state)
    }
    delta <- (type == "must-link") - weights[pair[1L], pair[2L]]
    if (delta == 0) {
        return(state)
    }
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

# The weights as the answers have left them.
amended_weights <- function(weights, first, second, type) {
    known <- type != "unsure"
    pairs <- cbind(first, second)[known, , drop = FALSE]
    value <- as.numeric(type[known] == "must-link")
    if (!is.matrix(weights)) {
        return(amend_sparse(weights, pairs, value))
    }
    weights[pairs] <- value
    weights[pairs[, 2:1, drop = FALSE]] <- value
    weights
}

amend_sparse <- function(weights, pairs, value) {
    if (!nrow(pairs)) {
        return(weights)
    }
    both <- rbind(pairs, pairs[, 2:1, drop = FALSE])
    change <- c(value, value) - weights[both]
    weights <- weights + Matrix::sparseMatrix(
        i = both[, 1L], j = both[, 2L], x = change, dims = dim(weights)
    )
    Matrix::drop0(as_sparse_columns(weights))
}

# ---- proposing ---------------------------------------------------------------

# Components first: pairs that could join them are asked before the inside of
# the largest. A graph that holds together by rounding only counts as apart: the
# threshold of an edge is raised until it falls apart.
propose_sensitive_pair <- function(state, record, weights, options) {
    found <- NULL
    while (is.null(found)) {
        component <- connected_parts(state$model, state$threshold)
        found <- pair_between(state, component, record)
        if (is.null(found)) {
            state <- note_components(state, component)
            found <- pair_inside(state, component, record, weights, options)
            state <- found$state
            found <- found$proposal
        }
    }
    found
}

note_components <- function(state, component) {
    if (max(component) > 1L) {
        state$note <- union(state$note, "components")
    }
    state
}

# A proposal between two components that no answer relates, or NULL.
pair_between <- function(state, component, record) {
    if (max(component) == 1L) {
        return(NULL)
    }
    pair <- unrelated_parts(component, current_degree(state$model), record)
    if (!is.null(pair)) {
        without_vector(note_components(state, component), pair)
    }
}

without_vector <- function(state, pair) {
    list(state = state, pair = pair,
         step = list(entry = NA_integer_, vector = NULL))
}

# list(state, proposal): a pair inside the largest component that has one left,
# or the lowest pair left when none has; no proposal when the component in work
# falls apart by rounding, and the threshold of an edge is raised.
pair_inside <- function(state, component, record, weights, options) {
    for (members in split_by_size(component)) {
        used <- local_keys(members, record)
        if (length(used) < choose(length(members), 2)) {
            state <- focus_on(state, members, weights)
            found <- sensitive_pair(state$focus, used, options)
            if (found$disconnected) {
                state["focus"] <- list(NULL)
                state$threshold <- 10 * state$threshold
                return(list(state = state, proposal = NULL))
            }
            state$focus <- found$focus
            state$note <- union(state$note, found$note)
            step <- list(entry = members[found$entry],
                         vector = whole_vector(state, found))
            return(list(state = state, proposal = list(
                state = state, pair = members[found$pair], step = step
            )))
        }
    }
    pair <- lowest_pair_left(state$model$n, record)
    list(state = state, proposal = without_vector(state, pair))
}

# v_2 over all samples; outside the component it is about, NA.
whole_vector <- function(state, found) {
    vector <- rep(NA_real_, state$model$n)
    vector[state$focus$members] <- found$vector
    vector
}

# The lowest two components that no answer relates, at their samples of largest
# degree; NULL when all are related.
unrelated_parts <- function(component, degree, record) {
    count <- max(component)
    decided <- decided_parts(component, record$closure)
    related <- unique(component_key(
        c(component[record$first], decided$a),
        c(component[record$second], decided$b)
    ))
    for (a in seq_len(count - 1L)) {
        b <- a + seq_len(count - a)
        b <- b[!component_key(a, b) %in% related]
        if (length(b)) {
            pair <- lapply(c(a, b[1L]), function(part) {
                by_degree(which(component == part), degree)[1L]
            })
            return(unlist(pair))
        }
    }
    NULL
}

# Pairs of graph components between which the closure decides some pair.
decided_parts <- function(component, closure) {
    high <- closure$against %/% 2^26
    low <- closure$against %% 2^26
    parts <- unique(cbind(closure$component, component))
    linked <- parts[parts[, 1L] %in% c(high, low, unique(
        parts[duplicated(parts[, 1L]), 1L]
    )), , drop = FALSE]
    by_group <- split(linked[, 2L], linked[, 1L])
    combine <- function(one, other) expand.grid(a = one, b = other)
    pairs <- c(
        lapply(by_group, function(own) combine(own, own)),
        Map(function(h, l) combine(by_group[[as.character(h)]],
                                   by_group[[as.character(l)]]), high, low)
    )
    do.call(rbind, c(list(data.frame(a = integer(), b = integer())), pairs))
}

# Sorted keys of the answered pairs among some samples, numbered within them.
local_keys <- function(members, record) {
    a <- match(record$first, members)
    b <- match(record$second, members)
    inside <- !is.na(a) & !is.na(b)
    sort(unique(pair_key(a[inside], b[inside], length(members))))
}

# When all components are exhausted: the lowest pair that was never used.
lowest_pair_left <- function(samples, record) {
    used <- pair_key(record$first, record$second, samples)
    for (i in seq_len(samples - 1L)) {
        j <- i + seq_len(samples - i)
        left <- j[!pair_key(i, j, samples) %in% used]
        if (length(left)) {
            return(c(i, left[1L]))
        }
    }
    NULL
}

# The part of the graph that is in work, with its factor and last vectors.
focus_on <- function(state, members, weights) {
    if (identical(state$focus$members, members)) {
        return(state)
    }
    whole <- length(members) == state$model$n
    model <- state$model
    if (!whole) {
        edits <- state$model[c("first", "second", "delta")]
        model <- laplacian_model(weights[members, members, drop = FALSE])
        a <- match(edits$first + 1L, members)
        b <- match(edits$second + 1L, members)
        inside <- !is.na(a) & !is.na(b)
        model <- edit_model(model, a[inside], b[inside], edits$delta[inside])
    }
    state$focus <- list(members = members, model = model, inverse = NULL,
                        vectors = NULL)
    state
}

# The best pair inside a connected part: list(focus, pair, entry, vector, note,
# apart), numbered within the part. apart: lambda_2 is 0 within rounding.
sensitive_pair <- function(focus, used, options) {
    count <- min(options$eigenvectors, focus$model$n - 1)
    focus <- low_vectors(focus, count)
    if (focus$disconnected) {
        return(list(focus = focus, disconnected = TRUE))
    }
    v <- focus$vectors
    entry <- uncertain_entry(v[, 1L], used, options$pairs)
    note <- NULL
    g <- v
    if (options$criterion == "eigenvector") {
        for (r in seq_len(count)) {
            found <- resolvent(focus, r, entry)
            g[, r] <- found$g
            note <- union(note, if (found$close) "close eigenvalues")
            focus$known <- found$known
        }
    }
    row <- if (options$pairs == "uncertain") entry else 0L
    pair <- .Call(C_best_pair, v, g, used, near_order(v[, 1L], g[, 1L]), row)
    if (focus$slow) {
        # sigma has become a bad guess: factor again for the next question
        focus["inverse"] <- list(NULL)
    }
    if (pair[2L] == entry) {
        pair <- rev(pair)
    }
    list(focus = focus, pair = pair, entry = entry,
         vector = v[, 1L], note = note, disconnected = FALSE)
}

# Samples in an order in which neighbours are close in both coordinates: strips
# of one, in order of the other.
near_order <- function(v, g) {
    n <- length(v)
    strips <- ceiling(sqrt(n / 32))
    strip <- integer(n)
    strip[order(v)] <- ceiling(seq_len(n) * strips / n)
    order(strip, g)
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

# v_2, ..., from those of the last question.
low_vectors <- function(focus, count) {
    model <- focus$model
    n <- model$n
    if (is.null(focus$inverse)) {
        focus$inverse <- factor_model(model)
    }
    deflate <- matrix(1 / sqrt(n), n, 1L)
    values <- numeric()
    last <- focus$vectors
    slow <- FALSE
    for (r in seq_len(count)) {
        start <- if (is.null(last)) lanczos_start(n + r)[r + seq_len(n)] else
            last[, r] + 1e-6 * lanczos_start(n) / sqrt(n)
        found <- next_vector(model, focus$inverse, deflate, start)
        vector <- if (is.null(last)) found$vector else
            found$vector * sign_of(sum(found$vector * last[, r]))
        deflate <- cbind(deflate, vector, deparse.level = 0L)
        values <- c(values, found$value)
        slow <- slow || found$steps > 60L
    }
    largest <- max(current_degree(model))
    focus$disconnected <- values[1L] <= n * .Machine$double.eps * 2 * largest
    focus$values <- values
    focus$vectors <- deflate[, -1L, drop = FALSE]
    focus$known <- list(values = values, vectors = focus$vectors)
    focus$close_below <- 1e-8 * largest
    focus$slow <- slow
    focus
}

sign_of <- function(value) if (value < 0) -1 else 1

# g for v_r: the known eigenvectors by name, all others by one solution. Where
# that is ill-conditioned the next eigenvectors are made known too, until one is
# apart from lambda_r; those that are not are left out.
resolvent <- function(focus, r, entry, most = 20L) {
    known <- focus$known
    solved <- solve_rest(focus, known, r, entry)
    while (!solved$safe && ncol(known$vectors) < most) {
        known <- know_next_vector(focus, known)
        solved <- solve_rest(focus, known, r, entry)
    }
    g <- if (solved$safe) solved$g else numeric(focus$model$n)
    gap <- known$values[r] - known$values
    use <- seq_along(gap) != r & abs(gap) >= focus$close_below
    weight <- ifelse(use, known$vectors[entry, ] / gap, 0)
    list(g = g + drop(known$vectors %*% weight), known = known,
         close = any(!use[-r]))
}

# The constant vector and the known ones.
known_basis <- function(focus, known) {
    cbind(matrix(1 / sqrt(focus$model$n), focus$model$n, 1L), known$vectors)
}

# list(g, safe): the part of g outside of the known vectors, and whether it can
# be relied on.
solve_rest <- function(focus, known, r, entry) {
    n <- focus$model$n
    basis <- known_basis(focus, known)
    if (ncol(basis) == n) {
        return(list(g = numeric(n), safe = TRUE))
    }
    lambda <- known$values[r]
    sigma <- if (is.null(focus$inverse)) 0 else focus$inverse$sigma
    solved <- .Call(C_resolvent, focus$model, focus$inverse, sigma, basis,
                    lambda, entry)
    g <- solved$g
    square <- sum(g^2)
    safe <- solved$converged && all(is.finite(g)) &&
        (square == 0 || abs(g[entry]) / square > 100 * focus$close_below)
    # the last one known is apart already: the rest lies above it
    list(g = g, safe = safe ||
             max(known$values) - lambda > focus$close_below)
}

know_next_vector <- function(focus, known) {
    n <- focus$model$n
    basis <- known_basis(focus, known)
    left <- n - ncol(basis)
    start <- lanczos_start(n + left)[left + seq_len(n)]
    found <- next_vector(focus$model, focus$inverse, basis, start)
    list(values = c(known$values, found$value),
         vectors = cbind(known$vectors, found$vector, deparse.level = 0L))
}
