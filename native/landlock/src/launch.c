#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "loop.h"

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
    if (!make_dirs(*path, 0700)) return say(why, "%s cannot be made: %s", *path, strerror(errno));
    if (is_new && geteuid() == 0 && chown(*path, s->uid, s->gid) != 0)
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
static bool map_ids(pid_t pid, const struct spec *s, struct text *why)
{
    char uids[64], gids[64];
    map_line(uids, sizeof uids, s->uid);
    map_line(gids, sizeof gids, s->gid);
    bool ok = (geteuid() == 0 || write_proc(pid, "setgroups", "deny")) &&
              write_proc(pid, "uid_map", uids) && write_proc(pid, "gid_map", gids);
    return ok || say(why, "ids cannot be mapped into the user namespace: %s", strerror(errno));
}

static void cell_main(const struct launch *l, int status, int go) __attribute__((noreturn));

bool launch_start(const struct launch *l, struct launched *to, struct text *why)
{
    int status[2], go[2];
    if (pipe2(status, O_CLOEXEC) != 0) return say(why, "no pipe: %s", strerror(errno));
    if (pipe2(go, O_CLOEXEC) != 0) {
        close(status[0]);
        close(status[1]);
        return say(why, "no pipe: %s", strerror(errno));
    }
    unsigned long flags = SIGCHLD | CLONE_PIDFD;
    if (l->variant != WITHOUT_NAMESPACES)
        flags |= CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    if (l->variant == USER_NAMESPACES) flags |= CLONE_NEWUSER;
    pid_t pid = (pid_t)syscall(SYS_clone, flags, NULL, &to->pidfd, NULL, 0);
    if (pid == 0) cell_main(l, status[1], go[0]);
    int error = errno;
    close(status[1]);
    close(go[0]);
    bool ok = pid > 0;
    if (!ok) say(why, "the cell's first process cannot be made: %s", strerror(error));
    if (ok && l->variant == USER_NAMESPACES) ok = map_ids(pid, l->spec, why);
    if (ok) ok = write_all(go[1], "g", 1);
    close(go[1]);
    if (ok) {
        to->pid = pid;
        to->status = status[0];
        return true;
    }
    if (pid > 0) {
        sys_pidfd_kill(to->pidfd, SIGKILL);
        waitpid(pid, NULL, 0);
        close(to->pidfd);
    }
    close(status[0]);
    return false;
}

/* ---- in the cell ---- */

static void give_up(const struct text *why)
{
    write_all(FD_STATUS, why->s, strlen(why->s));
    _exit(125);
}

/* Each to its number, everything else closed. First out of the way of the numbers. */
static bool settle_descriptors(const struct launch *l, int status, int go, struct text *why)
{
    int from[] = {l->host, l->control, l->journal, l->spool, status, go};
    for (size_t i = 0; i < COUNT(from); i++) {
        from[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 64);
        if (from[i] < 0) return say(why, "no descriptor: %s", strerror(errno));
    }
    for (size_t i = 0; i < COUNT(from); i++)
        if (dup3(from[i], FD_HOST + (int)i, O_CLOEXEC) < 0)
            return say(why, "no descriptor: %s", strerror(errno));
    if (sys_close_range(FD_FIRST_FREE, ~0u) != 0)
        return say(why, "descriptors cannot be closed: %s", strerror(errno));
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++)
        if (null < 0 || dup2(null, fd) < 0) return say(why, "there is no /dev/null");
    if (null > 2) close(null);
    return true;
}

static bool await_go(struct text *why)
{
    char c;
    ssize_t n;
    do n = read(FD_GO, &c, 1);
    while (n < 0 && errno == EINTR);
    close(FD_GO);
    return n == 1 || say(why, "the supervisor went away");
}

static bool namespaces(struct cell *c, struct text *why)
{
    if (!has_namespaces(c)) return paths_prepare_plain(c, why);
    if (c->variant == USER_NAMESPACES) name_add(&c->layers, "user-namespace");
    if (!mounts_build(c, why) || !network_up(why)) return false;
    if (sethostname("cell", 4) != 0) return say(why, "no host name: %s", strerror(errno));
    name_add(&c->layers, "pid-namespace");
    name_add(&c->layers, "network-namespace");
    name_add(&c->layers, "ipc-namespace");
    /* RLIMIT_NPROC does not bind uid 0; a pid namespace has a limit of its own since Linux 6.14. */
    char pids[16];
    snprintf(pids, sizeof pids, "%u", c->spec->limits.processes + 320);
    int fd = open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && write_all(fd, pids, strlen(pids)))
        name_add(&c->layers, "pid-limit");
    else
        name_add(&c->missing, "pid-limit: %s", strerror(errno));
    if (fd >= 0) close(fd);
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

static bool enter_landlock(struct cell *c, struct text *why)
{
    if (c->abi < 2) return say(why, "this kernel's Landlock is too old (ABI %d, 2 is needed)", c->abi);
    if (!has_namespaces(c) && c->abi < 6)
        return say(why,
                   "without namespaces a cell needs Landlock ABI 6 to keep its signals to itself, "
                   "and this kernel has %d",
                   c->abi);
    /* The commands' domain is made now, while all of its paths can still be opened. */
    c->command_domain = landlock_ruleset(c, DOMAIN_COMMAND, why);
    int own = landlock_ruleset(c, DOMAIN_DAEMON, why);
    bool ok = c->command_domain >= 0 && own >= 0 && landlock_enter(own, why);
    close_fd(&own);
    if (!ok) return false;
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

static void cell_main(const struct launch *l, int status, int go)
{
    struct text why = {""};
    struct cell *c = grab(sizeof *c);
    c->spec = l->spec;
    c->variant = l->variant;
    c->abi = l->abi;
    c->proc = -1;
    loop_forget();
    setsid();
    if (!settle_descriptors(l, status, go, &why)) {
        write_all(status, why.s, strlen(why.s));
        _exit(125);
    }
    signals_default();
    signal(SIGPIPE, SIG_IGN);
    if (!await_go(&why) || !namespaces(c, &why) || !daemon_limits(&why)) give_up(&why);
    c->workspace = open(c->spec->workspace, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (c->workspace < 0) {
        say(&why, "the workspace cannot be entered: %s", strerror(errno));
        give_up(&why);
    }
    if (!drop_ids_and_capabilities(c, &why) || !no_new_privileges(&why)) give_up(&why);
    /* After the change of ids, which resets both. */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (has_namespaces(c)) prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (!enter_landlock(c, &why) || !filter_enter(c, &why)) give_up(&why);
    if (l->is_probe) tell_probe(c);
    daemon_run(c);
}
