# Every entry of C, called with a collection of garbage at each of its
# allocations: what is not protected is gone at once. It must give what it gives
# without. Sourced by child.R; R's own code is left in peace, which makes a
# collection at every allocation affordable.

entries_reached <- new.env()

times_reached <- function(name) {
    get0(name, entries_reached, inherits = FALSE, ifnotfound = 0)
}

most_tortured <- 8L # times for an entry: it takes a hundred times as long

tortured_call <- function(.NAME, ...) {
    before <- times_reached(.NAME$name)
    plain <- base::.Call(.NAME, ...)
    if (before >= most_tortured) {
        return(plain)
    }
    assign(.NAME$name, before + 1, envir = entries_reached)
    gctorture(TRUE)
    on.exit(gctorture(FALSE))
    again <- base::.Call(.NAME, ...)
    gctorture(FALSE)
    if (!identical(again, plain)) {
        writeLines(paste0("tortured: C_", .NAME$name, " gives another result"),
                   stderr())
    }
    again
}

# A function of the package that finds tortured_call() as .Call; compiled, it
# would have base R's built in, so it is made again from what was written.
with_torture <- function(fun, between) {
    again <- as.function(c(formals(fun), list(body(fun))), envir = between)
    attributes(again) <- attributes(fun)
    again
}

torture_entries <- function(package = "linkrank") {
    home <- asNamespace(package)
    compiler::enableJIT(0)
    between <- list2env(list(.Call = tortured_call), parent = home)
    for (name in ls(home, all.names = TRUE)) {
        value <- get(name, home)
        if (typeof(value) == "closure" &&
            identical(environment(value), home)) {
            unlockBinding(name, home)
            assign(name, with_torture(value, between), home)
        }
    }
}

# A line for each registered entry, with how often it was tortured.
note_entries <- function(file, package = "linkrank") {
    names <- names(getDLLRegisteredRoutines(package)$.Call)
    counts <- vapply(names, times_reached, 0)
    cat(paste(names, counts), sep = "\n", file = file, append = TRUE)
}
