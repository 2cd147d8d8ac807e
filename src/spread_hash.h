#ifndef SPREAD_HASH_H
#define SPREAD_HASH_H

#include <stddef.h>
#include <stdint.h>

/* A hash of 128 bits of a sequence of bytes, which may come in pieces of any
 * length. It tells apart what differs by accident, for instance two data sets;
 * it is no protection against somebody who wants two sequences with the same
 * hash. Bytes are read in pairs of 64-bit words, lowest byte first, so that
 * every machine gives the same hash. Cost: one pass. */

enum { LR_HASH_BLOCK = 16 };

typedef struct {
    uint64_t state[2];
    uint64_t length;                    /* bytes so far */
    unsigned char rest[LR_HASH_BLOCK];  /* the bytes of an incomplete block */
} lr_hash;

void lr_hash_begin(lr_hash *hash);
void lr_hash_add(lr_hash *hash, const void *bytes, size_t count);

/* text: 32 hexadecimal digits and a closing 0 */
void lr_hash_end(const lr_hash *hash, char text[33]);

#endif
