# ---- names ------------------------------------------------------------------

test_that("what long names have in common goes, words and numbers stay whole", {
    expect_identical(drop_common(paste0("Patient_", c(17, 18, 9), "_left")),
                     c("17", "18", "9"))
    # 1 of 17 and 18 is no common beginning
    expect_identical(drop_common(c("ENSG00000000171.v2", "ENSG00000000182.v2")),
                     c("00000000171", "00000000182"))
    expect_identical(drop_common(c("AAACATACAACCAC-1", "AAACCGTGCTTCCG-1")),
                     c("AAACATACAACCAC", "AAACCGTGCTTCCG"))
    expect_identical(drop_common(c("cell_type_one", "cell_type_only_two")),
                     c("one", "only_two"))
    # nothing of what is short, alone, alike, missing or no text
    for (names in list(c("g_1", "g_2"), strrep("long", 9),
                       rep(strrep("long", 9), 2), c(NA, strrep("a", 20)),
                       c("bytes_\xe9\xff_of_it", "bytes_\xe8_of_it"),
                       character())) {
        expect_identical(drop_common(names), names)
    }
    # at least one character is left
    expect_identical(drop_common(c("long_name_", "long_name_b_")),
                     c("long_name_", "long_name_b_"))
})

test_that("names that differ in case have nothing in common, in any locale", {
    before <- Sys.getlocale("LC_COLLATE")
    on.exit(Sys.setlocale("LC_COLLATE", before))
    names <- c("Sample_Treated_1", "SAMPLE_TREATED_2", "Sample_Treated_3")
    for (locale in c("C", "C.UTF-8", "en_US.UTF-8")) {
        suppressWarnings(Sys.setlocale("LC_COLLATE", locale))
        expect_identical(drop_common(names), names)
        expect_null(dropped_note(names))
    }
})

test_that("what was dropped is said", {
    # what is left stands in what goes, too
    expect_identical(dropped_note(c("01A_prefix_01A", "01A_prefix_02A")),
                     "names without \"01A_prefix_\" and \"A\"")
    expect_identical(dropped_note(paste0("Patient_", c(17, 18, 9), "_left")),
                     "names without \"Patient_\" and \"_left\"")
    expect_identical(dropped_note(paste0("Patient_numbe_", c(17, 18))),
                     "names without \"Patient_numbe_\"")
    expect_null(dropped_note(c("a", "b")))
    expect_null(dropped_note(character()))
})

test_that("positions have a minimal distance and are as near as possible", {
    # by hand: three at 5 with gap 1 stand at 6, 5, 4; one far away stays
    expect_equal(separate_places(c(5, 5, 5, 9), 1, c(0, 10)), c(6, 5, 4, 9))
    # pushed in at the ends
    expect_equal(separate_places(c(10, 10), 1, c(0, 10)), c(9.5, 8.5))
    expect_equal(separate_places(c(0, 0), 1, c(0, 10)), c(1.5, 0.5))
    expect_equal(separate_places(3, 1, c(10, 0)), 3)
    set.seed(1)
    for (count in c(2, 7, 20)) {
        y <- runif(count, 0, 10)
        places <- separate_places(y, 0.4, c(0, 10))
        expect_identical(order(places), order(y))
        expect_true(all(diff(sort(places)) > 0.4 - 1e-9))
        expect_true(all(places >= 0.2 - 1e-9 & places <= 9.8 + 1e-9))
    }
})

test_that("names fit, and the rest is counted", {
    grDevices::pdf(NULL, 7, 5)
    on.exit(grDevices::dev.off())
    few <- fit_names(c("a", "b"))
    expect_identical(few$more, 0)
    many <- fit_names(paste0("g", 1:200))
    expect_identical(length(many$names), 200L - as.integer(many$more) + 1L)
    expect_identical(many$names[length(many$names)],
                     paste("and", many$more, "more"))
    expect_gte(many$size, 0.5)
    long <- fit_names(c(strrep("W", 90), strrep("V", 90)))
    expect_lt(long$inches, 0.6 * graphics::par("pin")[1])
    expect_identical(fit_names(character())$inches, 0)
    expect_identical(fit_names(paste("start of", 1:3), whole = TRUE)$names,
                     paste("start of", 1:3))
})

# ---- axes -------------------------------------------------------------------

test_that("what is drawn later finds the axes", {
    grDevices::pdf(NULL, 7, 5)
    on.exit(grDevices::dev.off())
    for (ranking in list(made_ranking(30:1), made_ranking(700:1))) {
        plot(ranking)
        before <- graphics::par("usr", "plt", "mai")
        expect_identical(graphics::par("mai"), before$mai)
        expect_true(graphics::grconvertX(nrow(ranking), "user", "nfc") <
                        before$plt[2])
    }
})

test_that("reserved space is as wide as requested", {
    limits <- extend_limits(c(0, 1), 1, 4, FALSE)
    expect_equal(limits, c(-0.04, -0.04 + 1.08 * 4 / 3))
    expect_equal(extend_limits(c(1, 100), 0, 4, TRUE), 10^c(-0.08, 2.08))
    # the other way round
    expect_equal(extend_limits(c(1, 0), 0, 4, FALSE), c(1.04, -0.04))
    # never all of it
    expect_equal(extend_limits(c(0, 1), 99, 4, FALSE)[2], -0.04 + 1.08 / 0.4)
    expect_equal(window_of(3, NULL), c(1.8, 4.2))
    expect_equal(window_of(c(0, 0), NULL), c(-4e-301, 4e-301))
})

test_that("a legend of twelve classes is complete and inside", {
    x <- random_matrix(80, 4)
    # with more of them the classes are named at their centres
    classes <- paste("Class number", 100 + rep_len(1:12, 80))
    for (size in list(c(7, 5), c(450, 350) / 72)) {
        boxes <- text_boxes(plot(similarity_graph(x), x, classes = classes),
                            size[1], size[2])
        listed <- boxes[boxes$text %in% classes, ]
        expect_identical(nrow(listed), 12L)
        expect_true(all(listed$right <= size[1] & listed$low >= 0))
    }
})
