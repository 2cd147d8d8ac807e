#pragma once

#include "constraints.h"

/* Significance of margins by relabelled samples (methods: 14). In a set every
 * sample of the constraints is replaced by another one; which of them are
 * joined or kept apart stays. */

/* links   of the constraints as given, without `side`; NULL: no neighbour is
 *         preferred or left out
 * block   of each sample, -1 = none, or NULL: neighbours in other blocks do not
 *         count
 * to      n: the sample that replaces each sample of the constraints
 * component  n: of each relabelled sample the component of the sample whose
 *         place it has, of several the last; -1 = no sample of the constraints
 *         became this one */
typedef struct {
    const lr_links *links;
    const int *block;
    int *to;
    int *component;
} lr_relabelled;

/* The k hits of sample `base`, relabelled: first members of its component, then
 * others that are not cannot-linked to it, each sample once, both nearest
 * first, except that a component whose other members are at most k in the order
 * of `links`, because all of them are hits. near the samples nearest to
 * to[base], nearest first: all of its block if
 *        its component has more than k other members, else k more than are
 *        joined to or kept from it
 * Returns how many there are. Cost: O(n_near log(links of a component)). */
size_t lr_relabelled_hits(const lr_relabelled *set, int base, const int *near,
                          size_t n_near, size_t k, int *hits);
