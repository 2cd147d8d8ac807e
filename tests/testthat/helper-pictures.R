# What a plot hands to the device, of 7 x 5 inches: a list of calls, each a name
# and its arguments; and a function from user coordinates to inches.
drawn_calls <- function(code, width = 7, height = 5) {
    grDevices::pdf(NULL, width, height)
    grDevices::dev.control("enable")
    on.exit(grDevices::dev.off())
    force(code)
    # the space that names have is measured with the last axes of the page
    calls <- lapply(grDevices::recordPlot()[[1L]], function(entry) {
        list(name = entry[[2L]][[1L]]$name, arguments = entry[[2L]][-1L])
    })
    texts <- Filter(function(call) call$name == "C_text", calls)
    list(calls = calls, boxes = do.call(rbind, lapply(texts, text_box)))
}

# The boxes of one call of text(), in inches; `beside`: written to the right of
# its place, as names beside the data are.
text_box <- function(call) {
    place <- call$arguments[[1L]]
    text <- as.character(call$arguments[[2L]])
    adj <- call$arguments[[3L]]
    size <- call$arguments[[7L]]
    if (is.null(size)) size <- 1
    x <- graphics::grconvertX(place$x, "user", "inches")
    y <- graphics::grconvertY(place$y, "user", "inches")
    wide <- graphics::strwidth(text, "inches", cex = size)
    tall <- graphics::strheight(text, "inches", cex = size)
    across <- if (is.null(adj)) 0.5 else adj[1L]
    data.frame(text = text, left = x - across * wide,
               right = x + (1 - across) * wide, low = y - tall / 2,
               high = y + tall / 2, beside = across == 0)
}

text_boxes <- function(code, ...) drawn_calls(code, ...)$boxes

# All text of a picture, titles and margins too.
texts_of <- function(code) {
    flat <- function(value) {
        if (is.list(value)) unlist(lapply(value, flat)) else
            if (is.character(value)) value
    }
    flat(lapply(drawn_calls(code)$calls, function(call) {
        unclass(call$arguments)
    }))
}

# Do two of the boxes overlap?
any_overlap <- function(boxes, slack = 0.005) {
    pairs <- utils::combn(nrow(boxes), 2L)
    a <- boxes[pairs[1L, ], ]
    b <- boxes[pairs[2L, ], ]
    any(a$left < b$right - slack & b$left < a$right - slack &
            a$low < b$high - slack & b$low < a$high - slack)
}
