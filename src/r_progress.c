#include <time.h>

#include "r_entry.h"
#include "lr_progress.h"

/* One line on the message stream that updates itself and is gone at the end,
 * and not before two seconds: short calls print nothing. */
progress_line progress_begin(const char *task, const char *unit, double total,
                             int on)
{
    progress_line line = {task, unit, total, (long)time(NULL), 0, -1.0, on, 0};
    return line;
}

static void show(progress_line *line, double done, long now)
{
    char text[120];
    double fraction = lr_fraction_done(done, line->total);
    line->left = lr_seconds_left(fraction, (double)(now - line->begin),
                                 line->left,
                                 (double)(line->shown - line->begin));
    line->shown = now;
    int length = snprintf(text, sizeof text,
                          "%s: %.0f %% of %.0f %s, %.0f s left", line->task,
                          100.0 * fraction, line->total, line->unit,
                          line->left);
    REprintf("\r%-*s", line->width, text);
    if (length > line->width)
        line->width = length;
}

void progress_tick(progress_line *line, double done)
{
    R_CheckUserInterrupt();
    if (!line->on || done <= 0.0)
        return;
    long now = (long)time(NULL), elapsed = now - line->begin;
    if (elapsed < 2 || now == line->shown)
        return;
    show(line, done, now);
}

void progress_end(progress_line *line)
{
    if (line->width > 0)
        REprintf("\r%*s\r", line->width, "");
    line->width = 0;
}
