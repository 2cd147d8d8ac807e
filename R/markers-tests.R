# Moderated t-tests of one group against the mean of the others (Smyth 2004).

# The linear model of the groups, with blocks as an additive term, from the
# moments: list(variance, df, contrast), contrast(g) being list(estimate, unit),
# the standard error is unit times the residual standard deviation; NULL where
# the model cannot tell it.
cell_model <- function(moments) {
    inside <- rowSums(moments$square)
    if (moments$blocks == 1L) {
        df <- sum(moments$size) - moments$groups
        return(list(variance = inside / df, df = df, contrast = function(g) {
            weights <- contrast_weights(g, moments)
            list(estimate = NULL,
                 unit = sqrt(sum(weights^2 / moments$size)))
        }))
    }
    cells <- which(moments$size > 0)
    root <- sqrt(moments$size[cells])
    group <- (cells - 1L) %% moments$groups + 1L
    block <- (cells - 1L) %/% moments$groups + 1L
    design <- cbind(outer(group, seq_len(moments$groups), `==`),
                    outer(block, seq_len(moments$blocks)[-1L], `==`)) * root
    fit <- qr(design)
    response <- root * t(moments$mean[, cells, drop = FALSE])
    between <- colSums(qr.resid(fit, response)^2)
    df <- sum(moments$size) - fit$rank
    coefficients <- qr.coef(fit, response)
    coefficients[is.na(coefficients)] <- 0
    list(variance = (inside + between) / df, df = df,
         contrast = function(g) {
             weights <- c(contrast_weights(g, moments),
                          numeric(moments$blocks - 1L))
             unit <- contrast_unit(fit, weights)
             if (!is.null(unit)) {
                 list(estimate = drop(crossprod(coefficients, weights)),
                      unit = unit)
             }
         })
}

contrast_weights <- function(g, moments) {
    weights <- numeric(moments$groups)
    others <- others_of(moments, g)
    weights[others] <- -1 / length(others)
    weights[g] <- 1
    weights
}

# sqrt(w' (X'X)^- w) for a QR decomposition of X; NULL where w is no combination
# of the rows of X, and so nothing that the data tell.
contrast_unit <- function(fit, weights) {
    rank <- fit$rank
    upper <- qr.R(fit)[seq_len(rank), , drop = FALSE]
    weights <- weights[fit$pivot]
    solved <- backsolve(upper, weights[seq_len(rank)], k = rank,
                        transpose = TRUE)
    rest <- seq_along(weights) > rank
    implied <- crossprod(upper[, rest, drop = FALSE], solved)
    if (all(abs(weights[rest] - implied) < 1e-8)) sqrt(sum(solved^2))
}

# ---- variances --------------------------------------------------------------

# Smyth's moment estimators of the prior of the variances: list(df, variance).
# A variance is at least 1e-5 of the median, so that a feature without spread
# does not decide. Fewer than two features tell nothing of a prior.
variance_prior <- function(variance, df) {
    if (length(variance) < 2L || df == 0) {
        return(list(df = 0, variance = NA_real_))
    }
    typical <- stats::median(variance)
    variance <- pmax(variance, 1e-5 * (if (typical == 0) 1 else typical))
    e <- log(variance) - digamma(df / 2) + log(df / 2)
    excess <- stats::var(e) - trigamma(df / 2)
    if (excess <= 0) {
        return(list(df = Inf, variance = mean(variance)))
    }
    half <- trigamma_inverse(excess)
    list(df = 2 * half, variance = exp(mean(e) + digamma(half) - log(half)))
}

# The number whose trigamma is x: Newton steps on 1 / trigamma, which is nearly
# straight, so that they never leave the right side.
trigamma_inverse <- function(x) {
    if (x > 1e7) {
        return(1 / sqrt(x))
    }
    if (x < 1e-6) {
        return(1 / x)
    }
    y <- 0.5 + 1 / x
    for (step in seq_len(50L)) {
        value <- trigamma(y)
        change <- value * (1 - value / x) / psigamma(y, 2L)
        y <- y + change
        if (-change / y < 1e-8) break
    }
    y
}

# ---- tests ------------------------------------------------------------------

# The model with `prior`, `moderated` (standard deviations) and `total` (degrees
# of freedom); `constant`: features without a test, which take no part in the
# prior; `detected`: see detection_counts().
moderate_model <- function(model, constant, detected) {
    df <- model$df
    prior <- variance_prior(model$variance[!constant], df)
    c(model, list(
        prior = prior, constant = constant, detected = detected,
        total = min(df + prior$df, df * sum(!constant)),
        moderated = if (df > 0) sqrt(if (is.infinite(prior$df)) {
            rep(prior$variance, length(model$variance))
        } else if (prior$df == 0) {
            model$variance
        } else {
            (prior$df * prior$variance + df * model$variance) / (prior$df + df)
        })
    ))
}

# list(statistic, p_value, adj_p_value, fdr) of group g.
test_group <- function(model, g, difference, lfc) {
    contrast <- if (model$df > 0) model$contrast(g)
    if (is.null(contrast)) {
        none <- rep(NA_real_, length(difference))
        return(list(statistic = none, p_value = none, adj_p_value = none,
                    fdr = none))
    }
    estimate <- contrast$estimate %||% difference
    # Is the effect larger than `lfc` in either direction? With 0 the two-sided
    # t. NA for constants, and where there is neither an effect nor a variance.
    error <- contrast$unit * model$moderated
    beyond <- (abs(estimate) - lfc) / error
    p_value <- pmin(1, stats::pt(beyond, model$total, lower.tail = FALSE) +
        stats::pt((abs(estimate) + lfc) / error, model$total,
                  lower.tail = FALSE))
    statistic <- sign(estimate) * pmax(beyond, 0)
    unknown <- model$constant | is.nan(beyond)
    statistic[unknown] <- p_value[unknown] <- NA_real_
    test <- list(statistic = statistic, p_value = p_value)
    # Two-sided, from the hypergeometric distribution; 0 where the t holds.
    detected <- model$detected
    rare <- detected$rare
    inside <- detected$above[rare, g]
    compared <- c(g, detected$others[[g]])
    all <- rowSums(detected$above[rare, compared, drop = FALSE])
    none <- sum(detected$size[compared]) - all
    size <- detected$size[g]
    more <- stats::phyper(inside - 1, all, none, size, lower.tail = FALSE)
    fewer <- stats::phyper(inside, all, none, size)
    p_value <- numeric(nrow(detected$above))
    p_value[rare] <- pmin(1, 2 * pmin(more, fewer))
    larger <- pmax(test$p_value, p_value)
    c(test, list(adj_p_value = stats::p.adjust(test$p_value, "BH"),
                 fdr = stats::p.adjust(larger, "BH")))
}

# The t does not hold where most samples are 0: the variance of a few values
# that are not 0 follows their number. There `fdr` rests on the larger of two
# p-values, that of the t and the exact one of how many samples of the group are
# above 0: where one of the two holds, so does the larger.
# list(above, features x groups; size; others, of each group; rare: the features
# where it counts).
detection_counts <- function(moments, minimum) {
    above <- vapply(seq_len(moments$groups), function(g) {
        rowSums(moments$above[, cells_of(moments, g), drop = FALSE])
    }, numeric(nrow(moments$above)))
    above <- matrix(above, ncol = moments$groups)
    size <- vapply(seq_len(moments$groups), function(g) {
        sum(moments$size[cells_of(moments, g)])
    }, 0)
    list(above = above, size = size,
         others = lapply(seq_len(moments$groups), others_of, moments = moments),
         rare = which(minimum >= 0 & rowSums(above) <= sum(size) / 2))
}
