#include "hits.h"

static int is_nearer(double d, int row, double other_d, int other_row)
{
    return d < other_d || (d == other_d && row < other_row);
}

static void sift_down(lr_nearest *h, size_t root, size_t count, double d,
                      int row)
{
    size_t child;
    while ((child = 2 * root + 1) < count) {
        if (child + 1 < count
            && is_nearer(h->distance[child], h->row[child],
                         h->distance[child + 1], h->row[child + 1]))
            child++;
        if (!is_nearer(d, row, h->distance[child], h->row[child]))
            break;
        h->distance[root] = h->distance[child];
        h->row[root] = h->row[child];
        root = child;
    }
    h->distance[root] = d;
    h->row[root] = row;
}

static void sift_up(lr_nearest *h, size_t at, double d, int row)
{
    while (at > 0) {
        size_t parent = (at - 1) / 2;
        if (!is_nearer(h->distance[parent], h->row[parent], d, row))
            break;
        h->distance[at] = h->distance[parent];
        h->row[at] = h->row[parent];
        at = parent;
    }
    h->distance[at] = d;
    h->row[at] = row;
}

void lr_nearest_offer(lr_nearest *list, double distance, int row)
{
    if (list->count < list->capacity)
        sift_up(list, list->count++, distance, row);
    else if (list->count > 0
             && is_nearer(distance, row, list->distance[0], list->row[0]))
        sift_down(list, 0, list->count, distance, row);
}

void lr_nearest_sort(lr_nearest *list)
{
    for (size_t last = list->count; last-- > 1;) {
        double d = list->distance[last];
        int row = list->row[last];
        list->distance[last] = list->distance[0];
        list->row[last] = list->row[0];
        sift_down(list, 0, last, d, row);
    }
}

/* First position of sorted[low .. high - 1] that is not below `value`. */
static int lower_bound(const int *sorted, int low, int high, int value)
{
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int lr_cannot_link(const lr_links *links, int a, int b)
{
    int c = links->component[a], end = links->against_start[c + 1];
    if (links->side) {
        int mine = links->side[c], other = links->side[links->component[b]];
        if (mine >= 0 && other >= 0 && mine != other)
            return 1;
    }
    int at = lower_bound(links->against, links->against_start[c], end,
                         links->component[b]);
    return at < end && links->against[at] == links->component[b];
}

/* Most rows are farther than the farthest that is kept: that test comes first
 * and the constraints are looked up only for the few that pass it. */
static void offer_others(int end, const double *distance, size_t first_row,
                         size_t rows, const lr_links *links, lr_nearest *list)
{
    for (size_t r = 0; r < rows; r++) {
        if (list->count == list->capacity && distance[r] > list->distance[0])
            continue;
        int row = (int)(first_row + r);
        if (row == end)
            continue;
        if (links && (links->component[row] == links->component[end]
                      || lr_cannot_link(links, end, row)))
            continue;
        lr_nearest_offer(list, distance[r], row);
    }
}

void lr_offer_linked(int end, const double *distance, size_t first_row,
                   size_t rows, const lr_links *links, lr_nearest *others,
                   lr_nearest *group)
{
    if (others->capacity > 0)
        offer_others(end, distance, first_row, rows, links, others);
    if (!links)
        return;
    int c = links->component[end], last = links->member_start[c + 1];
    int m = lower_bound(links->member, links->member_start[c], last,
                        (int)first_row);
    for (; m < last && (size_t)links->member[m] < first_row + rows; m++) {
        int row = links->member[m];
        if (row != end)
            lr_nearest_offer(group, distance[(size_t)row - first_row], row);
    }
}

size_t lr_take_hits(int end, const int *group, size_t n_group,
                    const int *others, size_t n_others, const lr_links *links,
                    size_t k, int *hits)
{
    size_t taken = 0;
    for (size_t j = 0; j < n_group && taken < k; j++)
        hits[taken++] = group[j];
    for (size_t j = 0; j < n_others && taken < k; j++)
        if (!links || !lr_cannot_link(links, end, others[j]))
            hits[taken++] = others[j];
    return taken;
}
