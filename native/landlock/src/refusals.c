/* System calls that seccomp refuses are refused by the daemon, which so sees them: they are told with
 * the outcome of the command that made them. */
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"
#include "run.h"

static struct watch watch;

static bool is_minder(pid_t pid)
{
    for (struct run *r = run_first(); r; r = r->next)
        if (r->minder == pid) return true;
    return false;
}

/* The command that a process belongs to; of one that is gone already, the newest. */
static struct run *run_of(pid_t pid)
{
    pid_t minder = tree_ancestor(the_daemon.cell->proc, pid, is_minder);
    for (struct run *r = run_first(); r; r = r->next)
        if (r->minder && (!minder || r->minder == minder)) return r;
    return NULL;
}

static void note(struct run *r, const char *name)
{
    uint32_t i = 0;
    while (i < r->refusal_kinds && strcmp(r->refusals[i].name, name) != 0) i++;
    if (i == COUNT(r->refusals)) return;
    if (i == r->refusal_kinds) r->refusals[r->refusal_kinds++].name = name;
    r->refusals[i].count++;
}

static void on_refusal(struct watch *w, uint32_t events)
{
    struct seccomp_notif told;
    struct seccomp_notif_resp answer;
    if (!(events & EPOLLIN)) {
        watch_stop(w); /* nobody is left who could be refused anything */
        return;
    }
    memset(&told, 0, sizeof told);
    memset(&answer, 0, sizeof answer);
    if (ioctl(w->fd, SECCOMP_IOCTL_NOTIF_RECV, &told) != 0) return; /* it died meanwhile */
    int error = filter_error(told.data.arch, told.data.nr);
    struct run *r = run_of((pid_t)told.pid);
    if (r) note(r, filter_name(told.data.arch, told.data.nr));
    /* Waiting for the answer it is nobody else; by then the signal waits for it. */
    if (!error && ioctl(w->fd, SECCOMP_IOCTL_NOTIF_ID_VALID, &told.id) == 0) kill((pid_t)told.pid, SIGKILL);
    answer.id = told.id;
    answer.error = error ? -error : -EPERM;
    if (ioctl(w->fd, SECCOMP_IOCTL_NOTIF_SEND, &answer) != 0) return; /* it died meanwhile */
}

void refusals_watch(void)
{
    int fd = the_daemon.cell->refusals;
    if (fd >= 0) watch_start(&watch, fd, EPOLLIN, on_refusal, NULL);
}
