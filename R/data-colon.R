#' Gene expression in tumour and normal colon tissue
#'
#' Expression of 2000 genes in 40 tumour and 22 normal colon tissue samples,
#' measured with an oligonucleotide array by Alon et al. (1999). Few
#' samples, many genes and some identical columns make it a compact test of a
#' feature ranking.
#'
#' @format A list of two elements:
#' \describe{
#'   \item{\code{x}}{Numeric matrix, 62 samples (rows) by 2000 genes (columns),
#'     without missing values. Values are raw array intensities, neither logged
#'     nor normalised, from 5.8 to 20903.2; methods need \code{log2(colon$x)},
#'     and those that compare samples each array centred, as the vignettes do:
#'     \code{x - apply(x, 1, median)}.
#'     Rows and columns are in the order of the source: the first 24 rows
#'     alternate tumour and normal, and the smallest intensity of a gene never
#'     rises from one column to the next.}
#'   \item{\code{tissue}}{Factor of length 62 with levels \code{normal} (22
#'     samples) and \code{tumour} (40 samples), named by sample, in the order of
#'     the rows of \code{x}.}
#' }
#'
#' @details
#' \strong{Sample names.} The source numbers its samples from 1 to 62. Here a
#' name is \code{T} (tumour) or \code{N} (normal) and a running number within
#' the kind, in row order: \code{T1}, \code{N1}, \code{T2}, \code{N2} and so on
#' to \code{T40} and \code{N22}. The numbers are not patient numbers; the source
#' does not say which samples come from the same patient.
#'
#' \strong{Gene names.} Column names are the gene ids of the source, without
#' blanks. The 2000 columns have 1911 different ids: 75 ids occur two to four
#' times, in 164 columns. The first column of an id keeps it, the others get
#' \code{.1}, \code{.2} and \code{.3} (\code{\link{make.unique}}):
#' \code{Hsa.13491} and \code{Hsa.13491.1} are two measurements under one id.
#'
#' \strong{Identical columns.} The ids \code{HSAC07}, \code{UMGAP} and \code{i}
#' each have four columns with the same values. Nine columns therefore repeat
#' another one, and get the same score from any method that scores features
#' individually. All other columns differ.
#'
#' \strong{Atypical samples.} Some tumours are unlike the others. The program
#' that Shetta and Niranjan (2020) publish with their study of outlier
#' detection takes the tumours numbered 2, 30, 33, 36 and 37 as the outliers to
#' be found; with samples in the order of the original study, as here, these
#' are \code{T2}, \code{T30}, \code{T33}, \code{T36} and \code{T37}. The data
#' set keeps them, with the labels of the source.
#'
#' @source Alon et al. (1999). The values are those of the data set \code{Colon}
#'   in the CRAN package \pkg{plsgenomics}, GPL (>= 2), whose source is read by
#'   \file{data-raw/colon.R} in the sources of this package.
#'
#' @references
#' Alon, U., Barkai, N., Notterman, D. A., Gish, K., Ybarra, S., Mack, D. and
#' Levine, A. J. (1999). Broad patterns of gene expression revealed by
#' clustering analysis of tumor and normal colon tissues probed by
#' oligonucleotide arrays. \emph{Proceedings of the National Academy of Sciences
#' of the USA}, 96(12), 6745-6750. \doi{10.1073/pnas.96.12.6745}
#'
#' Shetta, O. and Niranjan, M. (2020). Robust subspace methods for outlier
#' detection in genomic data circumvents the curse of dimensionality.
#' \emph{Royal Society Open Science}, 7(2), 190714. \doi{10.1098/rsos.190714}
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
