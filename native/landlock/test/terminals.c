/* Commands that a host talks to: ptys, input, signals, output as it comes. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "checks.h"

static struct asked a;

/* All that was pushed of one action, by offsets; the outcome ends it. */
struct heard {
    char text[400000];
    uint64_t end;
    bool has_gap, is_ended;
    struct result result;
};

static uint64_t spawn(struct cell_end *c, const char *command, bool pty, uint32_t credit)
{
    ask_begin(&a, c, CELL_OP_SPAWN, 0);
    uint32_t at = cell_request_new_spawn(&a.w, a.root);
    uint32_t exec = cell_spawn_new_exec(&a.w, at);
    cell_exec_set_command(&a.w, exec, command, strlen(command));
    cell_spawn_set_pty(&a.w, at, pty);
    cell_spawn_set_credit_bytes(&a.w, at, credit);
    ask_send(&a, c);
    return c->next_action;
}

static void take_in(struct cell_end *c, uint64_t action, struct heard *h)
{
    if (cell_reply_action(c->last) != action) return;
    if (cell_reply_kind(c->last) == CELL_REPLY_KIND_PUSH) {
        struct zap_obj p = cell_reply_push(c->last);
        struct zap_run data = cell_push_data(p);
        if (cell_push_offset(p) != h->end) h->has_gap = true;
        if (h->end + data.len < sizeof h->text) memcpy(h->text + h->end, data.at, data.len);
        h->end += data.len;
    } else if (cell_reply_kind(c->last) == CELL_REPLY_KIND_OUTCOME) {
        struct zap_obj o = cell_outcome_exec(cell_reply_outcome(c->last));
        h->result.exit = cell_exec_outcome_exit(o);
        h->result.signal = cell_exec_outcome_signal(o);
        h->result.out_total = cell_stream_total_bytes(cell_exec_outcome_stdout(o));
        h->is_ended = true;
    }
}

/* Until `until` was printed, or to the outcome. */
static void listen_until(struct cell_end *c, uint64_t action, struct heard *h, const char *until)
{
    while (!h->is_ended && (!until || !strstr(h->text, until)) && hear(c, 0, 10000))
        take_in(c, action, h);
}

static uint64_t type_at(struct cell_end *c, uint64_t action, uint64_t offset, const char *text,
                        bool close)
{
    ask_begin(&a, c, CELL_OP_INPUT, action);
    uint32_t at = cell_request_new_input(&a.w, a.root);
    cell_input_set_offset(&a.w, at, offset);
    cell_input_set_data(&a.w, at, text, strlen(text));
    cell_input_set_close(&a.w, at, close);
    return ask_send(&a, c);
}

/* What is pushed before the answer comes is taken in. */
static uint16_t order(struct cell_end *c, struct heard *h, uint16_t op, uint64_t action, uint32_t first,
                      uint32_t second)
{
    ask_begin(&a, c, op, action);
    if (op == CELL_OP_RESIZE) {
        uint32_t at = cell_request_new_resize(&a.w, a.root);
        cell_resize_set_cols(&a.w, at, (uint16_t)first);
        cell_resize_set_rows(&a.w, at, (uint16_t)second);
    } else if (op == CELL_OP_KILL) {
        cell_kill_set_signal(&a.w, cell_request_new_kill(&a.w, a.root), first);
    } else {
        uint32_t at = cell_request_new_credit(&a.w, a.root);
        cell_credit_set_stream(&a.w, at, CELL_STREAM_NAME_STDOUT);
        cell_credit_set_bytes(&a.w, at, first);
        cell_credit_set_has(&a.w, at, second != ~0u);
        cell_credit_set_since(&a.w, at, second);
    }
    uint64_t request = ask_send(&a, c);
    while (hear(c, 0, 5000)) {
        if (cell_reply_request(c->last) == request) return code_of(c);
        take_in(c, action, h);
    }
    return 999;
}

/* 80 */
void a_pty_is_a_terminal_of_its_own(void)
{
    struct heard *h = calloc(1, sizeof *h);
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "pty"});
    uint64_t action = spawn(c, "exec sh -i", true, 1 << 20);
    type_at(c, action, 0, "stty -echo; test -t 0 && test -t 1 && echo is-''tty; stty size; echo $TERM\n", false);
    listen_until(c, action, h, "xterm-256color");
    CHECK(strstr(h->text, "is-tty") && strstr(h->text, "24 80"), "%s", h->text);
    CHECK(order(c, h, CELL_OP_RESIZE, action, 132, 50) == 0);
    CHECK(order(c, h, CELL_OP_RESIZE, action, 0, 50) == CELL_REFUSAL_INVALID);
    static const char second[] = "stty size; echo x >/dev/tty; sh -c \"echo wait''ing; exec sleep 100\"\n";
    uint64_t at = strlen("stty -echo; test -t 0 && test -t 1 && echo is-''tty; stty size; echo $TERM\n");
    type_at(c, action, at, second, false);
    listen_until(c, action, h, "waiting");
    CHECK(strstr(h->text, "50 132") != NULL, "%s", h->text);
    type_at(c, action, at + strlen(second), "\x03", false);
    type_at(c, action, at + strlen(second) + 1, "exit 7\n", false);
    listen_until(c, action, h, NULL);
    CHECK(h->is_ended && h->result.exit == 7 && !h->has_gap, "%d %s", h->result.exit, h->text);
    CHECK(h->end == h->result.out_total, "all of it was pushed before the outcome");
    CHECK(order(c, h, CELL_OP_KILL, action, 15, 0) == CELL_REFUSAL_NOT_RUNNING);
    free(h);
}

void input_is_taken_once_and_can_be_closed(void)
{
    struct heard *h = calloc(1, sizeof *h);
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "input"});
    uint64_t action = spawn(c, "cat; echo end", false, 1 << 20);
    type_at(c, action, 0, "hello\n", false);
    type_at(c, action, 0, "hello\n", false);
    type_at(c, action, 3, "lo\nworld\n", false);
    CHECK(hear(c, type_at(c, action, 99, "x", false), 5000) && code_of(c) == CELL_REFUSAL_INVALID);
    type_at(c, action, 12, "", true);
    listen_until(c, action, h, NULL);
    CHECK(strstr(h->text, "hello\nworld\nend\n") || h->result.out_total == 16, "%s", h->text);
    action = spawn(c, "trap 'echo got; exit 3' USR1; echo up; while :; do sleep 0.05; done", false, 1 << 20);
    memset(h, 0, sizeof *h);
    listen_until(c, action, h, "up\n");
    CHECK(order(c, h, CELL_OP_KILL, action, 10, 0) == 0);
    listen_until(c, action, h, NULL);
    CHECK(h->result.exit == 3 || h->result.signal == 10, "%d %d", h->result.exit, h->result.signal);
    action = spawn(c, "sleep 100", false, 0);
    memset(h, 0, sizeof *h);
    for (int i = 0; i < 500 && order(c, h, CELL_OP_KILL, action, 0, 0) == CELL_REFUSAL_INVALID; i++) poll(NULL, 0, 10);
    listen_until(c, action, h, NULL);
    CHECK(h->result.signal == 9, "%d", h->result.signal);
    free(h);
}

/* From the beginning, with credit for so much. */
static void again(struct cell_end *c, struct heard *h, uint64_t action, uint32_t credit)
{
    memset(h->text, 0, sizeof h->text);
    h->end = 0;
    CHECK(order(c, h, CELL_OP_CREDIT, action, credit, 0) == 0);
}

/* E10, 135: pushes stop without credit, go on with it, and can be asked again from an offset. */
void pushes_have_credit_and_can_be_asked_again(void)
{
    struct heard *h = calloc(1, sizeof *h);
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "credit"});
    uint64_t action = spawn(c, "seq 30000; read x; seq 3", false, 1000);
    while (h->end < 1000 && hear(c, 0, 5000))
        if (cell_reply_kind(c->last) == CELL_REPLY_KIND_PUSH) h->end += cell_push_data(cell_reply_push(c->last)).len;
    CHECK(h->end == 1000, "%llu", (unsigned long long)h->end);
    CHECK(!hear(c, 0, 300), "no more without credit");
    h->end = 0;
    CHECK(order(c, h, CELL_OP_CREDIT, action, 300000, 0) == 0);
    listen_until(c, action, h, "30000\n");
    CHECK(!h->has_gap && strncmp(h->text, "1\n2\n3\n", 6) == 0);
    again(c, h, action, 10);
    while (h->end < 10 && hear(c, 0, 5000)) take_in(c, action, h);
    CHECK(h->end == 10 && !hear(c, 0, 300), "credit from before is void: %llu", (unsigned long long)h->end);
    again(c, h, action, 300000);
    listen_until(c, action, h, "30000\n");
    CHECK(!h->has_gap && strncmp(h->text, "1\n2\n3\n", 6) == 0);
    type_at(c, action, 0, "go\n", false);
    listen_until(c, action, h, NULL);
    CHECK(h->is_ended && h->end == h->result.out_total && !h->has_gap);
    CHECK(strcmp(h->text + h->end - 6, "1\n2\n3\n") == 0);
    CHECK(order(c, h, CELL_OP_CREDIT, action, 1, 0) == CELL_REFUSAL_NOT_RUNNING);
    free(h);
}

/* A host that does not read, and one that floods: memory stays. What is followed waits for its
 * listener, as at a terminal; what nobody follows goes on. */
void a_flood_that_nobody_reads_costs_no_memory(void)
{
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "flood"});
    pid_t pid = cell_pid(shared_super(), "flood");
    uint64_t action = spawn(c, "yes | head -c 300M; touch flood-over", false, 1 << 20);
    struct heard *h = calloc(1, sizeof *h);
    while (h->end < 1 << 20 && hear(c, 0, 5000)) take_in(c, action, h);
    CHECK(h->end == 1 << 20 && !hear(c, 0, 500), "%llu", (unsigned long long)h->end);
    CHECK(resident_kib(pid) < 4096, "%ld KiB", resident_kib(pid));
    CHECK(run(c, "test -e flood-over").exit == 1, "it waits");
    CHECK(order(c, h, CELL_OP_CREDIT, action, 0, 0) == 0);
    listen_until(c, action, h, NULL);
    CHECK(h->is_ended && h->result.out_total == 300u << 20, "%llu", (unsigned long long)h->result.out_total);
    CHECK(resident_kib(pid) < 4096, "%ld KiB", resident_kib(pid));
    free(h);
}

/* Beyond the 64 MiB that are kept: a terminal that was used for long is not struck dumb. */
void a_long_stream_is_told_to_its_end(void)
{
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "long"});
    uint64_t action = spawn(c, "head -c 80M /dev/zero; read x; echo after", true, 1 << 20);
    struct heard *h = calloc(1, sizeof *h);
    for (uint64_t granted = 1 << 20; h->end < 80u << 20 && hear(c, 0, 10000);) {
        take_in(c, action, h);
        if (granted - h->end > 512 << 10) continue;
        CHECK(order(c, h, CELL_OP_CREDIT, action, 1 << 20, ~0u) == 0);
        granted += 1 << 20;
    }
    CHECK(h->end == 80u << 20 && !h->has_gap, "%llu", (unsigned long long)h->end);
    memset(h->text, 0, sizeof h->text);
    h->end = 0;
    type_at(c, action, 0, "go\n", false);
    while (!h->is_ended && hear(c, 0, 10000)) take_in(c, action, h);
    CHECK(h->is_ended && strstr(h->text, "after"), "%s", h->text);
    free(h);
}

void a_terminal_survives_its_host(void)
{
    struct super *s = super_start("term-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "term"});
    struct heard *h = calloc(1, sizeof *h);
    uint64_t action = spawn(c, "stty -echo; echo first; read x; echo got $x", true, 1 << 20);
    listen_until(c, action, h, "first\r\n");
    close(c->fd);
    super_connect(s);
    CHECK(super_adopt(s, "term", 2, &c->fd) == SUPERVISOR_REPLY_KIND_ADOPTED && hear(c, 0, 5000));
    c->epoch = 2;
    c->next_request = 5000;
    h->end = 0;
    h->text[0] = 0;
    type_at(c, action, 0, "y\n", false);
    ask_begin(&a, c, CELL_OP_CREDIT, action);
    uint32_t at = cell_request_new_credit(&a.w, a.root);
    cell_credit_set_stream(&a.w, at, CELL_STREAM_NAME_STDOUT);
    cell_credit_set_bytes(&a.w, at, 1 << 20);
    cell_credit_set_has(&a.w, at, 1);
    ask_send(&a, c);
    listen_until(c, action, h, NULL);
    CHECK(h->is_ended && h->result.exit == 0, "%d", h->result.exit);
    super_stop(s);
    free(h);
}

/* It has no deadline and waits for its listener: it can be cancelled all the same. */
void what_waits_for_its_listener_can_be_cancelled(void)
{
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "waits"});
    uint64_t action = spawn(c, "yes", false, 1 << 20);
    struct heard *h = calloc(1, sizeof *h);
    while (h->end < 1 << 20 && hear(c, 0, 5000)) take_in(c, action, h);
    run(c, "sleep 0.3");
    ask_begin(&a, c, CELL_OP_CANCEL, action);
    ask_send(&a, c);
    listen_until(c, action, h, NULL);
    CHECK(h->is_ended && run(c, "true").exit == 0);
    free(h);
}
