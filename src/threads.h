#ifndef LR_THREADS_H
#define LR_THREADS_H

/* Called once when the library is loaded. */
void lr_threads_init(void);

/* The most threads that a call may use: what it asked for, but never more than
 * there are processors (`processors`: so many; 0: ask the machine) and than
 * the limit variables allow, and 1 in a forked child. */
int lr_most_threads(int requested, int processors);

/* How many of these a region gets: a further one for every `worthwhile` units
 * of its work. `work`: elementary operations, about 1e9 of them a second. */
int lr_num_threads(int most, double work, double worthwhile);

/* The number of the calling thread in its region, from 0; to be called by
 * every thread of a region, as it also notes that this one works. */
int lr_own_thread(void);

/* How many threads have worked since the last call: what tests look at. */
int lr_threads_used(void);

#endif
