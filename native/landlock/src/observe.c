/* Tells the host of changes in a directory. All of it together has one inotify descriptor; what
 * happens is put together for a while and told in one push, of which there is never more than one
 * under way that the host has not asked for. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"

enum {
    MOST_OBSERVERS = 64,
    MOST_CHANGES = 256,
    TOGETHER_MILLIS = 50,
    CREATED = 1,
    WRITTEN = 2,
    ATTRIBUTES = 4,
    REMOVED = 8,
};

#define MASK                                                                                       \
    (IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | \
     IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

struct change {
    char *name;
    uint8_t what;
};

struct observer {
    uint64_t handle, sequence;
    int wd;     /* shared by all that observe this directory; -1: it is gone */
    char *only; /* the one name that counts, or NULL */
    struct change *changes;
    uint32_t count;
    bool must_rescan, may_push, is_due;
    struct timer pause;
    struct observer *next;
};

static struct observer *observers;
static struct watch events = {.fd = -1};
static uint64_t last_handle = 1ull << 63;

static void forget_changes(struct observer *o)
{
    for (uint32_t i = 0; i < o->count; i++) free(o->changes[i].name);
    o->count = 0;
}

static bool is_observed(int wd)
{
    for (struct observer *o = observers; o; o = o->next)
        if (o->wd == wd) return true;
    return false;
}

static void free_observer(struct observer *o)
{
    for (struct observer **p = &observers; *p; p = &(*p)->next)
        if (*p == o) {
            *p = o->next;
            break;
        }
    if (o->wd >= 0 && !is_observed(o->wd)) inotify_rm_watch(events.fd, o->wd);
    timer_stop(&o->pause);
    forget_changes(o);
    free(o->changes);
    free(o->only);
    free(o);
}

static struct observer *find(uint64_t handle)
{
    struct observer *o = observers;
    while (o && o->handle != handle) o = o->next;
    return o;
}

/* ---- telling ---- */

static void put_changes(struct reply *r, const struct observer *o)
{
    uint32_t at = cell_reply_new_changes(&r->w, r->root);
    uint32_t list = cell_changes_new_entries(&r->w, at, o->count);
    cell_changes_set_sequence(&r->w, at, o->sequence);
    cell_changes_set_rescan(&r->w, at, o->must_rescan);
    cell_changes_set_ended(&r->w, at, o->wd < 0);
    for (uint32_t i = 0; i < o->count; i++) {
        const struct change *c = &o->changes[i];
        uint32_t one = cell_changes_new_entries_at(&r->w, list, i);
        cell_changed_set_name(&r->w, one, c->name, strlen(c->name));
        cell_changed_set_created(&r->w, one, c->what & CREATED);
        cell_changed_set_written(&r->w, one, c->what & WRITTEN);
        cell_changed_set_attributes(&r->w, one, c->what & ATTRIBUTES);
        cell_changed_set_removed(&r->w, one, c->what & REMOVED);
    }
}

static void push(struct observer *o)
{
    struct reply r;
    if (!o->is_due || !o->may_push || wire_is_clogged()) return;
    o->sequence++;
    o->is_due = o->may_push = false;
    reply_begin(&r, CELL_REPLY_KIND_PUSH, CELL_OP_WATCH, 0, o->handle);
    put_changes(&r, o);
    reply_send(&r);
    forget_changes(o);
    o->must_rescan = false;
    if (o->wd < 0) free_observer(o);
}

void observe_push(void)
{
    for (struct observer *o = observers, *next; o; o = next) {
        next = o->next;
        push(o);
    }
}

static void on_pause(struct timer *t)
{
    struct observer *o = t->owner;
    o->is_due = true;
    push(o);
}

static void tell_soon(struct observer *o)
{
    if (!o->is_due && !o->pause.active) timer_start(&o->pause, TOGETHER_MILLIS, on_pause, o);
}

/* ---- what happens ---- */

static uint8_t meaning(uint32_t mask)
{
    uint8_t what = 0;
    if (mask & (IN_CREATE | IN_MOVED_TO)) what |= CREATED;
    if (mask & (IN_MODIFY | IN_CLOSE_WRITE)) what |= WRITTEN;
    if (mask & IN_ATTRIB) what |= ATTRIBUTES;
    if (mask & (IN_DELETE | IN_MOVED_FROM)) what |= REMOVED;
    return what;
}

static void note(struct observer *o, const char *name, uint8_t what)
{
    if (o->only && strcmp(o->only, name) != 0) return;
    tell_soon(o);
    if (o->must_rescan) return;
    for (uint32_t i = 0; i < o->count; i++)
        if (strcmp(o->changes[i].name, name) == 0) {
            o->changes[i].what |= what;
            return;
        }
    if (o->count == MOST_CHANGES) {
        o->must_rescan = true;
        forget_changes(o);
        return;
    }
    if (!o->changes) o->changes = grab(MOST_CHANGES * sizeof *o->changes);
    o->changes[o->count++] = (struct change){copy_string(name, strlen(name)), what};
}

static void on_event(const struct inotify_event *e)
{
    bool is_gone = e->mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT);
    for (struct observer *o = observers; o; o = o->next) {
        if (e->mask & IN_Q_OVERFLOW) {
            o->must_rescan = true;
            forget_changes(o);
            tell_soon(o);
        } else if (o->wd == e->wd && is_gone) {
            o->wd = -1;
            tell_soon(o);
        } else if (o->wd == e->wd && e->len && meaning(e->mask)) {
            note(o, e->name, meaning(e->mask));
        }
    }
    /* Under another name it is no longer what was asked for. */
    if (e->mask & IN_MOVE_SELF) inotify_rm_watch(events.fd, e->wd);
}

static void on_events(struct watch *w, uint32_t ready)
{
    (void)ready;
    static char bytes[16384] __attribute__((aligned(8)));
    ssize_t n = read(w->fd, bytes, sizeof bytes);
    for (ssize_t at = 0; at < n;) {
        const struct inotify_event *e = (const void *)(bytes + at);
        on_event(e);
        at += (ssize_t)(sizeof *e + e->len);
    }
}

/* ---- requests ---- */

/* What is to be observed: a directory, and perhaps one name in it. */
static bool open_place(const char *path, struct place *p, bool *is_directory, uint16_t *code,
                       struct text *why)
{
    struct stat st;
    p->name[0] = 0;
    p->dir = path_open(path, O_PATH);
    if (p->dir < 0 || fstat(p->dir, &st) != 0) return path_failed(path, code, why);
    *is_directory = S_ISDIR(st.st_mode);
    if (*is_directory) return true;
    place_close(p);
    return place_find(path, true, false, p, code, why);
}

/* Goes there: neither name nor number of it is then needed. Answers where that is. */
static bool enter(const struct place *p, char where[2 * PATH_BYTES])
{
    const char *root = the_daemon.cell->spec->workspace;
    char now[PATH_BYTES];
    if (fchdir(p->dir) != 0 || !getcwd(now, sizeof now)) return false;
    size_t n = strlen(root);
    const char *rest = is_beneath(now, root) ? now + n + (now[n] == '/') : now;
    size_t length = strlen(rest);
    memcpy(where, rest, length);
    if (*p->name) {
        where[length] = '/';
        length += length > 0;
        memcpy(where + length, p->name, strlen(p->name) + 1);
        return true;
    }
    memcpy(where + length, length ? "" : ".", length ? 1 : 2);
    return true;
}

/* The number of the directory that the daemon is in, or -1. */
static int watch_here(uint16_t *code, struct text *why)
{
    *code = CELL_REFUSAL_RESOURCES;
    if (events.fd < 0) {
        events.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        if (events.fd < 0) {
            say(why, "this machine watches no more (fs.inotify.max_user_instances): %s", strerror(errno));
            return -1;
        }
        watch_start(&events, events.fd, EPOLLIN, on_events, NULL);
    }
    int wd = inotify_add_watch(events.fd, ".", MASK);
    if (wd >= 0) return wd;
    *code = errno == EACCES ? CELL_REFUSAL_DENIED : CELL_REFUSAL_RESOURCES;
    if (errno == ENOSPC)
        say(why, "this machine watches no more (fs.inotify.max_user_watches)");
    else
        say(why, "it cannot be watched: %s", strerror(errno));
    return -1;
}

static void answer(const struct request *q, const struct observer *o, const char *where, bool is_directory)
{
    struct reply r;
    reply_begin(&r, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    uint32_t at = cell_reply_new_watch(&r.w, r.root);
    size_t n = strlen(where);
    cell_watch_result_set_handle(&r.w, at, o->handle);
    cell_watch_result_set_path(&r.w, at, where, n);
    cell_watch_result_set_directory(&r.w, at, is_directory);
    reply_send(&r);
}

void do_watch(const struct request *q)
{
    static char where[2 * PATH_BYTES];
    char path[PATH_BYTES];
    struct place p = {.dir = -1};
    struct text why;
    uint16_t code;
    bool is_directory;
    uint32_t count = 0;
    for (struct observer *o = observers; o; o = o->next) count++;
    if (count >= MOST_OBSERVERS) {
        refuse(q, CELL_REFUSAL_BUSY, "%d watches are open: close one", MOST_OBSERVERS);
        return;
    }
    if (!path_take(cell_watch_path(cell_request_watch(q->o)), path, &code, &why) ||
        !open_place(path, &p, &is_directory, &code, &why)) {
        refuse(q, code, "%s", why.s);
        place_close(&p);
        return;
    }
    int wd = -1;
    if (enter(&p, where))
        wd = watch_here(&code, &why);
    else
        path_failed(path, &code, &why);
    if (chdir("/") != 0) _exit(125); /* holds no directory */
    place_close(&p);
    if (wd < 0) {
        refuse(q, code, "%s", why.s);
        return;
    }
    struct observer *o = grab(sizeof *o);
    o->handle = ++last_handle;
    o->wd = wd;
    o->only = *p.name ? copy_string(p.name, strlen(p.name)) : NULL;
    o->may_push = true;
    o->next = observers;
    observers = o;
    answer(q, o, where, is_directory);
}

static struct observer *observer_of(const struct request *q)
{
    struct observer *o = find(q->action);
    if (!o) {
        refuse(q, CELL_REFUSAL_NOT_RUNNING, "there is no such watch, or no longer");
        return NULL;
    }
    struct reply r;
    reply_begin(&r, CELL_REPLY_KIND_RESULT, q->op, q->number, q->action);
    reply_send(&r);
    return o;
}

void observe_close(const struct request *q)
{
    struct observer *o = observer_of(q);
    if (o) free_observer(o);
}

void observe_credit(const struct request *q)
{
    struct observer *o = observer_of(q);
    if (!o) return;
    o->may_push = true;
    push(o);
}

void observe_reset(void)
{
    while (observers) free_observer(observers);
}
