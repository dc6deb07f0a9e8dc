#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "loop.h"
#include "pair.h"

/* More than a request has room for, and less than a socket takes. */
enum { PACKED_BYTES = 180 << 10, ALERT_MILLIS = 3 };

static uint8_t packed[PACKED_BYTES];

void name_add(struct names *n, const char *format, ...)
{
    struct text t;
    va_list args;
    va_start(args, format);
    vsnprintf(t.s, sizeof t.s, format, args);
    va_end(args);
    if (n->count < COUNT(n->item)) n->item[n->count++] = copy_string(t.s, strlen(t.s));
}

/* ---- in the supervisor ---- */

static bool own_dir(const struct spec *s, char **path, struct text *why)
{
    struct stat st;
    bool is_new = stat(*path, &st) != 0;
    if (!is_new && !S_ISDIR(st.st_mode)) return say(why, "%s is no directory: move it away", *path);
    if (is_new && !make_dirs(*path, 0700))
        return say(why, "%s cannot be made: %s", *path, strerror(errno));
    bool is_own = s->uid == geteuid() && s->gid == getegid();
    if (is_new && !is_own && geteuid() == 0 && chown(*path, s->uid, s->gid) != 0)
        return say(why, "%s cannot be given to uid %u: %s", *path, s->uid, strerror(errno));
    char *real = realpath(*path, NULL);
    if (!real) return say(why, "%s cannot be resolved: %s", *path, strerror(errno));
    free(*path);
    *path = real;
    return true;
}

/* Links in sources are resolved here, against the machine's root. */
static void resolve_pairs(struct path_pair *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char *real = realpath(p[i].source, NULL);
        if (!real) continue;
        free(p[i].source);
        p[i].source = real;
    }
}

bool launch_prepare(struct spec *s, int *spool, int *journal, struct text *why)
{
    if (!own_dir(s, &s->home, why) || !own_dir(s, &s->spool, why)) return false;
    if (*s->tmp && !own_dir(s, &s->tmp, why)) return false;
    const char *outside[] = {s->home, s->spool, *s->tmp ? s->tmp : s->home};
    for (size_t i = 0; i < COUNT(outside); i++)
        if (is_beneath(outside[i], s->workspace))
            return say(why, "%s lies in the workspace: choose a place outside", outside[i]);
    resolve_pairs(s->read_only, s->read_only_count);
    resolve_pairs(s->caches, s->cache_count);
    *spool = open(s->spool, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*spool < 0) return say(why, "%s cannot be opened: %s", s->spool, strerror(errno));
    *journal = *s->journal ? open(s->journal, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600)
                           : memfd_create("journal", MFD_CLOEXEC);
    if (*journal < 0) return say(why, "the journal cannot be opened: %s", strerror(errno));
    return true;
}

static bool write_proc(pid_t pid, const char *name, const char *s)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, s, strlen(s)) == (ssize_t)strlen(s);
    int error = errno;
    if (fd >= 0) close(fd);
    errno = error;
    return ok;
}

static void map_line(char *to, size_t cap, unsigned own)
{
    if (geteuid() != 0 || own == 0)
        snprintf(to, cap, "%u %u 1\n", own, own);
    else
        snprintf(to, cap, "0 0 1\n%u %u 1\n", own, own);
}

/* Ids keep their numbers inside. Root's cells also know 0, which owns what the system's files are,
 * until they take their own id for good. */
static bool map_ids(pid_t pid, const struct launch *l, struct text *why)
{
    char uids[64], gids[64];
    map_line(uids, sizeof uids, l->uid);
    map_line(gids, sizeof gids, l->gid);
    bool ok = (geteuid() == 0 || write_proc(pid, "setgroups", "deny")) &&
              write_proc(pid, "uid_map", uids) && write_proc(pid, "gid_map", gids);
    return ok || say(why, "ids cannot be mapped into the user namespace: %s", strerror(errno));
}

void launched_close(struct launched *l)
{
    close_fd(&l->pidfd);
    close_fd(&l->status);
    close_fd(&l->host);
    close_fd(&l->control);
    close_fd(&l->go);
}

/* What the cell takes over; the number of each is where it ends up, less FD_HOST. */
enum { END_HOST, END_CONTROL, END_JOURNAL, END_SPOOL, END_STATUS, END_GO, ENDS };

static void cell_main(const struct launch *l, const int ends[ENDS]) __attribute__((noreturn));

static bool channels(struct launched *to, int ends[ENDS])
{
    int pair[2], control[2], status[2], go[2];
    if (!pair_make(pair)) return false;
    to->host = pair[0];
    ends[END_HOST] = pair[1];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) return false;
    to->control = control[0];
    ends[END_CONTROL] = control[1];
    if (pipe2(status, O_CLOEXEC) != 0) return false;
    to->status = status[0];
    ends[END_STATUS] = status[1];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, go) != 0) return false;
    to->go = go[0];
    ends[END_GO] = go[1];
    return true;
}

static bool begin(const struct launch *l, struct launched *to, int ends[ENDS], struct text *why)
{
    unsigned long flags = SIGCHLD | CLONE_PIDFD;
    if (l->variant != WITHOUT_NAMESPACES)
        flags |= CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    if (l->variant == USER_NAMESPACES) flags |= CLONE_NEWUSER;
    to->pid = (pid_t)syscall(SYS_clone, flags, NULL, &to->pidfd, NULL, 0);
    if (to->pid == 0) cell_main(l, ends);
    if (to->pid < 0) {
        to->pidfd = -1;
        return say(why, "the cell's first process cannot be made: %s", strerror(errno));
    }
    if (l->variant == USER_NAMESPACES && !map_ids(to->pid, l, why)) return false;
    return packet_send(to->go, "g", 1, -1) == 0 || say(why, "the cell's first process is gone");
}

bool launch_start(const struct launch *l, struct launched *to, struct text *why)
{
    int ends[ENDS] = {-1, -1, l->journal, l->spool, -1, -1};
    *to = (struct launched){0, -1, -1, -1, -1, -1};
    bool ok = channels(to, ends) || say(why, "no descriptor is free: %s", strerror(errno));
    ok = ok && begin(l, to, ends, why);
    for (int i = 0; i < ENDS; i++)
        if (i != END_JOURNAL && i != END_SPOOL) close_fd(&ends[i]);
    if (ok) {
        if (l->spec) close_fd(&to->go);
        packed[0] = 0; /* its first page is ours again */
        return true;
    }
    if (to->pid > 0) {
        sys_pidfd_kill(to->pidfd, SIGKILL);
        waitpid(to->pid, NULL, 0);
    }
    launched_close(to);
    return false;
}

bool launch_give(struct launched *l, const struct spec *s, int journal, int spool)
{
    size_t n = spec_pack(s, packed, sizeof packed);
    int fds[] = {journal, spool};
    bool ok = n && packet_send_with(l->go, packed, n, fds, COUNT(fds)) == 0;
    close_fd(&l->go);
    return ok;
}

/* ---- in the cell ---- */

static void give_up(const struct text *why)
{
    write_all(FD_STATUS, why->s, strlen(why->s));
    _exit(125);
}

/* Each to its number, everything else closed. First out of the way of the numbers. */
static bool settle_descriptors(const int ends[ENDS], struct text *why)
{
    int from[ENDS];
    for (size_t i = 0; i < ENDS; i++) {
        from[i] = ends[i] < 0 ? -1 : fcntl(ends[i], F_DUPFD_CLOEXEC, 64);
        if (from[i] < 0 && ends[i] >= 0) return say(why, "no descriptor: %s", strerror(errno));
    }
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++)
        if (null < 0 || dup2(null, fd) < 0) return say(why, "there is no /dev/null");
    /* What comes only later has its place kept by /dev/null. */
    for (size_t i = 0; i < ENDS; i++)
        if (dup3(from[i] < 0 ? 0 : from[i], FD_HOST + (int)i, O_CLOEXEC) < 0)
            return say(why, "no descriptor: %s", strerror(errno));
    if (sys_close_range(FD_FIRST_FREE, ~0u) != 0)
        return say(why, "descriptors cannot be closed: %s", strerror(errno));
    return true;
}

static bool await_go(struct text *why)
{
    char c;
    ssize_t n;
    do n = read(FD_GO, &c, 1);
    while (n < 0 && errno == EINTR);
    return n == 1 || say(why, "the supervisor went away");
}

/* Waits for as long as it takes; with the supervisor it ends. After an alert what comes next comes at
 * once: to be woken once more would take longer than to look again and again. */
static size_t next_packet(void *p, size_t cap, int *fds, size_t count)
{
    int64_t until = 0;
    for (;;) {
        struct pollfd ready = {FD_GO, POLLIN, 0};
        while (poll(&ready, 1, now_millis() < until ? 0 : -1) < 0 && errno == EINTR) continue;
        if (!ready.revents) continue;
        ssize_t n = packet_receive_with(FD_GO, p, cap, fds, count);
        if (n <= 0) _exit(0);
        if (n > 1) return (size_t)n;
        until = now_millis() + ALERT_MILLIS;
    }
}

static bool place(int fd, int number)
{
    bool ok = fd >= 0 && dup3(fd, number, O_CLOEXEC) >= 0;
    close_fd(&fd);
    return ok;
}

static struct spec *await_spec(struct text *why)
{
    struct spec *s = grab(sizeof *s);
    int fds[2];
    packed[0] = 0; /* its first page, as well */
    touch_memory();
    size_t n = next_packet(packed, sizeof packed, fds, COUNT(fds));
    bool has_journal = place(fds[0], FD_JOURNAL), has_spool = place(fds[1], FD_SPOOL);
    if (has_journal && has_spool && n <= sizeof packed && spec_unpack(packed, n, s)) return s;
    say(why, "the spec did not arrive");
    return NULL;
}

/* RLIMIT_NPROC does not bind uid 0; a pid namespace has a limit of its own since Linux 6.14. */
static bool limit_pids(uint32_t processes)
{
    char pids[16];
    snprintf(pids, sizeof pids, "%u", processes + 320);
    int fd = open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write_all(fd, pids, strlen(pids));
    int error = errno;
    close_fd(&fd);
    errno = error;
    return ok;
}

/* All that is the same for every cell of the machine. */
static bool namespaces_begin(struct cell *c, const struct launch *l, struct text *why)
{
    if (c->variant == USER_NAMESPACES) name_add(&c->layers, "user-namespace");
    if (!mounts_begin(c, l->uid, l->base, why) || !network_up(why)) return false;
    c->has_pid_limit = limit_pids(DEFAULT_PROCESSES);
    if (sethostname("cell", 4) != 0) return say(why, "no host name: %s", strerror(errno));
    name_add(&c->layers, "pid-namespace");
    name_add(&c->layers, "network-namespace");
    name_add(&c->layers, "ipc-namespace");
    return true;
}

static bool namespaces_finish(struct cell *c, struct text *why)
{
    uint32_t processes = c->spec->limits.processes;
    if (!mounts_finish(c, why)) return false;
    if ((processes == DEFAULT_PROCESSES && c->has_pid_limit) || limit_pids(processes))
        name_add(&c->layers, "pid-limit");
    else
        name_add(&c->missing, "pid-limit: %s", strerror(errno));
    return true;
}

static bool daemon_limits(struct text *why)
{
    struct rlimit none = {0, 0}, files;
    if (setrlimit(RLIMIT_CORE, &none) != 0) return say(why, "core dumps cannot be forbidden");
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max < 8192 ? files.rlim_max : 8192;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    write_file("/proc/self/oom_score_adj", "1000");
    return true;
}

static bool begin_landlock(struct cell *c, struct text *why)
{
    if (c->abi < 2) return say(why, "this kernel's Landlock is too old (ABI %d, 2 is needed)", c->abi);
    if (!has_namespaces(c) && c->abi < 6)
        return say(why,
                   "without namespaces a cell needs Landlock ABI 6 to keep its signals to itself, "
                   "and this kernel has %d",
                   c->abi);
    return landlock_begin(c, why);
}

static bool enter_landlock(struct cell *c, struct text *why)
{
    /* The commands' domain is made now, while all of its paths can still be opened. */
    if (!landlock_finish(c, why) || !landlock_enter(c->domains[DOMAIN_DAEMON], why)) return false;
    close_fd(&c->domains[DOMAIN_DAEMON]);
    name_add(&c->layers, "landlock-%d", c->abi);
    return true;
}

static void tell_probe(const struct cell *c)
{
    for (uint32_t i = 0; i < c->layers.count; i++)
        dprintf(FD_STATUS, "+%s\n", c->layers.item[i]);
    for (uint32_t i = 0; i < c->missing.count; i++)
        dprintf(FD_STATUS, "-%s\n", c->missing.item[i]);
    _exit(0);
}

/* What can be done before it is known whose cell it will be. */
static bool build_ahead(struct cell *c, const struct launch *l, struct text *why)
{
    bool ok = await_go(why) && daemon_limits(why) &&
              (!has_namespaces(c) || namespaces_begin(c, l, why)) && drop_gains(why) &&
              begin_landlock(c, why) && no_new_privileges(why) && filter_enter(c, why);
    if (ok) daemon_prepare(c);
    return ok;
}

static bool build(struct cell *c, struct text *why)
{
    bool stands = has_namespaces(c) ? namespaces_finish(c, why) : paths_prepare_plain(c, why);
    explicit_bzero(&mount_key, sizeof mount_key);
    if (!stands) return false;
    c->workspace = open(c->spec->workspace, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (c->workspace < 0)
        return say(why, "the workspace cannot be entered: %s", strerror(errno));
    if (!drop_ids_and_capabilities(c, why)) return false;
    /* After the change of ids, which resets both. */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (has_namespaces(c)) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    return enter_landlock(c, why);
}

static void cell_main(const struct launch *l, const int ends[ENDS])
{
    struct text why = {""};
    struct cell *c = grab(sizeof *c);
    c->spec = l->spec;
    c->variant = l->variant;
    c->abi = l->abi;
    c->proc = -1;
    loop_forget();
    setsid();
    if (!settle_descriptors(ends, &why)) {
        write_all(ends[END_STATUS], why.s, strlen(why.s));
        _exit(125);
    }
    signals_default();
    signal(SIGPIPE, SIG_IGN);
    if (!build_ahead(c, l, &why)) give_up(&why);
    if (!c->spec && !(c->spec = await_spec(&why))) give_up(&why);
    close(FD_GO);
    if (!build(c, &why)) give_up(&why);
    if (l->is_probe) tell_probe(c);
    daemon_run(c);
}
