# The report: results.csv, report.md, report.html and figures.

verdicts <- c("exact", "within 2 se", "close", "differs", "too few runs",
              "time", "no data", "not run")
paper_titles <- c(
    hijazi = "Hijazi (2019), thesis", zhang = "Zhang, Chen and Zhou (2008)",
    salmi = "Salmi, Hammouche and Macaire (2020)",
    doquire = "Doquire and Verleysen (2013)",
    berahmand = "Berahmand, Rostami and Forouzandeh (2020)"
)

write_report <- function(results, folder, mode) {
    dir.create(file.path(folder, "figures"), recursive = TRUE,
               showWarnings = FALSE)
    write_file(file.path(folder, "results.csv"), utils::capture.output(
        utils::write.csv(results, row.names = FALSE)))
    figures <- draw_figures(results, file.path(folder, "figures"))
    for (figure in file.path(folder, "figures", figures)) {
        check_png(figure)
    }
    blocks <- report_blocks(results, figures, mode)
    write_file(file.path(folder, "report.md"), vapply(blocks, as_markdown, ""))
    write_file(file.path(folder, "report.html"),
               c(page_head, vapply(blocks, as_html, ""), "</body></html>"))
    counts <- verdict_counts(results)
    print(counts, right = FALSE, row.names = FALSE)
    cat("\nWrote ", folder, "/report.md, report.html, results.csv and ",
        length(figures), " figures.\n", sep = "")
}

# A PNG ends with a chunk IEND of 12 bytes; devices do not report a full disk.
check_png <- function(file) {
    bytes <- readBin(file, "raw", file.size(file))
    end <- length(bytes) - 7:4
    if (length(bytes) < 20L || !identical(bytes[end], charToRaw("IEND"))) {
        unlink(file)
        linkrank:::abort_linkrank("The picture could not be written to \"",
                                  dirname(file), "\".", class = "disk")
    }
}

# Verdicts by table, of the rows given.
verdict_counts <- function(results, chosen = TRUE) {
    own <- results[chosen, ]
    title <- if (nrow(own)) table_title(own) else character()
    counts <- table(factor(title, unique(title)),
                    factor(own$verdict, verdicts))
    data.frame(table = rownames(counts), unclass(counts), check.names = FALSE,
               row.names = NULL)
}

table_title <- function(results) {
    paste0(sub(" .*", "", sub(",", "", paper_titles[results$paper])), ", ",
           results$title)
}

report_blocks <- function(results, figures, mode) {
    tells <- results$verdict %in% verdicts[1:5]
    blocks <- list(
        list(kind = "title", text = "The papers' tables with linkrank"),
        list(kind = "text", text = paste(
            "*Does the package reproduce their numbers?*",
            paste(answers(results), collapse = " "))),
        list(kind = "text", text = paste0(
            "linkrank ", utils::packageVersion("linkrank"), ", ", mode,
            " run of ", format(Sys.Date()), ". *exact*: the printed number, ",
            "rounded or cut, and not beyond 2 se. *within 2 se*, *close* (up ",
            "to 3), *differs*: the difference over its standard error, which ",
            "joins ours and that of the printed mean (where few runs of ours ",
            "say how large it is, with the limits of Student's t that are as ",
            "likely). A row without an ",
            "error is exact or differs. *runs*: how many ours are. *too few ",
            "runs*: fewer than ", fewest_runs, ". *no data*: ",
            "the set is not at hand. *not run*: a competitor that the package ",
            "does not have, or a row that takes a full run.")),
        list(kind = "part", text = "All rows"),
        list(kind = "table", table = verdict_counts(results)),
        list(kind = "part", text = "Rows that were first expected to agree"),
        list(kind = "table", table = verdict_counts(
            results, tells & results$expected_first == "agree")),
        list(kind = "part", text = "Rows that are now expected to agree"),
        list(kind = "table", table = verdict_counts(
            results, tells & results$expected == "agree"))
    )
    for (paper in unique(results$paper)) {
        own <- results[results$paper == paper, ]
        blocks <- c(blocks, list(list(kind = "section",
                                      text = paper_titles[[paper]])))
        for (figure in figures[names(figures) == paper]) {
            blocks <- c(blocks, list(list(kind = "figure", file = figure)))
        }
        for (table in unique(own$table)) {
            rows <- own[own$table == table, ]
            blocks <- c(blocks, list(
                list(kind = "part", text = rows$title[1L]),
                list(kind = "table", table = shown_rows(rows))))
        }
    }
    blocks
}

shown_rows <- function(rows) {
    number <- function(x, digits) {
        ifelse(is.na(x), "", formatC(x, digits = digits, format = "f"))
    }
    digits <- ifelse(abs(as.numeric(rows$published)) < 2, 3L, 2L)
    ours <- mapply(number, rows$ours, digits)
    data.frame(
        data = rows$data, method = rows$method, metric = rows$metric,
        published = rows$published, ours = ours,
        se = mapply(number, rows$se, digits),
        `difference in se` = ifelse(rows$expected == "time", "",
                                    number(rows$difference, 1L)),
        `d printed` = rows$published_d, `d ours` = number(rows$ours_d, 0L),
        runs = ifelse(rows$ours_runs > 0, rows$ours_runs, ""),
        verdict = rows$verdict, `first expected` = rows$expected_first,
        why = why_of(rows), check.names = FALSE
    )
}

# Why a row differs or was not run, and why another verdict is expected than
# first.
why_of <- function(rows) {
    why <- ifelse(rows$verdict == "not run" & rows$expected != "not run",
                  "only in a full run", rows$reason)
    open <- rows$between != "" & rows$verdict == "differs"
    why[open] <- paste0(why[open], "; the printed number ", ifelse(
        rows$between[open] == "yes", "lies between", "is outside of"),
        " the four readings (", rows$readings[open], ")")
    changed <- ifelse(nzchar(rows$changed),
                      paste0("expectation changed: ", rows$changed), "")
    paste0(why, ifelse(nzchar(why) & nzchar(changed), "; ", ""), changed)
}

# ---- text and page ----------------------------------------------------------

as_markdown <- function(block) {
    switch(block$kind,
        title = paste0("# ", block$text, "\n"),
        section = paste0("\n## ", block$text, "\n"),
        part = paste0("\n### ", block$text, "\n"),
        text = paste0(block$text, "\n"),
        figure = paste0("\n![](figures/", block$file, ")\n"),
        table = paste(c(
            paste0("| ", paste(names(block$table), collapse = " | "), " |"),
            paste0("|", strrep(" --- |", ncol(block$table))),
            apply(as.matrix(block$table), 1L, function(row) {
                paste0("| ", paste(trimws(row), collapse = " | "), " |")
            })), collapse = "\n"))
}

escape <- function(text) {
    text <- gsub("&", "&amp;", trimws(text), fixed = TRUE)
    gsub("<", "&lt;", text, fixed = TRUE)
}

emphasis <- function(text) gsub("\\*([^*]+)\\*", "<em>\\1</em>", text)

as_html <- function(block) {
    switch(block$kind,
        title = paste0("<h1>", escape(block$text), "</h1>"),
        section = paste0("<h2>", escape(block$text), "</h2>"),
        part = paste0("<h3>", escape(block$text), "</h3>"),
        text = paste0("<p>", emphasis(escape(block$text)), "</p>"),
        figure = paste0("<p><img src=\"figures/", block$file,
                        "\" alt=\"printed numbers and ours\"></p>"),
        table = html_table(block$table))
}

html_table <- function(table) {
    cells <- function(row, tag) {
        paste0("<", tag, ">", escape(row), "</", tag, ">", collapse = "")
    }
    head <- cells(names(table), "th")
    body <- apply(as.matrix(table), 1L, function(row) {
        class <- if ("verdict" %in% names(table))
            gsub(" ", "-", row[["verdict"]]) else ""
        paste0("<tr class=\"", class, "\">", cells(row, "td"), "</tr>")
    })
    paste0("<table><tr>", head, "</tr>\n", paste(body, collapse = "\n"),
           "\n</table>")
}

page_head <- c(
    "<!DOCTYPE html>", "<html lang=\"en\"><head><meta charset=\"utf-8\">",
    "<title>The papers' tables with linkrank</title>", "<style>",
    "body { font: 15px/1.5 sans-serif; max-width: 75em; margin: 2em auto;",
    "       padding: 0 1em; color: #222; background: #fff; }",
    "table { border-collapse: collapse; font-size: 13px; margin: 1em 0; }",
    "th, td { padding: 2px 8px; border-bottom: 1px solid #ddd;",
    "         text-align: left; vertical-align: top; }",
    ".exact td, .within-2-se td { background: #eaf4f9; }",
    ".differs td { background: #fbeee6; }",
    "img { max-width: 100%; }", "</style></head><body>"
)

# ---- figures ----------------------------------------------------------------

open_picture <- function(file, width, height) {
    type <- if (capabilities("cairo")) "cairo" else getOption("bitmapType")
    grDevices::png(file, width, height, res = 120, type = type)
}

draw_figures <- function(results, folder) {
    curves <- attr(results, "curves")
    drawn <- character()
    for (paper in unique(results$paper)) {
        file <- paste0(paper, ".png")
        if (draw_agreement(results[results$paper == paper, ],
                           file.path(folder, file), paper_titles[[paper]])) {
            drawn <- c(drawn, stats::setNames(file, paper))
        }
    }
    own <- results[results$paper == "hijazi" & results$id %in% names(curves), ]
    for (name in unique(own$data)) {
        file <- paste0("hijazi-", tolower(name), ".png")
        draw_curves(own[own$data == name, ], curves, file.path(folder, file))
        drawn <- c(drawn, hijazi = file)
    }
    drawn
}

# Every row of a paper: our number minus the printed one, in standard errors.
draw_agreement <- function(rows, file, title) {
    rows <- rows[!is.na(rows$difference) & rows$expected != "time", ]
    if (!nrow(rows)) {
        return(FALSE)
    }
    open_picture(file, 1100, 700)
    on.exit(grDevices::dev.off())
    size <- pmax(-8, pmin(8, rows$difference))
    agree <- rows$expected_first == "agree"
    graphics::par(mar = c(4, 4, 3, 1), las = 1)
    plot(seq_along(size), size, type = "n", ylim = c(-8, 8), xaxt = "n",
         xlab = "table", ylab = "ours minus printed, in standard errors",
         main = title)
    graphics::rect(0, -2, length(size) + 1, 2, col = "grey92", border = NA)
    mark_tables(sub("^(text|Figure) ", "", rows$table))
    graphics::abline(h = 0, col = "grey60")
    graphics::points(seq_along(size), size, pch = ifelse(agree, 19, 1),
                     col = ifelse(agree, "#0072B2", "#D55E00"))
    graphics::legend("topleft", c("first expected to agree",
                                  "first: may differ"),
                     pch = c(19, 1), col = c("#0072B2", "#D55E00"), bty = "n")
    graphics::mtext("beyond 8: drawn at 8", side = 3, adj = 1, cex = 0.8)
    TRUE
}

# A line between two tables, their numbers below.
mark_tables <- function(tables) {
    place <- split(seq_along(tables), factor(tables, unique(tables)))
    last <- vapply(place, max, 0L)
    graphics::abline(v = utils::head(last, -1L) + 0.5, col = "grey75")
    graphics::axis(1, vapply(place, mean, 0), names(place), tick = FALSE,
                   gap.axis = 0)
}

palette_of <- c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00",
                "#56B4E9", "#000000")

# Our mean curves with bands of two errors; printed numbers as open points.
draw_curves <- function(rows, curves, file) {
    rows <- utils::head(rows[grepl("^best accuracy$", rows$metric), ], 6L)
    if (!nrow(rows)) {
        return(invisible())
    }
    open_picture(file, 1100, 700)
    on.exit(grDevices::dev.off())
    found <- curves[rows$id]
    counts <- range(unlist(lapply(found, `[[`, "d")))
    graphics::par(mar = c(4, 4, 3, 14), las = 1)
    shown <- c(unlist(lapply(found, `[[`, "mean")), as.numeric(rows$published))
    plot(NA, xlim = counts, ylim = range(shown), xlab = "features",
         log = if (counts[2L] > 500) "x" else "",
         ylab = "accuracy in percent", main = rows$data[1L])
    for (i in seq_along(found)) {
        one <- found[[i]]
        ink <- palette_of[i]
        if (length(one$se) && !anyNA(one$se)) {
            graphics::polygon(
                c(one$d, rev(one$d)),
                c(one$mean - 2 * one$se, rev(one$mean + 2 * one$se)),
                col = grDevices::adjustcolor(ink, 0.2), border = NA)
        }
        graphics::lines(one$d, one$mean, col = ink, lty = i, lwd = 2)
        graphics::points(as.numeric(rows$published_d[i]),
                         as.numeric(rows$published[i]), col = ink, pch = i,
                         cex = 1.6, lwd = 2)
    }
    graphics::legend(graphics::grconvertX(1.02, "npc"),
                     graphics::grconvertY(1, "npc"), rows$method, bty = "n",
                     col = palette_of[seq_along(found)],
                     lty = seq_along(found), pch = seq_along(found), lwd = 2,
                     xpd = NA, title = "points: as printed")
}
