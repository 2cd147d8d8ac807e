# The record of the answers in a questionnaire: parallel vectors, one element
# per answer about a pair. An action is what the person said at once: one pair,
# or, where samples are sorted into groups, the pairs of one sample with all
# members shown, in their order; those that only follow from the answer are
# `implied`.

empty_record <- list(
    first = integer(), second = integer(), type = character(),
    implied = logical(), time = character(), source = character(),
    rater = character(), confidence = numeric(), action = integer(),
    remark = character(), origin = character(), shown = character(),
    step = list()
)

# `said`: fields that differ from those of an answer that is given now.
record_answer <- function(q, pair, type, said = list(), step = NULL) {
    at <- length(q$first) + 1L
    answer <- list(
        first = as.integer(pair[1L]), second = as.integer(pair[2L]),
        type = type, implied = FALSE, time = time_now(), source = "person",
        rater = q$person, confidence = NA_real_,
        action = count_answers(q) + 1L, remark = NA_character_,
        origin = q$strategy$origin, shown = NA_character_
    )
    answer[names(said)] <- said
    if (saw_features(answer$shown)) {
        answer$origin <- worst_origin(answer$origin, "features in view")
    }
    for (field in names(answer)) {
        q[[field]][at] <- answer[[field]]
    }
    q$step[at] <- list(step)
    if (type != "unsure") q$closure <- closure_of_record(q)
    q$state <- q$strategy$learn(q$state, pair, type)
    q
}

time_now <- function() format(Sys.time(), "%Y-%m-%dT%H:%M:%SZ", tz = "UTC")

closure_of_record <- function(q) {
    answer_closure(q$samples, c(q$first, q$others$first),
                   c(q$second, q$others$second), c(q$type, q$others$type))
}

# What a strategy may know of the questionnaire.
record_of <- function(q) {
    list(first = q$first, second = q$second, type = q$type,
         closure = q$closure, most = groups_shown(q))
}

# Questions that the person has answered.
count_answers <- function(q) max(q$action, 0L, na.rm = TRUE)

# The questionnaire with some of its answers only: the strategy learns them
# again, no new pair is chosen.
rebuild <- function(q, kept) {
    for (field in names(empty_record)) {
        q[[field]] <- q[[field]][kept]
    }
    q$closure <- closure_of_record(q)
    state <- q$strategy$start()
    for (t in seq_along(q$first)) {
        state <- q$strategy$learn(state, c(q$first[t], q$second[t]), q$type[t])
    }
    q$state <- state
    q
}

# All pairs of the record, in order.
record_table <- function(q) {
    name <- function(i) if (is.null(q$names)) rep("", length(i)) else q$names[i]
    data.frame(
        question = q$action, i = q$first, j = q$second, name_i = name(q$first),
        name_j = name(q$second), type = q$type, implied = q$implied,
        time = q$time, source = q$source, rater = q$rater,
        confidence = q$confidence, remark = q$remark, origin = q$origin,
        shown = q$shown
    )
}

# The answers to questions, in order, with the columns of the file.
answer_table <- function(q) {
    table <- record_table(q)[!is.na(q$action), ]
    names(table)[1L] <- "action"
    rownames(table) <- NULL
    drop_unused(table)
}

# Columns that a table has only where they say something, and what they hold
# where they say nothing.
column_defaults <- list(rater = NA_character_, confidence = NA_real_,
                        action = NA_integer_, implied = FALSE,
                        origin = NA_character_, shown = NA_character_,
                        remark = NA_character_)
optional_columns <- names(column_defaults)

drop_unused <- function(answers) {
    used <- vapply(optional_columns, function(name) {
        !all(answers[[name]] %in% c(column_defaults[[name]], NA))
    }, NA)
    used["action"] <- used["action"] && anyDuplicated(answers$action) > 0L
    used["origin"] <- !all(answers$origin %in% c(NA, "given"))
    answers[c(answer_columns, intersect("superseded", names(answers)),
              optional_columns[used])]
}

# The same with all columns; actions are numbered from 1 in order.
all_columns <- function(answers) {
    for (name in setdiff(optional_columns, names(answers))) {
        answers[[name]] <- rep(column_defaults[[name]], nrow(answers))
    }
    answers$implied <- answers$implied %in% TRUE
    answers$action <- action_runs(answers)
    answers
}

# ---- names of kinds ----------------------------------------------------------

# A kind is named by a row of the log about one of its samples; "" takes the name
# away.
name_group <- function(q, sample, name) {
    check_questionnaire(q)
    name <- trimws(name)
    label <- q$names[sample] %||% ""
    row <- as_log(data.frame(
        i = as.integer(sample), j = as.integer(sample), name_i = label,
        name_j = label, type = "name", time = time_now(), source = "person",
        rater = q$person, remark = if (nzchar(name)) name else NA_character_
    ))
    row$action <- NA_integer_
    q$history <- rbind(q$history, row)
    q
}

# The name of the kind of each of some samples, "" for none.
kind_name <- function(q, samples) {
    named <- group_names(q)
    component <- q$closure$component
    name <- named$name[match(component[samples], component[named$sample])]
    ifelse(is.na(name), "", name)
}

# The names in force, data.frame(sample, name): of each kind the last. Samples
# go by name, if they have one.
group_names <- function(q) {
    named <- q$history[q$history$type == "name", ]
    by_number <- is.null(q$names) | named$name_i == ""
    sample <- match(utf8_bytes(named$name_i), utf8_bytes(q$names))
    sample[by_number] <- named$i[by_number]
    known <- sample %in% seq_len(q$samples)
    named <- data.frame(sample = sample, name = named$remark)[known, ]
    kind <- q$closure$component[named$sample]
    named <- named[!duplicated(kind, fromLast = TRUE) & !is.na(named$name), ]
    rownames(named) <- NULL
    named
}
