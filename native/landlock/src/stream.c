#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "run.h"

enum {
    READ_BYTES = 65536,
    READS_A_ROUND = 16,
    ALL_KEPT_BYTES = 1 << 30, /* of all held outcomes together */
    AHEAD_BYTES = 256 << 10,  /* of its listener, before a spawn has to wait */
};

static uint8_t bytes[READ_BYTES];

static uint64_t all_kept(void)
{
    uint64_t n = 0;
    for (struct effect *e = the_daemon.effects; e; e = e->next) n += e->kept[0] + e->kept[1];
    return n;
}

static void keep(struct stream *s, const uint8_t *p, size_t n)
{
    if (!s->is_keeping || s->kept + n > KEPT_BYTES) n = s->is_keeping ? KEPT_BYTES - s->kept : 0;
    if (!n) return;
    ssize_t wrote = write(s->file, p, n);
    if (wrote > 0) s->kept += (uint64_t)wrote;
    if (wrote != (ssize_t)n) s->is_keeping = false; /* a full disk: head and tail stay */
}

static void begin_keeping(struct stream *s)
{
    s->file = all_kept() < ALL_KEPT_BYTES ? spool_open() : -1;
    s->is_keeping = s->file >= 0;
    keep(s, s->head, s->head_bytes);
}

static void add_tail(struct stream *s, const uint8_t *p, size_t n)
{
    if (!s->tail) s->tail = grab(EDGE_BYTES);
    if (n >= EDGE_BYTES) {
        memcpy(s->tail, p + n - EDGE_BYTES, EDGE_BYTES);
        s->tail_at = 0;
        s->tail_bytes = EDGE_BYTES;
        return;
    }
    uint32_t first = EDGE_BYTES - s->tail_at < n ? EDGE_BYTES - s->tail_at : (uint32_t)n;
    memcpy(s->tail + s->tail_at, p, first);
    memcpy(s->tail, p + first, n - first);
    s->tail_at = (s->tail_at + (uint32_t)n) % EDGE_BYTES;
    s->tail_bytes = s->tail_bytes + n > EDGE_BYTES ? EDGE_BYTES : s->tail_bytes + (uint32_t)n;
}

static void add(struct stream *s, const uint8_t *p, size_t n)
{
    s->total += n;
    if (s->head_bytes < EDGE_BYTES) {
        if (!s->head) s->head = grab(EDGE_BYTES);
        size_t take = EDGE_BYTES - s->head_bytes < n ? EDGE_BYTES - s->head_bytes : n;
        memcpy(s->head + s->head_bytes, p, take);
        s->head_bytes += (uint32_t)take;
        p += take;
        n -= take;
    }
    if (!n) return;
    if (s->file < 0 && !s->tail) begin_keeping(s);
    keep(s, p, n);
    add_tail(s, p, n);
}

/* How much may be read now. What is beyond the kept part can be told only from the tail. */
static size_t room(const struct stream *s)
{
    if (!s->is_heard || !s->run->is_spawn) return READ_BYTES;
    bool is_full = s->tail && (!s->is_keeping || s->kept + AHEAD_BYTES > KEPT_BYTES);
    uint64_t most = is_full ? EDGE_BYTES : AHEAD_BYTES;
    uint64_t ahead = s->total - s->pushed;
    if (ahead >= most) return 0;
    return most - ahead < READ_BYTES ? (size_t)(most - ahead) : READ_BYTES;
}

/* Answers false when nothing more will come. */
static bool take(struct stream *s, int reads)
{
    while (reads--) {
        size_t most = room(s);
        if (!most) {
            s->is_paused = true;
            return true;
        }
        ssize_t n = read(s->watch.fd, bytes, most);
        if (n > 0) {
            add(s, bytes, (size_t)n);
            continue;
        }
        return n < 0 && (errno == EAGAIN || errno == EINTR);
    }
    return true;
}

static void on_output(struct watch *w, uint32_t events)
{
    (void)events;
    struct stream *s = w->owner;
    bool more = take(s, READS_A_ROUND);
    if (s->is_paused) watch_stop(w); /* a hang-up would be told again and again */
    push_run(s->run);
    if (more) return;
    stream_close(s);
    run_streams_changed(s->run);
}

void stream_open(struct stream *s, int fd, struct run *r)
{
    memset(s, 0, sizeof *s);
    s->run = r;
    s->file = -1;
    if (fd < 0) return; /* there is no such stream */
    watch_start(&s->watch, fd, EPOLLIN, on_output, s);
}

/* Bounded: somebody may go on writing for ever. */
void stream_drain(struct stream *s)
{
    s->is_heard = false; /* it waits for nobody any more */
    stream_go_on(s);
    if (s->watch.active && !take(s, READS_A_ROUND)) stream_close(s);
}

bool stream_is_open(const struct stream *s) { return s->watch.active || s->is_paused; }

void stream_go_on(struct stream *s)
{
    if (!s->is_paused || !room(s)) return;
    s->is_paused = false;
    watch_start(&s->watch, s->watch.fd, EPOLLIN, on_output, s);
}

void stream_close(struct stream *s)
{
    if (!stream_is_open(s)) return;
    watch_stop(&s->watch);
    s->is_paused = false;
    close(s->watch.fd);
}

void stream_free(struct stream *s)
{
    stream_close(s);
    close_fd(&s->file);
    free(s->head);
    free(s->tail);
    s->head = s->tail = NULL;
}

uint64_t stream_kept(const struct stream *s) { return s->file < 0 ? s->head_bytes : s->kept; }

/* The last of it, out of the ring. */
static uint32_t read_tail(const struct stream *s, uint64_t offset, uint8_t *to, uint32_t cap)
{
    uint64_t first = s->total - s->tail_bytes;
    if (offset < first || offset >= s->total) return 0;
    if (cap > s->total - offset) cap = (uint32_t)(s->total - offset);
    uint32_t from = s->tail_bytes < EDGE_BYTES ? 0 : s->tail_at;
    for (uint32_t i = 0; i < cap; i++) to[i] = s->tail[(from + (offset - first) + i) % EDGE_BYTES];
    return cap;
}

uint32_t stream_read(const struct stream *s, uint64_t offset, uint8_t *to, uint32_t cap)
{
    uint64_t kept = stream_kept(s);
    if (offset >= kept) return read_tail(s, offset, to, cap);
    if (cap > kept - offset) cap = (uint32_t)(kept - offset);
    if (s->file < 0) {
        memcpy(to, s->head + offset, cap);
        return cap;
    }
    ssize_t n = pread(s->file, to, cap, (off_t)offset);
    return n < 0 ? 0 : (uint32_t)n;
}

uint32_t stream_put(const struct stream *s, struct zap_out *w, uint32_t at)
{
    uint8_t line[EDGE_BYTES]; /* the ring, made straight */
    uint32_t from = s->tail_bytes < EDGE_BYTES ? 0 : s->tail_at;
    for (uint32_t i = 0; i < s->tail_bytes; i++) line[i] = s->tail[(from + i) % EDGE_BYTES];
    cell_stream_set_head(w, at, s->head, s->head_bytes);
    cell_stream_set_tail(w, at, line, s->tail_bytes);
    cell_stream_set_total_bytes(w, at, s->total);
    cell_stream_set_kept_bytes(w, at, s->kept);
    return at;
}
