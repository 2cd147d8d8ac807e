library(testthat)
library(linkrank)

test_check("linkrank")
