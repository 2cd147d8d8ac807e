# The page of what has been found, and the samples to check.

# Three groups, each with two features of its own; 20 of 60 samples are sorted,
# once for all tests. `as`: what becomes of the matrix.
found_groups <- function(...) {
    if (...length()) return(sort_groups(...))
    made$groups <- made$groups %||% sort_groups()
    made$groups
}

made <- new.env()

sort_groups <- function(n = 20, ..., as = identity) {
    set.seed(3)
    group <- rep(1:3, 20)
    x <- matrix(rnorm(60 * 12), 60)
    for (k in 1:3) x[group == k, 2 * k - 1:0] <- x[group == k, 2 * k - 1:0] + 7
    dimnames(x) <- list(paste0("cell", 1:60), paste0("f", 1:12))
    q <- questionnaire(as(x), ask = "sort", n = n, hint = TRUE, ...)
    while (!is.null(shown <- next_pair(q))) {
        same <- group[shown[1]] == group[shown[-1]]
        q <- answer_pair(q, c(which(same), 0)[1])
    }
    list(q = q, group = group)
}

result_options <- function(...) {
    list(describe = NULL, picture = NULL, map = NULL, differences = 3,
         evidence = TRUE, finish = TRUE, hint = TRUE, ranking = TRUE,
         show = character(), file = NULL, words = page_texts(), names = TRUE,
         ...)
}

page_text <- function(tags) as.character(htmltools::tagList(tags))

press_further <- function(q) {
    app_step(list(q = q, result = TRUE),
             list(what = "further", count = count_answers(q)))$q
}

test_that("five of all that nobody was asked about come next, beside each group", {
    found <- found_groups(scale = "range")
    drawn <- unlist(lapply(1:40, function(seed) {
        set.seed(seed)
        press_further(found$q)$further$sample
    }))
    unasked <- setdiff(1:60, asked_samples(found$q))
    expect_setequal(drawn, unasked)
    expect_false(any(apply(matrix(drawn, 5), 2, anyDuplicated)))
    set.seed(1)
    q <- press_further(found$q)
    left <- q$further$sample
    # what is computed of them before is kept
    label <- glean_labels(glean(q$data, pairwise_constraints(found$q)))$cluster
    expect_identical(unname(label[q$further$member]), unname(label[left]))
    expect_true(all(q$further$member %in% unlist(seen_groups(found$q))))
    # each beside the nearest of each group, by the scaled features
    x <- apply(as.matrix(q$data$values), 2, function(v) v / diff(range(v)))
    far <- as.matrix(dist(x))
    for (step in 1:5) {
        groups <- seen_groups(q)
        nearest <- vapply(groups, function(own) own[which.min(far[left[step], own])], 0L)
        expect_identical(unname(next_pair(q)), c(left[step], nearest))
        expect_identical(summary(q)$left, 6 - step)
        # no second five before these are answered, and none for an older page
        expect_identical(press_further(q), q)
        q <- answer_pair(q, 1)
    }
    expect_identical(show_finished(q), "`n` = 25 was reached")
    expect_false(identical(press_further(q), q))
    late <- list(what = "further", count = count_answers(q) - 1)
    expect_identical(app_step(new_app_state(q), late)$q, q)
    few <- found_groups(n = 56)$q
    expect_length(unasked_samples(few), 3L)
    expect_identical(press_further(few), few)
})

test_that("the guess is in no page before the answers, and its share after them", {
    skip_if_not_installed("htmltools")
    q <- press_further(found_groups()$q)
    words <- page_texts()
    pages <- function(q) page_text(list(
        show_question_page(new_app_state(q), result_options()),
        show_buttons(new_app_state(q), result_options()),
        show_standing(q, words), show_answer_list(new_app_state(q)),
        show_ranking(q), show_progress(q, words)
    ))
    states <- list()
    home <- function(at) match(q$closure$component[q$further$member[at]],
                               q$closure$component[next_pair(q)[-1]])
    # right, another group, a group of its own, can't tell, right
    for (at in 1:5) {
        other <- q
        other$further$member <- rev(other$further$member)
        shown <- pages(q)
        expect_identical(pages(other), shown)
        expect_no_match(shown, "computed right")
        states <- c(states, list(q))
        answer <- switch(at, home(at), home(at) %% 3 + 1, 0, NA, home(at))
        q <- answer_pair(q, answer, source = "web", shown = "names")
    }
    expect_identical(further_right(q), list(right = 2L, placed = 4L))
    expect_match(pages(q), "Of 4 further samples 2 were computed right before")
    # ordinary answers: undone one by one, changed, in the file
    file <- tempfile(fileext = ".csv")
    write_answers(q, file)
    rows <- read_answers(file)
    expect_identical(utils::tail(unique(rows$action), 6), 20:25)
    expect_identical(unique(rows$source[rows$action > 20]), "web")
    again <- questionnaire(q$data, ask = "sort", n = 25, hint = TRUE,
                           answers = rows)
    expect_identical(answer_table(again), answer_table(q))
    second <- q$answers$action[match(q$further$sample[2], q$answers$i)]
    expect_identical(further_right(answer_pair(q, NA, number = second)),
                     list(right = 2L, placed = 3L))
    for (state in rev(states)) {
        q <- undo_answer(q)
        expect_identical(q$pending, state$pending)
        expect_null(further_right(q))
    }
    # before them: the question that was due, and they come again after it
    before <- undo_answer(q)
    expect_false(before$pending[1] %in% q$further$sample)
    expect_identical(answer_pair(before, NA)$pending[1], q$pending[1])
})

test_that("any strategy asks about further samples, then goes on", {
    x <- found_groups()$q$data
    group <- rep(1:3, 20)
    own <- function(now) if (nrow(now$answers) < 30) {
        pair <- c(1, 2) + nrow(now$answers)
        if (now$open(pair[1], pair[2])) pair else c(pair[1], pair[1] + 20)
    }
    for (strategy in list("groups", "random", "perturbation", own)) {
        set.seed(5)
        q <- questionnaire(x, strategy = strategy, ask = "pairs", n = 40)
        q <- answer_all(q, group, 6)
        due <- q$pending
        q <- press_further(q)
        expect_identical(q$max_questions, Inf)
        sample <- q$further$sample
        for (at in 1:5) {
            expect_identical(q$pending[1], sample[at])
            expect_length(q$pending, length(seen_groups(q)) + 1)
            same <- group[q$pending[-1]] == group[q$pending[1]]
            asked <- q$pending
            q <- answer_pair(q, if (length(same) == 1) same else
                c(which(same), 0)[1])
            expect_identical(undo_answer(q)$pending, asked)
        }
        # known of those that the answers join to its group
        at <- relation(q$closure, sample, q$further$member)
        right <- group[sample] == group[q$further$member]
        expect_identical(further_right(q)$placed, if (!all(is.na(at))) sum(!is.na(at)))
        expect_identical(at %in% "must-link", right & !is.na(at))
        # a change of the first answer asks nothing again
        changed <- answer_pair(q, "unsure", number = 1)
        expect_false(any(sample %in% setdiff(changed$pending[1], changed$answers$i)))
        if (identical(strategy, "groups")) expect_identical(q$pending, due)
        expect_length(q$pending, 2L)
    }
})

test_that("the nearest samples of a group join it at once, by one undo they leave", {
    skip_if_not_installed("htmltools")
    q <- found_groups(n = 12, scale = "range")$q
    groups <- seen_groups(q)
    unasked <- setdiff(1:60, unlist(groups))
    # each sample is near the group of the nearest answered one, slowly
    x <- apply(as.matrix(q$data$values), 2, function(v) v / diff(range(v)))
    far <- as.matrix(dist(x))[, unlist(groups)]
    of <- rep(seq_along(groups), lengths(groups))
    for (k in seq_along(groups)) {
        own <- unasked[vapply(unasked, function(i) of[which.min(far[i, ])], 0L) == k]
        far_own <- vapply(own, function(i) min(far[i, ]), 0)
        expect_identical(nearest_of_group(q, groups[[k]], Inf), own[order(far_own)])
    }
    state <- app_step(new_app_state(q), list(what = "result"))
    of <- length(groups)
    # not of another number of groups
    expect_null(app_step(state, list(what = "also", group = 2, of = of - 1))$look)
    state <- app_step(state, list(what = "also", group = 2, of = of))
    also <- c(state$look)
    expect_identical(also, c(groups[[2]][1], nearest_of_group(q, groups[[2]])))
    text <- page_text(show_question_page(state, result_options()))
    expect_length(gregexpr("type=\"checkbox\"", text)[[1]], 8L)
    expect_no_match(text, "checked=|data-pair")
    add <- list(what = "add", answer = "1 3 4 99 x")
    for (other in list(list(answer = ""), list(answer = NULL), list(answer = "99"))) {
        expect_identical(app_step(state, utils::modifyList(add, other))$q, q)
    }
    expect_identical(app_step(new_app_state(q), add)$q, q)
    after <- app_step(state, add, "names+features")
    picked <- also[c(2, 4, 5)]
    rows <- utils::tail(answer_table(after$q), 3)
    expect_identical(rows$i, picked)
    expect_identical(rows$j, rep(also[1], 3))
    said <- rows[c("type", "shown", "time", "source", "origin")]
    expect_identical(unlist(said[1, ], use.names = FALSE), c(
        "must-link", "names+features+nearest", rows$time[1], "web",
        "features in view"))
    expect_identical(nrow(unique(said)), 1L)
    expect_null(after$look)
    expect_true(after$result)
    expect_identical(app_step(after, add)$q, after$q)
    expect_match(say(page_texts(), after$notice$key, count = after$notice$count),
                 "group: 3[.] One undo")
    # as many questions are left as before, and when it is undone
    expect_identical(summary(after$q)$left, summary(q)$left)
    expect_identical(summary(undo_answer(after$q))$left, summary(q)$left)
    # from the file the same, and undone at once there too
    file <- tempfile(fileext = ".csv")
    write_answers(after$q, file)
    again <- questionnaire(q$data, ask = "sort", n = 13, hint = TRUE,
                           answers = read_answers(file))
    expect_identical(summary(again)$left, 1)
    for (now in list(after$q, again)) {
        expect_identical(answer_table(now), answer_table(after$q))
        undone <- app_step(new_app_state(now), list(
            what = "undo", count = 15, shown = samples_text(shown_of(now, 15))))
        expect_identical(undone$notice, list(key = "undone_all", count = 3L))
        expect_identical(answer_table(undone$q), answer_table(q))
        expect_length(undone$q$stability, 12L)
        expect_false(any(undone$q$pending[1] == picked[-1]))
    }
    # also where one was changed since
    changed <- undo_answer(answer_pair(after$q, NA, number = 14))
    expect_identical(count_answers(changed), 12L)
    # one that another window was asked about meanwhile is left out
    stale <- state
    stale$q <- after$q
    add$answer <- "1 2"
    expect_identical(utils::tail(app_step(stale, add)$q$answers$i, 2), also[c(5, 3)])
})

test_that("the page tells groups and their marks, and takes their names", {
    skip_if_not_installed("htmltools")
    state <- app_step(new_app_state(found_groups()$q), list(what = "result"))
    expect_true(state$result)
    text <- page_text(show_question_page(state, result_options()))
    expect_match(text, "Groups so far: 3[.]")
    expect_match(text, ">Ask five more</button>")
    features <- features_of_groups(state$q, seen_groups(state$q))
    own <- vapply(features, function(f) sort(f[1:2]), integer(2))
    expect_setequal(asplit(own, 2), list(1:2, 3:4, 5:6))
    count <- length(seen_groups(state$q))
    expect_false(app_step(state, list(what = "back"))$result)
    # names of groups, back to the cells
    named <- app_step(state, list(what = "name", group = 2, of = count,
                                  answer = "<b> cells"))
    expect_identical(app_step(named, list(what = "name", group = "2", of = count,
                                          answer = "x")), named)
    expect_match(page_text(show_question_page(named, result_options())),
                 "value=\"&lt;b&gt; cells\"", fixed = TRUE)
    # on cards, buttons, ranking and in the dialogue, as text
    own <- seen_groups(named$q)[[2]]
    asked <- set_pending(named$q, c(60L, own[1]))
    card <- page_text(show_question_page(new_app_state(asked), result_options()))
    expect_match(card, "group-name\">&lt;b&gt; cells</span>")
    expect_match(choice_texts(named$q, c(60L, own[1], 1L), page_texts())[["1"]],
                 paste0("<b> cells (", named$q$names[own[1]], ")"), fixed = TRUE)
    named$q$ranking <- list(order = 1:6, score = 6:1, by = "score")
    expect_match(page_text(show_ranking(named$q)), "&lt;b&gt; cells", fixed = TRUE)
    asked$ask <- "sort"
    expect_match(capture.output(show_groups(
        asked, list(), list2env(list(listed = 0L)))), "   1  <b> cells: cell",
        all = FALSE, fixed = TRUE)
    groups <- constraint_groups(pairwise_constraints(named$q),
                                of = named$q$names)
    own <- seen_groups(named$q)[[2]]
    expect_identical(unique(as.character(groups[own])), "<b> cells")
    blind <- result_options()
    blind$names <- FALSE
    blind$words$codes <- paste0("K", 1:60)
    expect_no_match(page_text(show_question_page(state, blind)), "cell[0-9]")
    # who should not see the ranking sees no features of the groups either
    hidden <- page_text(show_question_page(named, c(result_options(), marks = FALSE)))
    expect_match(hidden, "value=\"&lt;b&gt; cells\"", fixed = TRUE)
    expect_no_match(hidden, "strip|What marks")
    # on the map, a place names a sample
    map <- sample_axes(state$q$data, cbind(1:60, 60:1))$axes
    state <- app_step(state, list(what = "peek", x = 10, y = 10))
    expect_match(page_text(show_map(state, map, result_options())), "<b>cell1</b>")
    named$result <- TRUE
    expect_match(page_text(show_map(named, map, result_options())),
                 ">&lt;b&gt; cells</text>", fixed = TRUE)
    expect_no_match(page_text(show_map(state, map, blind)), "cell")
})

test_that("levels are high in no group, and the result is shown", {
    q <- found_groups(scale = "range", as = function(x) {
        data.frame(pain = factor(rep(c("none", "some"), 30)), x)
    })$q
    groups <- seen_groups(q)
    levels <- which(q$data$kind == "factor")
    expect_length(levels, 1L)
    expect_identical(highest_group(q, levels, groups), 0L)
    expect_true(levels %in% q$ranking$order)
    high <- unlist(features_of_groups(q, groups, 12L))
    expect_setequal(high, setdiff(q$ranking$order, levels))
    skip_if_not_installed("htmltools")
    expect_match(page_text(show_result_page(q, result_options())), ">f1<")
    expect_match(page_text(show_ranking(q)), "class=\"group-name\"")
    # without hints it is ranked for this page
    plain <- replace(q, "hint", FALSE)
    plain["ranking"] <- list(NULL)
    state <- app_step(new_app_state(plain), list(what = "result"))
    expect_identical(state$q$ranking, q$ranking)
    skip_if_not_installed("shiny")
    for (one in list(q, plain)) test_page(questionnaire_app(one), {
        session$setInputs(act = list(what = "result"))
        session$elapse(5000)
        expect_match(output$question$html, ">f1<")
    })
})

test_that("a feature is high in the group with the highest mean", {
    q <- found_groups()$q
    groups <- seen_groups(q)
    high <- highest_group(q, 1:6, groups)
    expect_identical(high, vapply(1:6, function(f) {
        which.max(vapply(groups, function(own) {
            mean(as.matrix(q$data$values)[own, f])
        }, 0))
    }, 0L))
    expect_identical(highest_group(q, 1:2, groups[1]), c(0L, 0L))
    q$data$minimum[2] <- q$data$maximum[2]
    expect_identical(highest_group(q, c(3, 2), groups), c(high[3], 0L))
    skip_if_not_installed("htmltools")
    expect_match(page_text(show_ranking(q)), "class=\"group-name\"")
})
