# Draws the logo (two samples linked, one apart) and the icons of the site.
#
#   Rscript data-raw/logo.R     from the root

ground <- "#12344d"
alike <- "#56b4e9"
apart <- "#e69f00"

draw_logo <- function(words = TRUE) {
  par(mar = rep(0, 4), bg = NA)
  plot.new()
  plot.window(c(-1, 1), c(-1.16, 1.16), asp = 1, xaxs = "i", yaxs = "i")
  angle <- seq(pi / 2, by = pi / 3, length.out = 6)
  polygon(1.14 * cos(angle), 1.14 * sin(angle), col = ground, border = alike,
          lwd = 3)
  x <- c(-0.45, 0.45, 0)
  y <- c(0.42, 0.42, -0.22)
  segments(x[1], y[1], x[2], y[2], col = alike, lwd = 7)
  segments(x[2], y[2], x[3], y[3], col = "white", lwd = 3, lty = 3)
  # the cut
  segments(0.12, 0.18, 0.33, 0.02, col = apart, lwd = 5)
  radius <- 0.19
  symbols(x[1:2], y[1:2], circles = rep(radius, 2), inches = FALSE,
          add = TRUE, bg = alike, fg = "white", lwd = 2)
  rect(x[3] - radius, y[3] - radius, x[3] + radius, y[3] + radius,
       col = apart, border = "white", lwd = 2)
  if (words) {
    text(0, -0.62, "linkrank", col = "white", cex = 2.1, font = 2)
  }
}

draw_to <- function(file, width, height = width, ...) {
  dir.create(dirname(file), recursive = TRUE, showWarnings = FALSE)
  png(file, width = width, height = height, res = 72 * min(width, height) / 240,
      type = "cairo", bg = "transparent", pointsize = 14)
  on.exit(dev.off())
  draw_logo(...)
}

draw_to("man/figures/logo.png", 240, 278)
# a palette makes it a third of the size, where the program is installed
if (nzchar(Sys.which("pngquant"))) {
  system2("pngquant", c("--speed=1", "--nofs", "--force", "--ext", ".png",
                        "96", "man/figures/logo.png"))
}
icons <- c(`favicon-16x16` = 16, `favicon-32x32` = 32,
           `apple-touch-icon-60x60` = 60, `apple-touch-icon-76x76` = 76,
           `apple-touch-icon-120x120` = 120, `apple-touch-icon` = 180)
for (name in names(icons)) {
  draw_to(file.path("pkgdown", "favicon", paste0(name, ".png")), icons[[name]],
          words = FALSE)
}

# What browsers ask for unasked: an ICO that holds the icons as PNG. A directory
# (no reserved bits, type 1, count), an entry of 16 bytes for each, the files.
write_ico <- function(file, pngs, sizes) {
  bytes <- lapply(pngs, function(png) readBin(png, "raw", file.size(png)))
  starts <- 6 + 16 * length(pngs) + cumsum(c(0, lengths(bytes)))
  number <- function(value, size) {
    writeBin(as.integer(value), raw(), size = size, endian = "little")
  }
  entries <- lapply(seq_along(pngs), function(i) {
    c(number(c(sizes[i], sizes[i], 0, 0), 1), number(c(1, 32), 2),
      number(c(length(bytes[[i]]), starts[i]), 4))
  })
  writeBin(c(number(c(0, 1, length(pngs)), 2), unlist(entries),
             unlist(bytes)), file)
}

write_ico("pkgdown/favicon/favicon.ico",
          sprintf("pkgdown/favicon/favicon-%dx%d.png", c(16, 32), c(16, 32)),
          c(16, 32))
