/* The writer: objects, lists and runs are appended as they are asked for, each object and list on a
 * multiple of 8, and their slots point to them. */
#include "zap.h"

static uint32_t reserve(struct zap_out *w, uint64_t n, uint32_t align)
{
    uint32_t at = (w->len + align - 1) / align * align;
    if (w->full || at + n > w->cap) {
        w->full = true;
        return 0;
    }
    memset(w->buf + w->len, 0, at - w->len);
    w->len = at + (uint32_t)n;
    return at;
}

static uint32_t append(struct zap_out *w, uint64_t n, uint32_t align)
{
    uint32_t at = reserve(w, n, align);
    if (at) memset(w->buf + at, 0, n);
    return at;
}

static void put(struct zap_out *w, uint32_t at, const void *v, uint32_t n)
{
    if (at && !w->full) memcpy(w->buf + at, v, n);
}

uint32_t zap_begin(struct zap_out *w, void *buf, size_t cap, uint32_t size)
{
    static const uint8_t head[8] = {0x5a, 0x41, 0x50, 0, 2};
    w->buf = buf;
    w->cap = cap > ZAP_MAX ? ZAP_MAX : (uint32_t)cap;
    w->len = 0;
    w->full = false;
    append(w, ZAP_HEADER, 1);
    uint32_t root = append(w, size, 8);
    if (w->full) return 0;
    memcpy(w->buf, head, sizeof head);
    zap_put32(w, 8, root);
    return root;
}

uint32_t zap_end(struct zap_out *w)
{
    if (w->full) return 0;
    zap_put32(w, 12, w->len);
    return w->len;
}

void zap_put8(struct zap_out *w, uint32_t at, uint8_t v) { put(w, at, &v, sizeof v); }
void zap_put16(struct zap_out *w, uint32_t at, uint16_t v) { put(w, at, &v, sizeof v); }
void zap_put32(struct zap_out *w, uint32_t at, uint32_t v) { put(w, at, &v, sizeof v); }
void zap_put64(struct zap_out *w, uint32_t at, uint64_t v) { put(w, at, &v, sizeof v); }
void zap_put_fixed(struct zap_out *w, uint32_t at, const void *p, uint32_t n) { put(w, at, p, n); }

uint8_t *zap_room(struct zap_out *w, size_t n)
{
    return w->full || n > w->cap - w->len ? NULL : w->buf + w->len;
}

/* An empty run is an absent one. */
void zap_put_run(struct zap_out *w, uint32_t slot, const void *p, size_t n)
{
    if (slot == 0 || n == 0) return;
    uint32_t at = reserve(w, n, 1);
    if (!at) return;
    if (p != w->buf + at) memcpy(w->buf + at, p, n);
    zap_put32(w, slot, at - slot);
    zap_put32(w, slot + 4, (uint32_t)n);
}

uint32_t zap_new_struct(struct zap_out *w, uint32_t slot, uint32_t size)
{
    uint32_t at = slot ? append(w, size, 8) : 0;
    if (at) zap_put32(w, slot, at - slot);
    return at;
}

uint32_t zap_new_list(struct zap_out *w, uint32_t slot, uint32_t count, uint32_t stride)
{
    uint32_t at = slot && count ? append(w, (uint64_t)count * stride, 8) : 0;
    if (!at) return 0;
    zap_put32(w, slot, at - slot);
    zap_put32(w, slot + 4, count);
    return at;
}
