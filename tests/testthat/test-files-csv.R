# CSV for spreadsheets.

test_that("what would run as a formula is text, and reads back as it was", {
    risky <- c("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "  =a",
               "'=a", "''-b", "\uff1da", "\uff0b", "=cmd|'/C calc'!A8")
    plain <- c("", "a", "'", "'a", "a=b", " a", "1-2", "\u03b1", "'' =")
    guarded <- guard_formulas(utf8_bytes(c(risky, plain)))
    expect_identical(substr(risky, 1, 1) == "'" | startsWith(guarded[1:13], "'"),
                     rep(TRUE, 13))
    expect_identical(guarded[14:21], utf8_bytes(plain[1:8]))
    expect_identical(guard_formulas(guarded, "'", ""), utf8_bytes(c(risky, plain)))
    # a program that takes ; for the end of a cell finds text behind it
    expect_identical(guard_formulas(c("a;=1;-2", "a;b", "a;'=1")),
                     c("a;'=1;'-2", "a;b", "a;''=1"))
    # every text of three such characters
    parts <- c("'", "=", "-", " ", "\t", "a", "\n", ";", "\uff20")
    all <- do.call(paste0, expand.grid(parts, parts, parts))
    guarded <- guard_formulas(utf8_bytes(all))
    expect_identical(guard_formulas(guarded, "'", ""), utf8_bytes(all))
    expect_identical(anyDuplicated(guarded), 0L)
    expect_false(any(grepl("(^|[;\t\n]) *[=@\t\n-]", guarded, perl = TRUE,
                           useBytes = TRUE)))
})

test_that("a table as bytes", {
    table <- data.frame(rank = 1:2, feature = c("=A1", "a \"b\""),
                        margin = c(0.5, 1 / 3))
    bytes <- csv_bytes(table)
    expect_identical(bytes[1:3], as.raw(c(0xef, 0xbb, 0xbf)))
    file <- tempfile()
    writeBin(bytes, file)
    back <- utils::read.csv(file, fileEncoding = "UTF-8-BOM")
    expect_equal(back[c("rank", "margin")], table[c("rank", "margin")])
    expect_identical(back$feature, c("'=A1", "a \"b\""))
    unlink(file)
})

test_that("text in the sources is ASCII or known to be UTF-8", {
    # R warns in other locales when it loads a function with other text
    unmarked <- function(part) {
        if (is.character(part)) {
            ascii <- vapply(part, function(text) {
                all(charToRaw(text) <= as.raw(127L))
            }, NA)
            any(!ascii & Encoding(part) == "unknown")
        } else if (is.call(part) || is.pairlist(part)) {
            any(vapply(as.list(part), function(inner) {
                !identical(inner, quote(expr = )) && unmarked(inner)
            }, NA))
        } else {
            FALSE
        }
    }
    expect_true(unmarked(quote(sub("\xef", "", text))))
    package <- as.list(asNamespace("linkrank"), all.names = TRUE)
    functions <- Filter(is.function, package)
    found <- vapply(functions, function(f) {
        unmarked(body(f)) || unmarked(formals(f))
    }, NA)
    expect_identical(names(functions)[found], character())
})
