#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#include "r_entry.h"
#include "lr_threads.h"

#define ENTRY(name, n) {#name, (DL_FUNC)&r_##name, n}

static const R_CallMethodDef entries[] = {
    ENTRY(frame_types, 1), ENTRY(columns_fit, 1), ENTRY(frame_matrix, 2),
    ENTRY(scan_features, 2), ENTRY(scan_samples, 2), ENTRY(scan_zeros, 2),
    ENTRY(expected_differences, 3), ENTRY(feature_moments, 2),
    ENTRY(read_features, 2), ENTRY(transpose_samples, 1),
    ENTRY(bind_samples, 1), ENTRY(join_tiles, 3), ENTRY(map_file, 2),
    ENTRY(unmap_file, 1), ENTRY(is_mapped, 1), ENTRY(components, 3),
    ENTRY(principal_components, 7), ENTRY(difference_sums, 5),
    ENTRY(mean_differences, 4), ENTRY(shortest_path, 5), ENTRY(closure, 1),
    ENTRY(nearest, 6), ENTRY(within_radius, 5), ENTRY(distance_summary, 3),
    ENTRY(segment_sums, 6), ENTRY(segment_moments, 6), ENTRY(irelief_step, 6),
    ENTRY(simba, 7), ENTRY(constrained_margins, 6), ENTRY(relabelled_hits, 5),
    ENTRY(relabelled_margins, 7), ENTRY(margin_spreads, 3),
    ENTRY(count_standardised, 6), ENTRY(label_margins, 4),
    ENTRY(similarity_graph, 3), ENTRY(graph_degrees, 1),
    ENTRY(quadratic_forms, 4), ENTRY(pair_sums, 6), ENTRY(sparse_graph, 7),
    ENTRY(correlation_graph, 5), ENTRY(keep_uncorrelated, 6),
    ENTRY(diversify, 6), ENTRY(correlation_sums, 5), ENTRY(forest, 5),
    ENTRY(cut_tree, 2), ENTRY(graph_components, 2), ENTRY(shifted_factor, 3),
    ENTRY(inverse_product, 2), ENTRY(lanczos, 6), ENTRY(resolvent, 6),
    ENTRY(best_pair, 5), ENTRY(sample_distances, 3), ENTRY(read_samples, 3),
    ENTRY(propagation_columns, 5), ENTRY(strong_entries, 4),
    ENTRY(admit_pairs, 5), ENTRY(select_subset, 5), ENTRY(subset_errors, 6),
    ENTRY(pck_means, 4), ENTRY(nearest_along, 4), ENTRY(group_moments, 4),
    ENTRY(file_kind, 1), ENTRY(write_file, 2), ENTRY(append_file, 2),
    ENTRY(sync_folder, 1), ENTRY(varied_features, 4),
    {NULL, NULL, 0}};

void attribute_visible R_init_linkrank(DllInfo *dll)
{
    lr_threads_init();
    R_registerRoutines(dll, NULL, entries, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
}
