# The plan of questions, and curves along them.

#' @rdname plan_questions
#' @order 3
#' @param main Title of the plot.
#' @export
plot.question_plan <- function(x, main = "Features found by questions", ...) {
    curves <- lapply(c(found = "found", right = "right"), function(what) {
        error <- x[[paste0(what, "_se")]]
        data.frame(features = x$questions, value = x[[what]],
                   low = pmax(0, x[[what]] - error),
                   high = pmin(1, x[[what]] + error))
    })
    draw_curves(curves, list(main = main, xlab = "Questions",
                             ylab = "Share of planted features"),
                list(ylim = c(0, 1)), ...)
    graphics::abline(h = attr(x, "info")$target, lty = 3)
    invisible(x)
}

#' @rdname evaluate_questions
#' @order 4
#' @param main,xlab,ylab Titles of the plot.
#' @exportS3Method
plot.question_evaluation <- function(x, measure = NULL, main = NULL,
                                     xlab = "Questions", ylab = NULL, ...) {
    plot(as_method_evaluation(x, measure, "x"), main = main, xlab = xlab,
         ylab = ylab, ...)
    invisible(x)
}
