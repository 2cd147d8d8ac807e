# The key of the last value of some code, in which `v` is replaced by a number,
# in a session of its own. `before` runs in that session first.
key_of <- function(code, v, before = NULL, after = NULL) {
    session <- new.env(parent = globalenv())
    eval(before, session)
    fun <- eval(eval(call("substitute", code, list(v = v))), session)
    eval(after, session)
    plan_key(list(1), identity, list(rank = fun))
}

# Code of functions whose result depends on `v`.
reaching <- alist(
    constant = function(x) x * v,
    global_value = {
        k <- v
        function(x) x * k
    },
    global_function = {
        helper <- function(x) x * v
        function(x) helper(x)
    },
    helper_of_helper = {
        inner <- function(x) x * v
        outer <- function(x) inner(x)
        function(x) outer(x)
    },
    two_frames_up = {
        make <- function(rank) {
            inner <- function() function(x) rank(x)
            inner()
        }
        make(function(x) x * v)
    },
    local_function = {
        make <- function(k) {
            g <- function(x) x * k
            function(x) g(x)
        }
        make(v)
    },
    default_of_argument = {
        helper <- function(x) x * v
        function(x, y = helper(x)) y
    },
    seventeenth_digit = {
        k <- 1 + v * .Machine$double.eps
        eval(bquote(function(x) x * .(k)))
    },
    type_of_number = if (v == 1) function(x) x %/% 2L else function(x) x %/% 2,
    by_name = {
        helper <- function(x) x * v
        function(x) do.call("helper", list(x))
    },
    by_name_in_a_value = {
        helper <- function(x) x * v
        name <- "helper"
        function(x) match.fun(name)(x)
    },
    by_name_in_a_loop = {
        helper <- function(x) x * v
        function(x) sapply(x, "helper")
    },
    by_get = {
        k <- v
        function(x) x * get("k")
    },
    class_method = {
        weigh <- function(x) UseMethod("weigh")
        weigh.default <- function(x) x * v
        function(x) weigh(x)
    },
    operator_of_a_class = {
        Ops.weight <- function(e1, e2) v
        function(x) structure(1, class = "weight") + x
    },
    environment = {
        model <- new.env()
        model$coefficients <- list(function(x) x * v)
        function(x) model$coefficients[[1]](x)
    },
    formula = {
        weight <- v
        y ~ x + weight
    },
    model = {
        helper <- function(x) x * v
        form <- y ~ helper(x)
        function(x) stats::model.frame(form, x)
    },
    dots = {
        make <- function(...) function(x) sum(x, ...)
        make(v)
    },
    active_binding = {
        makeActiveBinding("k", function() v, environment())
        function(x) x * k
    },
    attribute = structure(function(x) attr(sys.function(), "k"),
                          k = function() v),
    captured_call = {
        helper <- function(x) x * v
        code <- quote(helper(x))
        function(x) eval(code)
    },
    quoted = {
        helper <- function(x) x * v
        function(x) eval(quote(helper(x)))
    },
    own_operator = {
        `%of%` <- function(a, b) a * b * v
        function(x) x %of% x
    },
    replacement = {
        `part<-` <- function(x, value) x * v
        function(x) {
            part(x) <- 3
            x
        }
    },
    each_other = {
        even <- function(n) if (n == 0) v else odd(n - 1)
        odd <- function(n) if (n == 0) 0 else even(n - 1)
        function(x) odd(x)
    },
    also_a_local_value = {
        helper <- function(x) x * v
        function(x) {
            helper <- 3
            helper(x)
        }
    },
    object_in_code = eval(bquote(function(x) .(function(x) v)(x))),
    empty_argument = function(x) x[v, , drop = FALSE],
    same_name_in_a_frame = {
        k <- 5
        make <- function(k) function(x) x * k
        make(v)
    }
)

test_that("a change of anything that a function reaches changes the key", {
    expect_gte(length(reaching), 20L)
    for (name in names(reaching)) {
        code <- reaching[[name]]
        expect_identical(key_of(code, 1), key_of(code, 1), info = name)
        expect_false(key_of(code, 1) == key_of(code, 2), info = name)
    }
})

test_that("a change of what a function does not reach changes no key", {
    # code that is evaluated later may mean a global `x`
    later <- c("formula", "model", "captured_call", "quoted")
    for (name in names(reaching)) {
        code <- reaching[[name]]
        # other values of the session, an `x` that is an argument everywhere
        before <- if (name %in% later) quote(unused <- 3) else quote(x <- 3)
        expect_identical(key_of(code, 1, before, quote({
            other <- function(y) helper(y)
            k2 <- 8
        })), key_of(code, 1), info = name)
    }
})

test_that("the place in a file, comments, compiling and calling change no key", {
    plain <- function(text, keep) {
        session <- new.env(parent = globalenv())
        fun <- eval(parse(text = text, keep.source = keep), session)
        list(fun = fun, key = plan_key(list(1), identity, list(fun)))
    }
    one <- plain("k <- 2\nfunction(x) { x * k }", FALSE)
    two <- plain("\n\nk <- 2\n# a remark\nfunction(x) {\n  x * k # another\n}",
                 TRUE)
    expect_identical(one$key, two$key)
    for (i in 1:3) {
        one$fun(2)
    }
    expect_identical(plan_key(list(1), identity, list(one$fun)), one$key)
    expect_identical(plan_key(list(1), identity,
                              list(compiler::cmpfun(one$fun))), one$key)
    # a sequence is kept in short
    short <- 1:1000
    long <- short + 0L
    expect_identical(plan_key(list(1), identity, list(short)),
                     plan_key(list(1), identity, list(long)))
})

# Chains of links of random kinds between a number and the function that is
# called.
test_that("random chains to a number change their key with it alone", {
    links <- alist(
        frame = (function(rank) function(x) rank(x))(inner),
        frames = (function(rank) (function() function(x) rank(x))())(inner),
        list = (function(all) function(x) all$a(x))(list(a = inner)),
        name = (function(helper) function(x) do.call("helper", list(x)))(inner),
        dots = (function(...) function(x) lapply(x, ...))(inner),
        default = (function(rank) function(x, y = rank(x)) y)(inner),
        local = local({
            rank <- inner
            local(function(x) rank(x))
        }),
        global = {
            name <- as.name(basename(tempfile("helper")))
            assign(as.character(name), inner)
            eval(call("function", as.pairlist(alist(x = )),
                      as.call(list(name, quote(x)))))
        },
        environment = {
            held <- new.env(parent = emptyenv())
            held$rank <- inner
            function(x) held$rank(x)
        }
    )
    chain <- function(kinds, v) {
        inner <- eval(bquote(function(x) x * .(v)))
        environment(inner) <- globalenv()
        for (kind in kinds) {
            session <- new.env(parent = globalenv())
            session$inner <- inner
            inner <- eval(links[[kind]], session)
        }
        inner
    }
    set.seed(28)
    for (trial in 1:20) {
        kinds <- sample(setdiff(names(links), "global"), sample(5, 1), TRUE)
        key <- function(v) plan_key(list(1), identity, list(chain(kinds, v)))
        expect_identical(key(1), key(1), info = toString(kinds))
        expect_false(key(1) == key(2), info = toString(kinds))
    }
    # a name of its own in every chain, so no second key is equal
    expect_false(plan_key(list(1), identity, list(chain("global", 1))) ==
                     plan_key(list(1), identity, list(chain("global", 2))))
})

test_that("S4 generics and reference classes of the session are followed", {
    key <- function(v) {
        home <- globalenv()
        on.exit({
            methods::removeGeneric("weighOfTest", home)
            methods::removeClass("CounterOfTest", home)
        })
        suppressMessages(methods::setGeneric(
            "weighOfTest", function(x) standardGeneric("weighOfTest"),
            where = home
        ))
        method <- eval(bquote(function(x) x * .(v)))
        environment(method) <- home
        methods::setMethod("weighOfTest", "numeric", method, where = home)
        generic <- get("weighOfTest", home)
        generic(1)
        one <- plan_key(list(1), identity, list(generic))
        counter <- methods::setRefClass(
            "CounterOfTest", fields = list(step = "numeric"),
            methods = list(up = function(x) x + step), where = home
        )
        object <- counter$new(step = v)
        two <- plan_key(list(1), identity, list(object))
        # using a method changes the bindings of the object
        object$up(1)
        expect_identical(plan_key(list(1), identity, list(object)), two)
        c(one, two)
    }
    expect_identical(key(1), key(1))
    expect_false(any(key(1) == key(2)))
})

test_that("what cannot be followed is named", {
    refused <- function(fun) {
        expect_error(plan_key(list(1), identity, list(mine = fun)), "`mine`",
                     class = "linkrank_error_argument")
    }
    refused(function(x, name) get(name)(x))
    refused(function(x) base::get(paste0("rank_", x)))
    refused(function(x) do.call(paste0("rank_", x), list(x)))
    refused(function(x) eval(parse(text = "x")))
    refused(function(x) source("helper.R"))
    pointer <- methods::new("externalptr")
    expect_error(
        plan_key(list(1), identity, list(mine = function(x) pointer)),
        "`pointer`", class = "linkrank_error_argument"
    )
    expect_snapshot(error = TRUE, {
        plan_key(list(1), identity, list(mine = function(x) get(x)))
        plan_key(list(1), identity, list(mine = function(x) pointer))
    })
})

test_that("versions of packages count", {
    walk <- new_walk()
    stable_form(list(function(x) stats::sd(x), function(x) Matrix::t(x)), walk)
    found <- used_packages(walk)
    expect_true(all(c("base", "linkrank", "Matrix", "stats") %in%
                        names(found)))
    expect_identical(found[["linkrank"]],
                     as.character(utils::packageVersion("linkrank")))
})

test_that("a ranker that calls another function now is computed again", {
    # as it happened: the functions are those of the session
    home <- globalenv()
    on.exit(rm(list = c("helper_of_test", "mine_of_test"), envir = home))
    evalq({
        helper_of_test <- function(x, y) linkrank::variance_score(x)
        mine_of_test <- function(x, y, ...) helper_of_test(x, y)
    }, home)
    set.seed(1)
    x <- matrix(rnorm(400), 20, dimnames = list(NULL, paste0("f", 1:20)))
    y <- rep(1:2, 10)
    x[, 1] <- x[, 1] + 2 * y
    folder <- tempfile("spread-")
    run <- function(folder) {
        set.seed(3)
        as.data.frame(evaluate_method(x, y, list(
            m = get("mine_of_test", globalenv())
        ), splits = 2, folder = folder))
    }
    old <- run(folder)
    expect_identical(run(folder), old)
    assign("helper_of_test", evalq(function(x, y) {
        linkrank::fisher_score(x, y)
    }, home), home)
    new <- run(folder)
    expect_identical(new, run(NULL))
    expect_false(identical(new, old))
})
