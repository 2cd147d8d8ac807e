# Machado, Oliveira and Fernandes (2009), severity 1: what is left of linear RGB.
blind <- list(
    protan = rbind(c(0.152286, 1.052583, -0.204868),
                   c(0.114503, 0.786281, 0.099216),
                   c(-0.003882, -0.048116, 1.051998)),
    deutan = rbind(c(0.367322, 0.860646, -0.227968),
                   c(0.280085, 0.672501, 0.047413),
                   c(-0.011820, 0.042940, 0.968881))
)

seen_by <- function(colours, matrix) {
    encoded <- t(grDevices::col2rgb(colours)) / 255
    linear <- ifelse(encoded <= 0.04045, encoded / 12.92,
                     ((encoded + 0.055) / 1.055)^2.4)
    seen <- pmin(pmax(linear %*% t(matrix), 0), 1)
    encoded <- ifelse(seen <= 0.0031308, 12.92 * seen,
                      1.055 * seen^(1 / 2.4) - 0.055)
    grDevices::rgb(encoded)
}

# The least distance between two of the colours, in CIE Lab.
least_distance <- function(colours) {
    lab <- grDevices::convertColor(t(grDevices::col2rgb(colours)) / 255,
                                   "sRGB", "Lab")
    min(stats::dist(lab))
}

test_that("the colours differ to every eye", {
    expect_gt(least_distance(colours), 25)
    for (kind in names(blind)) {
        expect_gt(least_distance(seen_by(colours, blind[[kind]])), 16)
        ends <- heat_colours[c(1, 21, 41)]
        expect_gt(least_distance(seen_by(ends, blind[[kind]])), 40)
    }
    # the check finds a red and a green of one lightness
    expect_lt(least_distance(seen_by(c("#b2182b", "#1b7837"), blind$deutan)),
              16)
})

test_that("the colours differ by colorspace's simulation too", {
    skip_if_not_installed("colorspace")
    expect_gt(least_distance(colorspace::protan(colours)), 16)
    expect_gt(least_distance(colorspace::deutan(colours)), 16)
})

test_that("colours show on white paper and on black", {
    for (colour in colours) {
        expect_gt(least_distance(c(colour, "white")), 30)
        expect_gt(least_distance(c(colour, "#1b1b1f")), 30)
    }
})

test_that("twelve classes have twelve colours", {
    twelve <- style_of(12)$colour
    expect_identical(twelve[1:6], style_of(6)$colour)
    expect_gt(least_distance(twelve), 25)
    for (colour in twelve) {
        expect_gt(least_distance(c(colour, "white")), 30)
        expect_gt(least_distance(c(colour, "#1b1b1f")), 30)
    }
})

test_that("no information is shown by colour alone", {
    expect_identical(anyDuplicated(style_of(84)[c("colour", "shape")]), 0L)
    expect_identical(anyDuplicated(style_of(60)[c("colour", "line")]), 0L)
    few <- style_of(5)
    expect_identical(anyDuplicated(few$shape), 0L)
    expect_identical(anyDuplicated(few$line), 0L)
    expect_false(anyDuplicated(link_style$line) > 0)
    expect_false(anyDuplicated(part_style$density) > 0)
    expect_identical(rownames(part_style), part_names)
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_false(anyDuplicated(significance_style()$shape) > 0)
    expect_identical(nrow(style_of(0)), 0L)
})

test_that("grey goes from the paper to the ink of the device", {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_identical(ink(c(0, 1)), c("#FFFFFF", "#000000"))
    graphics::par(fg = "white")
    expect_identical(ink(c(0, 1)), c("#000000", "#FFFFFF"))
    graphics::par(bg = "#202020", fg = "#E0E0E0")
    expect_identical(ink(c(0, 0.5, 1)), c("#202020", "#808080", "#E0E0E0"))
})

test_that("all colours are named in one file", {
    files <- list.files(package_sources("R"), "^plot-.*[.]R$",
                        full.names = TRUE)
    files <- files[basename(files) != "plot-axes.R"]
    lines <- unlist(lapply(files, readLines))
    named <- grep("\"#[0-9a-fA-F]{6}\"|\"grey[0-9]+\"", lines, value = TRUE)
    expect_identical(named, character())
})
