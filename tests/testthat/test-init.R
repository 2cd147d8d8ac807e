# The entries of src/init.c: which of their arguments are positions, and that each
# refuses positions that are not there.

# The calls of entries that some code makes, by name: in a copy of the namespace
# whose .Call() writes them down.
recorded_calls <- function(code) {
    namespace <- asNamespace("linkrank")
    copy <- new.env(parent = namespace)
    moved <- function(f) {
        if (identical(environment(f), namespace)) environment(f) <- copy
        f
    }
    for (name in setdiff(ls(namespace, all.names = TRUE), ls(namespace, pattern = "^C_"))) {
        value <- get(name, namespace)
        if (is.function(value)) {
            assign(name, moved(value), copy)
        } else if (is.list(value) && !is.object(value)) {
            assign(name, rapply(value, moved, "function", how = "replace"), copy)
        }
    }
    calls <- list()
    copy$.Call <- function(entry, ...) {
        calls[[entry$name]] <<- c(calls[[entry$name]], list(list(...)))
        base::.Call(entry, ...)
    }
    environment(code) <- copy
    suppressWarnings(suppressMessages(code()))
    calls
}

calls_of_many_functions <- function() {
    recorded_calls(function() {
        set.seed(1)
        x <- matrix(rnorm(144), 24)
        links <- pairwise_constraints(
            cannot_link = rbind(c(1, 3), c(2, 6), c(7, 9), c(10, 13)), must_link = rbind(c(1, 2), c(4, 5)),
            samples = 24)
        y <- rep(c("a", "b", "c"), 8)
        block <- rep(1:3, each = 8)
        sparse <- methods::as(Matrix::Matrix(x * (x > 0), sparse = TRUE),
                              "CsparseMatrix")
        labels <- constraints_from_labels(y)
        table <- data.frame(x, kind = rep(c("u", "v"), 12), level = factor(y))
        data <- prepare_data(x)
        .Call(C_read_samples, data, feature_scaling(data, "range"), 1:3)
        transposed_once(sparse)$values
        .Call(C_scan_samples, sparse, empty_scan(nrow(sparse)), ncol(sparse))
        feature_reader(list(read = function(samples) sparse[, samples], p = 24,
                            first = c(1, 4), joined = 1L, n = 6))(1, 24)
        .Call(C_inverse_product, list(
            factor = diag(3), first = 0L, second = 1L, z = matrix(0, 3),
            small = matrix(1)), numeric(3))
        relieff(replace(x, 5, NA), y)
        relieff(table, y, k = "surf")
        relief(x, y)
        stir(x, y, k = 2)
        irelief(x, y)
        simba(x, y)
        simba_sc(x, links, own_term = "leave_out")
        relieff_sc(x, labels)
        relieff_sc(x, links, permutations = 9)
        relieff_sc(x, links, block = block, permutations = 9)
        fisher_score(x, y)
        cut_features(cluster_features(feature_graph(x)), k = 2)
        select_subset(x, links)
        select_subset(x, labels, sigma = "auto")
        ranking <- variance_score(x)
        diversify_ranking(ranking, x)
        diversify_ranking(ranking, x, method = "prune")
        redundancy(x)
        close_constraints(links)
        pck_means(x, links, clusters = 2)
        propagate_constraints(links, x)
        group_markers(x, y)
        glean(x, links, block = block)
        evaluate_method(x, y, "fisher_score", splits = 2)
        similarity_graph(x, k = 3, weight = "cosine")
        similarity_graph(x, adjacency = "epsilon", epsilon = 1)
        similarity_graph(x, adjacency = "full")
        active_constraints(x, y, n = 8, strategy = "perturbation")
        suspect_answers(links, x)
        chain <- pairwise_constraints(must_link = cbind(1:2, 2:3), samples = 4)
        try(c(chain, pairwise_constraints(cannot_link = cbind(1, 3), samples = 4)), TRUE)
    })
}

# A place in the arguments `a` of a call, and the range of the numbers there; all
# three as code.
at <- function(what, low, high) list(c(what = what, low = low, high = high))

# Where lists begin among `total` numbers: `total` is the last one.
starts_at <- function(what, total) at(what, total, total)

links_at <- function(links, n) {
    of <- function(name) paste0(links, "$", name)
    c(at(of("component"), 0, of("count - 1")), at(of("member"), 0, paste(n, "- 1")),
      starts_at(of("member_start"), n), at(of("against"), 0, of("count - 1")),
      starts_at(of("against_start"), sprintf("length(%s)", of("against"))))
}

class_of_at <- function(list) {
    of <- paste0("a[[", list, "]]$class")
    at(paste0(of, "_of"), -1, paste0(of, "es - 1"))
}

segments_at <- c(
    class_of_at(2), at("a[[3]]$owner", 1, "a[[1]]$n"),
    starts_at("a[[3]]$start", "length(a[[3]]$row)"),
    at("a[[3]]$row", 1, "a[[1]]$n"), at("a[[3]]$group", 0, 1)
)

# Entries without an argument of positions: what is one in their data is checked
# when the data are prepared, or is looked up in R's own objects.
without_positions <- c(
    "bind_samples", "columns_fit", "correlation_graph",
    "expected_differences", "feature_moments", "file_kind", 
    "graph_degrees", "is_mapped", "map_file",
    "near_pairs", "principal_components",
    "propagation_columns", "scan_features",
    "strong_entries", "sync_folder", "unmap_file", "write_file"
)

positions <- list(
    admit_pairs = c(at("a[[3]]", 0, "a[[1]] - 1"), at("a[[4]]", 0, "a[[1]] - 1")),
    best_pair = at("a[[4]]", 0, "nrow(a[[1]])"),
    components = c(at("a[[2]]", 1, "a[[1]]"), at("a[[3]]", 1, "a[[1]]")),
    constrained_margins = c(
        at("a[[3]]$first", 1, "ncol(a[[4]]$row)"),
        at("a[[3]]$second", 1, "ncol(a[[4]]$row)"),
        at("a[[4]]$ends", 1, "a[[1]]$n"), at("a[[4]]$row", 0, "a[[1]]$n")
    ),
    correlation_sums = at("a[[3]]", 1, "a[[1]]$p"),
    difference_sums = c(at("a[[4]]$cell", 1, "a[[4]]$count"),
                        starts_at("a[[4]]$block_start", "a[[4]]$count")),
    diversify = at("a[[3]]", 1, "a[[1]]$p"),
    forest = c(at("a[[1]]", 0, "length(a[[4]]) - 1"),
               at("a[[2]]", 0, "length(a[[4]]) - 1"),
               at("a[[4]]", 0, "length(a[[4]]) - 1")),
    graph_components = c(at("a[[1]]$first", 0, "a[[1]]$n - 1"),
                         at("a[[1]]$second", 0, "a[[1]]$n - 1")),
    group_moments = at("a[[2]]$cell", -1, "length(a[[2]]$count) - 1"),
    inverse_product = c(at("a[[1]]$first", 0, "nrow(a[[1]]$factor) - 1"),
                        at("a[[1]]$second", 0, "nrow(a[[1]]$factor) - 1")),
    irelief_step = c(class_of_at(2), at("a[[4]]", 1, "a[[1]]$n")),
    keep_uncorrelated = at("a[[3]]", 1, "a[[1]]$p"),
    label_margins = c(at("a[[3]]", 1, "length(a[[4]]$ends)"),
                      at("a[[4]]$ends", 1, "a[[1]]$n"), at("a[[4]]$row", 0, "a[[1]]$n")),
    lanczos = c(at("a[[1]]$first", 0, "a[[1]]$n - 1"),
                at("a[[1]]$second", 0, "a[[1]]$n - 1"),
                at("a[[2]]$first", 0, "a[[1]]$n - 1"),
                at("a[[2]]$second", 0, "a[[1]]$n - 1")),
    mean_differences = at("a[[3]]", 1, "a[[1]]$n"),
    mean_distance = at("a[[2]]", 1, "a[[1]]$data$n"),
    nearest = c(at("a[[2]]", 1, "a[[1]]$data$n"), class_of_at(4),
                links_at("a[[4]]$links", "a[[1]]$data$n")),
    nearest_along = c(at("a[[1]]$counts", 1, "ncol(a[[1]]$train)"),
                      at("a[[2]]$label", 0, "a[[2]]$classes - 1"),
                      at("a[[2]]$truth", -1, ".Machine$integer.max - 1")),
    place_cells = at("a[[2]][[1]]@i", 0, "nrow(a[[2]][[1]]) - 1"),
    pair_sums = c(at("a[[3]]", 0, "a[[1]]$n - 1"), at("a[[4]]", 0, "a[[1]]$n - 1")),
    pck_means = links_at("a[[2]]", "ncol(a[[1]])"),
    quadratic_forms = at("a[[3]][[1]]$class_of", 1, "a[[3]][[1]]$n_classes"),
    read_features = at("a[[2]]", 1, "a[[1]]$p"),
    read_samples = at("a[[3]]", 1, "a[[1]]$n"),
    relabelled_hits = c(
        at("a[[1]]$nodes", 1, "a[[1]]$samples"), at("a[[1]]$ends", 1, "nrow(a[[2]])"),
        links_at("a[[1]]$links", "a[[1]]$samples"),
        at("a[[2]]", 1, "a[[1]]$samples"), at("a[[3]]$ends", 1, "a[[1]]$samples"),
        at("a[[3]]$row", 0, "a[[1]]$samples")
    ),
    relabelled_margins = c(
        at("a[[3]]$first", 1, "nrow(a[[4]])"), at("a[[3]]$second", 1, "nrow(a[[4]])"),
        at("a[[4]]", 1, "a[[1]]$n"), at("a[[5]]", 0, "a[[1]]$n")
    ),
    resolvent = c(at("a[[1]]$first", 0, "a[[1]]$n - 1"),
                  at("a[[1]]$second", 0, "a[[1]]$n - 1"),
                  at("a[[2]]$first", 0, "a[[1]]$n - 1"),
                  at("a[[2]]$second", 0, "a[[1]]$n - 1"),
                  at("a[[6]]", 1, "a[[1]]$n")),
    sample_distances = at("a[[2]]", 1, "a[[1]]$data$n"),
    scan_samples = at("a[[1]]@i", 0, "nrow(a[[1]]) - 1"),
    segment_moments = segments_at,
    segment_sums = segments_at,
    select_subset = c(at("a[[3]]$rows", 1, "a[[1]]$n"),
                      at("a[[3]]$first", 1, "length(a[[3]]$rows)"),
                      at("a[[3]]$second", 1, "length(a[[3]]$rows)")),
    shifted_factor = c(at("a[[1]]$first", 0, "a[[1]]$n - 1"),
                       at("a[[1]]$second", 0, "a[[1]]$n - 1")),
    shortest_path = c(at("a[[2]]", 1, "a[[1]]"), at("a[[3]]", 1, "a[[1]]"),
                      at("a[[4]]", 1, "a[[1]]"), at("a[[5]]", 1, "a[[1]]")),
    simba = c(class_of_at(2), at("a[[3]]$first", 1, "a[[1]]$n"),
              at("a[[3]]$second", 1, "a[[1]]$n"), at("a[[3]]$samples", 1, "a[[1]]$n"),
              at("a[[3]]$own", 1, "a[[1]]$p"),
              at("a[[4]]", 1, "length(a[[3]]$first)"),
              links_at("a[[5]]", "a[[1]]$n")),
    sparse_graph = at("a[[5]]$number", 1, "a[[5]]$parts"),
    subset_errors = c(at("a[[3]]$rows", 1, "a[[1]]$n"), at("a[[4]]", 1, "a[[1]]$p")),
    varied_features = at("a[[2]]", 1, "a[[1]]$n"),
    within_radius = c(at("a[[2]]", 1, "a[[1]]$data$n"), class_of_at(4))
)

# Expects that the entry refuses wrong numbers in this place of one of its calls.
expect_place_checked <- function(entry, calls, place) {
    code <- lapply(place, str2lang)
    value_in <- function(a) tryCatch(eval(code$what), error = function(e) NULL)
    held <- Filter(function(a) length(value_in(a)) > 0L, calls)
    expect_gt(length(held), 0L, label = paste(entry, place["what"]))
    if (!length(held)) return()
    a <- held[[1L]]
    range <- c(eval(code$low), eval(code$high))
    count <- length(eval(code$what))
    wrong <- c(NA, 0, -1, range[2L] + 1)
    wrong <- wrong[!(wrong >= range[1L] & wrong <= range[2L]) %in% TRUE]
    if (entry %in% takes_none) wrong <- wrong[!is.na(wrong)]
    expect_gt(length(wrong), 1L)
    symbol <- get(paste0("C_", entry), asNamespace("linkrank"))
    for (number in wrong) {
        a <- held[[1L]]
        eval(bquote(.(code$what)[.(count)] <- .(as.integer(number))))
        # without the trace that expect_error() takes of each
        said <- tryCatch(do.call(.Call, c(list(symbol), a)), error = conditionMessage)
        expect_true(is.character(said) && any(grepl("internal error", said)),
                    label = paste(entry, place["what"], number))
    }
}

# NA is none there.
takes_none <- c("difference_sums", "quadratic_forms")

test_that("each entry refuses positions that are not there", {
    entries <- names(getDLLRegisteredRoutines("linkrank")$.Call)
    expect_setequal(entries, c(names(positions), without_positions))
    expect_identical(intersect(names(positions), without_positions), character())
    # copies that run once are not worth being compiled
    before <- compiler::enableJIT(0)
    on.exit(compiler::enableJIT(before))
    calls <- calls_of_many_functions()
    for (entry in names(positions)) {
        for (place in positions[[entry]]) {
            expect_place_checked(entry, calls[[entry]], place)
        }
    }
})
