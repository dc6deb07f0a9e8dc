/* The daemon: first process of its cell, one thread, answers the host. */
#ifndef DAEMON_H
#define DAEMON_H

#include "cell.h"
#include "dev_zap.h"
#include "loop.h"

enum {
    CHUNK_BYTES = 98304,
    KEPT_BYTES = 64 << 20,
    WINDOW = 64,
    MOST_EFFECTS = 4096,
    EDGE_BYTES = 24576, /* of a stream's head, and of its tail */
};

/* A request as it came; `o` is valid until the next packet. */
struct request {
    struct zap_obj o;
    uint16_t op;
    uint64_t action, number;
    const uint8_t *bytes;
    uint32_t size;
};

/* What one effect is to the host: running, then held until acknowledged. */
struct effect {
    uint64_t action;
    uint8_t digest[32];
    uint16_t op;
    uint16_t state;       /* CELL_STATE_RUNNING, _HELD, _SPENT */
    uint64_t number;      /* of its request, on connection `connection` */
    uint64_t connection;
    uint64_t at;          /* in the journal, of the message */
    uint32_t size;
    uint8_t *message;     /* it, where the journal had no room for it */
    int spool[2];         /* what it printed, kept beyond the reply; -1 */
    uint64_t total[2], kept[2];
    struct run *run;      /* while it runs */
    struct effect *next;
};

struct daemon {
    struct cell *cell;
    uint64_t epoch;
    uint64_t connection;  /* counts adoptions */
    uint64_t low_water;
    struct effect *effects;
    uint32_t effect_count, held_count, running_count;
};

extern struct daemon the_daemon;

/* ---- wire.c: answers ---- */

/* The buffer in which every answer is built; one at a time. */
struct reply {
    struct zap_out w;
    uint32_t root;
};
void reply_begin(struct reply *r, uint16_t kind, uint16_t op, uint64_t request, uint64_t action);
void reply_send(struct reply *r);
void reply_bytes(const void *p, uint32_t n); /* a whole message */
bool wire_is_clogged(void);
void wire_reset(void); /* a new connection */
void wire_open(void);
void refuse(const struct request *q, uint16_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void refuse_number(uint64_t number, uint64_t action, uint16_t op, uint16_t code, const char *message);

/* ---- effects.c: at most once ---- */

struct effect *effect_find(uint64_t action);
/* The effect to perform now, or NULL when the request is answered already. */
struct effect *effect_admit(const struct request *q);
void effect_refuse(struct effect *e, uint16_t code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Begins the outcome's message; `e` of it is op and digest. */
uint32_t outcome_begin(struct reply *r, const struct effect *e);
void outcome_end(struct reply *r, struct effect *e); /* records, then sends */
void effects_raise_mark(uint64_t low_water);
void effects_ack(uint64_t action);
/* The recorded message of a held effect, to be sent again or added to. */
bool reply_reopen(struct reply *r, const struct effect *e);

/* ---- what requests do ---- */

void hello_send(uint64_t number);
void do_exec(const struct request *q);
void do_cancel(const struct request *q);
void do_spawn(const struct request *q);
void do_input(const struct request *q);
void do_resize(const struct request *q);
void do_kill(const struct request *q);
void do_credit(const struct request *q);
void do_output(const struct request *q);
void do_read(const struct request *q);
void do_stat(const struct request *q);
void do_list(const struct request *q);
void do_stage(const struct request *q);
void do_write(const struct request *q);
void do_apply(const struct request *q);
void do_remove(const struct request *q);
void do_rename(const struct request *q);
void do_mkdir(const struct request *q);
void do_watch(const struct request *q);
void do_search(const struct request *q);

/* observe.c: of watches; their handles lie above every action's id */
static inline bool is_handle(uint64_t action) { return action >> 63; }
void observe_close(const struct request *q);
void observe_credit(const struct request *q);
void observe_push(void);  /* what waited for the socket */
void observe_reset(void); /* they end with their connection */

/* search.c */
bool search_child_gone(pid_t pid, int status); /* whether it was a searcher */
void search_reset(void);

void runs_init(void);         /* prepares what every command will need */
bool runs_any(void);          /* commands in flight */
void runs_kill_everything(void); /* before the daemon ends, without a pid namespace */

/* ---- proxy.c: the way out, as far as the host gives one ---- */

void proxy_open(int fd); /* takes over the cell's end of a network pair */
void proxy_close(void);

/* ---- stage.c ---- */

/* The complete staged bytes of that digest and size, or -1; stays the stage's. */
int stage_find(const uint8_t digest[32], uint64_t size);
void stage_free(uint64_t action); /* what was staged for it */
void stage_raise_mark(uint64_t low_water);

int spool_open(void); /* an unnamed file there, or -1 */

/* The refusal that an errno of a file operation means, with words for it. */
uint16_t refusal_of(int error);
const char *words_of(int error);

#endif
