/* Between the daemon and a command: its parent, and the parent of what it leaves behind.
 *
 * All of this runs in the daemon's memory and beside it, on stacks of its own (struct room). So it
 * calls nothing of libc that has a state: no malloc, no errno, no stdio. Descriptors, directory,
 * umask and signal handlers are its own. */
#include "minder.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "raw.h"

/* Descriptors of the minder and of its command, in place of the daemon's own. */
enum { GO = FD_HOST, OUT = FD_CONTROL, ERR = FD_JOURNAL, REPORT = FD_SPOOL, DOMAIN };

static void report(int fd, int kind, long value, bool is_alone, uint64_t cpu_millis)
{
    struct report r;
    memset(&r, 0, sizeof r);
    r.kind = kind;
    r.value = (int32_t)value;
    r.is_alone = is_alone;
    r.cpu_millis = cpu_millis;
    RAW(SYS_write, fd, (long)&r, sizeof r);
}

static void fail(long error) __attribute__((noreturn));

static void fail(long error)
{
    report(REPORT, REPORT_FAILED, error, false, 0);
    raw_exit(125);
}

/* ---- the command, before it is one ---- */

static const char *path_of(char **env)
{
    for (; *env; env++)
        if (strncmp(*env, "PATH=", 5) == 0) return *env + 5;
    return "/usr/local/bin:/usr/bin:/bin";
}

/* Answers why not. A script without #! is the shell's, as execvp(3) has it. */
static int try_exec(const char *file, const struct command *c)
{
    long error = RAW(SYS_execve, (long)file, (long)c->argv, (long)c->env);
    if (error != -ENOEXEC) return (int)-error;
    c->script[1] = (char *)file;
    return (int)-RAW(SYS_execve, (long)c->script[0], (long)c->script, (long)c->env);
}

/* The errno of the best try: a file that may not be run says more than the ones not there. */
static int run_by_path(const struct command *c)
{
    const char *name = c->argv[0];
    int best = ENOENT;
    if (strchr(name, '/')) return try_exec(name, c);
    for (const char *p = path_of(c->env), *end; p; p = *end ? end + 1 : NULL) {
        char file[4096 + 256];
        end = p + strcspn(p, ":");
        size_t n = (size_t)(end - p), m = strlen(name);
        if (n + m + 2 > sizeof file) continue;
        memcpy(file, p, n);
        if (n) file[n++] = '/';
        memcpy(file + n, name, m + 1);
        int error = try_exec(file, c);
        if (error != ENOENT && error != ENOTDIR) best = error;
    }
    return best;
}

/* Waits to be told to go, and takes directory and standard input along. Nobody is to tell it any
 * more: it ends. */
static void await_go(struct command *c)
{
    char go;
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec part = {&go, sizeof go};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    long n;
    do n = RAW(SYS_recvmsg, GO, (long)&m, MSG_CMSG_CLOEXEC);
    while (n == -EINTR);
    if (n != sizeof go) raw_exit(125);
    struct cmsghdr *h = CMSG_FIRSTHDR(&m);
    int fds[2];
    /* The only way to lose them. */
    if (!h || h->cmsg_type != SCM_RIGHTS || h->cmsg_len != CMSG_LEN(sizeof fds)) fail(EMFILE);
    memcpy(fds, CMSG_DATA(h), sizeof fds);
    c->dir = fds[0];
    c->in = fds[1];
}

static void need(long result)
{
    if (result < 0) fail(-result);
}

static void become(void *in) __attribute__((noreturn));

static void become(void *in)
{
    struct room *room = in;
    RAW(SYS_setsid, 0);
    RAW(SYS_umask, 022);
    command_limits(&the_daemon.cell->spec->limits);
    need(RAW(SYS_landlock_restrict_self, DOMAIN, 0));
    RAW(SYS_close, DOMAIN);
    report(REPORT, REPORT_STARTED, RAW(SYS_getpid, 0), false, 0); /* it leads its group by now */
    struct command c = {.dir = -1, .in = -1};
    await_go(&c);
    c.argv = room->command.argv;
    c.env = room->command.env;
    c.script = room->command.script;
    bool is_pty = room->command.is_pty;
    need(RAW(SYS_fchdir, c.dir));
    need(RAW(SYS_dup2, c.in, 0));
    need(RAW(SYS_dup2, is_pty ? c.in : OUT, 1));
    need(RAW(SYS_dup2, is_pty ? c.in : ERR, 2));
    if (is_pty) need(RAW(SYS_ioctl, 0, TIOCSCTTY, 0));
    RAW(SYS_close_range, 3, REPORT - 1, 0);
    RAW(SYS_close_range, REPORT + 1, ~0u, 0);
    report(REPORT, REPORT_FAILED, run_by_path(&c), false, 0);
    raw_exit(127);
}

/* ---- the minder ---- */

static uint64_t millis(const struct rusage *u)
{
    return (uint64_t)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1000 +
           (uint64_t)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1000;
}

/* Ends when it has no child left, its own and those it was given. */
static void mind(long command, int fd) __attribute__((noreturn));

static void mind(long command, int fd)
{
    struct rusage used;
    int status, ignored;
    for (long pid;;) {
        pid = RAW(SYS_wait4, -1, (long)&status, 0, (long)&used);
        if (pid == -EINTR) continue;
        if (pid < 0) raw_exit(0);
        if (pid != command) continue;
        while ((pid = RAW(SYS_wait4, -1, (long)&ignored, WNOHANG)) > 0) continue;
        report(fd, REPORT_ENDED, status, pid < 0, millis(&used));
    }
}

/* Takes back what the daemon does to its own. */
static void signals(void)
{
    static const struct {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)(void);
        uint64_t mask;
    } normal = {SIG_DFL, 0, NULL, 0};
    static const uint64_t none = 0;
    RAW(SYS_rt_sigaction, SIGPIPE, (long)&normal, 0, sizeof none);
    RAW(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, sizeof none);
}

void minder_run(void *in)
{
    struct room *room = in;
    signals();
    RAW(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);
    RAW(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < 4; i++)
        if (RAW(SYS_dup3, room->theirs[i], GO + i, O_CLOEXEC) < 0) raw_exit(125);
    if (RAW(SYS_dup3, the_daemon.cell->domains[DOMAIN_COMMAND], DOMAIN, O_CLOEXEC) < 0) raw_exit(125);
    /* The daemon's ends of `go` and of others' input: what it closes must be closed. */
    RAW(SYS_close_range, DOMAIN + 1, ~0u, 0);
    long command = raw_clone(CLONE_VM | CLONE_VFORK | SIGCHLD, room->command_stack + STACK_BYTES, become, room);
    room->is_left = true;
    if (command < 0) report(REPORT, REPORT_FAILED, -command, false, 0);
    RAW(SYS_dup3, REPORT, FD_HOST, O_CLOEXEC);
    RAW(SYS_close_range, FD_HOST + 1, ~0u, 0);
    if (command < 0) raw_exit(0);
    mind(command, FD_HOST);
}
