#ifndef LR_THREADS_H
#define LR_THREADS_H

/* Called once when the library is loaded. */
void lr_threads_init(void);

/* The number of threads a region may use: what was asked for, but never more
 * than the machine, the limit variables and the work allow, and 1 in a forked
 * child. `work`: elementary operations, about 1e9 of them a second. */
int lr_num_threads(int requested, double work);

#endif
