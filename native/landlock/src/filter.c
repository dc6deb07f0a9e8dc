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
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
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

static const int denied[] = {
    /* mounts and roots */
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_fsopen, SYS_fsconfig, SYS_fsmount,
    SYS_fspick, SYS_open_tree, NR_OPEN_TREE_ATTR, SYS_move_mount, SYS_mount_setattr, SYS_swapon,
    SYS_swapoff, SYS_quotactl, SYS_quotactl_fd,
    /* namespaces */
    SYS_unshare, SYS_setns,
    /* other processes' insides; ptrace of one's own children stays */
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_pidfd_getfd,
    /* the kernel itself */
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_kexec_load, SYS_kexec_file_load,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_create_module,
    SYS_get_kernel_syms, SYS_query_module, SYS_ioperm, SYS_iopl, SYS_modify_ldt, SYS_reboot,
    SYS_syslog, SYS_acct, SYS_vhangup, SYS_lookup_dcookie, SYS_nfsservctl, SYS_uselib, SYS_sysfs,
    SYS__sysctl, SYS_ustat, SYS_memfd_secret, SYS_vmsplice, NR_LSM_SET_SELF_ATTR,
    /* clock and names */
    SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname,
    SYS_setdomainname,
    /* keys */
    SYS_add_key, SYS_request_key, SYS_keyctl,
    /* file handles and watching whole mounts */
    SYS_open_by_handle_at, SYS_fanotify_init, SYS_fanotify_mark,
    /* other nodes' memory */
    SYS_move_pages, SYS_migrate_pages,
};

/* Those that callers know how to do without. */
static const int absent[] = {SYS_clone3, SYS_io_uring_setup, SYS_io_uring_enter,
                             SYS_io_uring_register};

/* Kernel objects shared across a machine; in a namespace of their own they stay. */
static const int ipc[] = {SYS_shmget, SYS_shmat, SYS_shmctl,  SYS_msgget,  SYS_msgsnd, SYS_msgrcv,
                          SYS_msgctl, SYS_semget, SYS_semop,  SYS_semctl,  SYS_semtimedop,
                          SYS_mq_open, SYS_mq_unlink};

static const int families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};

#define NAMESPACE_FLAGS                                                                            \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |     \
     CLONE_NEWCGROUP)

struct program {
    struct sock_filter code[512];
    unsigned short n;
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

static void deny(struct program *p, const int *calls, size_t n, int error)
{
    for (size_t i = 0; i < n; i++) {
        JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i], 0, 1);
        RETURN(p, FAIL((uint32_t)error));
    }
}

/* Each block begins by leaping over itself for other calls, so the number stays loaded for them. */
static void only_if(struct program *p, int call, unsigned char length)
{
    JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, length);
}

/* A file that runs as its owner, made by root on the user's own disk, would serve everybody outside.
 * The number of the call, of its flags (-1: it has none) and of its mode. */
static void no_set_id(struct program *p)
{
    static const struct {
        int call, flags, mode;
    } calls[] = {
        {SYS_chmod, -1, 1},  {SYS_fchmod, -1, 1}, {SYS_fchmodat, -1, 2}, {NR_FCHMODAT2, -1, 2},
        {SYS_creat, -1, 1},  {SYS_mknod, -1, 1},  {SYS_mknodat, -1, 2},  {SYS_open, 1, 2},
        {SYS_openat, 2, 3},
    };
    for (size_t i = 0; i < COUNT(calls); i++) {
        bool has_flags = calls[i].flags >= 0;
        only_if(p, calls[i].call, has_flags ? 6 : 4);
        if (has_flags) {
            LOAD(p, args[calls[i].flags]);
            JUMP(p, BPF_JMP | BPF_JSET | BPF_K, O_CREAT | __O_TMPFILE, 0, 3);
        }
        LOAD(p, args[calls[i].mode]);
        JUMP(p, BPF_JMP | BPF_JSET | BPF_K, S_ISUID | S_ISGID, 0, 1);
        RETURN(p, FAIL(EPERM));
        RETURN(p, SECCOMP_RET_ALLOW);
    }
}

static void arguments(struct program *p, const struct cell *c)
{
    no_set_id(p);
    only_if(p, SYS_clone, 4);
    LOAD(p, args[0]);
    JUMP(p, BPF_JMP | BPF_JSET | BPF_K, NAMESPACE_FLAGS, 0, 1);
    RETURN(p, FAIL(EPERM));
    RETURN(p, SECCOMP_RET_ALLOW);
    only_if(p, SYS_ioctl, 5);
    LOAD(p, args[1]);
    JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0);
    JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 0, 1);
    RETURN(p, FAIL(EPERM));
    RETURN(p, SECCOMP_RET_ALLOW);
    if (!has_namespaces(c)) {
        int all = SYS_socket;
        deny(p, &all, 1, EAFNOSUPPORT);
        return;
    }
    only_if(p, SYS_socket, 3 + COUNT(families));
    LOAD(p, args[0]);
    for (size_t i = 0; i < COUNT(families); i++)
        JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)families[i],
             (unsigned char)(COUNT(families) - i), 0);
    RETURN(p, FAIL(EAFNOSUPPORT));
    RETURN(p, SECCOMP_RET_ALLOW);
}

static void build(struct program *p, const struct cell *c)
{
    LOAD(p, arch);
    JUMP(p, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
    RETURN(p, SECCOMP_RET_KILL_PROCESS);
    LOAD(p, nr);
    JUMP(p, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* x32 */
    RETURN(p, SECCOMP_RET_KILL_PROCESS);
    JUMP(p, BPF_JMP | BPF_JGT | BPF_K, NR_NEWEST, 0, 1);
    RETURN(p, FAIL(ENOSYS));
    deny(p, absent, COUNT(absent), ENOSYS);
    deny(p, denied, COUNT(denied), EPERM);
    if (!has_namespaces(c)) deny(p, ipc, COUNT(ipc), EPERM);
    arguments(p, c);
    RETURN(p, SECCOMP_RET_ALLOW);
}

bool filter_enter(struct cell *c, struct text *why)
{
    struct program p = {.n = 0};
    build(&p, c);
    struct sock_fprog program = {p.n, p.code};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
        return say(why, "seccomp takes no filter: %s", strerror(errno));
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != SECCOMP_MODE_FILTER)
        return say(why, "seccomp is not in force");
    name_add(&c->layers, "seccomp");
    return true;
}

/* The daemon opens files by openat2(2); a command must not, for its mode is out of a filter's sight. */
bool filter_command(void)
{
    static const int only[] = {SYS_openat2};
    struct program p = {.n = 0};
    LOAD(&p, nr);
    deny(&p, only, COUNT(only), ENOSYS);
    RETURN(&p, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {p.n, p.code};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}
