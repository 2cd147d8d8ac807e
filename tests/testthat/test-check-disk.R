test_that("a file is written whole, or the disk is named", {
    table <- data.frame(a = c(1.5, NA), b = c("x,\"y\"", "\u00e9"))
    file <- tempfile(fileext = ".csv")
    write_checked(file, csv_bytes(table), "The ranking")
    expect_identical(lines_of(file), c("\"a\",\"b\"", "1.5,\"x,\"\"y\"\"\"",
                                       "NA,\"\u00e9\""))
    disk <- small_disk()
    full <- file.path(disk, "a.csv")
    expect_error(write_checked(full, raw(1e5), "The ranking"),
                 paste0("The ranking could not be written to \"", disk),
                 class = "linkrank_error_disk")
    fill_disk(disk)
    expect_error(write_checked(full, raw(10), "The ranking"),
                 "\\(No space left on device\\)",
                 class = "linkrank_error_disk")
})

test_that("what another package says is one line, whole where it is short", {
    # of HDF5Array, of a file that is cut
    said <- paste0("selection must be within extent of array, but you\n",
                   "  have: starts[[1]][1] + counts[[1]][1] - 1 > ",
                   "dimension 1 in array.\n")
    expect_identical(one_line(said),
                     paste("selection must be within extent of array, but you",
                           "have: starts[[1]][1] + counts[[1]][1] - 1 >",
                           "dimension 1 in array"))
    expect_identical(one_line(""), "")
    expect_identical(one_line("one two three", 9L), "one two ...")
})
