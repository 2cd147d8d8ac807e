# What is called: every exported function, and the methods of its results.

objects_made <- c("links", "graph", "feature_graph", "ranking",
                  "questionnaire", "active", "propagated", "clusters",
                  "evaluation", "stability", "method_evaluation", "recipe",
                  "cells", "tree", "margins", "markers", "agreement",
                  "suspects")

# Has the package a method for it? R's own need not hold what is asked here.
has_method <- function(generic, object) {
    known <- getNamespaceInfo("linkrank", "S3methods")
    inherits(object, known[known[, 1L] == generic, 2L])
}

generic_calls <- list(
    print = function(object) {
        if (has_method("print", object)) capture.output(print(object))
    },
    summary = function(object) {
        if (has_method("summary", object)) {
            facts <- summary(object)
            capture.output(print(facts))
        }
    },
    as.data.frame = function(object) {
        if (has_method("as.data.frame", object)) as.data.frame(object)
    },
    length = function(object) length(object),
    as.matrix = function(object) {
        if (inherits(object, c("feature_graph", "similarity_graph"))) {
            as.matrix(object)
        }
    },
    index = function(object) {
        if (inherits(object, "feature_ranking")) {
            object[seq_len(min(2L, nrow(object))), ]
        } else if (inherits(object, "pairwise_constraints")) {
            object[1L]
        } else if (inherits(object, "group_markers")) {
            object[1L]
        }
    },
    c = function(object) {
        if (inherits(object, "pairwise_constraints")) c(object, object)
    },
    update = function(object, x, constraints, y) {
        if (inherits(object, "feature_ranking")) {
            at <- match(summary(object)$method, ranking_methods()$method)
            switch(substr(ranking_methods()$needs[at], 1L, 1L),
                   c = update(object, x, constraints),
                   y = update(object, x, y = y), update(object, x))
        }
    },
    tidy = function(object) {
        if (has_method("tidy", object) && has("generics")) {
            generics::tidy(object)
        }
    },
    glance = function(object) {
        if (has_method("glance", object) && has("generics")) {
            generics::glance(object)
        }
    },
    augment = function(object, x) {
        if (has_method("augment", object) && has("generics")) {
            generics::augment(object, x)
        }
    },
    autoplot = function(object) {
        if (has_method("autoplot", object) && has("ggplot2")) {
            ggplot2::autoplot(object)
        }
    },
    bake = function(object) {
        if (inherits(object, "recipe")) {
            recipes::bake(recipes::prep(object), NULL)
        }
    },
    console = function(object) {
        if (is.matrix(object)) {
            keys <- textConnection(sample(c("yes", "no", "u", "z", "?", "q"),
                                          4L, TRUE))
            on.exit(close(keys))
            oracle <- console_oracle(input = keys)
            active_constraints(object, oracle, max_questions = 3)
        }
    },
    app = function(object) {
        if (inherits(object, "questionnaire") && has("shiny")) {
            questionnaire_app(object)
        }
    },
    plot = function(object) {
        if (has_method("plot", object)) {
            grDevices::pdf(NULL)
            on.exit(grDevices::dev.off())
            plot(object)
        }
    }
)

# Called by those above: what they return is for a person, recipes or a browser.
by_hand <- c("step_select_linkrank", "console_oracle", "questionnaire_app")

exported <- local({
    names <- getNamespaceExports("linkrank")
    functions <- vapply(names, function(name) {
        !startsWith(name, ".__") && is.function(fun_of(name))
    }, NA)
    sort(setdiff(names[functions], by_hand))
})

# A call: list(fun, args), with the kind of arguments it has been given.
draw_call <- function(s, kind) {
    if (runif(1) < 0.15) {
        fun <- sample(names(generic_calls), 1L)
        args <- list(object = of(s, sample(objects_made, 1L)))
        for (name in setdiff(names(formals(generic_calls[[fun]])), "object")) {
            args[name] <- right_value(name, fun, s)
        }
    } else {
        fun <- sample(exported, 1L)
        args <- right_arguments(fun, s)
    }
    args <- switch(kind, valid = args, bad = spoil(args, s),
                   damaged = spoil_object(args, s))
    list(fun = fun, args = args)
}
