#pragma once

/* What a line of progress says of a task that is `done` out of `total`. */

/* The fraction that is done, from 0 to 1 for any counts. */
double lr_fraction_done(double done, double total);

/* Seconds left, never negative. elapsed: since the beginning; before: what the
 * line said when `since` seconds were elapsed, negative when it has said
 * nothing. The beginning of a task is seldom typical, so an estimate moves only
 * half the way to the value from the fraction done so far. */
double lr_seconds_left(double fraction, double elapsed, double before,
                       double since);
