/* Bytes that come before the effect that uses them, because one frame does not hold them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon.h"
#include "sha256.h"

struct staged {
    struct staged *next;
    uint64_t action, size, collected;
    uint8_t digest[32];
    struct sha256 sum;
    int fd;
};

static struct staged *all;

int spool_open(void)
{
    return openat(FD_SPOOL, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

static struct staged *find(const uint8_t digest[32], uint64_t size)
{
    struct staged *s = all;
    while (s && (s->size != size || memcmp(s->digest, digest, 32) != 0)) s = s->next;
    return s;
}

int stage_find(const uint8_t digest[32], uint64_t size)
{
    struct staged *s = find(digest, size);
    return s && s->collected == s->size ? s->fd : -1;
}

static void drop(struct staged *s)
{
    for (struct staged **p = &all; *p; p = &(*p)->next)
        if (*p == s) {
            *p = s->next;
            break;
        }
    close_fd(&s->fd);
    free(s);
}

static void drop_if(uint64_t from, uint64_t to)
{
    for (struct staged *s = all, *next; s; s = next) {
        next = s->next;
        if (s->action >= from && s->action <= to) drop(s);
    }
}

void stage_free(uint64_t action) { drop_if(action, action); }
void stage_raise_mark(uint64_t low_water) { drop_if(0, low_water); }

static uint64_t all_bytes(void)
{
    uint64_t n = 0;
    for (struct staged *s = all; s; s = s->next) n += s->size;
    return n;
}

static struct staged *begin(const struct request *q, const uint8_t *digest, uint64_t size)
{
    if (size == 0 || size > KEPT_BYTES || all_bytes() + size > KEPT_BYTES) {
        refuse(q, CELL_REFUSAL_TOO_LARGE, "%llu bytes: a cell stages at most %d in all",
               (unsigned long long)size, KEPT_BYTES);
        return NULL;
    }
    int fd = spool_open();
    if (fd < 0) {
        refuse(q, refusal_of(errno), "nothing can be staged: %s", strerror(errno));
        return NULL;
    }
    struct staged *s = grab(sizeof *s);
    s->action = q->action;
    s->size = size;
    memcpy(s->digest, digest, 32);
    s->fd = fd;
    sha256_begin(&s->sum);
    s->next = all;
    all = s;
    return s;
}

static void answer(const struct request *q, const struct staged *s)
{
    struct reply r;
    reply_begin(&r, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    uint32_t at = cell_reply_new_stage(&r.w, r.root);
    cell_stage_result_set_collected_bytes(&r.w, at, s->collected);
    cell_stage_result_set_complete(&r.w, at, s->collected == s->size);
    reply_send(&r);
}

/* Answers whether it still stands. */
static bool collect(const struct request *q, struct staged *s, struct zap_run data)
{
    if (data.len > s->size - s->collected) {
        refuse(q, CELL_REFUSAL_INVALID, "more bytes come than were announced");
        return true;
    }
    if (pwrite(s->fd, data.at, data.len, (off_t)s->collected) != (ssize_t)data.len) {
        refuse(q, refusal_of(errno), "the bytes cannot be staged: %s", strerror(errno));
        return false;
    }
    sha256_add(&s->sum, data.at, data.len);
    s->collected += data.len;
    if (s->collected == s->size) {
        uint8_t digest[32];
        sha256_end(&s->sum, digest);
        if (memcmp(digest, s->digest, 32) != 0) {
            refuse(q, CELL_REFUSAL_DIGEST_MISMATCH, "the staged bytes have another digest");
            return false;
        }
    }
    answer(q, s);
    return true;
}

void do_stage(const struct request *q)
{
    struct zap_obj o = cell_request_stage(q->o), content = cell_stage_content(o);
    const uint8_t *digest = cell_staged_digest(content);
    uint64_t size = cell_staged_size_bytes(content), offset = cell_stage_offset(o);
    struct zap_run data = cell_stage_data(o);
    if (data.len > CHUNK_BYTES) {
        refuse(q, CELL_REFUSAL_TOO_LARGE, "%u bytes: at most %d are staged at a time", data.len,
               CHUNK_BYTES);
        return;
    }
    struct staged *s = find(digest, size);
    if (!s) s = begin(q, digest, size);
    if (!s) return;
    s->action = q->action;
    if (s->collected == s->size || offset + data.len <= s->collected) {
        answer(q, s);
        return;
    }
    if (offset != s->collected) {
        refuse(q, CELL_REFUSAL_INVALID, "%llu bytes are collected: go on from there",
               (unsigned long long)s->collected);
        return;
    }
    if (!collect(q, s, data)) drop(s);
}
