# Nothing is silently slow: one message before a call that will take long. What
# a call costs is known where the work is (`work`, seconds of the machine that
# the costs were measured on); how fast this machine is, is measured once.

# Seconds from which a call is announced.
slow_from <- 10

# `work`: seconds on the measured machine, one thread; `what` takes them;
# `instead`: the way out. Once per call of a user, in scripts too;
# options(linkrank.progress = FALSE) silences it.
tell_slow <- function(work, what, instead) {
    # no machine is five times slower than the measured one without knowing it
    if (work < slow_from / 5 || isFALSE(getOption("linkrank.progress"))) {
        return(invisible())
    }
    call <- users_call()
    seconds <- work * machine_pace()
    if (seconds <= slow_from || identical(slow_state$told, call)) {
        return(invisible())
    }
    slow_state$told <- call
    inform_linkrank("About ", show_duration(seconds), " for ", what, ": ",
                    instead, ".", class = "slow")
}

slow_state <- new.env(parent = emptyenv())

# Which call of this package is the outermost one: the same for all that it
# calls.
users_call <- function() {
    home <- topenv()
    for (number in seq_len(sys.nframe())) {
        if (identical(environment(sys.function(number)), home)) {
            return(format(sys.frame(number)))
        }
    }
}

# Runs what is announced already, or better by others: no word of its own.
without_slow <- function(code) {
    withCallingHandlers(code, linkrank_message_slow = function(condition) {
        tryInvokeRestart("muffleMessage")
    })
}

# Time of this machine by that of the measured one, from a distance matrix that
# took 0.049 s there. Some 0.1 s, once in a session.
machine_pace <- function() {
    if (is.null(slow_state$pace)) {
        cells <- matrix(as.numeric(1:65536 %% 251), 512L)
        spent <- vapply(1:2, function(run) {
            system.time(stats::dist(cells), gcFirst = FALSE)[["user.self"]]
        }, 0)
        slow_state$pace <- min(5, max(0.2, min(spent) / 0.049))
    }
    slow_state$pace
}

# 40 seconds, 12 minutes, 3 hours
show_duration <- function(seconds) {
    if (seconds < 90) {
        paste(signif(seconds, 2L), "seconds")
    } else if (seconds < 5400) {
        paste(signif(seconds / 60, 2L), "minutes")
    } else {
        paste(signif(seconds / 3600, 2L), "hours")
    }
}
