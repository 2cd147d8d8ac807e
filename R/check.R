# Checks of single arguments; each returns the value in the type that the rest
# of the code relies on.

# Was an argument that has no default given? Asked where it is first looked at,
# however many functions it went through by then: the message names it as the
# function does that was called, and its call is the call of the condition.
# `what`: what it holds, for the message.
check_given <- function(value, what = NULL) {
    if (missing(value)) {
        left_out <- find_left_out(as.character(substitute(value)),
                                  sys.parent())
        abort_linkrank("`", left_out$name, "` must be given",
                       if (!is.null(what)) ": ", what, ".",
                       class = "argument", call = sys.call(left_out$frame))
    }
}

# Up the calls, as long as the argument is one of the caller's own.
find_left_out <- function(name, frame) {
    repeat {
        given <- as.character(eval(call("substitute", as.name(name)),
                                   sys.frame(frame)))
        if (given == "") {
            return(list(name = name, frame = frame))
        }
        name <- given
        frame <- sys.parents()[frame]
    }
}

# `or_all`: what else is allowed, for the message.
check_count <- function(value, name, lower = 1, upper = Inf, or_all = "") {
    check_given(value)
    whole <- is.numeric(value) && length(value) == 1L && is.finite(value) &&
        value == floor(value)
    if (!whole || value < lower || value > upper) {
        range <- if (is.finite(upper)) {
            paste0("from ", show_number(lower), " to ", show_number(upper))
        } else {
            paste("of at least", show_number(lower))
        }
        abort_linkrank("`", name, "` must be a whole number ", range,
                       or_all, ", not ", describe_value(value), ".",
                       class = "argument")
    }
    as.numeric(value)
}

# Is this a vector of whole numbers in a range? No matrix: unique() and
# anyDuplicated() would look at its rows.
whole_within <- function(values, lower, upper) {
    is.numeric(values) && is.null(dim(values)) && length(values) > 0L &&
        !anyNA(values) && all(values == floor(values)) &&
        all(values >= lower & values <= upper)
}

# A finite count, or Inf for "all".
check_count_or_all <- function(value, name, lower = 0) {
    check_given(value)
    if (identical(value, Inf)) {
        return(Inf)
    }
    check_count(value, name, lower, or_all = " (or Inf for all)")
}

check_number <- function(value, name, lower = -Inf, upper = Inf) {
    check_given(value)
    ok <- is.numeric(value) && length(value) == 1L && !is.na(value)
    if (!ok || value < lower || value > upper) {
        range <- if (is.finite(lower) || is.finite(upper))
            paste0(" from ", show_number(lower), " to ", show_number(upper))
        abort_linkrank("`", name, "` must be a number", range, ", not ",
                       describe_value(value), ".", class = "argument")
    }
    as.numeric(value)
}

# `choices` is the default of the argument: its first element when the
# argument was left alone.
check_choice <- function(value, choices, name) {
    if (identical(value, choices)) {
        return(choices[1L])
    }
    ok <- is.character(value) && length(value) == 1L && value %in% choices
    if (!ok) {
        abort_linkrank("`", name, "` must be one of ",
                       quote_values(choices, most = 8L), ", not ",
                       describe_value(value), ".", class = "argument")
    }
    value
}

check_flag <- function(value, name) {
    if (!is.logical(value) || length(value) != 1L || is.na(value)) {
        abort_linkrank("`", name, "` must be TRUE or FALSE, not ",
                       describe_value(value), ".", class = "argument")
    }
    value
}

# Dots that carry nothing: whatever lands there was misspelt or misplaced.
# `known`: the arguments that the function does have.
check_dots_empty <- function(..., known = names(formals(sys.function(-1L)))) {
    if (...length() == 0L) {
        return(invisible())
    }
    # the values are not looked at: they may not even exist
    names <- names(match.call(expand.dots = FALSE)$...)
    refuse_formula(known, parent.frame())
    name <- if (is.null(names)) "" else names[1L]
    if (name == "") {
        abort_linkrank("An unnamed argument is left over: give options by ",
                       "name.", class = "argument")
    }
    abort_linkrank("Unused argument `", name, "`.",
                   suggest_name(name, known), class = "argument")
}

# relieff(class ~ ., data = heart), as other packages are called: say what to
# type. `frame`: that of the function that was called, which has dots.
refuse_formula <- function(known, frame) {
    dots <- as.list(substitute(list(...), frame))[-1L]
    if (!"x" %in% known || is.null(dots$data)) {
        return(invisible())
    }
    formula <- if (is.call(dots$formula)) dots$formula else
        tryCatch(get("x", frame), error = function(condition) NULL)
    if (is.call(formula) && identical(formula[[1L]], as.name("~"))) {
        abort_formula(formula, deparse(dots$data)[1L], known)
    }
}

# `takes`: what the function takes besides `x`.
abort_formula <- function(formula, data = "data", takes = "y") {
    known <- if (length(formula) == 3L) all.vars(formula[[2L]])[1L]
    features <- setdiff(all.vars(formula[[length(formula)]]), ".")
    select <- if (length(features)) {
        paste0("c(", paste(features, collapse = ", "), ")")
    } else if (!is.null(known)) {
        paste0("-", known)
    }
    x <- if (is.null(select)) data else
        paste0("subset(", data, ", select = ", select, ")")
    classes <- paste0(data, "$", if (is.null(known)) "class" else known)
    rest <- if ("y" %in% takes) {
        paste0(" and `y = ", classes, "`")
    } else if ("constraints" %in% takes) {
        paste0(" and `constraints = constraints_from_labels(", classes, ")`")
    }
    abort_linkrank("`x` must be data, not a formula: give `x = ", x, "`", rest,
                   ".", class = "input")
}

suggest_name <- function(name, known) {
    known <- setdiff(known, "...")
    if (length(known) == 0L) {
        return("")
    }
    distance <- utils::adist(name, known, ignore.case = TRUE)
    # any two single letters are one change apart
    near <- if (nchar(name) > 1L) max(1, nchar(name) %/% 3) else 0
    if (min(distance) > near) {
        return("")
    }
    paste0(" Did you mean `", known[which.min(distance)], "`?")
}

check_threads <- function(threads) {
    min(check_count(threads, "threads"), .Machine$integer.max)
}

# How an entry in C runs, and nothing that changes its result. Benchmarks and
# tests set the options: whether to use the portable kernels, the work
# (elementary operations) for which one more thread starts, how many
# processors there are (0: ask the machine), what a batch may hold.
run_control <- function(threads, progress) {
    list(threads = as.integer(check_threads(threads)),
         progress = check_flag(progress, "progress"),
         portable = isTRUE(getOption("linkrank.portable", FALSE)),
         worthwhile = control_option("worthwhile", 1e7),
         processors = control_option("processors", 0),
         batch_bytes = control_option("batch_bytes", 256 * 2^20))
}

control_option <- function(name, default) {
    name <- paste0("linkrank.", name)
    check_number(getOption(name, default), name, 0, .Machine$integer.max)
}

# Is it still what run_control() made?
control_fits <- function(control) {
    is_flag <- function(value) is.logical(value) && isFALSE(is.na(value))
    limits <- c("worthwhile", "processors", "batch_bytes")
    numbers_within(control$threads, 1L, 1L, .Machine$integer.max) &&
        is_flag(control$progress) && is_flag(control$portable) &&
        all(vapply(limits, function(name) {
            value <- control[[name]]
            is.numeric(value) && length(value) == 1L && isTRUE(value >= 0)
        }, NA))
}

# For what is over in a moment: one thread, no progress line.
default_control <- function() {
    run_control(1L, FALSE)
}

# The same without a progress line, for a step that is not worth one.
no_progress <- function(control) {
    control$progress <- FALSE
    control
}

check_positive <- function(value, name, infinite = FALSE) {
    ok <- is.numeric(value) && length(value) == 1L && !is.na(value)
    if (!ok || value <= 0 || (is.infinite(value) && !infinite)) {
        abort_linkrank("`", name, "` must be a positive number, not ",
                       describe_value(value), ".", class = "argument")
    }
    as.numeric(value)
}

# Objects that grow with the square of the samples say how large they would
# be instead of filling the memory.
check_bytes <- function(bytes, what) {
    limit <- check_number(getOption("linkrank.max_bytes", 4 * 2^30),
                          "linkrank.max_bytes", 0)
    if (bytes > limit) {
        abort_linkrank(what, " would take ", show_bytes(bytes),
                       ", but options(linkrank.max_bytes) allows ",
                       show_bytes(limit), ".", class = "memory")
    }
}

# A copy of these features as scaled doubles, and the block that is multiplied.
check_scaled_bytes <- function(samples, features) {
    check_bytes(8 * samples * (features + 72), "The scaled features")
}

show_bytes <- function(bytes) {
    format(structure(bytes, class = "object_size"), units = "auto",
           standard = "SI")
}

# Named options against the arguments that a method has.
check_options <- function(options, takes, method) {
    takes <- setdiff(takes, c("x", "constraints", "y", "..."))
    names <- names(options)
    if (length(options) && (is.null(names) || any(names == ""))) {
        abort_linkrank("An unnamed argument is left over: give options by ",
                       "name.", class = "argument")
    }
    unknown <- setdiff(names, takes)
    if (length(unknown)) {
        abort_linkrank("Unused argument `", unknown[1L], "` of method \"",
                       method, "\".", suggest_name(unknown[1L], takes),
                       class = "argument")
    }
    options
}

# ---- objects that were changed by hand ---------------------------------------

# C trusts what R gives it, so an object that may have been edited, or read back
# damaged, is looked at once where it comes in: one pass over its numbers.
# `problem`: what is wrong, NULL when all is well.
check_undamaged <- function(problem, name, maker, class = "argument") {
    if (!is.null(problem)) {
        abort_linkrank("`", name, "` must be as ", maker, " made it, but ",
                       problem, ".", class = class)
    }
}

# Are these whole numbers of that length, from `lower` to `upper`?
numbers_within <- function(numbers, length, lower, upper) {
    is.integer(numbers) && length(numbers) == length &&
        (length == 0L || !anyNA(numbers) && min(numbers) >= lower &&
             max(numbers) <= upper)
}

# Are these numbers, as many, or a matrix of this extent?
doubles_of <- function(numbers, extent) {
    is.double(numbers) && identical(
        as.numeric(if (length(extent) > 1L) dim(numbers) else length(numbers)),
        as.numeric(extent))
}

# A matrix of package Matrix of which cells are taken.
check_slots <- function(x) {
    if (methods::is(x, "Matrix")) {
        check_undamaged(slot_problem(x), "x", "package Matrix", "input")
    }
}

# Is something wrong with the slots of a matrix of package Matrix?
slot_problem <- function(x) {
    fit <- tryCatch(if (methods::is(x, "dgCMatrix")) {
        .Call(C_columns_fit, x)
    } else {
        methods::validObject(x, test = TRUE)
    }, error = identity)
    if (!isTRUE(fit)) "its slots do not fit together"
}
