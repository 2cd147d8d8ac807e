#' Split samples into training and test samples
#'
#' Takes half of each class for training and the other half for testing, the
#' protocol of the papers on constraint scores.
#'
#' @param y Class of each sample: a factor, or a character, logical or
#'   whole-number vector. Unlabelled samples (`NA`) are halved as well.
#' @param type `"random"`: halves drawn from R's random numbers (so `set.seed()`
#'   reproduces them). `"first"`: the first samples of each class, in row order.
#' @param share Proportion of each class for training, above 0 and below 1,
#'   rounded up to whole samples.
#' @param ... Must be empty.
#'
#' @return A list of two vectors of row numbers, ascending: `train`, with the
#'   larger half of classes of odd size, and `test`.
#'
#' @section Errors: `linkrank_error_argument` when `y` is not a vector of class
#'   labels or has fewer than 2 samples.
#'
#' @seealso [evaluate_ranking()]
#' @examples
#' set.seed(1)
#' half <- split_half(colon$tissue)
#' table(colon$tissue[half$train])
#' @export
split_half <- function(y, type = c("random", "first"), share = 1 / 2, ...) {
    check_dots_empty(...)
    type <- check_choice(type, c("random", "first"), "type")
    share <- check_number(share, "share", 0, 1)
    classes <- as_class_labels(y, "y")
    refuse_if(length(classes) < 2L, "`y` must have at least 2 samples to be ",
              "halved, not ", length(classes), ".")
    rows <- split(seq_along(classes), addNA(classes, ifany = TRUE))
    train <- lapply(rows, function(own) {
        if (type == "random") {
            own <- own[sample.int(length(own))]
        }
        # 2/3 of 3 must be 2 in spite of rounding
        utils::head(own, ceiling(share * length(own) - 1e-9))
    })
    train <- sort(unlist(train, use.names = FALSE))
    refuse_if(!length(train) || length(train) == length(classes),
              "`share` must leave samples for training and for testing, but ",
              format(share), " of ", length(classes), " samples does not.")
    list(train = train, test = setdiff(seq_along(classes), train))
}
