/* The system calls that nothing in a cell needs, by seccomp. A list of denials: what a cell may
 * reach is decided by the layers before; this takes away the kernel's own attack surface. Calls
 * younger than this list do not exist in a cell. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "confine.h"

#if !defined(__x86_64__)
#error "the filter knows the system calls of x86_64 only"
#endif

/* Of x86_64; newer than some headers. */
enum {
    NR_OPEN_TREE_ATTR = 467,
    NR_FCHMODAT2 = 452,
    NR_LSM_SET_SELF_ATTR = 460,
    NR_NEWEST = 469, /* file_setattr, Linux 6.17 */
};

enum { X32_BIT = 0x40000000 };

struct call {
    int number;
    const char *name;
};

#define C(name) {SYS_##name, #name}

static const struct call denied[] = {
    /* mounts and roots */
    C(pivot_root), C(chroot), C(fsopen), C(fsconfig), C(fsmount),
    C(fspick), C(open_tree), {NR_OPEN_TREE_ATTR, "open_tree_attr"}, C(move_mount), C(swapon),
    C(swapoff), C(quotactl), C(quotactl_fd),
    /* namespaces */
    C(unshare), C(setns),
    /* other processes' insides; ptrace of one's own children stays */
    C(process_vm_readv), C(process_vm_writev), C(kcmp), C(pidfd_getfd),
    /* the kernel itself */
    C(bpf), C(perf_event_open), C(userfaultfd), C(kexec_load), C(kexec_file_load),
    C(init_module), C(finit_module), C(delete_module), C(create_module),
    C(get_kernel_syms), C(query_module), C(ioperm), C(iopl), C(modify_ldt), C(reboot),
    C(syslog), C(acct), C(vhangup), C(lookup_dcookie), C(nfsservctl), C(uselib), C(sysfs),
    {SYS__sysctl, "_sysctl"}, C(ustat), C(memfd_secret), C(vmsplice), {NR_LSM_SET_SELF_ATTR, "lsm_set_self_attr"},
    /* clock and names */
    C(settimeofday), C(clock_settime), C(clock_adjtime), C(adjtimex), C(sethostname),
    C(setdomainname),
    /* keys */
    C(add_key), C(request_key), C(keyctl),
    /* file handles and watching whole mounts */
    C(open_by_handle_at), C(fanotify_init), C(fanotify_mark),
    /* other nodes' memory */
    C(move_pages), C(migrate_pages),
};

/* Of the cell's own first process while it is built. */
static const struct call keyed[] = {C(mount), C(umount2), C(mount_setattr)};

/* Those that callers know how to do without. */
static const int absent[] = {SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter,
                             SYS_io_uring_register};

/* Kernel objects shared across a machine; in a namespace of their own they stay. */
static const struct call ipc[] = {C(shmget), C(shmat), C(shmctl),  C(msgget),  C(msgsnd), C(msgrcv),
                          C(msgctl), C(semget), C(semop),  C(semctl),  C(semtimedop),
                          C(mq_open), C(mq_unlink)};

static const int families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};

#define NAMESPACE_FLAGS                                                                            \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |     \
     CLONE_NEWCGROUP)

struct program {
    struct sock_filter code[512];
    unsigned short n;
    bool is_told; /* refusals are the daemon's to give, so that it sees them */
};

static void op(struct program *p, struct sock_filter f)
{
    if (p->n == COUNT(p->code)) _exit(125);
    p->code[p->n++] = f;
}

#define STMT(p, c, k) op(p, (struct sock_filter)BPF_STMT(c, k))
#define JUMP(p, c, k, t, f) op(p, (struct sock_filter)BPF_JUMP(c, k, t, f))
#define LOAD(p, field) STMT(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(p, v) STMT(p, BPF_RET | BPF_K, v)
#define FAIL(e) (SECCOMP_RET_ERRNO | (e))

/* A refusal that is worth to be told. What the daemon itself calls must never end here: it would
 * wait for itself. */
static void refuse_call(struct program *p, int error)
{
    RETURN(p, p->is_told ? (uint32_t)SECCOMP_RET_USER_NOTIF : FAIL((uint32_t)error));
}

/* Where the daemon is told, it kills. */
static void kill_caller(struct program *p)
{
    RETURN(p, p->is_told ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_KILL_PROCESS);
}

/* ---- calls that are judged by their arguments ---- */

/* A file that runs as its owner, made by root on the user's own disk, would serve everybody outside.
 * `flags` (-1: it has none) and `mode` are numbers of arguments. */
static void no_set_id(struct program *p, int flags, int mode)
{
    if (flags >= 0) {
        LOAD(p, args[flags]);
        JUMP(p, BPF_JMP | BPF_JSET | BPF_K, O_CREAT | __O_TMPFILE, 0, 3);
    }
    LOAD(p, args[mode]);
    JUMP(p, BPF_JMP | BPF_JSET | BPF_K, S_ISUID | S_ISGID, 0, 1);
    RETURN(p, FAIL(EPERM));
    RETURN(p, SECCOMP_RET_ALLOW);
}

static void mode_second(struct program *p, const struct cell *c)
{
    (void)c;
    no_set_id(p, -1, 1);
}

static void mode_third(struct program *p, const struct cell *c)
{
    (void)c;
    no_set_id(p, -1, 2);
}

static void on_open(struct program *p, const struct cell *c)
{
    (void)c;
    no_set_id(p, 1, 2);
}

static void on_openat(struct program *p, const struct cell *c)
{
    (void)c;
    no_set_id(p, 2, 3);
}

/* Who gives this as the sixth argument, which the call does not have. */
static void allow_with(struct program *p, uint64_t key)
{
    STMT(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5]));
    JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)key, 0, 3);
    STMT(p, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5]) + 4);
    JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(key >> 32), 0, 1);
    RETURN(p, SECCOMP_RET_ALLOW);
}

/* The daemon opens files by openat2(2); a command must not, for its mode is out of a filter's sight.
 * One filter for both is cheaper than one more for each command: what tells them apart is a secret of
 * the daemon, whose memory and calls no command can look at. */
static void on_openat2(struct program *p, const struct cell *c)
{
    (void)c;
    allow_with(p, open_key);
    RETURN(p, FAIL(ENOSYS));
}

/* What is left to be mounted when the spec comes. To take a filter takes a third of a millisecond,
 * which is over by then. */
static void on_mounts(struct program *p, const struct cell *c)
{
    (void)c;
    allow_with(p, mount_key);
    refuse_call(p, EPERM);
}

static void on_clone(struct program *p, const struct cell *c)
{
    (void)c;
    LOAD(p, args[0]);
    JUMP(p, BPF_JMP | BPF_JSET | BPF_K, NAMESPACE_FLAGS, 0, 1);
    refuse_call(p, EPERM);
    RETURN(p, SECCOMP_RET_ALLOW);
}

static void on_ioctl(struct program *p, const struct cell *c)
{
    (void)c;
    LOAD(p, args[1]);
    JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0);
    JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 0, 1);
    refuse_call(p, EPERM);
    RETURN(p, SECCOMP_RET_ALLOW);
}

static void on_socket(struct program *p, const struct cell *c)
{
    LOAD(p, args[0]);
    for (size_t i = 0; has_namespaces(c) && i < COUNT(families); i++)
        JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)families[i],
             (unsigned char)(COUNT(families) - i), 0);
    refuse_call(p, EAFNOSUPPORT);
    RETURN(p, SECCOMP_RET_ALLOW);
}

static const struct judged {
    int number;
    void (*block)(struct program *p, const struct cell *c);
} judged[] = {
    {SYS_chmod, mode_second},  {SYS_fchmod, mode_second}, {SYS_fchmodat, mode_third},
    {NR_FCHMODAT2, mode_third}, {SYS_creat, mode_second},  {SYS_mknod, mode_second},
    {SYS_mknodat, mode_third}, {SYS_open, on_open},       {SYS_openat, on_openat},
    {SYS_clone, on_clone},     {SYS_ioctl, on_ioctl},     {SYS_socket, on_socket},
    {SYS_openat2, on_openat2}, {SYS_mount, on_mounts},    {SYS_umount2, on_mounts},
    {SYS_mount_setattr, on_mounts},
};

/* ---- the number of the call, looked up by halves ---- */

struct entry {
    uint32_t number;
    const struct judged *judged; /* or NULL: */
    int absent;                  /* ENOSYS, in silence */
    unsigned short leap;         /* judged: the instruction that leads to its block */
};

/* Of a linear list the kernel would walk all for each of its calls when the filter is taken: that
 * alone took a third of a millisecond. */
enum { LEAF = 3, MOST_ENTRIES = 128 };

static int by_number(const void *a, const void *b)
{
    uint32_t x = ((const struct entry *)a)->number, y = ((const struct entry *)b)->number;
    return (x > y) - (x < y);
}

static void add(struct entry *all, size_t *n, struct entry e)
{
    if (*n == MOST_ENTRIES) _exit(125);
    all[(*n)++] = e;
}

static size_t entries(struct entry *all, const struct cell *c)
{
    size_t n = 0;
    for (size_t i = 0; i < COUNT(absent); i++)
        add(all, &n, (struct entry){.number = (uint32_t)absent[i], .absent = ENOSYS});
    for (size_t i = 0; i < COUNT(denied); i++)
        add(all, &n, (struct entry){.number = (uint32_t)denied[i].number});
    for (size_t i = 0; i < COUNT(ipc) && !has_namespaces(c); i++)
        add(all, &n, (struct entry){.number = (uint32_t)ipc[i].number});
    for (size_t i = 0; i < COUNT(judged); i++)
        add(all, &n, (struct entry){.number = (uint32_t)judged[i].number, .judged = &judged[i]});
    qsort(all, n, sizeof *all, by_number);
    return n;
}

/* An instruction that leads anywhere, to be told where by `land`. */
static unsigned short leap(struct program *p)
{
    STMT(p, BPF_JMP | BPF_JA, 0);
    return (unsigned short)(p->n - 1);
}

static void land(struct program *p, unsigned short from)
{
    p->code[from].k = (uint32_t)(p->n - from - 1);
}

static void search(struct program *p, struct entry *all, size_t n)
{
    if (n > LEAF) {
        size_t half = n / 2;
        JUMP(p, BPF_JMP | BPF_JGE | BPF_K, all[half].number, 0, 1);
        unsigned short right = leap(p);
        search(p, all, half);
        land(p, right);
        search(p, all + half, n - half);
        return;
    }
    for (struct entry *e = all; e < all + n; e++) {
        JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, e->number, 0, 1);
        if (e->judged)
            e->leap = leap(p);
        else if (e->absent)
            RETURN(p, FAIL((uint32_t)e->absent));
        else
            refuse_call(p, EPERM);
    }
    RETURN(p, SECCOMP_RET_ALLOW);
}

static void build(struct program *p, const struct cell *c)
{
    struct entry all[MOST_ENTRIES];
    LOAD(p, arch);
    JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
    kill_caller(p);
    LOAD(p, nr);
    JUMP(p, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
    kill_caller(p);
    JUMP(p, BPF_JMP | BPF_JGT | BPF_K, NR_NEWEST, 0, 1);
    RETURN(p, FAIL(ENOSYS));
    size_t n = entries(all, c);
    search(p, all, n);
    for (size_t i = 0; i < n; i++) {
        if (!all[i].judged) continue;
        land(p, all[i].leap);
        all[i].judged->block(p, c);
    }
}

/* Answers the descriptor on which refusals are told, or -1: an outer sandbox may have one already. */
static int enter(const struct cell *c, bool is_told)
{
    struct program p = {.is_told = is_told};
    build(&p, c);
    struct sock_fprog program = {p.n, p.code};
    unsigned flags = is_told ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
    int result = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    explicit_bzero(&p, sizeof p); /* it holds the keys */
    return result;
}

bool filter_enter(struct cell *c, struct text *why)
{
    if (getrandom(&open_key, sizeof open_key, 0) != sizeof open_key ||
        getrandom(&mount_key, sizeof mount_key, 0) != sizeof mount_key)
        return say(why, "the kernel gives no random bytes");
    c->refusals = enter(c, true);
    if (c->refusals < 0 && enter(c, false) != 0)
        return say(why, "seccomp takes no filter: %s", strerror(errno));
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != SECCOMP_MODE_FILTER)
        return say(why, "seccomp is not in force");
    name_add(&c->layers, "seccomp");
    if (c->refusals >= 0)
        name_add(&c->layers, "seccomp-told");
    else
        name_add(&c->missing, "seccomp-told: another listener has been there before");
    return true;
}

static bool is_foreign(uint32_t arch, int number) { return arch != AUDIT_ARCH_X86_64 || number & X32_BIT; }

const char *filter_name(uint32_t arch, int number)
{
    if (is_foreign(arch, number)) return arch == AUDIT_ARCH_X86_64 ? "x32" : "i386";
    for (size_t i = 0; i < COUNT(denied); i++)
        if (denied[i].number == number) return denied[i].name;
    for (size_t i = 0; i < COUNT(keyed); i++)
        if (keyed[i].number == number) return keyed[i].name;
    for (size_t i = 0; i < COUNT(ipc); i++)
        if (ipc[i].number == number) return ipc[i].name;
    if (number == SYS_clone) return "clone";
    if (number == SYS_ioctl) return "ioctl";
    return number == SYS_socket ? "socket" : "another";
}

int filter_error(uint32_t arch, int number)
{
    if (is_foreign(arch, number)) return 0;
    return number == SYS_socket ? EAFNOSUPPORT : EPERM;
}
