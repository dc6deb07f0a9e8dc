/* The way out of a cell: what its daemon carries, and when there is none. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"

struct packet {
    uint16_t kind;
    uint32_t connection, bytes;
    struct zap_run data;
};

static bool hear_packet(int fd, struct packet *p)
{
    static uint8_t in[ZAP_MAX];
    struct zap_obj o;
    struct pollfd ready = {fd, POLLIN, 0};
    ssize_t n = poll(&ready, 1, 5000) == 1 ? recv(fd, in, sizeof in, MSG_DONTWAIT) : -1;
    if (n <= 0 || zap_open(&net_packet_type, in, (size_t)n, &o)) return false;
    *p = (struct packet){net_packet_kind(o), net_packet_connection(o), net_packet_bytes(o), net_packet_data(o)};
    return true;
}

/* Answers false when the pair has ended. */
static bool say_packet(int fd, uint16_t kind, uint32_t connection, const void *data, uint32_t n)
{
    static uint8_t out[ZAP_MAX];
    struct zap_out w;
    uint32_t root = zap_begin(&w, out, sizeof out, net_packet_type.size);
    net_packet_set_kind(&w, root, kind);
    net_packet_set_connection(&w, root, connection);
    if (n) net_packet_set_data(&w, root, data, n);
    uint32_t size = zap_end(&w);
    struct pollfd ready = {fd, POLLOUT, 0};
    while (poll(&ready, 1, 5000) == 1 && !(ready.revents & POLLHUP))
        if (send(fd, out, size, MSG_NOSIGNAL | MSG_DONTWAIT) > 0) return true;
    return false;
}

static bool has_network(void) { return shared_level() == CELL_LEVEL_NAMESPACES; }

static const char dial[] = "exec 3<>/dev/tcp/127.0.0.1/3128; ";

static uint64_t bash(struct cell_end *c, const char *line)
{
    char *command = fmt("exec bash -c '%s%s'", dial, line);
    uint64_t number = exec_send(c, command, (struct how){.millis = 20000});
    free(command);
    return number;
}

void a_connection_out_is_carried_to_the_host(void)
{
    int fd;
    struct packet p;
    struct super *s = super_start("network");
    struct cell_end *c = cell_start(s, &(struct want){.name = "network"});
    CHECK(run(c, "bash -c '</dev/tcp/127.0.0.1/3128'").exit != 0);
    if (!has_network()) {
        CHECK(super_network(s, "network", 1, &fd) == SUPERVISOR_REPLY_KIND_REFUSED);
        CHECK(supervisor_refused_code(supervisor_reply_refused(s->last)) == SUPERVISOR_REFUSAL_LEVEL);
        super_stop(s);
        return;
    }
    CHECK(super_network(s, "network", 2, &fd) == SUPERVISOR_REPLY_KIND_REFUSED);
    CHECK(super_network(s, "network", 1, &fd) == SUPERVISOR_REPLY_KIND_NETWORK && fd >= 0);
    uint64_t number = bash(c, "echo question >&3; cat <&3");
    CHECK(hear_packet(fd, &p) && p.kind == NET_KIND_OPEN);
    uint32_t id = p.connection;
    CHECK(hear_packet(fd, &p) && p.kind == NET_KIND_DATA && p.connection == id);
    CHECK(p.data.len == 9 && memcmp(p.data.at, "question\n", 9) == 0);
    CHECK(say_packet(fd, NET_KIND_DATA, id, "answer", 6));
    CHECK(say_packet(fd, NET_KIND_END, id, NULL, 0));
    struct result r = exec_result(c, number);
    CHECK(strcmp(r.out, "answer") == 0, "%s", r.out);
    CHECK(hear_packet(fd, &p) && p.kind == NET_KIND_END && p.connection == id);
    super_stop(s);
}

void a_slow_side_of_a_connection_holds_up_the_other(void)
{
    int fd;
    struct packet p;
    if (!has_network()) return;
    struct super *s = super_start("network-credit");
    struct cell_end *c = cell_start(s, &(struct want){.name = "credit"});
    CHECK(super_network(s, "credit", 1, &fd) == SUPERVISOR_REPLY_KIND_NETWORK);
    /* More than the buffers of two sockets may grow to. */
    uint64_t number = bash(c, "head -c 50000000 /dev/zero >&3 && echo told");
    uint64_t total = 0;
    while (total < 262144 && hear_packet(fd, &p))
        if (p.kind == NET_KIND_DATA) total += p.data.len;
    struct pollfd more = {fd, POLLIN, 0};
    CHECK(total == 262144 && poll(&more, 1, 300) == 0);
    /* More than was granted ends the pair, and with it the connection. */
    static uint8_t flood[32768];
    int sent = 0;
    while (sent < 2000 && say_packet(fd, NET_KIND_DATA, 1, flood, sizeof flood)) sent++;
    CHECK(sent < 2000);
    CHECK(exec_result(c, number).exit != 0);
    CHECK(run(c, "bash -c '</dev/tcp/127.0.0.1/3128'").exit != 0);
    close(fd);
    super_stop(s);
}

void the_way_out_ends_with_its_host_and_its_lease(void)
{
    int fd, next, end;
    struct packet p;
    if (!has_network()) return;
    struct super *s = super_start("network-end");
    struct cell_end *c = cell_start(s, &(struct want){.name = "ending"});
    CHECK(super_network(s, "ending", 1, &fd) == SUPERVISOR_REPLY_KIND_NETWORK);
    uint64_t number = bash(c, "cat <&3");
    CHECK(hear_packet(fd, &p) && p.kind == NET_KIND_OPEN);
    close(fd);
    CHECK(exec_result(c, number).exit != 0);
    CHECK(run(c, "bash -c '</dev/tcp/127.0.0.1/3128'").exit != 0);
    CHECK(super_network(s, "ending", 1, &fd) == SUPERVISOR_REPLY_KIND_NETWORK);
    CHECK(super_network(s, "ending", 1, &next) == SUPERVISOR_REPLY_KIND_NETWORK);
    CHECK(!hear_packet(fd, &p), "the earlier one has ended");
    bash(c, "sleep 5");
    CHECK(hear_packet(next, &p) && p.kind == NET_KIND_OPEN && p.connection == 1);
    CHECK(super_adopt(s, "ending", 2, &end) == SUPERVISOR_REPLY_KIND_ADOPTED);
    while (hear_packet(next, &p)) CHECK(p.kind != NET_KIND_OPEN);
    CHECK(super_network(s, "ending", 1, &fd) == SUPERVISOR_REPLY_KIND_REFUSED);
    super_stop(s);
}
