/* A command that runs: its minder, its streams, its end. */
#ifndef RUN_H
#define RUN_H

#include <sys/resource.h>

#include "daemon.h"
#include "tree.h"

/* What a command prints on one of its streams: the first and the last bytes in memory, all of it
 * (to a bound) in an unnamed file once the first are full. */
struct stream {
    struct watch watch;
    struct run *run;
    uint64_t total, kept;
    uint8_t *head, *tail; /* EDGE_BYTES each, when needed */
    uint32_t head_bytes, tail_bytes, tail_at;
    int file;
    bool is_keeping;
    uint64_t pushed; /* told so far, by pushes */
    uint32_t credit; /* how much more of it may be pushed now */
    bool is_heard;   /* somebody follows it: what a spawn prints waits for them, as at a terminal */
    bool is_paused;  /* not read on for now */
};

void stream_open(struct stream *s, int fd, struct run *r);
void stream_drain(struct stream *s); /* what is there now */
void stream_close(struct stream *s);
bool stream_is_open(const struct stream *s);
void stream_go_on(struct stream *s); /* after pushes: reads on when it was paused */
void stream_free(struct stream *s);
/* What is kept at that offset; answers how many bytes, 0 when none. `kept` is the end of it. */
uint32_t stream_read(const struct stream *s, uint64_t offset, uint8_t *to, uint32_t cap);
uint64_t stream_kept(const struct stream *s);
uint32_t stream_put(const struct stream *s, struct zap_out *w, uint32_t at);

/* From a command's minder, or before it runs from itself. */
struct report {
    enum { REPORT_FAILED = 1, REPORT_ENDED = 2, REPORT_STARTED = 3 } kind;
    int32_t value; /* failed: errno; ended: wait status; started: pid */
    bool is_alone; /* ended: it has left nothing behind */
    uint64_t cpu_millis;
};

/* All that the child needs. */
struct command {
    char **argv, **env;
    char **script; /* argv of the shell, if it turns out to be a script without #!; of those that go */
    int dir, in;
    bool is_pty; /* `in` is a terminal, and both outputs are the same */
};

/* ready.c: a command that does not know yet what it is: its process is confined, has its pipes and
 * waits. Its minder is parent to it and, as its subreaper, to whatever it leaves behind, and ends when
 * nothing of it is left. One is kept between commands. */
struct ready {
    pid_t minder;
    int go;               /* tells it; closed: it ends */
    int out, err, report; /* ours */
    struct room *room;
};

bool ready_take(struct ready *r);                    /* or errno */
bool ready_go(struct ready *r, struct command *c);   /* takes over argv and env, or errno; closes `go` */
void ready_close(struct ready *r);
void ready_soon(void);                               /* there may be another command */
void ready_each_round(void);
void ready_child_gone(pid_t pid);                    /* any of the daemon's */

enum phase { PHASE_RUNNING, PHASE_DRAINING, PHASE_KILLING };

struct run {
    struct effect *effect; /* NULL: its outcome is told */
    uint64_t action;
    struct run *next;
    enum phase phase;
    pid_t minder;          /* 0: gone, and with it all of the command */
    pid_t command;         /* 0: not known to run */
    int input;             /* a pipe, or the pty; -1: none, or closed */
    uint64_t input_bytes;  /* accepted so far */
    bool is_spawn, is_pty;
    struct watch report;
    struct stream out, err;
    struct timer timer;    /* the deadline; then the drain; then rounds of killing */
    int64_t started_millis, kill_millis;
    bool has_ended, is_alone, keep_running, is_told;
    uint16_t ending;
    int32_t failure, status;
    uint64_t cpu_millis;
    uint32_t left;
    struct {
        const char *name;
        uint32_t count;
    } refusals[16]; /* calls that seccomp refused it */
    uint32_t refusal_kinds;
};

void run_child_gone(pid_t pid);
struct run *run_find(uint64_t action); /* the one that runs under that id, or NULL */

/* How a spawn differs from an exec; all zero for an exec. */
struct terminal {
    bool is_spawn, is_pty;
    uint16_t cols, rows;
    uint32_t credit;
    int ends[2]; /* ours, and the command's */
};
void run_begin(const struct request *q, struct zap_obj exec, struct terminal *t);

/* push.c */
void push_all(void);          /* what has credit, as far as the socket takes it */
void push_run(struct run *r);
void push_reset(void);        /* a new connection: no credit */
struct run *run_first(void);

/* refusals.c */
void refusals_watch(void);

/* exec.c: the wait status and cpu time come as reports. */
void run_streams_changed(struct run *r);

/* args.c */
bool command_build(const struct request *q, struct zap_obj exec, struct terminal *t,
                   struct command *c, uint16_t *code, struct text *why);

/* terminal.c */
bool pty_open(struct terminal *t);
void command_free(struct command *c);

#endif
