/* The supervisor: one for each user of a machine, outlives every host. One thread. */
#ifndef SUPERVISE_H
#define SUPERVISE_H

#include "dev_zap.h"
#include "launch.h"
#include "loop.h"
#include "probe.h"

enum { MOST_CELLS = 256, MOST_HOSTS = 64, MOST_WARM = 8 };

/* A connected host. */
struct host {
    struct watch watch;
    struct host *next;
    uint32_t warm; /* cells that it wants to be kept ready */
};

struct cell_entry {
    struct spec spec;
    struct cell_entry *next;
    uint16_t life, reason; /* CELL_LIFE_*, CELL_EXIT_REASON_* */
    uint16_t level;
    pid_t pid;
    int host_end;              /* our copy of the host's end: the daemon's peer does not vanish */
    int32_t exit, signal;
    int64_t started_millis;
    struct host *host;         /* who spawned or last adopted it, while it is connected */
    struct watch pid_watch, status_watch, control_watch;
    struct timer deadline;     /* launching, dying, or orphaned beyond all measure */
    struct host *waiting;      /* of a spawn or kill that is not yet answered */
    uint64_t waiting_request;
    bool is_spawning, is_killing, is_ended; /* ended: its exit is told when nothing is left of it */
    bool is_warm;                           /* it was kept ready */
    struct text launch_failure;
};

struct supervisor {
    struct machine machine;
    struct host *hosts;
    struct cell_entry *cells;
    const char *dir;
    int64_t started_millis;
    int listener;
    bool wants_end;
};

extern struct supervisor supervisor;

int supervise_main(int argc, char **argv);

/* hosts.c */
void hosts_accept(struct watch *w, uint32_t events);
void reply_refused(struct host *h, uint64_t request, uint16_t code, const char *message);
void reply_done(struct host *h, uint64_t request);
void reply_cell(struct host *h, uint64_t request, uint16_t kind, const struct cell_entry *e, int fd);
void tell_exit(const struct cell_entry *e);

/* cells.c */
void cells_spawn(struct host *h, uint64_t request, struct zap_obj spec);
void cells_adopt(struct host *h, uint64_t request, struct zap_obj adopt);
void cells_network(struct host *h, uint64_t request, struct zap_obj network);
void cells_kill(struct host *h, uint64_t request, struct zap_obj kill);
void cells_forget(struct host *h, uint64_t request, struct zap_obj forget);
void cells_host_gone(struct host *h);
void cells_kill_all(void);
uint32_t cells_living(void);

/* warm.c: cells that are built as far as they can be without a spec. */
void warm_alert(void); /* one is about to be taken */
bool warm_take(const struct spec *s, struct launched *to);
void warm_review(void); /* after each change of what is wanted */
void warm_end(void);
uint32_t warm_ready(void);

/* strays.c: what a dead cell without a pid namespace left behind comes to the supervisor. */
void strays_begin(void (*when_gone)(void));
void strays_reap(void);

#endif
