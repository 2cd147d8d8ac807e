test_that("ranking_methods() is the table of methods", {
    expect_snapshot(ranking_methods())
})

test_that("every row names an exported function with its documented needs", {
    table <- ranking_methods()
    expect_identical(anyDuplicated(table$method), 0L)
    expect_true(all(table$method %in% getNamespaceExports("linkrank")))
    expect_true(all(table$direction %in% c("higher", "lower")))
    expect_true(all(table$needs %in% c("nothing", "constraints", "y")))
    for (i in seq_len(nrow(table))) {
        takes <- names(formals(get(table$method[i])))
        expect_identical(takes[1], "x")
        if (table$needs[i] != "nothing") {
            expect_identical(takes[2], table$needs[i])
        }
    }
})

test_that("rank_features() is the method called by its name", {
    x <- random_matrix(10, 6)
    links <- few_links(10)
    expect_identical(rank_features(x, links), relieff_sc(x, links))
    expect_identical(rank_features(x, links, method = "relief_sc"),
                     relief_sc(x, links))
    expect_identical(
        rank_features(x, links, k = 2, distance = "euclidean",
                      direction = "first"),
        relieff_sc(x, links, k = 2, distance = "euclidean",
                   direction = "first")
    )
})

test_that("all methods can be compared in a loop", {
    x <- random_matrix(10, 6)
    table <- ranking_methods()
    for (method in table$method[table$needs == "constraints"]) {
        ranking <- rank_features(x, few_links(10), method = method)
        expect_identical(ranking_info(ranking)$method, method)
    }
})

test_that("methods that are not there are refused", {
    x <- random_matrix(10, 6)
    links <- few_links(10)
    expect_refused("argument",
        rank_features(x, links, method = "relieve"),
        rank_features(x, links, method = "reliefsc"),
        rank_features(x, links, method = c("relief_sc", "relieff_sc")),
        rank_features(x, links, method = NA_character_),
        rank_features(x, links, method = NULL),
        rank_features(x, links, method = relief_sc)
    )
})

test_that("what a method lacks or cannot take is refused", {
    x <- random_matrix(10, 6)
    links <- few_links(10)
    expect_refused("argument",
        rank_features(x),
        rank_features(x, y = rep(1:2, 5)),
        rank_features(x, links, y = rep(1:2, 5))
    )
})

test_that("arguments that a method does not have are refused", {
    x <- random_matrix(10, 6)
    links <- few_links(10)
    expect_refused("argument",
        rank_features(x, links, K = 5),
        rank_features(x, links, method = "relief_sc", k = 5),
        rank_features(x, links, dist = "euclidean"),
        rank_features(x, links, NULL, "relief_sc", 5),
        rank_features(x, links, directoin = "both"),
        rank_features(x, links, k = 1.5)
    )
})

test_that("an argument may be given as NULL to be refused by the method", {
    expect_refused("argument",
        rank_features(random_matrix(10, 6), few_links(10), k = NULL)
    )
})
