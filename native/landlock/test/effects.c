/* At most once: ids, digests, epochs, marks, acknowledgements; and packets that are not right. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "checks.h"

static struct asked a;

static uint16_t state_of(struct cell_end *c, uint64_t action)
{
    ask_begin(&a, c, CELL_OP_STATUS, action);
    CHECK(hear(c, ask_send(&a, c), 5000));
    return cell_status_result_state(cell_reply_status(c->last));
}

static uint16_t ack(struct cell_end *c, uint64_t action)
{
    ask_begin(&a, c, CELL_OP_ACK, action);
    hear(c, ask_send(&a, c), 5000);
    return code_of(c);
}

static void ask_twice(struct cell_end *c)
{
    struct how how = {.action = 7};
    struct result first = run_how(c, "echo x >> m; echo done; date +%N", how);
    struct result second = run_how(c, "echo x >> m; echo done; date +%N", how);
    CHECK(first.exit == 0 && strcmp(first.out, second.out) == 0, "%s / %s", first.out, second.out);
    CHECK(strcmp(get_file(fmt("%s/m", c->workspace)), "x\n") == 0);
    struct result other = run_how(c, "echo other", how);
    CHECK(other.code == CELL_REFUSAL_ID_REUSE, "%d", other.code);
    CHECK(state_of(c, 7) == CELL_STATE_HELD);
    struct zap_obj held = cell_outcome_exec(cell_reply_outcome(c->last));
    CHECK(cell_stream_total_bytes(cell_exec_outcome_stdout(held)) == strlen(first.out));
}

/* 62, E2 */
void the_same_request_again_gets_the_held_outcome_and_runs_nothing(void)
{
    ask_twice(cell_start(shared_super(), &(struct want){.name = "again"}));
}

/* Nothing can be written down, and what came of a command is told and held all the same. */
void a_full_disk_loses_no_outcome(void)
{
    struct cell_end *c =
        cell_start(shared_super(), &(struct want){.name = "no-room", .journal_is_full = true});
    ask_twice(c);
    CHECK(ack(c, 7) == 0 && state_of(c, 7) == CELL_STATE_SPENT);
    CHECK(run_how(c, "true", (struct how){.action = 8}).exit == 0, "it goes on");
}

void ids_are_spent_by_acknowledgement_and_by_the_mark(void)
{
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "spent"});
    CHECK(state_of(c, 5) == CELL_STATE_UNKNOWN);
    run_how(c, "true", (struct how){.action = 5});
    run_how(c, "true", (struct how){.action = 6});
    CHECK(ack(c, 5) == 0);
    CHECK(state_of(c, 5) == CELL_STATE_SPENT && state_of(c, 6) == CELL_STATE_HELD);
    CHECK(run_how(c, "true", (struct how){.action = 5}).code == CELL_REFUSAL_ID_SPENT);
    c->low_water = 6;
    CHECK(state_of(c, 6) == CELL_STATE_SPENT && state_of(c, 4) == CELL_STATE_SPENT);
    CHECK(run_how(c, "true", (struct how){.action = 6}).code == CELL_REFUSAL_ID_SPENT);
    CHECK(run_how(c, "true", (struct how){.action = 3}).code == CELL_REFUSAL_ID_SPENT);
    CHECK(run_how(c, "true", (struct how){.action = 7}).exit == 0);
    c->low_water = 0; /* it only rises */
    CHECK(state_of(c, 4) == CELL_STATE_SPENT);
    ask_begin(&a, c, CELL_OP_EXEC, 1ull << 63);
    hear(c, ask_send(&a, c), 5000);
    CHECK(code_of(c) == CELL_REFUSAL_INVALID);
}

/* 66 */
void a_running_id_is_refused_and_its_outcome_comes_once(void)
{
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "running"});
    struct how how = {.action = 9};
    uint64_t first = exec_send(c, "sleep 0.5; echo once", how);
    CHECK(run_how(c, "sleep 0.5; echo once", how).code == CELL_REFUSAL_RUNNING);
    CHECK(run_how(c, "sleep 0.6; echo once", how).code == CELL_REFUSAL_ID_REUSE);
    CHECK(state_of(c, 9) == CELL_STATE_RUNNING);
    CHECK(strcmp(exec_result(c, first).out, "once\n") == 0);
    CHECK(!hear(c, 0, 200), "no second outcome");
}

/* Outcomes survive the daemon: u32 length and CellReply, in the journal. */
void outcomes_are_in_the_journal_before_they_are_told(void)
{
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "journal"});
    run_how(c, "echo kept", (struct how){.action = 3});
    super_order(shared_super(), SUPERVISOR_OP_KILL, "journal", 1);
    static char buf[ZAP_MAX];
    struct zap_obj o;
    ssize_t n = read_file(c->journal, buf, sizeof buf);
    uint32_t length = 0;
    if (n > 4) memcpy(&length, buf, 4);
    CHECK(n == (ssize_t)length + 4, "%zd %u", n, length);
    CHECK(!zap_open(&cell_reply_type, buf + 4, length, &o));
    CHECK(cell_reply_kind(o) == CELL_REPLY_KIND_OUTCOME && cell_reply_action(o) == 3);
    struct zap_run out = cell_stream_head(
        cell_exec_outcome_stdout(cell_outcome_exec(cell_reply_outcome(o))));
    CHECK(out.len == 5 && memcmp(out.at, "kept\n", 5) == 0);
}

void an_older_or_other_epoch_is_refused(void)
{
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "epoch", .epoch = 5});
    CHECK(cell_hello_result_epoch(cell_reply_hello(c->first)) == 5);
    c->epoch = 4;
    CHECK(run(c, "touch f").code == CELL_REFUSAL_STALE_EPOCH);
    c->epoch = 5;
    CHECK(run(c, "test ! -e f").exit == 0);
}

/* 64 at a time, the rest refused as busy; all of the 64 answer. */
void the_window_is_64_commands(void)
{
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "window"});
    int outcomes = 0, busy = 0;
    for (int i = 0; i < 70; i++) exec_send(c, "sleep 6", (struct how){0});
    for (int i = 0; i < 70 && hear(c, 0, 20000); i++) {
        outcomes += cell_reply_kind(c->last) == CELL_REPLY_KIND_OUTCOME;
        busy += code_of(c) == CELL_REFUSAL_BUSY;
    }
    CHECK(outcomes == 64 && busy == 6, "%d %d", outcomes, busy);
}

static uint16_t raw(struct cell_end *c, const void *p, size_t n, uint64_t *request)
{
    if (send(c->fd, p, n, MSG_NOSIGNAL) < 0) return 998;
    hear(c, 0, 5000);
    *request = c->last.buf ? cell_reply_request(c->last) : ~0ull;
    return code_of(c);
}

/* E14–E16, 82, 84, 87, 134 */
void packets_that_are_not_right_are_refused_under_their_number(void)
{
    static uint8_t big[200000];
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "garbage"});
    uint64_t number;
    ask_begin(&a, c, CELL_OP_STAT, 0);
    cell_stat_set_path(&a.w, cell_request_new_stat(&a.w, a.root), "a", 1);
    uint32_t n = zap_end(&a.w);
    cell_request_set_request(&a.w, a.root, 77);
    memcpy(big, a.bytes, n);
    CHECK(raw(c, big, n + 1, &number) == CELL_REFUSAL_MALFORMED && number == 77, "trailing byte");
    CHECK(raw(c, big, n - 1, &number) == CELL_REFUSAL_MALFORMED && number == 77, "cut off");
    CHECK(raw(c, big, 140000, &number) == CELL_REFUSAL_TOO_LARGE && number == 77, "too large");
    big[6] = 1;
    CHECK(raw(c, big, n, &number) == CELL_REFUSAL_MALFORMED && number == 77, "flags");
    CHECK(raw(c, "x", 1, &number) == CELL_REFUSAL_MALFORMED && number == 0);
    memset(big, 0xff, 5000);
    CHECK(raw(c, big, 5000, &number) == CELL_REFUSAL_MALFORMED && number == 0);
    ask_begin(&a, c, 4242, 0);
    hear(c, ask_send(&a, c), 5000);
    CHECK(code_of(c) == CELL_REFUSAL_UNKNOWN_OP);
    ask_begin(&a, c, CELL_OP_EXEC, 0);
    cell_exec_set_command(&a.w, cell_request_new_exec(&a.w, a.root), "touch f", 7);
    uint64_t request = ask_send(&a, c);
    CHECK(exec_result(c, request).exit == 0);
    a.bytes[zap_end(&a.w) - 1] = 'g'; /* the command, not the digest */
    CHECK(raw(c, a.bytes, zap_end(&a.w), &number) == CELL_REFUSAL_DIGEST_MISMATCH);
    CHECK(run(c, "test ! -e g").exit == 0);
}

/* A request of many thousand strings is read or refused at once. */
void hostile_counts_cost_nothing(void)
{
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "counts"});
    ask_begin(&a, c, CELL_OP_EXEC, 0);
    uint32_t at = cell_request_new_exec(&a.w, a.root);
    cell_exec_new_argv(&a.w, at, 30000);
    int64_t start = now_millis();
    uint64_t request = ask_send(&a, c);
    CHECK(hear(c, request, 5000) && code_of(c) == CELL_REFUSAL_INVALID, "%d", code_of(c));
    CHECK(now_millis() - start < 1000);
    srand(1);
    for (int i = 0; i < 2000; i++) {
        ask_begin(&a, c, CELL_OP_EXEC, 1 + (uint64_t)i);
        at = cell_request_new_exec(&a.w, a.root);
        cell_exec_set_command(&a.w, at, "true", 4);
        cell_exec_new_argv(&a.w, at, 20);
        uint32_t n = zap_end(&a.w);
        for (int k = 0; k < 3; k++) a.bytes[(unsigned)rand() % n] = (uint8_t)rand();
        if (send(c->fd, a.bytes, n, MSG_NOSIGNAL) < 0 || !hear(c, 0, 5000)) break;
        CHECK(cell_reply_kind(c->last) == CELL_REPLY_KIND_REFUSED);
    }
    CHECK(run_how(c, "echo alive", (struct how){.action = 5000}).exit == 0);
}
