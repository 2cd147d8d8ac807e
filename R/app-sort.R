# The sorting question on the page: the new sample, and beside it a card for
# every group, with one of its members and the button that puts the sample
# there. Pure functions, like those of app-page.R.

# Features in a card, so that eight cards can be compared.
features_a_group <- 3

# `shown`: the new sample and the members of the groups; `names`: theirs.
show_sorting <- function(state, shown, names, options, source) {
    q <- state$q
    words <- options$words
    crowded <- is_crowded(shown)
    pairs <- lapply(shown[-1L], function(member) c(shown[1L], member))
    described <- lapply(pairs, pair_description, q = q, options = options)
    tables <- lapply(seq_along(pairs), function(group) {
        # long names would take more space than the features
        heads <- list(tags$span(class = "hidden", names[1L]), group)
        show_differences(q, pairs[[group]], heads, options,
                         min(options$differences, features_a_group))
    })
    cards <- lapply(seq_along(pairs), function(group) {
        show_group_card(state, shown, group, names, options, source, list(
            described[[group]][[2L]], described[[group]]$both,
            if (options$evidence) tables[[group]]
        ))
    })
    map <- if (options$evidence) show_evidence(NULL, options)
    if (crowded && !is.null(map)) {
        map <- tags$details(class = "folded",
                            tags$summary(say(words, "map")), map)
    }
    new <- show_card("a", side_mark(1L), names[1L], shown[1L],
                     tags$p(class = "group", say(words, "new_sample")), source,
                     words, described[[1L]][[1L]])
    list(
        tags$div(
            class = paste0("sorting", if (crowded) " crowded"),
            tags$div(class = "new", new, map),
            tags$div(class = "groups", cards,
                     if (is.null(state$look) && length(pairs) > 1L) {
                         show_join(shown, names, words)
                     })
        ),
        if (!options$evidence) show_evidence(tables, options)
    )
}

# `inside`: what is between picture and button.
show_group_card <- function(state, shown, group, names, options, source,
                            inside) {
    words <- options$words
    member <- group + 1L
    kind <- kind_name(state$q, shown[member])
    show_card(
        "b", list(tags$span(class = "group-mark", group), if (nzchar(kind))
            tags$span(class = "kind-mark", kind), " "), names[member],
        shown[member],
        if (options$names) show_group(state$q, shown[member], words, NULL),
        source, words, inside,
        answer_button(state, as.character(group), say(words, "like_this"),
                      c(if (group < 10L) group, if (length(shown) == 2L) "y"),
                      "must-link like", words)
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
