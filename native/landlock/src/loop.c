#include "loop.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base.h"

enum { EVENTS = 32 };

static int epoll = -1;
static struct timer *timers;
static bool ending;

/* What one wait gave and is not yet handled: a handler may stop the watch of a later event. */
static struct epoll_event ready[EVENTS];
static int ready_count;

void loop_init(void)
{
    epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0) _exit(125);
}

void loop_forget(void)
{
    close_fd(&epoll);
    timers = NULL;
    ending = false;
    ready_count = 0;
}

static void control(int op, struct watch *w)
{
    struct epoll_event e = {.events = w->events, .data.ptr = w};
    if (epoll_ctl(epoll, op, w->fd, &e) != 0 && op == EPOLL_CTL_ADD) _exit(125);
}

void watch_start(struct watch *w, int fd, uint32_t events,
                 void (*on)(struct watch *, uint32_t), void *owner)
{
    w->fd = fd;
    w->events = events;
    w->on = on;
    w->owner = owner;
    w->active = true;
    control(EPOLL_CTL_ADD, w);
}

void watch_change(struct watch *w, uint32_t events)
{
    if (!w->active || w->events == events) return;
    w->events = events;
    control(EPOLL_CTL_MOD, w);
}

void watch_stop(struct watch *w)
{
    if (!w->active) return;
    w->active = false;
    control(EPOLL_CTL_DEL, w);
    for (int i = 0; i < ready_count; i++)
        if (ready[i].data.ptr == w) ready[i].data.ptr = NULL;
}

void timer_start(struct timer *t, int64_t in_millis, void (*on)(struct timer *), void *owner)
{
    timer_stop(t);
    t->at = now_millis() + (in_millis < 0 ? 0 : in_millis);
    t->on = on;
    t->owner = owner;
    t->active = true;
    t->next = timers;
    timers = t;
}

void timer_stop(struct timer *t)
{
    if (!t->active) return;
    t->active = false;
    for (struct timer **p = &timers; *p; p = &(*p)->next)
        if (*p == t) {
            *p = t->next;
            return;
        }
}

static int until_next_timer(void)
{
    int64_t first = -1, now = now_millis();
    for (struct timer *t = timers; t; t = t->next) {
        int64_t left = t->at > now ? t->at - now : 0;
        if (first < 0 || left < first) first = left;
    }
    return first > 60000 ? 60000 : (int)first;
}

/* One at a time from the start: a handler may stop or start any other. */
static void run_timers(void)
{
    int64_t now = now_millis();
    for (;;) {
        struct timer *due = timers;
        while (due && due->at > now) due = due->next;
        if (!due) return;
        timer_stop(due);
        due->on(due);
    }
}

void loop_run(void (*each)(void))
{
    while (!ending) {
        int n = epoll_wait(epoll, ready, EVENTS, until_next_timer());
        if (n < 0 && errno != EINTR) _exit(125);
        ready_count = n < 0 ? 0 : n;
        for (int i = 0; i < ready_count; i++) {
            struct watch *w = ready[i].data.ptr;
            if (w) w->on(w, ready[i].events);
        }
        ready_count = 0;
        run_timers();
        if (each) each();
    }
}

void loop_end(void) { ending = true; }
bool loop_is_ending(void) { return ending; }

int signals_open(const int *signals, int count)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < count; i++) sigaddset(&set, signals[i]);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void signals_for_command(void)
{
    sigset_t none;
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

void signals_default(void)
{
    sigset_t none;
    sigemptyset(&none);
    for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
