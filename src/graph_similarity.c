/* Degrees of a graph. */
#include "graph_similarity.h"

void lr_degrees(const lr_graph *graph, double *degree)
{
    size_t n = graph->n;
    for (size_t c = 0; c < n; c++) {
        double sum = 0.0;
        if (graph->row) {
            for (int e = graph->start[c]; e < graph->start[c + 1]; e++)
                sum += graph->weight ? graph->weight[e] : 1.0;
        } else {
            for (size_t r = 0; r < n; r++)
                sum += r == c ? 0.0 : graph->weight[r + c * n];
        }
        degree[c] = sum;
    }
}
