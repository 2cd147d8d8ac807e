/* What the host of the tests has seen of a walk. */
#ifndef LR_TEST_HOST_H
#define LR_TEST_HOST_H

#include "read_source.h"

extern int host_ticks;   /* chances to interrupt */
extern int host_reads;   /* calls of a reader */
extern double host_done; /* what the last tick reported */

#endif
