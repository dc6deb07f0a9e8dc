/* Between the daemon and a command: its parent, and the parent of what it leaves behind. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "run.h"

static void report(int fd, int kind, int32_t value, uint64_t cpu_millis)
{
    struct report r;
    memset(&r, 0, sizeof r);
    r.kind = kind;
    r.value = value;
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

static void become(const struct command *c) __attribute__((noreturn));

static void become(const struct command *c)
{
    const struct cell *cell = the_daemon.cell;
    setsid();
    if (fchdir(c->dir) != 0 || dup2(c->in, 0) < 0 || dup2(c->out, 1) < 0 || dup2(c->err, 2) < 0 ||
        fcntl(c->report, F_SETFD, FD_CLOEXEC) != 0 ||
        (c->is_pty && ioctl(0, TIOCSCTTY, 0) != 0)) {
        report(c->report, REPORT_FAILED, errno, 0);
        _exit(125);
    }
    umask(022);
    command_limits(&cell->spec->limits, cell->spec->uid);
    if (syscall(SYS_landlock_restrict_self, cell->command_domain, 0) != 0) {
        report(c->report, REPORT_FAILED, errno, 0);
        _exit(125);
    }
    sys_close_range(3, (unsigned)c->report - 1);
    sys_close_range((unsigned)c->report + 1, ~0u);
    report(c->report, REPORT_STARTED, getpid(), 0); /* it leads its group by now */
    report(c->report, REPORT_FAILED, run_by_path(c), 0);
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
    int status;
    for (pid_t pid;;) {
        pid = wait4(-1, &status, 0, &used);
        if (pid < 0 && errno == EINTR) continue;
        if (pid < 0) _exit(0);
        if (pid == command) report(fd, REPORT_ENDED, status, millis(&used));
    }
}

pid_t minder_start(const struct command *c)
{
    pid_t pid = fork();
    if (pid != 0) return pid;
    signals_default();
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    /* It borrows our memory until it execs: no page is copied for it. */
    pid_t command = vfork();
    if (command == 0) become(c);
    if (command < 0) {
        report(c->report, REPORT_FAILED, errno, 0);
        _exit(0);
    }
    int fd = dup3(c->report, FD_HOST, O_CLOEXEC);
    sys_close_range(FD_HOST + 1, ~0u);
    mind(command, fd);
}
