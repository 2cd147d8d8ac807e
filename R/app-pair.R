# A question on the page: two samples, or one beside the groups, with what is
# known of them.

# ==== two samples =============================================================

# The two samples on the page: names, descriptions, pictures, features in which
# they differ, and the map. Pure functions, like those of app-page.R.

# The question that is due, or an earlier one that is shown again. `options`:
# see questionnaire_app(); `source(i)`: the address of the picture of a sample,
# or the condition that prevented it.
show_question_page <- function(state, options, source = NULL) {
    q <- state$q
    words <- options$words
    shown <- shown_samples(state)
    if (isTRUE(state$result) && is.null(state$look))
        return(show_result_page(q, options))
    if (is.null(shown)) return(show_finished_page(q, options))
    samples <- on_sides(q, shown, options)
    names <- show_names(q, samples, words)
    tags$section(
        `data-pair` = if (!is_offer(state)) page_ids(shown, words),
        class = if (!is.null(state$look)) "again",
        `data-remark` = if (!is.null(state$look)) {
            remark_on(q, named_answer(q, samples_text(shown)))
        },
        # what an earlier answer is, and the way back
        if (!is.null(state$look)) {
            tags$p(class = "given-before", tags$b(look_line(state, words)),
                   back_button(words))
        } else if (shown[1L] %in% q$further$sample) {
            left <- setdiff(q$further$sample, asked_samples(q))
            tags$p(class = "offer",
                   say(words, "further_now", count = length(left)))
        } else if (offers_sorting(q)) {
            tags$p(class = "offer", say(words, "many_groups"), " ",
                   button_for(act(what = "sort"), say(words, "sort")))
        },
        if (is_sorted(q, shown)) {
            show_sorting(state, samples, options, source)
        } else {
            show_pair(q, samples, names, options, source)
        }
    )
}

show_pair <- function(q, pair, names, options, source) {
    description <- pair_description(q, pair, options)
    curves <- show_curves(q, pair, names, options)
    cards <- lapply(1:2, function(side) {
        show_card(c("a", "b")[side], side_mark(side), names[side], pair[side],
                  if (options$names) show_group(q, pair[side], options$words),
                  source, options$words, curves[[side]], description[[side]])
    })
    list(tags$div(class = "pair", cards), description$both,
         show_evidence(show_differences(q, pair, names, options), options))
}

# A sample with its picture; `mark`: that before its name; `group`: which others
# it belongs to.
show_card <- function(side, mark, name, i, group, source, words, ...,
                      style = NULL) {
    tags$article(class = paste0("card side-", side), style = style,
                 tags$h2(title = name, mark, name), group,
                 show_pictures(source, i, name, words), ...)
}

# Without names, the sides of a pair are at random, but the same whenever it is
# shown.
on_sides <- function(q, shown, options) {
    swap <- !options$names && !is_sorted(q, shown) &&
        sum(options$sides[shown]) %% 2 >= 1
    if (swap) rev(shown) else shown
}

back_button <- function(words) {
    button_for(act(what = "back"), class = "back", say(words, "back"),
               tags$kbd("Esc"))
}

look_line <- function(state, words) {
    if (is_offer(state)) return(say(words, "also_help"))
    number <- named_answer(state$q, samples_text(state$look))
    said <- action_table(state$q)$said[number]
    answer <- choice_texts(state$q, state$look, words)[[said]]
    say(words, "given_before", number = number, answer = answer)
}

# One line for screen readers.
question_line <- function(state, options) {
    q <- state$q
    words <- options$words
    shown <- shown_samples(state)
    if (is.null(shown))
        return(say(words, if (state$result) "result" else "finished"))
    about <- if (!is.null(state$look)) look_line(state, words) else
        say(words, "question_line", number = count_answers(q) + 1L)
    paste0(about, ": ", toString(show_names(q, on_sides(q, shown, options),
                                            words)))
}

# A disc for the first sample, a diamond for the second one.
side_mark <- function(side) {
    tags$svg(class = "mark", viewBox = "0 0 12 12", `aria-hidden` = "true",
             htmltools::HTML(mark_shape(side, 6, 6, 4.5)))
}

mark_shape <- function(side, x, y, r, style = "") {
    if (side == 1L)
        return(sprintf("<circle class='mark-a' cx='%.1f' cy='%.1f' r='%.1f'/>",
                       x, y, r))
    r <- 1.25 * r
    sprintf(paste0("<path class='mark-b' style='%s' d='M%.1f %.1fl%.1f %.1f",
                   "l%.1f %.1fl%.1f %.1fz'/>"), style, x, y - r, r, r, -r, r,
            -r, -r)
}

# The samples that are known to be in the same group; `none`: what is said where
# there are none.
show_group <- function(q, i, words, none = say(words, "no_group"), most = 4L) {
    component <- q$closure$component
    with <- setdiff(which(component == component[i]), i)
    more <- length(with) - most
    shown <- paste(c(show_names(q, utils::head(with, most), words),
                     if (more > 0L) paste0("+", more)), collapse = ", ")
    tags$p(class = "group",
           if (length(with)) say(words, "group", names = shown) else none)
}

# ---- descriptions ------------------------------------------------------------

# list(first, second, both): HTML of the result of `describe`, else of the
# columns in `show`. Where `describe` fails, the samples are described one by
# one, and a sentence says why one is not.
pair_description <- function(q, pair, options) {
    facts <- if (length(options$show)) lapply(pair, function(i) {
        show_facts(sample_facts(q$data, i, options$show))
    })
    found <- if (!is.null(options$describe)) tryCatch(
        describe_pair_html(options$describe, pair),
        error = function(condition) describe_alone(options, pair, condition))
    list(list(facts[[1L]], found[[1L]]), list(facts[[2L]], found[[2L]]),
         both = found$both)
}

describe_pair_html <- function(describe, pair) {
    value <- NULL
    printed <- utils::capture.output(value <- describe(pair[1L], pair[2L]))
    if (is.character(value) && !is_html(value)) {
        # one text
        value <- c(printed, value)
        printed <- NULL
    }
    both <- if (length(printed)) show_facts(printed)
    if (is.list(value) && !is.object(value) && length(value) == 2L) {
        sides <- lapply(unname(value), show_facts)
        return(c(sides, list(both = both)))
    }
    list(NULL, NULL, both = tags$div(
        class = "both", both, show_facts(value)))
}

# Each sample beside itself shows which of the two cannot be described.
describe_alone <- function(options, pair, condition) {
    trouble <- function(why) show_trouble("no_description", why, options$words)
    sides <- lapply(pair, function(i) {
        tryCatch(describe_pair_html(options$describe, c(i, i))[[1L]],
                 error = trouble)
    })
    c(sides, list(both = if (is.null(sides[[1L]]) || is.null(sides[[2L]]))
        trouble(condition)))
}

# A sentence, and a button: what failed is tried again.
show_trouble <- function(name, condition, words) {
    tags$p(
        class = "trouble", role = "alert",
        say(words, name, why = conditionMessage(condition)),
        button_for(act(what = "again"), class = "again",
                   say(words, "try_again")))
}

is_html <- function(value) {
    inherits(value, c("shiny.tag", "shiny.tag.list", "html"))
}

show_facts <- function(description) {
    if (is.null(description) || is_html(description)) return(description)
    named <- names(description)
    table <- is.data.frame(description)
    refuse_class_if(!table && !is.atomic(description), description,
                    "`describe` must return text, a named vector, a table, ",
                    "HTML, or a list of two of them")
    if (is.null(named)) {
        return(tags$div(class = "text",
                        lapply(as.character(description), tags$p)))
    }
    cell <- function(value) tags$td(if (is.list(value)) value else
        format(value, digits = 4L))
    rows <- if (table) lapply(seq_len(nrow(description)), function(row) {
        lapply(description, function(column) cell(column[row]))
    }) else Map(function(name, value) {
        list(tags$th(scope = "row", name), cell(value))
    }, named, description)
    tags$table(
        class = "facts",
        if (table) tags$thead(tags$tr(lapply(named, tags$th, scope = "col"))),
        tags$tbody(lapply(unname(rows), tags$tr)))
}

# ---- pictures ----------------------------------------------------------------

show_pictures <- function(source, i, name, words) {
    if (is.null(source)) return(NULL)
    address <- source(i)
    if (inherits(address, "condition"))
        return(show_trouble("no_picture", address, words))
    tags$div(class = "pictures", lapply(address, function(one) {
        tags$button(
            type = "button", class = "picture", `data-zoom` = one,
            `aria-label` = say(words, "enlarge", name = name),
            tags$img(src = one, alt = say(words, "picture", name = name)))
    }))
}

# Of a sample whose picture this window has shown.
show_thumb <- function(source, i) {
    address <- if (!is.null(source)) source(i, known = TRUE)
    if (is.character(address))
        tags$img(class = "thumb", src = address[1L], alt = "")
}

# ---- features ----------------------------------------------------------------

# `tables`: of features, shown with the map.
show_evidence <- function(tables, options) {
    tables <- Filter(Negate(is.null), tables)
    if (!length(tables) && isFALSE(options$map)) return(NULL)
    evidence <- tags$div(
        class = "evidence", tables, if (!isFALSE(options$map))
            tags$div(id = "map", class = "shiny-html-output"))
    if (options$evidence) return(evidence)
    tags$div(
        class = "aside", tags$p(class = "empty", say(options$words, "folded")),
        tags$details(class = "folded",
                     tags$summary(say(options$words, "evidence")), evidence))
}

# In what two samples differ, with their places between the smallest and the
# largest value. `names`: of the two.
show_differences <- function(q, pair, names, options,
                             count = options$differences,
                             found = separating_features(q, pair, count)) {
    words <- options$words
    if (count == 0) return(NULL)
    if (!nrow(found)) {
        return(if (is.null(options$curve)) list(
            tags$p(class = "empty", say(words, "differ_nowhere"))))
    }
    flags <- c(say(words, "no"), say(words, "yes"))
    cells <- cell_words(q$data, found, flags)
    cells[] <- htmltools::htmlEscape(cells)
    level <- paste0("<td class=\"levels\" colspan=\"3\">", side_mark(1L),
                    cells[1L, ], "\n", side_mark(2L), cells[2L, ], "</td>")
    rows <- ifelse(q$data$kind[found$number] == "factor", level, paste0(
        "<td class=\"number\">", cells[1L, ], "</td><td class=\"track\">",
        show_track(100 * found$first, 100 * found$second),
        "</td><td class=\"number\">", cells[2L, ], "</td>"))
    heads <- lapply(1:2, function(side) tags$th(
        scope = "col", class = "number", side_mark(side), names[[side]]))
    list(tags$table(
        class = "differences",
        tags$caption(say(words, "differ"), tags$small(say(words, "track"))),
        tags$thead(tags$tr(tags$th(scope = "col", say(words, "feature")),
                           heads[1L], tags$td(), heads[2L])),
        tags$tbody(html_text("<tr>", feature_head(q, found$number), rows,
                             "</tr>"))))
}

feature_head <- function(q, feature, width = 24L) {
    name <- q$data$features[feature]
    html_text("<th scope=\"row\" title=\"", htmltools::htmlEscape(name, TRUE),
              "\">", htmltools::htmlEscape(shorten(name, width)), "</th>")
}

# One for each pair of places, in percent.
show_track <- function(first, second) {
    mark <- function(side, size) paste0(
        "<svg x='%1$.1f%%' y='50%%'>", mark_shape(side, 0, 0, size), "</svg>")
    sprintf(paste0(
        "<svg aria-hidden='true'><line x1='0' x2='100%%' y1='50%%' y2='50%%'/>",
        "<line x1='%1$.1f%%' x2='%2$.1f%%' y1='50%%' y2='50%%'/>",
        mark(1L, 5.6), gsub("%1", "%2", mark(2L, 5)), "</svg>"), first, second)
}

# ---- curves ------------------------------------------------------------------

# A curve for the card of each sample that is `shown`, on one scale, over that
# of the first one.
show_curves <- function(q, shown, names, options) {
    if (is.null(options$curve)) return(NULL)
    at <- some_of(options$curve, 200)
    cells <- sample_cells(q$data, shown)[, at]
    y <- 1 + 38 * (max(cells, na.rm = TRUE) - cells) /
        max(diff(range(cells, na.rm = TRUE)), 1e-300)
    x <- seq(0, 200, length.out = length(at))
    lines <- apply(y, 1L, function(y) {
        points <- sprintf("%.1f,%.1f", x, y)[!is.na(y)]
        paste0("<polyline points='", paste(points, collapse = " "), "'/>")
    })
    lapply(seq_along(shown), function(own) tags$svg(
        class = "curve", viewBox = "0 0 200 40", preserveAspectRatio = "none",
        role = "img", `aria-label` = say(options$words, "picture",
                                         name = names[own]),
        htmltools::HTML(paste(lines[unique(c(1L, own))], collapse = ""))))
}

# ---- the map -----------------------------------------------------------------

# With the dot that was clicked, whose sample is shown below.
show_map <- function(state, map, options, source = NULL) {
    q <- state$q
    shown <- shown_samples(state)
    if (is.null(map) || is.null(shown) && !isTRUE(state$result)) return(NULL)
    words <- options$words
    explained <- sprintf("%.0f", 100 * attr(map, "explained"))
    sorted <- !is.null(shown) && is_sorted(q, shown)
    shown <- if (!is.null(shown)) on_sides(q, shown, options)
    place <- function(v, from, to) {
        from + (v - min(v)) / max(diff(range(v)), 1e-300) * (to - from)
    }
    places <- cbind(place(map[, 1L], 10, 310), place(map[, 2L], 230, 10))
    peek <- if (!is.null(state$peek)) which.min(
        (places[, 1L] - state$peek[1L])^2 + (places[, 2L] - state$peek[2L])^2)
    groups <- seen_groups(q)
    tags$figure(
        class = "map",
        tags$figcaption(say(words, "map"), tags$small(
            if (length(explained)) {
                say(words, "components", first = explained[1L],
                    second = explained[2L])
            })),
        tags$svg(viewBox = "0 0 320 240", role = "img",
                 `aria-label` = toString(c(say(words, "map"),
                                           show_names(q, shown, words))),
                 htmltools::HTML(map_marks(q, places, shown, sorted, groups,
                                           peek))),
        if (is.null(peek)) tags$p(class = "empty", say(words, "peek_help")) else
            show_peek(q, peek, groups, options, source))
}

show_peek <- function(q, i, groups, options, source) {
    name <- if (options$names) show_names(q, i, options$words)
    described <- pair_description(q, c(i, i), options)
    group <- codes_of_groups(q, groups)[i]
    tags$div(class = "peek", role = "status",
             tags$p(if (group > 0L) group_mark(group, group_name(q, i)),
                    tags$b(name)),
             show_pictures(source, i, name, options$words), described[[1L]],
             described$both)
}

# At most 1500 samples, evenly selected, and all of known groups, in their
# colours, each group with its number. The samples of the question are drawn
# last, the members of groups with their numbers.
map_marks <- function(q, places, shown, sorted, groups, peek, most = 1500) {
    x <- places[, 1L]
    y <- places[, 2L]
    group <- codes_of_groups(q, groups)
    names <- names_of_groups(q, groups)
    others <- some_of(seq_len(q$samples), most)
    others <- setdiff(union(others, which(group > 0L)), shown)
    others <- others[order(group[others] > 0L)]
    colour <- colour_of_group(group[others])
    dots <- sprintf("<circle%s cx='%.1f' cy='%.1f' r='3'/>", ifelse(
        group[others] > 0L, paste0(" style='fill:", colour, "'"), ""),
        x[others], y[others])
    label <- function(x, y, text, class) sprintf(
        "<text class='%s' x='%.1f' y='%.1f'>%s</text>", class, x, y, text)
    texts <- ifelse(names == "", seq_along(groups),
                    htmltools::htmlEscape(shorten(names, 16L)))
    numbers <- if (!sorted) vapply(seq_along(groups), function(k) {
        label(stats::median(x[groups[[k]]]), stats::median(y[groups[[k]]]) - 8,
              texts[k], "number")
    }, "")
    # the new sample last: it may cover a group, never the reverse
    marks <- vapply(rev(seq_along(shown)), function(at) {
        i <- shown[at]
        paste0(mark_shape(min(at, 2L), x[i], y[i], if (sorted) 8 else 6.5,
                          if (sorted) colour_style(group[i]) else ""),
               if (sorted && at > 1L) label(x[i], y[i], at - 1L, "at"))
    }, "")
    ring <- sprintf("<circle class='ring' cx='%.1f' cy='%.1f' r='7'/>", x[peek],
                    y[peek])
    paste(c(dots, numbers, marks, ring), collapse = "")
}

# ==== one sample and the groups ===============================================

# The sorting question on the page: the new sample, and beside it a card for
# every group, with one of its members and the button that puts the sample
# there; or a sample of a group, and beside it those that may be put there, each
# with a box. Pure functions, like those of app-page.R.

# `all`: the new sample and the members of the groups.
show_sorting <- function(state, all, options, source) {
    q <- state$q
    words <- options$words
    groups <- seen_groups(q)
    codes <- codes_of_groups(q, groups)
    offer <- is_offer(state)
    some <- length(all) - 1L > groups_in_place && is.null(state$look) &&
        !identical(state$wide, q$pending)
    shown <- if (some) utils::head(all, groups_at_once + 1L) else all
    names <- show_names(q, shown, words)
    named <- group_name(q, shown)
    rest <- length(all) - length(shown)
    curves <- show_curves(q, shown, names, options)
    pairs <- lapply(shown[-1L], function(member) c(shown[1L], member))
    described <- lapply(pairs, pair_description, q = q, options = options)
    # three, so that eight cards can be compared; long names would take more
    # space than the features
    count <- min(options$differences, 3)
    found <- if (count > 0)
        separating_of_each(q, pairs, count, q$around(shown))
    tables <- lapply(seq_along(pairs), function(group) {
        heads <- list(tags$span(class = "hidden", names[1L]), group)
        show_differences(q, pairs[[group]], heads, options, count,
                         found[[group]])
    })
    this <- say(words, "like_this")
    cards <- lapply(seq_along(pairs), function(group) {
        member <- shown[group + 1L]
        show_card(
            "b", if (!offer) card_mark(group, codes[member], length(groups),
                                       named[group + 1L], words),
            names[group + 1L], member,
            if (options$names) show_group(q, member, words, NULL), source,
            words, curves[[group + 1L]], described[[group]][[2L]],
            described[[group]]$both, if (options$evidence) tables[[group]],
            # app.js sends the numbers of those that are checked
            if (offer) tags$label(class = "letters", tags$input(
                type = "checkbox", class = "also", value = group
            ), this) else
                answer_button(state, as.character(group), this, words),
            style = colour_style(codes[member]))
    })
    map <- if (options$evidence && !offer) show_evidence(NULL, options)
    if (is_crowded(shown) && !is.null(map)) {
        map <- tags$details(class = "folded",
                            tags$summary(say(words, "map")), map)
    }
    mark <- if (!offer) side_mark(1L) else
        group_mark(codes[shown[1L]], named[1L])
    group <- if (!offer) tags$p(class = "group", say(words, "new_sample")) else
        if (options$names) show_group(q, shown[1L], words)
    new <- show_card("a", mark, names[1L], shown[1L], group, source, words,
                     curves[[1L]], described[[1L]][[1L]])
    list(
        tags$div(
            class = "sorting", tags$div(class = "new", new, map),
            tags$div(class = "groups", cards),
            if (rest > 0L) button_for(
                act(what = "groups"), class = "more", `data-key` = "m",
                say(words, "more_groups", count = rest), tags$kbd("M")),
            if (is.null(state$look) && length(pairs) > 1L)
                show_join(all, show_names(q, all, words), words)),
        if (offer) button_for(act(what = "add"), class = "primary",
                              say(words, "also_add")),
        if (!options$evidence && !offer) show_evidence(tables, options))
}

# The key of a card and the name of its group, which a click changes where it is
# certainly one, that with the number `code`.
card_mark <- function(key, code, of, name, words) {
    tag <- if (code == 0L) tags$span else function(...) button_for(
        act(what = "name", group = code, of = of),
        title = say(words, "group_name"), ...)
    tag(class = "group-mark", key,
        if (nzchar(name)) tags$span(class = "group-name", name))
}

# As a style: what is orange otherwise is in the colour of the group.
colour_style <- function(group) {
    if (group > 0L) paste0("--b:", colour_of_group(group)) else ""
}

# More groups leave no space for the map.
is_crowded <- function(shown) length(shown) > 5L

# Says that two of the groups are one.
show_join <- function(shown, names, words) {
    menu <- function(chosen) tags$select(
        `aria-label` = say(words, "join"),
        lapply(seq_along(shown[-1L]), function(group) tags$option(
            value = group, selected = if (group == chosen) NA,
            paste(group, names[group + 1L]))))
    tags$p(
        class = "join", `data-act` = act(
            what = "answer", shown = page_ids(shown, words)),
        say(words, "join"), tags$kbd("J"), menu(1L), "=", menu(2L),
        tags$button(type = "button", say(words, "join_them")))
}
