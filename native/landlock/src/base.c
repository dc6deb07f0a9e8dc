#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

bool say(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(t->s, sizeof t->s, format, args);
    va_end(args);
    return false;
}

void *regrab(void *p, size_t n)
{
    void *q = realloc(p, n ? n : 1);
    if (!q) _exit(125);
    return q;
}

void *grab(size_t n)
{
    void *p = calloc(1, n ? n : 1);
    if (!p) _exit(125);
    return p;
}

char *copy_string(const void *p, size_t n)
{
    char *s = grab(n + 1);
    if (n) memcpy(s, p, n);
    return s;
}

char *join(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    char *s = grab(n + m + 1);
    memcpy(s, a, n);
    memcpy(s + n, b, m);
    return s;
}

static int64_t clock_millis(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t now_millis(void) { return clock_millis(CLOCK_MONOTONIC); }
int64_t wall_millis(void) { return clock_millis(CLOCK_REALTIME); }

bool write_all(int fd, const void *p, size_t n)
{
    const char *s = p;
    while (n) {
        ssize_t k = write(fd, s, n);
        if (k < 0 && errno == EINTR) continue;
        if (k <= 0) return false;
        s += k;
        n -= (size_t)k;
    }
    return true;
}

bool write_file(const char *path, const char *s)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return false;
    bool ok = write_all(fd, s, strlen(s));
    int error = errno;
    close(fd);
    errno = error;
    return ok;
}

ssize_t read_file(const char *path, char *buf, size_t cap)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return -1;
    size_t n = 0;
    ssize_t k = 0;
    while (n < cap - 1 && (k = read(fd, buf + n, cap - 1 - n)) > 0) n += (size_t)k;
    close(fd);
    buf[n] = 0;
    return k < 0 ? -1 : (ssize_t)n;
}

bool make_dirs(const char *path, mode_t mode)
{
    if (mkdir(path, mode) == 0) return true;
    char *s = copy_string(path, strlen(path));
    bool ok = true;
    for (char *p = s + 1; ok && *p; p++) {
        if (*p != '/') continue;
        *p = 0;
        ok = mkdir(s, mode) == 0 || errno == EEXIST || access(s, F_OK) == 0;
        *p = '/';
    }
    struct stat st;
    if (ok && mkdir(s, mode) != 0) {
        int error = errno;
        ok = stat(s, &st) == 0 && S_ISDIR(st.st_mode);
        if (!ok) errno = error;
    }
    free(s);
    return ok;
}

bool is_beneath(const char *path, const char *dir)
{
    size_t n = strlen(dir);
    if (n == 1 && dir[0] == '/') return true;
    return strncmp(path, dir, n) == 0 && (path[n] == 0 || path[n] == '/');
}

enum { PAGE = 4096, HEAP_AHEAD = 64 << 10, STACK_AHEAD = 32 << 10 };

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14; without it the pages come one by one */
#endif

static void touch(const void *from, const void *to)
{
    uintptr_t first = (uintptr_t)from & ~(uintptr_t)(PAGE - 1);
    madvise((void *)first, ((uintptr_t)to - first + PAGE - 1) & ~(uintptr_t)(PAGE - 1),
            MADV_POPULATE_WRITE);
}

void touch_memory(void)
{
    extern char __data_start[], _edata[];
    /* No optimizer may see that it is given back at once; it stays with the heap. */
    void *volatile more = malloc(HEAP_AHEAD);
    char here, *heap = more;
    free(more);
    touch(__data_start, _edata);
    touch((char *)((uintptr_t)&here - STACK_AHEAD), &here);
    if (heap) touch(heap - HEAP_AHEAD, sbrk(0));
}

int sys_close_range(unsigned from, unsigned to)
{
    return (int)syscall(SYS_close_range, from, to, 0);
}

int sys_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int sys_pidfd_kill(int pidfd, int signal)
{
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

uint64_t open_key;

int open_beneath(int dir, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve)
{
    struct open_how how = {.flags = flags | O_CLOEXEC, .mode = mode, .resolve = resolve};
    int fd;
    /* EAGAIN: a rename elsewhere got in the way of a beneath walk (openat2(2)). */
    for (int tries = 0; tries < 64; tries++) {
        fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof how, 0, open_key);
        if (fd >= 0 || (errno != EAGAIN && errno != EINTR)) break;
    }
    return fd;
}

void close_fd(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}
