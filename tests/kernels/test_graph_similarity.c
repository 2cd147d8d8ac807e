/* Degrees of a graph, by hand. */
#include "check.h"
#include "graph_similarity.h"

int main(void)
{
    /* 0-1, 0-2, 1-2, 1-3; sample 4 has no edge */
    static const int start[] = {0, 2, 5, 7, 8, 8};
    static const int row[] = {1, 2, 0, 2, 3, 0, 1, 1};
    static const double weight[] = {4, 9, 4, 1, 0, 9, 1, 0};
    static const double full[] = {7, 4, 9, 4, 7, 1, 9, 1, 7};
    double degree[5];
    lr_degrees(&(lr_graph){5, start, row, weight}, degree);
    CHECK_SAMES(degree, ((double[]){13, 5, 10, 0, 0}), 5);
    lr_degrees(&(lr_graph){5, start, row, NULL}, degree);
    CHECK_SAMES(degree, ((double[]){2, 3, 2, 1, 0}), 5);
    /* the diagonal is ignored */
    lr_degrees(&(lr_graph){3, NULL, NULL, full}, degree);
    CHECK_SAMES(degree, ((double[]){13, 5, 10}), 3);
    return check_report();
}
