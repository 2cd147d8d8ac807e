/* Hits of relabelled samples. */
#include "margin_permutations.h"

static int is_among(const int *numbers, size_t count, int number)
{
    size_t i = 0;
    while (i < count && numbers[i] != number)
        i++;
    return i < count;
}

/* The members of the component, each sample once and without the end point. */
static size_t take_group(const lr_relabelled *set, int component, int end,
                         int *hits)
{
    const lr_links *links = set->links;
    size_t taken = 0;
    for (int i = links->member_start[component];
         i < links->member_start[component + 1]; i++) {
        int other = set->to[links->member[i]];
        if (other != end && set->component[other] == component
            && !is_among(hits, taken, other)
            && (!set->block || set->block[other] == set->block[end]))
            hits[taken++] = other;
    }
    return taken;
}

size_t lr_relabelled_hits(const lr_relabelled *set, int base, const int *near,
                          size_t n_near, size_t k, int *hits)
{
    size_t taken = 0;
    if (!set->links) {
        for (; taken < k && taken < n_near; taken++)
            hits[taken] = near[taken];
        return taken;
    }
    int end = set->to[base], own = set->component[end];
    const int *start = set->links->member_start + own;
    /* at most k members besides the end point: all of them */
    if ((size_t)(start[1] - start[0]) <= k + 1)
        taken = take_group(set, own, end, hits);
    else
        for (size_t j = 0; j < n_near && taken < k; j++)
            if (set->component[near[j]] == own)
                hits[taken++] = near[j];
    lr_links links = *set->links;
    links.component = set->component;
    for (size_t j = 0; j < n_near && taken < k; j++)
        if (set->component[near[j]] != own
            && !lr_cannot_link(&links, end, near[j]))
            hits[taken++] = near[j];
    return taken;
}
