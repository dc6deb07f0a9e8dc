/* Between the daemon and a command: its parent, and the parent of what it leaves behind. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "run.h"

static void report(int fd, int kind, int32_t value, bool is_alone, uint64_t cpu_millis)
{
    struct report r;
    memset(&r, 0, sizeof r);
    r.kind = kind;
    r.value = value;
    r.is_alone = is_alone;
    r.cpu_millis = cpu_millis;
    if (write(fd, &r, sizeof r) < 0) return;
}

static const char *path_of(char **env)
{
    for (; *env; env++)
        if (strncmp(*env, "PATH=", 5) == 0) return *env + 5;
    return "/usr/local/bin:/usr/bin:/bin";
}

/* A script without #! is the shell's, as execvp(3) has it. */
static void try_exec(const char *file, const struct command *c)
{
    execve(file, c->argv, c->env);
    if (errno != ENOEXEC) return;
    size_t n = 0;
    while (c->argv[n]) n++;
    char **argv = grab((n + 2) * sizeof *argv);
    argv[0] = "/bin/sh";
    argv[1] = (char *)file;
    for (size_t i = 1; i <= n; i++) argv[i + 1] = c->argv[i];
    execve(argv[0], argv, c->env);
}

/* The errno of the best try: a file that may not be run says more than the ones not there. */
static int run_by_path(const struct command *c)
{
    const char *name = c->argv[0];
    int error = ENOENT;
    if (strchr(name, '/')) {
        try_exec(name, c);
        return errno;
    }
    for (const char *p = path_of(c->env), *end; p; p = *end ? end + 1 : NULL) {
        char file[4096 + 256];
        end = p + strcspn(p, ":");
        size_t n = (size_t)(end - p), m = strlen(name);
        if (n + m + 2 > sizeof file) continue;
        memcpy(file, p, n);
        if (n) file[n++] = '/';
        memcpy(file + n, name, m + 1);
        try_exec(file, c);
        if (errno != ENOENT && errno != ENOTDIR) error = errno;
    }
    return error;
}

/* What the daemon sends, with the descriptors of directory and standard input; then the strings. */
struct order {
    uint32_t bytes, argc, envc, is_pty;
};

/* Descriptors of the minder and of its command, in place of the daemon's own. */
enum { GO = FD_HOST, OUT = FD_CONTROL, ERR = FD_JOURNAL, REPORT = FD_SPOOL };

static void fail(void) __attribute__((noreturn));

static void fail(void)
{
    report(REPORT, REPORT_FAILED, errno, false, 0);
    _exit(125);
}

/* Waits to be told what it is; nobody is to tell any more: it ends. */
static void take_order(struct command *c)
{
    struct order o;
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec part = {&o, sizeof o};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n;
    do n = recvmsg(GO, &m, MSG_CMSG_CLOEXEC | MSG_WAITALL);
    while (n < 0 && errno == EINTR);
    if (n != (ssize_t)sizeof o) _exit(125);
    struct cmsghdr *h = CMSG_FIRSTHDR(&m);
    int fds[2];
    if (!h || h->cmsg_type != SCM_RIGHTS || h->cmsg_len != CMSG_LEN(sizeof fds)) {
        errno = EMFILE; /* the only way to lose them */
        fail();
    }
    memcpy(fds, CMSG_DATA(h), sizeof fds);
    c->dir = fds[0];
    c->in = fds[1];
    c->is_pty = o.is_pty;
    char *text = grab(o.bytes + 1);
    for (size_t got = 0; got < o.bytes; got += (size_t)n) {
        n = read(GO, text + got, o.bytes - got);
        if (n < 0 && errno == EINTR) n = 0;
        else if (n <= 0) _exit(125);
    }
    c->argv = grab((o.argc + 1) * sizeof *c->argv);
    c->env = grab((o.envc + 1) * sizeof *c->env);
    for (uint32_t i = 0; i < o.argc + o.envc; i++, text += strlen(text) + 1)
        *(i < o.argc ? &c->argv[i] : &c->env[i - o.argc]) = text;
}

static void become(void) __attribute__((noreturn));

static void become(void)
{
    const struct cell *cell = the_daemon.cell;
    struct command c;
    setsid();
    umask(022);
    command_limits(&cell->spec->limits, cell->spec->uid);
    if (syscall(SYS_landlock_restrict_self, cell->command_domain, 0) != 0) fail();
    sys_close_range(REPORT + 1, ~0u);
    report(REPORT, REPORT_STARTED, getpid(), false, 0); /* it leads its group by now */
    take_order(&c);
    if (fchdir(c.dir) != 0 || dup2(c.in, 0) < 0 || dup2(c.is_pty ? c.in : OUT, 1) < 0 ||
        dup2(c.is_pty ? c.in : ERR, 2) < 0 || (c.is_pty && ioctl(0, TIOCSCTTY, 0) != 0))
        fail();
    sys_close_range(3, REPORT - 1);
    sys_close_range(REPORT + 1, ~0u);
    report(REPORT, REPORT_FAILED, run_by_path(&c), false, 0);
    _exit(127);
}

static uint64_t millis(const struct rusage *u)
{
    return (uint64_t)(u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1000 +
           (uint64_t)(u->ru_utime.tv_usec + u->ru_stime.tv_usec) / 1000;
}

/* Ends when it has no child left, its own and those it was given. */
static void mind(pid_t command, int fd) __attribute__((noreturn));

static void mind(pid_t command, int fd)
{
    struct rusage used;
    int status, ignored;
    for (pid_t pid;;) {
        pid = wait4(-1, &status, 0, &used);
        if (pid < 0 && errno == EINTR) continue;
        if (pid < 0) _exit(0);
        if (pid != command) continue;
        while ((pid = waitpid(-1, &ignored, WNOHANG)) > 0) continue;
        report(fd, REPORT_ENDED, status, pid < 0, millis(&used));
    }
}

static void become_minder(const struct ready *r, const int theirs[4]) __attribute__((noreturn));

static void become_minder(const struct ready *r, const int theirs[4])
{
    signals_for_command();
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    close(r->go); /* or its command would never hear that the daemon is gone */
    for (int i = 0; i < 4; i++)
        if (dup3(theirs[i], GO + i, O_CLOEXEC) < 0) _exit(125);
    /* It borrows our memory until it execs: no page is copied for it. */
    pid_t command = vfork();
    if (command == 0) become();
    if (command < 0) report(REPORT, REPORT_FAILED, errno, false, 0);
    int fd = dup3(REPORT, FD_HOST, O_CLOEXEC);
    sys_close_range(FD_HOST + 1, ~0u);
    if (command < 0) _exit(0);
    mind(command, fd);
}

/* A pipe that commands write to; ours does not block. */
static bool open_pipe(int *ours, int *theirs)
{
    int p[2];
    if (pipe2(p, O_CLOEXEC) != 0) return false;
    *ours = p[0];
    *theirs = p[1];
    return fcntl(p[0], F_SETFL, O_NONBLOCK) == 0;
}

bool ready_make(struct ready *r)
{
    int theirs[4] = {-1, -1, -1, -1}, pair[2];
    *r = (struct ready){.go = -1, .out = -1, .err = -1, .report = -1};
    bool ok = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0;
    if (ok) {
        r->go = pair[0];
        theirs[0] = pair[1];
        ok = open_pipe(&r->out, &theirs[1]) && open_pipe(&r->err, &theirs[2]) &&
             open_pipe(&r->report, &theirs[3]);
    }
    if (ok) {
        fcntl(r->out, F_SETPIPE_SZ, 256 << 10);
        fcntl(r->err, F_SETPIPE_SZ, 256 << 10);
        r->minder = fork();
        if (r->minder == 0) become_minder(r, theirs);
        ok = r->minder > 0;
    }
    int error = errno;
    for (int i = 0; i < 4; i++) close_fd(&theirs[i]);
    if (!ok) ready_close(r);
    errno = error;
    return ok;
}

void ready_close(struct ready *r)
{
    close_fd(&r->go);
    close_fd(&r->out);
    close_fd(&r->err);
    close_fd(&r->report);
    r->minder = 0;
}

static uint32_t strings(char **s, uint32_t *count)
{
    size_t n = 0;
    for (*count = 0; s[*count]; ++*count) n += strlen(s[*count]) + 1;
    return (uint32_t)n;
}

static char *put_strings(char **s, char *to)
{
    for (; *s; s++) to = stpcpy(to, *s) + 1;
    return to;
}

bool ready_go(struct ready *r, const struct command *c)
{
    struct order o = {.is_pty = c->is_pty};
    int fds[2] = {c->dir, c->in};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof fds)];
    } control = {.head = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fds)}};
    o.bytes = strings(c->argv, &o.argc);
    o.bytes += strings(c->env, &o.envc);
    char *text = grab(sizeof o + o.bytes), *end;
    memcpy(text, &o, sizeof o);
    end = put_strings(c->env, put_strings(c->argv, text + sizeof o));
    memcpy(CMSG_DATA(&control.head), fds, sizeof fds);
    struct iovec part = {text, (size_t)(end - text)};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n = sendmsg(r->go, &m, MSG_NOSIGNAL);
    /* It reads meanwhile. */
    for (char *at = text + n; n > 0 && at < end; at += n) n = send(r->go, at, (size_t)(end - at), MSG_NOSIGNAL);
    int error = errno;
    free(text);
    close_fd(&r->go);
    errno = error;
    return n > 0;
}
