#include <math.h>

#include "check.h"
#include "lr_progress.h"

int main(void)
{
    CHECK_SAME(lr_fraction_done(5.0, 20.0), 0.25);
    CHECK_SAME(lr_fraction_done(41.0, 20.0), 1.0);
    CHECK_SAME(lr_fraction_done(-1.0, 20.0), 0.0);
    CHECK_SAME(lr_fraction_done(1.0, 0.0), 0.0);
    CHECK_SAME(lr_fraction_done(NAN, 20.0), 0.0);

    /* a quarter in 10 seconds: 30 more */
    CHECK_SAME(lr_seconds_left(0.25, 10.0, -1.0, 0.0), 30.0);
    CHECK_SAME(lr_seconds_left(1.0, 10.0, 3.0, 9.0), 0.0);
    /* half after 12: 12 more; 30 were said at 10, so 28 expected */
    CHECK_SAME(lr_seconds_left(0.5, 12.0, 30.0, 10.0), 20.0);
    /* 3 were said, 5 seconds ago */
    CHECK_SAME(lr_seconds_left(0.5, 6.0, 3.0, 1.0), 3.0);

    /* a slow beginning: 40 % of the time for the first tenth of the work. The
     * estimate comes within 3 seconds of the truth at the end. */
    double left = -1.0, since = 0.0;
    for (int second = 2; second <= 100; second++) {
        double share = second < 40 ? second / 400.0
                                   : 0.1 + (second - 40) * 0.9 / 60.0;
        left = lr_seconds_left(share, second, left, since);
        since = second;
        CHECK(left >= 0.0);
        if (second > 95)
            CHECK(fabs(left - (100.0 - second)) < 3.0);
    }
    return check_report();
}
