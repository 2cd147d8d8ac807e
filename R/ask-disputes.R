# Settling what raters dispute. Field `said` of a questionnaire: all that they
# answered, as rows of a file, with `disputed`: is the pair asked about?

# Are these tables or files of raters, or what reconcile_answers() made of those
# who sorted, not the answers of this questionnaire?
are_disputed <- function(answers) {
    is.character(answers) || inherits(answers, "pairwise_constraints") &&
        length(disputed_between(answers)) > 0L ||
        is.list(answers) && !is.object(answers) && length(answers) > 1L
}

take_disputes <- function(q, answers) {
    refuse_class_if(!are_disputed(answers), answers, "`answers` must be a ",
                    "list of the tables or files of raters, or what they ",
                    "dispute who sorted", class = "answers")
    q$whole <- TRUE
    if (is.object(answers)) return(take_others(q, read_others(answers, q)))
    rows <- read_raters(answers, q)
    refuse_if(length(unique(rows$rater)) < 2L, "`answers` must be of two ",
              "raters or more, but all are of ",
              quote_values(c(rows$rater, "nobody")[1L]), ".", class = "answers")
    others <- read_others(rows, q)
    if (!is.null(others$judged)) {
        rows$disputed <- rows$i %in% others$judged | rows$j %in% others$judged
        q$said <- rows
        return(take_others(q, others))
    }
    key <- pair_key(rows$i, rows$j, q$samples)
    rows$disputed <- key %in% disputed_keys(rows, key, q$samples)
    q$said <- rows
    q$ask <- "pairs"
    q <- take_others(q, read_others(rows[!rows$disputed, ], q))
    first <- which(rows$disputed & !duplicated(key))
    first <- first[order(net_votes(rows, key)[first])]
    q$disputes <- cbind(rows$i, rows$j)[first, , drop = FALSE]
    q
}

# How many more raters say one than the other of the pair of each row.
net_votes <- function(rows, key) {
    vote <- (rows$type == "must-link") - (rows$type == "cannot-link")
    abs(stats::ave(vote * !rows$implied, key, FUN = sum))
}

# `others`: from read_others(), or NULL.
take_others <- function(q, others) {
    if (!is.null(others)) {
        q[c("others", "disputes")] <- list(others, others$disputes)
        q$judged <- others$judged
        q$closure <- closure_of_record(q)
        q$deciding <- TRUE
    }
    q
}

# One table; who is not named in a table is named by the list.
read_raters <- function(answers, q) {
    named <- names(answers) %||% paste("rater", seq_along(answers))
    do.call(rbind, unname(Map(function(table, rater) {
        if (is_text(table)) table <- read_answers(table)
        rows <- as_log(check_answers(table, q))
        rows$rater[is.na(rows$rater)] <- rater
        rows
    }, answers, named)))
}

# The keys of the pairs in dispute: cannot-links between samples that must-links
# connect, and shortest chains of these until none is left; of each such circle
# only the pairs that fewest agree on, two at least. What the rest decides is not
# in dispute.
disputed_keys <- function(rows, key, samples) {
    must <- rows$type == "must-link"
    net <- net_votes(rows, key)
    direct <- !rows$implied & rows$type != "unsure"
    left <- direct
    clash <- c()
    repeat {
        at <- which(left)
        found <- find_contradictions(rows$i[at], rows$j[at], must[at], Inf)
        if (!found$count) break
        open <- unlist(Map(function(cannot, path) {
            circle <- c(cannot, pair_key(path[-1L], path[-length(path)],
                                         samples))
            votes <- net[match(circle, key)]
            circle[votes <= sort(votes)[2L]]
        }, key[at[found$at]], found$chains))
        clash <- c(clash, open)
        left <- left & !(must & key %in% open)
    }
    left <- left & (must | !key %in% clash)
    rest <- answer_closure(samples, rows$i[left], rows$j[left],
                           rows$type[left])
    key[direct & !left & is.na(closure_relation(rest, rows$i, rows$j))]
}

# "ann: same, bob: different": what they said of the pair of an answer, or NULL.
said_of <- function(q, number, words = answer_words) {
    if (is.null(q$said)) return(NULL)
    at <- match(number, q$action)
    said <- q$said[q$said$disputed & !q$said$implied, ]
    if (length(q$judged)) {
        # with whom they put the sample, if with anybody
        said <- said[said$i == q$first[at], ]
        said <- said[order(said$type != "must-link"), ]
        said <- said[!duplicated(said$rater), ]
        with <- ifelse(said$type == "must-link",
                       paste0(" (", show_samples(said$j, q$names), ")"), "")
    } else {
        said <- said[pair_key(said$i, said$j, q$samples) %in%
                         pair_key(q$first[at], q$second[at], q$samples), ]
        with <- ""
    }
    if (nrow(said)) {
        paste0(said$rater, ": ", words[said$type], with, collapse = ", ")
    }
}

# Their rows as far as a file needs them; what `answers` settle is undone.
rater_rows <- function(q, answers) {
    said <- q$said
    if (is.null(said)) return(no_rows())
    refuse_if(q$person %in% said$rater, "`rater` must be the name of another ",
              "person than those of `answers`, not ", quote_values(q$person),
              ".", class = "answers")
    known <- answers$type != "unsure"
    placed <- intersect(q$judged, answers$i[known])
    settled <- said$disputed & (
        pair_key(said$i, said$j, q$samples) %in%
            pair_key(answers$i[known], answers$j[known], q$samples) |
            said$i %in% placed | said$j %in% placed)
    said <- said[names(no_rows())]
    rbind(said[settled | !q$said$disputed, ], undone_rows(said[settled, ]))
}
