#include "spread_hash.h"

#include <string.h>

static uint64_t rotate(uint64_t word, int by)
{
    return word << by | word >> (64 - by);
}

/* Every bit of the result depends on every bit of the word; no two words give
 * the same result, because each step can be undone. */
static uint64_t mix(uint64_t word)
{
    word ^= word >> 31;
    word *= UINT64_C(0x9e3779b97f4a7c15);
    word ^= word >> 29;
    word *= UINT64_C(0xbf58476d1ce4e5b9);
    return word ^ word >> 32;
}

static uint64_t read_word(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--)
        word = word << 8 | bytes[i];
    return word;
}

static void add_block(uint64_t state[2], const unsigned char *block)
{
    uint64_t first = mix(read_word(block) ^ state[0]);
    uint64_t second = mix(read_word(block + 8) ^ state[1]);
    state[0] = rotate(first, 27) + second;
    state[1] = rotate(second, 31) + state[0] * 5 + UINT64_C(0x38495ab5);
}

void lr_hash_begin(lr_hash *hash)
{
    memset(hash, 0, sizeof *hash);
    hash->state[0] = UINT64_C(0x243f6a8885a308d3);
    hash->state[1] = UINT64_C(0x13198a2e03707344);
}

void lr_hash_add(lr_hash *hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    size_t held = (size_t)(hash->length % LR_HASH_BLOCK);
    hash->length += count;
    if (held > 0) {
        size_t missing = LR_HASH_BLOCK - held;
        size_t some = count < missing ? count : missing;
        memcpy(hash->rest + held, at, some);
        at += some;
        count -= some;
        if (some < missing)
            return;
        add_block(hash->state, hash->rest);
    }
    for (; count >= LR_HASH_BLOCK; count -= LR_HASH_BLOCK) {
        add_block(hash->state, at);
        at += LR_HASH_BLOCK;
    }
    memcpy(hash->rest, at, count);
}

void lr_hash_end(const lr_hash *hash, char text[33])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char block[LR_HASH_BLOCK] = {0};
    uint64_t state[2] = {hash->state[0], hash->state[1]};
    memcpy(block, hash->rest, (size_t)(hash->length % LR_HASH_BLOCK));
    add_block(state, block);
    /* the length tells a sequence from the same one with zeros at its end */
    state[0] ^= hash->length;
    for (int round = 0; round < 3; round++) {
        state[0] = mix(state[0] + rotate(state[1], 23));
        state[1] = mix(state[1] + rotate(state[0], 41));
    }
    for (int i = 0; i < 32; i++)
        text[i] = digits[state[i / 16] >> (4 * (i % 16)) & 15];
    text[32] = '\0';
}
