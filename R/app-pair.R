# The two samples on the page: names, descriptions, pictures, features in which
# they differ, and the map. Pure functions, like those of app-page.R.

# `options`: arguments of questionnaire_app(); `source(i)`: the address of the
# picture of a sample, or the condition that prevented it.
show_pair <- function(q, options, source = NULL) {
    if (is.null(q$pending)) {
        return(show_finished_page(q, options))
    }
    tags <- htmltools::tags
    pair <- q$pending
    description <- pair_description(q, pair, options)
    cards <- lapply(1:2, function(side) {
        tags$article(
            class = paste0("card side-", c("a", "b")[side]),
            tags$h2(side_mark(side), show_name(q, pair[side])),
            show_group(q, pair[side]),
            show_picture(source, pair[side], q), description[[side]]
        )
    })
    tags$section(
        `data-pair` = paste(pair, collapse = " "),
        tags$p(class = "hidden announced", paste0(
            "Question ", count_answers(q) + 1L, ": ", show_name(q, pair[1L]),
            " and ", show_name(q, pair[2L]))),
        tags$div(class = "pair", cards), description$both,
        show_evidence(q, pair, options)
    )
}

# A disc for the first sample, a diamond for the second one.
side_mark <- function(side) {
    htmltools::HTML(sprintf(
        "<svg class='mark' viewBox='0 0 12 12' aria-hidden='true'>%s</svg>",
        mark_shape(side, 6, 6, 4.5)
    ))
}

mark_shape <- function(side, x, y, r) {
    if (side == 1L) {
        return(sprintf("<circle class='mark-a' cx='%.1f' cy='%.1f' r='%.1f'/>",
                       x, y, r))
    }
    r <- 1.25 * r
    sprintf(paste0("<path class='mark-b' d='M%.1f %.1fl%.1f %.1fl%.1f %.1f",
                   "l%.1f %.1fz'/>"), x, y - r, r, r, -r, r, -r, -r)
}

# The samples that are known to be in the same group.
show_group <- function(q, i, most = 4L) {
    component <- q$closure$component
    with <- setdiff(which(component == component[i]), i)
    shown <- show_name(q, utils::head(with, most))
    more <- length(with) - length(shown)
    htmltools::tags$p(class = "group", if (length(with)) {
        paste0("same group as ", paste(shown, collapse = ", "),
               if (more > 0L) paste(" and", more, "more"))
    } else {
        "no group yet"
    })
}

# ---- descriptions ------------------------------------------------------------

# list(first, second, both): HTML of the result of `describe`, else of the
# columns in `show`.
pair_description <- function(q, pair, options) {
    facts <- if (length(options$show)) lapply(pair, function(i) {
        show_facts(sample_facts(q$data, i, options$show))
    })
    if (is.null(options$describe)) {
        return(list(facts[[1L]], facts[[2L]], both = NULL))
    }
    value <- NULL
    printed <- utils::capture.output(
        value <- options$describe(pair[1L], pair[2L])
    )
    if (is_two_sides(value)) {
        sides <- lapply(value, function(one) {
            show_facts(check_description(one))
        })
        printed <- if (length(printed)) show_facts(printed)
        return(list(list(facts[[1L]], sides[[1L]]),
                    list(facts[[2L]], sides[[2L]]), both = printed))
    }
    both <- if (is.character(value)) c(printed, value) else
        list(if (length(printed)) show_facts(printed),
             show_facts(check_description(value)))
    if (is.character(both)) {
        both <- show_facts(both)
    }
    list(facts[[1L]], facts[[2L]],
         both = htmltools::tags$div(class = "both", both))
}

is_two_sides <- function(value) {
    is.list(value) && !is.object(value) && length(value) == 2L
}

is_html <- function(value) {
    inherits(value, c("shiny.tag", "shiny.tag.list", "html"))
}

check_description <- function(value) {
    if (!is.null(value) && !is_html(value) && !is.data.frame(value) &&
        !is.atomic(value)) {
        abort_linkrank("`describe` must return text, a named vector, a table, ",
                       "HTML, or a list of two of them, not ",
                       describe_class(value), ".", class = "argument")
    }
    value
}

show_facts <- function(description) {
    tags <- htmltools::tags
    cell <- function(value) format(value, digits = 4L)
    if (is.null(description) || is_html(description)) {
        description
    } else if (is.data.frame(description)) {
        tags$table(
            class = "facts",
            tags$thead(tags$tr(lapply(names(description), tags$th,
                                      scope = "col"))),
            tags$tbody(lapply(seq_len(nrow(description)), function(row) {
                tags$tr(lapply(description, function(column) tags$td(
                    cell(column[row]))))
            }))
        )
    } else if (!is.null(names(description))) {
        tags$table(class = "facts", tags$tbody(Map(function(name, value) {
            tags$tr(tags$th(scope = "row", name), tags$td(cell(value)))
        }, names(description), description)))
    } else {
        tags$div(class = "text", lapply(as.character(description), tags$p))
    }
}

# ---- pictures ----------------------------------------------------------------

show_picture <- function(source, i, q) {
    if (is.null(source)) {
        return(NULL)
    }
    address <- source(i)
    if (inherits(address, "condition")) {
        return(htmltools::tags$p(class = "trouble", paste(
            "The picture could not be drawn:", conditionMessage(address)
        )))
    }
    htmltools::tags$button(
        type = "button", class = "picture", `data-zoom` = address,
        `aria-label` = paste("Enlarge the picture of", show_name(q, i)),
        htmltools::tags$img(src = address,
                            alt = paste("Picture of", show_name(q, i)))
    )
}

picture_kinds <- c(png = "image/png", jpg = "image/jpeg",
                   jpeg = "image/jpeg", gif = "image/gif",
                   svg = "image/svg+xml", webp = "image/webp")

# The image file that picture(i) names, or a PNG of what it draws or returns.
picture_file <- function(picture, i) {
    drawn <- tempfile("linkrank-picture", fileext = ".png")
    value <- NULL
    draw_png(drawn, {
        value <- picture(i)
        if (inherits(value, c("ggplot", "trellis", "recordedplot"))) {
            print(value)
        }
    })
    if (is.character(value) && length(value) == 1L && !is.na(value)) {
        return(check_picture_file(value))
    }
    if (!file.exists(drawn) || file.size(drawn) == 0) {
        abort_linkrank("`picture` must name an image file or draw a plot, but ",
                       "for sample ", i, " it gave ", describe_value(value),
                       ".", class = "argument")
    }
    drawn
}

# There is no file if nothing is drawn. Cairo needs no display.
draw_png <- function(file, drawing) {
    type <- if (capabilities("cairo")) "cairo" else getOption("bitmapType")
    grDevices::png(file, 960, 720, res = 144, type = type)
    device <- grDevices::dev.cur()
    on.exit(grDevices::dev.off(device))
    drawing
}

# The media type for the extension of a name, NA for an unsupported one.
picture_kind <- function(file) {
    unname(picture_kinds[tolower(sub("^.*[.]", "", file))])
}

check_picture_file <- function(file) {
    if (!file.exists(file)) {
        abort_linkrank("`picture` must name an image file, but \"", file,
                       "\" does not exist.", class = "argument")
    }
    if (is.na(picture_kind(file))) {
        abort_linkrank("`picture` must name a file that ends in ",
                       paste(names(picture_kinds), collapse = ", "),
                       ", not \"", basename(file), "\".", class = "argument")
    }
    file
}

# ---- features ----------------------------------------------------------------

show_evidence <- function(q, pair, options) {
    tags <- htmltools::tags
    if (options$differences == 0 && isFALSE(options$map)) {
        return(NULL)
    }
    evidence <- tags$div(
        class = "evidence",
        show_differences(q, pair, options$differences),
        if (!isFALSE(options$map)) {
            tags$div(id = "map", class = "shiny-html-output")
        }
    )
    if (options$evidence) {
        return(evidence)
    }
    tags$div(
        class = "aside",
        tags$p(class = "empty", "The features are folded away, because ",
               "answers based on them add nothing new to the data."),
        tags$details(class = "folded",
                     tags$summary("Features and map"), evidence)
    )
}

show_differences <- function(q, pair, count) {
    if (count == 0) {
        return(NULL)
    }
    tags <- htmltools::tags
    found <- separating_features(q, pair, count)
    values <- if (nrow(found)) .Call(C_read_features, q$data, found$number)
    rows <- lapply(seq_len(nrow(found)), function(at) {
        name <- q$data$features[found$number[at]]
        places <- c(found$first[at], found$second[at])
        tags$tr(
            tags$th(scope = "row", title = name, shorten(name, 24L)),
            tags$td(class = "number", show_value(values[pair[1L], at])),
            tags$td(class = "track",
                    if (q$data$kind[found$number[at]] != "factor") {
                        show_track(100 * places)
                    }),
            tags$td(class = "number", show_value(values[pair[2L], at]))
        )
    })
    tags$table(
        class = "differences",
        tags$caption("Where they differ most", tags$small(
            "track: smallest to largest value of all samples")),
        tags$thead(tags$tr(
            tags$th(scope = "col", "Feature"),
            tags$th(scope = "col", class = "number", side_mark(1L),
                    show_name(q, pair[1L])),
            tags$td(),
            tags$th(scope = "col", class = "number", side_mark(2L),
                    show_name(q, pair[2L]))
        )),
        tags$tbody(rows)
    )
}

show_value <- function(value) {
    if (is.na(value)) "?" else format(signif(value, 3L), digits = 3L)
}

show_track <- function(places) {
    tags <- htmltools::tags
    place <- function(at) sprintf("left:%.1f%%", at)
    tags$div(
        `aria-hidden` = "true",
        tags$i(class = "line", style = sprintf(
            "left:%.1f%%;width:%.1f%%", min(places), abs(diff(places)))),
        tags$i(class = "dot-a", style = place(places[1L])),
        tags$i(class = "dot-b", style = place(places[2L]))
    )
}

# ---- the map -----------------------------------------------------------------

# Coordinates of the samples: a matrix of two columns, NULL for none.
sample_map <- function(map, q) {
    if (isFALSE(map)) {
        return(NULL)
    }
    if (is.null(map)) {
        return(principal_components(q$data))
    }
    if (is.character(map) && is.null(dim(map))) {
        map <- named_map(map, q)
    }
    given <- map
    map <- as.matrix(map)
    if (!is.numeric(map) || nrow(map) != q$samples || ncol(map) < 2L ||
        any(!is.finite(map[, 1:2]))) {
        abort_linkrank("`map` must be a numeric matrix of ", q$samples,
                       " rows and two columns without missing values, not ",
                       if (is.matrix(given)) {
                           paste0("one of type ", typeof(given), " with ",
                                  nrow(given), " rows and ", ncol(given),
                                  " columns")
                       } else {
                           describe_class(given)
                       }, ".", class = "argument")
    }
    map[, 1:2, drop = FALSE]
}

named_map <- function(map, q) {
    known <- names(q$data$spaces)
    if (length(map) != 1L || !map %in% known) {
        abort_linkrank("`map` is ", describe_value(map), ", but `x` has ",
                       if (length(known)) {
                           paste("the reducedDims", quote_values(known))
                       } else {
                           "no reducedDim"
                       }, ".", class = "argument")
    }
    q$data$spaces[[map]]
}

show_map <- function(q, map) {
    pair <- q$pending
    if (is.null(map) || is.null(pair)) {
        return(NULL)
    }
    tags <- htmltools::tags
    explained <- attr(map, "explained")
    title <- paste("Map of the samples:", show_name(q, pair[1L]), "and",
                   show_name(q, pair[2L]), "are", how_far(map, pair))
    tags$figure(
        class = "map",
        tags$figcaption("Among all samples", tags$small(
            if (!is.null(explained)) {
                sprintf("two principal components, %.0f and %.0f %%",
                        100 * explained[1L], 100 * explained[2L])
            })),
        htmltools::HTML(paste0(
            "<svg viewBox='0 0 320 240' role='img' aria-label='",
            htmltools::htmlEscape(title, TRUE), "'>", map_marks(q, map),
            "</svg>"
        ))
    )
}

# At most 1500 samples, evenly selected; those in the group of one of the two
# have its colour. The two samples themselves are drawn last.
map_marks <- function(q, map, most = 1500) {
    pair <- q$pending
    shown <- unique(round(seq(1, nrow(map),
                              length.out = min(nrow(map), most))))
    place <- function(v, from, to) {
        from + (v - min(v)) / max(diff(range(v)), 1e-300) * (to - from)
    }
    x <- place(map[, 1L], 10, 310)
    y <- place(map[, 2L], 230, 10)
    component <- q$closure$component
    kind <- c("", "with-a", "with-b")[1L + match(
        component, component[pair], nomatch = 0L)]
    others <- setdiff(union(shown, which(kind != "")), pair)
    others <- others[order(kind[others])]
    dots <- sprintf("<circle class='%s' cx='%.1f' cy='%.1f' r='3'/>",
                    kind[others], x[others], y[others])
    marks <- vapply(1:2, function(side) {
        mark_shape(side, x[pair[side]], y[pair[side]], 6.5)
    }, "")
    paste(c(dots, marks), collapse = "")
}

how_far <- function(map, pair) {
    distance <- sqrt((map[, 1L] - map[pair[1L], 1L])^2 +
                         (map[, 2L] - map[pair[1L], 2L])^2)
    nearer <- mean(distance[-pair[1L]] < distance[pair[2L]])
    sprintf("more distant than %.0f %% of the samples are from the first one",
            100 * nearer)
}
