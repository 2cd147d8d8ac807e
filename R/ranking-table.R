# The table of all ranking methods, as text: what a ranking is called and which
# way it goes belongs to the ranking, so the table stands before the methods, and
# only methods-registry.R turns a name into a function.

method_registry <- function() {
    rows <- rbind(
        c("relief", "Relief", "margin", "y", "higher",
          "Kira and Rendell 1992"),
        c("relieff", "ReliefF", "margin", "y", "higher", "Kononenko 1994"),
        c("stir", "STIR", "margin", "y", "higher", "Le et al. 2019"),
        c("rrelieff", "RReliefF", "margin", "y", "higher",
          "Robnik-Sikonja and Kononenko 2003"),
        c("irelief", "I-Relief", "margin", "y", "higher", "Sun 2007"),
        c("simba", "Simba", "margin", "y", "higher",
          "Gilad-Bachrach et al. 2004"),
        c("simba_sc", "Simba-Sc", "margin", "constraints", "higher",
          "Yang and Song 2010"),
        c("relief_sc", "Relief-Sc", "margin", "constraints", "higher",
          "Hijazi 2019, Algorithm 3.1"),
        c("relieff_sc", "ReliefF-Sc", "margin", "constraints", "higher",
          "Hijazi 2019, Algorithm 3.2"),
        c("variance_score", "Variance", "baseline", "nothing", "higher",
          "Hijazi 2019, (1.21)"),
        c("laplacian_score", "Laplacian score", "baseline", "nothing", "lower",
          "He, Cai and Niyogi 2005"),
        c("spectral_score", "Spectral score", "baseline", "nothing", "lower",
          "Zhao and Liu 2007"),
        c("fisher_score", "Fisher score", "baseline", "y", "higher",
          "Hijazi 2019, (1.27)"),
        c("constraint_score", "Constraint score", "constraint",
          "constraints", "lower", "Zhang et al. 2008; Salmi et al. 2020"),
        c("supervised_laplacian_score", "Supervised Laplacian score",
          "regression", "y", "lower", "Doquire and Verleysen 2013"),
        c("semisupervised_laplacian_score", "Semi-supervised Laplacian score",
          "regression", "y", "lower", "Doquire and Verleysen 2013"),
        c("fcrsc", "FCRSC", "subset", "constraints", "higher",
          "Hijazi 2019, Algorithm 3.5"),
        c("select_subset", "Subset score", "subset", "constraints", "lower",
          "Salmi et al. 2020, Algorithm 1"),
        c("pcfs", "PCFS", "subset", "constraints", "lower",
          "Berahmand et al. 2020, Algorithm 2")
    )
    colnames(rows) <- c("method", "label", "family", "needs", "direction",
                        "source")
    as.data.frame(rows)
}

registry_row <- function(method) {
    registry <- method_registry()
    registry[match(method, registry$method), ]
}
