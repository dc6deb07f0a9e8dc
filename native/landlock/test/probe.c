/* Attacks that no shell can make, run inside a cell: `probe NAME [PID]` exits 0 when it was let
 * through, 1 with the errno's name when it was not. */
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/bpf.h>
#include <linux/kcmp.h>
#include <linux/perf_event.h>
#include <linux/vm_sockets.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static long pid;

static long call(long n, long a, long b, long c, long d, long e)
{
    return syscall(n, a, b, c, d, e, 0);
}

static long process_vm(void)
{
    char buf[8];
    struct iovec local = {buf, 8}, remote = {(void *)0x400000, 8};
    return process_vm_readv((pid_t)pid, &local, 1, &remote, 1, 0);
}
static long seize(void) { return ptrace(PTRACE_SEIZE, (pid_t)pid, 0, 0); }
static long getfd(void)
{
    long fd = call(SYS_pidfd_open, pid, 0, 0, 0, 0);
    return fd < 0 ? fd : call(SYS_pidfd_getfd, fd, 9, 0, 0, 0);
}
static long pidfd_signal(void)
{
    long fd = call(SYS_pidfd_open, pid, 0, 0, 0, 0);
    return fd < 0 ? fd : call(SYS_pidfd_send_signal, fd, 0, 0, 0, 0);
}
static long kill0(void) { return kill((pid_t)pid, 0); }
static long kill_urg(void) { return kill((pid_t)pid, SIGURG); }
static long kill_daemon(void)
{
    /* Signals to the first process of a namespace are dropped by the kernel: it must refuse. */
    return kill(1, SIGKILL);
}
static long stop_daemon(void) { return kill(1, SIGSTOP); }
static long compare(void) { return call(SYS_kcmp, getpid(), pid, KCMP_FILES, 0, 0); }
static long shm(void)
{
    int id = shmget(0x5a41, 0, 0);
    return id < 0 ? id : (long)shmat(id, NULL, SHM_RDONLY);
}
static long family(int f, int type, int protocol) { return socket(f, type, protocol); }
static long raw4(void) { return family(AF_INET, SOCK_RAW, 1); }
static long packet(void) { return family(AF_PACKET, SOCK_RAW, 0); }
static long vsock(void) { return family(AF_VSOCK, SOCK_STREAM, 0); }
static long alg(void) { return family(AF_ALG, SOCK_SEQPACKET, 0); }
static long abstract(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "\0zaphost"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return fd < 0 ? fd : connect(fd, (struct sockaddr *)&a, 2 + 8);
}
static long fsopen_(void) { return call(SYS_fsopen, (long)"tmpfs", 0, 0, 0, 0); }
static long open_tree_(void) { return call(SYS_open_tree, AT_FDCWD, (long)"/", 1, 0, 0); }
static long mount_(void) { return call(SYS_mount, (long)"t", (long)"/tmp", (long)"tmpfs", 0, 0); }
static long unshare_user(void) { return unshare(CLONE_NEWUSER); }
static long clone_user(void) { return call(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0); }
static long clone3_(void)
{
    struct {
        unsigned long flags, rest[10];
    } args = {CLONE_NEWUSER, {0}};
    return call(SYS_clone3, (long)&args, sizeof args, 0, 0, 0);
}
/* With every sixth argument that may lie around; only the daemon knows the right one. */
static long openat2_(void)
{
    struct {
        unsigned long flags, mode, resolve;
    } how = {O_WRONLY | O_CREAT, 04755, 0};
    for (long i = -4096; i < 4096; i++) {
        long fd = syscall(437, AT_FDCWD, "set-id", &how, sizeof how, 0, i * 0x100000001);
        if (fd >= 0) return fd;
    }
    return -1;
}
static long unshare_net(void) { return unshare(CLONE_NEWNET); }
static long chroot_(void) { return chroot("."); }
static long pivot(void) { return call(SYS_pivot_root, (long)".", (long)".", 0, 0, 0); }
static long bpf_(void)
{
    union bpf_attr a = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    return call(SYS_bpf, BPF_MAP_CREATE, (long)&a, sizeof a, 0, 0);
}
static long perf(void)
{
    struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE, .size = sizeof a, .exclude_kernel = 1};
    return call(SYS_perf_event_open, (long)&a, 0, -1, -1, 0);
}
static long uffd(void) { return call(SYS_userfaultfd, 1 | O_CLOEXEC, 0, 0, 0, 0); }
static long uring(void)
{
    char params[120] = {0};
    return call(SYS_io_uring_setup, 8, (long)params, 0, 0, 0);
}
static long add_key(void) { return call(SYS_add_key, (long)"user", (long)"k", (long)"x", 1, -4); }
static long key_session(void) { return call(SYS_keyctl, 1, 0, 0, 0, 0); }
static long request_key(void) { return call(SYS_request_key, (long)"user", (long)"hostkey", 0, -4, 0); }
static long kexec(void) { return call(SYS_kexec_load, 0, 0, 0, 0, 0); }
static long module(void) { return call(SYS_init_module, (long)"", 0, (long)"", 0, 0); }
static long ioperm_(void) { return call(SYS_ioperm, 0x80, 1, 1, 0, 0); }
static long reboot_(void) { return call(SYS_reboot, 1, 2, 3, 0, 0); }
static long set_time(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return settimeofday(&t, NULL);
}
static long host_name(void) { return sethostname("evil", 4); }
static long dmesg(void)
{
    char buf[64];
    return call(SYS_syslog, 3, (long)buf, sizeof buf, 0, 0);
}
static long fanotify(void) { return call(SYS_fanotify_init, 0x200, 0, 0, 0, 0); }
static long by_handle(void)
{
    char handle[24] = {8};
    return call(SYS_open_by_handle_at, open("/", O_RDONLY), (long)handle, 0, 0, 0);
}
static long ldt(void)
{
    char buf[16] = {0};
    return call(SYS_modify_ldt, 0, (long)buf, sizeof buf, 0, 0);
}
static long secret(void) { return call(SYS_memfd_secret, 0, 0, 0, 0, 0); }
static long splice_(void)
{
    int p[2];
    struct iovec v = {"x", 1};
    return pipe(p) != 0 ? -1 : vmsplice(p[1], &v, 1, 0);
}
static long privs(void) { return prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0); }
static long sti(void)
{
    int m = posix_openpt(O_RDWR | O_NOCTTY);
    if (m < 0 || grantpt(m) != 0 || unlockpt(m) != 0) return -1;
    setsid();
    int s = open(ptsname(m), O_RDWR);
    return s < 0 || ioctl(s, TIOCSCTTY, 0) != 0 ? -1 : ioctl(s, TIOCSTI, "x");
}
/* The i386 way in, and x32: their callers are killed, so a child makes the call. */
static long in_child(void (*f)(void))
{
    int status = 0;
    pid_t p = fork();
    if (p == 0) {
        f();
        _exit(0);
    }
    waitpid(p, &status, 0);
    errno = EPERM;
    return WIFSIGNALED(status) ? -1 : 0;
}
static void int80_(void) { __asm__ volatile("int $0x80" ::"a"(20) : "memory"); }
static long int80(void) { return in_child(int80_); }
static void x32_(void) { call(0x40000027, 0, 0, 0, 0, 0); }
static long x32(void) { return in_child(x32_); }
static long block(void) { return mknod("b", S_IFBLK | 0600, 254 << 8); }
static long whiteout(void) { return mknod("w", S_IFCHR | 0600, 0); }
static long nice_(void) { return setpriority(PRIO_PROCESS, 0, -20); }
static long fifo_class(void)
{
    struct sched_param p = {10};
    return sched_setscheduler(0, SCHED_FIFO, &p);
}
static long raise_limit(void)
{
    struct rlimit l;
    getrlimit(RLIMIT_NPROC, &l);
    l.rlim_cur = l.rlim_max += 1;
    return setrlimit(RLIMIT_NPROC, &l);
}
static long own_child(void)
{
    int status;
    pid_t p = fork();
    if (p == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        _exit(0);
    }
    waitpid(p, &status, 0);
    long r = WIFSTOPPED(status) ? ptrace(PTRACE_CONT, p, 0, 0) : -1;
    waitpid(p, &status, 0);
    return r;
}
static long memfd_exec(void)
{
    char *argv[] = {"true", NULL};
    int from = open("/bin/true", O_RDONLY), to = memfd_create("x", 0), status;
    char buf[65536];
    for (ssize_t n; (n = read(from, buf, sizeof buf)) > 0;)
        if (write(to, buf, (size_t)n) != n) return -1;
    pid_t p = fork();
    if (p == 0) {
        syscall(SYS_execveat, to, "", argv, argv + 1, AT_EMPTY_PATH);
        _exit(1);
    }
    waitpid(p, &status, 0);
    return status ? -1 : 0;
}
static long threads(void) { return fork() < 0 ? -1 : 0; }
static long descriptors(void)
{
    /* Nothing but 0, 1 and 2 came along. */
    for (int fd = 3; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0) return 0;
    errno = EBADF;
    return -1;
}
/* A fork bomb that ends by itself: 3,000 processes in all, whatever the machine allows. */
static long bomb(void)
{
    enum { MOST = 3000 };
    int *count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t first = getpid();
    for (int k = 1; k < 64; k++) signal(k, SIG_IGN);
    while (__atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST) < MOST) {
        pid_t p = fork();
        if (p < 0 && getpid() == first) return -1;
        if (p < 0) sleep(100);
        if (p > 0 && getpid() != first && __atomic_load_n(count, __ATOMIC_SEQ_CST) % 3 == 0) _exit(0);
    }
    if (getpid() != first) sleep(100);
    return 0;
}
static long many_files(void)
{
    for (int i = 0; i < 100000; i++)
        if (dup(0) < 0) return -1;
    return 0;
}

static const struct {
    const char *name;
    long (*run)(void);
} all[] = {
#define P(f) {#f, f}
    P(process_vm), P(seize), P(getfd), P(pidfd_signal), P(kill0), P(kill_urg), P(compare), P(shm),
    P(raw4), P(packet), P(vsock), P(alg), P(abstract), P(fsopen_), P(open_tree_), P(mount_),
    P(unshare_user), P(clone_user), P(clone3_), P(openat2_), P(unshare_net), P(chroot_), P(pivot), P(bpf_),
    P(perf), P(uffd), P(uring), P(add_key), P(key_session), P(request_key), P(kexec), P(module),
    P(ioperm_), P(reboot_), P(set_time), P(host_name), P(dmesg), P(fanotify), P(by_handle), P(ldt),
    P(secret), P(splice_), P(privs), P(sti), P(int80), P(x32), P(block), P(whiteout), P(nice_),
    P(fifo_class), P(raise_limit), P(own_child), P(memfd_exec), P(threads), P(descriptors),
    P(many_files), P(bomb), P(kill_daemon), P(stop_daemon)};

int main(int argc, char **argv)
{
    pid = argc > 2 ? atol(argv[2]) : 1;
    for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++) {
        if (strcmp(argv[1], all[i].name) != 0) continue;
        errno = 0;
        long r = all[i].run();
        printf("%s\n", r < 0 ? strerrorname_np(errno) : "ALLOWED");
        return r < 0;
    }
    return 2;
}
