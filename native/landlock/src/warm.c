/* Cells kept ready: their namespaces stand, and what of their root is the same for all; they wait for
 * a spec, which comes once. None has ever run a command when it is given away, and none comes back,
 * so nothing of one session reaches another through them.
 *
 * They are for the user whose cell was asked for last, in the beginning for the supervisor's own,
 * and only where there are namespaces: without them a cell is begun quickly enough. One is made at a
 * time and a little after the last event, for making one takes the supervisor's only thread. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair.h"
#include "supervise.h"

enum { PAUSE_MILLIS = 60, AFTER_FAILURE_MILLIS = 60000 };

struct warm {
    struct launched cell;
    struct watch watch; /* its pidfd: it ends by itself only when something is wrong */
    struct warm *next;
};

static struct warm *all;
static struct timer refill;
static uid_t uid;
static gid_t gid;
static bool is_for_someone, is_failing;

/* What they saw of the machine when they were made. */
static int mounts = -1;
static struct timespec etc_changed;

uint32_t warm_ready(void)
{
    uint32_t n = 0;
    for (struct warm *w = all; w; w = w->next) n++;
    return n;
}

static void remove_warm(struct warm *gone)
{
    for (struct warm **p = &all; *p; p = &(*p)->next)
        if (*p == gone) {
            *p = gone->next;
            break;
        }
    watch_stop(&gone->watch);
}

static void dispose(struct warm *w)
{
    remove_warm(w);
    sys_pidfd_kill(w->cell.pidfd, SIGKILL);
    while (waitid(P_PIDFD, (id_t)w->cell.pidfd, &(siginfo_t){0}, WEXITED) < 0 && errno == EINTR) continue;
    launched_close(&w->cell);
    free(w);
}

void warm_end(void)
{
    while (all) dispose(all);
    timer_stop(&refill);
}

/* A mount table tells by poll(2) that it was changed since it was last asked (proc(5)); files of /etc
 * are bound one by one, so that one put in place of another would not be seen. */
static bool is_machine_as_seen(void)
{
    struct stat st;
    if (mounts < 0) mounts = open("/proc/self/mounts", O_RDONLY | O_CLOEXEC);
    struct pollfd changed = {mounts, POLLPRI, 0};
    if (mounts < 0 || poll(&changed, 1, 0) < 0 || stat("/etc", &st) != 0) return false;
    bool same = !(changed.revents & (POLLPRI | POLLERR)) && st.st_mtim.tv_sec == etc_changed.tv_sec &&
                st.st_mtim.tv_nsec == etc_changed.tv_nsec;
    etc_changed = st.st_mtim;
    return same;
}

static void on_exit_of_warm(struct watch *w, uint32_t events)
{
    (void)events;
    is_failing = true;
    dispose(w->owner);
    warm_review();
}

static bool make_one(void)
{
    struct warm *w = grab(sizeof *w);
    struct text why;
    struct launch l = {NULL,  uid, gid, supervisor.dir, supervisor.machine.variant, supervisor.machine.abi,
                       false, -1,  -1};
    if (!launch_start(&l, &w->cell, &why)) {
        free(w);
        return false;
    }
    w->next = all;
    all = w;
    watch_start(&w->watch, w->cell.pidfd, EPOLLIN, on_exit_of_warm, w);
    return true;
}

static uint32_t wanted(void)
{
    uint32_t most = 0;
    for (struct host *h = supervisor.hosts; h; h = h->next)
        if (h->warm > most) most = h->warm;
    bool is_useful = supervisor.machine.level == LEVEL_NAMESPACES && !supervisor.wants_end;
    return !is_useful ? 0 : most < MOST_WARM ? most : MOST_WARM;
}

static void on_refill(struct timer *t)
{
    (void)t;
    if (!is_machine_as_seen()) warm_end();
    is_failing = warm_ready() < wanted() && !make_one();
    touch_memory();
    warm_review();
}

void warm_review(void)
{
    uint32_t target = wanted();
    if (!is_for_someone) {
        uid = geteuid();
        gid = getegid();
    }
    while (warm_ready() > target) dispose(all);
    if (warm_ready() == target)
        timer_stop(&refill);
    else if (!refill.active)
        timer_start(&refill, is_failing ? AFTER_FAILURE_MILLIS : PAUSE_MILLIS, on_refill, NULL);
}

void warm_alert(void)
{
    if (all) packet_send(all->cell.go, "a", 1, -1);
}

bool warm_take(const struct spec *s, struct launched *to)
{
    bool fits = is_for_someone ? s->uid == uid && s->gid == gid
                               : s->uid == geteuid() && s->gid == getegid();
    uid = s->uid;
    gid = s->gid;
    is_for_someone = true;
    if (all && (!is_machine_as_seen() || !fits)) warm_end();
    struct warm *w = all;
    if (!w) return false;
    remove_warm(w);
    *to = w->cell;
    free(w);
    return true;
}
