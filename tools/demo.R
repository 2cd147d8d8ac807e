# What `sh tools/demo` runs once the package is built.
library(linkrank)

data(colon, package = "linkrank")
set.seed(1)
links <- constraints_from_labels(colon$tissue, cannot_link = 10, must_link = 0)
print(links)
cat("\n")

# log intensities, and each array centred at its median: else the genes that
# follow an array's brightness come first
x <- log2(colon$x)
x <- x - apply(x, 1, median)
genes <- relieff_sc(x, links)
print(genes)
cat("\n")

write.csv(as.data.frame(genes), "linkrank-demo.csv", row.names = FALSE)

# An R without a display may still draw PNG through cairo; one without either
# draws PDF, which needs nothing.
picture <- "linkrank-demo.png"
if (capabilities("cairo")) {
    png(picture, width = 1600, height = 1000, res = 200, type = "cairo")
} else if (capabilities("png")) {
    png(picture, width = 1600, height = 1000, res = 200)
} else {
    picture <- "linkrank-demo.pdf"
    cat("This R cannot draw PNG files, so the picture is a PDF.\n")
    pdf(picture, width = 8, height = 5)
}
plot(genes)
invisible(dev.off())

cat("Wrote linkrank-demo.csv and ", picture, ".\n", sep = "")
