/* A command from request to outcome.
 *
 * running  --it exits-->  draining  --pipes at their end, or 500 ms-->  done, or killing
 * running  --deadline, cancel-->  killing  --nothing left, or 900 ms-->  done
 *
 * What a command left running is killed before its outcome is told, unless it was to be kept. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guard.h"
#include "run.h"

enum {
    DEFAULT_MILLIS = 120000,
    MOST_MILLIS = 3600000,
    DRAIN_MILLIS = 500,
    ROUND_MILLIS = 2,
    CENSUS_MILLIS = 40,
    TELL_MILLIS = 900, /* an outcome comes within a second of the deadline */
};

static struct run *runs;

struct run *run_first(void) { return runs; }

struct run *run_find(uint64_t action)
{
    struct run *r = runs;
    while (r && (r->action != action || !r->minder)) r = r->next;
    return r;
}
static struct timer census;

/* Of all commands together: where neither RLIMIT_NPROC (for uid 0) nor a pid namespace bounds them. */
static void on_census(struct timer *t)
{
    uint32_t most = the_daemon.cell->spec->limits.processes;
    if (runs_any() && tree_count(the_daemon.cell->proc, getpid()) > most + most / 4)
        for (struct run *r = runs; r; r = r->next)
            if (r->minder) tree_kill(the_daemon.cell->proc, r->minder, NULL);
    timer_start(t, runs_any() ? CENSUS_MILLIS : 60000, on_census, NULL);
}

void runs_init(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    guard_init();
    if (!has_namespaces(the_daemon.cell) && the_daemon.cell->spec->uid == 0)
        timer_start(&census, CENSUS_MILLIS, on_census, NULL);
}

bool runs_any(void)
{
    for (struct run *r = runs; r; r = r->next)
        if (!r->is_told) return true;
    return false;
}

void runs_kill_everything(void)
{
    for (int i = 0; i < 200; i++) {
        if (tree_kill(the_daemon.cell->proc, getpid(), NULL) == 0) return;
        while (waitpid(-1, NULL, WNOHANG) > 0) continue;
    }
}

/* Of several that run side by side the last one answers for what they changed. A terminal may stay
 * open for hours: nobody waits for it. */
static bool runs_alone(const struct run *r)
{
    for (struct run *other = runs; other; other = other->next)
        if (other != r && !other->is_told && !other->is_pty) return false;
    return true;
}

static void close_report(struct run *r)
{
    if (!r->report.active) return;
    watch_stop(&r->report);
    close(r->report.fd);
}

static void free_run(struct run *r)
{
    for (struct run **p = &runs; *p; p = &(*p)->next)
        if (*p == r) {
            *p = r->next;
            break;
        }
    close_report(r);
    close_fd(&r->input);
    timer_stop(&r->timer);
    stream_free(&r->out);
    stream_free(&r->err);
    free(r);
}

/* ---- the end ---- */

static void tell(struct run *r)
{
    struct effect *e = r->effect;
    struct reply p;
    stream_drain(&r->out);
    stream_drain(&r->err);
    push_run(r);
    uint32_t outcome = outcome_begin(&p, e);
    uint32_t at = cell_outcome_new_exec(&p.w, outcome);
    bool by_signal = !r->has_ended || WIFSIGNALED(r->status);
    cell_exec_outcome_set_exit(&p.w, at, by_signal ? -1 : WEXITSTATUS(r->status));
    cell_exec_outcome_set_signal(&p.w, at,
                                 !by_signal ? 0 : r->has_ended ? WTERMSIG(r->status) : SIGKILL);
    cell_exec_outcome_set_ending(&p.w, at, r->ending);
    cell_exec_outcome_set_left_running(&p.w, at, r->left);
    cell_exec_outcome_set_left_kept(&p.w, at, r->left && r->keep_running);
    cell_exec_outcome_set_elapsed_millis(&p.w, at, (uint64_t)(now_millis() - r->started_millis));
    cell_exec_outcome_set_cpu_millis(&p.w, at, r->cpu_millis);
    stream_put(&r->out, &p.w, cell_exec_outcome_new_stdout(&p.w, at));
    stream_put(&r->err, &p.w, cell_exec_outcome_new_stderr(&p.w, at));
    uint32_t reverted = runs_alone(r) ? guard_restore() : 0;
    uint32_t list = cell_exec_outcome_new_reverted(&p.w, at, reverted);
    for (uint32_t i = 0; i < reverted; i++)
        text_set_value(&p.w, cell_exec_outcome_new_reverted_at(&p.w, list, i), guard_reverted(i),
                       strlen(guard_reverted(i)));
    uint32_t refused = cell_exec_outcome_new_denied(&p.w, at, r->refusal_kinds);
    for (uint32_t i = 0; i < r->refusal_kinds; i++) {
        uint32_t one = cell_exec_outcome_new_denied_at(&p.w, refused, i);
        cell_denied_set_call(&p.w, one, r->refusals[i].name, strlen(r->refusals[i].name));
        cell_denied_set_count(&p.w, one, r->refusals[i].count);
    }
    struct stream *streams[] = {&r->out, &r->err};
    for (int i = 0; i < 2; i++) {
        e->total[i] = streams[i]->total;
        e->kept[i] = streams[i]->kept;
        e->spool[i] = streams[i]->file;
        streams[i]->file = -1;
        streams[i]->is_keeping = false;
    }
    e->run = NULL;
    r->effect = NULL;
    r->is_told = true;
    outcome_end(&p, e);
    ready_soon();
}

/* Nothing of it is left, or it is to live on: then its minder and streams stay, unheard. */
static void finish(struct run *r)
{
    if (!r->is_told) tell(r);
    if (!r->minder) free_run(r);
}

static void on_round(struct timer *t)
{
    struct run *r = t->owner;
    tree_kill(the_daemon.cell->proc, r->minder, NULL);
    if (!r->is_told && now_millis() - r->kill_millis > TELL_MILLIS) {
        r->left = tree_count(the_daemon.cell->proc, r->minder);
        tell(r);
    }
    timer_start(t, ROUND_MILLIS, on_round, r);
}

static void begin_kill(struct run *r)
{
    r->phase = PHASE_KILLING;
    r->kill_millis = now_millis();
    if (!r->minder) {
        finish(r);
        return;
    }
    on_round(&r->timer);
}

static void settle(struct run *r)
{
    r->left = r->minder && !r->is_alone ? tree_count(the_daemon.cell->proc, r->minder) : 0;
    if (r->left && !r->keep_running)
        begin_kill(r);
    else
        finish(r);
}

static void on_drained(struct timer *t) { settle(t->owner); }

void run_streams_changed(struct run *r)
{
    if (r->phase != PHASE_DRAINING || r->is_told || stream_is_open(&r->out) ||
        stream_is_open(&r->err))
        return;
    timer_stop(&r->timer);
    settle(r);
}

static void refuse_start(struct run *r)
{
    bool is_resource = r->failure == EAGAIN || r->failure == ENOMEM || r->failure == EMFILE;
    effect_refuse(r->effect, is_resource ? CELL_REFUSAL_RESOURCES : CELL_REFUSAL_NOT_EXECUTABLE,
                  "the program cannot be run: %s", strerror(r->failure));
    r->effect = NULL;
    r->is_told = true;
    timer_stop(&r->timer);
}

static void ended(struct run *r, const struct report *report)
{
    r->has_ended = true;
    r->command = 0;
    r->status = report->value;
    r->cpu_millis = report->cpu_millis;
    r->is_alone = report->is_alone;
    if (r->phase != PHASE_RUNNING || r->is_told) return;
    if (r->failure) {
        refuse_start(r);
        return;
    }
    r->phase = PHASE_DRAINING;
    r->ending = CELL_ENDING_ENDED;
    timer_start(&r->timer, DRAIN_MILLIS, on_drained, r);
    run_streams_changed(r);
}

/* Answers false when the run is gone. */
static bool take_report(struct run *r)
{
    struct report report;
    ssize_t n = read(r->report.fd, &report, sizeof report);
    if (n == (ssize_t)sizeof report) {
        if (report.kind == REPORT_FAILED) r->failure = report.value;
        if (report.kind == REPORT_STARTED) r->command = report.value;
        if (report.kind == REPORT_ENDED) ended(r, &report);
        return true;
    }
    if (n == 0) close_report(r);
    return false;
}

static void on_report(struct watch *w, uint32_t events)
{
    (void)events;
    take_report(w->owner);
}

/* A minder that was killed cannot say how its command ended, and its children are now ours. */
static void kill_strays(void)
{
    for (struct run *r = runs; r; r = r->next)
        if (r->minder) return; /* they are found when the last of the others goes */
    for (int i = 0; i < 50 && tree_kill(the_daemon.cell->proc, getpid(), NULL); i++)
        while (waitpid(-1, NULL, WNOHANG) > 0) continue;
}

void run_child_gone(pid_t pid)
{
    struct run *r = runs;
    ready_child_gone(pid);
    while (r && r->minder != pid) r = r->next;
    if (!r) return;
    /* Its last words may still be in the pipe; the run must outlive their reading. */
    for (int i = 0; i < 4 && r->report.active; i++)
        if (!r->has_ended || r->report.active) {
            struct report report;
            if (read(r->report.fd, &report, sizeof report) != (ssize_t)sizeof report) break;
            if (report.kind == REPORT_FAILED) r->failure = report.value;
            if (report.kind == REPORT_ENDED) {
                r->minder = pid;
                ended(r, &report);
            }
        }
    r->minder = 0;
    if (!r->has_ended && !r->is_told && r->failure) refuse_start(r);
    if (!r->has_ended && !r->failure) kill_strays();
    if (r->is_told || r->phase == PHASE_KILLING || !r->has_ended) {
        if (!r->is_told && !r->ending) r->ending = CELL_ENDING_ENDED;
        finish(r);
    }
}

/* ---- the start ---- */

static void on_deadline(struct timer *t)
{
    struct run *r = t->owner;
    r->ending = CELL_ENDING_TIMED_OUT;
    begin_kill(r);
}

/* Answers false and errno when there is no process to be had. One that was kept may have been killed
 * by a command. */
static bool begin(struct ready *w, struct command *c)
{
    for (int tries = 0; tries < 2; tries++) {
        if (!ready_take(w)) return false;
        if (ready_go(w, c)) return true;
        int error = errno;
        ready_close(w);
        errno = error;
    }
    return false;
}

/* A pty serves as all three streams; ours is the read end of stdout then, stderr has none. */
static bool take_streams(struct ready *w, const struct terminal *t)
{
    if (!t->is_pty) return true;
    close_fd(&w->out);
    close_fd(&w->err);
    w->out = fcntl(t->ends[0], F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    return w->out >= 0;
}

static void start(struct effect *e, struct command *c, uint32_t millis, bool keep_running,
                  struct terminal *t)
{
    struct ready w;
    if (runs_alone(NULL)) {
        if (runs_any()) guard_restore(); /* of what was done at a terminal so far */
        guard_remember();
    }
    if (!begin(&w, c)) {
        effect_refuse(e, CELL_REFUSAL_RESOURCES, "no process can be started: %s", strerror(errno));
        return;
    }
    if (!take_streams(&w, t)) _exit(125); /* it runs, and nobody could hear it */
    struct run *r = grab(sizeof *r);
    r->effect = e;
    e->run = r;
    r->action = e->action;
    r->minder = w.minder;
    r->keep_running = keep_running;
    r->started_millis = now_millis();
    r->next = runs;
    runs = r;
    r->timer.owner = r; /* there may be no deadline to say so */
    r->input = t->is_spawn ? t->ends[0] : -1;
    r->is_spawn = t->is_spawn;
    r->is_pty = t->is_pty;
    t->ends[0] = t->is_spawn ? -1 : t->ends[0];
    stream_open(&r->out, w.out, r);
    stream_open(&r->err, w.err, r);
    r->out.credit = r->err.credit = t->credit;
    r->out.is_heard = r->err.is_heard = t->credit > 0;
    watch_start(&r->report, w.report, EPOLLIN, on_report, r);
    if (millis) timer_start(&r->timer, millis, on_deadline, r);
    if (census.active) timer_start(&census, CENSUS_MILLIS, on_census, NULL);
    /* While this one runs: the next may be asked for as soon as this one's outcome is told. */
    ready_soon();
}

void do_exec(const struct request *q)
{
    struct terminal none = {.ends = {-1, -1}};
    run_begin(q, cell_request_exec(q->o), &none);
}

void run_begin(const struct request *q, struct zap_obj exec, struct terminal *t)
{
    uint32_t millis = cell_exec_timeout_millis(exec);
    struct effect *e = effect_admit(q);
    if (!e) return;
    if (millis > MOST_MILLIS) {
        effect_refuse(e, CELL_REFUSAL_INVALID, "a command may take at most %d ms", MOST_MILLIS);
        return;
    }
    struct command c;
    struct text why;
    uint16_t code;
    if (command_build(q, exec, t, &c, &code, &why))
        start(e, &c, millis || t->is_spawn ? millis : DEFAULT_MILLIS, cell_exec_keep_running(exec), t);
    else
        effect_refuse(e, code, "%s", why.s);
    command_free(&c);
}

/* Also ends what was left running on purpose, whose outcome is told. */
void do_cancel(const struct request *q)
{
    struct run *r = run_find(q->action);
    if (!r) {
        refuse(q, CELL_REFUSAL_NOT_RUNNING, "action %llu is not running",
               (unsigned long long)q->action);
        return;
    }
    struct reply p;
    reply_begin(&p, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    reply_send(&p);
    if (r->phase == PHASE_KILLING) return;
    timer_stop(&r->timer);
    if (!r->has_ended) r->ending = CELL_ENDING_CANCELLED;
    begin_kill(r);
}

/* ---- what it printed ---- */

void do_output(const struct request *q)
{
    static uint8_t chunk[CHUNK_BYTES];
    struct zap_obj o = cell_request_output(q->o);
    uint16_t which = cell_output_stream(o);
    uint64_t offset = cell_output_offset(o);
    uint32_t length = cell_output_length(o);
    struct effect *e = effect_find(q->action);
    if (!e || (e->op != CELL_OP_EXEC && e->op != CELL_OP_SPAWN) || e->state == CELL_STATE_SPENT) {
        refuse(q, CELL_REFUSAL_NOT_HELD, "no output of action %llu is kept",
               (unsigned long long)q->action);
        return;
    }
    if (which != CELL_STREAM_NAME_STDOUT && which != CELL_STREAM_NAME_STDERR) {
        refuse(q, CELL_REFUSAL_INVALID, "an output stream is stdout or stderr");
        return;
    }
    const struct stream *s = e->run ? which == CELL_STREAM_NAME_STDOUT ? &e->run->out : &e->run->err
                                    : NULL;
    uint64_t total = s ? s->total : e->total[which - 1];
    uint64_t kept = s ? stream_kept(s) : e->kept[which - 1];
    if (length == 0 || length > CHUNK_BYTES) length = CHUNK_BYTES;
    if (s)
        length = stream_read(s, offset, chunk, length);
    else if (offset >= kept)
        length = 0;
    else if (length > kept - offset)
        length = (uint32_t)(kept - offset);
    if (length && !s &&
        pread(e->spool[which - 1], chunk, length, (off_t)offset) != (ssize_t)length) {
        refuse(q, CELL_REFUSAL_IO, "the kept output cannot be read: %s", strerror(errno));
        return;
    }
    struct reply p;
    reply_begin(&p, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    uint32_t at = cell_reply_new_output(&p.w, p.root);
    cell_output_result_set_data(&p.w, at, chunk, length);
    cell_output_result_set_total_bytes(&p.w, at, total);
    cell_output_result_set_kept_bytes(&p.w, at, kept);
    cell_output_result_set_ended(&p.w, at, !s);
    reply_send(&p);
}
