# Groups of samples against classes.

# c(ari, nmi, groups): the adjusted Rand index (Hubert and Arabie 1985), the
# mutual information divided by the mean of the two entropies, and the number
# of groups. Samples without a group are together.
group_indices <- function(group, class) {
    code <- as.integer(factor(group))
    count <- max(code, 0L, na.rm = TRUE)
    code[is.na(code)] <- count + 1L
    chance <- count_alike(code) * count_alike(class) /
        choose(length(code), 2)
    most <- (count_alike(code) + count_alike(class)) / 2
    entropy <- function(...) {
        share <- table(...) / length(code)
        -sum(share[share > 0] * log(share[share > 0]))
    }
    own <- entropy(code) + entropy(class)
    # where both have a single group, or one for each sample
    c(ari = if (most == chance) 1 else
          (count_alike(code, class) - chance) / (most - chance),
      nmi = if (own == 0) 1 else 2 * (own - entropy(code, class)) / own,
      groups = count)
}
