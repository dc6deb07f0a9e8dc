#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct process {
    pid_t pid, parent;
    unsigned long long start;
    char state;
    bool is_below;
};

static bool read_process(int proc, const char *name, struct process *p)
{
    char path[32], buf[512];
    snprintf(path, sizeof path, "%.20s/stat", name);
    int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t n = read(fd, buf, sizeof buf - 1);
    close(fd);
    if (n <= 0) return false;
    buf[n] = 0;
    /* The name in parentheses may hold anything, even parentheses. */
    char *rest = strrchr(buf, ')');
    p->pid = (pid_t)atoi(name);
    p->is_below = false;
    return rest && sscanf(rest + 1,
                          " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
                          "%*d %llu",
                          &p->state, &p->parent, &p->start) == 3;
}

static uint32_t read_all(int proc, struct process **to)
{
    uint32_t n = 0, cap = 0;
    *to = NULL;
    int fd = openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        close_fd(&fd);
        return 0;
    }
    for (struct dirent *e; (e = readdir(dir));) {
        if (e->d_name[0] < '1' || e->d_name[0] > '9') continue;
        if (n == cap) *to = regrab(*to, (cap = cap ? cap * 2 : 64) * sizeof **to);
        if (read_process(fd, e->d_name, &(*to)[n])) n++;
    }
    closedir(dir);
    return n;
}

static int by_pid(const void *a, const void *b)
{
    return ((const struct process *)a)->pid - ((const struct process *)b)->pid;
}

static void mark(struct process *all, uint32_t n, pid_t top, bool (*spares)(pid_t))
{
    bool changed = n > 0;
    if (n) qsort(all, n, sizeof *all, by_pid);
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < n; i++) {
            struct process *p = &all[i], key = {.pid = p->parent};
            if (p->is_below) continue;
            struct process *parent = bsearch(&key, all, n, sizeof *all, by_pid);
            if (p->parent != top && !(parent && parent->is_below)) continue;
            if (spares && spares(p->pid)) continue;
            changed = p->is_below = true;
        }
    }
}

uint32_t tree_count(int proc, pid_t top)
{
    struct process *all;
    uint32_t n = read_all(proc, &all), count = 0;
    mark(all, n, top, NULL);
    for (uint32_t i = 0; i < n; i++) count += all[i].is_below && all[i].state != 'Z';
    free(all);
    return count;
}

/* The number may have gone to another since it was read: the pidfd holds it still, the start time
 * says whose it is. */
static void kill_one(int proc, const struct process *p)
{
    char name[16];
    struct process now;
    int pidfd = sys_pidfd_open(p->pid);
    if (pidfd < 0) return;
    snprintf(name, sizeof name, "%d", p->pid);
    if (read_process(proc, name, &now) && now.start == p->start) sys_pidfd_kill(pidfd, SIGKILL);
    close(pidfd);
}

uint32_t tree_kill(int proc, pid_t top, bool (*spares)(pid_t))
{
    struct process *all;
    uint32_t n = read_all(proc, &all), count = 0;
    mark(all, n, top, spares);
    for (uint32_t i = 0; i < n; i++) {
        if (!all[i].is_below || all[i].state == 'Z') continue;
        kill_one(proc, &all[i]);
        count++;
    }
    free(all);
    return count;
}

pid_t tree_ancestor(int proc, pid_t pid, bool (*is)(pid_t))
{
    char name[16];
    struct process p;
    for (int steps = 0; pid > 1 && steps < 4096; steps++) {
        if (is(pid)) return pid;
        snprintf(name, sizeof name, "%d", pid);
        if (!read_process(proc, name, &p)) return 0;
        pid = p.parent;
    }
    return 0;
}
