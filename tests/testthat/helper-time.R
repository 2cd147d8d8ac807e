# Seconds count in the build that users have: under covr, the sanitizers, valgrind
# or torture everything is slower, and tests of time look at the rest only.
judges_time <- function() {
    !identical(Sys.getenv("R_COVR"), "true") &&
        !nzchar(Sys.getenv("LINKRANK_SLOW_BUILD"))
}

# Seconds of the processor that this process has had: other programs may run
# besides.
cpu_seconds <- function() sum(proc.time()[c("user.self", "sys.self")])
