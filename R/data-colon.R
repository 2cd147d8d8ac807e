#' Gene expression in tumour and normal colon tissue
#'
#' Expression of 2000 genes in 40 tumour and 22 normal colon tissue samples,
#' measured with an oligonucleotide array by Alon et al. (1999).
#'
#' @format A list of two elements:
#' \describe{
#'   \item{\code{x}}{Numeric matrix, 62 samples (rows) by 2000 genes (columns),
#'     without missing values. Values are raw array intensities, neither logged
#'     nor normalised, from 5.8 to 20903.2; methods need \code{log2(colon$x)},
#'     and those that compare samples each array centred, as the vignettes do:
#'     \code{x - apply(x, 1, median)}.
#'     Rows and columns are in the order of the source.}
#'   \item{\code{tissue}}{Factor of length 62 with levels \code{normal} and
#'     \code{tumour}, named by sample.}
#' }
#'
#' @details \strong{Sample names.} A name is \code{T} (tumour) or \code{N}
#'   (normal) and a running number within the kind, in row order: \code{T1},
#'   \code{N1}, \code{T2} and so on to \code{T40} and \code{N22}. The source
#'   does not say which samples come from the same patient.
#'
#' \strong{Gene names} are the gene ids of the source. 75 of 1911 ids occur two
#' to four times; the first column of an id keeps it, the others get \code{.1},
#' \code{.2} and \code{.3}: \code{Hsa.13491} and \code{Hsa.13491.1} are two
#' measurements under one id.
#'
#' \strong{Identical columns.} The ids \code{HSAC07}, \code{UMGAP} and \code{i}
#' each have four columns with the same values.
#'
#' \strong{Atypical samples.} Shetta and Niranjan (2020) take the tumours
#' \code{T2}, \code{T30}, \code{T33}, \code{T36} and \code{T37} as outliers.
#' They are kept.
#'
#' @source Data set \code{Colon} in the CRAN package \pkg{plsgenomics}, GPL (>=
#'   2), read by \file{data-raw/colon.R} in the sources of this package.
#'
#' @references Alon, U. et al. (1999). \emph{Proceedings of the National Academy
#'   of Sciences of the USA}, 96, 6745-6750. \doi{10.1073/pnas.96.12.6745}
#'
#' Shetta, O. and Niranjan, M. (2020). \emph{Royal Society Open Science}, 7,
#' 190714. \doi{10.1098/rsos.190714}
#'
#' @examples
#' dim(colon$x)
#' table(colon$tissue)
#' colon$x[1:4, 1:3]
#'
#' # two measurements under one gene id, on the log scale
#' cor(log(colon$x[, c("Hsa.13491", "Hsa.13491.1")]))
#'
#' @docType data
#' @keywords datasets
"colon"
