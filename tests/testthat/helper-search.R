# What a search in all features finds.
found_in <- function(data, scaling, ends, k, links = NULL,
                     distance = "manhattan", threads = 1,
                     with_distance = FALSE) {
    nearest(feature_space(data, scaling, distance), ends, k,
            neighbour_rule(links), run_control(threads, FALSE),
            with_distance)
}
