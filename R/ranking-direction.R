# Where a ranking from pairs goes up: the groups that the answers make are
# compared by their means, where all of these groups are apart.

# list(highest, difference) in column order, of the values as they are given;
# NULL where the answers do not make at least two groups, all apart. Nothing but
# the answered samples is read.
answer_direction <- function(data, constraints) {
    if (is.null(constraints) || !inherits(data, "feature_data")) {
        return(NULL)
    }
    groups <- closure_groups(constraints)
    if (length(groups$size) < 2L ||
        !is.null(undecided_groups(constraints, groups))) {
        return(NULL)
    }
    means <- answered_means(data, groups)
    means[data$kind == "factor", ] <- NA
    known <- rowSums(!is.na(means))
    means[known < 2, ] <- NA
    total <- rowSums(means, na.rm = TRUE)
    most <- do.call(pmax, c(split(means, col(means)), na.rm = TRUE))
    highest <- max.col(replace(means, is.na(means), -Inf), "first")
    difference <- most - (total - most) / (known - 1)
    highest[is.na(most) | difference == 0] <- NA
    list(highest = groups$names[highest], difference = difference)
}

# Means, features x groups; NA where a group has no known value.
answered_means <- function(data, groups) {
    rows <- which(!is.na(groups$code))
    part <- answered_part(data, rows)
    code <- if (part$n == length(rows)) groups$code[rows] else groups$code
    moments <- group_moments(part, code, length(groups$size))
    moments$mean[is.nan(moments$mean)] <- NA
    moments$mean
}
