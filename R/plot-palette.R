# All colours of the plots. No information is shown by colour alone: shape, fill
# or line type differs as well.

# Six colours of Okabe and Ito (2008), which differ with protan and deutan sight
# too; their yellow and black would be invisible on white or black paper.
colours <- c(blue = "#0072B2", vermillion = "#D55E00", green = "#009E73",
             purple = "#CC79A7", orange = "#E69F00", sky = "#56B4E9")

# Six more for more classes: each as far as possible in CIE Lab from those
# before it, and clear of white and of black paper.
more_colours <- c("#6A00B1", "#9BD93A", "#574418", "#F2BB97", "#8F0D1C",
                  "#9281F1")

link_style <- data.frame(colour = colours[c("vermillion", "blue")],
                         line = c(2L, 1L), row.names = c("cannot", "must"))

# Answers.
agreement_style <- data.frame(
    colour = c(colours[c("blue", "vermillion")], "grey50"),
    shape = c(19L, 0L, 4L), line = 1:3,
    row.names = c("must-link", "cannot-link", "unsure")
)

# Bars of glean()'s parts: filled, open and hatched (lines per inch).
part_style <- data.frame(colour = colours[c("green", "vermillion", "blue",
                                            "orange")],
                         density = c(-1, 0, 60, 25),
                         row.names = c("structure", "margin", "spread",
                                       "contrast"))

# From low to high, light in the middle.
heat_colours <- grDevices::hcl.colors(41L, "Blue-Red 3")

# A style for each of `count` classes or curves. The lengths of the cycles have
# no common divisor, so a combination of colour and shape repeats after 84
# classes, of colour and line type after 60 curves; adjacent ones differ in all
# of them.
style_of <- function(count) {
    cycle <- c(unname(colours), if (count > 6L) more_colours)
    data.frame(colour = rep_len(cycle, count),
               shape = rep_len(c(19L, 17L, 15L, 1L, 2L, 0L, 8L), count),
               line = rep_len(c(1L, 5L, 2L, 4L, 3L), count))
}

# Grey, from the background (0) to the foreground (1) of the device, because
# plots may be light on dark. A transparent background is derived from the
# foreground.
ink <- function(strength) {
    front <- grDevices::col2rgb(graphics::par("fg"))
    paper <- graphics::par("bg")
    back <- if (grDevices::col2rgb(paper, alpha = TRUE)[4L] > 0) {
        grDevices::col2rgb(paper)
    } else if (mean(front) > 127) {
        front * 0
    } else {
        front * 0 + 255
    }
    shades <- front %*% t(strength) + back %*% t(1 - strength)
    grDevices::rgb(shades[1L, ], shades[2L, ], shades[3L, ],
                   maxColorValue = 255)
}
