/* How much of a task is done, and the seconds that it still takes. */
#include "lr_progress.h"

double lr_fraction_done(double done, double total)
{
    if (!(done > 0.0) || !(total > 0.0))
        return 0.0;
    return done < total ? done / total : 1.0;
}

double lr_seconds_left(double fraction, double elapsed, double before,
                       double since)
{
    if (fraction >= 1.0 || fraction <= 0.0)
        return 0.0;
    double now = (1.0 - fraction) / fraction * elapsed;
    if (before < 0.0)
        return now;
    double expected = before - (elapsed - since);
    if (expected < 0.0)
        expected = 0.0;
    return (now + expected) / 2.0;
}
