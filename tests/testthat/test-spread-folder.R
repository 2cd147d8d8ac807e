# Work functions stand at the top: workers of a socket get them as they are.
many_numbers <- function(task, shared) {
    c(task, stats::runif(shared$count))
}

spread_numbers <- function(folder, tasks = 5L, count = 10, BPPARAM = NULL) {
    set.seed(7)
    spread(as.list(seq_len(tasks)), many_numbers, list(count = count),
           check_workers(BPPARAM, folder), c("Test", "numbers"))
}

new_folder <- function() {
    tempfile("spread-")
}

result_files <- function(folder) {
    sort(list.files(folder, "[.]result$", full.names = TRUE))
}

draw_nothing <- function(task, shared) task

key_of <- function(...) {
    plan_key(list(1), many_numbers, list(...))
}

test_that("the key follows data, options, names, seeds and the work", {
    set.seed(5)
    x <- random_matrix(9, 4)
    frame <- data.frame(x, g = factor(rep(1:3, 3)))
    base <- key_of(x = x, method = "relieff", options = list(k = 3))
    expect_match(base, "^[0-9a-f]{32}$")
    expect_identical(key_of(x = x + 0, method = "relieff",
                            options = list(k = 3)), base)
    others <- c(
        key_of(x = x * (1 + .Machine$double.eps), method = "relieff",
               options = list(k = 3)),
        key_of(x = x, method = "relief", options = list(k = 3)),
        key_of(x = x, method = "relieff", options = list(k = 3L)),
        key_of(x = x, method = "relieff", options = list(K = 3)),
        key_of(x = x, method = "relieff", options = list(3)),
        key_of(x = frame), key_of(x = as.list(frame)),
        key_of(x = frame[c(2, 1, 3:9), ]),
        key_of(x = Matrix::Matrix(x, sparse = TRUE)),
        plan_key(list(1), draw_nothing, list(x = x)),
        plan_key(list(1), many_numbers, list(x = x)),
        plan_key(list(2), many_numbers, list(x = x))
    )
    expect_identical(anyDuplicated(c(base, others)), 0L)
    # a compact sequence, and an environment in another order
    expect_identical(key_of(x = 1:1000), key_of(x = 1:1000 + 0L))
    expect_identical(key_of(x = list2env(list(a = 1, b = 2))),
                     key_of(x = list2env(list(b = 2, a = 1))))
    expect_false(key_of(x = list2env(list(a = 1))) ==
                     key_of(x = list2env(list(a = 2))))
})

test_that("the key of data on disk counts what is delayed", {
    skip_without_tenx()
    file <- in_tenx(sparse_cells(12, 7))
    key <- function(change = identity, read = FALSE) {
        x <- change(file)
        data <- prepare_data(experiment_with(x, sparse_cells(12, 7)))
        if (read) variance_score(data)
        key_of(x = x, data = data)
    }
    logged <- function(x) log2(x / 3 + 1)
    one <- key(logged)
    expect_identical(key(logged), one)
    expect_identical(key(logged, read = TRUE), one)
    expect_identical(anyDuplicated(c(
        one, key(), key(function(x) log2(x / 4 + 1)), key(log1p)
    )), 0L)
})

test_that("a function of the user's is refused with `folder`, not without", {
    x <- random_matrix(20, 5)
    y <- rep(1:2, 10)
    links <- constraints_from_labels(y, 10, 10)
    mine <- function(x, constraints, ...) linkrank::variance_score(x)
    environment(mine) <- globalenv()
    refused <- function(name, ...) {
        message <- tryCatch(list(...), linkrank_error_argument = conditionMessage)
        expect_match(message, paste0("but `", name, "` is a function"),
                     fixed = TRUE)
        expect_match(message, "package targets .* article \"Long runs\"")
    }
    folder <- new_folder()
    refused("method", ensemble_ranking(x, links, method = mine, replicates = 2,
                                       folder = folder))
    refused("method", ranking_stability(x, links, method = mine,
                                        folder = folder))
    evaluate <- function(rankers = "relieff", ...) {
        evaluate_method(x, y, rankers, splits = 2, n = 1:2, ...)
    }
    refused("own", evaluate(list(own = mine), folder = folder))
    refused("classifier", evaluate(folder = folder,
                                   classifier = function(train, y, test) {
        rep(y[1L], nrow(test))
    }))
    refused("constraints", evaluate("relieff_sc", folder = folder,
                                    constraints = function(x, y) {
        constraints_from_labels(y, 3, 3)
    }))
    # those of other packages are no methods by name either
    refused("classifier", evaluate(folder = folder, classifier = testthat::test_dir))
    # data that hold one
    held <- list2env(list(g = mine))
    expect_error(key_of(x = held), "`g` is a function")
    expect_length(list.files(folder), 0L)
    skip_if_not_installed("BiocParallel")
    serial <- BiocParallel::SerialParam()
    same <- function(...) {
        set.seed(4)
        evaluate(list(own = mine), ...)
    }
    expect_identical(same(BPPARAM = serial), same())
})

test_that("a BatchtoolsParam runs functions of the user's, without a folder", {
    skip_if_not_installed("batchtools")
    skip_on_os("windows")
    k <- 2
    mine <- function(x, y, ...) relieff(x, y, k = k)
    jobs <- BiocParallel::BatchtoolsParam(
        2, cluster = "multicore",
        registryargs = BiocParallel::batchtoolsRegistryargs(
            file.dir = tempfile("registry-"), work.dir = tempdir(),
            packages = character(), namespaces = character()
        )
    )
    x <- random_matrix(20, 5)
    run <- function(...) {
        set.seed(6)
        evaluate_method(x, rep(1:2, 10), list(own = mine, s = "simba"),
                        splits = 2, n = 1:2, ...)
    }
    expect_identical(suppressMessages(run(BPPARAM = jobs)), run())
})

test_that("planted, foreign and damaged files are computed again", {
    folder <- new_folder()
    right <- spread_numbers(folder)
    files <- result_files(folder)
    own <- unserialize(memDecompress(without_hash(readBin(
        files[2L], "raw", 1e5
    )), "gzip"))
    plant <- function(value) {
        writeBin(with_hash(memCompress(serialize(value, NULL), "gzip")),
                 files[2L])
    }
    changed <- function(...) {
        new <- list(...)
        replace(own, names(new), new)
    }
    planted <- list(
        list(value = NULL), list(value = list(1, 2)), list(value = "a"),
        list(error = simpleError("boom")), NULL, 1,
        # of another call, of another task
        changed(key = paste0(substr(own$key, 1, 31), "x")), changed(task = 3L),
        c(own, list(error = simpleError("boom"))), unname(own),
        changed(warnings = list("text")), own[c(2, 1, 3, 4)]
    )
    for (value in planted) {
        plant(value)
        expect_identical(spread_numbers(folder), right)
    }
    # as earlier versions and other programs write
    bytes <- readBin(files[1L], "raw", 1e5)
    saveRDS(own, files[2L])
    writeBin(bytes[1:40], files[1L])
    file.create(files[3L])
    file.copy(files[4L], files[5L], overwrite = TRUE)
    expect_identical(spread_numbers(folder), right)
    expect_identical(result_files(folder), files)
    # the file itself is read
    plant(changed(value = "read"))
    expect_identical(spread_numbers(folder)[[2L]], "read")
})

test_that("a result that cannot be stored is in the result, with a warning", {
    right <- spread_numbers(NULL)
    folder <- new_folder()
    spread_numbers(folder)
    # a folder stands where the third result belongs
    file <- result_files(folder)[3L]
    unlink(file)
    dir.create(file)
    expect_warning(found <- spread_numbers(folder), "1 of 5 results",
                   class = "linkrank_warning_disk")
    expect_identical(found, right)
    expect_length(list.files(folder), 5L)
    skip_if_not_installed("BiocParallel")
    expect_warning(
        found <- spread_numbers(folder, BPPARAM = BiocParallel::SerialParam()),
        class = "linkrank_warning_disk"
    )
    expect_identical(found, right)
})

test_that("a full disk is named, and what was computed is not lost", {
    disk <- small_disk("64k")
    folder <- file.path(disk, "results")
    right <- spread_numbers(NULL, count = 2000)
    said <- tryCatch(spread_numbers(folder, count = 2000), warning = identity)
    expect_s3_class(said, "linkrank_warning_disk")
    expect_match(conditionMessage(said), "No space left on device",
                 fixed = TRUE)
    expect_match(conditionMessage(said), disk, fixed = TRUE)
    suppressWarnings(found <- spread_numbers(folder, count = 2000))
    expect_identical(found, right)
    # what had space was stored, and nothing half-written stays
    expect_gt(length(result_files(folder)), 1L)
    expect_lt(length(result_files(folder)), 5L)
    expect_identical(list.files(folder, full.names = TRUE),
                     result_files(folder))
    skip_if_not_installed("BiocParallel")
    fill_disk(disk)
    refused <- tryCatch(
        spread_numbers(folder, count = 2000,
                       BPPARAM = BiocParallel::SerialParam()),
        error = identity
    )
    expect_s3_class(refused, "linkrank_error_disk")
    expect_match(conditionMessage(refused), disk, fixed = TRUE)
    expect_identical(list.files(folder, full.names = TRUE),
                     result_files(folder))
    # with space again the rest is computed
    unlink(file.path(disk, "full"))
    unlink(result_files(folder)[1L])
})

test_that("what killed calls have left is removed, what others write is not", {
    skip_if_not(dir.exists("/proc/self"))
    folder <- new_folder()
    dir.create(folder)
    # no process has this number
    gone <- 4194305
    leave <- function(name, days = 0) {
        file <- file.path(folder, name)
        file.create(file)
        Sys.setFileTime(file, Sys.time() - 86400 * days)
    }
    part <- function(host, pid, base = "numbers-0123456789ab-00001.result") {
        paste0(base, "-", host, "-", pid, "-3f2a.part")
    }
    live <- c(part(host_name(), Sys.getpid()), part("elsewhere", gone),
              "notes.part", "shared-0123.rds")
    lapply(live, leave)
    lapply(c(part(host_name(), gone),
             part(host_name(), gone, "shared-0123456789ab.data")), leave)
    leave(part("elsewhere", 7, "numbers-0123456789ac-00001.result"), days = 2)
    # the data of other calls: of a process that runs, of one that is gone
    data <- function(number, pid, host = host_name()) {
        name <- paste0("shared-00000000000", number, ".data")
        write_shared(list(key = "k", host = host, pid = pid), 1:10,
                     file.path(folder, name))
        name
    }
    live <- c(live, data(1, Sys.getpid()), data(2, 7L, "elsewhere"))
    data(3, gone)
    old <- file.path(folder, data(4, 7L, "elsewhere"))
    Sys.setFileTime(old, Sys.time() - 8 * 86400)
    spread_numbers(folder)
    expect_setequal(setdiff(list.files(folder),
                            basename(result_files(folder))), live)
})

test_that("the data of a killed call are used by the same call, then removed", {
    skip_if_not_installed("BiocParallel")
    folder <- new_folder()
    dir.create(folder)
    key <- plan_key(list(1), many_numbers, list(count = 3))
    stored <- share_data(list(count = 3), key, folder)
    Sys.setFileTime(stored$path, "2024-01-01")
    expect_identical(share_data(list(count = 3), key, folder), stored)
    expect_identical(format(file.mtime(stored$path), "%Y"), "2024")
    expect_identical(read_shared(stored), list(count = 3))
    # a file of another key under this name is replaced
    write_shared(list(key = "other"), "planted", stored$path)
    share_data(list(count = 3), key, folder)
    forget_shared()
    expect_identical(read_shared(stored), list(count = 3))
    remove_leftovers(folder, key)
    expect_true(file.exists(stored$path))
    forget_shared()
    unlink(stored$path)
    spread_numbers(folder, BPPARAM = BiocParallel::SerialParam())
    expect_identical(list.files(folder, full.names = TRUE),
                     result_files(folder))
})

test_that("no copy of the data stays in memory", {
    folder <- new_folder()
    x <- matrix(stats::rnorm(4e5), 40)
    links <- constraints_from_labels(rep(1:2, 20), 10, 10)
    used <- function() sum(gc()[, 2L])
    # 3.2 MB of data; caches of the first call are not counted
    call <- function(...) {
        set.seed(2)
        suppressWarnings(ensemble_ranking(x, links, replicates = 2,
                                          features = 20, folder = folder, ...))
        expect_identical(ls(last_shared), character())
    }
    call()
    before <- used()
    call(combine = "score")
    expect_lt(used() - before, 1)
    skip_if_not_installed("BiocParallel")
    call(BPPARAM = BiocParallel::SerialParam(), n = 3)
})

test_that("a folder that cannot be written to is an argument error", {
    expect_error(check_folder(file.path(tempdir(), "a\nb", strrep("x", 300))),
                 "can be written to", class = "linkrank_error_argument")
    skip_if_not(dir.exists("/proc/self"))
    expect_error(check_folder("/proc"), "can be written to",
                 class = "linkrank_error_argument")
})
