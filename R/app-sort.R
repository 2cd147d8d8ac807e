# The sorting question on the page: the new sample, and beside it a card for
# every group, with one of its members and the button that puts the sample
# there. Pure functions, like those of app-page.R.

# Features in a card, so that eight cards can be compared.
features_a_group <- 3

# `shown`: the new sample and the members of the groups; `names`: theirs.
show_sorting <- function(state, shown, names, options, source) {
    q <- state$q
    words <- options$words
    groups <- seq_along(shown[-1L])
    described <- lapply(groups, function(group) {
        pair_description(q, shown[c(1L, group + 1L)], options)
    })
    near <- if (options$differences > 0) near_samples(q, shown)
    tables <- lapply(groups, function(group) {
        # long names would take more space than the features
        heads <- list(tags$span(class = "hidden", names[1L]), group)
        show_differences(q, shown[c(1L, group + 1L)], heads, options,
                         min(options$differences, features_a_group), near,
                         share = FALSE)
    })
    cards <- lapply(groups, function(group) {
        tags$article(
            class = "card side-b",
            tags$h2(tags$span(class = "group-mark", group), " ",
                    names[group + 1L]),
            if (options$names) show_group(q, shown[group + 1L], words, NULL),
            show_pictures(source, shown[group + 1L], names[group + 1L], words),
            described[[group]][[2L]], described[[group]]$both,
            if (options$evidence) tables[[group]],
            if (options$evidence && !is.null(near)) {
                show_shared(q, shown[c(1L, group + 1L)], near, words)
            },
            answer_button(state, as.character(group), say(words, "like_this"),
                          c(if (group < 10L) group,
                            if (length(groups) == 1L) "y"),
                          "must-link like", words)
        )
    })
    map <- if (options$evidence) show_evidence(NULL, options)
    list(
        tags$div(
            class = paste0("sorting", if (is_crowded(shown)) " crowded"),
            tags$div(
                class = "new",
                tags$article(
                    class = "card side-a",
                    tags$h2(side_mark(1L), names[1L]),
                    tags$p(class = "group", say(words, "new_sample")),
                    show_pictures(source, shown[1L], names[1L], words),
                    described[[1L]][[1L]]
                ),
                if (is_crowded(shown) && !is.null(map)) {
                    tags$details(class = "folded",
                                 tags$summary(say(words, "map")), map)
                } else {
                    map
                }
            ),
            tags$div(class = "groups", cards,
                     if (is.null(state$look) && length(groups) > 1L) {
                         show_join(shown, names, words)
                     })
        ),
        if (!options$evidence) show_evidence(tables, options)
    )
}

# More groups leave no space for the map.
is_crowded <- function(shown) length(shown) > 5L

# Says that two of the groups are one.
show_join <- function(shown, names, words) {
    menu <- function(chosen) tags$select(
        `aria-label` = say(words, "join"),
        lapply(seq_along(shown[-1L]), function(group) tags$option(
            value = group, selected = if (group == chosen) NA,
            paste(group, names[group + 1L])
        ))
    )
    tags$p(
        class = "join", `data-act` = act(
            what = "answer", shown = page_ids(shown, words)
        ),
        say(words, "join"), tags$kbd("J"), menu(1L), "=", menu(2L),
        tags$button(type = "button", say(words, "join_them"))
    )
}

show_shared <- function(q, pair, near, words) {
    names <- shared_names(q, pair, near)
    if (!is.null(names)) {
        tags$p(class = "group", paste0(say(words, "both_high"), ": ",
                                                  names))
    }
}
