# Objects that were edited by hand or read back damaged: each of these crashed R,
# or wrote out of bounds. Sparse matrices, constraints, graphs and trees are
# refused in words, of the others C refuses what does not fit together.


test_that("slots of a sparse matrix that do not fit together", {
    set.seed(1)
    x <- matrix(rnorm(200) * rbinom(200, 1, 0.3), 20)
    sparse <- methods::as(Matrix::Matrix(x, sparse = TRUE), "CsparseMatrix")
    short <- far <- narrow <- sparse
    short@p <- short@p[-11L]
    far@i[1L] <- 1000000L
    narrow@Dim <- c(20L, 9L)
    expect_refused(
        "input", variance_score(short), variance_score(far),
        variance_score(narrow), relieff(far, rep(1:2, 10)),
        relieff_sc(far, few_links(20)),
        evaluate_method(far, rep(1:2, 10), "variance_score", splits = 2),
        ranking_stability(short, few_links(20), replicates = 2),
        keep_features(far, variance_score(sparse), 2)
    )
    graph <- similarity_graph(x, k = 3)
    weights <- graph$weights
    weights@i[1L] <- 1000000L
    graph$weights <- weights
    small <- similarity_graph(x, k = 3)
    small$n <- 10L
    expect_refused(
        "argument", laplacian_score(x, graph = graph), laplacian_score(x, graph = weights),
        laplacian_score(x[1:10, ], graph = small), graph_laplacian(graph),
        summary(graph), questionnaire(x, strategy = "perturbation", graph = graph)
    )
})

test_that("constraints that are not of their samples", {
    x <- random_matrix(20, 4)
    links <- few_links(20)
    gone <- far <- short <- self <- many <- links
    gone$first[1L] <- NA
    far$second[3L] <- 999999999L
    short$second <- short$second[-1L]
    self$first[2L] <- self$second[2L]
    many$samples <- 3L
    labels <- constraints_from_labels(rep(1:2, 10))
    labels$class_of[1L] <- 99999999L
    expect_refused(
        "constraints", length(structure(list(), class = class(links))),
        relieff_sc(x, gone), relieff_sc(x, far),
        close_constraints(short), constraint_groups(self), print(many),
        as.data.frame(far), far[1:2], c(far, links), summary(labels),
        relieff_sc(x, labels), constraint_score(x, far)
    )
})

test_that("trees, graphs of features, questionnaires and rankings", {
    x <- random_matrix(20, 6)
    graph <- feature_graph(x)
    far <- copy <- graph
    far$similarity@i[1L] <- 9999L
    copy$original[2L] <- 77L
    tree <- cluster_features(graph)
    wide <- twice <- short <- tree
    wide$merge[1L, 1L] <- 99999999L
    twice$merge[2L, ] <- twice$merge[1L, ]
    short$height <- short$height[-1L]
    q <- questionnaire(x, strategy = "random")
    due <- unknown <- q
    due$pending <- c(1L, 999L)
    unknown$answers <- no_rows[1, ]
    unknown$answers[c("i", "j", "type", "implied")] <-
        list(999L, 999L, "must-link", FALSE)
    unknown$step <- list(NULL)
    unmarked <- answer_pair(q, "must-link")
    unmarked$answers$implied <- NA
    sized <- forgetful <- busy <- other <- q
    sized$data$p <- NA_real_
    other$data$minimum <- 1
    forgetful$control$threads <- -7L
    lost <- questionnaire(x, strategy = "groups")
    lost$state$order[1L] <- 999L
    edited <- questionnaire(x, strategy = "perturbation")
    edited$state$model$degree <- 1
    far_edit <- answer_pair(questionnaire(x, strategy = "perturbation"), "cannot-link")
    far_edit$state$focus$model$first <- 999999999L
    busy$strategy$fits <- NULL
    joined <- q
    joined$closure$component[1L] <- 9999L
    empty <- structure(list(), class = "feature_ranking")
    no_questionnaire <- structure(list(), class = "questionnaire")
    tall <- graph
    tall$similarity@Dim[1L] <- 999999999L
    expect_refused(
        "argument", summary(tall), print(tall), as.matrix(tall),
        cluster_features(far), cluster_features(copy),
        cut_features(wide, k = 3), cut_features(twice, k = 3),
        cut_features(short),
        diversify_ranking(empty, x, method = "prune"),
        glance.feature_ranking(empty), top_features(empty)
    )
    calls <- list(
        quote(answer_pair(edited, "must-link")),
        quote(answer_pair(far_edit, "must-link")),
        quote(pairwise_constraints(unknown))
    )
    for (call in calls) {
        expect_error(eval(call), info = deparse(call))
    }
    # these may give an error or a result
    try(answer_pair(sized, "must-link"), silent = TRUE)
    try(answer_pair(other, "must-link"), silent = TRUE)
    try(answer_pair(lost, "must-link"), silent = TRUE)
    try(answer_pair(due, "must-link"), silent = TRUE)
    try(answer_pair(forgetful, "must-link"), silent = TRUE)
    try(answer_pair(busy, "unsure"), silent = TRUE)
    try(summary(joined), silent = TRUE)
    try(undo_answer(unmarked), silent = TRUE)
    try(utils::capture.output(print(no_questionnaire)), silent = TRUE)
})

test_that("C refuses what does not fit together, whoever calls it", {
    x <- random_matrix(20, 6)
    data <- prepare_data(x)
    control <- default_control()
    refused <- function(code) {
        expect_error(code, "do not fit together|no element")
    }
    change <- function(object, ...) utils::modifyList(object, list(...))
    scan <- function(...) .Call(C_scan_features, change(unclass(data), ...),
                                control)
    expect_length(scan(), 5L)
    refused(scan(n = 21))
    refused(scan(p = NA_real_))
    refused(scan(p = 1e300))
    refused(scan(values = "a"))
    refused(scan(values = Matrix::Matrix(x, sparse = TRUE),
                 layout = "by sample"))
    refused(.Call(C_scan_features, 1:3, control))
    refused(.Call(C_components, 20L, 21L, 1L))
    refused(.Call(C_components, 20L, NA_integer_, 1L))
    refused(.Call(C_components, 20L, 1:2, 1L))
    refused(.Call(C_components, NA_integer_, 1L, 1L))
    refused(.Call(C_shortest_path, 20L, 1L, 2L, 1L, 21L))
    refused(.Call(C_admit_pairs, 20L, 1L, 20L, 1L, TRUE))
    graph <- similarity_graph(x, k = 3)$weights
    model <- laplacian_model(graph)
    refused(.Call(C_graph_components, change(model, degree = 1), 0))
    refused(.Call(C_graph_components, change(model, first = 20L, second = 0L,
                                             delta = 1), 0))
    graph@i[3L] <- 20L
    refused(.Call(C_graph_degrees, graph))
    graph@p <- graph@p[-1L]
    refused(.Call(C_graph_degrees, graph))
})

test_that("columns of a ranking that lack cells", {
    x <- random_matrix(20, 6)
    y <- rep(1:2, 10)
    ranking <- variance_score(x)
    lacking <- function(name, cells) {
        columns <- unclass(ranking)
        columns[name] <- list(cells)
        structure(columns, class = class(ranking))
    }
    none <- lacking("feature", NULL)
    short <- lacking("score", ranking$score[-1L])
    words <- lacking("score", letters[1:6])
    expect_refused(
        "argument", evaluate_ranking(none, x, y, x, y), top_features(none),
        evaluate_ranking(list(a = short), x, y, x, y), feature_scores(words)
    )
})

test_that("arguments that no memory holds, and others of the wrong kind", {
    x <- random_matrix(20, 4)
    links <- few_links(20)
    q <- answer_pair(questionnaire(x, strategy = "random"), "unsure")
    expect_refused(
        "argument", simba(x, rep(1:2, 10), starts = 1e10),
        simba_sc(x, links, starts = 1e10), pcfs(x, links, votes = 1e10),
        pcfs(x, links, bins = 1e10), answer_pair(q, "unsure", number = mean),
        relief_sc(x, links, permutations = 1e10),
        fcrsc(x, links, k = quote(a)),
        links[list(1)], links[as.raw(1)], links[mean],
        with_option(list(linkrank.max_bytes = "a"),
                    similarity_graph(x, adjacency = "full")),
        with_option(list(linkrank.max_bytes = NA),
                    similarity_graph(x, adjacency = "full"))
    )
})

test_that("constraints over as many samples as can be are made and printed", {
    used <- sum(gc(reset = TRUE)[, 6L])
    links <- pairwise_constraints(cannot_link = rbind(1:2, c(7, 2^31 - 1)), must_link = cbind(2, 7),
                                  samples = .Machine$integer.max)
    lines <- expect_narrow(links)
    expect_lt(sum(gc()[, 6L]) - used, 50)
    expect_match(lines[2L], "touching 4 samples, 1 must-link group")
    expect_identical(summary(pairwise_constraints(samples = 5))$touched, 0L)
    expect_refused("memory", constraint_groups(links), close_constraints(links))
})

test_that("more samples than one column of memory holds are refused", {
    tall <- methods::new("dgCMatrix", i = c(0L, 3L, 1L), p = c(0L, 2L, 3L),
                         x = c(1, 2, 3), Dim = c(999999999L, 2L),
                         Dimnames = list(NULL, c("a", "b")))
    long <- tall
    long@Dim[1L] <- 1000000L
    with_option(list(linkrank.max_bytes = 1e8), expect_refused(
        "memory", variance_score(tall), redundancy(tall),
        redundancy(long), feature_graph(long),
        redundancy(long, measure = "entropy")
    ))
})

test_that("damaged files of sparse data are refused by their name", {
    skip_without_tenx()
    x <- sparse_cells(12, 9)
    at <- function(name, change) {
        function(file, group) {
            name <- paste0(group, "/", name)
            values <- change(rhdf5::h5read(file, name))
            rhdf5::h5delete(file, name)
            with_plain_letters(rhdf5::h5write(values, file, name))
        }
    }
    damages <- list(
        far = at("indices", function(i) replace(i, 8, 1000L)),
        far_last = at("indices", function(i) replace(i, 4, 9L)),
        below = at("indices", function(i) replace(i, 5, -1L)),
        repeated = at("indices", function(i) replace(i, 2, i[1])),
        short = at("data", function(v) v[1:5]),
        cut = function(file, group) {
            writeBin(readBin(file, "raw", 1e6)[1:2000], file)
        },
        gone = function(file, group) unlink(file)
    )
    for (name in names(damages)) {
        for (open in list(list(in_tenx, "m"), list(in_h5ad, "X"))) {
            values <- open[[1L]](x)
            experiment <- experiment_with(values, x)
            turned <- t(values)
            part <- turned[, 9:2]
            logged <- t(log1p(values))
            dense <- t(values + 1)
            file <- DelayedArray::seed(values)@filepath
            damages[[name]](file, open[[2L]])
            for (bytes in c(1, 1e8)) {
                calls <- list(
                    function() variance_score(experiment),
                    function() variance_score(turned),
                    function() variance_score(part),
                    function() variance_score(dense),
                    function() relieff_sc(logged, few_links(12)),
                    function() {
                        seed <- DelayedArray::seed(values)
                        read_checked(values, read_stored(values, seed, 1L,
                                                         c(1:10, 12)))
                    }
                )
                for (call in calls) {
                    said <- with_block_size(bytes, tryCatch(call(),
                                                            error = identity))
                    expect_s3_class(said, "linkrank_error_input")
                    expect_match(conditionMessage(said), file, fixed = TRUE,
                                 info = name)
                }
            }
        }
    }
})

test_that("a file that changes while it is read gives no result", {
    skip_without_tenx()
    x <- sparse_cells(8, 9)
    for (values in list(in_tenx(x), in_h5ad(x), t(in_file(x, c(6, 3))))) {
        file <- DelayedArray::seed(values)@filepath
        before <- file.mtime(file)
        # another writer, at a moment of the call that `at` counts
        reads <- 0
        at <- Inf
        watched <- DelayedArray:::stash_DelayedUnaryIsoOpStack(
            values, function(cells) {
                reads <<- reads + 1
                if (reads == at) Sys.setFileTime(file, before + 60)
                cells
            })
        # t() itself may ask for cells
        turned <- t(watched)
        call <- function() {
            reads <<- 0
            with_block_size(50, relieff_sc(turned, few_links(8)))
        }
        whole <- call()
        moments <- unique(round(seq(2, reads, length.out = 3)))
        expect_gt(length(moments), 1L)
        for (at in moments) {
            said <- tryCatch(call(), error = identity)
            expect_s3_class(said, "linkrank_error_input")
            expect_match(conditionMessage(said), "changed while it was read")
            Sys.setFileTime(file, before)
        }
        at <- Inf
        expect_identical(call(), whole)
    }
})

test_that("the cells of a sample may be in any order in a file", {
    skip_without_tenx()
    x <- sparse_cells(24, 9)
    values <- in_tenx(x)
    file <- DelayedArray::seed(values)@filepath
    starts <- rhdf5::h5read(file, "m/indptr")
    place <- unlist(lapply(seq_len(24), function(j) {
        rev(seq_len(diff(starts)[j]) + starts[j])
    }))
    for (name in c("m/indices", "m/data")) {
        rhdf5::h5write(rhdf5::h5read(file, name)[place], file, name)
    }
    for (bytes in c(1, 1e8)) {
        with_block_size(bytes, expect_identical(
            variance_score(experiment_with(values, x), scale = "none")$score,
            variance_score(x, scale = "none")$score
        ))
    }
})

test_that("prepared data, tables and sessions that lack a part", {
    x <- random_matrix(12, 4)
    data <- prepare_data(x)
    changed <- function(object, name, value = NULL) {
        object[[name]] <- value
        object
    }
    expect_refused(
        "argument", variance_score(structure(list(), class = "prepared_data")),
        variance_score(changed(data, "n")), variance_score(changed(data, "n", 5)),
        laplacian_score(changed(data, "missing")),
        relieff(changed(data, "minimum"), rep(1:2, 6)),
        rbind(structure(variance_score(x), class = "feature_ranking")),
        cluster_features(changed(feature_graph(x), "method"))
    )
    ragged <- structure(list(i = c("1", "2"), j = "3",
                             type = c("must-link", "cannot-link")),
                        class = "data.frame", row.names = 1:2)
    expect_refused("constraints", pairwise_constraints(ragged, samples = 12),
                   reconcile_answers(ragged, samples = 12))
    session <- answer_pair(questionnaire(x, strategy = "random", ask = "pairs"), TRUE)
    file <- tempfile(fileext = ".csv")
    answers <- session$answers
    for (part in c("i", "type", "time", "shown")) {
        session$answers <- changed(answers, part)
        expect_refused("argument", write_answers(session, file))
    }
    expect_false(file.exists(file))
})

test_that("a temporary file of cells is gone once it is mapped", {
    # overwritten between two calls it ended R
    skip_on_os("windows")
    skip_if_not_installed("DelayedArray")
    x <- unname(sparse_cells(60, 40))
    files <- function() list.files(tempdir(), "[.]entries$", recursive = TRUE)
    before <- files()
    with_block_size(2000, {
        data <- prepare_data(DelayedArray::DelayedArray(stored_cells(x)))
        first <- variance_score(data)
        expect_false(is.null(data$stored()$map))
        expect_identical(files(), before)
        expect_identical(variance_score(data)$score, first$score)
    })
})
