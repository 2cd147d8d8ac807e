# What `sh tools/demo` runs once the package is built: the second example of
# README.md.
library(linkrank)

# log intensities, each array centred at its median
x <- log2(colon$x)
x <- x - apply(x, 1, median)
rownames(x) <- paste0("slide", 1:62)

links <- pairwise_constraints(
    cannot_link = cbind(paste0("slide", seq(1, 19, 2)),
                        paste0("slide", seq(2, 20, 2))),
    must_link = cbind("slide1", paste0("slide", c(3, 5, 7, 9))),
    samples = rownames(x)
)
genes <- glean(x, links, scale = "none")
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
plot(genes, n = 12)
invisible(dev.off())

cat("Wrote linkrank-demo.csv and ", picture, ".\n", sep = "")
