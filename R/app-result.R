# What the questions have found: the groups with what marks each of them; and
# further samples. Pure functions, like those of app-page.R, but for
# ask_further().

show_result_page <- function(q, options) {
    words <- options$words
    groups <- seen_groups(q)
    once <- sum(lengths(groups) == 1L)
    tags$section(
        class = "finished result", tags$h2(say(words, "result")),
        tags$p(say(words, if (once) "groups_once" else "groups_so_far",
                   groups = length(groups), once = once)),
        if (can_ask_further(q)) list(
            tags$p(say(words, "further_help")),
            button_for(act(what = "further", count = count_answers(q)),
                       say(words, "further"))),
        if (!options$evidence) show_found_groups(q, groups, options, FALSE),
        if (!isFALSE(options$marks)) tags$h3(say(words, "marks_title")),
        show_evidence(list(show_found_groups(q, groups, options)), options),
        back_button(words))
}

# The number of a group, or its name, beside its colour: nine of these, then
# they repeat.
group_mark <- function(k, name = "") {
    html_text("<span class=\"group-name\"><i style=\"background:",
              colour_of_group(k), "\"></i>\n",
              htmltools::htmlEscape(ifelse(nzchar(name), name, k)), "</span>")
}

# The name or number of the group of each sample, "" for none, with the numbers
# as attribute `code`.
labels_of_groups <- function(q, code = codes_of_groups(q, seen_groups(q))) {
    label <- group_name(q, seq_along(code))
    structure(ifelse(nzchar(label) | code == 0L, label, code), code = code)
}

colour_of_group <- function(k) {
    c(unname(colours), more_colours)[(k - 1L) %% 9L + 1L]
}

# ---- further samples ---------------------------------------------------------

can_ask_further <- function(q, count = 5L) {
    length(unasked_samples(q)) >= count &&
        all(q$further$sample %in% asked_samples(q))
}

# Five samples of all that nobody was asked about come next, beyond the limit of
# questions; with the groups that are computed of them now.
ask_further <- function(q, count = 5L) {
    able <- unasked_samples(q)
    sample <- able[sample.int(length(able), count)]
    label <- tryCatch(glean_labels(glean_answers_of(q))$cluster,
                      linkrank_error = function(condition) NULL)
    known <- known_rows(q)
    grouped <- c(known$i, known$j)
    member <- grouped[match(label[sample], label[grouped])[seq_len(count)]]
    q$further <- list(after = count_answers(q), sample = sample,
                      member = member)
    q$max_questions <- q$max_questions + count
    if (q$strategy$counts == "questions") q$n <- q$n + count
    advance(q)
}

# ---- what marks a group ------------------------------------------------------

# With the fields where they are not folded away with the features, or shown
# before these.
show_found_groups <- function(q, groups, options, marks = options$marks) {
    words <- options$words
    fields <- options$evidence || isFALSE(marks)
    features <- if (!isFALSE(marks)) features_of_groups(q, groups)
    names <- names_of_groups(q, groups)
    all <- length(groups)
    tags$div(class = "found-groups", lapply(seq_along(groups), function(k) {
        tags$div(
            class = "found-group",
            tags$p(
                group_mark(k, if (fields) "" else names[k]),
                if (fields) tags$input(
                    type = "text", class = "choice", value = names[k],
                    maxlength = 40L, placeholder = say(words, "group_name"),
                    `aria-label` = paste(say(words, "group_name"), k),
                    `data-act` = act(what = "name", group = k, of = all)),
                if (fields) say(words, "group_size",
                                count = length(groups[[k]])),
                if (fields && q$ask == "sort" && length(groups[[k]]) > 1L)
                    button_for(act(what = "also", group = k, of = all),
                               class = "again", say(words, "also"))),
            if (length(features[[k]])) tags$table(tags$tbody(lapply(
                features[[k]], function(f) {
                tags$tr(feature_head(q, f),
                        tags$td(feature_strip(q, f, groups, k, say(
                            words, "strip", feature = q$data$features[f],
                            number = if (nzchar(names[k])) names[k] else k))))
            }))))
    }))
}

# The name that the person gave each group, "" for none.
names_of_groups <- function(q, groups) {
    group_name(q, vapply(groups, `[`, 0L, 1L))
}

# Up to five features that are high in each group: by group_markers(), in groups
# that it leaves out by the ranking.
features_of_groups <- function(q, groups, count = 5L) {
    group <- codes_of_groups(q, groups)
    is.na(group) <- group == 0L
    markers <- tryCatch(suppressMessages(group_markers(q$data, group)),
                        linkrank_error = function(condition) NULL)
    best <- utils::head(q$ranking$order, 200L)
    high <- highest_group(q, best, groups)
    lapply(seq_along(groups), function(k) {
        found <- markers[markers$group == k & markers$cohen_d > 0, ]
        own <- match(found$feature, q$data$features)
        utils::head(if (length(own)) own else best[high == k], count)
    })
}

# The group in which each feature is highest, by the means of its answered
# samples; 0 for levels, constant features and without groups.
highest_group <- function(q, features, groups) {
    if (!length(features) || length(groups) < 2L)
        return(integer(length(features)))
    values <- .Call(C_read_features, q$data, as.integer(features))
    means <- do.call(cbind, lapply(groups, function(group) {
        colMeans(values[group, , drop = FALSE], na.rm = TRUE)
    }))
    high <- max.col(replace(means, is.na(means), -Inf), "first")
    flat <- (q$data$minimum == q$data$maximum)[features]
    replace(high, flat | q$data$kind[features] == "factor", 0L)
}

# Dots from the smallest to the largest value: the group's own samples above,
# the others below, group by group, so that none hides another, in their
# colours.
feature_strip <- function(q, feature, groups, own, label) {
    samples <- unlist(groups)
    values <- .Call(C_read_features, q$data, as.integer(feature))[samples, 1L]
    group <- codes_of_groups(q, groups)[samples]
    x <- 5 + 190 * range_places(q$data, values, feature)
    use <- !is.na(x)
    dots <- sprintf("<circle cx='%.1f' cy='%d' r='3.5' fill='%s'/>", x,
                    ifelse(group == own, 5L, 13L + (8L * group) %/%
                               length(groups)),
                    colour_of_group(group))
    tags$svg(class = "strip", viewBox = "0 0 200 26", role = "img",
             `aria-label` = label,
             htmltools::HTML(paste(dots[use], collapse = "")))
}
