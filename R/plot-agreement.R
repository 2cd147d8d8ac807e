# Pairs in dispute, and who gave which answer.

#' @rdname answer_agreement
#' @order 3
#' @exportS3Method
plot.answer_agreement <- function(x, n = 30L, main = NULL, ...) {
    n <- check_count_or_all(n, "n", 1)
    disputes <- utils::head(x$disputes, n)
    main <- main %||% agreement_title(x)
    if (!nrow(disputes)) {
        graphics::plot.new()
        graphics::title(main)
        graphics::text(0.5, 0.5, "no pair in dispute")
        return(invisible(disputes))
    }
    answers <- as.matrix(disputes[-(1:2)])
    rows <- nrow(answers)
    names <- shorten(paste0(disputes$first, " and ", disputes$second), 36L)
    raters <- shorten(colnames(answers), 16L)
    wide <- min(text_inches(names, 0.8, 2L) + 0.15,
                0.5 * graphics::par("fin")[1L])
    line <- graphics::par("csi")
    old <- graphics::par(mai = c(2.2 * line, max(wide, 0.9), 3.6 * line, 0.3))
    on.exit(graphics::par(old))
    graphics::plot.new()
    graphics::plot.window(c(0.5, ncol(answers) + 0.5), c(rows + 0.5, 0.5),
                          yaxs = "i")
    graphics::abline(h = seq_len(rows), col = ink(0.15))
    at <- which(!is.na(answers), arr.ind = TRUE)
    style <- agreement_style[answers[at], ]
    graphics::points(at[, 2L], at[, 1L], pch = style$shape, cex = 1.3,
                     col = style$colour, ...)
    graphics::axis(2, seq_len(rows), names, las = 1, tick = FALSE,
                   cex.axis = 0.8)
    graphics::axis(3, seq_len(ncol(answers)), raters, tick = FALSE, line = -1)
    graphics::title(main, line = 2.2, cex.main = title_size(main))
    graphics::legend("bottom", answer_words[rownames(agreement_style)],
                     pch = agreement_style$shape, col = agreement_style$colour,
                     horiz = TRUE, bty = "n", xpd = NA,
                     inset = c(0, -1.9 * line / graphics::par("pin")[2L]))
    invisible(disputes)
}

agreement_title <- function(x) {
    disputed <- paste(nrow(x$disputes), "of", count_noun(x$pairs, "pair"),
                      "in dispute")
    if (is.na(x$kappa)) {
        return(disputed)
    }
    number <- function(value) formatC(value, digits = 2L, format = "f")
    paste0(disputed, ", kappa ", number(x$kappa), " (",
           number(x$interval[1L]), " to ", number(x$interval[2L]), ")")
}
