# Plots of p-values and of the convergence of margin methods.

# The margin of each feature against -log10 of its p-value.
draw_significance <- function(x, n, alpha, main, xlab, ylab, ...) {
    check_significance(x, "`x` must hold")
    columns <- significance_columns(x)
    p_value <- x[[columns$p_value]]
    known <- !is.na(p_value)
    refuse_if(!any(known), "A feature of `x` must have a p-value, but all are ",
              "missing.")
    refuse_if(is.null(x$margin), "`x` must be a ranking with margins and ",
              "p-values, not one by ", attr(x, "info")$label, ".")
    p_value <- p_value[known]
    adjusted <- x[[columns$adjusted]][known]
    table <- data.frame(
        feature = x$feature[known], difference = x$margin[known],
        height = -log10(pmax(p_value, min(p_value[p_value > 0], 1))),
        significant = (adjusted <= alpha) %in% TRUE,
        named = order(order(adjusted, p_value, -x$margin[known])) <= n)
    draw_volcano(table, list(
        main = main %||% paste0(attr(x, "info")$label, ": ",
                                count_noun(nrow(table), "feature")),
        xlab = xlab %||% "Margin", ylab = ylab %||% "-log10 of the p-value"),
        ..., words = paste("adjusted p <=", alpha))
    invisible(x)
}

draw_convergence <- function(x, main, xlab, ylab, ...) {
    info <- attr(x, "info")
    main <- main %||% paste0(info$label, ": convergence")
    if (!is.null(info$convergence)) {
        draw_changes(info, main, xlab, ylab, ...)
    } else if (!is.null(info$trace)) {
        draw_traces(info, main, xlab, ylab, ...)
    } else {
        abort_linkrank("`x` must be a ranking by irelief(), simba() or ",
                       "simba_sc(), not by ", info$label, ".")
    }
    invisible(x)
}

draw_changes <- function(info, main, xlab, ylab, ...) {
    steps <- info$convergence
    moved <- steps$change > 0
    if (any(moved)) {
        steps <- steps[moved, ]
    } else {
        # 0 has no logarithm: a text in the middle replaces the curve
        steps$change <- 1
    }
    tol <- info$parameters$tol
    draw_axes(steps$iteration, c(steps$change, if (tol > 0) tol),
              list(main = main, xlab = xlab %||% "Iteration",
                   ylab = ylab %||% "Change of the weights"),
              list(log = "y"), ..., whole = TRUE)
    if (!any(moved)) {
        graphics::text(mean(graphics::par("usr")[1:2]), 1,
                       "The weights did not change.")
    } else {
        graphics::lines(steps$iteration, steps$change, type = "b", pch = 20)
    }
    if (tol > 0) {
        graphics::abline(h = tol, lty = 2, col = ink(0.5))
        graphics::mtext(paste("tol:", tol), side = 4, at = tol, cex = 0.8,
                        col = ink(0.75), line = 0.1)
    }
}

# The chosen start has the largest margin under its final weights, which the
# running mean of the visits does not show; it is written beside the curves.
draw_traces <- function(info, main, xlab, ylab, ...) {
    visits <- seq_len(nrow(info$trace))
    running <- apply(info$trace, 2L, cumsum) / visits
    dim(running) <- dim(info$trace)
    starts <- info$starts
    order <- order(-starts$margin)
    names <- fit_names(paste0(
        "start ", order, ": ", formatC(starts$margin[order], digits = 4L),
        ifelse(starts$chosen[order], ", chosen", "")), whole = TRUE)
    # means of the first few visits would compress the rest
    settled <- running[visits > 0.05 * length(visits), , drop = FALSE]
    window <- draw_axes(visits, settled, list(
        main = main, xlab = xlab %||% "Visit",
        ylab = ylab %||% "Mean margin so far"), ...,
        reserved = c(names$inches, 0.1), whole = TRUE)
    draw_courses(visits, running, starts$chosen, window)
    # lines to the names in the colours of the curves
    draw_side_names(names, rep(length(visits), length(order)),
                    running[length(visits), order], max(window$x),
                    ifelse(starts$chosen[order], colours[["vermillion"]],
                           ink(0.35)))
    graphics::mtext("total margin with the final weights", 3L, 0.2, adj = 1,
                    cex = 0.75, col = ink(0.75))
}

# Values outside the window are cut, because the first visits vary widely.
draw_courses <- function(visits, running, chosen, window) {
    inside <- running >= min(window$y) & running <= max(window$y)
    running[!inside] <- NA
    for (start in order(chosen)) {
        graphics::lines(visits, running[, start],
                        lwd = if (chosen[start]) 2.2 else 1,
                        lty = if (chosen[start]) 1 else 2,
                        col = if (chosen[start]) colours[["vermillion"]] else
                            ink(0.5))
    }
}
