/* The root of a cell: a small tmpfs, the system read-only, the workspace at its own real path.
 *
 * Runs as the first process of fresh mount, pid and user namespaces. The machine's root stays under
 * /.old until the end; links in sources were resolved before, against the machine's own root. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"

#define OLD "/.old"

static bool failed(struct text *why, const char *what)
{
    return say(why, "%s cannot be mounted in the cell: %s", what, strerror(errno));
}

/* A tmpfs becomes the root; `base`, always there and ours, is where it hangs. */
static bool enter_root(const char *base, struct text *why)
{
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return say(why, "mounts cannot be made private: %s", strerror(errno));
    if (mount("root", base, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=4m,nr_inodes=4096") != 0)
        return say(why, "a tmpfs cannot be mounted: %s", strerror(errno));
    if (chdir(base) != 0 || mkdir("." OLD, 0700) != 0 || syscall(SYS_pivot_root, ".", "." OLD) != 0 ||
        chdir("/") != 0)
        return say(why, "the root cannot be changed: %s", strerror(errno));
    return true;
}

static bool system_dirs(struct text *why)
{
    static const char *const dirs[] = {"/usr",   "/bin",   "/sbin",  "/lib",
                                       "/lib32", "/lib64", "/libx32"};
    for (size_t i = 0; i < COUNT(dirs); i++) {
        char from[32], link[128];
        struct stat st;
        snprintf(from, sizeof from, OLD "%s", dirs[i]);
        if (lstat(from, &st) != 0) continue;
        ssize_t n = S_ISLNK(st.st_mode) ? readlink(from, link, sizeof link - 1) : -1;
        if (n >= 0) link[n] = 0;
        if (n >= 0 ? symlink(link, dirs[i]) != 0 : !bind_at(from, dirs[i], BIND_READ_ONLY))
            return failed(why, dirs[i]);
    }
    return true;
}

static bool dev(struct text *why)
{
    static const char *const nodes[] = {"null", "zero", "full", "random", "urandom", "tty"};
    static const char *const links[][2] = {{"/proc/self/fd", "/dev/fd"},
                                           {"/proc/self/fd/0", "/dev/stdin"},
                                           {"/proc/self/fd/1", "/dev/stdout"},
                                           {"/proc/self/fd/2", "/dev/stderr"},
                                           {"pts/ptmx", "/dev/ptmx"}};
    if (mkdir("/dev", 0755) != 0) return failed(why, "/dev");
    for (size_t i = 0; i < COUNT(nodes); i++) {
        char from[32], to[32];
        snprintf(from, sizeof from, OLD "/dev/%s", nodes[i]);
        snprintf(to, sizeof to, "/dev/%s", nodes[i]);
        if (!bind_at(from, to, BIND_DEVICE)) return failed(why, to);
    }
    for (size_t i = 0; i < COUNT(links); i++)
        if (symlink(links[i][0], links[i][1]) != 0) return failed(why, links[i][1]);
    if (mkdir("/dev/pts", 0755) != 0 ||
        mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
              "newinstance,ptmxmode=0666,mode=0620") != 0)
        return failed(why, "/dev/pts");
    return true;
}

/* /proc as commands see it hides what they may not trace; the daemon keeps one that shows all. Where
 * the machine's own /proc is masked (containers), another cannot be mounted: bind the outer one. */
static bool proc(struct cell *c, struct text *why)
{
    const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
    if (mkdir("/proc", 0755) != 0 || mkdir("/.proc", 0755) != 0) return failed(why, "/proc");
    if (mount("proc", "/.proc", "proc", flags, NULL) == 0) {
        if (mount("proc", "/proc", "proc", flags, "hidepid=4") == 0)
            name_add(&c->layers, "proc");
        else if (mount("proc", "/proc", "proc", flags, NULL) == 0)
            name_add(&c->missing, "proc-hidepid: %s", strerror(errno));
        else
            return failed(why, "/proc");
        c->proc = open("/.proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        umount2("/.proc", MNT_DETACH);
    } else {
        int error = errno;
        if (!bind_at(OLD "/proc", "/proc", BIND_WRITABLE)) return failed(why, "/proc");
        c->proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        name_add(&c->missing, "proc: the machine's own is shown (%s)", strerror(error));
    }
    rmdir("/.proc");
    return c->proc >= 0 || failed(why, "/proc");
}

static bool points(struct text *why)
{
    if (!make_dirs("/run", 0755)) return failed(why, "/run");
    if (!tmpfs_at("/dev/shm", DEFAULT_DISK_BYTES, "1777")) return failed(why, "/dev/shm");
    if (!tmpfs_at("/tmp", DEFAULT_DISK_BYTES, "1777") || !bind_at("/tmp", "/var/tmp", BIND_WRITABLE))
        return failed(why, "/tmp");
    return symlink("/run", "/var/run") == 0 || failed(why, "/var/run");
}

static bool tmp(struct cell *c, struct text *why)
{
    const struct spec *s = c->spec;
    if (s->limits.disk != DEFAULT_DISK_BYTES && (!tmpfs_resize("/dev/shm", s->limits.disk, "1777") ||
                                                 !tmpfs_resize("/tmp", s->limits.disk, "1777")))
        return failed(why, "/tmp");
    if (*s->tmp) {
        char *from = join(OLD, s->tmp);
        bool ok = bind_at(from, "/tmp", BIND_WRITABLE) && bind_at(from, "/var/tmp", BIND_WRITABLE);
        free(from);
        if (!ok) return failed(why, "/tmp");
    }
    c->tmp = copy_string("/tmp", 4);
    return true;
}

/* Hooks and configuration of the repository run on the user's side too, outside of any cell: a
 * command must not write them. .git is made a mount of its own, for a mount point cannot be renamed
 * or exchanged; hooks that are missing are made, so that nobody else makes them. */
static bool git(struct cell *c, struct text *why)
{
    static const char *const fixed[] = {"/.git/hooks", "/.git/config", "/.git/config.worktree"};
    struct stat st;
    char *dir = join(c->spec->workspace, "/.git");
    bool is_repository = lstat(dir, &st) == 0 && S_ISDIR(st.st_mode);
    bool ok = !is_repository || bind_at(dir, dir, BIND_WRITABLE);
    for (size_t i = 0; ok && is_repository && i < COUNT(fixed); i++) {
        char *path = join(c->spec->workspace, fixed[i]);
        if (i == 0 && mkdir(path, 0755) == 0 && chown(path, c->spec->uid, c->spec->gid) != 0)
            ok = false;
        if (ok && lstat(path, &st) == 0 && (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)))
            ok = bind_at(path, path, BIND_READ_ONLY);
        free(path);
    }
    free(dir);
    if (ok && is_repository) name_add(&c->layers, "git-protected");
    return ok || failed(why, ".git");
}

static bool workspace(struct cell *c, struct text *why)
{
    const struct spec *s = c->spec;
    char *from = join(OLD, s->workspace);
    bool ok = bind_at(from, s->workspace, s->writable ? BIND_WRITABLE : BIND_READ_ONLY);
    free(from);
    if (!ok) return failed(why, s->workspace);
    return !s->writable || git(c, why);
}

static bool is_simple(const char *path) { return !strpbrk(path, ":,\\\""); }

/* What is written goes to a tmpfs of the cell's own and is gone with it. */
static bool overlay(struct cell *c, const char *from, const struct path_pair *p, uint32_t i)
{
    char upper[64], work[64], base[32], options[8600];
    snprintf(base, sizeof base, "/.cow%u", i);
    snprintf(upper, sizeof upper, "%s/upper", base);
    snprintf(work, sizeof work, "%s/work", base);
    struct stat st;
    if (!is_simple(from) || stat(from, &st) != 0 || !S_ISDIR(st.st_mode)) return false;
    if (!tmpfs_at(base, c->spec->limits.disk, "0755")) return false;
    snprintf(options, sizeof options, "lowerdir=%s,upperdir=%s,workdir=%s,userxattr", from, upper,
             work);
    bool ok = mkdir(upper, st.st_mode & 07777) == 0 &&
              chown(upper, c->spec->uid, c->spec->gid) == 0 && mkdir(work, 0755) == 0 &&
              make_dirs(p->target, 0755) &&
              keyed_mount("overlay", p->target, "overlay", MS_NOSUID | MS_NODEV, options) == 0;
    keyed_umount(base);
    rmdir(base);
    return ok;
}

/* Already there, or never to be laid over what the cell writes. */
static bool is_covered(const struct spec *s, const struct path_pair *p)
{
    return (strcmp(p->source, p->target) == 0 &&
            (is_beneath(p->target, "/usr") || is_beneath(p->target, "/bin") ||
             is_beneath(p->target, "/sbin") || is_beneath(p->target, "/lib") ||
             is_beneath(p->target, "/lib64") || is_beneath(p->target, s->workspace))) ||
           strcmp(p->target, s->workspace) == 0 || strcmp(p->target, s->home) == 0;
}

/* One mount to be made at a path of the host's choice. */
struct wish {
    enum { WORKSPACE, HOME, READ_ONLY, CACHE } kind;
    const char *target;
    const struct path_pair *pair;
};

static int by_target(const void *a, const void *b)
{
    return strcmp(((const struct wish *)a)->target, ((const struct wish *)b)->target);
}

static void extra(struct cell *c, const struct wish *w, uint32_t i)
{
    char *from = join(OLD, w->pair->source);
    bool is_there = access(from, F_OK) == 0;
    if (is_there && !(w->kind == CACHE && overlay(c, from, w->pair, i)) &&
        !bind_at(from, w->target, BIND_READ_ONLY))
        name_add(&c->missing, "path %s: %s", w->target, strerror(errno));
    free(from);
}

/* Parents before children, so that none is hidden by a later one. */
static bool wishes(struct cell *c, struct text *why)
{
    const struct spec *s = c->spec;
    uint32_t n = 0;
    struct wish *all = grab(sizeof *all * (s->read_only_count + s->cache_count + 2u));
    all[n++] = (struct wish){WORKSPACE, s->workspace, NULL};
    all[n++] = (struct wish){HOME, s->home, NULL};
    for (uint32_t i = 0; i < s->read_only_count; i++)
        if (!is_covered(s, &s->read_only[i]))
            all[n++] = (struct wish){READ_ONLY, s->read_only[i].target, &s->read_only[i]};
    for (uint32_t i = 0; i < s->cache_count; i++)
        if (!is_covered(s, &s->caches[i]))
            all[n++] = (struct wish){CACHE, s->caches[i].target, &s->caches[i]};
    qsort(all, n, sizeof *all, by_target);
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++) {
        if (i && strcmp(all[i].target, all[i - 1].target) == 0) continue;
        switch (all[i].kind) {
        case WORKSPACE:
            ok = workspace(c, why);
            break;
        case HOME: {
            char *from = join(OLD, s->home);
            ok = bind_at(from, s->home, BIND_WRITABLE) || failed(why, s->home);
            free(from);
            break;
        }
        case READ_ONLY:
        case CACHE:
            extra(c, &all[i], i);
            break;
        }
    }
    free(all);
    return ok;
}

bool mounts_begin(struct cell *c, uid_t uid, const char *base, struct text *why)
{
    umask(022);
    if (!enter_root(base, why)) return false;
    etc_user(OLD, uid, c->user, sizeof c->user);
    return system_dirs(why) && etc_share(OLD, why) && dev(why) && points(why) &&
           proc(c, why);
}

bool mounts_finish(struct cell *c, struct text *why)
{
    if (!etc_users(c, why) || !tmp(c, why) || !wishes(c, why)) return false;
    if (keyed_umount(OLD) != 0 || rmdir(OLD) != 0)
        return say(why, "the machine's root cannot be left: %s", strerror(errno));
    if (!mount_set_read_only("/")) return failed(why, "/");
    name_add(&c->layers, "mounts");
    return true;
}
