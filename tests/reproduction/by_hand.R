# Is the protocol code of inst/reproduction right? Two rows of each paper again,
# from the papers' text, in plain R. Shares no code with inst/reproduction and
# takes from linkrank only what ranks, asks or selects. The rows were drawn by
# lot: set.seed(27), two of each paper among those that are expected to agree or
# differ.
#
#   REPRODUCTION_DATA=folder Rscript by_hand.R [paper]
#
# Ends with status 1 when a mean is more than 3.5 standard errors from the
# number that ships, or a row without an error is not that number.

suppressPackageStartupMessages(library(linkrank))
options(linkrank.progress = FALSE, linkrank.threads = 1L, warn = -1)

protocols <- local({
    file <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
    file.path(dirname(normalizePath(file)), "../../inst/reproduction")
})

read <- function(file) {
    folders <- c(Sys.getenv("REPRODUCTION_DATA"),
                 system.file("extdata", package = "linkrank"))
    path <- file.path(folders, paste0(file, ".csv.gz"))
    path <- path[file.exists(path)]
    if (!length(path)) return(NULL)
    table <- read.csv(gzfile(path[1]))
    last <- ncol(table)
    x <- as.matrix(table[-last])
    colnames(x) <- paste0("f", seq_len(last - 1))
    list(x = x, y = as.character(table[[last]]))
}

# The first ceiling(n / 2) samples of each class.
halves <- function(y) {
    train <- unlist(lapply(unique(y), function(class) {
        own <- which(y == class)
        own[seq_len(ceiling(length(own) / 2))]
    }))
    sort(train)
}

between_0_and_1 <- function(x) {
    for (j in seq_len(ncol(x))) {
        lowest <- min(x[, j])
        highest <- max(x[, j])
        if (highest > lowest) x[, j] <- (x[, j] - lowest) / (highest - lowest)
        else x[, j] <- 0
    }
    x
}

# Percent right of the nearest neighbour, of equally near ones the first, for
# the first 1, 2, ... features.
nearest_curve <- function(x, y, train, features) {
    test <- setdiff(seq_along(y), train)
    distance <- matrix(0, length(test), length(train))
    right <- numeric(length(features))
    for (d in seq_along(features)) {
        f <- features[d]
        distance <- distance + outer(x[test, f], x[train, f], "-")^2
        nearest <- max.col(-round(distance, 8), "first")
        right[d] <- 100 * mean(y[train[nearest]] == y[test])
    }
    right
}

svm_right <- function(x, y, train, features) {
    z <- x[, features, drop = FALSE]
    model <- e1071::svm(z[train, , drop = FALSE], factor(y[train]),
                        kernel = "linear", cost = 1, scale = FALSE)
    test <- setdiff(seq_along(y), train)
    100 * mean(as.character(predict(model, z[test, , drop = FALSE])) == y[test])
}

# `count` random pairs of different (or equal) classes, without repeats.
random_pairs <- function(y, count, equal) {
    kept <- matrix(0L, 0, 2)
    while (nrow(kept) < count) {
        pair <- sort(sample(length(y), 2))
        known <- any(kept[, 1] == pair[1] & kept[, 2] == pair[2])
        if (!known && (y[pair[1]] == y[pair[2]]) == equal) {
            kept <- rbind(kept, pair)
        }
    }
    kept
}

as_links <- function(cannot, must, n) {
    pairwise_constraints(cannot_link = cannot, must_link = must, samples = n)
}

order_of <- function(ranking) ranking$feature[order(ranking$rank)]

# ---- Hijazi, Table 4.4 ------------------------------------------------------

segmentation_simba <- function(d) {
    x <- between_0_and_1(d$x)
    train <- halves(d$y)
    links <- as_links(random_pairs(d$y[train], 10, equal = FALSE), NULL,
                      length(train))
    ranking <- simba_sc(x[train, ], links, starts = 5, direction = "first",
                        scale = "none")
    features <- order_of(ranking)
    vapply(seq_along(features), function(count) {
        svm_right(x, d$y, train, features[seq_len(count)])
    }, 0)
}

# Half of the 20 constraints are cannot-links, half must-links, each kind asked
# for on its own. No part is random.
wine_cs4 <- function(d) {
    x <- between_0_and_1(d$x)
    train <- halves(d$y)
    z <- x[train, ]
    y <- d$y[train]
    graph <- similarity_graph(z, adjacency = "full", weight = "self_tuning", k = 7, scale = "none")
    ask <- function(oracle, n, ...) {
        found <- active_constraints(z, oracle, n = n, graph = graph,
                                    strategy = "perturbation", scale = "range",
                                    ...)
        as.data.frame(found)
    }
    cannot <- ask(y, 10)
    cannot <- cannot[cannot$type == "cannot-link", ]
    got <- 0
    must <- ask(function(i, j) {
        if (got == 10) stop("that is enough")
        if (y[i] != y[j]) return(NA)
        got <<- got + 1
        "must-link"
    }, Inf, max_questions = 1000)
    must <- must[must$type == "must-link", ][1:10, ]
    links <- as_links(cannot[c("i", "j")], must[c("i", "j")], length(train))
    scores <- feature_scores(constraint_score(z, links, type = "CS4", graph = graph,
                                              scale = "none"))
    scores <- scores[colnames(z)]
    features <- colnames(z)[order(scores)]
    max(vapply(seq_along(features), function(count) {
        svm_right(x, d$y, train, features[seq_len(count)])
    }, 0))
}

# ---- Zhang, Tables 3 and 4 --------------------------------------------------

# In the benchmark order: the stars are data, and read where they are kept.
sonar_cs1 <- function(d) {
    kept <- new.env()
    sys.source(file.path(protocols, "zhang.R"), kept)
    test <- strsplit(kept$sonar_stars, "")[[1]] == "0"
    d <- list(x = d$x[order(test), ], y = d$y[order(test)])
    train <- halves(d$y)
    must <- random_pairs(d$y[train], 2, equal = TRUE)
    cannot <- random_pairs(d$y[train], 2, equal = FALSE)
    squares <- function(pairs, f) {
        sum((d$x[train[pairs[, 1]], f] - d$x[train[pairs[, 2]], f])^2)
    }
    score <- vapply(seq_len(ncol(d$x)), function(f) {
        squares(must, f) / squares(cannot, f)
    }, 0)
    mean(nearest_curve(d$x, d$y, train, order(score)))
}

yale_variance <- function(d) {
    train <- halves(d$y)
    features <- order(-apply(d$x[train, ], 2, var))
    round(mean(nearest_curve(d$x, d$y, train, features)), 1)
}

# ---- Salmi, Tables 4 and 5 --------------------------------------------------

draw_prototypes <- function(y, train, p) {
    unlist(lapply(unique(y[train]), function(class) {
        sample(train[y[train] == class], p)
    }))
}

squared_distances <- function(a, b) {
    outer(rowSums(a^2), rowSums(b^2), "+") - 2 * a %*% t(b)
}

orl_nml <- function(d) {
    x <- between_0_and_1(d$x)
    train <- halves(d$y)
    known <- draw_prototypes(d$y, train, 2)
    nearest <- max.col(-squared_distances(x[train, ], x[known, ]), "first")
    class <- d$y[known[nearest]]
    class[match(known, train)] <- d$y[known]
    pairs <- sum(table(class)^2) - length(train)
    pairs / (40 * (2^2 - 2))
}

# A Gaussian of width 1 with the constraints written in, D^-1/2 S D^-1/2, the
# eigenvectors of eigen() and k-means from several starts. Many samples are
# equal, and LAPACK may give up on so many equal eigenvalues: the diagonal is
# moved by a hundred-millionth.
clusters_of <- function(z, y) {
    s <- exp(-squared_distances(z, z) / 2)
    both <- which(!is.na(y))
    s[both, both] <- outer(y[both], y[both], "==")
    diag(s) <- 0
    root <- sqrt(rowSums(s))
    n <- s / outer(root, root) + diag(1e-8 * runif(nrow(s)))
    k <- length(unique(y[both]))
    vectors <- eigen(n, symmetric = TRUE)$vectors[, seq_len(k)]
    vectors <- vectors / sqrt(rowSums(vectors^2))
    kmeans(vectors, k, iter.max = 50, nstart = 10)$cluster
}

wbcd_rank <- function(d) {
    x <- between_0_and_1(d$x)
    y <- d$y
    train <- unlist(lapply(unique(y), function(class) {
        own <- which(y == class)
        own[seq_len(round(length(own) * 410 / 683))]
    }))
    train <- sort(train)
    test <- setdiff(seq_along(y), train)
    known <- draw_prototypes(y, train, 3)
    given <- ifelse(train %in% known, y[train], NA)
    z <- x[train, ]
    links <- constraints_from_labels(given)
    graph <- similarity_graph(z, adjacency = "full", weight = "gaussian", sigma = 1, scale = "none")
    rank <- function(.type, ...) { # `t` would be the start of `type`
        found <- feature_scores(constraint_score(z, links, type = .type, ...,
                                                 scale = "none"))
        colnames(z)[order(found[colnames(z)])]
    }
    features <- list(
        eps = order_of(select_subset(z, y = factor(given), scale = "none",
                                     context = "semisupervised")),
        C3 = rank("CS3", t = 2), C4 = rank("CS4", graph = graph),
        C5 = rank("CLS", t = 2), C6 = rank("C6", t = 2),
        C7 = rank("CCLS", y = factor(given), t = 2)
    )
    right <- vapply(features, function(names) {
        f <- names[1:5]
        cluster <- clusters_of(z[, f], given)
        votes <- table(cluster, factor(given, unique(y)))
        winner <- apply(votes, 1, function(of) {
            most <- names(of)[of == max(of)]
            if (length(most) == 1) most else NA
        })
        label <- unname(winner[cluster])
        label[!is.na(given)] <- given[!is.na(given)]
        ok <- !is.na(label)
        share_right(x[test, f], y[test], z[ok, f], label[ok])
    }, 0)
    100 * (1 + sum(right > right["C7"] + 1e-9))
}

# Of equally near samples each has its share. The values are whole numbers, so
# there are many, and a rank sum of near equal scores depends on them.
share_right <- function(x, y, z, label) {
    distance <- 0
    for (f in seq_len(ncol(x))) {
        distance <- distance + outer(x[, f], z[, f], "-")^2
    }
    distance <- round(distance, 9)
    nearest <- distance == apply(distance, 1, min)
    mean(rowSums(nearest & outer(y, label, "==")) / rowSums(nearest))
}

# ---- Doquire, Table 1 -------------------------------------------------------

y1_correlation <- function(d) {
    x <- matrix(runif(6000), 1000)
    y <- 5 * x[, 1] + 7 * x[, 2] - 10 * x[, 3]
    strength <- vapply(1:6, function(f) abs(cor(x[, f], y)), 0)
    100 * (min(strength[1:3]) > max(strength[4:6]))
}

y3_sls <- function(d) {
    x <- matrix(runif(4000), 1000, dimnames = list(NULL, c("a", "b", "c", "d")))
    y <- x[, 1]^2 / x[, 2]^2
    best <- order_of(supervised_laplacian_score(x, y, k = 5))[1:2]
    100 * all(c("a", "b") %in% best)
}

# ---- Berahmand, Table 2 -----------------------------------------------------

two_thirds <- function(n) sample(n, round(n * 2 / 3))

spectf_laplacian <- function(d) {
    x <- between_0_and_1(d$x)
    train <- two_thirds(nrow(x))
    svm_right(x, d$y, train, order_of(laplacian_score(
        x[train, ], t = 1, scale = "range"))[1:19])
}

mfeat_fisher <- function(d) {
    x <- between_0_and_1(d$x)
    train <- two_thirds(nrow(x))
    y <- d$y[train]
    fisher <- vapply(seq_len(ncol(x)), function(f) {
        v <- x[train, f]
        means <- tapply(v, y, mean)
        size <- tapply(v, y, length)
        within <- sum(tapply(v, y, function(own) sum((own - mean(own))^2)))
        sum(size * (means - mean(v))^2) / within
    }, 0)
    f <- order(-fisher)[1:87]
    table <- data.frame(x[, f], class = factor(d$y))
    tree <- rpart::rpart(class ~ ., table[train, ],
                         parms = list(split = "information"),
                         control = rpart::rpart.control(
                             minsplit = 4, minbucket = 2, cp = 0.005, xval = 0))
    found <- predict(tree, table[-train, ], type = "class")
    100 * mean(as.character(found) == d$y[-train])
}

# ---- all of them ------------------------------------------------------------

check <- function(paper, table, data, method, metric, file, runs, one) {
    list(key = c(paper, table, data, method, metric), file = file, runs = runs,
         one = one)
}
checks <- list(
    check("hijazi", "4.4", "Segmentation", "Simba-Sc + RCG",
          "best accuracy of the SVM", "segmentation_210", 30,
          segmentation_simba),
    check("hijazi", "4.4", "Wine", "CS4 + ACS", "best accuracy of the SVM",
          "wine", 1, wine_cs4),
    check("zhang", "3", "Sonar", "CS1, 4 constraints", "mean accuracy", "sonar",
          60, sonar_cs1),
    check("zhang", "4", "YaleB", "Variance", "mean accuracy", "yaleb_640", 1,
          yale_variance),
    check("salmi", "4", "ORL", "NML, p = 2", "NML", "orl", 60, orl_nml),
    check("salmi", "5", "WBCD", "C7, p = 3", "rank sum", "wbcd", 15, wbcd_rank),
    check("doquire", "1", "Y1", "Correlation", "percent", NULL, 200,
          y1_correlation),
    check("doquire", "1", "Y3", "SLS", "percent", NULL, 200, y3_sls),
    check("berahmand", "2", "SPECTF", "LS, SVM", "accuracy", "spectf_80", 60,
          spectf_laplacian),
    check("berahmand", "2", "Mfeat", "FS, DT", "accuracy", "mfeat", 10,
          mfeat_fisher)
)

chosen <- commandArgs(trailingOnly = TRUE)
if (length(chosen)) {
    checks <- Filter(function(one) one$key[1] %in% chosen, checks)
}

shipped <- read.csv(gzfile(system.file("extdata", "reproduction.csv.gz",
                                       package = "linkrank")))
astray <- 0
absent <- 0
for (one in checks) {
    at <- Reduce(`&`, Map(function(column, value) shipped[[column]] == value,
                          c("paper", "table", "data", "method", "metric"),
                          one$key))
    row <- shipped[at, ]
    stopifnot(nrow(row) == 1)
    text <- paste(one$key, collapse = ", ")
    data <- if (!is.null(one$file)) read(one$file)
    if (!is.null(one$file) && is.null(data)) {
        cat(text, ": no data\n", sep = "")
        absent <- absent + 1
        next
    }
    set.seed(4711)
    runs <- replicate(one$runs, one$one(data))
    # a curve: at the number of features that ships
    values <- if (is.matrix(runs)) runs[row$ours_d, ] else runs
    error <- sqrt(var(values) / length(values) + row$se^2)
    away <- mean(values) - row$ours
    bad <- if (is.na(error) || error == 0) abs(away) > 0.005 else
        abs(away / error) > 3.5
    astray <- astray + bad
    cat(sprintf("%s: printed %s, ships %.3f, by hand %.3f, %s%s\n", text,
                row$published, row$ours, mean(values),
                if (is.na(error) || error == 0) "no error" else
                    sprintf("%.1f se", away / error),
                if (bad) "  <- astray" else ""))
}
cat(length(checks) - absent, "rows compared,", absent, "without data,", astray,
    "astray\n")
quit(status = as.integer(astray > 0))
