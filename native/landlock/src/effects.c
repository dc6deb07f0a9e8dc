/* Effects happen at most once: keyed by action id and digest, recorded in the journal before they
 * are told, held until acknowledged, and never forgotten above the low-water mark. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "daemon.h"
#include "sha256.h"

enum {
    VOLATILE_FROM = 16, /* of the root: request, epoch, lowWater, digest */
    VOLATILE_TO = 72,
    JOURNAL_MOST = 64 << 20,
    JOURNAL_SWEEP = 4 << 20,
    MESSAGES_MOST = 8 << 20, /* outcomes in memory */
};

static uint64_t journal_size = ~0ull;
static uint32_t messages_size;

struct effect *effect_find(uint64_t action)
{
    struct effect *e = the_daemon.effects;
    while (e && e->action != action) e = e->next;
    return e;
}

static void forget_output(struct effect *e)
{
    close_fd(&e->spool[0]);
    close_fd(&e->spool[1]);
    if (e->message) messages_size -= e->size;
    free(e->message);
    e->message = NULL;
}

static void remove_effect(struct effect *e)
{
    for (struct effect **p = &the_daemon.effects; *p; p = &(*p)->next)
        if (*p == e) {
            *p = e->next;
            break;
        }
    the_daemon.effect_count--;
    the_daemon.held_count -= e->state == CELL_STATE_HELD;
    the_daemon.running_count -= e->state == CELL_STATE_RUNNING;
    forget_output(e);
    free(e);
}

/* ---- the journal ---- */

static void journal_measure(void)
{
    struct stat st;
    if (journal_size == ~0ull) journal_size = fstat(FD_JOURNAL, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* What nobody can ask for any more need not be kept. */
static void journal_sweep(void)
{
    if (the_daemon.held_count == 0 && journal_size != ~0ull && journal_size > JOURNAL_SWEEP &&
        ftruncate(FD_JOURNAL, 0) == 0)
        journal_size = 0;
}

static bool journal_append(struct effect *e, const void *p, uint32_t n)
{
    struct iovec parts[2] = {{&n, sizeof n}, {(void *)p, n}};
    journal_measure();
    ssize_t wrote = writev(FD_JOURNAL, parts, 2);
    if (wrote != (ssize_t)(n + sizeof n)) {
        /* A torn record must not stand before later ones. */
        if (wrote > 0 && ftruncate(FD_JOURNAL, (off_t)journal_size) != 0) _exit(125);
        return false;
    }
    e->at = journal_size + sizeof n;
    e->size = n;
    journal_size += n + sizeof n;
    return true;
}

/* On a full disk: held as long as the daemon lives, and in doubt when that dies first. */
static bool keep_in_memory(struct effect *e, const void *p, uint32_t n)
{
    if (n > MESSAGES_MOST - messages_size) return false;
    e->message = grab(n);
    memcpy(e->message, p, n);
    e->size = n;
    messages_size += n;
    return true;
}

bool reply_reopen(struct reply *r, const struct effect *e)
{
    struct zap_obj root;
    if (e->message)
        memcpy(r->w.buf, e->message, e->size);
    else if (pread(FD_JOURNAL, r->w.buf, e->size, (off_t)e->at) != (ssize_t)e->size)
        return false;
    if (zap_open(&cell_reply_type, r->w.buf, e->size, &root)) return false;
    r->w.len = e->size;
    r->root = root.at;
    return true;
}

/* ---- admission ---- */

static bool digest_holds(const struct request *q)
{
    static const uint8_t zeros[VOLATILE_TO - VOLATILE_FROM];
    uint32_t from = q->o.at + VOLATILE_FROM, to = q->o.at + VOLATILE_TO;
    struct sha256 s;
    uint8_t digest[32];
    sha256_begin(&s);
    sha256_add(&s, q->bytes, from);
    sha256_add(&s, zeros, sizeof zeros);
    sha256_add(&s, q->bytes + to, q->size - to);
    sha256_end(&s, digest);
    return memcmp(digest, cell_request_digest(q->o), sizeof digest) == 0;
}

static void answer_again(const struct request *q, const struct effect *e)
{
    struct reply r;
    reply_begin(&r, CELL_REPLY_KIND_OUTCOME, q->op, q->number, q->action);
    if (!reply_reopen(&r, e)) {
        refuse(q, CELL_REFUSAL_IO, "the recorded outcome cannot be read again");
        return;
    }
    cell_reply_set_request(&r.w, r.root, q->number);
    reply_send(&r);
}

static bool is_new(const struct request *q)
{
    unsigned long long id = q->action;
    if (id == 0 || id >> 63) {
        refuse(q, CELL_REFUSAL_INVALID, "an action id lies between 1 and 2^63-1");
        return false;
    }
    if (!digest_holds(q)) {
        refuse(q, CELL_REFUSAL_DIGEST_MISMATCH, "the digest is not that of the request");
        return false;
    }
    if (id <= the_daemon.low_water) {
        refuse(q, CELL_REFUSAL_ID_SPENT, "action %llu lies at or below the low-water mark %llu", id,
               (unsigned long long)the_daemon.low_water);
        return false;
    }
    struct effect *e = effect_find(q->action);
    if (!e) return true;
    if (memcmp(e->digest, cell_request_digest(q->o), 32) != 0)
        refuse(q, CELL_REFUSAL_ID_REUSE, "action %llu was another request", id);
    else if (e->state == CELL_STATE_RUNNING)
        refuse(q, CELL_REFUSAL_RUNNING, "action %llu is running", id);
    else if (e->state == CELL_STATE_SPENT)
        refuse(q, CELL_REFUSAL_ID_SPENT, "action %llu was acknowledged", id);
    else
        answer_again(q, e);
    return false;
}

struct effect *effect_admit(const struct request *q)
{
    if (!is_new(q)) return NULL;
    journal_measure();
    journal_sweep();
    if (the_daemon.running_count >= WINDOW) {
        refuse(q, CELL_REFUSAL_BUSY, "%d requests are running", WINDOW);
        return NULL;
    }
    if (the_daemon.effect_count >= MOST_EFFECTS || journal_size > JOURNAL_MOST) {
        refuse(q, CELL_REFUSAL_BUSY, "too many outcomes are held: acknowledge them");
        return NULL;
    }
    struct effect *e = grab(sizeof *e);
    e->action = q->action;
    memcpy(e->digest, cell_request_digest(q->o), sizeof e->digest);
    e->op = q->op;
    e->state = CELL_STATE_RUNNING;
    e->number = q->number;
    e->connection = the_daemon.connection;
    e->spool[0] = e->spool[1] = -1;
    e->next = the_daemon.effects;
    the_daemon.effects = e;
    the_daemon.effect_count++;
    the_daemon.running_count++;
    return e;
}

/* Outcomes of a former connection's requests come unasked. */
static uint64_t number_now(const struct effect *e)
{
    return e->connection == the_daemon.connection ? e->number : 0;
}

void effect_refuse(struct effect *e, uint16_t code, const char *format, ...)
{
    struct text t;
    va_list args;
    va_start(args, format);
    vsnprintf(t.s, sizeof t.s, format, args);
    va_end(args);
    refuse_number(number_now(e), e->action, e->op, code, t.s);
    stage_free(e->action);
    remove_effect(e);
}

uint32_t outcome_begin(struct reply *r, const struct effect *e)
{
    reply_begin(r, CELL_REPLY_KIND_OUTCOME, e->op, 0, e->action);
    uint32_t at = cell_reply_new_outcome(&r->w, r->root);
    cell_outcome_set_op(&r->w, at, e->op);
    cell_outcome_set_digest(&r->w, at, e->digest);
    return at;
}

void outcome_end(struct reply *r, struct effect *e)
{
    uint32_t n = zap_end(&r->w);
    /* Without one an outcome could be asked for in vain: the cell is lost rather than wrong. */
    if (!n || !(journal_append(e, r->w.buf, n) || keep_in_memory(e, r->w.buf, n))) _exit(125);
    e->state = CELL_STATE_HELD;
    the_daemon.running_count--;
    the_daemon.held_count++;
    stage_free(e->action);
    cell_reply_set_request(&r->w, r->root, number_now(e));
    reply_bytes(r->w.buf, n);
    if (e->action <= the_daemon.low_water) remove_effect(e);
}

void effects_raise_mark(uint64_t low_water)
{
    if (low_water <= the_daemon.low_water) return;
    the_daemon.low_water = low_water;
    for (struct effect *e = the_daemon.effects, *next; e; e = next) {
        next = e->next;
        if (e->action <= low_water && e->state != CELL_STATE_RUNNING) remove_effect(e);
    }
    stage_raise_mark(low_water);
}

void effects_ack(uint64_t action)
{
    struct effect *e = effect_find(action);
    if (!e || e->state != CELL_STATE_HELD) return;
    e->state = CELL_STATE_SPENT;
    the_daemon.held_count--;
    forget_output(e);
    journal_sweep();
}
