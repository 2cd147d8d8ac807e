#pragma once

#include <stddef.h>

/* Called once when the library is loaded. */
void lr_threads_init(void);

/* The most threads that a call may use: what it asked for, but never more than
 * there are processors (`processors`: so many; 0: ask the machine) and than
 * the limit variables allow, and 1 in a forked child. */
int lr_most_threads(int requested, int processors);

/* How many of these a region gets: a further one for every `worthwhile` units
 * of its work. `work`: elementary operations, about 1e9 of them a second. */
int lr_num_threads(int most, double work, double worthwhile);

/* What is done with one of several items; lr_own_thread() says by whom. */
typedef void (*lr_item)(void *context, size_t item);

/* Items 0 .. count - 1, each done once by one of `team` threads numbered from
 * 0, in any order: an item writes only what is its own, or its thread's. */
void lr_run_items(int team, size_t count, lr_item use, void *context);

/* The number that *next stands at, which is one more then: of several threads
 * each gets its own. */
size_t lr_take_number(size_t *next);

/* Items from .. to - 1. */
typedef void (*lr_chunk_use)(void *context, size_t from, size_t to);

/* The same for many items that are small and alike: one chunk of them for
 * each of `team` threads. */
void lr_run_chunks(int team, size_t count, lr_chunk_use use, void *context);

/* The number of the calling thread in its region, from 0: for items that write
 * to memory of their thread. */
int lr_own_thread(void);
