three_groups <- function(n = 60, seed = 3) {
    set.seed(seed)
    truth <- sample(3, n, TRUE)
    list(truth = truth,
         x = matrix(rnorm(n * 4, sd = 0.3), n) +
             unname(cbind(truth, -truth, 0, 0)))
}

test_that("the objective is that of the pairs of the closure", {
    for (seed in 1:20) {
        set.seed(seed)
        n <- 20
        x <- matrix(rnorm(n * 3), n)
        y <- sample(3, n, TRUE)
        links <- constraints_from_labels(y, cannot_link = 6, must_link = 6)
        found <- pck_means(x, links, clusters = 3, starts = 2, scale = "range")
        u <- scaled_by_range(x)
        expect_equal(found$objective,
                     reference_pck_objective(u, links, found$cluster))
        pairs <- as.data.frame(close_constraints(links))
        same <- found$cluster[pairs$i] == found$cluster[pairs$j]
        expect_equal(found$broken, c(
            cannot_link = sum(same & pairs$type == "cannot-link"),
            must_link = sum(!same & pairs$type == "must-link")
        ))
    }
})

test_that("no single sample would rather be in another cluster", {
    set.seed(1)
    x <- matrix(rnorm(90), 30)
    links <- constraints_from_labels(sample(3, 30, TRUE), cannot_link = 8, must_link = 8)
    found <- pck_means(x, links, clusters = 3)
    expect_true(found$converged)
    u <- scaled_by_range(x)
    pairs <- as.data.frame(close_constraints(links))
    pays <- function(i, k) {
        partner <- ifelse(pairs$i == i, pairs$j, pairs$i)
        own <- pairs$i == i | pairs$j == i
        same <- found$cluster[partner] == k
        broken <- ifelse(pairs$type == "must-link", !same, same)
        0.5 * sum((u[i, ] - found$centers[k, ])^2) + sum(broken[own])
    }
    for (i in 1:30) {
        costs <- vapply(1:3, function(k) pays(i, k), 0)
        expect_lte(costs[found$cluster[i]], min(costs) + 1e-12)
    }
})

test_that("clear groups are found, with and without constraints", {
    data <- three_groups()
    links <- constraints_from_labels(data$truth, cannot_link = 5, must_link = 5)
    set.seed(1)
    found <- pck_means(data$x, links, clusters = 3, scale = "range")
    expect_equal(sum(table(found$cluster, data$truth) > 0), 3)
    none <- pairwise_constraints(samples = 60)
    set.seed(1)
    free <- pck_means(data$x, none, clusters = 3, starts = 10, scale = "range")
    expect_equal(sum(table(free$cluster, data$truth) > 0), 3)
    expect_equal(free$objective, 0.5 * stats::kmeans(
        scaled_by_range(data$x), 3, nstart = 10
    )$tot.withinss)
})

test_that("a heavy penalty makes constraints hold", {
    set.seed(2)
    x <- matrix(rnorm(200), 50)
    links <- constraints_from_labels(rep(1:2, 25), cannot_link = 0, must_link = 20)
    expect_equal(sum(pck_means(x, links, clusters = 2, penalty = 1e6)$broken), 0)
    full <- constraints_from_labels(rep(1:2, 25))
    found <- pck_means(x, full, clusters = 2, penalty = 1e6)
    expect_equal(sum(found$broken), 0)
    expect_equal(sum(table(found$cluster, rep(1:2, 25)) > 0), 2)
    set.seed(2)
    most <- pck_means(x, full, clusters = 2, penalty = 1e100)
    expect_identical(most$objective, found$objective)
})

test_that("every cluster has samples, names and factors are kept", {
    x <- random_matrix(12, 3)
    # samples change places for ever where each is a cluster
    expect_warning(found <- pck_means(x, few_links(12), clusters = 12),
                   class = "linkrank_warning_convergence")
    expect_named(found$cluster, rownames(x))
    expect_true(all(found$sizes == 1))
    none <- pairwise_constraints(samples = 12)
    expect_equal(sum(pck_means(x, none, clusters = 1)$sizes), 12)
    mixed <- data.frame(a = rnorm(10), b = factor(rep(c("u", "v", "w"),
                                                      length.out = 10)))
    centers <- pck_means(mixed, few_links(10), clusters = 2)$centers
    expect_identical(colnames(centers), c("a", "b.1", "b.2", "b.3"))
})

test_that("it prints and refuses", {
    data <- three_groups()
    set.seed(1)
    found <- pck_means(data$x, constraints_from_labels(data$truth, cannot_link = 3, must_link = 3), clusters = 3,
                       scale = "range")
    expect_narrow(found)
    expect_snapshot(found)
    x <- data$x
    three <- pairwise_constraints(cannot_link = rbind(c(1, 2), c(2, 3), c(3, 1)),
                                  samples = 60)
    ring <- pairwise_constraints(cannot_link = cbind(1:5, c(2:5, 1)), samples = 60)
    # a wheel of five spokes needs four
    wheel <- pairwise_constraints(cannot_link = rbind(cbind(1:5, c(2:5, 1)), cbind(1:5, 6)),
                                  samples = 60)
    expect_refused("constraints",
        pck_means(x, three, clusters = 2, scale = "range"),
        pck_means(x, ring, clusters = 2, scale = "range"),
        pck_means(x, wheel, clusters = 3, scale = "range"),
        pck_means(x, constraints_from_labels(data$truth), clusters = 2,
                  scale = "range"),
        spectral_clustering(x, three, clusters = 2))
    expect_refused("argument",
        pck_means(x, three, clusters = 61, scale = "range"),
        pck_means(x, three, clusters = 0, scale = "range"),
        pck_means(x, three, clusters = 3, penalty = -1, scale = "range"),
        pck_means(x, three, clusters = 3, penalty = Inf, scale = "range"),
        spectral_clustering(x, three, clusters = 61))
    expect_s3_class(pck_means(x, ring, clusters = 3,
                              scale = "range"), "constrained_clusters")
    expect_s3_class(pck_means(x, wheel, clusters = 4,
                              scale = "range"), "constrained_clusters")
})

test_that("new samples go to the nearest center, in the scale of the old", {
    x <- rbind(random_matrix(12, 3), random_matrix(12, 3) + 4)
    x <- cbind(x, constant = 2)
    rownames(x) <- paste0("s", 1:24)
    links <- pairwise_constraints(cannot_link = cbind(1, 13), must_link = cbind(c(1, 13), c(2, 14)),
                                  samples = rownames(x))
    found <- pck_means(x, links, clusters = 2)
    expect_identical(predict(found), found$cluster)
    # no center is nearer than that of the own cluster, where nothing is broken
    expect_identical(predict(found, x), found$cluster)
    expect_identical(predict(found, x[c(20, 3), 4:1]),
                     found$cluster[c(20, 3)])
    expect_identical(unname(predict(found, data.frame(x[20, , drop = FALSE]))),
                     unname(found$cluster[20]))
    spectral <- spectral_clustering(x, links, clusters = 2)
    expect_identical(predict(spectral), spectral$cluster)
    gap <- x
    gap[1, 1] <- NA
    expect_error(predict(spectral, x), "have centers",
                 class = "linkrank_error_argument")
    expect_error(predict(found, x[, 1:2]), "were clustered, such as \"g3\"",
                 class = "linkrank_error_argument")
    bare <- pck_means(unname(x), links, clusters = 2)
    expect_error(predict(bare, unname(cbind(x[, 2], x))),
                 "the numeric features that were clustered",
                 class = "linkrank_error_argument")
    expect_error(predict(found, threshold = 1),
                 class = "linkrank_error_argument")
    expect_error(predict(found, gap), "no missing cell",
                 class = "linkrank_error_input")
})

test_that("clusters have a table, a summary and a picture", {
    x <- random_matrix(20, 4)
    found <- pck_means(x, few_links(20), clusters = 2)
    expect_identical(as.data.frame(found)$sample, rownames(x))
    expect_identical(summary(found)$size, found$sizes)
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_identical(dim(plot(found, x)), c(20L, 2L))
    expect_refused("argument", pck_means(x, few_links(20), centers = 2),
                   spectral_clustering(x, few_links(20), k = 2))
})
