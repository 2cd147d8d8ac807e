# The sparse feature graph, one thread: times of whole calls, portable and
# fastest kernels, peak memory, the certificate; against glmnet, and quadprog's
# objective, when they are installed.
#
#   Rscript feature_graph.R [large]
#
# "large" adds 102 x 12,600 and 102 x 20,000.

source(system.file("benchmarks", "harness.R", package = "linkrank"))
machine()

# Expression-like: some common directions, skewed values, noise.
make <- function(samples, features, directions = 12) {
    set.seed(1)
    common <- matrix(stats::rnorm(samples * directions), samples)
    weight <- matrix(stats::rnorm(directions * features), directions)
    exp((common %*% weight / sqrt(directions) +
             matrix(stats::rnorm(samples * features), samples)) / 2)
}

scaled <- function(x) {
    low <- apply(x, 2L, min)
    t((t(x) - low) / (apply(x, 2L, max) - low))
}

certificate <- function(graph) {
    s <- summary(graph)
    cat(sprintf("  %-28s KKT %.1e, %.1f features each, at most %d rounds\n",
                graph$method, s$kkt, s$nonzeros, s$rounds))
    stopifnot(s$kkt <= 1e-9)
}

run <- function(title, x, times) {
    compare(paste0(title, ", simplex"),
            portable = portable(function() feature_graph(x)),
            fastest = function() feature_graph(x), times = times)
    compare(paste0(title, ", nnlasso"),
            portable = portable(function() feature_graph(x, method = "nnlasso")),
            fastest = function() feature_graph(x, method = "nnlasso"), times = times)
    certificate(feature_graph(x))
    certificate(feature_graph(x, method = "nnlasso"))
    cat(sprintf("  peak memory beyond the data %6.1f MB\n\n",
                peak_memory(portable(function() feature_graph(x)))))
}

# One feature from all others by coordinate descent, as tight as glmnet goes.
peer_weights <- function(u, target, lambda) {
    y <- u[, target]
    fit <- glmnet::glmnet(u[, -target], y, lambda = lambda / nrow(u),
                          lower.limits = 0, standardize = FALSE,
                          intercept = FALSE, thresh = 1e-12, maxit = 1e7)
    s <- numeric(ncol(u))
    s[-target] <- as.numeric(fit$beta)
    s
}

penalties <- function(u) {
    products <- crossprod(u)
    diag(products) <- 0
    0.1 * apply(products, 2L, max)
}

objective <- function(u, target, s, penalty) {
    sum((u[, target] - u %*% s)^2) / 2 + penalty * sum(s)
}

# Weights of single targets, from the entry that the graph is made of.
own_weights <- function(x, method) {
    data <- linkrank::prepare_data(x)
    cells <- linkrank:::scaled_data(data, scale = "range")
    found <- linkrank:::code_part(
        list(number = 1L, parts = 1L),
        list(cells = cells, options = list(method = method, lambda = 0.1),
             control = linkrank:::default_control())
    )
    s <- matrix(0, ncol(x), ncol(x))
    s[cbind(found$to, found$from)] <- found$weight
    s
}

against_glmnet <- function(title, x, targets) {
    u <- scaled(x)
    penalty <- penalties(u)
    some <- round(seq(1, ncol(x), length.out = targets))
    run_peer <- function() {
        vapply(some, function(j) peer_weights(u, j, penalty[j]),
               numeric(ncol(u)))
    }
    seconds <- compare(
        sprintf("%s: all features, and glmnet on %d of them", title, targets),
        portable = portable(function() feature_graph(x, method = "nnlasso")),
        glmnet = run_peer, times = 3
    )
    cat(sprintf("  glmnet for all features would take %.1f times as long\n",
                seconds[["glmnet"]] * ncol(x) / targets /
                    seconds[["portable"]]))
    peer <- run_peer()
    own <- own_weights(x, "nnlasso")
    above <- vapply(seq_along(some), function(i) {
        j <- some[i]
        (objective(u, j, own[, j], penalty[j]) -
             objective(u, j, peer[, i], penalty[j])) / sum(u[, j]^2)
    }, 0)
    cat(sprintf("  objective less glmnet's, of y'y: %.1e to %.1e\n\n",
                min(above), max(above)))
    stopifnot(max(above) <= 1e-12)
}

# The simplex by quadratic programming, which needs a positive definite matrix.
against_quadprog <- function(x, targets) {
    u <- scaled(x)
    own <- own_weights(x, "simplex")
    above <- vapply(round(seq(1, ncol(x), length.out = targets)), function(j) {
        others <- u[, -j]
        fit <- quadprog::solve.QP(crossprod(others),
                                  crossprod(others, u[, j]),
                                  cbind(1, diag(ncol(others))),
                                  c(1, numeric(ncol(others))), meq = 1)
        s <- numeric(ncol(u))
        s[-j] <- pmax(fit$solution, 0) / sum(pmax(fit$solution, 0))
        (objective(u, j, own[, j], 0) - objective(u, j, s, 0)) /
            sum(u[, j]^2)
    }, 0)
    cat(sprintf("  simplex objective less quadprog's, of y'y: %.1e to %.1e\n\n",
                min(above), max(above)))
    stopifnot(max(above) <= 1e-12)
}

run("301 x 279", make(301, 279), times = 9)
run("colon, 62 x 2000", log2(colon$x), times = 5)
if (requireNamespace("glmnet", quietly = TRUE)) {
    against_glmnet("301 x 279", make(301, 279), 60)
    against_glmnet("colon, 62 x 2000", unique(log2(colon$x), MARGIN = 2L), 40)
}
if (requireNamespace("quadprog", quietly = TRUE)) {
    against_quadprog(make(301, 279), 20)
}
if (run_large()) {
    run("102 x 12,600", make(102, 12600), times = 1)
    run("102 x 20,000", make(102, 20000), times = 1)
}
