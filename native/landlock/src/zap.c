/* The strict reader and the accessors it makes safe. The writer is in zap_out.c. */
#include "zap.h"

static const uint8_t magic[4] = {0x5a, 0x41, 0x50, 0x00};
enum { VERSION = 2 };

/* One bit per byte of the message: set once it belongs to something. One message at a time is
 * checked in a process, on one thread. */
static uint64_t used[ZAP_MAX / 64];

static const char *claim(uint64_t from, uint64_t n, uint32_t size)
{
    if (from < ZAP_HEADER || from + n > size) return "a pointer leads out of the message";
    while (n) {
        uint32_t word = (uint32_t)(from / 64), bit = (uint32_t)(from % 64);
        uint64_t take = 64 - bit < n ? 64 - bit : n;
        uint64_t mask = (take == 64 ? ~0ull : (1ull << take) - 1) << bit;
        if (used[word] & mask) return "bytes are used twice";
        used[word] |= mask;
        from += take;
        n -= take;
    }
    return NULL;
}

/* RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. */
bool zap_is_utf8(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint8_t c = p[i++];
        if (c < 0x80) continue;
        int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        if (c < 0xc2 || c > 0xf4 || n - i < (size_t)more) return false;
        uint8_t d = p[i];
        if ((c == 0xe0 && d < 0xa0) || (c == 0xed && d > 0x9f) || (c == 0xf0 && d < 0x90) ||
            (c == 0xf4 && d > 0x8f))
            return false;
        for (int k = 0; k < more; k++)
            if ((p[i++] & 0xc0) != 0x80) return false;
    }
    return true;
}

static const char *check(const struct zap_type *t, const uint8_t *buf, uint32_t at, uint32_t size,
                         int depth);

static const char *check_list(const struct zap_field *f, const uint8_t *buf, uint64_t at,
                              uint32_t count, uint32_t size, int depth)
{
    const char *wrong = claim(at, (uint64_t)count * f->stride, size);
    if (wrong || f->what != ZAP_POINTERS) return wrong;
    for (uint32_t i = 0; i < count && !wrong; i++) {
        int32_t rel;
        memcpy(&rel, buf + at + i * 4u, sizeof rel);
        int64_t target = (int64_t)at + i * 4u + rel;
        if (rel == 0) continue;
        if (target < ZAP_HEADER || target >= size) return "a list points out of the message";
        wrong = check(f->type, buf, (uint32_t)target, size, depth + 1);
    }
    return wrong;
}

static const char *check_field(const struct zap_field *f, const uint8_t *buf, uint32_t slot,
                               uint32_t size, int depth)
{
    struct zap_obj o = {buf, slot};
    uint32_t word = zap_get32(o, 0);
    uint32_t n = f->what == ZAP_STRUCT ? 0 : zap_get32(o, 4);
    if (word == 0) return n ? "an absent value has a length" : NULL;
    bool is_run = f->what == ZAP_TEXT || f->what == ZAP_BYTES;
    int64_t at = (int64_t)slot + (is_run ? (int64_t)word : (int64_t)(int32_t)word);
    if (at < ZAP_HEADER || at > size) return "a pointer leads out of the message";
    if (f->what == ZAP_STRUCT) return check(f->type, buf, (uint32_t)at, size, depth + 1);
    if (!is_run) return check_list(f, buf, (uint64_t)at, n, size, depth);
    const char *wrong = claim((uint64_t)at, n, size);
    if (!wrong && f->what == ZAP_TEXT && !zap_is_utf8(buf + at, n)) wrong = "text is no UTF-8";
    return wrong;
}

static const char *check(const struct zap_type *t, const uint8_t *buf, uint32_t at, uint32_t size,
                         int depth)
{
    if (depth > ZAP_DEPTH) return "it is nested too deeply";
    const char *wrong = claim(at, t->size, size);
    if (!t->fields) return wrong;
    for (const struct zap_field *f = t->fields; f->what != ZAP_END && !wrong; f++)
        wrong = check_field(f, buf, at + f->offset, size, depth);
    return wrong;
}

const char *zap_open(const struct zap_type *type, const void *message, size_t len,
                     struct zap_obj *root)
{
    const uint8_t *buf = message;
    struct zap_obj head = {buf, 0};
    root->buf = NULL;
    root->at = 0;
    if (len < ZAP_HEADER) return "it is shorter than a header";
    if (len > ZAP_MAX) return "it is longer than 131072 bytes";
    if (memcmp(buf, magic, sizeof magic) != 0) return "it does not begin with the magic";
    if (zap_get16(head, 4) != VERSION) return "it is of another version";
    if (zap_get16(head, 6) != 0) return "it has flags";
    uint32_t at = zap_get32(head, 8), size = zap_get32(head, 12);
    if (size != len) return "its size is not that of the packet";
    if (at < ZAP_HEADER) return "its root is in the header";
    memset(used, 0, (size + 63) / 64 * 8);
    const char *wrong = check(type, buf, at, size, 0);
    if (wrong) return wrong;
    uint32_t last = size - 1;
    if (!(used[last / 64] >> (last % 64) & 1)) return "bytes follow its end";
    root->buf = buf;
    root->at = at;
    return NULL;
}

const uint8_t *zap_fixed(struct zap_obj o, uint32_t f, uint32_t n)
{
    static const uint8_t zeros[64];
    (void)n;
    return o.buf ? o.buf + o.at + f : zeros;
}

struct zap_run zap_run_at(struct zap_obj o, uint32_t f)
{
    struct zap_run r = {NULL, 0};
    uint32_t rel = zap_get32(o, f);
    if (rel == 0) return r;
    r.at = o.buf + o.at + f + rel;
    r.len = zap_get32(o, f + 4);
    return r;
}

static struct zap_obj follow(const uint8_t *buf, uint32_t slot)
{
    struct zap_obj o = {buf, slot};
    int32_t rel = (int32_t)zap_get32(o, 0);
    o.buf = rel ? buf : NULL;
    o.at = slot + (uint32_t)rel;
    return o;
}

struct zap_obj zap_struct_at(struct zap_obj o, uint32_t f) { return follow(o.buf, o.at + f); }

struct zap_list zap_list_at(struct zap_obj o, uint32_t f)
{
    struct zap_obj first = follow(o.buf, o.at + f);
    struct zap_list l = {first.buf, first.at, first.buf ? zap_get32(o, f + 4) : 0};
    return l;
}

struct zap_obj zap_cell(struct zap_list l, uint32_t i)
{
    return follow(i < l.count ? l.buf : NULL, l.at + i * 4u);
}
