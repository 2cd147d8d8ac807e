# The table of all ranking methods, as text. Label and direction belong to the
# ranking, so the table is in a layer before the methods, and only
# methods-registry.R finds a function by its name. A method is a row here and
# its function; no other code names it.

# One row.
#   method     name of the function
#   label      name in printed output
#   family "margin", "combination", "baseline", "constraint", "regression" or
#              "subset"
#   needs      what besides `x`: "nothing", "y" (classes), "numeric y",
#              "constraints", or two of them with "or" between; the first is
#              what a comparison of methods gives
#   source     the publication
#   formula    the score of a feature in one line of plain text, for tables
#   direction  is a "higher" or a "lower" score better
#   order      text about the order in the header, if it is not by score
#   dots       the method whose arguments its dots accept, or ""
#   ensemble   can ensemble_ranking() run it: "yes" or "no"
#   data       the arguments of prepare_data() that it uses, besides
#              `assay.type`, `threads` and `progress`
method_row <- function(method, label, family, needs, source, formula,
                       direction = "higher", order = "", dots = "",
                       ensemble = "yes", data = "scale na.action") {
    c(method = method, label = label, family = family, needs = needs,
      direction = direction, source = source, formula = formula,
      order = order, dots = dots, ensemble = ensemble, data = data)
}

method_rows <- rbind(
    method_row("relief", "Relief", "margin", needs = "y", data = "scale space",
               source = "Kira and Rendell 1992",
               formula = paste("sum over samples x of",
                               "(u_x - u_M)^2 - (u_x - u_H)^2, M the",
                               "nearest miss and H the nearest hit")),
    method_row("relieff", "ReliefF", "margin", needs = "y",
               data = "scale space distance",
               source = "Kononenko 1994",
               formula = paste("mean over samples x of |u_x - u_M| -",
                               "|u_x - u_H|, over k misses M of each other",
                               "class and k hits H of its own")),
    method_row("stir", "STIR", "margin", needs = "y",
               data = "scale space distance",
               source = "Le et al. 2019",
               formula = "that of relieff(), over its standard error"),
    method_row("rrelieff", "RReliefF", "margin", needs = "numeric y",
               data = "scale space distance",
               source = "Robnik-Sikonja and Kononenko 2003",
               formula = paste("differences among near samples that differ",
                               "in a number, minus those among near",
                               "samples that do not")),
    method_row("irelief", "I-Relief", "margin", needs = "y", data = "scale",
               source = "Sun 2007",
               formula = paste("as relieff(), with all hits and misses by",
                               "their probability, iterated")),
    method_row("simba", "Simba", "margin", needs = "y", data = "scale",
               source = "Gilad-Bachrach et al. 2004",
               formula = paste("weight that widens ||x - M||_w -",
                               "||x - H||_w by gradient steps")),
    method_row("simba_sc", "Simba-Sc", "margin", needs = "constraints",
               data = "scale",
               source = "Yang and Song 2010",
               formula = paste("weight that widens ||x_n - H(x_m)||_w -",
                               "||x_n - H(x_n)||_w over cannot-links",
                               "(n, m), by gradient steps")),
    method_row("relief_sc", "Relief-Sc", "margin", needs = "constraints",
               data = "scale space distance block",
               source = "Hijazi 2019, Algorithm 3.1",
               formula = paste("sum over cannot-links (n, m) of",
                               "|u_n - u_H(m)| - |u_n - u_H(n)|")),
    method_row("relieff_sc", "ReliefF-Sc", "margin", needs = "constraints",
               data = "scale space distance block",
               source = "Hijazi 2019, Algorithm 3.2",
               formula = paste("the same, the mean over the k nearest",
                               "H_1, ..., H_k")),
    method_row("glean", "Glean", "combination", needs = "constraints",
               data = "scale space block na.action",
               source = "This package, after Hijazi 2019 and others",
               order = "in selection order",
               formula = paste("geometric mean of structure, margin, spread",
                               "and contrast, times the part that no",
                               "higher-ranked feature explains")),
    method_row("variance_score", "Variance", "baseline", needs = "nothing",
               source = "Hijazi 2019, (1.21)",
               formula = "mean of (u_n - mean)^2"),
    method_row("laplacian_score", "Laplacian score", "baseline",
               needs = "nothing", data = "scale space na.action",
               direction = "lower",
               source = "He, Cai and Niyogi 2005",
               formula = paste("sum over edges of weight (u_n - u_m)^2 /",
                               "weighted scatter")),
    method_row("spectral_score", "Spectral score", "baseline",
               needs = "nothing", data = "scale space na.action",
               direction = "lower",
               source = "Zhao and Liu 2007",
               formula = paste("the same without subtracting the mean, or",
                               "with it")),
    method_row("fisher_score", "Fisher score", "baseline", needs = "y",
               source = "Hijazi 2019, (1.27)",
               formula = "scatter between classes / scatter within"),
    method_row("constraint_score", "Constraint score", "constraint",
               needs = "constraints", direction = "lower",
               source = "Zhang et al. 2008; Salmi et al. 2020",
               formula = paste("sum over must-links of (u_n - u_m)^2 / the",
                               "same over cannot-links (CS1), and six",
                               "others")),
    method_row("supervised_laplacian_score", "Supervised Laplacian score",
               "regression", needs = "numeric y", direction = "lower",
               source = "Doquire and Verleysen 2013",
               formula = "Laplacian score on a graph of near outcomes"),
    method_row("semisupervised_laplacian_score",
               "Semi-supervised Laplacian score",
               "regression", needs = "numeric y", direction = "lower",
               source = "Doquire and Verleysen 2013",
               formula = paste("the same times the Laplacian score on a",
                               "graph of outcomes and features")),
    method_row("fcrsc", "FCRSC", "subset", needs = "constraints",
               data = "scale space distance block na.action",
               source = "Hijazi 2019, Algorithm 3.5", dots = "relieff_sc",
               formula = paste("that of relieff_sc(); one feature per",
                               "cluster of redundant features comes",
                               "first")),
    method_row("select_subset", "Subset score", "subset",
               needs = "constraints or y", direction = "lower",
               source = "Salmi et al. 2020, Algorithm 1",
               order = "in order of entry",
               formula = paste("sum over pairs of (w - t)^2, w the",
                               "similarity in the subset, t = 1 for",
                               "must-links, else 0")),
    method_row("pcfs", "PCFS", "subset", needs = "constraints",
               direction = "lower",
               source = "Berahmand et al. 2020, Algorithm 2",
               formula = paste("weighted squared differences over",
                               "must-links, divided by those over",
                               "cannot-links"))
)

method_registry <- function() {
    as.data.frame(method_rows)
}

# The row of a method, a list; NA for a ranking by another method.
registry_row <- function(method) {
    registry <- as.list(method_registry())
    lapply(registry, `[`, match(method, registry$method))
}

# The table as lines of markdown, for the page of the package.
method_lines <- function() {
    registry <- method_registry()
    formula <- gsub("|", "\\|", registry$formula, fixed = TRUE)
    c("| function | from | score of a feature | better |",
      "| --- | --- | --- | --- |",
      sprintf("| [%s()] | %s | %s | %s |", registry$method, registry$needs,
              formula, registry$direction))
}
