# What the questions have found: the kinds with what marks each of them, and
# samples to check. Pure functions, like those of
# app-page.R, but for draw_trial().

show_result_page <- function(q, options, source) {
    words <- options$words
    kinds <- seen_kinds(q)
    trial <- lapply(seq_along(q$trial$sample), show_trial_sample, q = q,
                    kinds = kinds, options = options, source = source)
    right <- trial_verdicts(q)
    count <- sum(!is.na(right))
    once <- sum(lengths(kinds) == 1L)
    tags$section(
        class = "finished result",
        tags$p(class = "hidden announced", say(words, "result")),
        tags$h2(say(words, "result")),
        tags$p(say(words, if (once) "kinds_once" else "kinds_so_far",
                   kinds = length(kinds), once = once)),
        if (length(trial)) list(tags$h3(say(words, "check_title")),
                                tags$p(say(words, "check_help")),
                                tags$div(class = "groups", trial)),
        if (count) tags$p(tags$b(say(words, "check_share", count = count,
                                     right = sum(right, na.rm = TRUE)))),
        tags$h3(say(words, "marks_title")),
        show_evidence(list(show_kinds(q, kinds, words)), options),
        tags$div(class = "ways", back_button(words))
    )
}

# The number of a kind beside its colour: nine of these, then they repeat.
kind_mark <- function(k) {
    tags$span(class = "kind-mark", tags$i(style = paste0(
        "background:", kind_colour(k))), k)
}

kind_colour <- function(k) style_of(9L)$colour[(k - 1L) %% 9L + 1L]

# ---- samples to check --------------------------------------------------------

# The questionnaire with samples to check, drawn anew after further questions:
# trial = list(at, sample, member, order): the number of questions, the
# samples, one member each of the predicted group, and the features, the best
# first.
draw_trial <- function(q, count = 5L) {
    at <- count_asked(q)
    if (identical(q$trial$at, at)) {
        return(q)
    }
    q$trial <- list(at = at, sample = integer(), member = integer())
    ranking <- tryCatch(glean_answers_of(q), linkrank_error = function(e) NULL)
    founders <- vapply(seen_kinds(q), `[`, 0L, 1L)
    if (is.null(ranking) || length(founders) < 2L) {
        return(q)
    }
    label <- glean_labels(ranking)
    home <- match(label$cluster, label$cluster[founders])
    seen <- c(q$pending, q$first, q$second, q$others$first, q$others$second)
    able <- setdiff(which(label$confidence >= 0.3 & !is.na(home)), seen)
    q$trial$sample <- able[sample.int(length(able), min(count, length(able)))]
    q$trial$member <- founders[home[q$trial$sample]]
    q$trial$order <- match(ranking$feature, q$data$features)
    q
}

# A card for each: the sample beside a member of the predicted kind, and the
# buttons; answered ones say how.
show_trial_sample <- function(at, q, kinds, options, source) {
    words <- options$words
    sample <- q$trial$sample[at]
    members <- trial_members(q, at)
    numbers <- kind_codes(q, kinds)[members]
    name <- show_names(q, sample, words)
    row <- match(sample, q$first)
    texts <- c(say(words, "like_kind", number = numbers),
               say(words, "like_none"), say(words, "cannot_tell"))
    choices <- c(seq_along(members), "0", "unsure")
    described <- pair_description(q, c(sample, members[1L]), options)
    tags$article(
        class = "card", tags$h4(name),
        show_pictures(source, sample, name, words), described[[1L]],
        tags$p(class = "group", kind_mark(numbers[1L]),
               say(words, "check_guess", number = numbers[1L])),
        show_pictures(source, members[1L], show_names(q, members[1L], words),
                      words),
        described[[2L]], described$both,
        if (is.na(row)) {
            list(button_for(
                act(what = "check", at = at, answer = "1", of = length(kinds)),
                texts[1L]
            ), tags$select(
                class = "choice",
                `aria-label` = paste0(name, ": ", say(words, "otherwise")),
                `data-act` = act(what = "check", at = at, of = length(kinds)),
                tags$option(value = "", say(words, "otherwise")),
                Map(function(choice, text) tags$option(value = choice, text),
                    choices[-1L], texts[-1L])
            ))
        } else {
            right <- trial_verdicts(q)[as.character(q$action[row])]
            tags$p(tags$b(say(words, if (is.na(right)) "cannot_tell" else
                if (right) "confirmed" else "corrected")))
        }
    )
}

# ---- what marks a kind -------------------------------------------------------

show_kinds <- function(q, kinds, words) {
    features <- kind_features(q, kinds)
    names <- kind_names(q, kinds)
    tags$div(class = "kinds", lapply(seq_along(kinds), function(k) {
        tags$div(
            class = "kind",
            tags$p(kind_mark(k), tags$input(
                type = "text", class = "choice", value = names[k],
                maxlength = 40L, placeholder = say(words, "kind_name"),
                `aria-label` = paste(say(words, "kind_name"), k),
                `data-act` = act(what = "name", kind = k, of = length(kinds))
            ), say(words, "kind_size", count = length(kinds[[k]]))),
            tags$table(tags$tbody(lapply(features[[k]], function(f) {
                tags$tr(feature_head(q, f),
                        tags$td(feature_strip(q, f, kinds, k, words)))
            })))
        )
    }))
}

# The number of the kind of each sample, 0 for none.
kind_codes <- function(q, kinds) {
    codes <- integer(q$samples)
    replace(codes, unlist(kinds), rep(seq_along(kinds), lengths(kinds)))
}

# The name that the person gave each kind, "" for none.
kind_names <- function(q, kinds) {
    named <- group_names(q)
    component <- q$closure$component
    name <- named$name[match(component[vapply(kinds, `[`, 0L, 1L)],
                             component[named$sample])]
    ifelse(is.na(name), "", name)
}

# Up to five features that are high in each kind: by group_markers(), in kinds
# that it leaves out by the ranking.
kind_features <- function(q, kinds, count = 5L) {
    group <- kind_codes(q, kinds)
    is.na(group) <- group == 0L
    markers <- tryCatch(suppressMessages(group_markers(q$data, group)),
                        linkrank_error = function(condition) NULL)
    best <- utils::head(q$trial$order %||% q$ranking$order, 200L)
    high <- highest_kind(q, best, kinds)
    lapply(seq_along(kinds), function(k) {
        found <- markers[markers$group == k & markers$cohen_d > 0, ]
        own <- match(found$feature, q$data$features)
        utils::head(if (length(own)) own else best[high == k], count)
    })
}

# The kind in which each feature is highest, by the means of its answered
# samples; 0 for levels and without kinds.
highest_kind <- function(q, features, kinds) {
    if (!length(features) || length(kinds) < 2L) {
        return(integer(length(features)))
    }
    values <- .Call(C_read_features, q$data, as.integer(features))
    means <- do.call(cbind, lapply(kinds, function(kind) {
        colMeans(values[kind, , drop = FALSE], na.rm = TRUE)
    }))
    high <- max.col(replace(means, is.na(means), -Inf), "first")
    replace(high, q$data$kind[features] == "factor", 0L)
}

# Dots from the smallest to the largest value: the kind's own samples above, the
# others below, all in the colours of their kinds.
feature_strip <- function(q, feature, kinds, own, words) {
    values <- .Call(C_read_features, q$data, as.integer(feature))[, 1L]
    samples <- unlist(kinds)
    kind <- kind_codes(q, kinds)[samples]
    x <- 5 + 190 * range_places(values, samples)
    use <- !is.na(x)
    dots <- sprintf("<circle cx='%.1f' cy='%d' r='3.5' fill='%s'/>", x,
                    ifelse(kind == own, 6L, 16L),
                    kind_colour(kind))
    label <- say(words, "strip", feature = q$data$features[feature],
                 number = own)
    tags$svg(class = "strip", viewBox = "0 0 200 22", role = "img",
             `aria-label` = label,
             htmltools::HTML(paste(dots[use], collapse = "")))
}
