/* What a host does to a command that it talks to: type, resize, signal. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "run.h"

/* The command's side is opened by the terminal's own descriptor: there may be no path to it. */
bool pty_open(struct terminal *t)
{
    struct winsize size = {.ws_row = t->rows ? t->rows : 24, .ws_col = t->cols ? t->cols : 80};
    t->ends[0] = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (t->ends[0] < 0 || unlockpt(t->ends[0]) != 0) return false;
    t->ends[1] = ioctl(t->ends[0], TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    return t->ends[1] >= 0 && ioctl(t->ends[1], TIOCSWINSZ, &size) == 0;
}

void do_spawn(const struct request *q)
{
    struct zap_obj o = cell_request_spawn(q->o);
    struct terminal t = {.is_spawn = true,
                         .is_pty = cell_spawn_pty(o),
                         .cols = cell_spawn_cols(o),
                         .rows = cell_spawn_rows(o),
                         .credit = cell_spawn_credit_bytes(o),
                         .ends = {-1, -1}};
    run_begin(q, cell_spawn_exec(o), &t);
    close_fd(&t.ends[0]);
    close_fd(&t.ends[1]);
}

static struct run *running(const struct request *q)
{
    struct run *r = run_find(q->action);
    if (r && r->effect && !r->has_ended) return r;
    refuse(q, CELL_REFUSAL_NOT_RUNNING, "action %llu is not running", (unsigned long long)q->action);
    return NULL;
}

static void done(const struct request *q)
{
    struct reply p;
    reply_begin(&p, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    reply_send(&p);
}

static void accept_input(struct run *r, const uint8_t *p, size_t n, bool close)
{
    ssize_t wrote = n ? write(r->input, p, n) : 0;
    if (wrote < 0 && errno != EAGAIN) { /* nobody reads any more */
        close_fd(&r->input);
        return;
    }
    r->input_bytes += wrote > 0 ? (uint64_t)wrote : 0;
    if (!close || (n && wrote != (ssize_t)n)) return;
    if (r->is_pty) {
        if (write(r->input, "\x04", 1) != 1) return;
    } else {
        close_fd(&r->input);
    }
}

void do_input(const struct request *q)
{
    struct zap_obj o = cell_request_input(q->o);
    struct zap_run data = cell_input_data(o);
    uint64_t offset = cell_input_offset(o);
    struct run *r = running(q);
    if (!r) return;
    if (offset > r->input_bytes || data.len > CHUNK_BYTES) {
        refuse(q, CELL_REFUSAL_INVALID, "%llu bytes of input are accepted: go on from there",
               (unsigned long long)r->input_bytes);
        return;
    }
    uint64_t known = r->input_bytes - offset;
    if (r->input < 0) {
        refuse(q, CELL_REFUSAL_NOT_RUNNING, "its standard input is closed");
        return;
    }
    if (known < data.len || cell_input_close(o)) {
        size_t skip = known < data.len ? (size_t)known : data.len;
        accept_input(r, data.at + skip, data.len - skip, cell_input_close(o));
    }
    struct reply p;
    reply_begin(&p, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    cell_input_result_set_accepted_bytes(&p.w, cell_reply_new_input(&p.w, p.root), r->input_bytes);
    reply_send(&p);
}

void do_resize(const struct request *q)
{
    struct zap_obj o = cell_request_resize(q->o);
    struct winsize size = {.ws_row = cell_resize_rows(o), .ws_col = cell_resize_cols(o)};
    struct run *r = running(q);
    if (!r) return;
    if (!size.ws_row || !size.ws_col || !r->is_pty || ioctl(r->input, TIOCSWINSZ, &size) != 0)
        refuse(q, CELL_REFUSAL_INVALID, "only a pty has a size, and it is not zero");
    else
        done(q);
}

void do_kill(const struct request *q)
{
    if (is_handle(q->action)) {
        observe_close(q);
        return;
    }
    uint32_t signal = cell_kill_signal(cell_request_kill(q->o));
    struct run *r = running(q);
    if (!r) return;
    if (signal > 64 || r->command <= 0)
        refuse(q, CELL_REFUSAL_INVALID, "there is no such signal, or nothing to take it yet");
    else if (kill(-r->command, signal ? (int)signal : SIGKILL) != 0)
        refuse(q, refusal_of(errno), "it cannot be signalled: %s", strerror(errno));
    else
        done(q);
}
