# Which pairs contradict each other: cannot-links between samples that
# must-links connect, each with a shortest chain that proves it.

# list(count, at, chains): the number of contradictions; of the first `most`
# the positions of their cannot-links and the chains, sample numbers from one
# end to the other. A pair that is given twice counts once.
find_contradictions <- function(first, second, must_link, most = 10L) {
    if (!any(must_link) || all(must_link)) {
        return(list(count = 0L, at = integer(), chains = list()))
    }
    # only few of many samples may be in a pair
    touched <- sort(unique(c(first, second)))
    a <- match(first, touched)
    b <- match(second, touched)
    component <- .Call(C_components, length(touched), a[must_link],
                       b[must_link])
    wrong <- which(!must_link & component[a] == component[b])
    wrong <- wrong[!duplicated(pair_key(a[wrong], b[wrong], length(touched)))]
    at <- utils::head(wrong, most)
    list(count = length(wrong), at = at, chains = lapply(at, function(row) {
        touched[.Call(C_shortest_path, length(touched), a[must_link],
                      b[must_link], a[row], b[row])]
    }))
}

check_no_contradiction <- function(first, second, must_link, names,
                                   class = "constraints") {
    found <- find_contradictions(first, second, must_link)
    if (found$count) {
        abort_contradictions(found, first, second, names, class)
    }
}

# One sentence that lists them. The condition holds the same as a table.
abort_contradictions <- function(found, first, second, names, class) {
    from <- show_sample(first[found$at], names)
    to <- show_sample(second[found$at], names)
    both <- lengths(found$chains) == 2L
    chains <- vapply(found$chains, show_path, "", names = names)
    said <- ifelse(both, paste0(from, " and ", to, " (given as both)"),
                   paste0(from, " and ", to, " (", chains, ")"))
    rest <- found$count - length(found$at)
    text <- if (found$count > 1L) {
        paste0("The pairs hold ", show_number(found$count), " contradictions, ",
               "a cannot-link and a chain of must-links each: ",
               paste(said, collapse = ", "),
               if (rest) paste0(" and ", show_number(rest), " more"))
    } else if (both) {
        paste0("Samples ", from, " and ", to, " are given both as ",
               "cannot-link and as must-link")
    } else {
        paste0("Samples ", from, " and ", to, " are cannot-linked, but ",
               chains, " is a chain of must-links")
    }
    abort_linkrank(text, "; reconcile_answers() settles answers that disagree.",
                   class = class, fields = list(contradictions = data.frame(
                       first = from, second = to, chain = chains
                   )))
}

# Of a long chain the beginning and the end are shown.
show_path <- function(path, names) {
    shown <- show_sample(path, names)
    if (length(shown) > 12L) {
        shown <- c(shown[1:6], paste0("(", length(shown) - 11L, " more)"),
                   utils::tail(shown, 5L))
    }
    paste(shown, collapse = "-")
}
