/* The cells of this machine user: their lives from spawn to forget. Nothing that a cell says is
 * read here: its control channel is only written to, its pair only kept. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"
#include "pair.h"
#include "supervise.h"

enum {
    LAUNCH_MILLIS = 20000,
    KILL_MILLIS = 1500,          /* for a daemon without a pid namespace to end its tree */
    LONGEST_COMMAND_MILLIS = 3600000 + 60000,
};

static struct cell_entry *find(struct zap_run session)
{
    for (struct cell_entry *e = supervisor.cells; e; e = e->next)
        if (strlen(e->spec.session) == session.len &&
            memcmp(e->spec.session, session.at, session.len) == 0)
            return e;
    return NULL;
}

uint32_t cells_living(void)
{
    uint32_t n = 0;
    for (struct cell_entry *e = supervisor.cells; e; e = e->next)
        n += e->life == CELL_LIFE_RUNNING;
    return n;
}

static void stop_watch(struct watch *w)
{
    if (!w->active) return;
    watch_stop(w);
    close(w->fd);
}

static void remove_entry(struct cell_entry *e)
{
    for (struct cell_entry **p = &supervisor.cells; *p; p = &(*p)->next)
        if (*p == e) {
            *p = e->next;
            break;
        }
    stop_watch(&e->pid_watch);
    stop_watch(&e->status_watch);
    stop_watch(&e->control_watch);
    close_fd(&e->host_end);
    timer_stop(&e->deadline);
    spec_free(&e->spec);
    free(e);
}

static void kill_now(struct cell_entry *e)
{
    if (e->pid_watch.active) sys_pidfd_kill(e->pid_watch.fd, SIGKILL);
}

static void on_deadline(struct timer *t) { kill_now(t->owner); }

/* With a pid namespace the death of its first process is the death of all, and its wait returns
 * when all are gone. Without, the daemon must end its tree; then it is killed as well. */
static void begin_kill(struct cell_entry *e)
{
    if (supervisor.machine.variant != WITHOUT_NAMESPACES || !e->control_watch.active) {
        kill_now(e);
        return;
    }
    struct control order = {CONTROL_KILL, 0, 0};
    if (packet_send(e->control_watch.fd, &order, sizeof order, -1) != 0) kill_now(e);
    timer_start(&e->deadline, KILL_MILLIS, on_deadline, e);
}

/* ---- the end of a cell ---- */

static void answer_waiting(struct cell_entry *e)
{
    if (e->is_spawning && e->waiting)
        reply_refused(e->waiting, e->waiting_request, SUPERVISOR_REFUSAL_LAUNCH,
                      *e->launch_failure.s ? e->launch_failure.s
                                           : "the cell's first process died while it was built");
    if (e->is_killing && e->waiting) reply_done(e->waiting, e->waiting_request);
    e->waiting = NULL;
}

static void settle_exit(struct cell_entry *e, const siginfo_t *info)
{
    bool by_signal = info->si_code != CLD_EXITED;
    e->exit = by_signal ? -1 : info->si_status;
    e->signal = by_signal ? info->si_status : 0;
    if (e->reason) return;
    e->reason = CELL_EXIT_REASON_ENDED;
    if (e->exit == 125) e->reason = CELL_EXIT_REASON_FAILED;
    if (e->exit == 0 && !e->host) e->reason = CELL_EXIT_REASON_ORPHANED;
}

/* Nothing is left of those that have ended. */
static void tell_ended(void)
{
    for (struct cell_entry *e = supervisor.cells, *next; e; e = next) {
        next = e->next;
        if (!e->is_ended || e->life != CELL_LIFE_RUNNING) continue;
        e->life = CELL_LIFE_EXITED;
        bool never_stood = e->is_spawning;
        answer_waiting(e);
        if (never_stood)
            remove_entry(e);
        else
            tell_exit(e);
    }
}

static bool start(struct cell_entry *e, bool may_be_warm, struct text *why);

/* What was built ahead may not fit by now: that costs time, and is no refusal. */
static bool start_again(struct cell_entry *e)
{
    struct text why;
    if (!e->is_warm || !e->is_spawning || e->is_killing || supervisor.wants_end) return false;
    *e->launch_failure.s = 0;
    if (start(e, false, &why)) return true;
    e->launch_failure = why;
    return false;
}

static void on_exit_of_cell(struct watch *w, uint32_t events)
{
    (void)events;
    struct cell_entry *e = w->owner;
    siginfo_t info;
    memset(&info, 0, sizeof info);
    if (waitid(P_PIDFD, (id_t)w->fd, &info, WEXITED | WNOHANG) != 0 || info.si_pid == 0) return;
    if (e->status_watch.active) {
        ssize_t n = read(e->status_watch.fd, e->launch_failure.s, sizeof e->launch_failure.s - 1);
        if (n > 0) e->launch_failure.s[n] = 0;
    }
    stop_watch(&e->pid_watch);
    stop_watch(&e->status_watch);
    stop_watch(&e->control_watch);
    close_fd(&e->host_end);
    timer_stop(&e->deadline);
    if (start_again(e)) return;
    settle_exit(e, &info);
    e->is_ended = true;
    if (supervisor.machine.variant == WITHOUT_NAMESPACES)
        strays_begin(tell_ended);
    else
        tell_ended();
}

/* ---- spawn ---- */

static void on_status(struct watch *w, uint32_t events)
{
    (void)events;
    struct cell_entry *e = w->owner;
    ssize_t n = read(w->fd, e->launch_failure.s, sizeof e->launch_failure.s - 1);
    if (n < 0) return;
    e->launch_failure.s[n] = 0;
    if (n > 0) return; /* it gives up; its exit follows */
    stop_watch(w);
    if (*e->launch_failure.s) return;
    timer_stop(&e->deadline);
    e->is_spawning = false;
    if (e->waiting)
        reply_cell(e->waiting, e->waiting_request, SUPERVISOR_REPLY_KIND_SPAWNED, e, e->host_end);
    e->waiting = NULL;
}

/* The control channel ends with the daemon; its exit is told by the pidfd. */
static void on_control(struct watch *w, uint32_t events)
{
    (void)events;
    stop_watch(w);
}

static bool fresh(const struct spec *s, int journal, int spool, struct launched *to, struct text *why)
{
    struct launch l = {s,     s->uid, s->gid,  s->spool, supervisor.machine.variant, supervisor.machine.abi,
                       false, journal, spool};
    return launch_start(&l, to, why);
}

static bool start(struct cell_entry *e, bool may_be_warm, struct text *why)
{
    int spool = -1, journal = -1;
    struct launched l;
    if (may_be_warm) warm_alert();
    bool ok = launch_prepare(&e->spec, &spool, &journal, why);
    e->is_warm = ok && may_be_warm && warm_take(&e->spec, &l);
    if (e->is_warm && !launch_give(&l, &e->spec, journal, spool)) {
        sys_pidfd_kill(l.pidfd, SIGKILL);
        waitid(P_PIDFD, (id_t)l.pidfd, &(siginfo_t){0}, WEXITED);
        launched_close(&l);
        e->is_warm = false;
    }
    if (ok && !e->is_warm) ok = fresh(&e->spec, journal, spool, &l, why);
    close_fd(&spool);
    close_fd(&journal);
    if (!ok) return false;
    e->pid = l.pid;
    e->host_end = l.host;
    watch_start(&e->pid_watch, l.pidfd, EPOLLIN, on_exit_of_cell, e);
    watch_start(&e->status_watch, l.status, EPOLLIN, on_status, e);
    watch_start(&e->control_watch, l.control, EPOLLRDHUP, on_control, e);
    timer_start(&e->deadline, LAUNCH_MILLIS, on_deadline, e);
    return true;
}

static bool may_spawn(struct host *h, uint64_t request, struct zap_obj spec)
{
    struct cell_entry *old = find(cell_spec_session(spec));
    if (old && old->life == CELL_LIFE_RUNNING) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_EXISTS,
                      "this session has a living cell: adopt or kill it");
        return false;
    }
    if (old) remove_entry(old);
    if (cells_living() >= MOST_CELLS) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_BUSY, "256 cells are alive on this machine");
        return false;
    }
    uint16_t required = cell_spec_required(spec);
    if (required == 0 || required < CELL_LEVEL_LANDLOCK) required = CELL_LEVEL_LANDLOCK;
    if (supervisor.machine.level >= required) return true;
    struct text why;
    say(&why, "this machine cannot confine a cell as required: %s",
        supervisor.machine.missing.count ? supervisor.machine.missing.item[0] : "unknown level");
    reply_refused(h, request, SUPERVISOR_REFUSAL_LEVEL, why.s);
    return false;
}

void cells_spawn(struct host *h, uint64_t request, struct zap_obj spec)
{
    struct text why = {""};
    if (!may_spawn(h, request, spec)) return;
    struct cell_entry *e = grab(sizeof *e);
    e->host_end = -1;
    bool is_read = spec_read(spec, &e->spec, &why);
    if (!is_read || !start(e, true, &why)) {
        reply_refused(h, request,
                      is_read ? SUPERVISOR_REFUSAL_LAUNCH : SUPERVISOR_REFUSAL_INVALID, why.s);
        spec_free(&e->spec);
        free(e);
        return;
    }
    e->life = CELL_LIFE_RUNNING;
    e->level = (uint16_t)supervisor.machine.level;
    e->started_millis = wall_millis();
    e->host = h;
    e->waiting = h;
    e->waiting_request = request;
    e->is_spawning = true;
    e->next = supervisor.cells;
    supervisor.cells = e;
    warm_review();
}

/* ---- hand-over ---- */

static struct cell_entry *living(struct host *h, uint64_t request, struct zap_run session,
                                 uint64_t epoch)
{
    struct cell_entry *e = find(session);
    struct text why;
    if (!e) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_NOT_FOUND, "this session has no cell");
        return NULL;
    }
    if (epoch && epoch < e->spec.epoch) {
        say(&why, "the cell is held under lease epoch %llu", (unsigned long long)e->spec.epoch);
        reply_refused(h, request, SUPERVISOR_REFUSAL_STALE_EPOCH, why.s);
        return NULL;
    }
    if (e->life != CELL_LIFE_RUNNING) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_ENDED, "the cell has ended");
        return NULL;
    }
    return e;
}

void cells_adopt(struct host *h, uint64_t request, struct zap_obj adopt)
{
    uint64_t epoch = adopt_cell_epoch(adopt);
    struct cell_entry *e = living(h, request, adopt_cell_session(adopt), epoch ? epoch : 1);
    if (!e) return;
    if (e->is_spawning || e->is_killing || !e->control_watch.active) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_BUSY, "the cell is being built or killed");
        return;
    }
    int pair[2];
    struct control order = {CONTROL_ADOPT, 0, epoch};
    pair_fence(&e->host_end);
    if (!pair_make(pair)) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_BUSY, "no descriptor is free: try again");
        return;
    }
    int error = packet_send(e->control_watch.fd, &order, sizeof order, pair[1]);
    close(pair[1]);
    if (error) {
        close(pair[0]);
        reply_refused(h, request, SUPERVISOR_REFUSAL_BUSY, "the cell takes no orders now: try again");
        return;
    }
    e->host_end = pair[0];
    e->spec.epoch = epoch;
    e->host = h;
    timer_stop(&e->deadline);
    reply_cell(h, request, SUPERVISOR_REPLY_KIND_ADOPTED, e, e->host_end);
}

/* No copy of it is kept: it ends with the host. */
void cells_network(struct host *h, uint64_t request, struct zap_obj network)
{
    uint64_t epoch = open_network_epoch(network);
    struct cell_entry *e = living(h, request, open_network_session(network), epoch ? epoch : 1);
    if (!e) return;
    if (epoch != e->spec.epoch) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_STALE_EPOCH, "adopt the cell first");
        return;
    }
    if (supervisor.machine.variant == WITHOUT_NAMESPACES) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_LEVEL,
                      "without a network namespace a cell has no network");
        return;
    }
    int pair[2];
    struct control order = {CONTROL_NETWORK, 0, 0};
    if (e->is_spawning || e->is_killing || !e->control_watch.active || !pair_make(pair)) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_BUSY, "the cell takes no orders now: try again");
        return;
    }
    if (packet_send(e->control_watch.fd, &order, sizeof order, pair[1]) == 0)
        reply_cell(h, request, SUPERVISOR_REPLY_KIND_NETWORK, e, pair[0]);
    else
        reply_refused(h, request, SUPERVISOR_REFUSAL_BUSY, "the cell takes no orders now: try again");
    close(pair[0]);
    close(pair[1]);
}

/* ---- kill, forget, orphans ---- */

void cells_kill(struct host *h, uint64_t request, struct zap_obj kill)
{
    struct cell_entry *e = living(h, request, kill_cell_session(kill), kill_cell_epoch(kill));
    if (!e) return;
    if (e->is_killing || e->waiting) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_BUSY, "the cell is being built or killed");
        return;
    }
    e->is_killing = true;
    e->reason = CELL_EXIT_REASON_KILLED;
    e->waiting = h;
    e->waiting_request = request;
    begin_kill(e);
}

void cells_forget(struct host *h, uint64_t request, struct zap_obj forget)
{
    struct cell_entry *e = find(forget_cell_session(forget));
    if (e && e->life == CELL_LIFE_RUNNING) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_BUSY, "the cell is alive: kill it first");
        return;
    }
    if (e) remove_entry(e);
    reply_done(h, request);
}

/* The daemon counts the grace itself, from the end of its last command; this is for one that does
 * not. */
void cells_host_gone(struct host *h)
{
    for (struct cell_entry *e = supervisor.cells; e; e = e->next) {
        if (e->waiting == h) e->waiting = NULL;
        if (e->host != h) continue;
        e->host = NULL;
        if (e->life != CELL_LIFE_RUNNING || !e->control_watch.active) continue;
        struct control order = {CONTROL_ORPHANED, 0, e->spec.grace_millis};
        packet_send(e->control_watch.fd, &order, sizeof order, -1);
        if (!e->is_spawning && !e->is_killing)
            timer_start(&e->deadline, (int64_t)e->spec.grace_millis + LONGEST_COMMAND_MILLIS,
                        on_deadline, e);
    }
}

void cells_kill_all(void)
{
    warm_end();
    for (struct cell_entry *e = supervisor.cells; e; e = e->next) {
        if (e->life != CELL_LIFE_RUNNING) continue;
        if (!e->reason) e->reason = CELL_EXIT_REASON_KILLED;
        begin_kill(e);
    }
}
