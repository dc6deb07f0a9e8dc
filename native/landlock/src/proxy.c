/* The way out of a cell: connections to a port of its own loopback are carried to the host over a pair
 * of their own, where a proxy decides where they lead. Nothing is looked into here.
 *
 * What waits is bounded: of each connection by what the other side may send, and while the pair takes
 * nothing no connection is read. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "daemon.h"

enum {
    PORT = 3128,
    MOST_CONNECTIONS = 128,
    FIRST_CREDIT = 262144,
    DATA_BYTES = 32768,
    GRANT_BYTES = 65536, /* credit is given back in pieces of this */
};

struct connection {
    struct watch watch;
    struct connection *next;
    uint32_t id;
    int fd;
    uint32_t credit;            /* more that may go to the host */
    uint32_t allowed;           /* more that the host may send */
    uint32_t taken;             /* by the command, and not granted again yet */
    uint8_t *waiting;           /* from the host, for the command */
    uint32_t waiting_bytes;
    bool is_read_out, host_has_ended; /* nothing more comes from the command; from the host */
};

struct queued {
    struct queued *next;
    uint32_t size;
    uint8_t bytes[];
};

static struct watch pair = {.fd = -1}, listener = {.fd = -1};
static struct connection *connections;
static struct queued *first, **last = &first;
static uint32_t count, last_id;
static uint8_t in[ZAP_MAX + 1], out[DATA_BYTES + 512];

/* ---- to the host ---- */

static void flush(void)
{
    while (first) {
        struct queued *q = first;
        if (send(pair.fd, q->bytes, q->size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno == EAGAIN) return;
        first = q->next;
        if (!first) last = &first;
        free(q);
    }
}

static void tell(uint16_t kind, uint32_t id, uint32_t bytes, const void *data, uint32_t n)
{
    struct zap_out w;
    uint32_t root = zap_begin(&w, out, sizeof out, net_packet_type.size);
    net_packet_set_kind(&w, root, kind);
    net_packet_set_connection(&w, root, id);
    net_packet_set_bytes(&w, root, bytes);
    if (n) net_packet_set_data(&w, root, data, n);
    uint32_t size = zap_end(&w);
    if (!first && (send(pair.fd, out, size, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || errno != EAGAIN)) return;
    struct queued *q = grab(sizeof *q + size);
    q->size = size;
    memcpy(q->bytes, out, size);
    *last = q;
    last = &q->next;
}

/* ---- connections ---- */

static void drop(struct connection *c)
{
    for (struct connection **p = &connections; *p; p = &(*p)->next)
        if (*p == c) {
            *p = c->next;
            break;
        }
    count--;
    watch_stop(&c->watch);
    close(c->fd);
    free(c->waiting);
    free(c);
}

static void reset(struct connection *c)
{
    struct linger at_once = {1, 0};
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    drop(c);
}

static void on_connection(struct watch *w, uint32_t events);

/* Watched only for what can be done: an end that nobody asks for would be told again and again. */
static void review(struct connection *c)
{
    uint32_t events = (!c->is_read_out && c->credit && !first ? EPOLLIN : 0) |
                      (c->waiting_bytes ? EPOLLOUT : 0);
    if (!events)
        watch_stop(&c->watch);
    else if (c->watch.active)
        watch_change(&c->watch, events);
    else
        watch_start(&c->watch, c->fd, events, on_connection, c);
}

static void review_all(void)
{
    for (struct connection *c = connections; c; c = c->next) review(c);
    if (pair.active) watch_change(&pair, first ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

/* Answers false when it is gone. */
static bool read_some(struct connection *c)
{
    static uint8_t data[DATA_BYTES];
    while (c->credit && !c->is_read_out && !first) {
        ssize_t n = recv(c->fd, data, c->credit < DATA_BYTES ? c->credit : DATA_BYTES, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return true;
        if (n < 0) {
            tell(NET_KIND_RESET, c->id, 0, NULL, 0);
            drop(c);
            return false;
        }
        if (n == 0) {
            c->is_read_out = true;
            tell(NET_KIND_END, c->id, 0, NULL, 0);
            if (!c->host_has_ended || c->waiting_bytes) return true;
            drop(c);
            return false;
        }
        c->credit -= (uint32_t)n;
        tell(NET_KIND_DATA, c->id, 0, data, (uint32_t)n);
    }
    return true;
}

static void grant(struct connection *c, uint32_t n)
{
    c->taken += n;
    if (c->taken < GRANT_BYTES || c->host_has_ended) return;
    c->allowed += c->taken;
    tell(NET_KIND_CREDIT, c->id, c->taken, NULL, 0);
    c->taken = 0;
}

/* Answers how many the command's side has taken, or -1 when it is gone. */
static ssize_t write_some(struct connection *c, const uint8_t *p, uint32_t n)
{
    ssize_t k = send(c->fd, p, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (k < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (k < 0) {
        tell(NET_KIND_RESET, c->id, 0, NULL, 0);
        drop(c);
        return -1;
    }
    grant(c, (uint32_t)k);
    return k;
}

/* Answers false when it is gone. */
static bool settle_end(struct connection *c)
{
    if (!c->host_has_ended || c->waiting_bytes) return true;
    shutdown(c->fd, SHUT_WR);
    if (!c->is_read_out) return true;
    drop(c);
    return false;
}

static bool write_waiting(struct connection *c)
{
    if (!c->waiting_bytes) return true;
    ssize_t n = write_some(c, c->waiting, c->waiting_bytes);
    if (n < 0) return false;
    c->waiting_bytes -= (uint32_t)n;
    memmove(c->waiting, c->waiting + n, c->waiting_bytes);
    return settle_end(c);
}

static void on_connection(struct watch *w, uint32_t events)
{
    (void)events;
    struct connection *c = w->owner;
    if (write_waiting(c)) read_some(c);
    review_all();
}

static void on_listener(struct watch *w, uint32_t events)
{
    (void)events;
    int fd = accept4(w->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK), now = 1;
    if (fd < 0) return;
    if (count == MOST_CONNECTIONS) {
        close(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &now, sizeof now);
    struct connection *c = grab(sizeof *c);
    c->fd = fd;
    c->id = ++last_id;
    c->credit = c->allowed = FIRST_CREDIT;
    c->next = connections;
    connections = c;
    count++;
    tell(NET_KIND_OPEN, c->id, 0, NULL, 0);
    review_all();
}

/* ---- from the host ---- */

static struct connection *find(uint32_t id)
{
    struct connection *c = connections;
    while (c && c->id != id) c = c->next;
    return c;
}

/* Answers false when the host breaks the protocol. */
static bool take_data(struct connection *c, struct zap_run data)
{
    if (c->host_has_ended || data.len == 0 || data.len > c->allowed) return false;
    c->allowed -= data.len;
    ssize_t n = c->waiting_bytes ? 0 : write_some(c, data.at, data.len);
    if (n < 0 || n == (ssize_t)data.len) return true;
    uint32_t rest = data.len - (uint32_t)n;
    c->waiting = regrab(c->waiting, c->waiting_bytes + rest);
    memcpy(c->waiting + c->waiting_bytes, data.at + n, rest);
    c->waiting_bytes += rest;
    return true;
}

static bool on_packet(size_t n)
{
    struct zap_obj o;
    if (n > ZAP_MAX || zap_open(&net_packet_type, in, n, &o)) return false;
    struct connection *c = find(net_packet_connection(o));
    /* What was under way when a connection ended here is passed over. */
    if (!c) return net_packet_connection(o) <= last_id;
    switch (net_packet_kind(o)) {
    case NET_KIND_DATA:
        return take_data(c, net_packet_data(o));
    case NET_KIND_END:
        c->host_has_ended = true;
        settle_end(c);
        return true;
    case NET_KIND_RESET:
        reset(c);
        return true;
    case NET_KIND_CREDIT:
        if (net_packet_bytes(o) > FIRST_CREDIT - c->credit) return false;
        c->credit += net_packet_bytes(o);
        read_some(c);
        return true;
    default:
        return false;
    }
}

static void on_pair(struct watch *w, uint32_t events)
{
    flush();
    if (events & (EPOLLIN | EPOLLHUP)) {
        ssize_t n = recv(w->fd, in, sizeof in, MSG_DONTWAIT | MSG_TRUNC);
        bool goes_on = n < 0 ? errno == EAGAIN || errno == EINTR : n > 0 && on_packet((size_t)n);
        if (!goes_on) {
            proxy_close();
            return;
        }
    }
    review_all();
}

void proxy_close(void)
{
    while (connections) reset(connections);
    while (first) {
        struct queued *q = first;
        first = q->next;
        free(q);
    }
    last = &first;
    watch_stop(&pair);
    watch_stop(&listener);
    close_fd(&pair.fd);
    close_fd(&listener.fd);
}

static int listen_here(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons(PORT),
                            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), again = 1;
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again);
    if (bind(fd, (struct sockaddr *)&a, sizeof a) == 0 && listen(fd, MOST_CONNECTIONS) == 0) return fd;
    close(fd);
    return -1;
}

/* When it cannot be, the host sees the end of its pair. */
void proxy_open(int fd)
{
    proxy_close();
    int here = has_namespaces(the_daemon.cell) ? listen_here() : -1;
    if (here < 0) {
        close(fd);
        return;
    }
    last_id = 0;
    watch_start(&pair, fd, EPOLLIN, on_pair, NULL);
    watch_start(&listener, here, EPOLLIN, on_listener, NULL);
}
