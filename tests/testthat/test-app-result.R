# The page of what has been found, and the samples to check.

# Three kinds, each with two features of its own; 20 of 60 samples are sorted.
# `as`: what becomes of the matrix.
found_kinds <- function(n = 20, ..., as = identity) {
    set.seed(3)
    kind <- rep(1:3, 20)
    x <- matrix(rnorm(60 * 12), 60)
    for (k in 1:3) x[kind == k, 2 * k - 1:0] <- x[kind == k, 2 * k - 1:0] + 7
    dimnames(x) <- list(paste0("cell", 1:60), paste0("f", 1:12))
    q <- questionnaire(as(x), ask = "groups", n = n, hint = TRUE, ...)
    while (!is.null(shown <- next_pair(q))) {
        same <- kind[shown[1]] == kind[shown[-1]]
        q <- answer_pair(q, c(which(same), 0)[1])
    }
    list(q = q, kind = kind)
}

result_options <- function(...) {
    list(describe = NULL, picture = NULL, map = NULL, differences = 3,
         evidence = TRUE, finish = TRUE, hint = TRUE, ranking = TRUE,
         show = character(), file = NULL, words = page_texts(), names = TRUE,
         sorted = TRUE, ...)
}

page_text <- function(tags) as.character(htmltools::tagList(tags))

test_that("five unseen samples are drawn, and the prediction is fixed", {
    found <- found_kinds()
    q <- draw_trial(found$q)
    expect_length(q$trial$sample, 5L)
    expect_false(any(q$trial$sample %in% c(q$first, q$second)))
    expect_identical(found$kind[q$trial$member], found$kind[q$trial$sample])
    expect_identical(draw_trial(q), q)
    labels <- glean_labels(glean(q$data, pairwise_constraints(q)))
    expect_true(all(labels$confidence[q$trial$sample] >= 0.3))
    # one kind only: nothing can be predicted
    expect_length(draw_trial(questionnaire(random_matrix(20, 12)))$trial$sample,
                  0L)
})

test_that("checks are answers, are no questions and count as right or wrong", {
    q <- draw_trial(found_kinds()$q)
    before <- summary(q)
    asked <- q$stability
    right <- answer_trial(q, 1, 1L, "names")
    wrong <- answer_trial(right, 2, 2L)
    none <- answer_trial(wrong, 3, 0L)
    all <- answer_trial(none, 4, NA)
    expect_identical(unname(trial_verdicts(all)), c(TRUE, FALSE, FALSE, NA))
    expect_identical(trial_line(all), "1 of 3 unseen samples confirmed")
    expect_output(print(all), "1 of 3 unseen samples confirmed")
    expect_output(print(summary(all)), "1 of 3 unseen samples confirmed")
    expect_identical(summary(all)[c("asked", "must_link", "cannot_link", "left")],
                     before[c("asked", "must_link", "cannot_link", "left")])
    expect_identical(all$stability, asked)
    # nothing is answered twice
    expect_identical(answer_trial(all, 1, 0L), all)
    # the group is that of the answer
    component <- all$closure$component
    expect_identical(component[q$trial$sample[1]], component[q$trial$member[1]])
    expect_identical(component[q$trial$sample[2]],
                     component[trial_members(right, 2)[2]])
    expect_length(seen_kinds(all), 4L)
    # the share comes back from the file, and goes with undo
    file <- tempfile(fileext = ".csv")
    write_answers(all, file)
    again <- questionnaire(q$data, ask = "groups", n = 20, hint = TRUE,
                           answers = read_answers(file))
    expect_identical(trial_line(again), trial_line(all))
    expect_identical(summary(again)$asked, before$asked)
    back <- undo_answer(undo_answer(all))
    expect_identical(trial_line(back), "1 of 2 unseen samples confirmed")
    expect_identical(back$stability, asked)
    expect_null(back$pending)
    # changed in the list: still a check
    number <- max(right$action)
    changed <- answer_pair(right, 2, number = number)
    expect_identical(trial_line(changed), "0 of 1 unseen sample confirmed")
})

test_that("the page tells kinds, marks and checks, and takes their answers", {
    skip_if_not_installed("htmltools")
    state <- app_step(new_app_state(found_kinds()$q), list(what = "result"))
    expect_true(state$result)
    text <- page_text(show_question_page(state, result_options()))
    drawn <- page_text(show_question_page(state, result_options(), function(i, ...) {
        paste0("picture-", i)
    }))
    expect_match(drawn, paste0("src=\"picture-", state$q$trial$member[1], "\""))
    expect_match(text, "Kinds so far: 3[.]")
    expect_identical(lengths(regmatches(text, gregexpr("Otherwise ...</option>",
                                                       text, fixed = TRUE))), 5L)
    features <- kind_features(state$q, seen_kinds(state$q))
    own <- vapply(features, function(f) sort(f[1:2]), integer(2))
    expect_setequal(asplit(own, 2), list(1:2, 3:4, 5:6))
    kinds <- length(seen_kinds(state$q))
    check <- function(state, ...) app_step(state, list(what = "check", ...))
    expect_identical(check(state, at = 1, answer = "1", of = 9), state)
    expect_identical(check(state, at = 9, answer = "1", of = kinds), state)
    expect_identical(check(state, at = 1, answer = "8", of = kinds), state)
    state <- check(state, at = 1, answer = "1", of = kinds)
    state <- check(state, at = 2, answer = "unsure", of = kinds)
    text <- page_text(show_question_page(state, result_options()))
    expect_match(text, "1 of 1 unseen samples confirmed")
    expect_match(text, "<b>Confirmed</b>")
    expect_false(app_step(state, list(what = "back"))$result)
    # names of kinds, back to the cells
    named <- app_step(state, list(what = "name", kind = 2, of = kinds,
                                  answer = "<b> cells"))
    expect_identical(app_step(named, list(what = "name", kind = "2", of = kinds,
                                          answer = "x")), named)
    expect_match(page_text(show_question_page(named, result_options())),
                 "value=\"&lt;b&gt; cells\"", fixed = TRUE)
    groups <- constraint_groups(pairwise_constraints(named$q),
                                of = named$q$names)
    own <- seen_kinds(named$q)[[2]]
    expect_identical(unique(as.character(groups[own])), "<b> cells")
    blind <- result_options()
    blind$names <- FALSE
    blind$words$codes <- paste0("K", 1:60)
    expect_no_match(page_text(show_question_page(state, blind)), "cell[0-9]")
    # on the map, a place names a sample
    map <- sample_map(cbind(1:60, 60:1), state$q)
    state <- app_step(state, list(what = "peek", x = 10, y = 10))
    expect_match(page_text(show_map(state, map, result_options())), "<b>cell1</b>")
    named$result <- TRUE
    expect_match(page_text(show_map(named, map, result_options())),
                 ">&lt;b&gt; cells</text>", fixed = TRUE)
    expect_no_match(page_text(show_map(state, map, blind)), "cell")
})

test_that("levels are high in no kind, and the result is shown", {
    q <- found_kinds(as = function(x) {
        data.frame(pain = factor(rep(c("none", "some"), 30)), x)
    })$q
    kinds <- seen_kinds(q)
    levels <- which(q$data$kind == "factor")
    expect_length(levels, 1L)
    expect_identical(highest_kind(q, levels, kinds), 0L)
    expect_true(levels %in% q$ranking$order)
    high <- unlist(kind_features(q, kinds))
    expect_setequal(high, setdiff(q$ranking$order, levels))
    skip_if_not_installed("htmltools")
    expect_match(page_text(show_result_page(q, result_options(), NULL)), ">f1<")
    expect_match(page_text(show_ranking(q)), "class=\"kind-mark\"")
})

test_that("a feature is high in the kind with the highest mean", {
    q <- found_kinds()$q
    kinds <- seen_kinds(q)
    high <- highest_kind(q, 1:6, kinds)
    expect_identical(high, vapply(1:6, function(f) {
        which.max(vapply(kinds, function(own) {
            mean(as.matrix(q$data$values)[own, f])
        }, 0))
    }, 0L))
    expect_identical(highest_kind(q, 1:2, kinds[1]), c(0L, 0L))
    skip_if_not_installed("htmltools")
    expect_match(page_text(show_ranking(q)), "class=\"kind-mark\"")
})
