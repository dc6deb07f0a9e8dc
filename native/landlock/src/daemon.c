#include "daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "change.h"
#include "launch.h"
#include "pair.h"
#include "run.h"

enum { PACKETS_A_ROUND = 16 };

struct daemon the_daemon;

static struct watch host_watch, control_watch, child_watch;
static struct timer grace;
static bool is_orphaned;
static int64_t grace_millis;
static uint8_t packet[ZAP_MAX + 1];

static void end_cell(int status) __attribute__((noreturn));

/* With a pid namespace the end of its first process is the end of all. */
static void end_cell(int status)
{
    if (!has_namespaces(the_daemon.cell)) runs_kill_everything();
    _exit(status);
}

/* ---- answers about the cell itself ---- */

static void put_effects(struct zap_out *w, uint32_t at, uint16_t state,
                        uint32_t (*new_list)(struct zap_out *, uint32_t, uint32_t),
                        void (*set)(struct zap_out *, uint32_t, uint32_t, uint64_t))
{
    uint32_t n = 0, i = 0;
    for (struct effect *e = the_daemon.effects; e; e = e->next) n += e->state == state;
    uint32_t list = new_list(w, at, n);
    for (struct effect *e = the_daemon.effects; e; e = e->next)
        if (e->state == state) set(w, list, i++, e->action);
}

void hello_send(uint64_t number)
{
    const struct cell *c = the_daemon.cell;
    struct reply r;
    reply_begin(&r, CELL_REPLY_KIND_RESULT, CELL_OP_HELLO, number, 0);
    struct zap_out *w = &r.w;
    uint32_t at = cell_reply_new_hello(w, r.root);
    cell_hello_result_set_protocol(w, at, 1);
    cell_hello_result_set_level(
        w, at, has_namespaces(c) ? CELL_LEVEL_NAMESPACES : CELL_LEVEL_LANDLOCK);
    cell_hello_result_set_landlock_abi(w, at, (uint16_t)c->abi);
    cell_hello_result_set_epoch(w, at, the_daemon.epoch);
    cell_hello_result_set_incarnation(w, at, c->spec->incarnation);
    cell_hello_result_set_low_water(w, at, the_daemon.low_water);
    cell_hello_result_set_window_requests(w, at, WINDOW);
    cell_hello_result_set_frame_bytes(w, at, ZAP_MAX);
    cell_hello_result_set_chunk_bytes(w, at, CHUNK_BYTES);
    cell_hello_result_set_kept_bytes(w, at, KEPT_BYTES);
    cell_hello_result_set_workspace(w, at, c->spec->workspace, strlen(c->spec->workspace));
    cell_hello_result_set_home(w, at, c->spec->home, strlen(c->spec->home));
    cell_hello_result_set_tmp(w, at, c->tmp, strlen(c->tmp));
    uint32_t layers = cell_hello_result_new_layers(w, at, c->layers.count);
    for (uint32_t i = 0; i < c->layers.count; i++)
        text_set_value(w, cell_hello_result_new_layers_at(w, layers, i), c->layers.item[i],
                       strlen(c->layers.item[i]));
    put_effects(w, at, CELL_STATE_RUNNING, cell_hello_result_new_running,
                cell_hello_result_set_running_at);
    put_effects(w, at, CELL_STATE_HELD, cell_hello_result_new_held, cell_hello_result_set_held_at);
    reply_send(&r);
}

static void do_hello(const struct request *q)
{
    if (cell_hello_protocol(cell_request_hello(q->o)) == 1)
        hello_send(q->number);
    else
        refuse(q, CELL_REFUSAL_VERSION, "this cell speaks protocol 1");
}

/* A held outcome comes along: the recorded message, with the status put to it. */
static void do_status(const struct request *q)
{
    struct effect *e = effect_find(q->action);
    uint16_t state = e                                   ? e->state
                     : q->action <= the_daemon.low_water ? CELL_STATE_SPENT
                                                         : CELL_STATE_UNKNOWN;
    struct reply r;
    reply_begin(&r, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    if (state == CELL_STATE_HELD && !reply_reopen(&r, e)) {
        refuse(q, CELL_REFUSAL_IO, "the recorded outcome cannot be read again");
        return;
    }
    cell_reply_set_kind(&r.w, r.root, CELL_REPLY_KIND_RESULT);
    cell_reply_set_op(&r.w, r.root, q->op);
    cell_reply_set_request(&r.w, r.root, q->number);
    uint32_t at = cell_reply_new_status(&r.w, r.root);
    cell_status_result_set_state(&r.w, at, state);
    if (e) cell_status_result_set_digest(&r.w, at, e->digest);
    reply_send(&r);
}

static void do_ack(const struct request *q)
{
    struct zap_list l = cell_ack_actions(cell_request_ack(q->o));
    effects_ack(q->action);
    for (uint32_t i = 0; i < l.count; i++) effects_ack(cell_ack_actions_at(l, i));
    struct reply r;
    reply_begin(&r, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    reply_send(&r);
}

/* ---- requests ---- */

static void perform(const struct request *q)
{
    switch (q->op) {
    case CELL_OP_HELLO: do_hello(q); return;
    case CELL_OP_EXEC: do_exec(q); return;
    case CELL_OP_READ: do_read(q); return;
    case CELL_OP_WRITE: do_write(q); return;
    case CELL_OP_STAT: do_stat(q); return;
    case CELL_OP_LIST: do_list(q); return;
    case CELL_OP_STAGE: do_stage(q); return;
    case CELL_OP_APPLY: do_apply(q); return;
    case CELL_OP_REMOVE: do_remove(q); return;
    case CELL_OP_RENAME: do_rename(q); return;
    case CELL_OP_MKDIR: do_mkdir(q); return;
    case CELL_OP_OUTPUT: do_output(q); return;
    case CELL_OP_STATUS: do_status(q); return;
    case CELL_OP_ACK: do_ack(q); return;
    case CELL_OP_CANCEL: do_cancel(q); return;
    case CELL_OP_SPAWN: do_spawn(q); return;
    case CELL_OP_INPUT: do_input(q); return;
    case CELL_OP_RESIZE: do_resize(q); return;
    case CELL_OP_KILL: do_kill(q); return;
    case CELL_OP_CREDIT: do_credit(q); return;
    case CELL_OP_WATCH: do_watch(q); return;
    case CELL_OP_SEARCH: do_search(q); return;
    default: refuse(q, CELL_REFUSAL_UNKNOWN_OP, "there is no request %u", q->op);
    }
}

/* Number and op of a message that is not to be trusted further. */
static void recover(struct request *q, size_t n)
{
    struct zap_obj head = {packet, 0};
    q->number = q->action = 0;
    q->op = 0;
    if (n < ZAP_HEADER) return;
    uint32_t root = zap_get32(head, 8);
    if (root < ZAP_HEADER || n < 24 || root > n - 24 || root > ZAP_MAX - 24) return;
    struct zap_obj o = {packet, root};
    q->op = cell_request_kind(o);
    q->action = cell_request_action(o);
    q->number = cell_request_request(o);
}

static void on_request(size_t n)
{
    struct request q = {.bytes = packet, .size = (uint32_t)n};
    if (n > ZAP_MAX) {
        recover(&q, sizeof packet);
        refuse(&q, CELL_REFUSAL_TOO_LARGE, "a message of %zu bytes: at most %d are taken", n, ZAP_MAX);
        return;
    }
    const char *wrong = zap_open(&cell_request_type, packet, n, &q.o);
    if (wrong) {
        recover(&q, n);
        refuse(&q, CELL_REFUSAL_MALFORMED, "the request cannot be read: %s", wrong);
        return;
    }
    q.op = cell_request_kind(q.o);
    q.action = cell_request_action(q.o);
    q.number = cell_request_request(q.o);
    uint64_t epoch = cell_request_epoch(q.o);
    if (epoch != the_daemon.epoch) {
        refuse(&q, CELL_REFUSAL_STALE_EPOCH, "the cell is held under lease epoch %llu, not %llu",
               (unsigned long long)the_daemon.epoch, (unsigned long long)epoch);
        return;
    }
    effects_raise_mark(cell_request_low_water(q.o));
    perform(&q);
}

/* Answers false at the end of the connection. */
static bool take_one(void)
{
    ssize_t n = recv(FD_HOST, packet, sizeof packet, MSG_DONTWAIT | MSG_TRUNC);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    if (n == 0) return false;
    on_request((size_t)n);
    return true;
}

/* What is there for one connection alone. */
static void end_connection(void)
{
    wire_reset();
    observe_reset();
    search_reset();
}

static void on_host(struct watch *w, uint32_t events)
{
    if (wire_is_clogged()) {
        watch_change(w, EPOLLOUT);
        return;
    }
    watch_change(w, EPOLLIN);
    push_all();
    observe_push();
    if (!(events & (EPOLLIN | EPOLLHUP))) return;
    if (take_one()) return;
    /* Fenced: the descriptor's successor comes over the control pair. */
    watch_stop(w);
    end_connection();
}

static void on_grace(struct timer *t)
{
    (void)t;
    end_cell(0);
}

/* An answer may have clogged it since. */
static void each_round(void)
{
    if (host_watch.active) watch_change(&host_watch, wire_is_clogged() ? EPOLLOUT : EPOLLIN);
    ready_each_round();
    bool may_end = is_orphaned && !runs_any();
    if (!may_end)
        timer_stop(&grace);
    else if (!grace.active)
        timer_start(&grace, grace_millis, on_grace, NULL);
}

/* ---- orders of the supervisor ---- */

/* What was sent before the fence was sent by one who held the lease then: it runs. */
static void drain_host(void)
{
    for (int i = 0; i < 100000; i++) {
        ssize_t n = recv(FD_HOST, packet, sizeof packet, MSG_DONTWAIT | MSG_TRUNC);
        if (n <= 0) return;
        on_request((size_t)n);
    }
}

static void adopt(uint64_t epoch, int fd)
{
    if (host_watch.active) {
        drain_host();
        watch_stop(&host_watch);
    }
    end_connection();
    if (dup3(fd, FD_HOST, O_CLOEXEC) < 0) end_cell(125);
    close(fd);
    proxy_close(); /* it was the former host's */
    the_daemon.epoch = epoch;
    the_daemon.connection++;
    push_reset();
    is_orphaned = false;
    wire_open();
    watch_start(&host_watch, FD_HOST, EPOLLIN, on_host, NULL);
    hello_send(0);
}

static int reserve = -1;

static void on_control(struct watch *w, uint32_t events)
{
    (void)w;
    (void)events;
    struct control order;
    int fd;
    /* Kept for this moment: at the limit of descriptors the new end would be lost. */
    close_fd(&reserve);
    ssize_t n = packet_receive(FD_CONTROL, &order, sizeof order, &fd);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) n = -2;
    if (n == 0 || n == -1) end_cell(0);
    if (n == (ssize_t)sizeof order) {
        if (order.kind == CONTROL_ADOPT && fd >= 0) {
            adopt(order.value, fd);
            fd = -1;
        } else if (order.kind == CONTROL_NETWORK && fd >= 0) {
            proxy_open(fd);
            fd = -1;
        } else if (order.kind == CONTROL_ORPHANED) {
            is_orphaned = true;
            grace_millis = (int64_t)order.value;
        } else if (order.kind == CONTROL_KILL) {
            end_cell(0);
        }
    }
    close_fd(&fd);
    reserve = fcntl(FD_CONTROL, F_DUPFD_CLOEXEC, FD_FIRST_FREE);
}

static void on_child(struct watch *w, uint32_t events)
{
    (void)events;
    struct signalfd_siginfo info;
    while (read(w->fd, &info, sizeof info) == (ssize_t)sizeof info) continue;
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
        if (!search_child_gone(pid, status)) run_child_gone(pid);
}

void daemon_prepare(struct cell *c)
{
    static const int signals[] = {SIGCHLD};
    the_daemon.cell = c;
    loop_init();
    refusals_watch();
    reserve = fcntl(FD_CONTROL, F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    watch_start(&control_watch, FD_CONTROL, EPOLLIN, on_control, NULL);
    watch_start(&child_watch, signals_open(signals, 1), EPOLLIN, on_child, NULL);
    watch_start(&host_watch, FD_HOST, EPOLLIN, on_host, NULL);
    wire_open();
}

void daemon_run(struct cell *c)
{
    the_daemon.epoch = c->spec->epoch;
    runs_init();
    change_sweep();
    hello_send(0);
    close(FD_STATUS); /* it stands */
    loop_run(each_round);
    end_cell(0);
}
