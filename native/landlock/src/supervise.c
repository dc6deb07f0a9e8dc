#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IDLE_MILLIS = 30 * 60 * 1000 };

struct supervisor supervisor = {.listener = -1};

static struct watch accept_watch, signal_watch;
static struct timer idle;
static char *socket_path;

static int complain(const char *what, const char *path)
{
    fprintf(stderr, "cell: %s %s: %s\n", path, what, strerror(errno));
    return 125;
}

static bool address(const char *dir, struct sockaddr_un *a)
{
    memset(a, 0, sizeof *a);
    a->sun_family = AF_UNIX;
    return snprintf(a->sun_path, sizeof a->sun_path, "%s/supervisor.sock", dir) <
           (int)sizeof a->sun_path;
}

/* Held for as long as the process lives: two that start at once meet here. */
static int take_lock(const char *dir)
{
    char *path = join(dir, "/supervisor.lock");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    free(path);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    if (fd >= 0) {
        ftruncate(fd, 0) == 0 ? (void)dprintf(fd, "%d\n", getpid()) : (void)0;
    }
    return fd;
}

static bool listen_at(const char *dir)
{
    struct sockaddr_un a;
    if (!address(dir, &a)) {
        errno = ENAMETOOLONG;
        return false;
    }
    socket_path = copy_string(a.sun_path, strlen(a.sun_path));
    supervisor.listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    unlink(a.sun_path);
    mode_t before = umask(0177);
    bool ok = supervisor.listener >= 0 &&
              bind(supervisor.listener, (struct sockaddr *)&a, sizeof a) == 0 &&
              listen(supervisor.listener, 64) == 0;
    umask(before);
    return ok;
}

/* The one that holds the lock is, or soon will be, listening. */
static int meet_other(const char *dir)
{
    struct sockaddr_un a;
    if (!address(dir, &a)) return 125;
    for (int i = 0; i < 500; i++) {
        int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
        bool ok = fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) == 0;
        if (fd >= 0) close(fd);
        if (ok) return 0;
        usleep(10000);
    }
    fprintf(stderr, "cell: another supervisor holds %s but does not answer\n", dir);
    return 125;
}

static void on_idle(struct timer *t)
{
    (void)t;
    supervisor.wants_end = true;
}

static void each_round(void)
{
    bool is_idle = !supervisor.hosts && cells_living() == 0;
    if (is_idle && !idle.active) timer_start(&idle, IDLE_MILLIS, on_idle, NULL);
    if (!is_idle) timer_stop(&idle);
    if (supervisor.wants_end && cells_living() == 0) loop_end();
}

static void on_signal(struct watch *w, uint32_t events)
{
    (void)events;
    struct signalfd_siginfo info;
    while (read(w->fd, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD) {
            if (supervisor.machine.variant == WITHOUT_NAMESPACES) strays_reap();
            continue;
        }
        supervisor.wants_end = true;
        cells_kill_all();
    }
}

static int serve(const char *dir, int ready)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP, SIGCHLD};
    supervisor.started_millis = wall_millis();
    supervisor.dir = dir;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    signal(SIGPIPE, SIG_IGN);
    probe(&supervisor.machine, dir);
    if (!listen_at(dir)) return complain("cannot be listened at", dir);
    loop_init();
    watch_start(&accept_watch, supervisor.listener, EPOLLIN, hosts_accept, NULL);
    watch_start(&signal_watch, signals_open(signals, COUNT(signals)), EPOLLIN, on_signal, NULL);
    if (ready >= 0) {
        write_all(ready, "r", 1);
        close(ready);
    }
    loop_run(each_round);
    unlink(socket_path);
    return 0;
}

static bool open_log(const char *dir)
{
    char *path = join(dir, "/supervisor.log");
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    free(path);
    return log >= 0 && null >= 0 && dup2(null, 0) == 0 && dup2(null, 1) == 1 && dup2(log, 2) == 2;
}

/* Whatever started us left its descriptors open: a JVM does. */
static void keep_only(int *a, int *b)
{
    int first = fcntl(*a, F_DUPFD_CLOEXEC, 64), second = fcntl(*b, F_DUPFD_CLOEXEC, 64);
    if (first < 0 || second < 0 || dup3(first, 3, O_CLOEXEC) < 0 || dup3(second, 4, O_CLOEXEC) < 0)
        _exit(125);
    sys_close_range(5, ~0u);
    *a = 3;
    *b = 4;
}

/* The caller may connect as soon as this returns 0. */
static int detach(const char *dir)
{
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) != 0) return complain("no pipe", dir);
    pid_t pid = fork();
    if (pid < 0) return complain("no process", dir);
    if (pid > 0) {
        char c;
        int status = 0;
        close(ready[1]);
        if (read(ready[0], &c, 1) == 1) return 0;
        waitpid(pid, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
    }
    setsid();
    int lock = take_lock(dir);
    if (lock < 0) _exit(errno == EWOULDBLOCK ? meet_other(dir) : complain("cannot be locked", dir));
    if (chdir("/") != 0 || !open_log(dir)) _exit(complain("cannot hold a log", dir));
    keep_only(&lock, &ready[1]);
    _exit(serve(dir, ready[1]));
}

int supervise_main(int argc, char **argv)
{
    const char *dir = NULL;
    bool is_detached = false;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--dir") == 0 && i + 1 < argc)
            dir = argv[++i];
        else if (strcmp(argv[i], "--detach") == 0)
            is_detached = true;
        else {
            fprintf(stderr, "cell: unexpected %s\n", argv[i]);
            return 2;
        }
    }
    struct stat st;
    signals_default();
    if (!dir || *dir != '/') {
        fprintf(stderr, "cell: supervise needs --dir with an absolute directory\n");
        return 2;
    }
    if (!make_dirs(dir, 0700) || stat(dir, &st) != 0) return complain("cannot be made", dir);
    if (st.st_uid != geteuid() || chmod(dir, 0700) != 0) {
        errno = EACCES;
        return complain("is not ours", dir);
    }
    if (is_detached) return detach(dir);
    int lock = take_lock(dir);
    if (lock < 0) return errno == EWOULDBLOCK ? meet_other(dir) : complain("cannot be locked", dir);
    return serve(dir, -1);
}
