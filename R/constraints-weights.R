# What `confidence` counts for in rankings.

# Weights of some pairs, their confidence (NA: 1) divided by its mean, so that
# sums over pairs keep their scale; NULL if all are equal.
confidence_weights <- function(constraints, which = TRUE) {
    # published propagation has no weights
    if (identical(constraints$propagation$method, "published")) return(NULL)
    confidence <- constraints$confidence[which]
    confidence[is.na(confidence)] <- 1
    if (any(confidence != confidence[1L])) confidence / mean(confidence)
}
