/* Commands: results, deadlines, what they leave behind, how much they print. */
#include <stdio.h>
#include <stdlib.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checks.h"

/* The daemon and all below it, seen from outside; but not the one process with its minder that waits
 * for the next command. */
static int processes_of_cell(const char *name)
{
    enum { MOST = 4096 };
    static struct {
        pid_t pid, parent;
        char comm[64];
        bool in;
    } p[MOST];
    int n = 0, count = 1, minders = 0, waiting = 0;
    pid_t top = cell_pid(shared_super(), name);
    FILE *f = popen("ps -eo pid=,ppid=,comm=", "r");
    while (f && n < MOST && fscanf(f, "%d %d %63[^\n]", &p[n].pid, &p[n].parent, p[n].comm) == 3) p[n++].in = false;
    if (f) pclose(f);
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < n; i++) {
            int parent = -1;
            for (int k = 0; k < n; k++)
                if (p[k].in && p[k].pid == p[i].parent) parent = k;
            if (p[i].in || (p[i].parent != top && parent < 0)) continue;
            bool is_ours = strcmp(p[i].comm, "cell") == 0;
            minders += is_ours && parent < 0;
            waiting += is_ours && parent >= 0 && p[parent].parent == top;
            p[i].in = again = true;
            count++;
        }
    }
    return minders == 1 && waiting == 1 ? count - 2 : count;
}

/* For what takes its time on a busy machine; where it went wrong it would not come at all. */
enum { GENEROUS_MILLIS = 30000 };

static bool is_none_alive(void *pattern) { return alive(pattern) == 0; }

static bool is_alone(void *cell) { return processes_of_cell(cell) == 1; }

static struct cell_end *start(const char *name)
{
    return cell_start(shared_super(), &(struct want){.name = name});
}

void a_command_answers_with_exit_and_both_streams(void)
{
    struct cell_end *c = start("basic");
    struct result r = run(c, "echo out; echo err >&2; exit 3");
    CHECK(r.exit == 3, "%d %s", r.exit, r.message);
    CHECK(r.signal == 0 && r.ending == CELL_ENDING_ENDED && r.left == 0);
    CHECK(strcmp(r.out, "out\n") == 0, "%s", r.out);
    CHECK(strcmp(r.err, "err\n") == 0, "%s", r.err);
    r = run(c, "kill -9 $$");
    CHECK(r.exit == -1 && r.signal == 9, "%d %d", r.exit, r.signal);
    r = run_how(c, "cat", (struct how){.input = "given"});
    CHECK(strcmp(r.out, "given") == 0, "%s", r.out);
}

void argv_is_run_without_a_shell_and_unknown_programs_are_refused(void)
{
    static struct asked a;
    struct cell_end *c = start("argv");
    const char *words[2][2] = {{"echo", "$HOME;ls"}, {"no-such-program", "x"}};
    for (int k = 0; k < 2; k++) {
        ask_begin(&a, c, CELL_OP_EXEC, 0);
        uint32_t at = cell_request_new_exec(&a.w, a.root);
        uint32_t argv = cell_exec_new_argv(&a.w, at, 2);
        for (uint32_t i = 0; i < 2; i++)
            text_set_value(&a.w, cell_exec_new_argv_at(&a.w, argv, i), words[k][i],
                           strlen(words[k][i]));
        struct result r = exec_result(c, ask_send(&a, c));
        if (k == 0) CHECK(strcmp(r.out, "$HOME;ls\n") == 0, "%s", r.out);
        if (k == 1) CHECK(r.code == CELL_REFUSAL_NOT_EXECUTABLE, "%d", r.code);
    }
    /* Refused: the id is free. */
    struct result r = run_how(c, "echo free", (struct how){.action = c->next_action});
    CHECK(strcmp(r.out, "free\n") == 0, "%s", r.message);
    ask_begin(&a, c, CELL_OP_EXEC, 0);
    cell_request_new_exec(&a.w, a.root);
    r = exec_result(c, ask_send(&a, c));
    CHECK(r.code == CELL_REFUSAL_INVALID, "neither argv nor command: %d", r.code);
}

void the_environment_is_the_preset_and_what_the_spec_names(void)
{
    setenv("CANARY", "canary-of-the-service", 1);
    struct cell_end *c = cell_start(
        shared_super(), &(struct want){.name = "env", .env = {"COLOUR", "blue", "PAGER", "less"}});
    struct result r = run(c, "env | sort; echo; pwd");
    CHECK(strstr(r.out, "COLOUR=blue") && strstr(r.out, "PAGER=less"), "%s", r.out);
    CHECK(strstr(r.out, "GIT_TERMINAL_PROMPT=0") && strstr(r.out, "GIT_EDITOR=true"), "%s", r.out);
    CHECK(strstr(r.out, fmt("HOME=%s/env/home\n", scratch)) != NULL, "%s", r.out);
    CHECK(strstr(r.out, fmt("WORKSPACE=%s\n", c->workspace)) != NULL, "%s", r.out);
    CHECK(strstr(r.out, fmt("\n%s\n", c->workspace)) != NULL, "%s", r.out);
    CHECK(!strstr(r.out, "CANARY") && !strstr(r.out, "LOGNAME"), "%s", r.out);
    CHECK(run(c, "cat /proc/self/environ /proc/1/environ | tr '\\0' '\\n' | grep -c canary").exit == 1);
}

/* H1 */
void a_grandchild_that_holds_the_pipe_does_not_hold_the_result(void)
{
    struct cell_end *c = start("h1");
    char command[] = "bash -c 'exec > >(tee f) 2>&1; echo hi'";
    struct result r = run(c, command);
    CHECK(r.exit == 0 && r.elapsed < GENEROUS_MILLIS, "%d %d", r.exit, (int)r.elapsed);
    CHECK(strcmp(r.out, "hi\n") == 0, "%s", r.out);
    CHECK(strcmp(run(c, "cat f").out, "hi\n") == 0);
    r = run(c, "sleep 11001 & echo started");
    CHECK(r.exit == 0 && r.elapsed < GENEROUS_MILLIS && r.left == 1, "%d left %u", r.exit, r.left);
    CHECK(!alive("sleep 11001"), "what it left is dead");
}

/* H2 */
void at_the_deadline_the_whole_tree_dies(void)
{
    struct cell_end *c = start("h2");
    struct result r =
        run_how(c, "mkfifo p; (while :; do echo c; sleep 1; done) >p & cat p", (struct how){.millis = 1500});
    CHECK(r.ending == CELL_ENDING_TIMED_OUT && r.signal == 9, "%d %d", r.ending, r.signal);
    CHECK(r.elapsed >= 1500, "%d ms", (int)r.elapsed);
    CHECK(strncmp(r.out, "c\n", 2) == 0, "%s", r.out);
    CHECK(eventually(is_alone, "h2", GENEROUS_MILLIS), "only the daemon is left");
}

/* E7, 129: half of them double-forked into sessions of their own, all deaf to signals. */
void stubborn_children_die_with_their_command(void)
{
    struct cell_end *c = start("stubborn");
    struct result r = run_how(c,
                              "for i in $(seq 50); do\n"
                              "  (setsid sh -c 'trap \"\" TERM HUP INT; while :; do sleep 11002; done' &) &\n"
                              "  sh -c 'trap \"\" TERM HUP INT; while :; do sleep 11002; done' &\n"
                              "done; sleep 11002",
                              (struct how){.millis = 4000});
    CHECK(r.ending == CELL_ENDING_TIMED_OUT && r.signal == 9, "%d %d", r.ending, r.signal);
    /* On a busy machine the outcome, due within a second, is told while the last are dying. */
    CHECK(eventually(is_none_alive, "sleep 11002", GENEROUS_MILLIS), "%d are left", alive("sleep 11002"));
    r = run(c, "(setsid sh -c 'trap \"\" TERM; sleep 11003' >/dev/null 2>&1 </dev/null &)");
    CHECK(r.exit == 0 && r.left >= 1, "%d left %u", r.exit, r.left);
    CHECK(eventually(is_none_alive, "sleep 11003", GENEROUS_MILLIS));
}

void a_fork_bomb_is_bounded_and_dies_at_its_deadline(void)
{
    struct cell_end *c =
        cell_start(shared_super(), &(struct want){.name = "bomb", .processes = 200});
    bring_probe(c);
    struct result r = run_how(c, "./probe bomb; sleep 100", (struct how){.millis = 2000});
    CHECK(r.ending != 0, "%d", r.ending);
    CHECK(eventually(is_alone, "bomb", GENEROUS_MILLIS), "%d", processes_of_cell("bomb"));
    r = run(c, "echo still here");
    CHECK(strcmp(r.out, "still here\n") == 0, "%s %s", r.out, r.message);
}

/* H3 */
void standard_input_is_empty_unless_given(void)
{
    struct cell_end *c = start("h3");
    struct result r = run(c, "cat; echo end");
    CHECK(r.exit == 0 && r.elapsed < GENEROUS_MILLIS && strcmp(r.out, "end\n") == 0, "%s", r.out);
}

/* H7 */
void a_here_document_of_64_kib_arrives_whole(void)
{
    struct cell_end *c = start("h7");
    char *text = calloc(1, 70000), *command = calloc(1, 80000);
    for (size_t n = 0; n < 65500; n += strlen(text + n))
        strcpy(text + n, n % 3 ? "\"quoted\" $HOME `x` \xe4\xbd\xa0 \\\\ '\n" : "plain line\n");
    sprintf(command, "cat > f <<'END'\n%sEND\n", text);
    struct result r = run(c, command);
    CHECK(r.exit == 0, "%d %s", r.exit, r.err);
    char *got = get_file(fmt("%s/f", c->workspace));
    CHECK(strcmp(got, text) == 0, "%zu bytes of %zu", strlen(got), strlen(text));
}

/* H8 */
void nothing_waits_for_a_terminal(void)
{
    struct cell_end *c = start("h8");
    struct result r = run(c, "read x </dev/tty");
    CHECK(r.exit != 0 && r.elapsed < GENEROUS_MILLIS, "%d", r.exit);
    r = run(c, "git clone https://127.0.0.1:1/private");
    CHECK(r.exit != 0 && r.elapsed < GENEROUS_MILLIS, "%d", r.exit);
    r = run(c, "python3 -c 'import getpass; getpass.getpass()'");
    CHECK(r.exit != 0 && r.elapsed < GENEROUS_MILLIS, "%d", r.exit);
    r = run(c, "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git log | head -1");
    CHECK(r.exit == 0 && strncmp(r.out, "commit ", 7) == 0, "%s%s", r.out, r.err);
}

/* O1, O3 */
void huge_output_is_bounded_and_keeps_head_tail_and_count(void)
{
    struct cell_end *c = start("o1");
    pid_t pid = cell_pid(shared_super(), "o1");
    long before = resident_kib(pid);
    struct result r = run(c, "yes | head -c 512M; echo END");
    CHECK(r.exit == 0, "%d %s", r.exit, r.message);
    CHECK(r.out_total == (512ull << 20) + 4, "%llu", (unsigned long long)r.out_total);
    CHECK(r.out_kept == 64 << 20, "%llu", (unsigned long long)r.out_kept);
    CHECK(strlen(r.out) == 49152 && strncmp(r.out, "y\ny\n", 4) == 0);
    CHECK(strcmp(r.out + strlen(r.out) - 6, "y\nEND\n") == 0, "%s", r.out + strlen(r.out) - 6);
    CHECK(resident_kib(pid) - before < 1024, "grew by %ld KiB", resident_kib(pid) - before);
    r = run(c, "seq 1 20000; echo FAILED test_x >&2; exit 1");
    CHECK(strcmp(r.err, "FAILED test_x\n") == 0 && r.exit == 1);
    CHECK(strcmp(r.out + strlen(r.out) - 6, "20000\n") == 0);
}

void the_whole_output_can_be_pulled_until_acknowledged(void)
{
    static struct asked a;
    struct cell_end *c = start("pull");
    struct result r = run(c, "seq 1 100000");
    uint64_t action = c->next_action, at = 0;
    char *all = calloc(1, 1 << 20);
    bool ended = false;
    for (int i = 0; i < 20 && at < r.out_total; i++) {
        ask_begin(&a, c, CELL_OP_OUTPUT, action);
        uint32_t o = cell_request_new_output(&a.w, a.root);
        cell_output_set_stream(&a.w, o, CELL_STREAM_NAME_STDOUT);
        cell_output_set_offset(&a.w, o, at);
        CHECK(hear(c, ask_send(&a, c), 5000) && !code_of(c), "%d", code_of(c));
        struct zap_obj got = cell_reply_output(c->last);
        struct zap_run data = cell_output_result_data(got);
        ended = cell_output_result_ended(got);
        memcpy(all + at, data.at, data.len);
        at += data.len;
    }
    CHECK(at == r.out_total && ended && at == 588895, "%llu", (unsigned long long)at);
    CHECK(strncmp(all + 588895 - 7, "100000\n", 7) == 0 && strncmp(all, "1\n2\n", 4) == 0);
    ask_begin(&a, c, CELL_OP_ACK, action);
    hear(c, ask_send(&a, c), 5000);
    ask_begin(&a, c, CELL_OP_OUTPUT, action);
    cell_output_set_stream(&a.w, cell_request_new_output(&a.w, a.root), CELL_STREAM_NAME_STDOUT);
    hear(c, ask_send(&a, c), 5000);
    CHECK(code_of(c) == CELL_REFUSAL_NOT_HELD, "%d", code_of(c));
}

void a_running_command_can_be_watched_and_cancelled(void)
{
    static struct asked a;
    struct cell_end *c = start("cancel");
    uint64_t request = exec_send(c, "echo begun; sleep 1000", (struct how){0});
    uint64_t action = c->next_action;
    struct zap_run data = {0};
    for (int i = 0; i < 500 && !data.len; i++, poll(NULL, 0, 10)) {
        ask_begin(&a, c, CELL_OP_OUTPUT, action);
        cell_output_set_stream(&a.w, cell_request_new_output(&a.w, a.root), CELL_STREAM_NAME_STDOUT);
        hear(c, ask_send(&a, c), 5000);
        data = cell_output_result_data(cell_reply_output(c->last));
    }
    CHECK(data.len == 6 && memcmp(data.at, "begun\n", 6) == 0);
    ask_begin(&a, c, CELL_OP_CANCEL, action);
    CHECK(hear(c, ask_send(&a, c), 5000) && !code_of(c));
    struct result r = exec_result(c, request);
    CHECK(r.ending == CELL_ENDING_CANCELLED && r.signal == 9 && r.elapsed < GENEROUS_MILLIS, "%d", r.ending);
    ask_begin(&a, c, CELL_OP_CANCEL, action);
    hear(c, ask_send(&a, c), 5000);
    CHECK(code_of(c) == CELL_REFUSAL_NOT_RUNNING);
}

void what_was_to_be_kept_lives_on(void)
{
    if (shared_level() != CELL_LEVEL_NAMESPACES) return; /* there are no sockets at all */
    struct cell_end *c = start("keep");
    struct result r = run_how(c, "python3 -m http.server 3000 >/dev/null 2>&1 & echo up",
                              (struct how){.keep = true});
    CHECK(r.exit == 0 && r.left == 1, "left %u", r.left);
    r = run(c, "for i in $(seq 100); do curl -sf http://127.0.0.1:3000/ >/dev/null && exit 0; sleep 0.1; done; exit 1");
    CHECK(r.exit == 0, "a server inside answers on loopback");
    static struct asked a;
    ask_begin(&a, c, CELL_OP_CANCEL, 1);
    CHECK(hear(c, ask_send(&a, c), 5000) && !code_of(c));
    for (int i = 0; i < 300 && processes_of_cell("keep") > 1; i++) poll(NULL, 0, 10);
    CHECK(processes_of_cell("keep") == 1, "it can be ended under its id");
}
