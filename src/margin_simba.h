#ifndef LR_MARGIN_SIMBA_H
#define LR_MARGIN_SIMBA_H

#include "constraints.h"
#include "margin_simba_search.h"

/* Simba and Simba-Sc (Alg. 2.3 and 3.3 [Hijazi 2019]): stochastic gradient
 * ascent of margins in a space whose features are weighted, so that neighbours
 * are looked for again in every step, and for every start on its own.
 *
 * All starts take their steps together: what they ask of the same sample in the
 * same step uses one pass over the data. A weighted squared distance is
 *     sum_f (u_af - u_bf)^2 w_f^2
 * in column order, one addition each, so its bits depend neither on how starts
 * use the same pass, nor on threads nor on the instruction set. */

/* Part of a step: adds factor * (u_a - u_b)^2 to the relative change of each
 * weight. */
typedef struct {
    int a, b;
    double factor;
} lr_simba_part;

enum { LR_SIMBA_PARTS = 4 };

/* One start's weights and the parts of its present step. */
typedef struct {
    double *w, *squares; /* p each: weights and their squares */
    double largest;      /* of the squares */
    lr_simba_part parts[LR_SIMBA_PARTS];
    size_t n_parts;
} lr_simba_start;

/* w_f += w_f sum over the parts, for the features from .. to - 1; largest: of
 * these squares, one per start. Cost: (to - from) n_parts for each start. */
void lr_simba_update(const lr_simba_data *data, lr_simba_start *starts,
                     size_t n_starts, size_t from, size_t to, double *largest);

/* w <- w^2 / max(w^2) (step 3), and its squares; 0 when all weights are. */
void lr_simba_normalise(lr_simba_start *start, size_t p);

/* What a step visits: samples with a class (`second` NULL), or pairs. */
typedef struct {
    const int *first, *second; /* samples */
    const int *class_of;       /* with samples: classes, -1 = unlabelled */
    const lr_links *links;     /* with pairs: NULL = hits among all samples */
    int both;                  /* with pairs: average the two directions? */
    const double *weight;      /* of each pair; NULL: 1 */
} lr_simba_visits;

/* Samples whose distances visit `v` needs: 1 or 2. */
size_t lr_simba_ask(const lr_simba_visits *visits, size_t v, int samples[2]);

/* The parts of a step from the distances of those samples, and its margin
 *     |x_n - miss|_w - |x_n - hit|_w         (2.25, 3.18)
 * where the miss of a pair is the hit of its other end. A zero norm, and a
 * sample that is not there, contribute 0. The step and the margin of a pair are
 * multiplied by its weight. */
double lr_simba_answer(const lr_simba_visits *visits, size_t v, size_t n,
                       const double *const distance[2], lr_simba_start *start);

/* Hit of an end point: nearest of its must-link group, else the nearest sample
 * that is not cannot-linked to it; links NULL: the nearest of all. -1: none. */
int lr_simba_hit(const double *distance, size_t n, int end,
                 const lr_links *links);

/* Margins of the pairs v .. v + count - 1 from the hits of their ends (per
 * sample, -1: none). */
void lr_simba_pair_margins(const lr_simba_data *data,
                           const lr_simba_visits *visits, size_t v,
                           size_t count, const double *squares, const int *hit,
                           double *margin);

#endif
