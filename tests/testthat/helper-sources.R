# The sources of the installed package, for tests of what is written rather than
# of what is computed: tools/test names them; else they stand above this folder,
# or where R CMD check has unpacked them.
package_sources <- function(file = "DESCRIPTION") {
    places <- c(Sys.getenv("LINKRANK_SOURCES", NA), test_path("..", ".."),
                test_path("..", "..", "00_pkg_src", "linkrank"))
    there <- !is.na(places) & file.exists(file.path(places, "DESCRIPTION")) &
        file.exists(file.path(places, "R", "conditions.R"))
    if (!any(there)) {
        skip("The sources of the package are not here.")
    }
    found <- file.path(places[there][1], file)
    if (!file.exists(found)) {
        skip(paste(file, "is not in a built package."))
    }
    found
}

# What an R file of the sources defines at its top.
defined_in <- function(file) {
    parts <- as.list(parse(file, keep.source = FALSE))
    assigned <- vapply(parts, function(part) {
        is.call(part) && identical(part[[1L]], quote(`<-`)) &&
            is.name(part[[2L]])
    }, NA)
    vapply(parts[assigned], function(part) as.character(part[[2L]]), "")
}
