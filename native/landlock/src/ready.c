/* A process for a command, made before it is known which. One of them is kept while nobody waits for
 * it; it is as good as one that is made when it is asked for: what it is given then is all that
 * differs. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "minder.h"
#include "raw.h"

enum { KEPT_MILLIS = 30000 };

/* ---- rooms ---- */

static struct room *rooms; /* of minders that live */
static struct room *empty; /* one for the next: its pages are there already */

static struct room *room_take(void)
{
    struct room *room = empty;
    empty = NULL;
    if (!room)
        room = mmap(NULL, sizeof *room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return NULL;
    room->is_left = false;
    room->command = (struct command){.dir = -1, .in = -1};
    return room;
}

static void room_give(struct room *room)
{
    command_free(&room->command);
    if (empty)
        munmap(room, sizeof *room);
    else
        empty = room;
}

/* A command whose minder was killed before it left may still be in there: then it stays. */
static void room_of_gone(pid_t minder)
{
    for (struct room **p = &rooms; *p; p = &(*p)->next) {
        struct room *room = *p;
        if (room->minder != minder) continue;
        *p = room->next;
        if (room->is_left) room_give(room);
        return;
    }
}

/* ---- one of them ---- */

/* A pipe that commands write to; ours does not block. */
static bool open_pipe(int *ours, int *theirs)
{
    int p[2];
    if (pipe2(p, O_CLOEXEC) != 0) return false;
    *ours = p[0];
    *theirs = p[1];
    return fcntl(p[0], F_SETFL, O_NONBLOCK) == 0;
}

static bool open_ends(struct ready *r, int theirs[4])
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return false;
    r->go = pair[0];
    theirs[0] = pair[1];
    return open_pipe(&r->out, &theirs[1]) && open_pipe(&r->err, &theirs[2]) &&
           open_pipe(&r->report, &theirs[3]);
}

static bool make_minder(struct ready *r, const int theirs[4])
{
    struct room *room = room_take();
    if (!room) return false;
    memcpy(room->theirs, theirs, sizeof room->theirs);
    long pid = raw_clone(CLONE_VM | SIGCHLD, room->minder_stack + STACK_BYTES, minder_run, room);
    if (pid < 0) {
        room_give(room);
        errno = (int)-pid;
        return false;
    }
    room->minder = r->minder = (pid_t)pid;
    r->room = room;
    room->next = rooms;
    rooms = room;
    return true;
}

static bool make(struct ready *r)
{
    int theirs[4] = {-1, -1, -1, -1};
    *r = (struct ready){.go = -1, .out = -1, .err = -1, .report = -1};
    bool ok = open_ends(r, theirs);
    if (ok) {
        fcntl(r->out, F_SETPIPE_SZ, 256 << 10);
        fcntl(r->err, F_SETPIPE_SZ, 256 << 10);
        ok = make_minder(r, theirs);
    }
    int error = errno;
    for (int i = 0; i < 4; i++) close_fd(&theirs[i]);
    if (!ok) ready_close(r);
    errno = error;
    return ok;
}

void ready_close(struct ready *r)
{
    close_fd(&r->go);
    close_fd(&r->out);
    close_fd(&r->err);
    close_fd(&r->report);
    r->minder = 0;
}

/* For a script without #!: what the shell is given. */
static char **shell_of(char **argv)
{
    size_t n = 0;
    while (argv[n]) n++;
    char **script = grab((n + 2) * sizeof *script);
    script[0] = (char *)"/bin/sh";
    memcpy(script + 2, argv + 1, n * sizeof *script); /* its end, too */
    return script;
}

bool ready_go(struct ready *r, struct command *c)
{
    int fds[2] = {c->dir, c->in};
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof fds)];
    } control = {.head = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fds)}};
    memcpy(CMSG_DATA(&control.head), fds, sizeof fds);
    struct iovec part = {"g", 1};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct command *theirs = &r->room->command;
    *theirs = (struct command){c->argv, c->env, shell_of(c->argv), -1, -1, c->is_pty};
    bool ok = sendmsg(r->go, &m, MSG_NOSIGNAL) == 1;
    int error = errno;
    if (ok) {
        c->argv = c->env = NULL;
    } else {
        theirs->argv = theirs->env = NULL;
        command_free(theirs);
    }
    close_fd(&r->go);
    errno = error;
    return ok;
}

/* ---- the one that is kept ---- */

static struct ready spare = {.go = -1, .out = -1, .err = -1, .report = -1};
static struct timer unused;
static bool is_wanted;

bool ready_take(struct ready *r)
{
    if (!spare.minder) return make(r);
    *r = spare;
    spare = (struct ready){.go = -1, .out = -1, .err = -1, .report = -1};
    timer_stop(&unused);
    return true;
}

void ready_soon(void) { is_wanted = true; }

/* An idle cell holds nothing. */
static void on_unused(struct timer *t)
{
    (void)t;
    ready_close(&spare);
}

void ready_each_round(void)
{
    if (!is_wanted) return;
    is_wanted = false;
    if (!spare.minder && make(&spare)) timer_start(&unused, KEPT_MILLIS, on_unused, NULL);
}

void ready_child_gone(pid_t pid)
{
    room_of_gone(pid);
    if (!spare.minder || pid != spare.minder) return;
    timer_stop(&unused);
    ready_close(&spare);
}
