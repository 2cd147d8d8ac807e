# Nothing is silently slow: one message before a call that will take long. The
# place that does the work counts its operations; how many of them an ordinary
# machine makes in a second is fixed here, so an estimate may be wrong by a
# factor of three.

# Seconds from which a call is announced.
slow_from <- 10

# Additions of products that one thread makes in a second.
slow_rate <- 1e9

# `operations`: how many; `what` takes them; `instead`: what would be faster.
# The same message comes once in a session;
# options(linkrank.progress = FALSE) silences it.
note_slow <- function(operations, what, instead) {
    seconds <- operations / slow_rate
    if (seconds <= slow_from || isFALSE(getOption("linkrank.progress"))) {
        return(invisible())
    }
    text <- paste0("About ", show_duration(seconds), " for ", what, ": ",
                   instead, ".")
    if (text %in% slow_state$shown) {
        return(invisible())
    }
    slow_state$shown <- c(slow_state$shown, text)
    inform_linkrank(text, class = "slow")
}

slow_state <- new.env(parent = emptyenv())

# Runs what is announced already, or better by others, without a message.
without_slow <- function(code) {
    withCallingHandlers(code, linkrank_message_slow = function(condition) {
        tryInvokeRestart("muffleMessage")
    })
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
