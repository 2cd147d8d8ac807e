# Checks of single arguments; each returns the value in the type that the rest
# of the code relies on. What every call passes through is asked by `if`: the
# arguments of refuse_if() would take longer than the question.

# A single text; a single number, which may be infinite.
is_text <- function(value) {
    is.character(value) && length(value) == 1L && !is.na(value)
}

is_number <- function(value) {
    is.numeric(value) && length(value) == 1L && !is.na(value)
}

# `...`: the sentence up to what is duplicated.
refuse_duplicated <- function(names, ..., class = "argument") {
    if (!anyDuplicated(names)) return(invisible())
    repeated <- unique(names[duplicated(names)])
    abort_linkrank(..., ", but ", quote_values(repeated),
                   if (length(repeated) > 1L) " are" else " is",
                   " duplicated.", class = class)
}

# Is an argument without default given? Checked where it is first used, even if
# it was passed through several functions. The message names the argument of the
# function that the user called, and its call is the call of the condition.
# `what`: a description of the argument, for the message.
check_given <- function(value, what = NULL) {
    if (missing(value)) {
        left_out <- find_left_out(as.character(substitute(value)), sys.parent())
        refuse_formula(names(formals(sys.function(left_out$frame))),
                       sys.frame(left_out$frame))
        abort_linkrank("`", left_out$name, "` must be given",
                       if (!is.null(what)) ": ", what, ".",
                       call = sys.call(left_out$frame))
    }
}

# Goes up the calls while the argument is an argument of the caller.
find_left_out <- function(name, frame) {
    repeat {
        given <- as.character(eval(call("substitute", as.name(name)),
                                   sys.frame(frame)))
        if (given == "") return(list(name = name, frame = frame))
        name <- given
        frame <- sys.parents()[frame]
    }
}

# `or_all`: another allowed value, for the message.
check_count <- function(value, name, lower = 1, upper = Inf, or_all = "") {
    if (missing(value)) check_given(value)
    whole <- is.numeric(value) && length(value) == 1L && is.finite(value) &&
        value == floor(value)
    if (!whole || value < lower || value > upper) {
        abort_value(value, "`", name, "` must be a whole number",
                    describe_range(lower, upper), or_all)
    }
    as.numeric(value)
}

# Is this a vector of whole numbers in a range? A matrix is refused, because
# unique() and anyDuplicated() would compare its rows.
whole_within <- function(values, lower, upper) {
    is.numeric(values) && is.null(dim(values)) && length(values) > 0L &&
        !anyNA(values) && all(values == floor(values)) &&
        all(values >= lower & values <= upper)
}

# A finite count, or Inf for "all".
check_count_or_all <- function(value, name, lower = 0) {
    if (identical(value, Inf)) Inf else
        check_count(value, name, lower, or_all = " (or Inf for all)")
}

check_number <- function(value, name, lower = -Inf, upper = Inf) {
    refuse_value_if(!is_number(value) || value < lower || value > upper, value,
                    "`{name}` must be a number{describe_range(lower, upper)}")
    as.numeric(value)
}

describe_range <- function(lower, upper) {
    if (is.finite(upper))
        return(paste0(" from ", show_number(lower), " to ", show_number(upper)))
    if (is.finite(lower)) paste0(" of at least ", show_number(lower))
}

# `choices` is the default of the argument, which is read from the function that
# asks unless it is given: its first element when the argument was left alone.
check_choice <- function(value, choices = eval(formals(sys.function(
                             sys.parent()))[[name]]),
                         name = as.character(substitute(value))) {
    if (identical(value, choices)) return(choices[1L])
    refuse_value_if(!is_text(value) || !value %in% choices, value, "`", name,
                    "` must be one of ", quote_values(choices, most = 8L))
    value
}

check_flag <- function(value, name) {
    if (isTRUE(value) || isFALSE(value)) return(value)
    abort_value(value, "`", name, "` must be TRUE or FALSE")
}

check_text <- function(value, name) {
    refuse_value_if(!is_text(value), value, "`{name}` must be a single text")
    value
}

# Arguments of the caller, or values by their names, as inst/arguments.csv says
# what each must be: one word has one meaning in every function that asks here.
checked <- function(..., values = NULL) {
    if (is.null(values)) {
        values <- list(...)
        names(values) <- as.character(substitute(list(...)))[-1L]
    }
    rules <- package_table("arguments.csv")
    Map(function(value, name) {
        rule <- rules[rules$argument == name, ]
        choices <- strsplit(rule$choices, " ")[[1L]]
        if (length(choices) && identical(value, choices)) return(choices[1L])
        lower <- as.numeric(rule$lower)
        upper <- as.numeric(rule$upper)
        switch(rule$kind, count = check_count(value, name, lower, upper),
               number = check_number(value, name, lower, upper),
               positive = check_positive(value, name),
               flag = check_flag(value, name),
               check_choice(value, choices, name))
    }, values, names(values))
}

# `of`: what the function takes, for the message.
check_optional_function <- function(value, name, of) {
    refuse_class_if(!is.null(value) && !is.function(value), value, "`", name,
                    "` must be a function of ", of)
    value
}

# Are these names of arguments among `known`, each once? Otherwise an argument
# was misspelt or misplaced. The values are not evaluated, because they may not
# exist: `value` is a function of the place of one. `takes`: what may be meant.
check_argument_names <- function(names, known, value, takes = known, of = "") {
    bare <- which(is.na(names) | names == "")
    if (is.null(names) || length(bare)) refuse_unnamed(value(c(bare, 1L)[1L]))
    unknown <- setdiff(names, known)
    refuse_if(length(unknown), "Unused argument `", unknown[1L], "`", of, ".",
              suggest_argument(unknown[1L], takes))
    repeated <- names[duplicated(names)]
    refuse_if(length(repeated), "`", repeated[1L], "` is given twice.")
}

# The argument that lists the value is one of a function that was called.
refuse_unnamed <- function(value) {
    called <- lapply(rev(seq_len(sys.nframe())), sys.function)
    meant <- names(Filter(function(default) {
        is.call(default) && is_text(value) && value %in% as.list(default)
    }, unlist(lapply(called, formals), recursive = FALSE)))
    abort_linkrank("Arguments after the data must be given by name, but ",
                   describe_value(value), " came without", if (length(meant))
                       paste0(": did you mean `", meant[1L], "`?") else ".")
}

# `known`: the arguments of the function.
check_dots_empty <- function(..., known = names(formals(sys.function(-1L)))) {
    if (...length()) check_argument_names(...names(), character(),
                                          function(k) ...elt(k), known)
}

# relieff(class ~ ., data = heart), as in other packages: the message shows the
# right call. `frame`: that of the called function, which has dots.
refuse_formula <- function(known, frame) {
    dots <- as.list(substitute(list(...), frame))[-1L]
    if (!"x" %in% known || is.null(dots$data)) return(invisible())
    formula <- if (is.call(dots$formula)) dots$formula else
        tryCatch(get("x", frame), error = function(condition) NULL)
    if (is.call(formula) && identical(formula[[1L]], as.name("~")))
        abort_formula(formula, deparse(dots$data)[1L])
}

abort_formula <- function(formula, data = "data") {
    known <- c(if (length(formula) == 3L) all.vars(formula[[2L]]), "class")[1L]
    abort_linkrank("`x` must be data, not a formula: give `x = subset(", data,
                   ", select = -", known, ")`, and `", data, "$", known,
                   "` as `y` or in constraints_from_labels().", class = "input")
}

# A sentence about an argument that does not exist, or "". What other packages
# call an argument is in inst/elsewhere.csv: the name of ours, and what to do in
# a function that has none.
suggest_argument <- function(name, known) {
    words <- package_table("elsewhere.csv")
    word <- words[words$elsewhere == name, ]
    if (!nrow(word)) return(suggest_name(name, known))
    there <- word$here %in% known
    # advice about an argument that there is, or about rankings
    called <- vapply(sys.calls(), function(call) deparse(call[[1L]])[1L], "")
    fits <- word$where %in% c("", known, "ranking"[any(
        c("rank_features", package_table("methods.csv")$method) %in% called)])
    paste0(if (there) paste0(" Did you mean `", word$here, "`?"),
           if (fits && (!there || word$here == "space"))
               sub("(.)", " \\1", word$advice), "")
}

suggest_name <- function(name, known) {
    known <- setdiff(known, "...")
    if (length(known) == 0L) return("")
    meant <- known[startsWith(known, name)]
    if (!length(meant)) {
        distance <- utils::adist(name, known, ignore.case = TRUE)
        # any two single letters differ by one change
        near <- if (nchar(name) > 1L) max(1, nchar(name) %/% 3) else 0
        meant <- known[which.min(distance)][min(distance) <= near]
    }
    if (length(meant) %in% 1:3) paste0(
        " Did you mean ", paste0("`", meant, "`", collapse = " or "), "?") else
            ""
}

check_positive <- function(value, name, infinite = FALSE) {
    refuse_value_if(!is_number(value) || value <= 0 || value == Inf &&
                    !infinite, value, "`{name}` must be a positive number")
    as.numeric(value)
}

# `user`: what cannot be done without the packages.
need_package <- function(packages, x = NULL,
                         user = paste("Reading", describe_class(x))) {
    for (package in packages) {
        if (requireNamespace(package, quietly = TRUE)) next
        abort_linkrank(user, " needs the package \"", package, "\", which is ",
                       "not installed.", class = "package")
    }
}

check_workers <- function(BPPARAM) {
    if (!is.null(BPPARAM)) {
        need_package("BiocParallel", user = "`BPPARAM`")
        refuse_value_if(!methods::is(BPPARAM, "BiocParallelParam"), BPPARAM,
                        "`BPPARAM` must be a BiocParallelParam object or NULL")
    }
    BPPARAM
}

# Checks named options against the arguments of a method.
check_options <- function(options, takes, method) {
    takes <- setdiff(takes, c("x", "constraints", "y", "..."))
    if (length(options)) check_argument_names(
        names(options), takes, function(k) options[[k]],
        of = paste(" of", method))
    options
}

# Refuses an argument of the calling function that was given, but that belongs
# to other values of `choice` only; `arguments`: those of each value.
refuse_unused <- function(choice, value, arguments, frame = parent.frame()) {
    refuse_given(setdiff(unlist(arguments), arguments[[value]]), frame, "for ",
                 choice, " = \"", value, "\", which does not use it.")
}

# Refuses arguments that were given beside another one that replaces them.
refuse_beside <- function(arguments, other, frame = parent.frame()) {
    if (!is.null(frame[[other]])) refuse_given(
        arguments, frame, "when `", other, "` is given, which replaces it.")
}

# What is as by default asks for nothing, as programs do that pass on all of
# their own arguments: NULL, the default, or the first of a choice.
refuse_given <- function(arguments, frame, ...) {
    number <- which(vapply(sys.frames(), identical, NA, frame))
    defaults <- formals(sys.function(number))
    given <- Filter(function(name) {
        default <- eval(defaults[[name]], frame)
        !is.null(frame[[name]]) && (is.null(default) ||
            !list(frame[[name]]) %in% list(default, default[1L]))
    }, arguments)
    # constraint_score(x, links, "CS2", lambda = 1) does not lack `type`
    if (length(given) && "..." %in% names(defaults)) eval(quote(
        if (...length()) check_argument_names(...names(), ...names(),
                                              function(k) ...elt(k))), frame)
    refuse_if(length(given), "`", given[1L], "` must be left out ", ...)
}

# ---- damaged objects ---------------------------------------------------------

# Constraints, graphs and trees also come from the user's own numbers, so they
# are checked in one pass. Of all other objects C checks what it depends on.
# `problem`: the fault, NULL if there is none.
check_undamaged <- function(problem, name, maker, class = "argument") {
    if (!is.null(problem))
        abort_linkrank("`", name, "` must be as ", maker, " made it, but ",
                       problem, ".", class = class)
}

# Objects hold the version that made them, `made_by`. Those without have another
# form.
this_version <- function() getNamespaceVersion("linkrank")[[1L]]

version_problem <- function(made_by) {
    if (is.null(made_by)) "an earlier version made it, in another form"
}

# Are these whole numbers of this length, from `lower` to `upper`?
numbers_within <- function(numbers, length, lower, upper) {
    is.integer(numbers) && length(numbers) == length &&
        (length == 0L || !anyNA(numbers) && min(numbers) >= lower &&
             max(numbers) <= upper)
}

# A matrix of package Matrix whose cells are used.
check_slots <- function(x) {
    if (methods::is(x, "Matrix"))
        check_undamaged(slot_problem(x), "x", "package Matrix", "input")
}

# Is something wrong with the slots of a matrix of package Matrix?
slot_problem <- function(x) {
    fit <- tryCatch(if (methods::is(x, "dgCMatrix")) {
        .Call(C_columns_fit, x)
    } else {
        methods::validObject(x, test = TRUE)
    }, error = identity)
    if (!isTRUE(fit)) "its slots are inconsistent"
}
