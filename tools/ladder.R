# One step of tools/ladder: every exported function on data of that size.
#
#   Rscript ladder.R STEP PATTERN

# By exported function, a call of it; `d`: from step_data(). A test keeps the
# names in agreement with NAMESPACE.
calls <- list(
  active_constraints = function(d) {
    active_constraints(d$x, d$y, n = 4)
    active_constraints(d$x, d$y, n = 4, strategy = "random")
  },
  add_ranking = function(d) add_ranking(d$experiment, d$ranking),
  annotate_ranking = function(d) {
    annotate_ranking(d$ranking, data.frame(feature = colnames(d$x), note = "a"))
  },
  answer_agreement = function(d) answer_agreement(list(d$answers, d$answers)),
  answer_conflicts = function(d) answer_conflicts(d$answers),
  answer_pair = function(d) answer_pair(update(d$questions), "unsure"),
  as_feature_ranking = function(d) as_feature_ranking(feature_scores(d$ranking)),
  close_constraints = function(d) {
    close_constraints(d$links)
    close_constraints(d$labels)
  },
  cluster_features = function(d) cluster_features(d$features),
  compare_rankings = function(d) {
    compare_rankings(d$ranking, variance_score(d$x), 2)
    compare_rankings(d$ranking, variance_score(d$x), 2, "distance")
  },
  console_oracle = function(d) {
    input <- textConnection("y")
    active_constraints(d$x, console_oracle(input = input), n = 1)
    close(input)
  },
  constraint_quality = function(d) {
    constraint_quality(d$links, d$x)
    constraint_quality(d$links, d$x, measure = "informativeness", clusters = 2,
                       starts = 1)
    constraint_quality(d$links, d$x, measure = "must_link", truth = d$y)
  },
  constraint_groups = function(d) {
    constraint_groups(d$links)
    constraint_groups(d$labels)
  },
  constraint_score = function(d) {
    for (type in c("CS1", "CS2", "CS3", "CLS", "C6")) {
      constraint_score(d$x, d$links, type = type)
    }
    for (type in c("CS1", "CS2")) {
      constraint_score(d$x, d$labels, type = type)
    }
    constraint_score(d$x, d$links, type = "CCLS", y = d$y)
  },
  constraints_from_columns = function(d) {
    constraints_from_columns(data.frame(y = d$y), cannot_link = "y")
  },
  constraints_from_labels = function(d) {
    constraints_from_labels(d$y, cannot_link = 50, must_link = 50)
    constraints_from_labels(d$y)
  },
  cut_features = function(d) cut_features(cluster_features(d$features), 2),
  diversify_ranking = function(d) diversify_ranking(d$ranking, d$x, top = 100),
  ensemble_ranking = function(d) {
    ensemble_ranking(d$x, y = d$y, method = "fisher_score", replicates = 2)
  },
  evaluate_method = function(d) {
    evaluate_method(d$x, d$y, "fisher_score", splits = 1, n = 2)
  },
  evaluate_ranking = function(d) {
    half <- seq_along(d$y) %% 2 == 0
    evaluate_ranking(d$ranking, d$x[half, ], d$y[half], d$x[!half, ], d$y[!half],
                     n = 2)
  },
  fcrsc = function(d) fcrsc(d$x, d$links, n = 100),
  feature_graph = function(d) feature_graph(d$x),
  feature_scores = function(d) feature_scores(d$ranking),
  fisher_score = function(d) fisher_score(d$x, d$y),
  glean = function(d) {
    glean(d$x, d$links, top = 100)
    glean(d$x, d$links, top = 100, block = d$block)
    glean(d$x, d$labels, top = 100, rounds = 0)
  },
  glean_labels = function(d) {
    glean_labels(glean(d$x, d$links, top = 100, space = NULL, rounds = 0))
  },
  graph_laplacian = function(d) graph_laplacian(d$graph, "symmetric"),
  group_markers = function(d) {
    group_markers(d$x, d$y, pairwise = TRUE)
    group_markers(d$x, d$labels, block = d$block)
  },
  irelief = function(d) irelief(d$x, d$y, tol = 10),
  keep_features = function(d) keep_features(d$x, d$ranking, 2),
  laplacian_score = function(d) laplacian_score(d$x),
  marker_lists = function(d) {
    marker_lists(group_markers(d$x, d$y), column = "statistic")
  },
  next_pair = function(d) next_pair(d$questions),
  pair_margins = function(d) pair_margins(d$x, d$links, 1:2),
  pairwise_constraints = function(d) {
    n <- nrow(d$x)
    pairwise_constraints(cannot_link = cbind(1:3, n - 0:2), must_link = cbind(n - 0:1, n - 1:2),
                         samples = n)
    pairwise_constraints(d$questions)
  },
  pcfs = function(d) suppressWarnings(pcfs(d$x, d$links, max_iter = 2),
                                      classes = "linkrank_warning_convergence"),
  pck_means = function(d) pck_means(d$x, d$links, clusters = 2, starts = 1),
  plot_features = function(d) {
    plot_features(d$x, d$ranking, n = 2, constraints = d$links)
    plot_features(d$x, d$ranking, n = 2, classes = d$y, type = "dots")
  },
  prepare_data = function(d) {
    prepare_data(d$x, by = paste(d$y, d$block), space = NULL)
    relieff_sc(prepare_data(d$x, space = 2), d$links)
  },
  evaluate_questions = function(d) {
    evaluate_questions(d$x, d$y, "groups", ask = "sort", questions = 4,
                       splits = 2, n = 2)
  },
  plan_questions = function(d) {
    plan_questions(d$x, 1, questions = 4, trials = 2)
  },
  propagate_constraints = function(d) propagate_constraints(d$links, d$x),
  questionnaire = function(d) {
    questionnaire(d$x, n = 4, block = d$block)
    questionnaire(d$x, strategy = "random", n = 4)
  },
  questionnaire_app = function(d) questionnaire_app(d$questions),
  rank_features = function(d) rank_features(d$x, d$links),
  ranking_methods = function(d) ranking_methods(),
  ranking_stability = function(d) {
    ranking_stability(d$x, y = d$y, method = "fisher_score", replicates = 2)
  },
  read_answers = function(d) write_and_read(d),
  reconcile_answers = function(d) reconcile_answers(list(d$answers, d$answers)),
  redundancy = function(d) {
    redundancy(d$x, absolute = TRUE)
    redundancy(d$x, measure = "entropy")
  },
  relief = function(d) relief(d$x, d$y),
  relief_sc = function(d) {
    relief_sc(d$x, d$links, permutations = 9)
    relief_sc(d$x, d$links, block = d$block, permutations = 9)
  },
  relieff = function(d) {
    relieff(d$x, d$y, k = 3)
    relieff(d$x, d$y, k = "surf", samples = 100)
  },
  relieff_sc = function(d) {
    relieff_sc(d$x, d$links)
    relieff_sc(d$x, d$labels)
    relieff_sc(replace(d$x, 5, NA), d$links)
    relieff_sc(d$sparse, d$links)
  },
  restrict_constraints = function(d) {
    restrict_constraints(d$labels, rev(seq_len(nrow(d$x))))
  },
  rrelieff = function(d) rrelieff(d$x, d$value, k = 3),
  select_subset = function(d) select_subset(d$x, d$links, n = 2),
  semisupervised_laplacian_score = function(d) {
    semisupervised_laplacian_score(d$x, replace(d$value, 1:5, NA), k = 5)
  },
  simba = function(d) simba(d$x, d$y, starts = 1),
  simba_sc = function(d) simba_sc(d$x, d$links, starts = 1),
  similarity_graph = function(d) {
    similarity_graph(d$x, weight = "self_tuning")
    similarity_graph(d$x, adjacency = "mutual_knn", weight = "binary")
    similarity_graph(d$x, adjacency = "epsilon", weight = "binary", epsilon = 1e-5)
  },
  spectral_clustering = function(d) spectral_clustering(d$x, d$links, clusters = 2),
  spectral_score = function(d) spectral_score(d$x),
  step_select_linkrank = function(d) {
    if (!requireNamespace("recipes", quietly = TRUE)) {
      return("skipped")
    }
    frame <- data.frame(d$x[, 1:3], class = factor(d$y))
    step <- step_select_linkrank(recipes::recipe(class ~ ., frame),
                                 recipes::all_predictors(), outcome = "class",
                                 method = "fisher_score", num_terms = 2)
    recipes::bake(recipes::prep(step), frame)
  },
  stir = function(d) stir(d$x, d$y, k = 3),
  supervised_laplacian_score = function(d) {
    supervised_laplacian_score(d$x, d$value)
  },
  suspect_answers = function(d) suspect_answers(d$answers, d$x),
  top_features = function(d) {
    top_features(d$ranking, 2)
    top_features(select_subset(d$x, d$links, n = 2), "best")
  },
  undo_answer = function(d) undo_answer(d$questions),
  variance_score = function(d) variance_score(d$x),
  write_answers = function(d) write_and_read(d)
)

write_and_read <- function(d) {
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  write_answers(d$questions, file)
  read_answers(file)
}

# Two classes, the second in the last rows; constraints of samples at both ends.
step_data <- function(step) {
  wide <- step == "wide"
  n <- if (wide) 24 else as.integer(step)
  p <- if (wide) 66000 else 3
  set.seed(1)
  y <- rep(c("a", "b"), c(n - n %/% 4, n %/% 4))
  x <- matrix(stats::rnorm(n * p), n, dimnames = list(
    paste0("s", seq_len(n)), paste0("f", seq_len(p))
  ))
  x[, 1] <- x[, 1] + 3 * (y == "b")
  x[, 2] <- x[, 2] - 3 * (y == "b")
  cells <- round(pmax(x, 0))
  ends <- cbind(1:5, n - 0:4)
  links <- pairwise_constraints(cannot_link = ends, must_link = rbind(cbind(1:4, 2:5),
                                            cbind(n - 0:3, n - 1:4)),
                                samples = n)
  q <- questionnaire(x, n = 8, strategy = "random")
  while (!is.null(pair <- next_pair(q))) {
    q <- answer_pair(q, if (y[pair[1]] == y[pair[2]]) "must-link" else
      "cannot-link")
  }
  list(x = x, y = y, value = x[, 1] + stats::rnorm(n), links = links,
       labels = constraints_from_labels(y), block = pmin(seq_len(n), n:1) %% 2,
       sparse = Matrix::Matrix(cells, sparse = TRUE), questions = q,
       answers = pairwise_constraints(q),
       experiment = SummarizedExperiment::SummarizedExperiment(
         list(logcounts = t(x))
       ),
       ranking = relieff_sc(x, links), graph = similarity_graph(x),
       features = feature_graph(x[, seq_len(min(p, 2000))]))
}

run_call <- function(name, d) {
  begun <- proc.time()[["elapsed"]]
  setTimeLimit(elapsed = 1800, transient = TRUE)
  on.exit(setTimeLimit())
  failed <- tryCatch({
    value <- suppressMessages(calls[[name]](d))
    if (identical(value, "skipped")) {
      cat(sprintf("  %-32s skipped: a package is missing\n", name))
      return(NA)
    }
    NULL
  }, error = identity)
  seconds <- round(proc.time()[["elapsed"]] - begun, 1)
  cat(sprintf("  %-32s %6.1f s%s\n", name, seconds,
              if (is.null(failed)) "" else
                paste0("  FAILED: ", conditionMessage(failed))))
  is.null(failed)
}

run_step <- function(step, pattern) {
  suppressPackageStartupMessages(library(linkrank))
  options(linkrank.progress = FALSE, warn = 2)
  if (!nzchar(Sys.getenv("TZ"))) {
    Sys.setenv(TZ = "UTC") # where no system knows it, asking warns
  }
  grDevices::pdf(NULL)
  cat("Step ", step, "\n", sep = "")
  d <- suppressMessages(step_data(step))
  chosen <- grep(pattern, names(calls), value = TRUE)
  right <- vapply(chosen, run_call, NA, d)
  cat(sum(right, na.rm = TRUE), " passed, ", sum(!right, na.rm = TRUE),
      " failed, ", sum(is.na(right)), " skipped\n", sep = "")
}

if (!interactive() && length(commandArgs(TRUE)) == 2L) {
  run_step(commandArgs(TRUE)[1L], commandArgs(TRUE)[2L])
}
