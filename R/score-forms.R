# Quadratic forms, the basis of all scores: a score is a formula of some sums of
# squares of each feature. These functions define the forms; quadratic_forms()
# computes them all in one pass over the data.

form_kinds <- c("graph", "scatter", "classes", "different")

new_form <- function(kind, ...) {
    list(kind = match(kind, form_kinds) - 1L, ...)
}

# f'Lf: the sum over edges of w (f_n - f_m)^2.
graph_form <- function(weights) {
    new_form("graph", graph = weights)
}

# sum of weight_n (f_n - mu)^2, mu the mean weighted by `center`; mu = 0 when
# `center` is NULL. `weight` NULL: 1.
scatter_form <- function(weight, center = weight) {
    new_form("scatter", weight = weight, center = center)
}

# Of classes (codes from 1, NA: none): sum over classes of coefficient times
# sum of squares within the class, one form per column of `coefficient`; then
# the sum of squares between the classes, n_c (mu_c - mu)^2.
class_form <- function(codes, coefficient) {
    new_form("classes", class_of = codes, n_classes = NROW(coefficient),
             coefficient = as.double(coefficient))
}

# sum over ordered pairs (n, m) of different classes of weight_n (f_n - f_m)^2
different_form <- function(codes, classes, weight) {
    new_form("different", class_of = codes, n_classes = classes,
             coefficient = numeric(classes), weight = weight)
}

# A matrix: features x forms.
quadratic_forms <- function(input, forms, control) {
    .Call(C_quadratic_forms, input$data, input$scaling, forms, control)
}
