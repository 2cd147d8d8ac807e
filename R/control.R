# How a call runs: threads, progress, and how much memory it may take.

# How an entry in C runs; none of this changes its result. NULL: as the user's
# options say. Benchmarks and tests set other options: use of the portable
# kernels, the work (elementary operations) for which one more thread starts,
# the number of processors (0: as the machine reports), the size of a batch.
run_control <- function(threads = NULL, progress = NULL) {
    if (is.null(threads)) threads <- getOption("linkrank.threads", 1L)
    if (is.null(progress))
        progress <- getOption("linkrank.progress", interactive())
    threads <- check_count(threads, "threads")
    c(list(threads = as.integer(min(threads, .Machine$integer.max)),
           progress = check_flag(progress, "progress"),
           portable = isTRUE(getOption("linkrank.portable"))),
      set_options(c("worthwhile", "processors", "batch_bytes")))
}

# Numbers that a user may set by options, as a list.
set_options <- function(names) {
    numbers <- option_defaults[names]
    options <- paste0("linkrank.", names)
    for (i in seq_along(names)) {
        given <- getOption(options[i])
        if (is.null(given)) next
        most <- if (names[i] == "max_bytes") Inf else .Machine$integer.max
        numbers[[i]] <- check_number(given, options[i], 0, most)
    }
    numbers
}

option_defaults <- list(worthwhile = 1e6, processors = 0,
                        batch_bytes = 256 * 2^20, max_bytes = 4 * 2^30)

# For short calls: one thread, no progress line.
default_control <- function() run_control(1L, FALSE)

# The same without a progress line, for a short step.
no_progress <- function(control) replace(control, "progress", FALSE)

# An object that grows with the square of the number of samples is refused, with
# its size, before it fills the memory.
check_bytes <- function(bytes, what) {
    limit <- getOption("linkrank.max_bytes", option_defaults$max_bytes)
    # what every call passes through is asked before the option is checked
    if (is.numeric(limit) && isTRUE(bytes <= limit)) return(invisible())
    limit <- set_options("max_bytes")$max_bytes
    abort_linkrank(what, " would take ", show_bytes(bytes), ", but ",
                   "options(linkrank.max_bytes) allows ", show_bytes(limit),
                   ".", class = "memory")
}

# A copy of these features as scaled doubles, and the block that is multiplied.
check_scaled_bytes <- function(samples, features) {
    check_bytes(8 * samples * (features + 72), "The scaled features")
}
