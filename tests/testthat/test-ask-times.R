# Times in tables of answers, as people and spreadsheets write them.

test_that("times of spreadsheets are read, in UTC", {
    forms <- c("2026-11-22T14:03:00Z", "2026-11-22 14:03", "2026/11/22 14:03:00",
               "22.11.2026 14:03", "22.11.26 14:03:00", "22-11-2026 14:03",
               "22/11/2026 14:03", "2026-11-22T14:03:00.250Z")
    expect_identical(read_times(forms), rep("2026-11-22T14:03:00Z", 8))
    # AM and PM belong to months in front, also where the day is below 13
    expect_identical(read_times(c("11/22/2026 2:03 PM", "3/4/26, 12:30 AM",
                                  "3/4/26, 12:30 pm")),
                     c("2026-11-22T14:03:00Z", "2026-03-04T00:30:00Z",
                       "2026-03-04T12:30:00Z"))
    # one time tells day and month of all
    expect_identical(read_times(c("03/04/2026 10:00", "13/04/2026 10:00")),
                     c("2026-04-03T10:00:00Z", "2026-04-13T10:00:00Z"))
    expect_error(read_times("03/04/2026 10:00", "a.csv"),
                 "\"03/04/2026 10:00\" in \"a.csv\" is ambiguous",
                 class = "linkrank_error_answers")
    expect_identical(read_times(c("today", "", NA, "2026-02-30 10:00",
                                  "22.11.2026", "99:99", "2026-11-22T25:00:00Z")),
                     rep(NA_character_, 7))
    expect_identical(read_times(character()), character())
    local <- as.POSIXct("2026-11-22 14:03:09", tz = "UTC")
    expect_identical(plain_times(local), "2026-11-22T14:03:09Z")
})
