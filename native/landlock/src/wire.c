/* Descriptor 3: sending. A message that the socket does not take waits; while any waits, no
 * further request is read, so what waits is bounded by one packet's worth of answers and the
 * outcomes of what is running. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "daemon.h"

static uint8_t buffer[ZAP_MAX];

struct waiting {
    struct waiting *next;
    uint32_t size;
    uint8_t bytes[];
};

static struct waiting *first, **last = &first;
static bool is_open;

bool wire_is_clogged(void)
{
    while (first && is_open) {
        struct waiting *w = first;
        if (send(FD_HOST, w->bytes, w->size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno == EAGAIN)
            return true;
        first = w->next;
        if (!first) last = &first;
        free(w);
    }
    return false;
}

/* Outcomes among them are held and can be asked for; the rest was for a host that is gone. */
void wire_reset(void)
{
    while (first) {
        struct waiting *w = first;
        first = w->next;
        free(w);
    }
    last = &first;
    is_open = false;
}

void wire_open(void) { is_open = true; }

void reply_bytes(const void *p, uint32_t n)
{
    if (!is_open) return;
    if (!wire_is_clogged()) {
        if (send(FD_HOST, p, n, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || errno != EAGAIN) return;
    }
    struct waiting *w = grab(sizeof *w + n);
    w->size = n;
    memcpy(w->bytes, p, n);
    *last = w;
    last = &w->next;
}

void reply_begin(struct reply *r, uint16_t kind, uint16_t op, uint64_t request, uint64_t action)
{
    r->root = zap_begin(&r->w, buffer, sizeof buffer, cell_reply_type.size);
    cell_reply_set_kind(&r->w, r->root, kind);
    cell_reply_set_op(&r->w, r->root, op);
    cell_reply_set_request(&r->w, r->root, request);
    cell_reply_set_action(&r->w, r->root, action);
}

void reply_send(struct reply *r)
{
    uint32_t n = zap_end(&r->w);
    if (n) reply_bytes(r->w.buf, n);
}

void refuse_number(uint64_t number, uint64_t action, uint16_t op, uint16_t code, const char *message)
{
    struct reply r;
    reply_begin(&r, CELL_REPLY_KIND_REFUSED, op, number, action);
    uint32_t at = cell_reply_new_refused(&r.w, r.root);
    cell_refused_set_code(&r.w, at, code);
    size_t n = strlen(message);
    while (n && !zap_is_utf8((const uint8_t *)message, n)) n--;
    cell_refused_set_message(&r.w, at, message, n);
    reply_send(&r);
}

void refuse(const struct request *q, uint16_t code, const char *format, ...)
{
    struct text t;
    va_list args;
    va_start(args, format);
    vsnprintf(t.s, sizeof t.s, format, args);
    va_end(args);
    refuse_number(q->number, q->action, q->op, code, t.s);
}
