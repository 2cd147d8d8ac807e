# The key of a call: a hash of all that its results depend on. Data are hashed as
# they are. A function is hashed by its code and by what it uses, because it may
# use other functions and values of the session: the names in it are looked up as
# R would, and what they stand for is followed in the same way. This ends at
# packages, whose versions are hashed.

# tasks, work, shared: those of spread()
plan_key <- function(tasks, work, shared) {
    walk <- new_walk()
    form <- stable_form(list(tasks, work, shared), walk)
    .Call(C_hash_object, list(form, used_packages(walk)))
}

# What was visited so far. A second visit returns the number of the first, so
# that functions which refer to each other come to an end.
#   environments, functions   lists, whose places are the numbers
#   bindings                  "<number of environment> <name>"
#   packages                  names
#   at                        name of the value that is visited, for messages
new_walk <- function() {
    walk <- new.env(parent = emptyenv())
    walk$environments <- walk$functions <- list()
    walk$bindings <- character()
    walk$packages <- "linkrank"
    walk$at <- "work"
    walk
}

used_packages <- function(walk) {
    packages <- sort(unique(walk$packages), method = "radix")
    vapply(packages, function(package) {
        if (package == "base" || !nzchar(system.file(package = package))) {
            return(R.version.string)
        }
        as.character(utils::packageVersion(package))
    }, "")
}

note_package <- function(walk, package) {
    assign("packages", c(walk$packages, package), walk)
}

# The number of `value` in a list of the walk, and whether it is new there.
visit <- function(walk, kind, value) {
    known <- which(vapply(walk[[kind]], identical, NA, value))
    if (length(known)) {
        return(list(number = known[1L], new = FALSE))
    }
    assign(kind, c(walk[[kind]], list(value)), walk)
    list(number = length(walk[[kind]]), new = TRUE)
}

# Evaluates `code` as the visit of the value called `name`.
visit_as <- function(name, walk, code) {
    before <- walk$at
    on.exit(assign("at", before, walk))
    if (nzchar(name)) {
        assign("at", name, walk)
    }
    code
}

# ---- forms -------------------------------------------------------------------

# A value of the same bytes in every session, without functions, environments
# and code: compiling a function and calling it change its bytes.
stable_form <- function(value, walk = new_walk()) {
    switch(typeof(value),
        closure = stable_function(value, walk),
        builtin = ,
        special = list("primitive", deparse(value)),
        language = stable_code(value, walk),
        symbol = list("name", as.character(value)),
        environment = stable_environment(value, walk),
        pairlist = stable_list(as.list(value), walk),
        list = ,
        expression = stable_list(value, walk),
        S4 = list("S4", stable_list(attributes(value), walk)),
        externalptr = ,
        weakref = abort_unfollowed(walk, "is an external pointer, which ",
                                   "cannot be compared between calls"),
        stable_vector(value, walk)
    )
}

stable_list <- function(value, walk) {
    names <- attr(value, "names", exact = TRUE)
    parts <- unclass(value)
    if (is.expression(parts)) {
        parts <- as.list(parts)
    }
    parts <- lapply(seq_along(parts), function(i) {
        name <- if (is.null(names)) "" else names[i]
        # a pointer to itself that every data.table carries
        if (identical(name, ".internal.selfref")) {
            return(NULL)
        }
        visit_as(name, walk, stable_form(parts[[i]], walk))
    })
    list("list", parts, stable_attributes(value, walk))
}

# Numbers and text stay as they are, without a copy.
stable_vector <- function(value, walk) {
    if (is_plain(attributes(value))) {
        return(value)
    }
    attributes <- stable_attributes(value, walk)
    attributes(value) <- NULL
    list("vector", value, attributes)
}

is_plain <- function(value) {
    is.null(value) || (is.atomic(value) && is.null(attributes(value))) ||
        (is.list(value) && all(vapply(unname(value), is_plain, NA)))
}

stable_attributes <- function(value, walk) {
    attributes <- attributes(value)
    attributes <- attributes[!names(attributes) %in%
                                 c("srcref", "srcfile", "wholeSrcref")]
    if (length(attributes)) {
        list(names(attributes), lapply(attributes, stable_form, walk))
    }
}

# Code: calls as lists, names as text. A formula is followed like a function.
stable_code <- function(value, walk) {
    home <- attr(value, ".Environment", exact = TRUE)
    if (is.environment(home)) {
        return(list("formula", code_parts(value, walk),
                    follow(list(values = unique(all.names(value))), home,
                           walk)))
    }
    code_parts(value, walk)
}

code_parts <- function(code, walk) {
    if (is.symbol(code)) {
        return(list("name", as.character(code)))
    }
    if (!is.call(code)) {
        return(stable_form(if (is.pairlist(code)) as.list(code) else code,
                           walk))
    }
    parts <- as.list(code)
    if (identical(parts[[1L]], quote(`function`))) {
        # without the place in a file
        return(list("function", formal_parts(parts[[2L]], walk),
                    code_parts(parts[[3L]], walk)))
    }
    list("call", names(parts), each_part(parts, walk))
}

# lapply(), for lists with the empty argument of x[1, ].
each_part <- function(parts, walk) {
    out <- vector("list", length(parts))
    for (i in seq_along(parts)) {
        empty <- identical(parts[[i]], quote(expr = ))
        out[[i]] <- if (empty) "empty" else code_parts(parts[[i]], walk)
    }
    out
}

formal_parts <- function(formals, walk) {
    list(names(formals), each_part(as.list(formals), walk))
}

# ---- functions ---------------------------------------------------------------

stable_function <- function(value, walk) {
    visited <- visit(walk, "functions", value)
    if (!visited$new) {
        return(list("function", visited$number))
    }
    text <- list("function", formal_parts(formals(value), walk),
                 code_parts(body(value), walk))
    if (methods::is(value, "genericFunction")) {
        # An S4 generic: its package, and the methods of the session.
        if (value@package != ".GlobalEnv") {
            note_package(walk, value@package)
        }
        own <- methods::findMethods(value, where = globalenv())
        return(c(text, list(value@package, names(own),
                            lapply(own@.Data, stable_form, walk))))
    }
    home <- environment(value)
    package <- package_of(home)
    if (!is.null(package)) {
        note_package(walk, package)
        return(c(text, package))
    }
    c(text, list(stable_attributes(value, walk),
                 follow(names_in(value, walk), home, walk)))
}

# list(functions, values, text): the names that a function looks up outside; of
# `functions` R takes the first function of that name; `text` may name a function
# too, as in do.call("helper", ...).
names_in <- function(value, walk) {
    # the warning is about `...` of an outer function
    globals <- suppressWarnings(codetools::findGlobals(value, merge = FALSE))
    code <- list(formals(value), body(value))
    calls <- calls_in(code)
    called <- vapply(calls, name_of_call, "")
    for (call in calls[called %in% c("::", ":::")]) {
        note_package(walk, as.character(call[[2L]]))
    }
    quoted <- calls[called %in% c("~", "quote", "bquote", "expression",
                                  "substitute")]
    dots <- unlist(lapply(calls, function(call) {
        any(grepl("^[.][.]([.]|[0-9]+)$", all.names(call)))
    }))
    # findGlobals() does not report helper() where `helper` is also a local value
    list(functions = c(globals$functions, called),
         values = c(globals$variables, unlist(lapply(quoted, all.names)),
                    looked_up(calls, called, walk), if (any(dots)) "..."),
         text = text_in(code))
}

# All calls in code.
calls_in <- function(code) {
    c(if (is.call(code)) list(code),
      unlist(lapply(parts_of(code), calls_in), FALSE))
}

# The parts of a call, of formals or of a list, without empty ones.
parts_of <- function(code) {
    if (is.call(code) || is.pairlist(code) || is.list(code)) {
        parts <- as.list(code)
        parts[!vapply(parts, identical, NA, quote(expr = ))]
    }
}

name_of_call <- function(call) {
    head <- call[[1L]]
    if (is.call(head) && length(head) == 3L && is.symbol(head[[1L]]) &&
        as.character(head[[1L]]) %in% c("::", ":::")) {
        head <- head[[3L]]
    }
    if (is.symbol(head) || is.character(head)) as.character(head) else ""
}

# The constant texts of code.
text_in <- function(code) {
    if (is.character(code)) code else unlist(lapply(parts_of(code), text_in))
}

# The names in get("a") and the like; stops where a name or code is computed,
# because what it stands for cannot be found.
looked_up <- function(calls, called, walk) {
    first <- lapply(calls, function(call) if (length(call) > 1L) call[[2L]])
    text <- called %in% c("parse", "str2lang", "str2expression", "source",
                          "sys.source")
    if (any(text)) {
        abort_unfollowed(walk, "calls ", called[text][1L],
                         "(), and code in text cannot be followed")
    }
    pasted <- vapply(first, function(call) {
        is.call(call) && name_of_call(call) %in% c("paste", "paste0", "sprintf")
    }, NA)
    computed <- pasted & called %in% c("do.call", "match.fun")
    search <- called %in% c("get", "get0", "mget", "dynGet")
    computed <- computed | (search & !vapply(first, is.character, NA))
    if (any(computed)) {
        abort_unfollowed(walk, "calls ", called[computed][1L], "() with a ",
                         "name that is computed, and what it finds cannot ",
                         "be known")
    }
    unlist(first[search])
}

abort_unfollowed <- function(walk, ...) {
    abort_linkrank("`folder` cannot be used with `", walk$at, "`, because it ",
                   ..., ".")
}

# ---- what names stand for ----------------------------------------------------

# Forms of all that these names stand for, seen from an environment; `names` as
# names_in() returns them.
follow <- function(names, home, walk) {
    functions <- sort_names(names$functions)
    values <- sort_names(names$values)
    text <- sort_names(names$text)
    # a method of a class is called by the name of its generic
    generics <- c(functions, text, "Math", "Ops", "Summary")
    list(lapply(functions, follow_name, home, walk, "function"),
         lapply(values, follow_name, home, walk, "any"),
         lapply(text, follow_name, home, walk, "function"),
         lapply(methods_of(generics, home), follow_name, home, walk,
                "function"))
}

sort_names <- function(names) {
    names <- unique(as.character(names))
    sort(names[!is.na(names) & nzchar(names) & nchar(names) < 1000L],
         method = "radix")
}

# The form of the first binding of a name, or its package; NULL if there is none.
follow_name <- function(name, home, walk, mode) {
    home <- home_of_name(name, home, mode)
    if (is.null(home)) {
        return(NULL)
    }
    package <- package_of(home)
    if (!is.null(package)) {
        note_package(walk, package)
        return(list("package", package))
    }
    number <- visit(walk, "environments", home)$number
    binding <- paste(number, name)
    if (binding %in% walk$bindings) {
        return(list("binding", number, name))
    }
    assign("bindings", c(walk$bindings, binding), walk)
    visit_as(name, walk, {
        value <- value_of(name, home)
        # Text may be the name of a function, and code is there to be
        # evaluated.
        list("binding", number, name, stable_form(value, walk),
             follow(if (is.character(value) && length(value) <= 100L) {
                 list(text = value)
             } else if (is.call(value) || is.symbol(value) ||
                        is.expression(value)) {
                 list(values = all.names(value))
             }, home, walk))
    })
}

home_of_name <- function(name, home, mode) {
    while (!identical(home, emptyenv())) {
        if (exists(name, home, mode = mode, inherits = FALSE)) {
            return(home)
        }
        home <- parent.env(home)
    }
    NULL
}

value_of <- function(name, home) {
    if (name == "...") {
        return(eval(quote(list(...)), home))
    }
    if (bindingIsActive(name, home)) {
        return(activeBindingFunction(name, home))
    }
    # an argument that was not given, or cannot be computed
    tryCatch(get(name, home, inherits = FALSE),
             error = function(condition) "empty")
}

# The package that an environment belongs to; NULL for one of the session.
package_of <- function(home) {
    if (identical(home, baseenv()) || identical(home, .BaseNamespaceEnv)) {
        return("base")
    }
    if (isNamespace(home)) {
        return(getNamespaceName(home)[[1L]])
    }
    name <- attr(home, "name", exact = TRUE)
    if (is.character(name) && grepl("^(package|imports):", name)) {
        sub("^[a-z]+:", "", name)
    }
}

# Functions of the session whose name is that of a method of these generics.
methods_of <- function(generics, home) {
    found <- character()
    while (!identical(home, emptyenv())) {
        if (is.null(package_of(home))) {
            names <- ls(home, all.names = TRUE)
            # every start of a name up to a dot
            dots <- gregexpr(".", names, fixed = TRUE)
            own <- mapply(function(name, at) {
                any(substring(name, 1L, at - 1L) %in% generics)
            }, names, dots)
            found <- c(found, names[as.logical(own)])
        }
        home <- parent.env(home)
    }
    sort_names(found)
}

stable_environment <- function(value, walk) {
    if (inherits(value, "session_state")) {
        return("session state")
    }
    package <- package_of(value)
    if (!is.null(package)) {
        note_package(walk, package)
        return(list("package", package))
    }
    if (identical(value, globalenv()) || identical(value, emptyenv())) {
        return(list("environment", environmentName(value)))
    }
    visited <- visit(walk, "environments", value)
    if (exists(".refClassDef", value, inherits = FALSE)) {
        return(reference_object(value, visited, walk))
    }
    # visited as the home of a function before: its other values count now
    names <- sort_names(ls(value, all.names = TRUE))
    list("environment", visited$number,
         lapply(names, follow_name, value, walk, "any"),
         if (visited$new) stable_attributes(value, walk))
}

# An object of a reference class: the values of its fields and its methods; R
# adds and removes other bindings as methods are used.
reference_object <- function(value, visited, walk) {
    if (!visited$new) {
        return(list("environment", visited$number))
    }
    class <- get(".refClassDef", value)
    methods <- as.list(class@refMethods)
    methods <- methods[vapply(methods, is.function, NA)]
    list("object", visited$number, as.character(class@className),
         lapply(sort_names(names(class@fieldClasses)), follow_name, value, walk,
                "any"),
         lapply(methods[sort_names(names(methods))], stable_form, walk))
}
