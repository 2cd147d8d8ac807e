# What a call on small data costs: 118 samples with 13 features and 10 pairs, as
# in the thesis (1.7 ms), compared with a least-squares fit of the same size,
# which shows the speed of the machine.
#
#   Rscript small.R
source(system.file("benchmarks", "harness.R", package = "linkrank"))

set.seed(1)
x <- matrix(rnorm(118 * 13), 118)
y <- rep(1:2, 59)
links <- constraints_from_labels(y, cannot_link = 10, must_link = 0)
many <- function(call) function() for (i in 1:200) call()

compare(
    "200 calls, 118 x 13, 10 pairs",
    `relieff_sc()` = many(function() relieff_sc(x, links)),
    `published form` = many(function() {
        relieff_sc(x, links, k = 5, direction = "first", must_link = "ignore")
    }),
    `constraint_score()` = many(function() constraint_score(x, constraints =
        constraints_from_labels(y))),
    `fisher_score()` = many(function() fisher_score(x, y)),
    `stats::lm.fit()` = many(function() stats::lm.fit(x, y)),
    times = 10
)
