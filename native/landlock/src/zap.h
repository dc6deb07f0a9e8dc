/* ZAP messages, dialect `shape`: a strict reader and a writer.
 *
 * Reading: zap_open() walks the whole message once against a type table and refuses whatever is not
 * exactly right: another version, flags, a size that is not the packet's, a pointer that does not
 * resolve, a count that does not fit, bytes used twice, text that is no UTF-8, bytes after the end.
 * What it has accepted the generated accessors read without further checks. An absent struct (and
 * any field of it) answers zero.
 *
 * Writing: a message grows in a buffer of fixed size; running out sets `full` and zap_end() answers
 * 0. Nothing is allocated in either direction. */
#ifndef ZAP_H
#define ZAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ZAP_HEADER = 16, ZAP_MAX = 131072, ZAP_DEPTH = 16 };

/* Text or bytes; at is NULL when absent. */
struct zap_run {
    const uint8_t *at;
    uint32_t len;
};

struct zap_obj {
    const uint8_t *buf; /* NULL: absent */
    uint32_t at;
};

struct zap_list {
    const uint8_t *buf;
    uint32_t at, count;
};

enum zap_what { ZAP_END, ZAP_TEXT, ZAP_BYTES, ZAP_STRUCT, ZAP_PACKED, ZAP_POINTERS };

struct zap_type;

struct zap_field {
    uint16_t what;
    uint16_t offset;
    uint16_t stride;
    const struct zap_type *type;
};

struct zap_type {
    const char *name;
    uint32_t size;
    const struct zap_field *fields; /* those that point elsewhere; NULL when there are none */
};

/* Checks buf as one message of `type`. Answers NULL and sets *root, or what is wrong with it. */
const char *zap_open(const struct zap_type *type, const void *buf, size_t len, struct zap_obj *root);

bool zap_is_utf8(const uint8_t *p, size_t n);

static inline uint8_t zap_get8(struct zap_obj o, uint32_t f) { return o.buf ? o.buf[o.at + f] : 0; }

static inline uint16_t zap_get16(struct zap_obj o, uint32_t f)
{
    uint16_t v = 0;
    if (o.buf) memcpy(&v, o.buf + o.at + f, sizeof v);
    return v;
}

static inline uint32_t zap_get32(struct zap_obj o, uint32_t f)
{
    uint32_t v = 0;
    if (o.buf) memcpy(&v, o.buf + o.at + f, sizeof v);
    return v;
}

static inline uint64_t zap_get64(struct zap_obj o, uint32_t f)
{
    uint64_t v = 0;
    if (o.buf) memcpy(&v, o.buf + o.at + f, sizeof v);
    return v;
}

const uint8_t *zap_fixed(struct zap_obj o, uint32_t f, uint32_t n);
struct zap_run zap_run_at(struct zap_obj o, uint32_t f);
struct zap_obj zap_struct_at(struct zap_obj o, uint32_t f);
struct zap_list zap_list_at(struct zap_obj o, uint32_t f);
struct zap_obj zap_cell(struct zap_list l, uint32_t i);

static inline struct zap_obj zap_inline(struct zap_list l, uint32_t i, uint32_t stride)
{
    struct zap_obj o = {i < l.count ? l.buf : NULL, l.at + i * stride};
    return o;
}

struct zap_out {
    uint8_t *buf;
    uint32_t cap, len;
    bool full;
};

/* Begins a message whose root has `size` bytes; answers the root's place. */
uint32_t zap_begin(struct zap_out *w, void *buf, size_t cap, uint32_t size);

/* The finished message's length, or 0 when it did not fit. */
uint32_t zap_end(struct zap_out *w);

/* All take absolute places; a place of 0 (given when the buffer was full) is passed over. */
void zap_put8(struct zap_out *w, uint32_t at, uint8_t v);
void zap_put16(struct zap_out *w, uint32_t at, uint16_t v);
void zap_put32(struct zap_out *w, uint32_t at, uint32_t v);
void zap_put64(struct zap_out *w, uint32_t at, uint64_t v);
void zap_put_fixed(struct zap_out *w, uint32_t at, const void *p, uint32_t n);
void zap_put_run(struct zap_out *w, uint32_t slot, const void *p, size_t n);

/* Where the next run will be, for who can write it there before it is put; NULL: it does not fit. */
uint8_t *zap_room(struct zap_out *w, size_t n);
uint32_t zap_new_struct(struct zap_out *w, uint32_t slot, uint32_t size);
uint32_t zap_new_list(struct zap_out *w, uint32_t slot, uint32_t count, uint32_t stride);

static inline uint32_t zap_new_inline(struct zap_out *w, uint32_t at)
{
    (void)w;
    return at;
}

#endif
