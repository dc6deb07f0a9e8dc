/* What hosts ask of the supervisor, and what it answers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pair.h"
#include "supervise.h"

static uint8_t in[ZAP_MAX + 1], out[ZAP_MAX];

static void drop(struct host *h)
{
    for (struct host **p = &supervisor.hosts; *p; p = &(*p)->next)
        if (*p == h) {
            *p = h->next;
            break;
        }
    watch_stop(&h->watch);
    close(h->watch.fd);
    cells_host_gone(h);
    free(h);
    warm_review();
}

/* A host that does not read what it is told is cut off at the socket's own bound. Not dropped here:
 * callers still hold it; its watch then tells. */
static void send_to(struct host *h, struct zap_out *w, int fd)
{
    uint32_t n = zap_end(w);
    if (!n || packet_send(h->watch.fd, w->buf, n, fd) != 0) shutdown(h->watch.fd, SHUT_RDWR);
}

static uint32_t begin(struct zap_out *w, uint64_t request, uint16_t kind)
{
    uint32_t root = zap_begin(w, out, sizeof out, supervisor_reply_type.size);
    supervisor_reply_set_kind(w, root, kind);
    supervisor_reply_set_request(w, root, request);
    return root;
}

void reply_refused(struct host *h, uint64_t request, uint16_t code, const char *message)
{
    struct zap_out w;
    uint32_t root = begin(&w, request, SUPERVISOR_REPLY_KIND_REFUSED);
    uint32_t at = supervisor_reply_new_refused(&w, root);
    supervisor_refused_set_code(&w, at, code);
    supervisor_refused_set_message(&w, at, message, strlen(message));
    send_to(h, &w, -1);
}

void reply_done(struct host *h, uint64_t request)
{
    struct zap_out w;
    begin(&w, request, SUPERVISOR_REPLY_KIND_DONE);
    send_to(h, &w, -1);
}

static void put_cell(struct zap_out *w, uint32_t at, const struct cell_entry *e)
{
    cell_info_set_session(w, at, e->spec.session, strlen(e->spec.session));
    cell_info_set_epoch(w, at, e->spec.epoch);
    cell_info_set_incarnation(w, at, e->spec.incarnation);
    cell_info_set_life(w, at, e->life);
    cell_info_set_reason(w, at, e->reason);
    cell_info_set_exit(w, at, e->exit);
    cell_info_set_signal(w, at, e->signal);
    cell_info_set_pid(w, at, (uint32_t)e->pid);
    cell_info_set_level(w, at, e->level);
    cell_info_set_hosted(w, at, e->host != NULL);
    cell_info_set_warm(w, at, e->is_warm);
    cell_info_set_started_millis(w, at, e->started_millis);
}

void reply_cell(struct host *h, uint64_t request, uint16_t kind, const struct cell_entry *e, int fd)
{
    struct zap_out w;
    uint32_t root = begin(&w, request, kind);
    put_cell(&w, supervisor_reply_new_cell(&w, root), e);
    send_to(h, &w, fd);
}

void tell_exit(const struct cell_entry *e)
{
    for (struct host *h = supervisor.hosts; h; h = h->next)
        reply_cell(h, 0, SUPERVISOR_REPLY_KIND_EXITED, e, -1);
}

static void put_names(struct zap_out *w, uint32_t list, const struct names *n,
                      uint32_t (*new_at)(struct zap_out *, uint32_t, uint32_t))
{
    for (uint32_t i = 0; i < n->count; i++)
        text_set_value(w, new_at(w, list, i), n->item[i], strlen(n->item[i]));
}

static void hello(struct host *h, uint64_t request, struct zap_obj o)
{
    if (supervisor_hello_protocol(o) != 1) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_VERSION,
                      "this supervisor speaks protocol 1: stop it with `hanzo dev host stop`");
        return;
    }
    h->warm = supervisor_hello_warm(o);
    warm_review();
    struct zap_out w;
    const struct machine *m = &supervisor.machine;
    uint32_t root = begin(&w, request, SUPERVISOR_REPLY_KIND_HELLO);
    uint32_t at = supervisor_reply_new_hello(&w, root);
    supervisor_hello_result_set_protocol(&w, at, 1);
    supervisor_hello_result_set_pid(&w, at, (uint32_t)getpid());
    supervisor_hello_result_set_level(&w, at, (uint16_t)m->level);
    supervisor_hello_result_set_landlock_abi(&w, at, (uint16_t)m->abi);
    supervisor_hello_result_set_ready(&w, at, warm_ready());
    supervisor_hello_result_set_started_millis(&w, at, supervisor.started_millis);
    put_names(&w, supervisor_hello_result_new_layers(&w, at, m->layers.count), &m->layers,
              supervisor_hello_result_new_layers_at);
    put_names(&w, supervisor_hello_result_new_missing(&w, at, m->missing.count), &m->missing,
              supervisor_hello_result_new_missing_at);
    send_to(h, &w, -1);
}

static void list(struct host *h, uint64_t request)
{
    struct zap_out w;
    uint32_t n = 0, root = begin(&w, request, SUPERVISOR_REPLY_KIND_CELLS);
    for (struct cell_entry *e = supervisor.cells; e; e = e->next) n++;
    uint32_t cells = supervisor_reply_new_cells(&w, root, n), i = 0;
    for (struct cell_entry *e = supervisor.cells; e; e = e->next, i++)
        put_cell(&w, supervisor_reply_new_cells_at(&w, cells, i), e);
    send_to(h, &w, -1);
}

static void end(struct host *h, uint64_t request, struct zap_obj o)
{
    if (cells_living() && !supervisor_shutdown_kill_cells(o)) {
        reply_refused(h, request, SUPERVISOR_REFUSAL_BUSY, "there are living cells");
        return;
    }
    supervisor.wants_end = true;
    cells_kill_all();
    reply_done(h, request);
}

static void dispatch(struct host *h, struct zap_obj o)
{
    uint64_t request = supervisor_request_request(o);
    switch (supervisor_request_kind(o)) {
    case SUPERVISOR_OP_HELLO:
        hello(h, request, supervisor_request_hello(o));
        break;
    case SUPERVISOR_OP_SPAWN:
        cells_spawn(h, request, supervisor_request_spawn(o));
        break;
    case SUPERVISOR_OP_ADOPT:
        cells_adopt(h, request, supervisor_request_adopt(o));
        break;
    case SUPERVISOR_OP_NETWORK:
        cells_network(h, request, supervisor_request_network(o));
        break;
    case SUPERVISOR_OP_LIST:
        list(h, request);
        break;
    case SUPERVISOR_OP_KILL:
        cells_kill(h, request, supervisor_request_kill(o));
        break;
    case SUPERVISOR_OP_FORGET:
        cells_forget(h, request, supervisor_request_forget(o));
        break;
    case SUPERVISOR_OP_SHUTDOWN:
        end(h, request, supervisor_request_shutdown(o));
        break;
    default:
        reply_refused(h, request, SUPERVISOR_REFUSAL_UNKNOWN_OP, "there is no such request");
    }
}

static void on_packet(struct watch *w, uint32_t events)
{
    (void)events;
    struct host *h = w->owner;
    struct zap_obj root;
    int fd;
    ssize_t n = packet_receive(w->fd, in, sizeof in, &fd);
    if (fd >= 0) close(fd);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) {
        drop(h);
        return;
    }
    const char *wrong = zap_open(&supervisor_request_type, in, (size_t)n, &root);
    if (wrong) {
        struct text why;
        say(&why, "the request cannot be read: %s", wrong);
        reply_refused(h, 0, SUPERVISOR_REFUSAL_MALFORMED, why.s);
        return;
    }
    dispatch(h, root);
}

void hosts_accept(struct watch *w, uint32_t events)
{
    (void)events;
    struct ucred peer;
    socklen_t size = sizeof peer;
    int fd = accept4(w->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    int count = 0;
    for (struct host *h = supervisor.hosts; h; h = h->next) count++;
    if (count >= MOST_HOSTS || getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
        peer.uid != geteuid()) {
        close(fd);
        return;
    }
    struct host *h = grab(sizeof *h);
    h->next = supervisor.hosts;
    supervisor.hosts = h;
    watch_start(&h->watch, fd, EPOLLIN, on_packet, h);
}
