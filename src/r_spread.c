#include "r_entry.h"
#include "spread_hash.h"

/* The user can interrupt after this many bytes. */
#define BYTES_BETWEEN 16777216

typedef struct {
    lr_hash hash;
    size_t since;
} byte_stream;

static void add_bytes(R_outpstream_t stream, void *bytes, int count)
{
    byte_stream *to = (byte_stream *)stream->data;
    lr_hash_add(&to->hash, bytes, (size_t)count);
    to->since += (size_t)count;
    if (to->since >= BYTES_BETWEEN) {
        to->since = 0;
        lr_check_interrupt();
    }
}

static void add_byte(R_outpstream_t stream, int byte)
{
    unsigned char one = (unsigned char)byte;
    add_bytes(stream, &one, 1);
}

/* The hash of the bytes that serialize(value, NULL, version = 2) would return,
 * which are never held. Version 2 writes compact sequences in full and does not
 * hold the encoding of the session; version and R's own version stand in front. */
SEXP r_hash_object(SEXP value)
{
    byte_stream to = {.since = 0};
    char text[33];
    struct R_outpstream_st stream;
    lr_hash_begin(&to.hash);
    R_InitOutPStream(&stream, (R_pstream_data_t)&to, R_pstream_xdr_format, 2,
                     add_byte, add_bytes, NULL, R_NilValue);
    R_Serialize(value, &stream);
    lr_hash_end(&to.hash, text);
    return Rf_mkString(text);
}
