/* Output that is told while a command runs: from what is kept, never from a queue of its own, so a
 * host that does not read costs no memory and holds up nothing else. */
#include "run.h"

enum { PUSH_BYTES = 65536 };

static uint8_t chunk[PUSH_BYTES];

/* Beyond what is kept only the tail can be told: what lies between is passed over. */
static void leap(struct stream *s)
{
    uint64_t first = s->total - s->tail_bytes;
    if (s->pushed >= stream_kept(s) && s->pushed < first) s->pushed = first;
}

/* Answers false when nothing could be sent. */
static bool push_stream(struct run *r, struct stream *s, uint16_t name)
{
    uint32_t most = s->credit < PUSH_BYTES ? s->credit : PUSH_BYTES;
    leap(s);
    uint32_t n = most && !wire_is_clogged() ? stream_read(s, s->pushed, chunk, most) : 0;
    if (!n) return false;
    struct reply p;
    reply_begin(&p, CELL_REPLY_KIND_PUSH, r->effect->op, 0, r->action);
    uint32_t at = cell_reply_new_push(&p.w, p.root);
    cell_push_set_stream(&p.w, at, name);
    cell_push_set_offset(&p.w, at, s->pushed);
    cell_push_set_data(&p.w, at, chunk, n);
    s->pushed += n;
    s->credit -= n;
    reply_send(&p);
    return true;
}

void push_run(struct run *r)
{
    if (!r->effect) return;
    while (push_stream(r, &r->out, CELL_STREAM_NAME_STDOUT)) continue;
    while (push_stream(r, &r->err, CELL_STREAM_NAME_STDERR)) continue;
    stream_go_on(&r->out);
    stream_go_on(&r->err);
}

void push_all(void)
{
    for (struct run *r = run_first(); r; r = r->next) push_run(r);
}

void push_reset(void)
{
    for (struct run *r = run_first(); r; r = r->next) {
        r->out.credit = r->err.credit = 0;
        r->out.is_heard = r->err.is_heard = false;
        stream_go_on(&r->out);
        stream_go_on(&r->err);
    }
}

void do_credit(const struct request *q)
{
    enum { MOST_CREDIT = 16 << 20 };
    if (is_handle(q->action)) {
        observe_credit(q);
        return;
    }
    struct zap_obj o = cell_request_credit(q->o);
    uint16_t name = cell_credit_stream(o);
    struct run *r = run_find(q->action);
    if (!r || !r->effect) {
        refuse(q, CELL_REFUSAL_NOT_RUNNING, "action %llu is not running", (unsigned long long)q->action);
        return;
    }
    if (name != CELL_STREAM_NAME_STDOUT && name != CELL_STREAM_NAME_STDERR) {
        refuse(q, CELL_REFUSAL_INVALID, "an output stream is stdout or stderr");
        return;
    }
    struct stream *s = name == CELL_STREAM_NAME_STDOUT ? &r->out : &r->err;
    if (cell_credit_has(o) & 1) {
        s->pushed = cell_credit_since(o) < s->total ? cell_credit_since(o) : s->total;
        s->credit = 0; /* it was for what came before */
    }
    uint64_t credit = (uint64_t)s->credit + cell_credit_bytes(o);
    s->credit = credit > MOST_CREDIT ? MOST_CREDIT : (uint32_t)credit;
    s->is_heard = cell_credit_bytes(o) > 0;
    if (!s->is_heard) s->credit = 0; /* nobody follows it any more */
    struct reply p;
    reply_begin(&p, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    reply_send(&p);
    push_run(r);
}
