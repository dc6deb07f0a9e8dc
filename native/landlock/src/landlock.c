/* Landlock: one domain for the daemon, one more, narrower, for each command.
 *
 * A domain denies what is not granted beneath some path; a nested one can only take away. The
 * command's domain lacks the daemon's own places (spool, the /proc that hides nothing) and its
 * signals and traces cannot reach the daemon, which is outside of it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"

/* linux/landlock.h of this ABI and later; older headers lack them. */
#define FS_REFER (1ull << 13)     /* ABI 2 */
#define FS_TRUNCATE (1ull << 14)  /* ABI 3 */
#define FS_IOCTL_DEV (1ull << 15) /* ABI 5 */
#define SCOPE_ABSTRACT_UNIX 1ull  /* ABI 6 */
#define SCOPE_SIGNAL 2ull

struct ruleset {
    uint64_t fs, net, scoped;
};

#define READ                                                                                       \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITE                                                                                      \
    (READ | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                        \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |  \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM |   \
     FS_REFER | FS_TRUNCATE)
/* Making devices is handled and never granted: a 0/0 character device is an overlay whiteout. */
#define DEVICES (LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK)
#define DEVICE_USE (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_IOCTL_DEV)
#define ON_FILES                                                                                   \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |   \
     FS_TRUNCATE | FS_IOCTL_DEV)

int landlock_abi(void)
{
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static uint64_t handled(int abi)
{
    uint64_t fs = WRITE | DEVICES | FS_IOCTL_DEV;
    if (abi < 2) fs &= ~FS_REFER;
    if (abi < 3) fs &= ~FS_TRUNCATE;
    if (abi < 5) fs &= ~FS_IOCTL_DEV;
    return fs;
}

/* Both domains at once: to open the paths is most of the work. */
struct rules {
    int fd[2]; /* by enum domain */
    uint64_t fs;
    bool ok;
    int error;
};

static void add(struct rules *r, enum domain d, int fd, uint64_t access)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = access & r->fs, .parent_fd = fd};
    if (syscall(SYS_landlock_add_rule, r->fd[d], LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
        r->ok = false;
        r->error = errno;
    }
}

enum whose { BOTH, DAEMON_ONLY };

static void grant_fd(struct rules *r, enum whose whose, int fd, uint64_t access)
{
    struct stat st;
    if (fstat(fd, &st) != 0) {
        r->ok = false;
        r->error = errno;
        return;
    }
    if (!S_ISDIR(st.st_mode)) access &= ON_FILES;
    add(r, DOMAIN_DAEMON, fd, access);
    if (whose == BOTH) add(r, DOMAIN_COMMAND, fd, access);
}

/* What is not there is not granted. */
static void grant_to(struct rules *r, enum whose whose, const char *path, uint64_t access)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return;
    grant_fd(r, whose, fd, access);
    close(fd);
}

static void grant(struct rules *r, const char *path, uint64_t access)
{
    grant_to(r, BOTH, path, access);
}

static void grant_extra(struct rules *r, const struct spec *s, bool at_target)
{
    for (uint32_t i = 0; i < s->read_only_count; i++)
        if (!at_target) grant(r, s->read_only[i].source, READ);
    for (uint32_t i = 0; i < s->cache_count; i++)
        grant(r, at_target ? s->caches[i].target : s->caches[i].source, at_target ? WRITE : READ);
}

static const char *const own_writable[] = {"/tmp", "/var/tmp", "/dev/shm"};

/* The root holds only what a cell may read. */
static void grant_own_root(struct rules *r)
{
    grant(r, "/", READ);
    for (size_t i = 0; i < COUNT(own_writable); i++) grant(r, own_writable[i], WRITE);
    grant(r, "/dev", DEVICE_USE | LANDLOCK_ACCESS_FS_READ_DIR);
}

/* Without a root of its own: the parts of the machine's that tools need, and no more of /proc than
 * says something about the machine. */
static void grant_machine(struct rules *r)
{
    static const char *const readable[] = {
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/alternatives",
        "/etc/bash.bashrc", "/etc/ca-certificates", "/etc/ca-certificates.conf", "/etc/fonts",
        "/etc/gitconfig", "/etc/group", "/etc/hosts", "/etc/inputrc", "/etc/ld.so.cache",
        "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/locale.alias", "/etc/localtime",
        "/etc/magic", "/etc/mime.types", "/etc/nsswitch.conf", "/etc/os-release",
        "/etc/passwd", "/etc/pki/ca-trust", "/etc/pki/java", "/etc/pki/tls/certs", "/etc/profile", "/etc/profile.d",
        "/etc/protocols", "/etc/services", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/timezone", "/proc/cpuinfo",
        "/proc/filesystems", "/proc/loadavg", "/proc/meminfo", "/proc/stat", "/proc/uptime",
        "/proc/version", "/proc/sys/kernel/random", "/proc/sys/vm/overcommit_memory",
        "/proc/sys/vm/max_map_count", "/proc/sys/kernel/osrelease"};
    static const char *const devices[] = {"/dev/null",   "/dev/zero",    "/dev/full",
                                          "/dev/random", "/dev/urandom", "/dev/tty"};
    for (size_t i = 0; i < COUNT(readable); i++) grant(r, readable[i], READ);
    for (size_t i = 0; i < COUNT(devices); i++) grant(r, devices[i], DEVICE_USE);
    DIR *etc = opendir("/etc");
    for (struct dirent *e; etc && (e = readdir(etc));) {
        char path[300];
        if (!etc_is_toolchain(e->d_name)) continue;
        snprintf(path, sizeof path, "/etc/%s", e->d_name);
        grant(r, path, READ);
    }
    if (etc) closedir(etc);
    /* The daemon opens terminals for its commands; they must not open other people's. */
    grant_to(r, DAEMON_ONLY, "/dev/ptmx", DEVICE_USE);
    grant_to(r, DAEMON_ONLY, "/dev/pts", DEVICE_USE);
}

static bool is_taken(const struct rules *r, struct text *why)
{
    return r->ok || say(why, "Landlock takes no rule: %s", strerror(r->error));
}

bool landlock_begin(struct cell *c, struct text *why)
{
    struct ruleset attributes = {.fs = handled(c->abi)};
    if (c->abi >= 6) attributes.scoped = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL;
    size_t size = c->abi >= 6 ? sizeof attributes : c->abi >= 4 ? 16 : 8;
    struct rules r = {.fs = attributes.fs, .ok = true};
    for (int d = 0; d < 2; d++) {
        c->domains[d] = r.fd[d] = (int)syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
        if (r.fd[d] < 0) return say(why, "Landlock gives no ruleset: %s", strerror(errno));
    }
    if (has_namespaces(c))
        grant_own_root(&r);
    else
        grant_machine(&r);
    return is_taken(&r, why);
}

bool landlock_finish(const struct cell *c, struct text *why)
{
    struct rules r = {.fd = {c->domains[DOMAIN_DAEMON], c->domains[DOMAIN_COMMAND]}, .fs = handled(c->abi), .ok = true};
    /* Other places than those that were granted before, when the spec names one for /tmp. */
    for (size_t i = 0; i < COUNT(own_writable) && has_namespaces(c) && *c->spec->tmp; i++)
        grant(&r, own_writable[i], WRITE);
    if (!has_namespaces(c) && *c->tmp) grant(&r, c->tmp, WRITE);
    grant_extra(&r, c->spec, has_namespaces(c));
    grant(&r, c->spec->workspace, c->spec->writable ? WRITE : READ);
    grant(&r, c->spec->home, WRITE);
    grant_fd(&r, DAEMON_ONLY, FD_SPOOL, WRITE);
    if (c->proc >= 0)
        grant_fd(&r, DAEMON_ONLY, c->proc, LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR);
    return is_taken(&r, why);
}

bool landlock_enter(int ruleset, struct text *why)
{
    return syscall(SYS_landlock_restrict_self, ruleset, 0) == 0 ||
           say(why, "Landlock cannot be entered: %s", strerror(errno));
}
