#ifndef LR_PROGRESS_H
#define LR_PROGRESS_H

/* What a line of progress says of a task that is `done` out of `total`. */

/* The share that is done, from 0 to 1 whatever the counts are. */
double lr_share_done(double done, double total);

/* Seconds left, never negative. elapsed: since the beginning; before: what the
 * line said when `since` seconds were elapsed, negative when it has said nothing.
 * The first share of a task is seldom typical, so that an estimate moves only
 * half the way to what the share done so far would make it. */
double lr_seconds_left(double share, double elapsed, double before,
                       double since);

#endif
