# Makes data/colon.rda from the source of the CRAN package plsgenomics, without
# installing that package. Run from the root: Rscript data-raw/colon.R

fetch_colon <- function(dir) {
  if ("@CRAN@" %in% getOption("repos")) {
    utils::chooseCRANmirror(graphics = FALSE, ind = 1)
  }
  tarball <- utils::download.packages("plsgenomics", dir, type = "source")
  if (nrow(tarball) != 1) {
    stop("The source of plsgenomics could not be downloaded.", call. = FALSE)
  }
  member <- "plsgenomics/data/Colon.rda"
  utils::untar(tarball[1, 2], files = member, exdir = dir)
  file <- file.path(dir, member)
  if (!file.exists(file)) {
    stop("The source of plsgenomics has no file data/Colon.rda.", call. = FALSE)
  }
  content <- new.env()
  load(file, envir = content)
  content$Colon
}

check_source <- function(source) {
  if (!identical(dim(source$X), c(62L, 2000L))) {
    stop("Colon$X must be 62 x 2000, not ",
         paste(dim(source$X), collapse = " x "), ".", call. = FALSE)
  }
  if (!is.numeric(source$X) || !all(is.finite(source$X))) {
    stop("Colon$X must be numeric and finite.", call. = FALSE)
  }
  if (length(source$gene.names) != 2000) {
    stop("Colon$gene.names must have 2000 elements, not ",
         length(source$gene.names), ".", call. = FALSE)
  }
  counts <- c(sum(source$Y == 2), sum(source$Y == 1), length(source$Y))
  if (!identical(counts, c(40L, 22L, 62L))) {
    stop("Colon$Y must hold 40 tumours (2) and 22 normals (1), not ",
         counts[1], " and ", counts[2], " in ", counts[3], " samples.",
         call. = FALSE)
  }
}

make_colon <- function(source) {
  tissue <- factor(source$Y, levels = 1:2, labels = c("normal", "tumour"))
  kind <- ifelse(tissue == "tumour", "T", "N")
  samples <- paste0(kind, stats::ave(seq_along(kind), kind, FUN = seq_along))
  names(tissue) <- samples

  # The ids HSAC07, UMGAP and i are padded with blanks in the source.
  genes <- make.unique(trimws(source$gene.names))

  x <- matrix(as.double(source$X), nrow(source$X), ncol(source$X),
              dimnames = list(samples, genes))
  list(x = x, tissue = tissue)
}

if (!file.exists("data-raw/colon.R")) {
  stop("Run data-raw/colon.R from the root of the package.", call. = FALSE)
}
download_dir <- tempfile("colon")
dir.create(download_dir)
colon_source <- fetch_colon(download_dir)
check_source(colon_source)
colon <- make_colon(colon_source)

dir.create("data", showWarnings = FALSE)
save(colon, file = "data/colon.rda", compress = "xz", version = 2)
