# Results of tasks in a folder. Three kinds of files lie there; all hold the key
# of the call, so that a file that came from elsewhere is not used:
#
#   <unit>-<key>-<task>.result   the outcome of a task
#   shared-<key>.data            the data of all tasks, while workers need them
#   *.part                       one of the above while it is written

# Runs the tasks whose results are not in the folder yet. A result of this
# process is used even if the disk has no space for it.
run_missing <- function(tasks, work, shared, workers, label, progress) {
    key <- plan_key(tasks, work, shared)
    remove_leftovers(workers$folder, key)
    stores <- lapply(seq_along(tasks), function(i) {
        list(key = key, task = i, file = file.path(
            workers$folder, sprintf("%s-%s-%05d.result",
                                    gsub(" ", "_", label[2L]),
                                    substr(key, 1L, 12L), i)
        ))
    })
    outcomes <- lapply(stores, read_result)
    left <- which(vapply(outcomes, is.null, NA))
    if (!length(left)) {
        return(outcomes)
    }
    tasks[left] <- Map(function(task, store) c(task, list(store = store)),
                       tasks[left], stores[left])
    if (!is.null(workers$BPPARAM)) {
        shared <- share_data(shared, key, workers$folder)
        on.exit({
            unlink(shared$path)
            forget_shared()
        })
    }
    ran <- run_tasks(tasks[left], work, shared, workers, label, progress)
    outcomes[left] <- Map(function(store, outcome) {
        if (is_outcome(outcome)) outcome else read_result(store)
    }, stores[left], ran)
    reasons <- unlist(lapply(outcomes, `[[`, "unstored"))
    if (length(reasons)) {
        warn_linkrank(length(reasons), " of ", length(outcomes), " results ",
                      "could not be stored in `folder` ",
                      quote_values(workers$folder), " (", reasons[1L],
                      "); this call returns them, but ",
                      "another one computes them again.", class = "disk")
    }
    structure(outcomes, reason = attr(ran, "reason"))
}

# ---- the key of a call -------------------------------------------------------

# A hash of all that results depend on: data, arguments, names of methods,
# streams of random numbers, and what computes. The time of the build tells
# apart two builds of one version.
plan_key <- function(tasks, work, shared) {
    built <- utils::packageDescription("linkrank",
                                       fields = c("Version", "Built"))
    versions <- c(R.version.string, unlist(built),
                  as.character(utils::packageVersion("Matrix")))
    .Call(C_hash_object, list(versions, deparse(work),
                              plain_form(list(tasks, shared))))
}

# A value of the same bytes in every session. Data on disk hold functions of
# packages: they become text with the values of the environment in which they
# were made, because compiling a function changes its bytes. A function of the
# user's is refused, because what it reaches cannot be known.
#   at     name of the value, for the message
#   data   is it part of an S4 object or of an environment?
#   above  the environments that hold the value
plain_form <- function(value, at = "method", data = FALSE, above = list()) {
    if (is.primitive(value)) {
        return(deparse(value))
    }
    if (is.function(value)) {
        home <- topenv(environment(value))
        known <- if (data) isNamespace(home) else identical(home, topenv())
        refuse_if(!known, "`folder` is for methods by name, but `", at,
                  "` is a function: package targets stores the results of ",
                  "your functions, see the article \"Long runs\".")
        return(list(deparse(value),
                    plain_form(environment(value), at, TRUE, above)))
    }
    if (is.environment(value)) {
        if (inherits(value, "session_state") ||
            nzchar(environmentName(value)) ||
            any(vapply(above, identical, NA, value))) {
            return(environmentName(value))
        }
        names <- sort(ls(value), method = "radix")
        # an argument that was not given has no value
        values <- lapply(names, function(name) {
            tryCatch(get(name, value), error = function(condition) NULL)
        })
        return(plain_form(stats::setNames(values, names), at, TRUE,
                          c(above, list(value))))
    }
    # a pointer of data.table to itself
    if (typeof(value) == "externalptr") {
        return(NULL)
    }
    if (!is.list(value) && !isS4(value)) {
        return(value)
    }
    attributes <- attributes(value)
    list(names(attributes),
         plain_parts(attributes, at, data || isS4(value), above),
         if (is.list(value)) plain_parts(unclass(value), at, data, above))
}

plain_parts <- function(values, at, data, above) {
    names <- names(values) %||% character(length(values))
    Map(function(value, name) {
        plain_form(value, if (nzchar(name)) name else at, data, above)
    }, unclass(values), names, USE.NAMES = FALSE)
}

# ---- results -----------------------------------------------------------------

# An existing file is complete, also when R is killed. Returns the reason why it
# could not be written, or NULL.
write_result <- function(outcome, store) {
    part <- part_name(store$file)
    on.exit(unlink(part))
    bytes <- with_hash(memCompress(serialize(c(
        store[c("key", "task")], outcome[c("value", "warnings")]
    ), NULL), "gzip"))
    disk_trouble({
        reason <- .Call(C_write_file, part, bytes)
        if (is.null(reason) &&
            !identical(readBin(part, "raw", length(bytes) + 1L), bytes)) {
            reason <- "what was written could not be read"
        }
        refuse_if(!is.null(reason), reason, class = "disk")
        file.rename(part, store$file)
    })
}

# Bytes after their hash: memDecompress() of incomplete bytes does not end.
with_hash <- function(bytes) {
    c(charToRaw(.Call(C_hash_object, bytes)), bytes)
}

# The bytes after the hash; NULL when they are damaged.
without_hash <- function(bytes) {
    content <- bytes[-seq_len(32L)]
    if (identical(with_hash(content), bytes)) content
}

# NULL for a file that does not exist, is damaged or is of another call.
read_result <- function(store) {
    if (!file.exists(store$file) || dir.exists(store$file)) {
        return(NULL)
    }
    content <- tryCatch(
        without_hash(readBin(store$file, "raw", file.size(store$file))),
        warning = function(condition) NULL, error = function(condition) NULL
    )
    if (is.null(content)) {
        return(NULL)
    }
    found <- unserialize(memDecompress(content, "gzip"))
    fits <- is.list(found) &&
        identical(names(found), c("key", "task", "value", "warnings")) &&
        identical(found$key, store$key) && identical(found$task, store$task) &&
        is.list(found$warnings) &&
        all(vapply(found$warnings, inherits, NA, "warning"))
    if (fits) found[c("value", "warnings")]
}

# ---- the data of all tasks ---------------------------------------------------

shared_path <- function(key, folder) {
    file.path(folder, paste0("shared-", substr(key, 1L, 12L), ".data"))
}

# Writes the data for the workers; those that a killed call with the same key
# has left are used.
share_data <- function(shared, key, folder) {
    path <- shared_path(key, folder)
    stored <- structure(list(path = path, key = key), class = "stored_data")
    if (identical(shared_head(path)$key, key)) {
        return(stored)
    }
    part <- part_name(path)
    on.exit(unlink(part))
    reason <- disk_trouble({
        write_shared(list(key = key, host = host_name(), pid = Sys.getpid()),
                     shared, part)
        file.rename(part, path)
    })
    refuse_if(!is.null(reason), "The data of all tasks could not be written ",
              "to `folder` ", quote_values(folder), ", where workers would ",
              "read them (", reason, ").", class = "disk")
    stored
}

write_shared <- function(head, shared, file) {
    connection <- file(file, "wb")
    opened <- TRUE
    on.exit(if (opened) close(connection))
    serialize(head, connection)
    serialize(shared, connection)
    size <- seek(connection)
    close(connection)
    opened <- FALSE
    # what was still in the buffer is written without a word when it is closed
    refuse_if(!identical(as.numeric(file.size(file)), as.numeric(size)),
              "No space left on device", class = "disk")
}

# What stands in front of the data; NULL without such a file.
shared_head <- function(path) {
    if (!file.exists(path) || dir.exists(path)) {
        return(NULL)
    }
    connection <- file(path, "rb")
    on.exit(close(connection))
    tryCatch(unserialize(connection), error = function(condition) NULL)
}

# A worker with several tasks reads the data once.
last_shared <- new.env(parent = emptyenv())

read_shared <- function(stored) {
    if (!identical(last_shared$key, stored$key)) {
        forget_shared()
        connection <- file(stored$path, "rb")
        on.exit(close(connection))
        refuse_if(!identical(unserialize(connection)$key, stored$key),
                  "Another call has replaced the data.", class = "workers")
        last_shared$value <- unserialize(connection)
        last_shared$key <- stored$key
    }
    last_shared$value
}

forget_shared <- function() {
    rm(list = ls(last_shared), envir = last_shared)
}

# ---- what killed calls have left ---------------------------------------------

host_name <- function() {
    gsub("[^A-Za-z0-9_.]", "_", Sys.info()[["nodename"]])
}

# A name beside a file for the time of writing; it says who writes.
part_name <- function(file) {
    tempfile(paste0(basename(file), "-", host_name(), "-", Sys.getpid(), "-"),
             dirname(file), ".part")
}

# Half-written files, and data that no call uses any more. A process of another
# computer is taken for gone after a day, with its data after a week. The data
# of this call stay.
remove_leftovers <- function(folder, key) {
    days <- function(file) {
        as.numeric(difftime(Sys.time(), file.mtime(file), units = "days"))
    }
    parts <- list.files(folder, "[.](result|data)-.+-[0-9]+-[0-9a-f]+[.]part$")
    writer <- regmatches(parts, regexec("-([A-Za-z0-9_.]+)-([0-9]+)-[0-9a-f]+",
                                        parts))
    for (i in seq_along(parts)) {
        file <- file.path(folder, parts[i])
        if (is_gone(writer[[i]][2L], writer[[i]][3L]) %in% TRUE ||
            days(file) > 1) {
            unlink(file)
        }
    }
    shared <- setdiff(list.files(folder, "^shared-[0-9a-f]{12}[.]data$"),
                      basename(shared_path(key, folder)))
    for (file in file.path(folder, shared)) {
        head <- shared_head(file)
        if (is_gone(head$host, head$pid) %in% TRUE || days(file) > 7) {
            unlink(file)
        }
    }
}

# Has this process ended? NA for one of another computer.
is_gone <- function(host, pid) {
    if (!identical(host, host_name()) || .Platform$OS.type == "windows") {
        return(NA)
    }
    if (dir.exists("/proc/self")) {
        return(!dir.exists(file.path("/proc", pid)))
    }
    !tools::pskill(as.integer(pid), 0L)
}
