/* The hash does not depend on how its bytes are cut, and on every bit of them. */
#include "spread_hash.h"

#include <string.h>

#include "check.h"
#include "random.h"

static void hash_of(const unsigned char *bytes, size_t count, char text[33])
{
    lr_hash hash;
    lr_hash_begin(&hash);
    lr_hash_add(&hash, bytes, count);
    lr_hash_end(&hash, text);
}

int main(void)
{
    enum { MOST = 100 };
    unsigned char bytes[MOST];
    char whole[33], other[33], before[33] = "";
    for (size_t i = 0; i < MOST; i++)
        bytes[i] = (unsigned char)(37 * i + 11);
    for (size_t count = 0; count <= MOST; count++) {
        hash_of(bytes, count, whole);
        CHECK(strlen(whole) == 32 && strspn(whole, "0123456789abcdef") == 32);
        CHECK(strcmp(whole, before) != 0);
        memcpy(before, whole, sizeof whole);
        for (size_t cut = 0; cut <= count; cut++) {
            lr_hash hash;
            lr_hash_begin(&hash);
            lr_hash_add(&hash, bytes, cut);
            lr_hash_add(&hash, bytes + cut, 0);
            lr_hash_add(&hash, bytes + cut, count - cut);
            lr_hash_end(&hash, other);
            CHECK(strcmp(whole, other) == 0);
        }
    }
    /* one bit changes about half of the 128 */
    size_t changed = 0;
    for (size_t bit = 0; bit < 8 * MOST; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        hash_of(bytes, MOST, other);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(strcmp(whole, other) != 0);
        for (int i = 0; i < 32; i++)
            changed += whole[i] != other[i];
    }
    /* 15 of 16 digits differ on average: 24,000 of 25,600, sd 39 */
    CHECK(changed > 23800 && changed < 24200);
    /* zeros at the end are seen, although the last block is filled with zeros */
    memset(bytes, 0, MOST);
    for (size_t count = 0; count < MOST; count++) {
        hash_of(bytes, count, whole);
        hash_of(bytes, count + 1, other);
        CHECK(strcmp(whole, other) != 0);
    }
    return check_report();
}
