/* Hosts that come and go, the supervisor's own death, and the ends of cells. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checks.h"

static struct asked a;

static void take_over(struct super *s, struct cell_end *c, const char *name, uint64_t epoch)
{
    CHECK(super_adopt(s, name, epoch, &c->fd) == SUPERVISOR_REPLY_KIND_ADOPTED && c->fd >= 0);
    c->epoch = epoch;
    c->next_request = 1000 * epoch;
    CHECK(hear(c, 0, 5000) && cell_reply_op(c->last) == CELL_OP_HELLO);
    CHECK(cell_hello_result_epoch(cell_reply_hello(c->last)) == epoch);
}

static uint16_t state_of(struct cell_end *c, uint64_t action)
{
    ask_begin(&a, c, CELL_OP_STATUS, action);
    CHECK(hear(c, ask_send(&a, c), 5000));
    return cell_status_result_state(cell_reply_status(c->last));
}

static bool is_gone(void *pid) { return kill(*(pid_t *)pid, 0) != 0; }

/* Rules 1–3; the host is killed while a command runs. */
void a_command_in_flight_survives_its_host(void)
{
    struct super *s = super_start("flight-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "flight"});
    exec_send(c, "sleep 0.7; echo x >> m; echo done", (struct how){.action = 5});
    exec_send(c, "echo early; echo y >> m", (struct how){.action = 6});
    CHECK(hear(c, 0, 5000));
    int old = c->fd;
    close(old);
    super_connect(s); /* the former connection is gone: another host */
    take_over(s, c, "flight", 2);
    CHECK(cell_hello_result_running(cell_reply_hello(c->last)).count == 1);
    CHECK(cell_hello_result_held(cell_reply_hello(c->last)).count == 1);
    CHECK(state_of(c, 5) == CELL_STATE_RUNNING && state_of(c, 6) == CELL_STATE_HELD);
    CHECK(state_of(c, 4) == CELL_STATE_UNKNOWN);
    CHECK(hear(c, 0, 5000) && cell_reply_action(c->last) == 5 && cell_reply_request(c->last) == 0);
    CHECK(cell_reply_kind(c->last) == CELL_REPLY_KIND_OUTCOME);
    CHECK(cell_exec_outcome_exit(cell_outcome_exec(cell_reply_outcome(c->last))) == 0);
    CHECK(strcmp(get_file(fmt("%s/m", c->workspace)), "y\nx\n") == 0);
    super_stop(s);
}

/* Rule 2: a host that was stopped, not dead, wakes up and finds its end closed. */
void a_stopped_host_is_fenced(void)
{
    struct super *s = super_start("fence-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "fence"});
    exec_send(c, "echo queued >> m", (struct how){.action = 5});
    int old = c->fd;
    super_connect(s);
    take_over(s, c, "fence", 2);
    struct pollfd p = {old, POLLIN, 0};
    char byte;
    CHECK(poll(&p, 1, 2000) == 1 && recv(old, &byte, 1, MSG_DONTWAIT) == 0, "end of file");
    CHECK(send(old, "late", 4, MSG_NOSIGNAL) < 0, "broken pipe");
    /* What was sent before the fence ran, once. */
    for (int i = 0; i < 500 && state_of(c, 5) == CELL_STATE_RUNNING; i++) poll(NULL, 0, 10);
    CHECK(state_of(c, 5) == CELL_STATE_HELD);
    CHECK(strcmp(get_file(fmt("%s/m", c->workspace)), "queued\n") == 0);
    CHECK(super_adopt(s, "fence", 1, NULL) == SUPERVISOR_REPLY_KIND_REFUSED);
    CHECK(supervisor_refused_code(supervisor_reply_refused(s->last)) == SUPERVISOR_REFUSAL_STALE_EPOCH);
    CHECK(super_order(s, SUPERVISOR_OP_KILL, "fence", 1) == SUPERVISOR_REPLY_KIND_REFUSED);
    CHECK(super_adopt(s, "nobody", 9, NULL) == SUPERVISOR_REPLY_KIND_REFUSED);
    take_over(s, c, "fence", 2); /* the same epoch is served again */
    super_stop(s);
}

/* The old pair is full in both directions: orders do not go that way. */
void a_full_queue_does_not_hold_up_the_hand_over(void)
{
    struct super *s = super_start("full-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "full"});
    CHECK(run(c, "head -c 90000 /dev/zero > f").exit == 0);
    int sent = 0;
    for (; sent < 3000; sent++) {
        ask_begin(&a, c, CELL_OP_READ, 0);
        cell_read_set_path(&a.w, cell_request_new_read(&a.w, a.root), "f", 1);
        if (!ask_send(&a, c)) break;
    }
    CHECK(sent < 3000, "the queue is full");
    super_connect(s);
    take_over(s, c, "full", 2);
    CHECK(strcmp(run(c, "echo fine").out, "fine\n") == 0);
    super_stop(s);
}

void a_hundred_hand_overs_leak_nothing(void)
{
    struct super *s = super_start("hundred-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "hundred"});
    pid_t pid = cell_pid(s, "hundred");
    char *count = fmt("ls /proc/%d/fd | wc -l; ls /proc/%d/fd | wc -l", s->pid, pid);
    char before[64] = "", after[64] = "";
    FILE *f = popen(count, "r");
    CHECK(fread(before, 1, sizeof before - 1, f) > 0);
    pclose(f);
    int64_t start = now_millis();
    for (uint64_t epoch = 2; epoch < 102; epoch++) {
        close(c->fd);
        take_over(s, c, "hundred", epoch);
    }
    printf("       100 hand-overs in %lld ms\n", (long long)(now_millis() - start));
    f = popen(count, "r");
    CHECK(fread(after, 1, sizeof after - 1, f) > 0);
    pclose(f);
    CHECK(strcmp(before, after) == 0, "%s -> %s", before, after);
    CHECK(run(c, "true").exit == 0);
    super_stop(s);
}

/* Rule 4, 140: setsid children included. */
void the_death_of_the_supervisor_is_the_death_of_its_cells(void)
{
    struct super *s = super_start("death-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "death"});
    exec_send(c, "(setsid sh -c 'trap \"\" TERM HUP; sleep 987654' &) ; sleep 987653", (struct how){0});
    pid_t pid = cell_pid(s, "death");
    for (int i = 0; i < 500 && alive("sleep 98765") < 3; i++) poll(NULL, 0, 10);
    super_kill(s);
    CHECK(eventually(is_gone, &pid, 3000));
    CHECK(!alive("sleep 98765"), "%d are left", alive("sleep 98765"));
}

/* Rule 7 and 129–130. */
void the_death_of_a_cell_is_told_and_remembered(void)
{
    struct super *s = super_start("told-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "told"});
    bring_probe(c); /* a bomb of 3,000: what goes wrong here must not take the machine along */
    exec_send(c, "./probe bomb; sleep 100", (struct how){0});
    poll(NULL, 0, 300);
    kill(cell_pid(s, "told"), SIGKILL);
    CHECK(super_hear(s, 20000) && supervisor_reply_kind(s->last) == SUPERVISOR_REPLY_KIND_EXITED);
    CHECK(!alive("probe bomb"), "%d are left", alive("probe bomb"));
    struct zap_obj o = supervisor_reply_cell(s->last);
    CHECK(cell_info_life(o) == CELL_LIFE_EXITED && cell_info_signal(o) == SIGKILL);
    CHECK(!hear(c, 0, 1000) && !c->last.buf, "end of file");
    super_connect(s);
    super_order(s, SUPERVISOR_OP_LIST, "", 0);
    CHECK(supervisor_reply_cells(s->last).count == 1);
    CHECK(super_adopt(s, "told", 2, NULL) == SUPERVISOR_REPLY_KIND_REFUSED);
    CHECK(supervisor_refused_code(supervisor_reply_refused(s->last)) == SUPERVISOR_REFUSAL_ENDED);
    CHECK(super_order(s, SUPERVISOR_OP_FORGET, "told", 0) == SUPERVISOR_REPLY_KIND_DONE);
    super_order(s, SUPERVISOR_OP_LIST, "", 0);
    CHECK(supervisor_reply_cells(s->last).count == 0);
    super_stop(s);
}

void a_kill_is_answered_when_nothing_is_left(void)
{
    struct super *s = super_start("kill-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "kill"});
    exec_send(c, "for i in $(seq 100); do (setsid sh -c 'trap \"\" TERM; sleep 876543' &); done; sleep 876543",
              (struct how){0});
    for (int i = 0; i < 500 && alive("sleep 876543") < 200; i++) poll(NULL, 0, 10);
    int64_t start = now_millis();
    CHECK(super_order(s, SUPERVISOR_OP_KILL, "kill", 1) == SUPERVISOR_REPLY_KIND_DONE);
    printf("       200 stubborn processes killed in %lld ms\n", (long long)(now_millis() - start));
    CHECK(!alive("sleep 876543"), "%d are left", alive("sleep 876543"));
    super_stop(s);
}

void an_idle_cell_without_a_host_ends_after_its_grace(void)
{
    struct super *s = super_start("grace-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "grace", .grace_millis = 700});
    pid_t pid = cell_pid(s, "grace");
    exec_send(c, "sleep 1; echo x > m", (struct how){.action = 1});
    close(c->fd);
    int64_t start = now_millis();
    super_connect(s);
    CHECK(eventually(is_gone, &pid, 8000));
    CHECK(now_millis() - start >= 1600, "the command in flight had its time");
    CHECK(strcmp(get_file(fmt("%s/m", c->workspace)), "x\n") == 0);
    super_order(s, SUPERVISOR_OP_LIST, "", 0);
    CHECK(cell_info_reason(supervisor_reply_cells_at(supervisor_reply_cells(s->last), 0)) ==
          CELL_EXIT_REASON_ORPHANED);
    super_stop(s);
}

void two_that_start_at_once_meet_at_one_supervisor(void)
{
    char *dir = fmt("%s/race-s", scratch);
    pid_t pids[4];
    for (int i = 0; i < 4; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            execl(cell_binary, "cell", "supervise", "--dir", dir, "--detach", NULL);
            _exit(127);
        }
    }
    for (int i = 0; i < 4; i++) {
        int status = -1;
        waitpid(pids[i], &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%d", status);
    }
    struct super *s = calloc(1, sizeof *s);
    strcpy(s->dir, dir);
    s->socket = -1;
    super_connect(s);
    CHECK(super_order(s, SUPERVISOR_OP_HELLO, "", 0) == SUPERVISOR_REPLY_KIND_HELLO);
    s->pid = (pid_t)supervisor_hello_result_pid(supervisor_reply_hello(s->last));
    CHECK(atoi(get_file(fmt("%s/supervisor.lock", dir))) == s->pid);
    char *command = fmt("pgrep -fc -- '--dir %s'", dir);
    FILE *f = popen(command, "r");
    int n = 0;
    CHECK(fscanf(f, "%d", &n) == 1 && n <= 2, "%d", n); /* it and the shell that asks */
    pclose(f);
    CHECK(super_order(s, SUPERVISOR_OP_SHUTDOWN, "", 0) == SUPERVISOR_REPLY_KIND_DONE);
    CHECK(eventually(is_gone, &s->pid, 3000));
}

void what_a_spec_says_wrong_is_refused_with_a_sentence(void)
{
    struct super *s = shared_super();
    struct cell_end *c = calloc(1, sizeof *c);
    const struct want bad[] = {{.name = "no/slash"}, {.name = "twice"},
                               {.name = "pair", .ro_source = "relative"},
                               {.name = "root", .ro_source = "/"}};
    cell_start(s, &(struct want){.name = "twice"});
    for (size_t i = 0; i < COUNT(bad); i++) {
        CHECK(super_spawn(s, &bad[i], c) == SUPERVISOR_REPLY_KIND_REFUSED, "%zu", i);
        CHECK(supervisor_refused_message(supervisor_reply_refused(s->last)).len > 10);
    }
    CHECK(send(s->socket, "garbage", 7, MSG_NOSIGNAL) == 7 && super_hear(s, 2000));
    CHECK(supervisor_reply_kind(s->last) == SUPERVISOR_REPLY_KIND_REFUSED);
}

/* The host does nothing of this again. */
void the_hosts_end_does_not_block_and_takes_no_descriptors(void)
{
    struct super *s = super_start("host-end");
    struct cell_end *c = cell_start(s, &(struct want){.name = "host-end"});
    int bytes = 0, rights = 0;
    socklen_t size = sizeof bytes;
    CHECK(fcntl(c->fd, F_GETFL) & O_NONBLOCK);
    CHECK(getsockopt(c->fd, SOL_SOCKET, SO_SNDBUF, &bytes, &size) == 0 && bytes > 2 * ZAP_MAX);
    size = sizeof rights;
    CHECK(getsockopt(c->fd, SOL_SOCKET, 83 /* SO_PASSRIGHTS */, &rights, &size) != 0 || rights == 0);
    super_stop(s);
}
